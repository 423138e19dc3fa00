//! `configs`: a plan as configurations of its switches.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use lightloom::configs::{
    ConfigsOptions, ConfigsReport, Dialect, Encoding, NotExpressed, ReadBackOptions, RolloutReport,
    SwitchesReport, configs, configs_diff, verify_switches,
};
use lightloom::failures::Reach;
use lightloom::plan::Optical;
use lightloom::units::Span;
use lightloom::units::text::shown_path;
use lightloom::{Error, Texts, Watch, open_design_or_plan};

use crate::answer::{Answer, say};
use crate::cells::table;
use crate::design_args::{DesignArgs, Json, MemoryArgs};
use crate::flags::one_of;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct ConfigsArgs {
    #[command(subcommand)]
    step: Option<Step>,
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    told: ToldArgs,
}

#[derive(Debug, Subcommand)]
enum Step {
    /// Write what changes from one plan to another, phase by phase, and the way back.
    Diff(DiffArgs),
    /// Compare what switches have with what they were given.
    ///
    /// The folder of what was read back has for each switch `tor-N.dump-flows` and `tor-N.dump-groups`, as `ovs-ofctl
    /// -O OpenFlow13 --no-names dump-flows` and `dump-groups` print them, and if you like `neighbours.csv` (tor,
    /// number, heard) and `probes.csv` (source, group, server, copies). The exit code is 1 if anything differs.
    Verify(VerifyArgs),
}

#[derive(Debug, Args)]
struct VerifyArgs {
    /// The folder of the configurations.
    #[arg(value_name = "CONFIGS")]
    configs: PathBuf,
    /// The folder of what was read back.
    #[arg(long, value_name = "DIR")]
    read_back: PathBuf,
    /// `neighbours.csv` lists only what was heard: a port without a row is no difference.
    #[arg(long)]
    partial: bool,
    #[command(flatten)]
    json: Json,
}

#[derive(Debug, Args)]
struct DiffArgs {
    /// The plan whose rules the switches have: its folder, or a design file.
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The plan whose rules they get. The failures of both last while rules change: put a mended part back into service
    /// afterwards.
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// The file of servers and groups that the switches have (default: that of --groups).
    #[arg(long, value_name = "FILE")]
    old_groups: Option<PathBuf>,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    told: ToldArgs,
}

#[derive(Debug, Args)]
struct ToldArgs {
    /// The language of the switches.
    // A subcommand has its own, so these are absent then, although they are required.
    #[arg(long, required = true, value_parser = one_of(Dialect::choices))]
    dialect: Option<String>,
    /// How entries match the ToR that sent a packet (default: masked).
    #[arg(long, value_parser = one_of(Encoding::choices))]
    encoding: Option<String>,
    /// The file of servers and groups.
    #[arg(long, value_name = "FILE")]
    groups: Option<PathBuf>,
    /// The folder to write; such files in it are replaced in one step.
    #[arg(short, long, required = true, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

impl ToldArgs {
    fn options(&self) -> Result<ConfigsOptions, Error> {
        let dialect = self.dialect.as_deref().unwrap_or_default();
        Ok(ConfigsOptions::read(dialect, self.encoding.as_deref(), self.groups.clone())?)
    }

    fn out(&self) -> &Path {
        self.out.as_deref().unwrap_or(Path::new(""))
    }
}

impl ConfigsArgs {
    /// The folder that the command writes. `None`: it only reads.
    pub(crate) fn output(&self) -> Option<&PathBuf> {
        match &self.step {
            Some(Step::Diff(args)) => args.told.out.as_ref(),
            Some(Step::Verify(_)) => None,
            None => self.told.out.as_ref(),
        }
    }
}

pub(crate) fn run(args: &ConfigsArgs) -> Result<Answer, Error> {
    match &args.step {
        Some(Step::Diff(args)) => return diff(args),
        Some(Step::Verify(args)) => return verify(args),
        None => {}
    }
    let ConfigsArgs { design, told, .. } = args;
    let project = open_design_or_plan(&design.request(), Watch::quiet())?;
    let report = configs(&project, &told.options()?, told.out())?;
    let answer = say(told.json.json, &report, text)?;
    Ok(Answer { code: code(report.optical, report.reach), ..answer })
}

/// Warnings about the plan that switches are configured for: light that does not arrive, and pairs that its failures
/// cut off. Empty: there are none.
fn warnings(optical: Optical, reach: Reach) -> String {
    let mut text = String::new();
    if let Some(trouble) = optical.trouble() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "\nOf this plan: {trouble}. `lightloom budget` says why.");
    }
    if let Some(cut_off) = reach.cut_off_text() {
        let _ = writeln!(text, "\nThe failures of the plan leave {cut_off}.");
    }
    text
}

/// The exit code of configurations: 1 if the plan that they are for does not bring all packets everywhere.
fn code(optical: Optical, reach: Reach) -> u8 {
    u8::from(!(optical.lit() && reach.restored))
}

fn diff(args: &DiffArgs) -> Result<Answer, Error> {
    let opened = |path: &Path| open_design_or_plan(&args.memory.request(path), Watch::quiet());
    let (old, new) = (opened(&args.old)?, opened(&args.new)?);
    let options = ConfigsOptions { old_groups: args.old_groups.clone(), ..args.told.options()? };
    let report = configs_diff(&old, &new, &options, args.told.out())?;
    let answer = say(args.told.json.json, &report, rollout_text)?;
    Ok(Answer { code: code(report.optical, report.reach), ..answer })
}

fn verify(args: &VerifyArgs) -> Result<Answer, Error> {
    let options = ReadBackOptions { partial: args.partial };
    let report = verify_switches(&args.configs, &args.read_back, options, &Texts::default())?;
    let answer = say(args.json.json, &report, verified_text)?;
    Ok(Answer { code: u8::from(!report.good), ..answer })
}

fn verified_text(report: &SwitchesReport) -> String {
    let mut facts = table(&["read back", "number"]);
    let count =
        |number: Option<usize>| number.map_or("not read".into(), |number| number.to_string());
    for (name, number) in [
        ("switches that have what they were given", report.right.to_string()),
        ("switches that differ", report.drifted.len().to_string()),
        ("switches that were not read", report.not_read.len().to_string()),
        ("neighbours", count(report.neighbours)),
        ("ports that were not heard", count(report.not_heard)),
        ("probes", count(report.probes)),
    ] {
        facts.add_row([name.to_owned(), number]);
    }
    for (reason, packets) in &report.packets {
        facts.add_row([format!("packets {reason}"), packets.to_string()]);
    }
    let mut text = format!("{facts}\nNot compared: {}.\n", report.ignored.join(", "));
    for fault in &report.first_faults {
        let _ = writeln!(text, "{fault}");
    }
    match report.faults - report.first_faults.len() {
        0 => {}
        // Writing to a string does not fail.
        more => drop(writeln!(text, "… and {more} more")),
    }
    text
}

fn rollout_text(report: &RolloutReport) -> String {
    let manifest = &report.manifest;
    let mut text = format!("Wrote {} files to {}.\n\n", report.files, shown_path(&report.out));
    if manifest.phases.is_empty() {
        text += match manifest.not_expressed.iter().any(|lacks| lacks.what.starts_with("phase ")) {
            true => "Nothing changes that this dialect can express.\n",
            false => "Nothing changes.\n",
        };
        text += &not_expressed(&manifest.not_expressed);
        return text + &warnings(report.optical, report.reach);
    }
    let mut phases = table(&["phase", "switches", "then wait", "sources that miss ToRs"]);
    for phase in &manifest.phases {
        let lost = match &phase.loses {
            Some(lost) => lost.len().to_string(),
            None => "all".into(),
        };
        let wait = match phase.drain_ps {
            0 => "for all switches".into(),
            drain => format!("for all switches and {}", Span::from_ps(drain)),
        };
        phases.add_row([phase.name.to_string(), phase.switches.len().to_string(), wait, lost]);
    }
    // Writing to a string does not fail.
    let _ = writeln!(text, "{phases}");
    if !manifest.drain.is_empty() {
        let _ = writeln!(
            text,
            "The wait after deletions rests on these: {}.",
            manifest.drain.join("; ")
        );
    }
    text + &not_expressed(&manifest.not_expressed) + &warnings(report.optical, report.reach)
}

/// What the dialect cannot express.
fn not_expressed(lacks: &[NotExpressed]) -> String {
    let lacks = lacks.iter();
    let line = |NotExpressed { what, why, instead, switches, .. }: &NotExpressed| {
        format!(
            "\nNot expressed ({switches} switches): {what}: {why}.\n  In its place: {instead}.\n"
        )
    };
    lacks.map(line).collect()
}

fn text(report: &ConfigsReport) -> String {
    let manifest = &report.manifest;
    let mut text = format!("Wrote {} files to {}.\n\n", report.files, shown_path(&report.out));
    let most = |of: fn(&lightloom::configs::TableSizes) -> usize| {
        manifest.switches.iter().map(of).max().unwrap_or(0).to_string()
    };
    let mut facts = table(&["configurations", "value"]);
    for (name, value) in [
        ("switches", manifest.switches.len().to_string()),
        ("dialect", manifest.dialect.to_string()),
        ("encoding", manifest.encoding.to_string()),
        ("stamp", manifest.stamp.clone()),
        ("entries of the first stage, at most", most(|sizes| sizes.first_stage)),
        ("entries that relay, at most", most(|sizes| sizes.relay_entries)),
        ("entries of the second stage, at most", most(|sizes| sizes.second_stage)),
        ("time to live of senders, at least", manifest.time_to_live.to_string()),
    ] {
        facts.add_row([name.to_owned(), value]);
    }
    if let Some(class) = &manifest.lossless {
        for (name, value) in [
            ("lossless unicast ports", class.ports.to_string()),
            ("unicast ports without a known rate or cable", class.unknown.to_string()),
            ("bytes of the buffer for ports alone, at most", class.reserved_bytes.to_string()),
            ("bytes at which a port alone pauses", class.pauses_at_bytes.to_string()),
        ] {
            facts.add_row([name.to_owned(), value]);
        }
    }
    // Writing to a string does not fail.
    let _ = writeln!(text, "{facts}");
    text + &not_expressed(&manifest.not_expressed) + &warnings(report.optical, report.reach)
}
