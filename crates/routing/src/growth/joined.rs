//! Parallel sources of a fabric while some ToRs do not transmit.

use lightloom_topology::{CassetteId, Fabric, TorId};

use crate::parallel::count_parallel_sources_among;

/// Number of parallel sources if only some ToRs transmit. 0 if some source then cannot reach all ToRs: one
/// arborescence may exist although its root is beyond reach of others.
pub(super) fn parallel_among(fabric: &Fabric, transmits: impl Fn(TorId) -> bool) -> usize {
    let onward = |cassette: CassetteId| {
        let relays = fabric.receivers(cassette).iter().copied().filter(|&tor| transmits(tor));
        relays.map(|tor| fabric.transmits_into(tor)).collect::<Vec<_>>()
    };
    let back = |cassette: CassetteId| {
        let relays = fabric.transmitters(cassette).iter().copied().filter(|&tor| transmits(tor));
        relays.map(|tor| fabric.receives_from(tor)).collect::<Vec<_>>()
    };
    if reaches_all(fabric, onward) && reaches_all(fabric, back) {
        count_parallel_sources_among(fabric, &transmits)
    } else {
        0
    }
}

/// Whether cassette 0 reaches all others.
fn reaches_all(fabric: &Fabric, next: impl Fn(CassetteId) -> Vec<CassetteId>) -> bool {
    let mut seen = vec![false; fabric.cassettes()];
    seen[0] = true;
    let mut queue = vec![CassetteId(0)];
    let mut count = 1;
    while let Some(cassette) = queue.pop() {
        for to in next(cassette) {
            if !std::mem::replace(&mut seen[to.index()], true) {
                count += 1;
                queue.push(to);
            }
        }
    }
    count == seen.len()
}
