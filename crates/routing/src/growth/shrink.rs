//! The inverse of growth: ToRs leave, and few transmit cords move.

use std::collections::BTreeSet;

use lightloom_topology::seat::Seat;
use lightloom_topology::{CassetteId, Fabric, FabricError, TRANSMIT_PORT, TorId};
use rand::RngExt as _;

use crate::growth::hops::{Distances, Hops};
use crate::growth::seats::SplittersStay;
use crate::parallel::count_parallel_sources_among;
use crate::sample;

/// Steps of a whole search: set operations on machine words.
const WORK: u64 = 300_000_000;
/// Fewest and most attempts to move a head.
const TRIES: (u64, u64) = (200, 12_000);

/// What a fabric keeps while ToRs leave it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Keeps {
    /// What the splitters stay with.
    pub splitters: SplittersStay,
    /// Whether the transmit port of every ToR must hear a ToR. So it is with link fault signalling on: a port that
    /// receives no light sends no data. A cord of the cassette then moves to the splitter that lights those ports.
    pub transmit_ports_lit: bool,
}

/// A fabric that shrank.
#[derive(Debug, Clone)]
pub struct Shrunk {
    /// The fabric afterwards. Labels and seats of what stays are kept.
    pub fabric: Fabric,
    /// For each ToR afterwards, its number before. Numbers have no gaps, so ToRs with the highest numbers take
    /// those that became free.
    pub tors: Vec<TorId>,
    /// For each cassette afterwards, its number before.
    pub cassettes: Vec<CassetteId>,
    /// The ToRs whose transmit cord moves, by their numbers before, ascending.
    pub moved: Vec<TorId>,
    /// Largest number of sources at line rate at the same time if trees are planned for them.
    pub parallel_sources: usize,
}

/// Why a fabric cannot shrink as wished.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShrinkError {
    /// No ToR leaves.
    #[error("takes no ToR out")]
    Nothing,
    /// Too few cassettes remain.
    #[error(
        "leaves {cassettes} cassettes; a fabric of 1:{fan_out} splitters keeps at least {}, so take fewer racks out",
        fan_out + 1
    )]
    TooFew {
        /// Cassettes that remain.
        cassettes: usize,
        /// Outputs of a splitter.
        fan_out: u32,
    },
    /// The remaining ToRs do not form a fabric.
    #[error("{0}; take other racks out")]
    Fabric(#[from] FabricError),
}

/// The ToRs that leave if a fabric shrinks to a number of ToRs: those that the last cassettes feed.
pub fn last_tors(before: &Fabric, tors: usize) -> BTreeSet<TorId> {
    let mut all: Vec<(CassetteId, TorId)> =
        before.tor_ids().map(|tor| (before.receives_from(tor), tor)).collect();
    all.sort_unstable();
    all.drain(tors.min(all.len())..).map(|(_, tor)| tor).collect()
}

/// Takes ToRs out of a fabric. A cassette that feeds none of those that remain goes too, and the ToRs that
/// transmit into it move to splitters that became free. A cassette without a transmitter gets one. No other cord
/// moves, unless transmit ports must stay lit. Equal questions give equal fabrics.
///
/// # Errors
/// [`ShrinkError`] if too few cassettes remain, or if they are not connected.
pub fn shrink(
    before: &Fabric,
    leaving: &BTreeSet<TorId>,
    keeps: Keeps,
) -> Result<Shrunk, ShrinkError> {
    if leaving.is_empty() {
        return Err(ShrinkError::Nothing);
    }
    let stays = |tor: TorId| !leaving.contains(&tor);
    let feeds = |c: CassetteId| before.receivers(c).iter().any(|&tor| stays(tor));
    let cassettes = compact(before.cassette_ids().map(feeds)).map(CassetteId::at);
    let cassettes: Vec<CassetteId> = cassettes.collect();
    let (p, n) = (before.fan_out(), cassettes.len());
    if n <= p as usize {
        return Err(ShrinkError::TooFew { cassettes: n, fan_out: p });
    }
    let tors: Vec<TorId> = compact(before.tor_ids().map(stays)).map(TorId::at).collect();
    let mut new_number = vec![None; before.cassettes()];
    for (new, old) in cassettes.iter().enumerate() {
        new_number[old.index()] = Some(new);
    }
    let tails: Vec<usize> =
        tors.iter().filter_map(|&tor| new_number[before.receives_from(tor).index()]).collect();
    let mut heads: Vec<Option<usize>> =
        tors.iter().map(|&tor| new_number[before.transmits_into(tor).index()]).collect();
    light_every_cassette(n, &mut heads, |tor| before.receive_port(tors[tor]));
    let homeless: Vec<usize> = (0..heads.len()).filter(|&tor| heads[tor].is_none()).collect();
    let heads = house(p, n, &tails, heads, &homeless);
    let seats = seats(before, &tors, &cassettes, &heads, keeps);
    let ends = tails.iter().zip(&heads);
    let edges: Vec<_> =
        ends.map(|(&tail, &head)| (CassetteId::at(tail), CassetteId::at(head))).collect();
    let fabric = Fabric::new(p, u32::try_from(n).unwrap_or(u32::MAX), &edges)?.seated(&seats)?;
    let moves = |&(new, &old): &(usize, &TorId)| {
        let (cassette, slot) = (cassettes[heads[new]], seats[new].slot);
        (cassette, slot) != (before.transmits_into(old), before.receive_port(old))
    };
    let mut moved: Vec<TorId> =
        tors.iter().enumerate().filter(moves).map(|(_, &old)| old).collect();
    moved.sort_unstable();
    let parallel_sources = count_parallel_sources_among(&fabric, |_| true);
    Ok(Shrunk { fabric, tors, cassettes, moved, parallel_sources })
}

/// The kept indices in a new order: each keeps its place, and the last ones fill the gaps.
fn compact(kept: impl Iterator<Item = bool>) -> impl Iterator<Item = usize> {
    let kept: Vec<bool> = kept.collect();
    let count = kept.iter().filter(|&&kept| kept).count();
    let beyond: Vec<usize> = (count..kept.len()).filter(|&i| kept[i]).collect();
    let mut beyond = beyond.into_iter();
    (0..count).filter_map(move |i| if kept[i] { Some(i) } else { beyond.next() })
}

/// Frees the head of the ToR in the last slot of the fullest cassette for each cassette that has no transmitter left,
/// unless there are ToRs without a head already.
fn light_every_cassette(n: usize, heads: &mut [Option<usize>], slot: impl Fn(usize) -> u32) {
    loop {
        let mut count = vec![0_usize; n];
        for head in heads.iter().flatten() {
            count[*head] += 1;
        }
        let dark = count.iter().filter(|&&count| count == 0).count();
        let free = heads.iter().filter(|head| head.is_none()).count();
        let fullest = (0..n).max_by_key(|&c| (count[c], std::cmp::Reverse(c)));
        match fullest {
            Some(fullest) if dark > free && count[fullest] > 1 => {
                let here = (0..heads.len()).filter(|&tor| heads[tor] == Some(fullest));
                if let Some(tor) = here.max_by_key(|&tor| slot(tor)) {
                    heads[tor] = None;
                }
            }
            _ => return,
        }
    }
}

/// Gives ToRs without a head one of the free splitters, so that cassettes are lit evenly and ways are short.
fn house(
    p: u32,
    n: usize,
    tails: &[usize],
    heads: Vec<Option<usize>>,
    homeless: &[usize],
) -> Vec<usize> {
    let mut count = vec![0_usize; n];
    for head in heads.iter().flatten() {
        count[*head] += 1;
    }
    let mut heads: Vec<usize> = heads.into_iter().map(|head| head.unwrap_or(usize::MAX)).collect();
    for &tor in homeless {
        let head = (0..n).min_by_key(|&c| (count[c], c == tails[tor], c)).unwrap_or(0);
        heads[tor] = head;
        count[head] += 1;
    }
    let mut hops = Hops::new(p, n, tails);
    let uneven = |count: &[usize]| -> usize {
        count.iter().map(|&c| (p as usize).saturating_sub(c).pow(2)).sum()
    };
    let measure = |hops: &mut Hops, heads: &[usize], count: &[usize]| -> (usize, Distances) {
        (uneven(count), hops.measure(tails, heads))
    };
    let mut best = measure(&mut hops, &heads, &count);
    let mut draws = sample::generator();
    let tries = (WORK / hops.work().max(1)).clamp(TRIES.0, TRIES.1);
    for _ in 0..if homeless.is_empty() { 0 } else { tries } {
        let tor = homeless[draws.random_range(0..homeless.len())];
        let (old, new) = (heads[tor], draws.random_range(0..n));
        let other = homeless.iter().copied().find(|&other| heads[other] == new);
        let full = count[new] >= p as usize;
        if new == old || new == tails[tor] || (full && other.is_none()) {
            continue;
        }
        // A full cassette exchanges one ToR for the other.
        let exchanged = other.filter(|_| full);
        heads[tor] = new;
        match exchanged {
            Some(other) => heads[other] = old,
            None => {
                count[old] -= 1;
                count[new] += 1;
            }
        }
        let found = measure(&mut hops, &heads, &count);
        if found <= best {
            best = found;
            continue;
        }
        heads[tor] = old;
        match exchanged {
            Some(other) => heads[other] = new,
            None => {
                count[old] += 1;
                count[new] -= 1;
            }
        }
    }
    heads
}

/// Seats of the ToRs that stay. A ToR keeps its slot if it transmits into the cassette of before, and empty slots stay
/// empty. Others take slots that became free, those first that have a splitter. Branches never change.
fn seats(
    before: &Fabric,
    tors: &[TorId],
    cassettes: &[CassetteId],
    heads: &[usize],
    keeps: Keeps,
) -> Vec<Seat> {
    let mut seats: Vec<Seat> = tors.iter().map(|&tor| before.seat(tor)).collect();
    let mut next = before.tor_ids().map(|tor| before.splitter_number(tor) + 1).max().unwrap_or(0);
    for (new, &cassette) in cassettes.iter().enumerate() {
        let here: Vec<usize> = (0..heads.len()).filter(|&tor| heads[tor] == new).collect();
        let stays = |tor: &usize| before.transmits_into(tors[*tor]) == cassette;
        let (mut kept, mut others): (Vec<usize>, Vec<usize>) = here.into_iter().partition(stays);
        kept.sort_by_key(|&tor| seats[tor].slot);
        let is_dark = others.is_empty() && kept.iter().all(|&t| seats[t].slot != TRANSMIT_PORT);
        if keeps.transmit_ports_lit && is_dark {
            others.extend(kept.pop());
        }
        let there = before.splitters(cassette);
        let fed_by = |slot: u32| there.get(slot as usize).copied().flatten();
        let taken: Vec<u32> = kept.iter().map(|&tor| seats[tor].slot).collect();
        let mut free: Vec<u32> =
            (0..before.fan_out()).filter(|slot| !taken.contains(slot)).collect();
        free.sort_by_key(|&slot| fed_by(slot).is_none());
        for (tor, slot) in others.into_iter().zip(free) {
            seats[tor].slot = slot;
            if keeps.splitters == SplittersStay::WithCassette {
                seats[tor].splitter = fed_by(slot).map_or(next, |fed| before.splitter_number(fed));
                next = next.max(seats[tor].splitter + 1);
            }
        }
    }
    seats
}
