//! `lightloom collective`: its arguments and its answer.

use std::fmt::Write as _;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use lightloom::setting::machine::MEMORY;
use lightloom::shown::advice::{BESIDE, BREAK_EVEN, CROSSOVERS, FASTEST, LEFT_OUT, rates, times};
use lightloom::twin::{
    AdviceReport, CollectiveOn, CollectiveOptions, Operation, Order, collective, draw_collective,
};
use lightloom::{Error, FileKind, InputError, Request, Value, open_design_or_plan, read_option};

use crate::answer::{Answer, say};
use crate::cells::{listed, sheet};
use crate::design_args::{DesignArgs, Json};
use crate::flags::{OpticsFlags, one_of};
use crate::numbers::{hands, whole};
use crate::progress::{Bar, watching};

#[derive(Debug, Args)]
pub(crate) struct CollectiveArgs {
    /// What the members do.
    #[arg(long, visible_alias = "op", value_name = "OPERATION", value_parser = one_of(Operation::choices))]
    operation: String,
    /// Sizes and ranges of sizes, such as 64kB..1GB or "8 kB,512 kB" (default: 64kB..16MB). A range doubles.
    #[arg(long, value_name = "SIZES", allow_hyphen_values = true)]
    size: Option<String>,
    /// Numbers of members of a group, with commas (default: all hosts).
    #[arg(long, value_name = "N", value_delimiter = ',', allow_negative_numbers = true, value_parser = whole::<u32>)]
    members: Vec<u32>,
    /// Numbers of groups that do the same at once, with commas (default: 1). The first has the first hosts, the next
    /// one those after them.
    #[arg(long, value_name = "N", value_delimiter = ',', allow_negative_numbers = true, value_parser = whole::<u32>)]
    groups: Vec<u32>,
    /// Schedules, with commas, such as binomial, chain, multicast:light, multicast:cepheus (default: all that can run).
    #[arg(long, value_name = "SCHEDULES", value_delimiter = ',')]
    schedules: Vec<String>,
    /// Sizes above this are extended from the two largest sizes that are simulated (default: 16MB).
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    simulate_up_to: Option<String>,
    /// Order of the members in schedules.
    #[arg(long = "member-order", value_parser = one_of(Order::choices))]
    order: Option<String>,
    /// Size of slices at most, for schedules that have them (default: 64kB, and 4MB for cornet).
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    slice: Option<String>,
    /// Shards of the weights of a refresh (default: 1). The first member has all, the others hold one each.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u32>)]
    shards: Option<u32>,
    /// Hosts of each ToR (default: 1).
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u32>)]
    #[arg(help_heading = "Network")]
    hosts_per_tor: Option<u32>,
    /// Spine switches of the packet core (default: as many as a ToR has hosts).
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u32>)]
    #[arg(help_heading = "Network")]
    spines: Option<u32>,
    /// Rate of all links (default: that of the design's transceiver, or 100 Gb/s).
    #[arg(long, value_name = "RATE", allow_hyphen_values = true, help_heading = "Network")]
    link_rate: Option<String>,
    /// Length of all links (default: the design's cost.fibre_length, 100 m).
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true, help_heading = "Network")]
    link_length: Option<String>,
    /// When operations begin (default: 10ms). Groups register from the beginning of a run on.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    start: Option<String>,
    /// Seed of orders, marks and path choice (default: 1, or that of the scenario).
    #[arg(long = "run-seed", id = "run_seed", value_name = "S")]
    #[arg(allow_negative_numbers = true, value_parser = whole::<u64>)]
    seed: Option<u64>,
    /// Runs at a time (default: one for each core); the answer does not depend on it.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = hands)]
    threads: Option<NonZeroUsize>,
    /// Draw times and bandwidths over sizes into this SVG file.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    optics: OpticsFlags,
    #[command(flatten)]
    json: Json,
}

impl CollectiveArgs {
    /// What the command writes.
    pub(crate) fn output(&self) -> Option<&PathBuf> {
        self.plot.as_ref()
    }

    fn options(&self) -> Result<CollectiveOptions, Error> {
        let operation = Operation::named(&self.operation).unwrap_or(Operation::Broadcast);
        let usual = CollectiveOptions::new(operation);
        let order = self.order.as_deref().and_then(Order::named);
        let up_to = read_option("simulate_up_to", self.simulate_up_to.as_deref())?;
        Ok(CollectiveOptions {
            schedules: self.schedules.clone(),
            size: self.size.clone().unwrap_or(usual.size),
            simulate_up_to: up_to.unwrap_or(usual.simulate_up_to),
            members: self.members.clone(),
            groups: if self.groups.is_empty() { usual.groups } else { self.groups.clone() },
            order: order.unwrap_or(usual.order),
            slice: read_option("slice", self.slice.as_deref())?,
            shards: self.shards.unwrap_or(usual.shards),
            start: read_option("start", self.start.as_deref())?.unwrap_or(usual.start),
            hosts_per_tor: self.hosts_per_tor,
            spines: self.spines,
            link_rate: read_option("link_rate", self.link_rate.as_deref())?,
            link_length: read_option("link_length", self.link_length.as_deref())?,
            seed: self.seed,
            threads: self.threads.map(NonZeroUsize::get),
            ..CollectiveOptions::new(operation)
        })
    }
}

pub(crate) fn run(args: &CollectiveArgs, quiet: bool) -> Result<Answer, Error> {
    let request = args.design.lit_request(&args.optics);
    let memory = request.flags.iter().find(|(key, _)| *key == *MEMORY);
    let memory = memory.and_then(|(_, value)| match value {
        Value::Text(text) => Some(text.as_str()),
        Value::Integer(_) | Value::List(_) => None,
    });
    let memory = read_option("memory", memory)?;
    let options = CollectiveOptions { memory, ..args.options()? };
    let report = match scenario(&request)? {
        Some(path) => ask(args, CollectiveOn::Scenario(path, &request.texts), &options, quiet)?,
        None => {
            let project = {
                let bar = Bar::new(quiet, "Proving", "sources");
                let show = |done, of| bar.show(done, of);
                open_design_or_plan(&request, watching(&show))?
            };
            ask(args, CollectiveOn::Design(&project), &options, quiet)?
        }
    };
    let answer = say(args.json.json, &report, told)?;
    Ok(Answer { code: u8::from(!report.good()), ..answer })
}

/// The scenario that is asked about. `None`: it is a design or a plan.
fn scenario(request: &Request) -> Result<Option<&Path>, Error> {
    let Some(path) = request.design.as_deref().filter(|path| path.is_file()) else {
        return Ok(None);
    };
    // A file that cannot be read is refused as a design.
    let text = fs::read_to_string(path).unwrap_or_default();
    if FileKind::of(&text) != FileKind::Scenario {
        return Ok(None);
    }
    // The memory is one of a run, too.
    if request.flags.iter().all(|(key, _)| *key == *MEMORY) {
        return Ok(Some(path));
    }
    let message = "is a scenario, which takes no settings of a design; leave them out";
    Err(InputError::new(message).in_file(path).into())
}

fn ask(
    args: &CollectiveArgs,
    on: CollectiveOn<'_>,
    options: &CollectiveOptions,
    quiet: bool,
) -> Result<AdviceReport, Error> {
    let bar = Bar::new(quiet, "Simulating", "runs");
    let show = |done, of| bar.show(done, of);
    match &args.plot {
        Some(plot) => draw_collective(on, options, plot, watching(&show)),
        None => collective(on, options, watching(&show)),
    }
}

fn told(report: &AdviceReport) -> String {
    let mut text = String::new();
    for line in report.stopped().iter().chain(&report.answer) {
        let _ = writeln!(text, "{line}");
    }
    for times in times(report) {
        let _ = writeln!(text, "\n{}", sheet(&times));
    }
    if report.has_others {
        let beside = report.cases.iter().filter(|case| !case.is_extended);
        text += &listed(&BESIDE, beside);
    }
    text += &listed(&FASTEST, &report.fastest);
    text += &listed(&CROSSOVERS, &report.crossovers);
    text += &listed(&BREAK_EVEN, report.break_even.iter().filter(|one| one.is_told()));
    for rates in rates(report) {
        let _ = writeln!(text, "\n{}", sheet(&rates));
    }
    text += &listed(&LEFT_OUT, &report.left_out);
    text.push('\n');
    for case in report.cases.iter().filter(|case| case.why.is_some()) {
        let why = case.why.as_deref().unwrap_or_default();
        let _ = writeln!(
            text,
            "Failed: {} of {} members, {} B: {why}",
            case.name, case.members, case.bytes
        );
    }
    for note in &report.assumed {
        let _ = writeln!(text, "Note: {note}.");
    }
    text
}
