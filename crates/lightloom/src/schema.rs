//! JSON Schemas of all answers, made from their types.

use std::collections::BTreeMap;

use lightloom_advice::report::AdviceReport;
use lightloom_audit::{SwitchesReport, VerifyReport};
use lightloom_plan::budget::{BudgetReport, SpecReport};
use lightloom_plan::cabling::CablingReport;
use lightloom_plan::facts::InfoReport;
use lightloom_plan::impact::ImpactReport;
use lightloom_plan::recover::RecoverReport;
use lightloom_plan::trees::{FabricReport, RulesReport, TreeReport};
use lightloom_sim::look::ScenarioReport;
use lightloom_sim::trace_file::TraceFileReport;
use lightloom_studies::compare::CompareReport;
use lightloom_studies::dark::DarkReport;
use lightloom_studies::explore::ExploreReport;
use lightloom_studies::floor::FloorReport;
use lightloom_studies::parallel::ParallelReport;
use lightloom_studies::risk::RiskReport;
use lightloom_studies::trace::TraceReport;
use lightloom_studies::unused_ports::UnusedReport;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::answer::FORMAT;
use crate::in_memory::as_built::{FormReport, TakenReport};
use crate::in_memory::configs::{ConfigsReport, RolloutReport};
use crate::in_memory::designs::NewDesign;
use crate::in_memory::failures::RepairsReport;
use crate::in_memory::growth::GrowReport;
use crate::in_memory::lint::LintReport;
use crate::in_memory::netbox::NetboxReport;
use crate::in_memory::plan::Planned;
use crate::in_memory::report::Reported;
use crate::in_memory::simulated::Simulated;

/// Name of an answer, and the function that makes its schema.
type Answer = (&'static str, fn() -> Value);

/// All answers by name. The names are those of the commands; `as-built-form` is that of `as-built --form`, `trace` that
/// of `budget --trace`, and `application-trace` that of `trace`. Only libraries ask for `cabling`, `dark`, `floor` and
/// `look`.
const ANSWERS: [Answer; 36] = [
    ("application-trace", of::<TraceFileReport>),
    ("as-built", of::<TakenReport>),
    ("as-built-form", of::<FormReport>),
    ("budget", of::<BudgetReport>),
    ("spec", of::<SpecReport>),
    ("cabling", of::<CablingReport>),
    ("collective", of::<AdviceReport>),
    ("compare", of::<CompareReport>),
    ("configs", of::<ConfigsReport>),
    ("configs-diff", of::<RolloutReport>),
    ("configs-verify", of::<SwitchesReport>),
    ("dark", of::<DarkReport>),
    ("draw", of::<Reported>),
    ("explore", of::<ExploreReport>),
    ("fabric", of::<FabricReport>),
    ("floor", of::<FloorReport>),
    ("grow", of::<GrowReport>),
    ("impact", of::<ImpactReport>),
    ("info", of::<InfoReport>),
    ("lint", of::<LintReport>),
    ("look", of::<ScenarioReport>),
    ("netbox", of::<NetboxReport>),
    ("new", of::<NewDesign>),
    ("parallel", of::<ParallelReport>),
    ("plan", of::<Planned>),
    ("recover", of::<RecoverReport>),
    ("repairs", of::<RepairsReport>),
    ("report", of::<Reported>),
    ("risk", of::<RiskReport>),
    ("rules", of::<RulesReport>),
    ("shrink", of::<GrowReport>),
    ("simulate", of::<Simulated>),
    ("trace", of::<TraceReport>),
    ("tree", of::<TreeReport>),
    ("unused-ports", of::<UnusedReport>),
    ("verify", of::<VerifyReport>),
];

/// The JSON Schema (draft 2020-12) of a command's answer, as `--json` prints it. `None`: no such command.
///
/// ```
/// let schema = lightloom::schema("tree").expect("a command");
/// assert_eq!(schema["properties"]["format"]["const"], 1);
/// ```
pub fn schema(name: &str) -> Option<Value> {
    ANSWERS.iter().find(|(known, _)| *known == name).map(|(_, schema)| schema())
}

/// The JSON Schemas of all answers, by the name of their command.
pub fn schemas() -> BTreeMap<&'static str, Value> {
    ANSWERS.iter().map(|(name, schema)| (*name, schema())).collect()
}

/// The schema of a type, with the key that every answer has in addition.
fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    let object = schema.ensure_object();
    let about = "The version of the format. A new key does not change it.";
    let format = json!({ "description": about, "const": FORMAT });
    if let Value::Object(properties) = object.entry("properties").or_insert_with(|| json!({})) {
        properties.insert("format".into(), format);
    }
    if let Value::Array(required) = object.entry("required").or_insert_with(|| json!([])) {
        required.insert(0, "format".into());
    }
    schema.to_value()
}
