//! Methods of recovery, and their results.

use std::collections::BTreeSet;

use lightloom_topology::TorId;
use lightloom_topology::family::Shufflecast;
use lightloom_units::named_enum;

use crate::failure::{Damage, Failure};
use crate::recovery::algorithm2::algorithm2;
use crate::recovery::replan::{Objective, Repair, replan};
use crate::recovery::rollout::Changes;
use crate::tables::RelayTables;
use crate::verify::{Accept, Via};

/// Method of recovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The paper's Algorithm 2, applied to each failed relay separately.
    Algorithm2,
    /// Exact recovery.
    Replan(Objective),
}

named_enum! {
    /// Method of recovery, without its objective.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum MethodName {
        /// Exact: restores all that light can reach (the default).
        Replan = "replan",
        /// The paper's, for a Shufflecast only. It gives failed sources up.
        Algorithm2 = "algorithm2",
    }
}

impl Method {
    /// Name of the method.
    pub fn name(self) -> MethodName {
        match self {
            Self::Algorithm2 => MethodName::Algorithm2,
            Self::Replan(_) => MethodName::Replan,
        }
    }

    /// Whether ToRs that no longer transmit are given up as sources. Otherwise they get a stand-in.
    pub fn gives_up(self) -> bool {
        self == Self::Algorithm2
    }

    /// The objective. `None` for Algorithm 2.
    pub fn objective(self) -> Option<Objective> {
        match self {
            Self::Algorithm2 => None,
            Self::Replan(objective) => Some(objective),
        }
    }
}

/// Result of a method.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// Rules to add and to delete.
    pub changes: Changes,
    /// Stand-ins.
    pub via: Via,
    /// Port filters.
    pub accept: Accept,
    /// Moved sources that not every live relay of a cassette can serve. They may load one relay beyond an
    /// even share (only with fewest changes).
    pub restricted: Vec<TorId>,
}

/// Why Algorithm 2 does not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotForAlgorithm2 {
    /// The installed tables are not those of Algorithm 1.
    #[error("algorithm2 recovers only tables of algorithm1")]
    OtherTables,
    /// A part other than a relay has failed.
    #[error("algorithm2 recovers only failed relays")]
    OtherFailures,
}

impl Answer {
    /// The result of exact recovery.
    pub fn by_replan(damage: &Damage<'_>, tables: &RelayTables, objective: Objective) -> Self {
        let repairs = replan(damage, tables, objective);
        let mut answer = Self { changes: Changes::of_repairs(tables, &repairs), ..Self::default() };
        for Repair { source, root, accept, restricted, .. } in repairs {
            if restricted {
                answer.restricted.push(source);
            }
            if let Some(root) = root.filter(|&root| root != source) {
                answer.via.insert(source, root);
            }
            for (tor, from) in accept {
                answer.accept.entry(tor).or_default().insert(source, from);
            }
        }
        answer
    }

    /// The result of Algorithm 2 for a Shufflecast whose tables `installed` come from Algorithm 1. As in the
    /// paper, each failed relay is handled separately, one after another (shufflecast:III-C1.many).
    ///
    /// # Errors
    /// [`NotForAlgorithm2`] if a part other than a relay has failed.
    pub fn by_algorithm2(
        shape: Shufflecast,
        installed: &[Vec<TorId>],
        failures: &[Failure],
    ) -> Result<Self, NotForAlgorithm2> {
        let relay = |failure: &Failure| match *failure {
            Failure::Relay(tor) | Failure::Transmitter(tor) | Failure::Splitter(tor) => Ok(tor),
            _ => Err(NotForAlgorithm2::OtherFailures),
        };
        let relays: BTreeSet<TorId> = failures.iter().map(relay).collect::<Result<_, _>>()?;
        let mut lists = installed.to_vec();
        for relay in relays {
            algorithm2(shape, &lists, relay).apply(&mut lists);
        }
        Ok(Self { changes: Changes::between(installed, &lists), ..Self::default() })
    }
}
