//! The kautz family takes any number of ToRs. The fabric is connected, and no cassette has more than its share of
//! empty seats. If p divides the number, there are no loops.

use lightloom_topology::{CassetteId, Fabric};

/// Checks the seats of a kautz fabric, and that every cassette reaches every other.
pub fn check(fabric: &Fabric, p: u32, tors: u32) {
    check_spread(fabric, p, tors);
    check_connected(fabric, p, tors);
}

fn check_spread(fabric: &Fabric, p: u32, tors: u32) {
    let cassettes = tors.div_ceil(p);
    let empty = cassettes * p - tors;
    assert_eq!((fabric.tors(), fabric.cassettes()), (tors as usize, cassettes as usize));
    for c in fabric.cassette_ids() {
        let seats = [fabric.transmitters(c).len(), fabric.receivers(c).len()];
        assert!(seats.iter().all(|&s| s >= 1 && s <= p as usize), "{tors}: cassette {c}");
        if cassettes >= empty {
            assert!(seats.iter().all(|&s| s >= p as usize - 1), "{tors}: cassette {c}");
        }
    }
    let loops = fabric.tor_ids().filter(|&t| fabric.receives_from(t) == fabric.transmits_into(t));
    if empty == 0 && cassettes > 1 {
        assert_eq!(loops.count(), 0, "p = {p}, {tors} ToRs");
    }
}

/// Light from cassette 0 reaches all others, and their light reaches it.
fn check_connected(fabric: &Fabric, p: u32, tors: u32) {
    for against in [false, true] {
        let mut reached = vec![false; fabric.cassettes()];
        let mut open = vec![CassetteId(0)];
        while let Some(c) = open.pop() {
            if !std::mem::replace(&mut reached[c.index()], true) {
                let on = |&t| {
                    if against { fabric.receives_from(t) } else { fabric.transmits_into(t) }
                };
                let tors = if against { fabric.transmitters(c) } else { fabric.receivers(c) };
                open.extend(tors.iter().map(on));
            }
        }
        assert!(reached.iter().all(|&r| r), "p = {p}, {tors} ToRs");
    }
}
