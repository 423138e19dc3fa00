//! Max-min fair shares: all rates rise together, and where a resource is full those of its users stay (progressive
//! filling: Bertsekas and Gallager, Data Networks, 6.5.2).

use lightloom_units::BitRate;

/// The max-min fair rate of each user (shufflecast:VI-B.shares), in bits per second rounded down. `capacities` are
/// those of the resources, and `uses` the resources of each user, each once. A user of none has no limit.
///
/// # Panics
/// Panics if a user names a resource beyond `capacities`.
pub fn max_min_shares(capacities: &[BitRate], uses: &[&[u32]]) -> Vec<BitRate> {
    const NO_LIMIT: u64 = u64::MAX;
    let mut room: Vec<u64> = capacities.iter().map(|rate| rate.as_bps()).collect();
    let mut rising = vec![0_u64; room.len()];
    for &resource in uses.iter().copied().flatten() {
        rising[resource as usize] += 1;
    }
    let mut used: Vec<usize> = (0..room.len()).filter(|&resource| rising[resource] > 0).collect();
    let mut rates: Vec<Option<u64>> =
        uses.iter().map(|uses| uses.is_empty().then_some(NO_LIMIT)).collect();
    while let Some(rate) = used.iter().map(|&resource| room[resource] / rising[resource]).min() {
        // Rates rise together to the least of these: the resources where it is reached are full.
        let mut is_full = vec![false; room.len()];
        for &resource in &used {
            is_full[resource] = room[resource] / rising[resource] == rate;
        }
        for (uses, settled) in uses.iter().zip(&mut rates) {
            if settled.is_none() && uses.iter().any(|&resource| is_full[resource as usize]) {
                *settled = Some(rate);
                for &resource in *uses {
                    // What is settled takes its part of the room with it, so the others share what is left.
                    room[resource as usize] -= rate;
                    rising[resource as usize] -= 1;
                }
            }
        }
        used.retain(|&resource| rising[resource] > 0);
    }
    rates.into_iter().map(|rate| BitRate::from_bps(rate.unwrap_or(NO_LIMIT))).collect()
}
