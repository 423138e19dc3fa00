//! Seats of a fabric that grew: those that were there stay, new ones are numbered after them.

use std::collections::BTreeMap;

use lightloom_topology::seat::Seat;
use lightloom_topology::{CassetteId, Fabric, TorId};

/// What a splitter stays with when its ToR goes to another cassette.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SplittersStay {
    /// With the cassette: the ToR's feed moves. So it is with splitters at the receivers and in frames.
    #[default]
    WithCassette,
    /// With the ToR: its branches move. So it is with splitters at the senders.
    WithTor,
}

/// The seats of ToRs after growth. `edges` are all edges, those of the `before` ToRs first. A slot that an old
/// ToR left is taken by a new ToR; the splitter that is there stays, or goes with the old ToR.
pub(super) fn grown(
    before: &Fabric,
    edges: &[(CassetteId, CassetteId)],
    splitters_stay: SplittersStay,
) -> Vec<Seat> {
    let old = before.tors();
    let mut splitters = BTreeMap::new();
    let mut slots: BTreeMap<CassetteId, Vec<u32>> = BTreeMap::new();
    let mut branches: BTreeMap<CassetteId, Vec<u32>> = BTreeMap::new();
    let mut seats = Vec::with_capacity(edges.len());
    for tor in before.tor_ids() {
        let seat = before.seat(tor);
        let home = before.transmits_into(tor);
        splitters.insert((home, seat.slot), seat.splitter);
        branches.entry(before.receives_from(tor)).or_default().push(seat.branch);
        if edges[tor.index()].1 == home {
            slots.entry(home).or_default().push(seat.slot);
        }
        seats.push(seat);
    }
    let first_number = seats.iter().map(|seat| seat.number + 1).max().unwrap_or(0);
    let first_splitter = seats.iter().map(|seat| seat.splitter + 1).max().unwrap_or(0);
    let take = |taken: &mut Vec<u32>, has_splitter: &dyn Fn(u32) -> bool| {
        let mut free = (0..before.fan_out()).filter(|number| !taken.contains(number));
        // A splitter that is there comes before a slot that is empty.
        let with = free.clone().find(|&number| has_splitter(number));
        let found = with.or_else(|| free.next()).unwrap_or(u32::MAX);
        taken.push(found);
        found
    };
    for (number, edge) in (first_number..).zip(&edges[old..]) {
        let branch = take(branches.entry(edge.0).or_default(), &|_| true);
        seats.push(Seat { slot: 0, branch, splitter: 0, number });
    }
    // New ToRs take the slots that were left. ToRs that moved take new slots.
    let moved = (0..old).filter(|&tor| edges[tor].1 != before.transmits_into(TorId::at(tor)));
    let seated: Vec<usize> = moved.chain(old..edges.len()).collect();
    for &tor in &seated {
        let head = edges[tor].1;
        let there = |slot| splitters.contains_key(&(head, slot));
        seats[tor].slot = take(slots.entry(head).or_default(), &there);
    }
    let mut by_place: Vec<(CassetteId, u32, usize)> =
        seated.iter().map(|&tor| (edges[tor].1, seats[tor].slot, tor)).collect();
    let mut next = first_splitter..;
    if splitters_stay == SplittersStay::WithTor {
        for seat in &mut seats[old..] {
            seat.splitter = next.next().unwrap_or(u32::MAX);
        }
        return seats;
    }
    by_place.sort_unstable();
    for (cassette, slot, tor) in by_place {
        let there = splitters.get(&(cassette, slot)).copied();
        seats[tor].splitter = there.or_else(|| next.next()).unwrap_or(u32::MAX);
    }
    seats
}
