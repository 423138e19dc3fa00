//! The kinds of folders that are written.

use lightloom_dialects::folder::{MANIFEST, PORTS, is_config_file};
use lightloom_dialects::rollout::{ROLLBACK, ROLLOUT, is_rollout_file};
use lightloom_plan::document::PlanDocument;
use lightloom_sim::files::{OF_ONE, REPLICAS, REPORT, RESULT_FILES};

use super::kind::Kind;
use crate::netbox::{self, NETBOX_FILES};
use crate::plan::{INDEX, REPAIRS, known_files};
use crate::{cables, rules};

/// The files of a plan.
pub const PLAN: Kind = Kind {
    name: "plan",
    knows: |name| known_files().contains(&name),
    always: &[&[PlanDocument::FILE, rules::FILE, cables::FILE]],
};

/// The repairs of single failures.
pub const OF_REPAIRS: Kind = Kind {
    name: "repairs",
    knows: |name| [REPAIRS, INDEX].contains(&name),
    always: &[&[REPAIRS, INDEX]],
};

/// Import files for NetBox.
pub const NETBOX: Kind = Kind {
    name: "netbox",
    knows: |name| NETBOX_FILES.contains(&name),
    always: &[&[netbox::MARK, netbox::CABLES]],
};

/// Configurations of switches.
pub const CONFIGS: Kind =
    Kind { name: "configs", knows: is_config_file, always: &[&[MANIFEST, PORTS]] };

/// The phases of a rollout.
pub const OF_ROLLOUT: Kind =
    Kind { name: "rollout", knows: is_rollout_file, always: &[&[ROLLOUT, ROLLBACK]] };

/// Results of runs.
pub const RESULTS: Kind = Kind {
    name: "results",
    knows: |name| RESULT_FILES.contains(&name),
    always: &[&OF_ONE, &[REPORT, REPLICAS]],
};

/// All kinds.
pub(super) const ALL: [&Kind; 6] = [&PLAN, &OF_REPAIRS, &NETBOX, &CONFIGS, &OF_ROLLOUT, &RESULTS];
