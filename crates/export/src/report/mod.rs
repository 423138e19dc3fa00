//! The report of a plan as one HTML file: for the screen and for print, with nothing from elsewhere.

mod acceptance;
mod bill;
mod cover;
mod drawings;
mod failures;
mod figures;
mod light;
mod planned;
mod risk;
mod style;
mod totals;

use lightloom_design::assumption::Assumption;
use lightloom_plan::bom::BomLine;
use lightloom_plan::budget::BudgetReport;
use lightloom_plan::laid::Laid;
use lightloom_plan::prove::PlanReport;
use lightloom_studies::compare::CompareReport;
use lightloom_studies::risk::RiskReport;
use maud::{Markup, html};
use serde::Serialize;
use serde_json::Value;

use crate::hash::sha256;
use crate::page::page;
use crate::report::figures::Answers;

/// What a report is made of.
#[derive(Debug)]
pub struct Contents<'a> {
    /// The project of the plan, as it was built.
    pub laid: &'a Laid,
    /// The report of the plan.
    pub plan: &'a PlanReport,
    /// The bill of materials.
    pub lines: &'a [BomLine],
    /// The optical budget in the case that decided. `None`: the design names no optics.
    pub budget: Option<BudgetReport>,
    /// The comparison with a packet core, or why there is none.
    pub compare: Result<CompareReport, String>,
    /// Groups of parts that fail together, or why they are left out.
    pub risk: Result<RiskReport, String>,
    /// Number of errors in the files of the folder, and the first of them.
    pub faults: (usize, &'a [String]),
    /// The files of the folder.
    pub files: Vec<FileHash>,
    /// What the plan assumes.
    pub assumed: Assumptions,
    /// The date on the report.
    pub date: Option<&'a str>,
}

/// What a plan assumes.
#[derive(Debug, Clone)]
pub struct Assumptions {
    /// Values.
    pub values: Vec<Assumption>,
    /// Whether each of them is known to be assumed. A plan's folder does not say which of its values were given.
    pub are_assumed: bool,
}

/// A file and the hash of its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileHash {
    /// The file's name.
    pub name: String,
    /// Its size in bytes.
    pub bytes: usize,
    /// SHA-256 of its content, in hexadecimal digits.
    pub sha256: String,
}

impl FileHash {
    /// The hash of a file's content.
    pub fn of(name: &str, content: &[u8]) -> Self {
        Self { name: name.to_owned(), bytes: content.len(), sha256: sha256(content) }
    }
}

/// Contents with the answers that figures are looked up in.
struct Report<'a> {
    contents: &'a Contents<'a>,
    answers: Answers,
}

/// Number of branches, the worst first, that a report lists.
pub const WORST_BRANCHES: usize = 20;

/// The report as a text of HTML.
pub fn html(contents: &Contents<'_>) -> String {
    let value = |answer: Option<Value>| answer.unwrap_or(Value::Null);
    let answers = Answers::new([
        ("plan", value(json(contents.plan))),
        ("budget", value(contents.budget.as_ref().and_then(json))),
        ("compare", value(contents.compare.as_ref().ok().and_then(json))),
        ("risk", value(contents.risk.as_ref().ok().and_then(json))),
    ]);
    let report = Report { contents, answers };
    let title = format!("Plan of a multicast fabric of {} ToRs", contents.plan.tors);
    let body = html! {
        (report.cover(&title))
        (report.approval())
        (report.planned())
        (report.assumptions())
        (report.proof())
        (report.light())
        (report.bill())
        (report.materials())
        (report.risk())
        (report.trays())
        (report.platform())
        (report.acceptance())
        (report.drawings())
    };
    page(&title, style::STYLE, &body)
}

fn json<T: Serialize>(report: &T) -> Option<Value> {
    serde_json::to_value(report).ok()
}

/// A sentence: with a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
}

/// Sentences as a list.
fn listed<'a>(texts: impl IntoIterator<Item = &'a String>) -> Markup {
    html! {
        ul { @for text in texts { li { (sentence(text)) } } }
    }
}
