//! What is compared: a schedule, and what its messages go over.

use std::fmt;

use lightloom_scenario::said::Way;
use lightloom_schedules::{Operation, Schedule};
use lightloom_twin::Dialect;
use lightloom_units::named_enum;
use schemars::JsonSchema;

named_enum! {
    /// What messages go over.
    #[derive(JsonSchema)]
    pub enum Carrier {
        /// Messages to single hosts, over links between packet switches.
        Links = "links",
        /// Messages to a group over splitters; what is lost comes back over links.
        Light = "light",
        /// Messages to a group over links; packet switches replicate and gather as Cepheus does.
        Cepheus = "cepheus",
        /// The same as Gleam does.
        Gleam = "gleam",
    }
}

impl Carrier {
    /// What data of a group go over, and the protocol of its switches. `None`: there is no group.
    pub(crate) const fn of_group(self) -> Option<(Way, Dialect)> {
        match self {
            Self::Links => None,
            Self::Light => Some((Way::Light, Dialect::Cepheus)),
            Self::Cepheus => Some((Way::Links, Dialect::Cepheus)),
            Self::Gleam => Some((Way::Links, Dialect::Gleam)),
        }
    }
}

/// A schedule, and what its messages go over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contender {
    /// Who sends what to whom.
    pub schedule: Schedule,
    /// What the messages go over. Not links, where the schedule sends to a group.
    pub over: Carrier,
}

impl fmt::Display for Contender {
    /// `binomial`, `multicast over light`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.over {
            Carrier::Links => write!(f, "{}", self.schedule),
            over => write!(f, "{} over {over}", self.schedule),
        }
    }
}

impl Contender {
    /// All of an operation: those that send to a group first, over light before switches.
    pub fn all(operation: Operation) -> Vec<Self> {
        let of_it = || {
            Schedule::ALL.into_iter().filter(|schedule| schedule.operations().contains(&operation))
        };
        let to_groups = of_it().filter(|schedule| schedule.has_multicasts()).flat_map(|schedule| {
            [Carrier::Light, Carrier::Cepheus, Carrier::Gleam].map(|over| Self { schedule, over })
        });
        let others = of_it().filter(|schedule| !schedule.has_multicasts());
        to_groups.chain(others.map(|schedule| Self { schedule, over: Carrier::Links })).collect()
    }

    /// Reads a word such as `binomial`, `multicast:light` or `multicast:gleam`.
    ///
    /// # Errors
    /// What was found and what is expected.
    pub fn read(text: &str, operation: Operation) -> Result<Self, String> {
        let all = Self::all(operation);
        let text = text.trim();
        all.iter().find(|one| one.word() == text).copied().ok_or_else(|| {
            let words: Vec<String> = all.iter().map(Self::word).collect();
            format!("found {text:?}; schedules of {operation} are {}", words.join(", "))
        })
    }

    /// The word that [`read`](Self::read) takes.
    pub fn word(&self) -> String {
        match self.over {
            Carrier::Links => self.schedule.to_string(),
            over => format!("{}:{over}", self.schedule),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contender_is_read_from_its_word() {
        for operation in Operation::ALL {
            let all = Contender::all(operation);
            assert!(!all.is_empty());
            for one in all {
                assert_eq!(Contender::read(&format!(" {} ", one.word()), operation), Ok(one));
            }
        }
        let told = Contender::read("ring", Operation::Broadcast).unwrap_err();
        assert!(
            told.starts_with("found \"ring\"; schedules of broadcast are multicast:light, "),
            "{told}"
        );
        assert!(Contender::read("multicast", Operation::Broadcast).is_err());
    }
}
