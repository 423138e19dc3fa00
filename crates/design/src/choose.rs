//! Chooses the fabric for a number of ToRs if the user does not.

use lightloom_topology::family::Shufflecast;

/// Fan-outs in the order of trial. 1:4 balances hops and loss, smaller splitters lose less light, larger ones
/// save hops.
const FAN_OUTS: [u32; 8] = [4, 2, 8, 3, 6, 5, 7, 16];

/// The first Shufflecast with at least two columns that a number of ToRs fits.
pub fn shape_for(tors: u32, splitter: Option<u32>) -> Option<Shufflecast> {
    let fan_outs = splitter.map_or(FAN_OUTS.to_vec(), |p| vec![p]);
    let shapes = fan_outs.iter().filter_map(|&p| Shufflecast::with_tors(p, tors));
    shapes.into_iter().find(|shape| shape.k() >= 2)
}

/// 1:2 while the depth stays small, 1:8 if 1:4 needs more than about six hops.
pub fn fan_out_for(tors: u32) -> u32 {
    match tors {
        0..=16 => 2,
        17..=4096 => 4,
        _ => 8,
    }
}
