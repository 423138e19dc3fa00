//! `lightloom simulate`: its arguments and its answer.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use lightloom::Error;
use lightloom::twin::{Capture, Light, SimulateOptions, Simulated, simulate};

use crate::answer::{Answer, say};
use crate::design_args::{Json, MemoryArgs};
use crate::flags::one_of;
use crate::numbers::{hands, whole};
use crate::progress::{Clock, watching};
use crate::simulate_tables;

#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    /// The scenario file.
    #[arg(value_name = "SCENARIO")]
    scenario: PathBuf,
    /// Number of threads (default: 1), of which no more are used than there are cores; results do not
    /// depend on it. With --seeds, runs at a time.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = hands)]
    threads: Option<NonZeroUsize>,
    /// A seed in place of the scenario's.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = whole::<u64>)]
    seed: Option<u64>,
    /// The values of optical parts that decide what the branches of splitters lose, in place of the
    /// scenario's light.
    #[arg(long, value_parser = one_of(Light::choices))]
    light: Option<String>,
    /// As many runs, with seeds from the scenario's on: the same traffic, other losses, marks and
    /// paths; and confidence intervals.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u32>)]
    seeds: Option<u32>,
    /// Write a line for every arrival of a packet to this file. All of it is in memory at the end.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Write when each message was asked for and when it was there to this file: events for Perfetto or
    /// chrome://tracing if its name ends in .json, a space-time diagram if it ends in .svg.
    #[arg(long, value_name = "FILE")]
    timeline: Option<PathBuf>,
    /// Write the packets that cross a link to this pcapng file, with all their bytes. "A>B" is what node A
    /// sends to node B, "A<>B" what goes both ways; the first colon ends FILE. May be given several times.
    #[arg(long, value_name = "FILE:LINK", value_parser = capture)]
    pcap: Vec<Capture>,
    /// Hold every acknowledgement of reliable groups, at every switch, against what its receivers had by then. One
    /// that covers more ends the command with exit code 1. It takes memory with packets times receivers.
    #[arg(long)]
    check: bool,
    /// Run each job of collective operations again without all other messages, and report both times.
    #[arg(long)]
    alone: bool,
    /// The folder to write flows, series, links and the report to; results in it are replaced in one
    /// step.
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    json: Json,
}

impl SimulateArgs {
    /// What the command writes.
    pub(crate) fn outputs(&self) -> Vec<Option<&PathBuf>> {
        let captures = self.pcap.iter().map(|capture| Some(&capture.file));
        let files = [self.out.as_ref(), self.trace.as_ref(), self.timeline.as_ref()];
        files.into_iter().chain(captures).collect()
    }
}

pub(crate) fn run(args: &SimulateArgs, quiet: bool) -> Result<Answer, Error> {
    let options = SimulateOptions {
        threads: args.threads.map(NonZeroUsize::get),
        seed: args.seed,
        light: args.light.as_deref().and_then(Light::named),
        replica: None,
        seeds: args.seeds,
        trace: args.trace.clone(),
        timeline: args.timeline.clone(),
        pcap: args.pcap.clone(),
        check: args.check,
        alone: args.alone,
        out: args.out.clone(),
        memory: args.memory.read()?,
        ..SimulateOptions::default()
    };
    let simulated = {
        let clock = Clock::new(quiet);
        let tell = |done, of| clock.tell(done, of);
        simulate(&args.scenario, &options, watching(&tell))?
    };
    let answer = say(args.json.json, &simulated, |simulated| match simulated {
        Simulated::One(run) => simulate_tables::run(run),
        Simulated::Many(runs) => simulate_tables::runs(runs),
    })?;
    Ok(Answer { code: u8::from(!simulated.good()), ..answer })
}

/// Reads a file and the link whose packets it gets.
fn capture(text: &str) -> Result<Capture, &'static str> {
    match text.split_once(':') {
        Some((file, link)) if !file.is_empty() && !link.trim().is_empty() => {
            Ok(Capture { file: file.into(), link: link.to_owned() })
        }
        _ => Err("expected FILE:LINK, such as \"up.pcapng:host 0>leaf 0\""),
    }
}
