//! Laws of admission, against models that know nothing of queues and rounds.

use std::collections::BTreeSet;

use lightloom_units::BitRate;
use proptest::collection::vec;
use proptest::prelude::*;

use super::rates::{carried, packed, unpacked};
use super::shares::max_min_shares;
use super::{Arbiter, Demands, Policy};

/// What up to 12 messages use of 8 resources.
fn demands() -> impl Strategy<Value = Demands> {
    let uses = vec(proptest::sample::subsequence((0..8_u32).collect::<Vec<_>>(), 1..5), 1..12);
    (vec(1_000_000_u64..400_000_000_000, 8), uses).prop_map(|(capacities, uses)| Demands {
        capacities: capacities.into_iter().map(BitRate::from_bps).collect(),
        uses,
    })
}

fn count(demands: &Demands) -> u32 {
    u32::try_from(demands.uses.len()).unwrap_or(u32::MAX)
}

fn share(demands: &Demands, a: u32, b: u32) -> bool {
    demands.of(a).iter().any(|resource| demands.of(b).contains(resource))
}

proptest! {
    /// First come, first served (shufflecast:IV-C.turns): a message goes if and only if it shares no resource with an
    /// earlier message that is not over.
    #[test]
    fn turns_are_first_come_first_served(demands in demands(), steps in vec((0..12_u32, any::<bool>()), 1..80)) {
        let mut arbiter = Arbiter::new(Policy::Turns, demands.clone());
        // In the order in which they asked.
        let mut here: Vec<u32> = Vec::new();
        for (message, asks) in steps {
            let message = message % count(&demands);
            let before: BTreeSet<u32> =
                here.iter().copied().filter(|&one| arbiter.rate(one).is_some()).collect();
            let changed = match (asks, here.contains(&message)) {
                (true, false) => {
                    here.push(message);
                    arbiter.ask(message)
                }
                (false, true) => {
                    here.retain(|&one| one != message);
                    arbiter.leave(message)
                }
                _ => continue,
            };
            let mut goes = BTreeSet::new();
            for (place, &one) in here.iter().enumerate() {
                let is_free = here[..place].iter().all(|&other| !share(&demands, one, other));
                prop_assert_eq!(arbiter.rate(one).is_some(), is_free);
                prop_assert_eq!(arbiter.waits_for(one).is_none(), is_free);
                if let Some(other) = arbiter.waits_for(one) {
                    prop_assert!(share(&demands, one, other) && here[..place].contains(&other));
                }
                if is_free {
                    goes.insert(one);
                }
            }
            let new: BTreeSet<u32> = goes.difference(&before).copied().collect();
            prop_assert_eq!(changed.into_iter().collect::<BTreeSet<_>>(), new);
        }
    }

    /// Bertsekas and Gallager, 6.5.2: rates are max-min fair if and only if each user has a bottleneck, a resource
    /// that is full and on which no other user has more. In whole bits, full is up to one bit a user.
    #[test]
    fn everybody_has_a_bottleneck(demands in demands()) {
        let uses: Vec<&[u32]> = demands.uses.iter().map(Vec::as_slice).collect();
        let rates = max_min_shares(&demands.capacities, &uses);
        let load = |resource: u32| -> u64 {
            let on = uses.iter().zip(&rates).filter(|(uses, _)| uses.contains(&resource));
            on.map(|(_, rate)| rate.as_bps()).sum()
        };
        for (resource, capacity) in (0..).zip(&demands.capacities) {
            prop_assert!(load(resource) <= capacity.as_bps());
        }
        for (own, &rate) in uses.iter().zip(&rates) {
            let has_bottleneck = own.iter().any(|&resource| {
                let room = demands.capacities[resource as usize].as_bps() - load(resource);
                let others = uses.iter().zip(&rates).filter(|(uses, _)| uses.contains(&resource));
                let most = others.map(|(_, &other)| other).max();
                room < uses.len() as u64 && most <= Some(BitRate::from_bps(rate.as_bps() + 1))
            });
            prop_assert!(has_bottleneck);
        }
    }

    /// Senders hear late and in any order of each other. What they send at never adds up to more than a resource
    /// carries, and when all have heard, each has its share.
    #[test]
    fn shares_never_exceed_capacities(demands in demands(), steps in vec((0..12_u32, 0..4_u8), 1..120)) {
        let mut arbiter = Arbiter::new(Policy::Share, demands.clone());
        let most = demands.uses.len();
        let mut here = BTreeSet::new();
        // What is on its way to each, and what it sends at.
        let mut told: Vec<Vec<BitRate>> = vec![Vec::new(); most];
        let mut sends: Vec<Option<BitRate>> = vec![None; most];
        let all = (0..count(&demands)).flat_map(|message| vec![(message, 2); 4 * most]);
        let drained: Vec<(u32, u8)> = (0..2 * most).flat_map(|_| all.clone()).collect();
        for (message, step) in steps.into_iter().chain(drained) {
            let message = message % count(&demands);
            let at = message as usize;
            let changed = match step {
                0 if here.insert(message) => arbiter.ask(message),
                1 if here.remove(&message) => {
                    (told[at], sends[at]) = (Vec::new(), None);
                    arbiter.leave(message)
                }
                2 | 3 if !told[at].is_empty() => {
                    let rate = told[at].remove(0);
                    sends[at] = Some(rate);
                    arbiter.confirm(message, rate)
                }
                _ => continue,
            };
            for message in changed {
                if let Some(rate) = arbiter.rate(message) {
                    told[message as usize].push(rate);
                }
            }
            for (resource, capacity) in (0..).zip(&demands.capacities) {
                let on = (0..most).filter(|&one| demands.uses[one].contains(&resource));
                let load: u64 = on.filter_map(|one| sends[one]).map(BitRate::as_bps).sum();
                prop_assert!(load <= capacity.as_bps(), "{load} of {capacity} on {resource}");
            }
        }
        let uses: Vec<&[u32]> = here.iter().map(|&message| demands.of(message)).collect();
        let shares = max_min_shares(&demands.capacities, &uses);
        for (&message, share) in here.iter().zip(shares) {
            prop_assert_eq!(sends[message as usize], Some(carried(share)));
        }
    }

    #[test]
    fn rates_are_carried_closely(bps in 1_u64..) {
        let rate = carried(BitRate::from_bps(bps)).as_bps();
        prop_assert!(rate <= bps && bps - rate <= bps >> 17);
        prop_assert!(packed(BitRate::from_bps(bps)) < 1 << 24);
        prop_assert_eq!(carried(BitRate::from_bps(rate)).as_bps(), rate);
    }
}

#[test]
fn no_rate_is_carried_as_none() {
    assert_eq!(packed(BitRate::from_bps(0)), 0);
    assert_eq!(unpacked(0), None);
}
