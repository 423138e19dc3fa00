//! The kinds of folders that are written.

use lightloom_plan::document::PlanDocument;
use lightloom_sim::files::{OF_ONE, REPLICAS, REPORT, RESULT_FILES};

use crate::configs::rollout::{ROLLOUT, is_rollout_file};
use crate::configs::{MANIFEST, is_config_file};
use crate::netbox::{self, NETBOX_FILES};
use crate::output::kind::Kind;
use crate::plan::{INDEX, REPAIRS, known_files};
use crate::{cables, rules};

/// The files of a plan.
pub const PLAN: Kind = Kind {
    name: "plan",
    knows: |name| known_files().contains(&name),
    was_always: |names| has_all(names, &[PlanDocument::FILE, rules::FILE, cables::FILE]),
};

/// The repairs of single failures.
pub const OF_REPAIRS: Kind = Kind {
    name: "repairs",
    knows: |name| [REPAIRS, INDEX].contains(&name),
    was_always: |names| has_all(names, &[REPAIRS, INDEX]),
};

/// Import files for NetBox.
pub const NETBOX: Kind = Kind {
    name: "netbox",
    knows: |name| NETBOX_FILES.contains(&name),
    was_always: |names| has_all(names, &[netbox::MARK, netbox::CABLES]),
};

/// Configurations of switches.
pub const CONFIGS: Kind = Kind {
    name: "configs",
    knows: is_config_file,
    was_always: |names| has_more_than(names, MANIFEST),
};

/// The phases of a rollout.
pub const OF_ROLLOUT: Kind = Kind {
    name: "rollout",
    knows: is_rollout_file,
    was_always: |names| has_more_than(names, ROLLOUT),
};

/// Results of runs.
pub const RESULTS: Kind = Kind {
    name: "results",
    knows: |name| RESULT_FILES.contains(&name),
    was_always: |names| has_all(names, &OF_ONE) || has_all(names, &[REPORT, REPLICAS]),
};

fn has_all(names: &[String], wanted: &[&str]) -> bool {
    wanted.iter().all(|name| names.iter().any(|found| found == name))
}

fn has_more_than(names: &[String], mark: &str) -> bool {
    has_all(names, &[mark]) && names.len() > 1
}
