//! Link fault signalling against a naive simulation: every ToR is a state machine, and all step at once until
//! nothing changes.

use std::collections::BTreeMap;

use lightloom_routing::failure::{Damage, Failure};
use lightloom_routing::fault_signalling::{
    Cause, heard_at_transmit_ports, most_silenced, silenced, with_silenced,
};
use lightloom_topology::{CassetteId, Fabric, TorId};
use proptest::prelude::*;

use crate::damaged::{Damaged, draws, failures};
use crate::fabrics::{any_fabric, shufflecast};

/// What a transmitter sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sends {
    Data,
    RemoteFault,
    Idle,
    Nothing,
}

const LIT: [Sends; 3] = [Sends::Data, Sends::RemoteFault, Sends::Idle];

/// The states after the cascade, and the number of steps until it ended.
fn play(left: &Damaged<'_>, mut now: Vec<Sends>) -> (Vec<Sends>, usize) {
    let fabric = left.fabric;
    let hears = |tor: TorId| {
        let feeds = |t: &TorId| fabric.transmits_into(*t) == fabric.receives_from(tor);
        fabric.tor_ids().find(feeds).unwrap()
    };
    for steps in 0..10 {
        let next: Vec<Sends> = fabric
            .tor_ids()
            .map(|tor| {
                let from = hears(tor);
                match now[from.index()] {
                    _ if left.mute[tor.index()] => Sends::Nothing,
                    _ if !left.arrives(from, tor) => Sends::RemoteFault,
                    Sends::RemoteFault => Sends::Idle,
                    _ => Sends::Data,
                }
            })
            .collect();
        if next == now {
            return (now, steps);
        }
        now = next;
    }
    panic!("the cascade does not end: {now:?}");
}

fn causes(states: &[Sends]) -> BTreeMap<TorId, Cause> {
    let cause = |(tor, sends): (usize, &Sends)| match sends {
        Sends::RemoteFault => Some((TorId::at(tor), Cause::LocalFault)),
        Sends::Idle => Some((TorId::at(tor), Cause::RemoteFault)),
        Sends::Data | Sends::Nothing => None,
    };
    states.iter().enumerate().filter_map(cause).collect()
}

proptest! {
    #[test]
    fn the_cascade_is_that_of_a_naive_simulation_from_any_start(
        fabric in any_fabric(),
        draws in draws(5),
        starts in proptest::collection::vec(0..3_usize, 512),
    ) {
        let broken = failures(&fabric, &draws);
        let found = silenced(&Damage::new(&fabric, &broken).unwrap());
        let left = Damaged::new(&fabric, &broken);
        let (states, steps) = play(&left, vec![Sends::Data; fabric.tors()]);
        prop_assert_eq!(&found, &causes(&states));
        prop_assert!(steps <= 2, "{} steps", steps);
        let start = (0..fabric.tors()).map(|tor| LIT[starts[tor % starts.len()]]).collect();
        prop_assert_eq!(&found, &causes(&play(&left, start).0));

        // The same as failures: silenced ToRs do not send, and all others send as before.
        let all = with_silenced(&fabric, &broken).unwrap();
        let after = Damage::new(&fabric, &all).unwrap();
        for tor in fabric.tor_ids() {
            prop_assert_eq!(after.sends(tor), states[tor.index()] == Sends::Data);
            prop_assert_eq!(after.has_power(tor), !left.dark[tor.index()]);
        }
    }
}

proptest! {
    #[test]
    fn the_most_silenced_are_those_of_the_worst_single_transmitter(fabric in any_fabric()) {
        let after = |tor| {
            silenced(&Damage::new(&fabric, &[Failure::Transmitter(tor)]).unwrap()).len()
        };
        prop_assert_eq!(most_silenced(&fabric), fabric.tor_ids().map(after).max().unwrap());
        let heard: Vec<TorId> = heard_at_transmit_ports(&fabric).collect();
        for tor in fabric.tor_ids().filter(|tor| !heard.contains(tor)) {
            prop_assert_eq!(after(tor), 0);
        }
    }
}

/// In a 2,3-Shufflecast, ToR (c, r) hears the ToRs (c - 1, r div 2) and (c - 1, r div 2 + 4), and the first
/// of them at port 0. So only ToRs of rows 0 to 3 are heard at port 0, by rows 2r and 2r + 1.
#[test]
fn single_dead_transmitters_of_a_2_3_by_hand() {
    let fabric = shufflecast(2, 3);
    let at = |column: u32, row: u32| TorId((column % 3) * 8 + row);
    for (column, row) in (0..3).flat_map(|column| (0..8).map(move |row| (column, row))) {
        let damage = Damage::new(&fabric, &[Failure::Transmitter(at(column, row))]).unwrap();
        let mut due = BTreeMap::new();
        for dark in [2 * row, 2 * row + 1].into_iter().filter(|_| row < 4) {
            due.insert(at(column + 1, dark), Cause::LocalFault);
            for idle in [2 * dark, 2 * dark + 1].into_iter().filter(|_| dark < 4) {
                due.insert(at(column + 2, idle), Cause::RemoteFault);
            }
        }
        assert_eq!(silenced(&damage), due, "ToR {}", at(column, row));
    }
}

/// Two ToRs on one cassette. Both hear ToR 0 at port 0, ToR 0 too.
#[test]
fn a_tor_that_hears_itself() {
    let fabric = Fabric::new(2, 1, &[(CassetteId(0), CassetteId(0)); 2]).unwrap();
    let of = |failure: Failure| silenced(&Damage::new(&fabric, &[failure]).unwrap());
    let [a, b] = [TorId(0), TorId(1)];
    assert_eq!(of(Failure::Transmitter(a)), BTreeMap::from([(b, Cause::LocalFault)]));
    assert_eq!(of(Failure::Transmitter(b)), BTreeMap::new());
    // ToR 0 signals its own fault to itself; its receiver does not hear it, but ToR 1 does.
    let own = BTreeMap::from([(a, Cause::LocalFault), (b, Cause::RemoteFault)]);
    assert_eq!(of(Failure::Receiver { tor: a, port: 0 }), own);
    assert_eq!(of(Failure::Receiver { tor: a, port: 1 }), BTreeMap::new());
    assert_eq!(of(Failure::Receiver { tor: b, port: 0 }), BTreeMap::from([(b, Cause::LocalFault)]));
}
