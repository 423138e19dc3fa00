//! Optical budgets: their report as JSON, and their branches as columns.

use arrow_array::{BooleanArray, Float64Array, StringArray, UInt32Array};
use lightloom::light::{BranchReport, BudgetReport};
use pyo3::prelude::*;

use crate::asking::json;
use crate::errors;
use crate::table::{Batch, column};

/// A budget. Users see it as `lightloom.Budget`.
#[pyclass(frozen, module = "lightloom._lightloom")]
pub(crate) struct Budgeted {
    /// The report without its branches.
    head: BudgetReport,
    branches: Vec<BranchReport>,
}

impl From<BudgetReport> for Budgeted {
    fn from(mut report: BudgetReport) -> Self {
        let branches = std::mem::take(&mut report.branches);
        Self { head: report, branches }
    }
}

#[pymethods]
impl Budgeted {
    /// The budget of a report as JSON.
    #[staticmethod]
    fn of_json(py: Python<'_>, text: &str) -> PyResult<Self> {
        let report: Result<BudgetReport, _> = serde_json::from_str(text);
        report.map(Self::from).map_err(|error| errors::fault(py, &format!("is no budget: {error}")))
    }

    /// The report as JSON, without its branches.
    fn head(&self, py: Python<'_>) -> PyResult<String> {
        json(&self.head).map_err(|error| errors::planning(py, &error))
    }

    /// The whole report as JSON.
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        let whole = BudgetReport { branches: self.branches.clone(), ..self.head.clone() };
        json(&whole).map_err(|error| errors::planning(py, &error))
    }

    /// Every branch, worst first. Changes that would make one close are JSON.
    fn branches(&self, py: Python<'_>) -> PyResult<Batch> {
        let all = &self.branches;
        let tors = |of: fn(&BranchReport) -> u32| {
            column(UInt32Array::from_iter_values(all.iter().map(of)))
        };
        let number = |of: fn(&BranchReport) -> Option<f64>| {
            column(all.iter().map(of).collect::<Float64Array>())
        };
        let flag = |of: fn(&BranchReport) -> bool| {
            column(all.iter().map(|branch| Some(of(branch))).collect::<BooleanArray>())
        };
        let mend = |branch: &BranchReport| {
            let mend = &branch.mend;
            (!mend.is_empty()).then(|| serde_json::to_string(mend).unwrap_or_default())
        };
        let mut columns = vec![
            ("from_tor", tors(|branch| branch.from_tor.0)),
            ("to_tor", tors(|branch| branch.to_tor.0)),
            ("loss_db", number(|branch| Some(branch.loss_db))),
            ("rx_dbm", number(|branch| branch.rx_dbm)),
            ("margin_db", number(|branch| branch.margin_db)),
            ("rx_max_dbm", number(|branch| branch.rx_max_dbm)),
            ("headroom_db", number(|branch| branch.headroom_db)),
            ("q", number(|branch| branch.q)),
            ("pre_fec_ber", number(|branch| branch.pre_fec_ber)),
            ("pre_fec_ber_is_bound", flag(|branch| branch.pre_fec_ber_is_bound)),
            ("frame_loss", number(|branch| branch.frame_loss)),
            ("frame_loss_is_bound", flag(|branch| branch.frame_loss_is_bound)),
            ("failing_share", number(|branch| branch.failing_share)),
        ];
        let verdicts = all.iter().map(|branch| branch.verdict.name());
        columns.push(("verdict", column(StringArray::from_iter_values(verdicts))));
        columns.push(("mend", column(all.iter().map(mend).collect::<StringArray>())));
        columns.push(("frames_at_once", number(|branch| branch.frames_at_once)));
        Batch::of(py, columns)
    }
}
