//! Kinds of folders that lightloom writes.

use lightloom_plan::document::PlanDocument;
use lightloom_sim::files::{OF_ONE, REPLICAS, REPORT, RESULT_FILES};

use crate::configs::rollout::{ROLLOUT, is_rollout_file};
use crate::configs::{MANIFEST, is_config_file};
use crate::netbox::{self, NETBOX_FILES};
use crate::plan::{INDEX, REPAIRS, known_files};
use crate::{cables, rules};

/// What a folder of lightloom holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The files of a plan.
    Plan,
    /// The repairs of single failures.
    Repairs,
    /// Import files for NetBox.
    Netbox,
    /// Configurations of switches.
    Configs,
    /// The phases of a rollout.
    Rollout,
    /// Results of runs.
    Results,
}

impl Kind {
    const ALL: [Self; 6] =
        [Self::Plan, Self::Repairs, Self::Netbox, Self::Configs, Self::Rollout, Self::Results];

    /// Its word in the list of files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Repairs => "repairs",
            Self::Netbox => "netbox",
            Self::Configs => "configs",
            Self::Rollout => "rollout",
            Self::Results => "results",
        }
    }

    /// The kind of a word.
    pub(super) fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == word)
    }

    /// Whether a folder of this kind may have a file of this name.
    pub(super) fn knows(self, name: &str) -> bool {
        match self {
            Self::Plan => known_files().contains(&name),
            Self::Repairs => [REPAIRS, INDEX].contains(&name),
            Self::Netbox => NETBOX_FILES.contains(&name),
            Self::Configs => is_config_file(name),
            Self::Rollout => is_rollout_file(name),
            Self::Results => RESULT_FILES.contains(&name),
        }
    }

    /// Whether these are the names of a folder of this kind that was written before folders had lists of their files:
    /// all are known, and those are there that such folders always had.
    pub(super) fn was_always(self, names: &[String]) -> bool {
        let has = |name: &str| names.iter().any(|found| found == name);
        let has_all = |wanted: &[&str]| wanted.iter().all(|name| has(name));
        let has_more_than = |mark: &str| has(mark) && names.len() > 1;
        names.iter().all(|name| self.knows(name))
            && match self {
                Self::Plan => has_all(&[PlanDocument::FILE, rules::FILE, cables::FILE]),
                Self::Repairs => has_all(&[REPAIRS, INDEX]),
                Self::Netbox => has_all(&[netbox::MARK, netbox::CABLES]),
                Self::Configs => has_more_than(MANIFEST),
                Self::Rollout => has_more_than(ROLLOUT),
                Self::Results => has_all(&OF_ONE) || has_all(&[REPORT, REPLICAS]),
            }
    }
}
