//! Searches for edge-disjoint trees that are stopped: what they told is part of the whole answer, and each stop is
//! obeyed at its step.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use lightloom_routing::parallel::{
    SoFar, parallel_sources, parallel_sources_watched, trees_for, trees_for_watched,
};
use lightloom_topology::TorId;
use lightloom_watch::{Stopped, Watch};
use proptest::prelude::*;

use crate::fabrics::{any_custom, any_fabric};

/// The answer, unless the work is stopped at this step; what was told last, and the steps.
fn watched<T>(
    at: u64,
    work: impl Fn(Watch<'_, SoFar>) -> Result<T, Stopped>,
) -> (Result<T, Stopped>, Option<SoFar>, u64) {
    let (stop, steps, last) = (AtomicBool::new(false), AtomicU64::new(0), Mutex::new(None));
    let all = AtomicU64::new(0);
    let hear = |done, of| {
        assert_eq!(done, steps.fetch_add(1, Ordering::Relaxed), "steps are counted one by one");
        assert!(done < of);
        assert!(done == 0 || all.load(Ordering::Relaxed) == of, "the number of steps is known");
        all.store(of, Ordering::Relaxed);
        stop.store(done >= at, Ordering::Relaxed);
    };
    let keep = |part| *last.lock().unwrap() = Some(part);
    let watch = Watch::quiet().stopped_by(&stop).on_progress(&hear).on_part(&keep);
    let ended = work(watch);
    let all = all.into_inner();
    let steps = steps.into_inner();
    assert!(ended.is_ok() || steps == at + 1, "it went on after the stop");
    (ended, last.into_inner().unwrap(), all)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn trees_so_far_are_the_first_ones(
        fabric in prop_oneof![any_custom(8, 2..=4), any_fabric()],
        many in 1_usize..=4,
        at in 0_u64..400,
    ) {
        let sources: Vec<TorId> = fabric.tor_ids().take(many).collect();
        let known = u32::try_from(sources.len()).unwrap();
        let whole = trees_for(&fabric, &sources);
        let (ended, part, of) = watched(at, |watch| trees_for_watched(&fabric, &sources, watch));
        if let Ok(found) = &ended {
            prop_assert_eq!(found, &whole);
            prop_assert!(at + 1 >= of || whole.is_err(), "step {} of {} did not stop it", at, of);
        }
        let Some(part) = part else { return Ok(()) };
        // Something is told only when it is known that the trees exist.
        prop_assert_eq!((part.at_least, part.at_most), (known, known));
        prop_assert_eq!(&part.rows, &whole.unwrap()[..part.rows.len()]);
        prop_assert_eq!(ended.is_ok(), part.rows.len() == sources.len());
    }

    #[test]
    fn bounds_so_far_hold(
        fabric in prop_oneof![any_custom(8, 2..=4), any_fabric()],
        at in 0_u64..400,
    ) {
        let whole = parallel_sources(&fabric);
        let (ended, part, of) = watched(at, |watch| parallel_sources_watched(&fabric, watch));
        let most = u32::try_from(whole.sources.len()).unwrap();
        if let Ok(found) = &ended {
            prop_assert_eq!((&found.sources, &found.trees), (&whole.sources, &whole.trees));
            prop_assert!(at + 1 >= of, "step {} of {} did not stop it", at, of);
        }
        let Some(part) = part else {
            prop_assert!(ended.is_ok() && fabric.cassettes() == 1);
            return Ok(());
        };
        prop_assert!(part.at_least <= most && most <= part.at_most && part.rows.is_empty());
        prop_assert!(ended.is_err() || part.at_least == part.at_most);
    }
}
