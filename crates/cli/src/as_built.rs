//! `as-built`: the form for crews, and what they return.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use lightloom::Error;
use lightloom::as_built::{FormReport, TakenReport, take_as_built, write_as_built_form};
use lightloom::units::text::shown_path;

use crate::answer::{Answer, say};
use crate::cells::{SHOWN, list, more, table};
use crate::design_args::{Json, MemoryArgs};
use crate::progress::{Bar, watching};

#[derive(Debug, Args)]
pub(crate) struct AsBuiltArgs {
    /// The plan's folder; it is only read.
    #[arg(value_name = "PLAN")]
    folder: PathBuf,
    /// The sheet that a crew returned: the form, filled in, or a CSV file with some of its columns and rows.
    #[arg(long, value_name = "FILE", required_unless_present = "form", conflicts_with = "form")]
    returned: Option<PathBuf>,
    /// Write the empty form to this file instead.
    #[arg(long, value_name = "FILE")]
    form: Option<PathBuf>,
    /// The folder to write the plan as it was built to; a plan in it is replaced in one step. Without it, only the
    /// answer is printed.
    #[arg(short, long, value_name = "DIR", conflicts_with = "form")]
    out: Option<PathBuf>,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    json: Json,
}

impl AsBuiltArgs {
    /// What the command writes.
    pub(crate) fn outputs(&self) -> Vec<Option<&PathBuf>> {
        vec![self.form.as_ref(), self.out.as_ref()]
    }
}

pub(crate) fn run(args: &AsBuiltArgs, quiet: bool) -> Result<Answer, Error> {
    let plan = args.memory.of(&args.folder)?;
    if let Some(form) = &args.form {
        let report = {
            let bar = Bar::new(quiet, "Proving", "sources");
            let show = |done, of| bar.show(done, of);
            write_as_built_form(plan, form, watching(&show))?
        };
        return say(args.json.json, &report, written);
    }
    let report = {
        let bar = Bar::new(quiet, "Planning and proving", "sources");
        let show = |done, of| bar.show(done, of);
        let returned = args.returned.clone().unwrap_or_default();
        take_as_built(plan, &returned, args.out.as_deref(), watching(&show))?
    };
    let answer = say(args.json.json, &report, text)?;
    // Light that goes astray is told, and no plan is written.
    Ok(Answer { code: u8::from(!report.good), is_written: report.out.is_some(), ..answer })
}

fn written(form: &FormReport) -> String {
    let FormReport { form, rows } = form;
    format!(
        "Wrote {}: {rows} rows. A crew fills in where plugs are (near_at, far_at), lengths, losses and remarks.\n",
        shown_path(form)
    )
}

fn text(report: &TakenReport) -> String {
    let mut text = match &report.out {
        Some(out) => format!("Wrote {}.\n\n", shown_path(out)),
        None if report.astray.is_empty() => "Nothing was written; --out names a folder.\n\n".into(),
        None => "Light arrives elsewhere than planned, so no plan was written.\n\n".into(),
    };
    astray(&mut text, report);
    if !report.measure_again.is_empty() {
        let again = list(&report.measure_again);
        let _ = writeln!(text, "Measure again, since other cables are in their way now: {again}.");
    }
    let Some(built) = &report.as_built else { return text };
    let mut facts = table(&["as built", "number"]);
    for (name, number) in [
        ("plugs in other sockets", built.moved.len()),
        ("cords with another label", built.relabelled.len()),
        ("cables whose labels are printed again", built.to_print.len()),
        ("cables of other lengths", built.lengths.len()),
        ("measured branches", built.measured),
        ("branches to measure", built.branches - built.measured),
        ("measured branches that do not pass", built.failed.len()),
    ] {
        facts.add_row([name.to_owned(), number.to_string()]);
    }
    let _ = writeln!(text, "{facts}");
    if let Some(pads) = built.pads_text() {
        let _ = writeln!(text, "{pads}");
    }
    if !built.failed.is_empty() {
        let mut failed = table(&["branch", "verdict", "measured dB", "least dB", "most dB"]);
        let decibels = |db: Option<f64>| db.map(|db| format!("{db:.2}")).unwrap_or_default();
        for found in built.failed.iter().take(SHOWN) {
            failed.add_row([
                found.label.clone(),
                found.verdict.to_string(),
                decibels(found.measured_db),
                decibels(found.least_db),
                decibels(found.most_db),
            ]);
        }
        let _ = writeln!(text, "{failed}{}", more(built.failed.len()));
    }
    if !built.relabelled.is_empty() {
        let names: Vec<String> = built
            .relabelled
            .iter()
            .map(|cord| format!("{} is now {}", cord.planned, cord.now))
            .collect();
        let _ = writeln!(text, "Cords that carry another fibre: {}.", list(&names));
    }
    if !built.to_print.is_empty() {
        let _ =
            writeln!(text, "Print the labels of these cables again: {}.", list(&built.to_print));
    }
    let short = built.lengths.iter().filter(|length| length.shorter_than_way);
    let short: Vec<&String> = short.map(|length| &length.label).collect();
    if !short.is_empty() {
        let _ = writeln!(
            text,
            "Shorter than their way along the trays, so look whether they lie elsewhere: {}.",
            list(&short)
        );
    }
    if let Some(optical) = report.optical {
        let _ = writeln!(text, "The light with these lengths and plugs: {}.", optical.name());
    }
    text
}

/// Whose light arrives elsewhere, and what to do about it.
fn astray(text: &mut String, report: &TakenReport) {
    if report.astray.is_empty() {
        return;
    }
    let mut rows = table(&["transmitter", "does not light", "lights", "past"]);
    for found in report.astray.iter().take(SHOWN) {
        rows.add_row([
            found.from.clone(),
            list(&found.lacking),
            list(&found.lit),
            list(&found.past),
        ]);
    }
    let _ = writeln!(text, "{rows}{}", more(report.astray.len()));
    let back = list(&report.move_back);
    let _ = writeln!(text, "Move these plugs to where they were planned: {back}.");
}
