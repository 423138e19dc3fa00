//! Admission of messages that share transmitters: in turns, or at once with fair shares of their rates.
//!
//! A message uses resources: transmitters, each with a capacity. The arbiter hears who asks and who is over, and says
//! at which rate a message may go. It neither sends nor waits: who drives it carries its words.

pub mod rates;
mod rounds;
pub mod shares;
#[cfg(test)]
mod tests;
mod turns;

use lightloom_units::BitRate;

use rates::carried;
use rounds::Rounds;
use turns::Turns;

/// How messages that share a transmitter are admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// One after the other, in the order in which they ask; those that share none at once.
    Turns,
    /// All at once, with max-min fair shares of the transmitters.
    Share,
}

/// What messages use, by their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Demands {
    /// What each resource carries.
    pub capacities: Vec<BitRate>,
    /// The resources of each message, each once. A message that uses none is not admitted: it just goes.
    pub uses: Vec<Vec<u32>>,
}

impl Demands {
    /// The resources of a message.
    pub fn of(&self, message: u32) -> &[u32] {
        self.uses.get(message as usize).map_or(&[], Vec::as_slice)
    }

    /// The rate of a message that has its resources for itself.
    pub fn alone(&self, message: u32) -> BitRate {
        let of = |&resource: &u32| self.capacities[resource as usize];
        self.of(message).iter().map(of).min().unwrap_or(BitRate::from_bps(u64::MAX))
    }
}

/// Decides who may go, and how fast.
#[derive(Debug)]
pub struct Arbiter {
    demands: Demands,
    state: State,
}

#[derive(Debug)]
enum State {
    Turns(Turns),
    Share(Rounds),
}

/// Messages whose rates have changed, in the order in which they are told.
pub type Changed = Vec<u32>;

impl Arbiter {
    /// An arbiter without requests.
    pub fn new(policy: Policy, demands: Demands) -> Self {
        let state = match policy {
            Policy::Turns => State::Turns(Turns::new(demands.capacities.len())),
            Policy::Share => State::Share(Rounds::default()),
        };
        Self { demands, state }
    }

    /// A message asks. It does so once until it leaves.
    pub fn ask(&mut self, message: u32) -> Changed {
        match &mut self.state {
            State::Turns(turns) => turns.enter(message, self.demands.of(message)),
            State::Share(rounds) => rounds.enter(message, &self.demands),
        }
    }

    /// The sender of a message keeps to a rate.
    pub fn confirm(&mut self, message: u32, rate: BitRate) -> Changed {
        match &mut self.state {
            State::Turns(_) => Changed::new(),
            State::Share(rounds) => rounds.confirm(message, rate, &self.demands),
        }
    }

    /// A message is over, or gives up.
    pub fn leave(&mut self, message: u32) -> Changed {
        match &mut self.state {
            State::Turns(turns) => turns.leave(message, self.demands.of(message)),
            State::Share(rounds) => rounds.leave(message, &self.demands),
        }
    }

    /// The rate at which a message may go; none where it waits or is not known.
    pub fn rate(&self, message: u32) -> Option<BitRate> {
        match &self.state {
            State::Turns(turns) => {
                turns.goes(message).then(|| carried(self.demands.alone(message)))
            }
            State::Share(rounds) => rounds.granted(message),
        }
    }

    /// Whether one waits for another's turn.
    pub fn is_by_turns(&self) -> bool {
        matches!(self.state, State::Turns(_))
    }

    /// A message that one waits for, where it waits for another's turn.
    pub fn waits_for(&self, message: u32) -> Option<u32> {
        match &self.state {
            State::Turns(turns) => turns.before(message, self.demands.of(message)),
            State::Share(_) => None,
        }
    }
}
