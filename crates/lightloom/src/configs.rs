//! What every switch must be told, in the language of its platform, and whether switches that are read back hold it.

#[cfg(feature = "system")]
pub use crate::folders::configs::{configs, configs_diff, write_configs, write_rollout};
pub use crate::in_memory::configs::{
    ConfigsOptions, ConfigsReport, RolloutReport, config_files, optical, rollout_files,
};
pub use crate::in_memory::lint::{LintReport, lint};
pub use lightloom_audit::{ReadBackOptions, SwitchesReport, verify_switches};
pub use lightloom_dialects::class::ClassManifest;
pub use lightloom_dialects::dialect::Dialect;
pub use lightloom_dialects::folder::{ConfigFiles, Manifest, TableSizes};
pub use lightloom_dialects::not_expressed::NotExpressed;
pub use lightloom_dialects::rollout::{PhaseManifest, RolloutManifest, StampsReport};
pub use lightloom_dialects::sheets::declared as declared_sheets;
pub use lightloom_switching::capacity::Needs;
pub use lightloom_switching::encoding::Encoding;
pub use lightloom_switching::lint::{Finding, Rule, Severity};
