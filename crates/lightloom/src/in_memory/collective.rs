//! Which schedule of a collective operation is fastest on a design.

use std::path::Path;

use lightloom_advice::advise;
use lightloom_advice::contender::{Carrier, Contender};
use lightloom_advice::costs::{Costs, Upkeep};
use lightloom_advice::ground::Ground;
use lightloom_advice::question::Question;
use lightloom_advice::report::AdviceReport;
use lightloom_advice::sizes;
use lightloom_audit::check_agreement;
use lightloom_design::optics::all_threads;
use lightloom_input::machine;
use lightloom_input::scenario::{self, Started, shipped_parameters};
use lightloom_plan::project::Project;
use lightloom_request::{Error, Field, InputError, MOST_THREADS, Memory, Texts};
use lightloom_scenario::build::{DARK_REMEDY, Nodes, Overrides, Run, ScenarioBuilder, Supplied};
use lightloom_scenario::glass::Light;
use lightloom_scenario::said::{FileName, NetworkRow, Order};
use lightloom_scenario::scenario::NetworkKind;
use lightloom_schedules::Operation;
use lightloom_studies::compare::{CompareOptions, SideReport, compare};
use lightloom_units::{BitRate, DataSize, Instant, Length, Span};
use lightloom_watch::Watch;

/// End of a run. One that makes no progress ends long before.
const UNTIL: Instant = Instant::from_s(86_400);
/// Time without progress after which a run is stalled.
const PATIENCE: Span = Span::from_ms(100);
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
    /// Size of slices at most, for schedules that have them. `None`: 64 kB, and 4 MB for cornet.
    pub slice: Option<DataSize>,
    /// Shards of the weights of a refresh. The first member is their source.
    pub shards: u32,
    /// Time from the beginning of a run until operations begin. Groups register in it.
    pub start: Span,
    /// Hosts of each ToR. `None`: 1.
    pub hosts_per_tor: Option<u32>,
    /// Spine switches of the packet core. `None`: as many as a ToR has hosts.
    pub spines: Option<u32>,
    /// Rate of all links. `None`: that of the design's transceiver, or 100 Gb/s.
    pub link_rate: Option<BitRate>,
    /// Length of all links. `None`: that of the design's comparisons (`cost.fibre_length`).
    pub link_length: Option<Length>,
    /// Seed of orders, marks and path choice. `None`: 1, or that of the scenario.
    pub seed: Option<u64>,
    /// The most memory that the runs may take together. `None`: what the design says, or what the machine has left.
    pub memory: Option<DataSize>,
    /// Runs at a time. `None`: one for each core. The answer does not depend on it.
    pub threads: Option<usize>,
}

/// What collective operations are asked about.
#[derive(Debug, Clone, Copy)]
pub enum CollectiveOn<'a> {
    /// A design: its racks with packet switches, and its splitters.
    Design(&'a Project),
    /// A scenario: its network with its parameters, losses and failures, and its messages as those of others.
    Scenario(&'a Path, &'a Texts),
}

impl<'a> From<&'a Project> for CollectiveOn<'a> {
    fn from(project: &'a Project) -> Self {
        Self::Design(project)
    }
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
            slice: None,
            shards: 1,
            start: Span::from_ms(10),
            hosts_per_tor: None,
            spines: None,
            link_rate: None,
            link_length: None,
            seed: None,
            memory: None,
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
/// On a scenario every schedule runs alone, and beside the messages of the scenario.
/// ```
/// # use std::collections::BTreeMap;
/// # use std::path::Path;
/// # use lightloom::{Texts, Watch};
/// # use lightloom::twin::{CollectiveOn, CollectiveOptions, Operation, collective};
/// # use lightloom::units::Span;
/// const SCENARIO: &str = r#"
/// version = 1
/// until = "10 ms"
/// [network]
/// kind = "leaf-spine"
/// leaves = 1
/// spines = 0
/// hosts_per_leaf = 4
/// rate = "100 Gb/s"
/// length = "10 m"
/// [[flow]]
/// from = 0
/// to = 3
/// size = "1 MB"
/// start = "100 us"
/// "#;
/// let file = Path::new("other.toml");
/// let texts = Texts::keeping(BTreeMap::from([(file.into(), SCENARIO.to_owned())]));
/// let options = CollectiveOptions {
///     schedules: vec!["binomial".into()],
///     size: "1MB".into(),
///     start: Span::from_us(100),
///     ..CollectiveOptions::new(Operation::Broadcast)
/// };
/// let report = collective(CollectiveOn::Scenario(file, &texts), &options, Watch::quiet())?;
/// assert!(report.cases[0].beside_ps > report.cases[0].last_ps, "they share the link of host 0");
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error::Input`] at the option that is wrong, or if the scenario is, or if an option says what the scenario does.
/// [`Error::Twin`] if packet counts of a run do not add up.
pub fn collective<'a>(
    on: impl Into<CollectiveOn<'a>>,
    options: &CollectiveOptions,
    watch: Watch<'_>,
) -> Result<AdviceReport, Error> {
    let asked = Asked::read(options)?;
    let (ground, costs) = match on.into() {
        CollectiveOn::Design(project) => {
            (ground(project, options, &asked.contenders)?, costs(project))
        }
        CollectiveOn::Scenario(path, texts) => beside(path, texts, options)?,
    };
    asked.advise(&ground, costs, options, watch)
}

/// The network of a scenario, and what runs on it.
fn beside(
    path: &Path,
    texts: &Texts,
    options: &CollectiveOptions,
) -> Result<(Ground, Costs), InputError> {
    let said = [
        ("hosts_per_tor", options.hosts_per_tor.is_some()),
        ("spines", options.spines.is_some()),
        ("link_rate", options.link_rate.is_some()),
        ("link_length", options.link_length.is_some()),
    ];
    if let Some((name, _)) = said.into_iter().find(|(_, is_said)| *is_said) {
        let message = "is for designs; the scenario says its network";
        return Err(InputError::new(message).in_option(name));
    }
    let memory = options.memory.map_or_else(machine::memory, Memory::Allowed);
    let overrides = Overrides { seed: options.seed, memory, ..Overrides::default() };
    let Started { builder, silent, plan } = scenario::start(path, texts, overrides)?;
    if let Some(plan) = &plan {
        check_agreement(plan, texts)?;
    }
    let (messages, operations) = builder.messages();
    if operations > 0 && options.order == Order::Random {
        let message =
            "found random; a scenario with [[collective]] draws orders of its own, so name another";
        return Err(InputError::new(message).in_option("order"));
    }
    let design = silent.nodes().plan().map(|plan| plan.project);
    let dark = design.is_none().then(|| "the scenario's network has no splitters".to_owned());
    let costs = design.as_ref().map_or_else(
        || Costs {
            notes: vec!["energy and cost of a terabyte are those of a design, which the scenario does not name".into()],
            ..Costs::default()
        },
        costs,
    );
    let rate = silent.nodes().host_rate().unwrap_or(RATE);
    let beside = (messages > 0).then_some(builder);
    let ground =
        Ground { alone: silent, beside, begin: Instant::ZERO + options.start, rate, dark, memory };
    Ok((ground, costs))
}

/// Options that were read.
struct Asked {
    sizes: Vec<DataSize>,
    contenders: Vec<Contender>,
}

impl Asked {
    fn read(options: &CollectiveOptions) -> Result<Self, InputError> {
        let refused = |name, message: String| InputError::new(message).in_option(name);
        let sizes = sizes::read(&options.size).map_err(|message| refused("size", message))?;
        let words = options.schedules.iter();
        let contenders = words.map(|word| Contender::read(word, options.operation));
        let contenders = contenders.collect::<Result<Vec<_>, _>>();
        let contenders = contenders.map_err(|message| refused("schedules", message))?;
        if let Some(one) = twice(&contenders) {
            return Err(refused("schedules", format!("found {} twice; name it once", one.word())));
        }
        if let Some(threads) = options.threads.filter(|&threads| threads > MOST_THREADS) {
            return Err(refused(
                "threads",
                format!("found {threads}; expected 1 to {MOST_THREADS}"),
            ));
        }
        Ok(Self { sizes, contenders })
    }

    fn advise(
        self,
        ground: &Ground,
        costs: Costs,
        options: &CollectiveOptions,
        watch: Watch<'_>,
    ) -> Result<AdviceReport, Error> {
        let mut groups = options.groups.clone();
        let mut members = options.members.clone();
        if members.is_empty() {
            let most = groups.iter().copied().max().unwrap_or(1).max(1);
            members.push(u32::try_from(ground.hosts()).unwrap_or(u32::MAX) / most);
        }
        for numbers in [&mut members, &mut groups] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        let question = Question {
            operation: options.operation,
            contenders: self.contenders,
            sizes: self.sizes,
            simulate_up_to: options.simulate_up_to,
            members,
            groups,
            order: options.order,
            slice: options.slice,
            shards: options.shards,
            costs,
        };
        let cores = all_threads().get();
        let threads = options.threads.unwrap_or(cores).min(cores);
        advise(&question, ground, threads, watch)
    }
}

/// The first of some that is there twice.
fn twice(contenders: &[Contender]) -> Option<&Contender> {
    let before = |(place, one): &(usize, &Contender)| contenders[..*place].contains(one);
    contenders.iter().enumerate().find(before).map(|(_, one)| one)
}

/// The packet switches of a design's racks, with its splitters. If the light does not close, schedules over light are
/// left out. A question that names one of them is refused.
fn ground(
    project: &Project,
    options: &CollectiveOptions,
    contenders: &[Contender],
) -> Result<Ground, InputError> {
    let rate = project.optics().map_or(RATE, |chosen| chosen.optics.transceiver.rate);
    let rate = options.link_rate.unwrap_or(rate);
    let each = options.hosts_per_tor.unwrap_or(1);
    let row = NetworkRow {
        kind: Some(NetworkKind::Design),
        file: Some(FileName("design".into())),
        hosts_per_tor: Some(each),
        spines: Some(options.spines.unwrap_or(each)),
        rate: Some(rate),
        length: Some(options.link_length.unwrap_or(project.costing().fibre_length)),
        ..NetworkRow::default()
    };
    let said = options.memory.map_or(project.design().memory, Memory::Allowed);
    let memory = said.or(machine::memory);
    let parameters = shipped_parameters()?;
    // The splitters bring the failures of a repaired plan. Messages over links meet these failures too, so splitters
    // are laid even if light cannot be used.
    let nodes = |light| {
        let row = NetworkRow { light, ..row.clone() };
        let supplied = Supplied::Plan { project: Box::new(project.clone()), splitters: true };
        let overrides = Overrides { memory, ..Overrides::default() };
        Nodes::build(&row, supplied, &parameters, overrides).map_err(in_option)
    };
    let is_light = |one: &Contender| one.over == Carrier::Light;
    let (nodes, dark) = match nodes(None) {
        Ok(nodes) => (nodes, None),
        Err(error) => {
            let why = error.message.to_string();
            let why = why.strip_suffix(DARK_REMEDY).unwrap_or(&why).to_owned();
            // If the network itself is refused, this is refused in the same way.
            let dark = nodes(Some(Light::Off))?;
            if let Some(light) = contenders.iter().find(|one| is_light(one)) {
                let message =
                    format!("found {}: {why}; mend the design, or leave it out", light.word());
                return Err(InputError::new(message).in_option("schedules"));
            }
            (dark, Some(why))
        }
    };
    let run = Run { seed: options.seed.unwrap_or(1), until: UNTIL, patience: PATIENCE };
    let alone = ScenarioBuilder::new(run, parameters, nodes, memory);
    Ok(Ground { alone, beside: None, begin: Instant::ZERO + options.start, rate, dark, memory })
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
