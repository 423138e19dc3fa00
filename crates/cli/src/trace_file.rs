//! `lightloom trace`: its arguments and its answer.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use lightloom::shown::trace_file::{CALLS, facts};
use lightloom::twin::{TraceFileReport, TraceOptions, trace, write_trace};
use lightloom::{Error, Texts, read_option};

use crate::answer::{Answer, say};
use crate::cells::{listed, sheet};
use crate::design_args::Json;

#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    /// A trace in the text form of GOAL, that of rank 0 of Chakra (NAME.0.et), or a scenario, whose messages and
    /// computations are one.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Time that each message takes on the longest path over a network (default: none).
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    latency: Option<String>,
    /// Rate of the bytes of messages on that path (default: they take no time).
    #[arg(long, value_name = "RATE", allow_hyphen_values = true)]
    rate: Option<String>,
    /// A JSON file with the process groups of a trace of Chakra (default: the trace names them).
    #[arg(long, value_name = "FILE")]
    process_groups: Option<PathBuf>,
    /// Speed of each rank, such as 312Top/s, for computations of Chakra that have operations and no duration.
    #[arg(long, value_name = "SPEED", allow_hyphen_values = true)]
    speed: Option<String>,
    /// Write the trace to this file in the text form of GOAL, whose name ends in .goal.
    #[arg(long, value_name = "FILE")]
    goal: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

impl TraceArgs {
    /// What the command writes.
    pub(crate) fn output(&self) -> Option<&PathBuf> {
        self.goal.as_ref()
    }
}

pub(crate) fn run(args: &TraceArgs) -> Result<Answer, Error> {
    let options = TraceOptions {
        process_groups: args.process_groups.clone(),
        speed: read_option("speed", args.speed.as_deref())?,
        latency: read_option("latency", args.latency.as_deref())?,
        rate: read_option("rate", args.rate.as_deref())?,
    };
    let texts = Texts::default();
    let report = match &args.goal {
        None => trace(&args.file, &texts, options)?,
        Some(goal) => write_trace(&args.file, &texts, options, goal)?,
    };
    say(args.json.json, &report, told)
}

fn told(report: &TraceFileReport) -> String {
    let mut text = format!("{}\n", sheet(&facts(report)));
    text += &listed(&CALLS, &report.collectives);
    if report.other_nics > 0 {
        let _ = writeln!(
            text,
            "Note: {} sends and receives name a network interface other than 0; a host of a run has one port.",
            report.other_nics
        );
    }
    if report.with_room > 0 {
        let _ = writeln!(
            text,
            "Note: {} receives have room for more than their message.",
            report.with_room
        );
    }
    for note in &report.notes {
        let _ = writeln!(text, "Note: {note}.");
    }
    if report.collectives.is_empty() {
        text +=
            "Note: It has no collective operations, so no message of this trace goes over light.\n";
    }
    text
}
