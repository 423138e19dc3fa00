//! The splitters of a design beside the packet switches of its racks: fibres, rules, failures and light.

use std::collections::BTreeSet;

use lightloom_plan::budget::fans;
use lightloom_plan::failure_set::FailureSet;
use lightloom_plan::laid::check_size;
use lightloom_plan::project::Project;
use lightloom_plant::{Far, Plant};
use lightloom_power_cost::Verdict;
use lightloom_request::InputError;
use lightloom_routing::failure::{Damage, Failure};
use lightloom_routing::group_tree::{GroupTree, SourceRules};
use lightloom_routing::recovery::{Installed, RecoveryBase};
use lightloom_routing::verify::{Accept, Via};
use lightloom_topology::TorId;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{DeadSplitter, Splitter};
use lightloom_units::{Instant, Length, Span};

use crate::build::delay::along;
use crate::glass::rollout::{Begin, Latch};
use crate::glass::{Budget, Death, Glass, Incident, Light, LitBranch, deaths, shut, splitters};
use crate::said::limits::LONGEST_SPAN;
use crate::said::{DarkBranches, NetworkRow, Place, Row as _};

/// The fields of `[network]` that only splitters use.
const OWN: [&str; 3] = ["light", "light_rate", "dark_branches"];

/// What the fields of a scenario offer where light does not close: the end of the refusal.
pub const DARK_REMEDY: &str =
    "; mend the design, or give dark_branches = \"run\" or light = \"off\"";

/// What is wrong with a part of a planned fabric where there is none.
pub(super) const NO_PLAN: &str = "names a part of a planned fabric; the network must be kind = \"design\", and the \
                                  scenario must have a [[group]]";

/// A design with its splitters and its rules.
#[derive(Debug, Clone)]
pub(super) struct Planned {
    pub(super) project: Project,
    pub(super) splitters: Vec<Splitter>,
    pub(super) glass: Glass,
    pub(super) warnings: Vec<String>,
    rules: Rules,
    /// The failures that the rules were made for, and those that link fault signalling adds.
    failures: Vec<Failure>,
}

/// The plan whose splitters and rules a scenario uses.
#[derive(Debug, Clone)]
pub struct PlanInUse {
    /// The plan.
    pub project: Project,
    /// The rules of a recovered plan. `None`: the rules are the router's.
    pub recovered: Option<Installed>,
}

/// Where the rules of a source come from.
#[derive(Debug, Clone)]
enum Rules {
    /// The router of the design.
    Routed,
    /// A recovery: the relays of each source, filters and stand-ins.
    Recovered { relays_of: Vec<Vec<TorId>>, accept: Accept, via: Via },
}

/// Refuses fields of splitters in a scenario that uses none.
pub(super) fn check_unused(row: &NetworkRow) -> Result<(), InputError> {
    match OWN.into_iter().find(|field| row.has(field)) {
        Some(field) => {
            let message = "is for messages to groups; add a [[group]]";
            Err(NetworkRow::place().refuse(field, message))
        }
        None => Ok(()),
    }
}

impl Planned {
    /// Lays the splitters of a project. `said` is the light that an option names.
    pub(super) fn new(
        row: &NetworkRow,
        project: Project,
        network: &Network,
        per_m: Span,
        said: Option<Light>,
        frame_bytes: impl FnOnce() -> u32,
    ) -> Result<Self, InputError> {
        let place = NetworkRow::place();
        check_size(&project).map_err(|error| place.refuse("file", error.message))?;
        let speed = row.light_rate.or(row.rate);
        let speed = speed.ok_or_else(|| place.missing("rate", "\"100 Gb/s\""))?;
        let tors: Vec<NodeId> =
            (0..project.fabric().tors()).map(|tor| NodeId::at(network.hosts() + tor)).collect();
        let usual = if project.optics().is_some() { Light::Typical } else { Light::Off };
        let light = said.or(row.light).unwrap_or(usual);
        let (splitters, budget, mut warnings) = {
            let laid = project.laid().map_err(|error| place.refuse("file", error.message))?;
            let wires = laid.plant();
            let delays = delays(wires, per_m)?;
            let splitters = splitters(project.fabric(), &tors, speed, |from, to| {
                let receivers = project.fabric().receivers(project.fabric().transmits_into(from));
                let place = receivers.iter().position(|&tor| tor == to);
                place.map_or(Span::from_ps(1), |place| delays[from.index()][place])
            });
            let (budget, warnings) = match light {
                Light::Off => (None, Vec::new()),
                _ => {
                    let (chosen, assumed) = laid
                        .optics_or_assumed()
                        .map_err(|error| place.refuse("file", error.message))?;
                    let ends = wires.fibres().iter().filter_map(|cable| match cable.far {
                        Far::SplitterInput => None,
                        Far::Receiver { tor, .. } => Some((cable.from, tor)),
                    });
                    let ends = ends.collect();
                    (Some(Budget { optics: chosen.optics, fans: fans(wires), ends }), assumed)
                }
            };
            (splitters, budget, warnings)
        };
        let glass = Glass { tors, light, budget };
        warnings.extend(check_light(row, &project, &glass, frame_bytes)?);
        let (rules, failures) = rules(&project)?;
        Ok(Self { project, splitters, glass, warnings, rules, failures })
    }

    /// The ToR of a host.
    pub(super) fn tor_of(&self, network: &Network, host: NodeId) -> TorId {
        TorId::at(network.ports(host)[0].peer.index() - network.hosts())
    }

    /// The ToR of a switch. `None`: the node is a host or a spine.
    pub(super) fn tor_at(&self, network: &Network, node: NodeId) -> Option<TorId> {
        let tor = node.index().checked_sub(network.hosts())?;
        (tor < self.project.fabric().tors()).then(|| TorId::at(tor))
    }

    /// Whether the rules are those of the design's router, and not of a recovery.
    pub(super) fn is_routed(&self) -> bool {
        matches!(self.rules, Rules::Routed)
    }

    /// What the failures damage that the rules were made for.
    pub(super) fn damage(&self) -> Result<Damage<'_>, InputError> {
        let damage = Damage::new(self.project.fabric(), &self.failures);
        damage.map_err(|error| Place::ROOT.refuse("group", error))
    }

    /// The tree of a source to the ToRs of a group. `own` has relays that stand in for those of the rules.
    pub(super) fn tree(
        &self,
        place: Place,
        damage: &Damage<'_>,
        source: TorId,
        members: &BTreeSet<TorId>,
        own: Option<&Vec<TorId>>,
    ) -> Result<GroupTree, InputError> {
        let none = Accept::new();
        let routed;
        let rules = match (&self.rules, own) {
            (Rules::Routed, Some(relays)) => {
                SourceRules { source, root: source, relays, accept: &none }
            }
            (Rules::Routed, None) => {
                routed = self.project.relay_row(source);
                let relays =
                    routed.as_ref().map_err(|error| place.refuse("group", &error.message))?;
                SourceRules { source, root: source, relays, accept: &none }
            }
            (Rules::Recovered { relays_of, accept, via }, _) => {
                let root = via.get(&source).copied().unwrap_or(source);
                SourceRules { source, root, relays: &relays_of[source.index()], accept }
            }
        };
        Ok(GroupTree::new(damage, rules, |tor| members.contains(&tor)))
    }

    /// What the failures of a recovered plan kill, from the start on.
    pub(super) fn dead_from_start(&self, network: &Network) -> Death {
        self.deaths(network, &self.failures, (Instant::ZERO, Instant::from_ps(u64::MAX)))
    }

    /// Failures of parts for a while, with those that link fault signalling adds.
    pub(super) fn incident(
        &self,
        failed: &FailureSet,
        (from, to): (Instant, Instant),
    ) -> Result<Incident, InputError> {
        let failures = self.project.failures(&failed.failures);
        let failures = failures.map_err(|error| InputError::new(error.to_string()))?.into_owned();
        let parts = failed.failures.iter().copied().zip(failed.names()).collect();
        Ok(Incident { parts, failures, from, to })
    }

    /// What an incident kills.
    pub(super) fn dying(&self, network: &Network, incident: &Incident) -> Death {
        self.deaths(network, &incident.failures, (incident.from, incident.to))
    }

    /// What stays shut while parts that work again are not back in service.
    pub(super) fn shut(&self, network: &Network, latches: &[Latch]) -> Vec<DeadSplitter> {
        shut(self.project.fabric(), network, &self.glass.tors, latches)
    }

    /// The rules and failures that a run begins with, as the planner has them.
    pub(super) fn begin(&self, base: &RecoveryBase<'_>) -> Begin {
        let rules = self.recovered().unwrap_or_else(|| Installed {
            lists: base.installed().to_vec(),
            ..Installed::default()
        });
        Begin { rules, failures: self.failures.clone() }
    }

    /// The rules of a recovered plan. `None`: the rules are the router's.
    fn recovered(&self) -> Option<Installed> {
        let Rules::Recovered { relays_of, accept, via } = &self.rules else { return None };
        let mut lists = vec![Vec::new(); relays_of.len()];
        for (source, relays) in relays_of.iter().enumerate() {
            relays.iter().for_each(|relay| lists[relay.index()].push(TorId::at(source)));
        }
        Some(Installed { lists, accept: accept.clone(), via: via.clone() })
    }

    /// The plan that it comes from.
    pub(super) fn plan(&self) -> PlanInUse {
        PlanInUse { project: self.project.clone(), recovered: self.recovered() }
    }

    /// The glass, and the plan that it comes from.
    pub(super) fn into_parts(self) -> (Glass, PlanInUse) {
        let plan = self.plan();
        (self.glass, plan)
    }

    fn deaths(&self, network: &Network, failures: &[Failure], span: (Instant, Instant)) -> Death {
        deaths(self.project.fabric(), network, &self.glass.tors, failures, span)
    }
}

/// The delay of each branch, with its feed, in the order of the ToRs and their receivers.
fn delays(wires: &Plant, per_m: Span) -> Result<Vec<Vec<Span>>, InputError> {
    let mut delays: Vec<Vec<Span>> = Vec::new();
    let mut feed = Length::ZERO;
    for cable in wires.fibres() {
        match cable.far {
            Far::SplitterInput => {
                feed = cable.length;
                delays.push(Vec::new());
            }
            Far::Receiver { .. } => {
                let delay = along(feed + cable.length, per_m).max(Span::from_ps(1));
                let range = (Span::from_ps(1), LONGEST_SPAN);
                let delay = NetworkRow::place().within("file", delay, range)?;
                if let Some(of) = delays.last_mut() {
                    of.push(delay);
                }
            }
        }
    }
    Ok(delays)
}

/// The rules of a project: its router's, or those of its recovery.
fn rules(project: &Project) -> Result<(Rules, Vec<Failure>), InputError> {
    let Some((failed, method)) = project.recovery() else { return Ok((Rules::Routed, Vec::new())) };
    let refuse = |error: &dyn std::fmt::Display| NetworkRow::place().refuse("file", error);
    let base = project.recovery_base().map_err(|error| refuse(&error.message))?;
    let recovered =
        project.recovered_alone(&base, failed, *method).map_err(|error| refuse(&error))?;
    let mut relays_of = vec![Vec::new(); project.fabric().tors()];
    for (tor, sources) in recovered.lists.iter().enumerate() {
        for source in sources {
            relays_of[source.index()].push(TorId::at(tor));
        }
    }
    let (accept, via) = (recovered.report.accept, recovered.report.via);
    let failures = project.failures(&failed.failures).map_err(|error| refuse(&error))?;
    Ok((Rules::Recovered { relays_of, accept, via }, failures.into_owned()))
}

/// Refuses light that does not close, unless told to run. Returns warnings about what is unknown.
fn check_light(
    row: &NetworkRow,
    project: &Project,
    glass: &Glass,
    frame_bytes: impl FnOnce() -> u32,
) -> Result<Option<String>, InputError> {
    let runs = row.dark_branches == Some(DarkBranches::Run);
    // A draw is judged by the usual values: a few dark branches are what it is drawn for.
    let case = if glass.light == Light::Draw { Light::Typical } else { glass.light };
    let Some(budget) = &glass.budget else { return Ok(None) };
    let lit = budget.branches(case, 0, frame_bytes());
    let dark = || lit.iter().filter(|lit| lit.verdict == Verdict::Fail);
    let slack = |lit: &LitBranch| lit.margin.into_iter().chain(lit.headroom).min();
    if let Some(worst) = dark().min_by_key(|lit| slack(lit)).filter(|_| !runs) {
        let [from, to] = [worst.from, worst.to].map(|tor| project.own_tor_name(tor));
        let margin = |of: Option<lightloom_units::Db>| {
            of.map_or_else(|| "unknown".into(), |db| format!("{:.2} dB", db.get()))
        };
        let message = format!(
            "the light of {} of {} branches does not close in the {} case; the worst is {from:?} to {to:?}, \
             margin {}, headroom {}{DARK_REMEDY}",
            dark().count(),
            lit.len(),
            case.name(),
            margin(worst.margin),
            margin(worst.headroom),
        );
        let field = if row.light.is_some() { "light" } else { "file" };
        return Err(NetworkRow::place().refuse(field, message));
    }
    let unknown = lit.iter().filter(|lit| lit.loss.is_none()).count();
    Ok((unknown > 0).then(|| {
        format!(
            "{unknown} of {} branches lose nothing, because the catalogue has too few values for their \
             error rate",
            lit.len()
        )
    }))
}
