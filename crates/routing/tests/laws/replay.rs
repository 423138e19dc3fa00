//! The verifier agrees with a naive simulation of copies, on correct and wrong rules and wires.

use lightloom_routing::verify::{LightMap, Replay, Violation};
use lightloom_routing::{Balanced, RelayTables};
use lightloom_topology::TorId;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::check::fibres;
use crate::fabrics::any_custom;

/// Copies that each ToR receives, and the hops of the last one, hop by hop. Copies beyond any correct number
/// are not followed.
fn simulate(fibres: &[(TorId, TorId)], rule: &[bool], source: TorId) -> Vec<Vec<u32>> {
    let mut received: Vec<Vec<u32>> = vec![Vec::new(); rule.len()];
    let mut sending = if rule[source.index()] { vec![source] } else { Vec::new() };
    for hop in 1..=u32::try_from(rule.len()).unwrap() + 1 {
        let mut next = Vec::new();
        for &relay in &sending {
            for &(_, to) in fibres.iter().filter(|f| f.0 == relay) {
                received[to.index()].push(hop);
                if to != source && rule[to.index()] && received[to.index()].len() == 1 {
                    next.push(to);
                }
            }
        }
        sending = next;
    }
    received
}

fn is_right(received: &[Vec<u32>], source: TorId, bound: u32) -> bool {
    let fine = |(tor, copies): (usize, &Vec<u32>)| {
        if tor == source.index() {
            copies.len() <= 1
        } else {
            matches!(copies[..], [h] if h <= bound)
        }
    };
    received.iter().enumerate().all(fine)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn the_verdict_is_that_of_a_naive_simulation(
        fabric in any_custom(6, 2..=3),
        source in any::<Index>(),
        flips in vec(any::<Index>(), 0..3),
        rewired in vec((any::<Index>(), any::<Index>()), 0..3),
        bound in 1_u32..8,
    ) {
        let source = TorId::at(source.index(fabric.tors()));
        let tables: RelayTables = Balanced::new(&fabric).into_tables();
        let mut rule: Vec<bool> =
            fabric.tor_ids().map(|t| tables.row(source).contains(&t)).collect();
        for flip in flips {
            let at = flip.index(rule.len());
            rule[at] = !rule[at];
        }
        let mut fibres = fibres(&fabric);
        for (fibre, to) in rewired {
            let at = fibre.index(fibres.len());
            fibres[at].1 = TorId::at(to.index(rule.len()));
        }
        let wiring = LightMap::new(rule.len(), fibres.iter().copied());
        let verdict = Replay::new(&wiring).source(source, bound, |tor| rule[tor.index()]);
        let received = simulate(&fibres, &rule, source);
        prop_assert_eq!(verdict.is_ok(), is_right(&received, source, bound), "{:?}", verdict);
        // What an error reports about a ToR is what that ToR received.
        match verdict {
            Ok(delivered) => {
                let copies: usize = received.iter().map(Vec::len).sum();
                prop_assert_eq!(delivered.copies, copies as u64);
            }
            Err(Violation::NotAdmitted(tor)) => prop_assert!(tor == source && !rule[tor.index()]),
            Err(Violation::NoCopy { tor, .. }) => prop_assert!(received[tor.index()].is_empty()),
            Err(Violation::SecondCopy { tor, .. } | Violation::Loop { tor, .. }) => {
                prop_assert!(received[tor.index()].len() > 1);
            }
            Err(Violation::TooDeep { tor, hops, bound: b, .. }) => {
                prop_assert!(b == bound && hops > bound && received[tor.index()][0] == hops);
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
    }

    #[test]
    fn a_replay_forgets_what_it_played_before(
        fabric in any_custom(6, 2..=3),
        order in vec((any::<Index>(), any::<bool>()), 1..12),
    ) {
        let tables: RelayTables = Balanced::new(&fabric).into_tables();
        let wiring = LightMap::new(fabric.tors(), fibres(&fabric));
        let mut replay = Replay::new(&wiring);
        for (source, spoil) in order {
            let source = TorId::at(source.index(fabric.tors()));
            let row = tables.row(source);
            // A replay with an error stops early and leaves its copies behind.
            let has_rule = |tor: TorId| if spoil { true } else { row.contains(&tor) };
            let fresh = Replay::new(&wiring).source(source, 99, has_rule);
            prop_assert_eq!(replay.source(source, 99, has_rule), fresh.clone());
            prop_assert!(spoil || fresh.is_ok());
        }
    }
}
