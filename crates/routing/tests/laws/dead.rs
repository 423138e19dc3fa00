//! Dead branches, compared with the independent checker of damaged fabrics.

use std::collections::BTreeSet;

use lightloom_routing::failure::{Damage, Failure};
use lightloom_topology::TorId;
use proptest::prelude::*;

use crate::damaged::{Damaged, draws, failures};
use crate::fabrics::any_fabric;

proptest! {
    #[test]
    fn dead_branches_are_those_over_which_nothing_arrives(
        fabric in any_fabric(),
        draws in draws(5),
    ) {
        let broken = failures(&fabric, &draws);
        let damage = Damage::new(&fabric, &broken).unwrap();
        let left = Damaged::new(&fabric, &broken);
        let lights = |&(from, to): &(TorId, TorId)| {
            fabric.transmits_into(from) == fabric.receives_from(to)
        };
        let pairs = fabric.tor_ids().flat_map(|from| fabric.tor_ids().map(move |to| (from, to)));
        let dead: BTreeSet<_> =
            pairs.filter(lights).filter(|&(from, to)| !left.arrives(from, to)).collect();
        prop_assert_eq!(damage.dead_branches(), dead);
        let off: BTreeSet<TorId> = broken
            .iter()
            .filter_map(|failure| match *failure {
                Failure::Relay(tor) | Failure::Transmitter(tor) | Failure::Tor(tor) => Some(tor),
                _ => None,
            })
            .collect();
        prop_assert!(damage.transmitters_off().eq(off));
    }
}
