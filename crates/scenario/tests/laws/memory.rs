//! Estimates of memory.

use lightloom_scenario::memory::{Counts, Kept, of_flows};
use proptest::prelude::*;

prop_compose! {
    fn any_counts()(
        ports in 1..1_000_000_u64, flows in 1..(1_u64 << 24), computations in 1..(1_u64 << 24),
        receivers in 1..10_000_000_u64, tors in 1..4_096_u64, senders in 1..4_096_u64,
        arrivals in 1..100_000_000_u64, packets in 1..100_000_000_u64,
    ) -> Counts {
        Counts { ports, flows, computations, receivers, tors, senders, arrivals, packets }
    }
}

proptest! {
    #[test]
    fn more_of_anything_needs_more(counts in any_counts(), runs in 1..100_u32, at_once in 1..4_usize) {
        let kept =
            Kept { runs, at_once, is_traced: true, recorded: Some(1_000_000_000), is_checked: true };
        let needed = counts.memory(kept);
        let more = [
            Counts { ports: 2 * counts.ports, ..counts },
            Counts { flows: 2 * counts.flows, ..counts },
            Counts { computations: 2 * counts.computations, ..counts },
            Counts { receivers: 2 * counts.receivers, ..counts },
            Counts { tors: 2 * counts.tors, ..counts },
            Counts { senders: 2 * counts.senders, ..counts },
            Counts { arrivals: 2 * counts.arrivals, ..counts },
            Counts { packets: 2 * counts.packets, ..counts },
        ];
        for more in more {
            prop_assert!(more.memory(kept) > needed, "{:?}", more);
        }
        let longer = Kept { runs: runs + 1, ..kept };
        prop_assert!(counts.memory(longer) > needed);
        for less in [
            Kept { is_traced: false, ..kept },
            Kept { recorded: None, ..kept },
            Kept { is_checked: false, ..kept },
        ] {
            prop_assert!(counts.memory(less) < needed, "{:?}", less);
        }
    }
}

/// 2^24 flows, the most of a scenario, took 22 GB.
#[test]
fn the_most_flows_take_what_they_were_measured_to_take() {
    let bytes = of_flows(1 << 24).as_bytes();
    assert!((22_000_000_000..24_000_000_000).contains(&bytes), "{bytes}");
}
