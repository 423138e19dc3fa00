//! Arguments, and the request that they make.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ColorChoice, Parser, Subcommand};
use lightloom::{Key, Request, Value, setting};

use crate::choices::{self, one_of};
use crate::light_args::{ExploreArgs, OpticsArgs, UnusedArgs};
use crate::pages::Shell;
use crate::simulate::SimulateArgs;

/// Plans optical multicast fabrics of passive splitters between top-of-rack switches.
#[derive(Debug, Parser)]
#[command(name = "lightloom", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// When to colour help, refusals and warnings; auto asks for a terminal and obeys NO_COLOR.
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto")]
    #[arg(hide_default_value = true, help_heading = "Output")]
    pub(crate) color: ColorChoice,
    /// Show no progress; only the answer or the refusal.
    #[arg(short, long, global = true, help_heading = "Output")]
    pub(crate) quiet: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a commented design file for a number of ToRs or an inventory.
    New {
        /// The design file to write.
        #[arg(short, long, value_name = "FILE")]
        out: PathBuf,
        #[command(flatten)]
        fabric: FabricArgs,
        #[command(flatten)]
        hall: HallArgs,
        #[command(flatten)]
        optics: OpticsArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Plan every fibre, port and rule, prove the plan, and write it to a folder.
    Plan {
        /// The folder to write; a plan in it is replaced in one step.
        #[arg(short, long, value_name = "DIR")]
        out: PathBuf,
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        optics: OpticsArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Check a written plan from its files alone.
    Verify {
        /// The plan's folder.
        folder: PathBuf,
        #[command(flatten)]
        json: Json,
    },
    /// Print the multicast tree of one source.
    Tree {
        /// The source: a number or a rack's name. tor:12 is always a number, rack:12 always a name.
        #[arg(long)]
        source: String,
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Print the cassette graph.
    Fabric {
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Print the sources that one ToR relays.
    Rules {
        /// The ToR: a number or a rack's name. tor:12 is always a number, rack:12 always a name.
        #[arg(long)]
        tor: String,
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Find edge-disjoint trees for sources that send at line rate at once.
    Parallel {
        /// The sources: numbers or rack names (tor:12, rack:12), separated by commas. Without it: as
        /// many as can.
        #[arg(long, value_delimiter = ',')]
        sources: Option<Vec<String>>,
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Print who is cut off by failures before anything is repaired.
    Impact {
        #[command(flatten)]
        failed: FailedArgs,
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Restore what failures cut off: the rules to change, and in which order.
    ///
    /// Every ToR counts as a source and as one to be reached, the failed ones too: one whose transmitter
    /// is out sends through a stand-in, one without power reaches nobody and is reached by nobody. Only
    /// algorithm2 gives failed sources up and leaves them out. The exit code is 1 where some source that
    /// counts does not reach every other ToR.
    Recover {
        #[command(flatten)]
        failed: FailedArgs,
        /// How the recovery is computed.
        #[arg(long, value_parser = one_of(choices::METHOD))]
        method: Option<String>,
        /// What replan keeps small.
        #[arg(long, value_parser = one_of(choices::OBJECTIVE))]
        objective: Option<String>,
        /// Measure what the recovery costs in throughput, by number of active sources.
        #[arg(long)]
        throughput: bool,
        /// Write the plan with the new rules to this folder. It is proved first: everybody whom light can
        /// reach gets one copy.
        #[arg(long, value_name = "OUT")]
        apply: Option<PathBuf>,
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Write the repair of every single failure in advance.
    Repairs {
        /// The folder to write.
        #[arg(short, long, value_name = "DIR")]
        out: PathBuf,
        /// What the repairs keep small.
        #[arg(long, value_parser = one_of(choices::OBJECTIVE))]
        objective: Option<String>,
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Rank parts that fail together, and find pairs of relays whose loss cuts somebody off.
    Risk {
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Compute loss, received power and margin of every branch, the worst first.
    Budget {
        /// The case that the budget computes (default: worst).
        #[arg(long, value_parser = one_of(choices::CASE))]
        case: Option<String>,
        /// Threads of a Monte Carlo budget; the answer does not depend on them.
        #[arg(long, allow_negative_numbers = true, value_parser = hands)]
        threads: Option<NonZeroUsize>,
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        optics: OpticsArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Compare parts, power and cost with IP multicast and a peer-to-peer chain.
    Compare {
        /// Ports of each switch of the packet core: 32 where nothing is said.
        #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = whole::<u64>)]
        core_ports: Option<u64>,
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        optics: OpticsArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Rank every design for a number of ToRs, and say why the others fail.
    Explore(Box<ExploreArgs>),
    /// Count ports that racks leave unused, and check whether a design's ToRs have enough.
    UnusedPorts {
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        optics: OpticsArgs,
        #[command(flatten)]
        racks: UnusedArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Run a scenario packet by packet: completion times, throughput, queues, drops.
    Simulate(Box<SimulateArgs>),
    /// Print sizes, hops, loads, parallel sources and parts, beside the other family.
    Info {
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Print the script that lets a shell complete this command.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write the man pages of this command and of its subcommands to a folder.
    Man {
        /// The folder to write; other files in it stay.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        #[command(flatten)]
        json: Json,
    },
}

#[derive(Debug, Args)]
pub(crate) struct FailedArgs {
    /// What is broken, separated by commas: relay:8, tx:8, splitter:8 (all three: the ToR neither sends
    /// nor relays, but still receives), branch:3->7 (one splitter output), rx:12/2 (the receiver of one
    /// port), tor:40 (no power), cassette:5 (all splitters of a housing). A ToR is a number or a rack's
    /// name, or says which: relay:tor:8, relay:rack:8, branch:rack:3->tor:7. Put quotes around a list
    /// with an arrow: a shell takes > for a file.
    #[arg(long, value_name = "LIST")]
    pub(crate) failed: String,
}

#[derive(Debug, Args)]
pub(crate) struct Json {
    /// Print one JSON document on standard output.
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// A design file, or flags in its place.
#[derive(Debug, Args)]
pub(crate) struct DesignArgs {
    /// The design file; --family and its flags stand in for one.
    #[arg(value_name = "DESIGN", conflicts_with_all = ["family", "p", "k", "tors", "edges"])]
    design: Option<PathBuf>,
    #[command(flatten)]
    fabric: FabricArgs,
    #[command(flatten)]
    hall: HallArgs,
}

#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Fabric")]
pub(crate) struct FabricArgs {
    /// The family of the fabric.
    #[arg(long, value_parser = one_of(choices::FAMILY))]
    family: Option<String>,
    /// Outputs of a splitter.
    #[arg(long, visible_alias = "splitter", allow_negative_numbers = true, value_parser = whole::<i64>)]
    p: Option<i64>,
    /// Columns of a Shufflecast, which has k p^k ToRs.
    #[arg(long, allow_negative_numbers = true, value_parser = whole::<i64>)]
    k: Option<i64>,
    /// Number of ToRs.
    #[arg(long, allow_negative_numbers = true, value_parser = whole::<i64>)]
    tors: Option<i64>,
    /// Edge list of a custom fabric: a CSV file with columns tor,from_cassette,to_cassette.
    #[arg(long, value_name = "FILE")]
    edges: Option<String>,
    /// The router of the multicast trees.
    #[arg(long, value_parser = one_of(choices::ROUTER))]
    router: Option<String>,
    /// Hops that a ToR may be farther than it must, for a more even load: 0 or 1.
    #[arg(long, allow_negative_numbers = true, value_parser = whole::<i64>)]
    extra_hops: Option<i64>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Hall")]
pub(crate) struct HallArgs {
    /// Rack inventory: CSV with name and row, position or x_m, y_m, or a NetBox rack export.
    #[arg(long, value_name = "FILE")]
    inventory: Option<String>,
    /// Only racks of this site; may be given several times.
    #[arg(long)]
    site: Option<Vec<String>>,
    /// Only racks whose location matches this glob, such as "Row *", without regard to case; may be
    /// given several times.
    #[arg(long, value_name = "GLOB")]
    location: Option<Vec<String>>,
    /// Only racks with this status; may be given several times, or with commas.
    #[arg(long, value_delimiter = ',')]
    status: Option<Vec<String>>,
    /// The column that names the rows.
    #[arg(long, value_name = "COLUMN", value_parser = one_of(choices::ROWS_FROM))]
    rows_from: Option<String>,
    /// Which rack each ToR stands in: a CSV file with columns tor,rack and a line for every ToR.
    #[arg(long, value_name = "FILE")]
    placement: Option<String>,
    /// Keep the ToR numbers and labels of an old plan.
    #[arg(long, value_name = "OLD_PLAN")]
    keep: Option<String>,
    /// Where the splitters sit.
    #[arg(long, value_parser = one_of(choices::HOUSING))]
    housing: Option<String>,
    /// Spares, in percent.
    #[arg(long, allow_negative_numbers = true, value_parser = whole::<i64>)]
    spares_percent: Option<i64>,
}

impl FabricArgs {
    /// A number of ToRs and nothing else.
    pub(crate) fn of_tors(tors: Option<i64>) -> Self {
        Self { tors, ..Self::default() }
    }
}

impl DesignArgs {
    pub(crate) fn request(&self) -> Request {
        Request { design: self.design.clone(), ..request(&self.fabric, &self.hall) }
    }

    pub(crate) fn lit_request(&self, optics: &OpticsArgs) -> Request {
        let mut request = self.request();
        request.flags.extend(optics.flags());
        request
    }
}

/// Reads a whole number. What it means is checked where it is used.
pub(crate) fn whole<T: TryFrom<i128>>(text: &str) -> Result<T, &'static str> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err("expected a whole number, such as 8");
    }
    let number = text.parse().ok().and_then(|number: i128| T::try_from(number).ok());
    let negative = digits.len() < text.len();
    number.ok_or(if negative { "expected 0 or more" } else { "that number is too large" })
}

/// Reads a number of threads.
pub(crate) fn hands(text: &str) -> Result<NonZeroUsize, &'static str> {
    NonZeroUsize::new(whole(text)?).ok_or("expected 1 or more")
}

/// The request that flags alone make.
pub(crate) fn request(fabric: &FabricArgs, hall: &HallArgs) -> Request {
    let texts = [
        (*setting::fabric::FAMILY, &fabric.family),
        (*setting::fabric::EDGES, &fabric.edges),
        (*setting::routing::ROUTER, &fabric.router),
        (*setting::hall::INVENTORY, &hall.inventory),
        (*setting::hall::ROWS_FROM, &hall.rows_from),
        (*setting::hall::PLACEMENT, &hall.placement),
        (*setting::hall::KEEP, &hall.keep),
        (*setting::splitters::HOUSING, &hall.housing),
    ];
    let integers = [
        (*setting::fabric::P, fabric.p),
        (*setting::fabric::K, fabric.k),
        (*setting::fabric::TORS, fabric.tors),
        (*setting::routing::EXTRA_HOPS, fabric.extra_hops),
        (*setting::order::SPARES_PERCENT, hall.spares_percent),
    ];
    let lists = [
        (*setting::hall::SITE, &hall.site),
        (*setting::hall::LOCATION, &hall.location),
        (*setting::hall::STATUS, &hall.status),
    ];
    let mut flags: Vec<(Key, Value)> = Vec::new();
    flags.extend(texts.into_iter().filter_map(|(k, v)| Some((k, Value::Text(v.clone()?)))));
    flags.extend(integers.into_iter().filter_map(|(k, v)| Some((k, Value::Integer(v?)))));
    flags.extend(lists.into_iter().filter_map(|(k, v)| Some((k, Value::List(v.clone()?)))));
    Request { flags, ..Request::default() }
}
