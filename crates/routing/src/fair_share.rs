//! Max-min fair rates of active sources over installed trees (shufflecast:VI-B.shares).
//!
//! A source sends at one rate over its whole tree, so it uses the same share of every transmitter on the
//! tree. All rates rise together. When a transmitter is full, the rates of its sources stay fixed
//! (progressive filling: Bertsekas and Gallager, Data Networks, 6.5.2).

use lightloom_topology::TorId;

/// Max-min fair rate of each active source, as a share of the line rate: 1 is the full rate. `rows[i]` is the
/// relay row of active source *i*. `tors` is the number of ToRs.
///
/// # Panics
/// Panics if a row names a ToR beyond `tors`.
#[allow(clippy::cast_precision_loss, reason = "counts of sources are small")]
pub fn max_min_fair(tors: usize, rows: &[&[TorId]]) -> Vec<f64> {
    // A source without relays has no limit.
    let mut rates: Vec<Option<f64>> =
        rows.iter().map(|row| row.is_empty().then_some(1.0)).collect();
    let mut room = vec![1.0_f64; tors];
    let mut rising = vec![0_u32; tors];
    for relay in rows.iter().flat_map(|row| row.iter()) {
        rising[relay.index()] += 1;
    }
    while rates.iter().any(Option::is_none) {
        let share = |tor: usize| room[tor] / f64::from(rising[tor]);
        let open = (0..tors).filter(|&tor| rising[tor] > 0);
        let rate = open.map(share).fold(f64::INFINITY, f64::min);
        // Transmitters that are full at this rate, within rounding.
        let full: Vec<bool> =
            (0..tors).map(|tor| rising[tor] > 0 && share(tor) <= rate * (1.0 + 1e-9)).collect();
        for (row, settled) in rows.iter().zip(&mut rates) {
            if settled.is_none() && row.iter().any(|relay| full[relay.index()]) {
                *settled = Some(rate);
                for relay in *row {
                    room[relay.index()] = (room[relay.index()] - rate).max(0.0);
                    rising[relay.index()] -= 1;
                }
            }
        }
    }
    rates.into_iter().flatten().collect()
}
