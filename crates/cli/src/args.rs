//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ColorChoice, Parser, Subcommand};
use lightloom::failures::{MethodName, Objective};
use lightloom::light::Case;

use crate::as_built::AsBuiltArgs;
use crate::collective::CollectiveArgs;
use crate::configs::ConfigsArgs;
use crate::design_args::{DesignArgs, FailedArgs, Json, MemoryArgs};
use crate::flags::{FabricFlags, HallFlags, OpticsFlags, one_of};
use crate::grow_args::{GrowArgs, ShrinkArgs};
use crate::light_args::{ExploreArgs, UnusedArgs};
use crate::lint::LintArgs;
use crate::netbox::NetboxArgs;
use crate::numbers::{hands, whole};
use crate::place_args::PlaceArgs;
use crate::shell::Shell;
use crate::simulate::SimulateArgs;
use crate::trace_file::TraceArgs;

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
        fabric: FabricFlags,
        #[command(flatten)]
        hall: HallFlags,
        #[command(flatten)]
        optics: OpticsFlags,
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
        optics: OpticsFlags,
        #[command(flatten)]
        placing: PlaceArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Check a written plan from its files alone.
    Verify {
        /// The plan's folder.
        folder: PathBuf,
        #[command(flatten)]
        memory: MemoryArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Write a plan's report to read, print and sign, as one HTML file.
    ///
    /// The plan is made and proved again, and its files are compared. The exit code is 1 if they differ or if
    /// the light is not known to arrive; the report says so.
    Report {
        /// The plan's folder.
        folder: PathBuf,
        /// The file to write. A report that is there is replaced.
        #[arg(short, long, value_name = "FILE", default_value = "report.html")]
        out: PathBuf,
        /// The design file that the plan was made from. The report then has its assumptions and costs, and
        /// offers parts of its catalogue.
        #[arg(long, value_name = "DESIGN")]
        design: Option<PathBuf>,
        /// The date on the report, such as 2026-03-31. Without it a line is left to fill in.
        #[arg(long, value_name = "DATE")]
        date: Option<String>,
        #[command(flatten)]
        memory: MemoryArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Write the floor plan and rack elevations of a plan, as one HTML file for A3.
    Draw {
        /// The plan's folder.
        folder: PathBuf,
        /// The file to write. A file of drawings that is there is replaced.
        #[arg(short, long, value_name = "FILE", default_value = "drawings.html")]
        out: PathBuf,
        #[command(flatten)]
        memory: MemoryArgs,
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
    /// Every ToR counts as a source and as a receiver, failed ToRs too. A ToR whose transmitter failed
    /// sends through a stand-in. A ToR without power neither sends nor receives. Only algorithm2 leaves
    /// failed sources out. The exit code is 1 if a source that counts does not reach every other ToR.
    Recover {
        #[command(flatten)]
        failed: FailedArgs,
        /// How the recovery is computed.
        #[arg(long, value_parser = one_of(MethodName::choices))]
        method: Option<String>,
        /// What replan keeps small.
        #[arg(long, value_parser = one_of(Objective::choices))]
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
        #[arg(long, value_parser = one_of(Objective::choices))]
        objective: Option<String>,
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Add ToRs to a written plan: which cords move, in which stages, with which rules.
    ///
    /// New cassettes are pinched into the fabric: few transmit cords of old ToRs move, and no receive cord. With
    /// splitters at the senders the branches of these ToRs move instead. Each stage is drained, moved and restored,
    /// and every state is replayed. A plan with trunks is refused.
    Grow(Box<GrowArgs>),
    /// Take ToRs out of a written plan: which cords move, in which stages, with which rules.
    Shrink(Box<ShrinkArgs>),
    /// Write the form for crews, or take back what they tell of a written plan.
    ///
    /// A crew tells where plugs really are, how long cables are, and which losses it measured. The light is followed
    /// over the cables as they are. If it arrives where it should, the plan as it was built is written; otherwise the
    /// answer says which plugs to move back. The exit code is 1 then, and also if a measured branch does not pass.
    AsBuilt(AsBuiltArgs),
    /// Rank parts that fail together, and find pairs of relays whose loss cuts somebody off.
    ///
    /// With failure rates of parts, also how often pairs of ToRs are cut, and for how long.
    Risk {
        /// File with failure rates and repair times by kind of part. Kinds without one are unknown.
        #[arg(long, value_name = "FILE")]
        rates: Option<PathBuf>,
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Compute loss, received power and margin of every branch, the worst first.
    Budget {
        /// The case that the budget computes (default: worst).
        #[arg(long, value_parser = one_of(Case::choices))]
        case: Option<String>,
        /// Threads of a Monte Carlo budget; the answer does not depend on them.
        #[arg(long, allow_negative_numbers = true, value_parser = hands)]
        threads: Option<NonZeroUsize>,
        /// Say what to demand of transceivers and splitters instead, for the buyer.
        #[arg(long, conflicts_with_all = ["case", "threads"])]
        spec: bool,
        /// Follow the light of single branches instead, hop by hop: places, cables, labels, lengths and losses.
        ///
        /// A branch is named by its ToRs (3->7), by a port of a ToR (R1.05/3: what the port receives and what it
        /// sends), or by a label of the sheets (F3, B3.1, R101-42:0).
        #[arg(long, value_name = "FIBRE", conflicts_with = "spec", allow_hyphen_values = true)]
        trace: Option<String>,
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        optics: OpticsFlags,
        #[command(flatten)]
        json: Json,
    },
    /// Compare parts, power and cost with IP multicast and a peer-to-peer chain.
    Compare {
        /// Ports of each switch of the packet core (default: 32).
        #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = whole::<u64>)]
        core_ports: Option<u64>,
        /// Also count a core of this number of optical circuit switches for unicast.
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>)]
        circuit_switches: Option<u64>,
        /// The catalogue's circuit_port row for their ports (default: the only one).
        #[arg(long, value_name = "NAME")]
        circuit_port: Option<String>,
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        optics: OpticsFlags,
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
        optics: OpticsFlags,
        #[command(flatten)]
        racks: UnusedArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Write a plan's shelves, modules, ports and cables as files that NetBox imports.
    ///
    /// The files are for NetBox 4.5 and later, and README.txt beside them says in which order they are imported. Site,
    /// racks and switches are expected to be in NetBox, unless their files are asked for.
    Netbox(NetboxArgs),
    /// Write what every switch must be told, in the language of the switches.
    Configs(Box<ConfigsArgs>),
    /// Find what would go wrong on real switches: ports, tables, dead rules.
    ///
    /// The exit code is 1 if there is an error, and 0 if there are warnings only.
    Lint(Box<LintArgs>),
    /// Run a scenario packet by packet: completion times, throughput, queues, drops.
    Simulate(Box<SimulateArgs>),
    /// Find the fastest schedule of a collective operation on a design, by runs of the twin.
    ///
    /// Every schedule runs with every size: over the splitters, by switches that replicate, and by messages between
    /// hosts over a packet core of the same racks. The answer has the sizes at which another schedule becomes the
    /// fastest, and from when on light is faster than each other one. Ctrl-C ends the work and keeps the runs that are
    /// done. The exit code is 1 if some run failed or is missing.
    Collective(Box<CollectiveArgs>),
    /// Print what a trace has: ranks, messages, computations and its longest path.
    ///
    /// A trace says what the ranks of an application sent, received and computed, in the text form of GOAL
    /// or in the files of MLCommons Chakra.
    ///
    /// A trace is refused where a message has no receive, or operations wait for themselves. A [[trace]] of a scenario
    /// runs it.
    Trace(TraceArgs),
    /// Print sizes, hops, loads, parallel sources and parts, beside the other family.
    Info {
        #[command(flatten)]
        design: DesignArgs,
        #[command(flatten)]
        json: Json,
    },
    /// Open the window: a design, the folder of a plan, or a scenario.
    ///
    /// The window is a package of its own. Install it with: cargo install --locked --path crates/gui
    Gui {
        /// A design file, the folder of a plan, or a scenario.
        file: Option<PathBuf>,
    },
    /// Print the JSON Schema of design files, scenario files or answers.
    Schema {
        /// design, scenario, or the name of a command.
        name: String,
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
