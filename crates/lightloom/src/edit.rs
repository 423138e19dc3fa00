//! Texts of designs and scenarios as a user edits them, and what a write would change.

#[cfg(feature = "system")]
pub use crate::folders::bundle::{
    Bundle, ChangedFile, ChangedLines, ReplacedReport, changed_lines,
};
#[cfg(feature = "system")]
pub use crate::folders::edit::{open_lock, replace_file, save_design, write_files};
pub use crate::in_memory::edit::{change_setting, changed_files, read_settings};
pub use lightloom_export::scenario_rows::{
    ScenarioChange, ScenarioRow, ScenarioValue, change_scenario, scenario_design, scenario_rows,
};
