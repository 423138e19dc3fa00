//! Makes the report of a plan.

use std::path::{Path, PathBuf};

use lightloom_audit::{Examined, examine_texts};
use lightloom_design::rates::Rates;
use lightloom_export::report::{Assumptions, Contents, FileHash, html};
use lightloom_input::catalogue;
use lightloom_plan::assumed;
use lightloom_plan::budget::BudgetOptions;
use lightloom_plan::project::Project;
use lightloom_request::{Error, InputError, Texts};
use lightloom_studies::compare::CompareOptions;
use lightloom_studies::{compare, risk};
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Options of a report.
#[derive(Debug, Clone, Default)]
pub struct ReportOptions {
    /// The date on the report, as year, month and day: `2026-03-31`. `None`: a line is left to fill in.
    pub date: Option<String>,
    /// The project that the plan was made from. With it the report has the assumptions and the cost settings of
    /// the design, and offers parts of its catalogue.
    pub design: Option<Project>,
}

/// A report or drawings that were written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reported {
    /// The file.
    pub out: PathBuf,
    /// Its size in bytes.
    pub bytes: usize,
    /// SHA-256 of its content, in hexadecimal digits.
    pub sha256: String,
    /// Whether the files of the plan are correct, the light is not known to be missing, and every source reaches every
    /// other ToR. Drawings say nothing of light and packets: for them, whether they were made, which is always true.
    pub good: bool,
}

/// The report of a plan whose texts are in memory, under the paths that they would have in `folder`.
///
/// # Errors
/// As `report`.
pub fn report_texts(
    folder: &Path,
    texts: &Texts,
    options: &ReportOptions,
    watch: Watch<'_>,
) -> Result<(String, bool), Error> {
    check_date(options)?;
    report_of_examined(examine_texts(folder, texts, watch)?, options, watch)
}

/// Refuses a date that is not written as year, month and day.
pub(crate) fn check_date(options: &ReportOptions) -> Result<(), InputError> {
    let is_date = |date: &String| {
        let parts: Vec<&str> = date.split('-').collect();
        let number = |part: &&str| {
            part.parse::<u32>().ok().filter(|_| part.bytes().all(|b| b.is_ascii_digit()))
        };
        let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        let numbers: Vec<u32> = parts.iter().filter_map(number).collect();
        lengths == [4, 2, 2]
            && matches!(numbers[..], [_, month, day] if (1..=12).contains(&month) && (1..=31).contains(&day))
    };
    match options.date.as_ref().filter(|date| !is_date(date)) {
        Some(date) => {
            let message =
                format!("found {date:?}; expected year, month and day, such as 2026-03-31");
            Err(InputError::new(message).in_option("date"))
        }
        None => Ok(()),
    }
}

/// The report of a plan that was compared with its files, as a text of HTML, and whether the plan is good.
///
/// # Errors
/// [`Error`] if the plan is not one of the design, or if the work was stopped.
pub(crate) fn report_of_examined(
    examined: Examined,
    options: &ReportOptions,
    watch: Watch<'_>,
) -> Result<(String, bool), Error> {
    let Examined { project: read, proved, found, report: checked, of_plan } = examined;
    let proof = assumed::of_proof(&proved.report.verification);
    let (project, mut values) = match &options.design {
        Some(design) if design.is_of(&read) => {
            let project = match read.recovery() {
                Some((failed, method)) => design.clone().recovered_by(failed.clone(), *method),
                None => design.clone().unrecovered(),
            };
            (project, design.assumed().to_vec())
        }
        Some(_) => {
            let message =
                "is not the design of this plan; give the one that it was made from, or none";
            return Err(InputError::new(message).in_option("design").into());
        }
        None => (with_parts(read)?, Vec::new()),
    };
    let are_assumed = options.design.is_some();
    if !are_assumed {
        values = assumed::values(&project);
    }
    values.extend(proof);
    values.extend(proved.report.assumed_prices.iter().cloned());
    let laid = project.laid()?;
    let case = proved.report.light.as_ref().map(|light| light.decided_by);
    let budget = case.map(|case| {
        let options = BudgetOptions { case: Some(case), threads: None };
        laid.budget(&options, watch)
    });
    let mut budget = budget.transpose()?;
    if let Some(budget) = &mut budget {
        budget.branches.truncate(lightloom_export::report::WORST_BRANCHES);
    }
    let risk = or_why(risk::of_laid(&laid, &Rates::default(), watch))?;
    let compare = or_why(compare::of_laid(&laid, &CompareOptions::default()))?;
    let files = found.iter().map(|(name, text)| FileHash::of(name, text.as_bytes())).collect();
    let of_files = checked.first_faults.get(of_plan..).unwrap_or_default();
    let contents = Contents {
        laid: &laid,
        plan: &proved.report,
        lines: &proved.lines,
        budget,
        compare,
        risk,
        faults: (checked.faults - of_plan, of_files),
        files,
        assumed: Assumptions { values, are_assumed },
        date: options.date.as_deref(),
    };
    Ok((html(&contents), checked.good))
}

/// An answer, or why this plan has none.
fn or_why<T>(answer: Result<T, Error>) -> Result<Result<T, String>, Error> {
    match answer {
        Ok(answer) => Ok(Ok(answer)),
        Err(Error::Input(error)) => Ok(Err(error.to_string())),
        Err(other) => Err(other),
    }
}

/// A plan that was read back, with the parts of the built-in catalogue that it was made with, so that others can be
/// offered.
fn with_parts(project: Project) -> Result<Project, InputError> {
    let named = project.optics().map(|chosen| chosen.catalogue.as_str());
    let (name, parts) = catalogue::shipped_parts(named)?;
    Ok(project.with_parts(name, parts))
}
