//! `lint`: what would go wrong on real switches.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use lightloom::configs::{ConfigsOptions, Dialect, Encoding, LintReport, lint};
use lightloom::units::text::shown_path;
use lightloom::{Error, Watch, open_design_or_plan};

use crate::answer::{Answer, say};
use crate::cells::{SHOWN, more, table};
use crate::design_args::{DesignArgs, Json};
use crate::flags::one_of;

#[derive(Debug, Args)]
pub(crate) struct LintArgs {
    #[command(flatten)]
    design: DesignArgs,
    /// The language of the switches; what it cannot express is a finding.
    #[arg(long, value_name = "DIALECT", value_parser = one_of(Dialect::choices))]
    dialect: Option<String>,
    /// How entries match the ToR that sent a packet (default: masked).
    #[arg(long, value_name = "ENCODING", value_parser = one_of(Encoding::choices))]
    encoding: Option<String>,
    /// The file of servers and groups.
    #[arg(long, value_name = "FILE")]
    groups: Option<PathBuf>,
    /// A folder with the file tor-N.config_db.json of each switch (sonic), as written or as it has it now; their
    /// lossless class is compared with that of the file of groups.
    #[arg(long, value_name = "FOLDER")]
    files: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

pub(crate) fn run(args: &LintArgs) -> Result<Answer, Error> {
    let project = open_design_or_plan(&args.design.request(), Watch::quiet())?;
    let options = ConfigsOptions {
        dialect: args.dialect.as_deref().and_then(Dialect::named),
        encoding: args.encoding.as_deref().and_then(Encoding::named),
        groups: args.groups.clone(),
        files: args.files.clone(),
        ..ConfigsOptions::default()
    };
    let report = lint(&project, &options)?;
    let answer = say(args.json.json, &report, text)?;
    Ok(Answer { code: u8::from(report.errors > 0), ..answer })
}

fn text(report: &LintReport) -> String {
    let mut facts = table(&["switches", "value"]);
    for (name, value) in [
        ("number", report.switches.to_string()),
        ("model", report.model.clone().unwrap_or_else(|| "none named".into())),
        ("encoding", report.encoding.to_string()),
        ("stages", report.stages.to_string()),
        ("entries that match with a mask, at most", report.needs.ternary_entries.to_string()),
        ("entries that match exactly, at most", report.needs.exact_entries.to_string()),
        ("replication groups, at most", report.needs.multicast_groups.to_string()),
        ("errors", report.errors.to_string()),
        ("warnings", report.warnings.to_string()),
    ] {
        facts.add_row([name.to_owned(), value]);
    }
    if let Some(files) = &report.files {
        let compared = "switches whose files were compared";
        facts.add_row([compared.to_owned(), report.switches.to_string()]);
        facts.add_row(["folder of these files".to_owned(), shown_path(files)]);
    }
    let mut text = format!("{facts}\n");
    for finding in report.findings.iter().take(SHOWN) {
        let (severity, rule) = (finding.severity, finding.rule);
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "\n{severity} {rule}: {}.\n  What to do: {}.\n",
            finding.text, finding.remedy
        );
    }
    text + &more(report.findings.len()) + "\n"
}
