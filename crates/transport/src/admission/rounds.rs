//! All at once, with fair shares. When somebody comes or goes, all shares are computed anew. Those that fall are told
//! first; when their senders have confirmed, the others rise and newcomers begin, and confirm too. Only then a round is
//! over, so that no old word is on its way to anybody when the next begins. What senders keep to never adds up to more
//! than a resource carries, whatever gets lost. Who comes during a round waits for the next.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_units::BitRate;

use super::rates::carried;
use super::shares::max_min_shares;
use super::{Changed, Demands};

#[derive(Debug, Default)]
pub(super) struct Rounds {
    /// Who has come since the last round began.
    newcomers: BTreeSet<u32>,
    /// What each was told; none where it waits for the others of its round.
    told: BTreeMap<u32, Option<BitRate>>,
    /// Those that have not confirmed what they were told in this round.
    open: BTreeMap<u32, BitRate>,
    /// What those that rise are told when all falls are confirmed.
    rising: BTreeMap<u32, BitRate>,
    /// Whether somebody came or went since the last round began.
    is_stale: bool,
}

impl Rounds {
    pub(super) fn enter(&mut self, message: u32, demands: &Demands) -> Changed {
        self.newcomers.insert(message);
        self.is_stale = true;
        self.go_on(demands)
    }

    pub(super) fn confirm(&mut self, message: u32, rate: BitRate, demands: &Demands) -> Changed {
        if self.open.get(&message) != Some(&rate) {
            return Changed::new();
        }
        self.open.remove(&message);
        self.go_on(demands)
    }

    pub(super) fn leave(&mut self, message: u32, demands: &Demands) -> Changed {
        let was_here = self.told.remove(&message).is_some();
        if !self.newcomers.remove(&message) && !was_here {
            return Changed::new();
        }
        self.open.remove(&message);
        self.rising.remove(&message);
        self.is_stale = true;
        self.go_on(demands)
    }

    pub(super) fn granted(&self, message: u32) -> Option<BitRate> {
        self.told.get(&message).copied().flatten()
    }

    /// Goes on where all is confirmed: those that rise are told; or the round is over, and the next begins where
    /// somebody came or went.
    fn go_on(&mut self, demands: &Demands) -> Changed {
        let mut changed = Changed::new();
        while self.open.is_empty() {
            // All falls are confirmed, so what they gave up is free.
            self.open = std::mem::take(&mut self.rising);
            self.told.extend(self.open.iter().map(|(&message, &rate)| (message, Some(rate))));
            changed.extend(self.open.keys());
            if !self.open.is_empty() || !std::mem::take(&mut self.is_stale) {
                break;
            }
            let newcomers = std::mem::take(&mut self.newcomers).into_iter();
            self.told.extend(newcomers.map(|message| (message, None)));
            let uses: Vec<&[u32]> = self.told.keys().map(|&message| demands.of(message)).collect();
            // A round: the shares of all that are here. A share that stays is not told again.
            let shares = max_min_shares(&demands.capacities, &uses);
            for ((&message, told), share) in self.told.iter_mut().zip(shares) {
                let share = carried(share);
                if told.is_some_and(|told| told > share) {
                    *told = Some(share);
                    self.open.insert(message, share);
                    changed.push(message);
                } else if *told != Some(share) {
                    self.rising.insert(message, share);
                }
            }
        }
        changed
    }
}
