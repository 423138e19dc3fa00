//! The extension module of the Python package `lightloom`: the crate `lightloom` with Python's types on
//! it, and nothing of its own. Reports come as JSON, as `--json` of the command line prints them; what
//! is large also comes as arrays.

mod applications;
mod arrays;
mod asking;
mod budgets;
mod collectives;
mod compared;
mod configs;
mod errors;
mod free;
mod given;
mod kept;
mod keywords;
mod long;
mod many;
mod netbox;
mod optimize;
mod part;
mod placing;
mod project;
mod requests;
mod runs;
mod switches;
mod table;
mod traces;

use pyo3::prelude::*;

/// What the package `lightloom` is made from. Private: its types are those of the package.
#[pymodule]
mod _lightloom {
    #[pymodule_export]
    use crate::applications::application_trace;
    #[pymodule_export]
    use crate::budgets::Budgeted;
    #[pymodule_export]
    use crate::collectives::{fastest_beside, fastest_schedules};
    #[pymodule_export]
    use crate::configs::{configs, configs_diff, verify_configs};
    #[pymodule_export]
    use crate::free::{
        as_built_form, draw, explore_designs, grow, report, sheet_columns, shrink,
        study_unused_ports, take_as_built, verify, write_design,
    };
    #[pymodule_export]
    use crate::optimize::{assign_dense, cords, place_ground, placed, prove_dense};
    #[pymodule_export]
    use crate::part::Part;
    #[pymodule_export]
    use crate::project::Project;
    #[pymodule_export]
    use crate::requests::keys;
    #[pymodule_export]
    use crate::runs::{
        arrow_columns, interval, look_at_scenario, read_run, run_scenario, write_run, write_tables,
    };
    #[pymodule_export]
    use crate::switches::lint;
    #[pymodule_export]
    use crate::table::Batch;
    #[pymodule_export]
    use crate::traces::trace_light;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
