//! Which schedule of a collective operation is fastest on a design.

use lightloom_advice::advise;
use lightloom_advice::contender::{Carrier, Contender};
use lightloom_advice::costs::{Costs, Upkeep};
use lightloom_advice::ground::Ground;
use lightloom_advice::question::Question;
use lightloom_advice::report::AdviceReport;
use lightloom_advice::sizes;
use lightloom_design::optics::all_threads;
use lightloom_input::machine;
use lightloom_input::scenario::shipped_parameters;
use lightloom_plan::project::Project;
use lightloom_request::{Error, Field, InputError, MOST_THREADS};
use lightloom_scenario::build::{Nodes, Overrides, Supplied};
use lightloom_scenario::said::{FileName, NetworkRow, Order};
use lightloom_scenario::scenario::NetworkKind;
use lightloom_schedules::Operation;
use lightloom_studies::compare::{CompareOptions, SideReport, compare};
use lightloom_units::{BitRate, DataSize, Length};
use lightloom_watch::Watch;

/// Rate of links where a design names no transceiver.
const RATE: BitRate = BitRate::from_gbps(100);

/// What is asked about collective operations on a design.
#[derive(Debug, Clone)]
pub struct CollectiveOptions {
    /// What the members do.
    pub operation: Operation,
    /// Schedules by their words, such as `binomial`, `multicast:light` or `multicast:cepheus`. Empty: all that can run.
    pub schedules: Vec<String>,
    /// Sizes and ranges of sizes, such as `64kB..16MB`. A range doubles.
    pub size: String,
    /// Larger sizes are extended from the two largest sizes that are simulated.
    pub simulate_up_to: DataSize,
    /// Numbers of members of a group. Empty: all hosts, shared out among the groups.
    pub members: Vec<u32>,
    /// Numbers of groups that do the same at once.
    pub groups: Vec<u32>,
    /// Order of the members in schedules.
    pub order: Order,
    /// Size of slices at most, for schedules that have them.
    pub slice: DataSize,
    /// Hosts of each ToR.
    pub hosts_per_tor: u32,
    /// Spine switches of the packet core. `None`: as many as a ToR has hosts.
    pub spines: Option<u32>,
    /// Rate of all links. `None`: that of the design's transceiver, or 100 Gb/s.
    pub link_rate: Option<BitRate>,
    /// Length of all links. `None`: that of the design's comparisons (`cost.fibre_length`).
    pub link_length: Option<Length>,
    /// Seed of orders, marks and path choice.
    pub seed: u64,
    /// Runs at a time. `None`: one for each core. The answer does not depend on it.
    pub threads: Option<usize>,
}

impl CollectiveOptions {
    /// All schedules of an operation of all hosts, one host a ToR, from 64 kB to 16 MB.
    pub fn new(operation: Operation) -> Self {
        Self {
            operation,
            schedules: Vec::new(),
            size: "64 kB..16 MB".to_owned(),
            simulate_up_to: DataSize::from_bytes(16_000_000),
            members: Vec::new(),
            groups: vec![1],
            order: Order::Listed,
            slice: DataSize::from_bytes(64_000),
            hosts_per_tor: 1,
            spines: None,
            link_rate: None,
            link_length: None,
            seed: 1,
            threads: None,
        }
    }
}

/// Which schedule of a collective operation is fastest on a design, by runs of the twin: over its splitters, by
/// switches that replicate, and by messages between hosts over a packet core. The watch receives the number of runs
/// that are done. A stop ends the work, and the answer has the runs that are done.
///
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::twin::{CollectiveOptions, Operation, collective};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 8_u32);
/// let options = CollectiveOptions {
///     size: "1MB".into(),
///     schedules: vec!["multicast:light".into(), "binomial".into()],
///     ..CollectiveOptions::new(Operation::Broadcast)
/// };
/// let report = collective(&open(&request)?, &options, Watch::quiet())?;
/// assert_eq!(report.fastest[0].name, "multicast over light");
/// assert_eq!(report.break_even[0].from, Some(1_000_000));
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error::Input`] at the option that is wrong, [`Error::Twin`] if packet counts of a run do not add up.
pub fn collective(
    project: &Project,
    options: &CollectiveOptions,
    watch: Watch<'_>,
) -> Result<AdviceReport, Error> {
    let refused = |name, message: String| InputError::new(message).in_option(name);
    let sizes = sizes::read(&options.size).map_err(|message| refused("size", message))?;
    let contenders = options.schedules.iter().map(|word| Contender::read(word, options.operation));
    let contenders = contenders.collect::<Result<Vec<_>, _>>();
    let contenders = contenders.map_err(|message| refused("schedules", message))?;
    if let Some(threads) = options.threads.filter(|&threads| threads > MOST_THREADS) {
        let message = format!("found {threads}; expected 1 to {MOST_THREADS}");
        return Err(refused("threads", message).into());
    }
    let ground = ground(project, options, &contenders)?;
    let mut groups = options.groups.clone();
    let mut members = options.members.clone();
    if members.is_empty() {
        let most = groups.iter().copied().max().unwrap_or(1).max(1);
        members.push(u32::try_from(ground.nodes.hosts()).unwrap_or(u32::MAX) / most);
    }
    for numbers in [&mut members, &mut groups] {
        numbers.sort_unstable();
        numbers.dedup();
    }
    let question = Question {
        operation: options.operation,
        contenders,
        sizes,
        simulate_up_to: options.simulate_up_to,
        members,
        groups,
        order: options.order,
        slice: options.slice,
        costs: costs(project),
    };
    let threads = options.threads.unwrap_or_else(|| all_threads().get()).min(all_threads().get());
    advise(&question, &ground, threads, watch)
}

/// The packet switches of a design's racks, with its splitters if its light closes. If it does not, nothing goes over
/// light; whoever asks for it is told.
fn ground(
    project: &Project,
    options: &CollectiveOptions,
    contenders: &[Contender],
) -> Result<Ground, InputError> {
    let rate = project.optics().map_or(RATE, |chosen| chosen.optics.transceiver.rate);
    let rate = options.link_rate.unwrap_or(rate);
    let row = NetworkRow {
        kind: Some(NetworkKind::Design),
        file: Some(FileName("design".into())),
        hosts_per_tor: Some(options.hosts_per_tor),
        spines: Some(options.spines.unwrap_or(options.hosts_per_tor)),
        rate: Some(rate),
        length: Some(options.link_length.unwrap_or(project.costing().fibre_length)),
        ..NetworkRow::default()
    };
    let memory = project.design().memory.or(machine::memory);
    let parameters = shipped_parameters()?;
    let nodes = |splitters| {
        let project = Box::new(project.clone());
        let supplied = Supplied::Plan { project, splitters };
        let overrides = Overrides { memory, ..Overrides::default() };
        Nodes::build(&row, supplied, &parameters, overrides).map_err(in_option)
    };
    let is_light = |one: &Contender| one.over == Carrier::Light;
    let (nodes, dark) = match nodes(true) {
        Ok(nodes) => (nodes, None),
        Err(error) if contenders.iter().any(is_light) => return Err(error),
        Err(error) => (nodes(false)?, Some(error.message.to_string())),
    };
    Ok(Ground { nodes, rate, parameters, seed: options.seed, dark, memory })
}

/// A refusal of the network at the option that the field comes from.
fn in_option(error: InputError) -> InputError {
    let option = match &error.field {
        Some(Field::At(at)) => match at.field {
            "rate" => "link_rate",
            "length" => "link_length",
            "hosts_per_tor" => "hosts_per_tor",
            "spines" => "spines",
            _ => return InputError { field: None, ..error },
        },
        _ => return error,
    };
    error.in_option(option)
}

/// What the packet core and the splitters take, from the counts of a comparison. Light has both.
fn costs(project: &Project) -> Costs {
    let report = match compare(project, &CompareOptions::default()) {
        Ok(report) => report,
        Err(error) => {
            let note = format!("energy and cost of a terabyte are unknown: {error}");
            return Costs { notes: vec![note], ..Costs::default() };
        }
    };
    let (core, glass) = (&report.ip_multicast, &report.whole_fabric.splitter_fabric);
    let of = |side: &SideReport| Upkeep {
        power_w: side.total.power_w,
        over_years: side.over_years.as_ref().and_then(|over| Some((over.cost?, over.years))),
    };
    let (links, glass) = (of(core), of(glass));
    let light = Upkeep {
        power_w: links.power_w.zip(glass.power_w).map(|(a, b)| a + b),
        over_years: links
            .over_years
            .zip(glass.over_years)
            .and_then(|((a, years), (b, _))| Some((a.checked_add(b).ok()?, years))),
    };
    let mut notes = vec![format!(
        "energy and cost of a terabyte are those of the packet core with {}-port switches, and for light of the whole \
         splitter fabric too, as compare counts them, for as long as the operation takes",
        report.core_ports
    )];
    if light.over_years.is_none() {
        notes.push(
            "the cost of a terabyte needs cost.years and cost.energy_price in the design, and all prices".to_owned(),
        );
    }
    Costs { links, light, notes }
}
