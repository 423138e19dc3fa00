//! The way from the rules of one plan to those of another, phase by phase.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lightloom_plan::project::Project;
use lightloom_request::{Error, InputError};
use lightloom_routing::failure::Failure;
use lightloom_routing::recovery::{Installed, RecoveryBase, StepKind};
use lightloom_routing::rows::LISTED_TORS;
use lightloom_topology::TorId;
use lightloom_units::{Span, named_enum};

use crate::config::SwitchConfig;
use crate::delta::{Delta, Gate};
use crate::fabric::Configs;
use crate::lossless::ClassSettings;
use crate::ports;
use crate::rules::drain;
use crate::server::Servers;
use crate::stamp::Stamp;
use crate::unicast::{self, UnicastPort};

named_enum! {
    /// What a phase of a rollout does.
    #[derive(schemars::JsonSchema)]
    pub enum PhaseName {
        /// Ports get other settings. Links may go down meanwhile.
        Ports = "ports",
        /// Groups get other members.
        Members = "members",
        /// Stand-ins drop copies that return to them, before they transmit.
        DropsIn = "drops-in",
        /// Relays stop relaying.
        Delete = "delete",
        /// Receivers accept sources from one ToR's splitter only, or no longer so.
        Filters = "filters",
        /// Relays and stand-ins start.
        Add = "add",
        /// Former stand-ins no longer drop copies.
        DropsOut = "drops-out",
        /// Switches get the stamp of their new rules.
        Stamps = "stamps",
        /// No switch relays or delivers.
        Close = "close",
        /// All tables are exchanged.
        Replace = "replace",
        /// The relays of one source open, for a probe.
        Canary = "canary",
        /// All switches open.
        Open = "open",
    }
}

/// What is not delivered after a phase, until the next one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// For each source that misses ToRs, those ToRs.
    Of(BTreeMap<TorId, Vec<TorId>>),
    /// No source reaches any ToR for certain.
    Everything,
}

/// A phase. It begins when all switches have confirmed the phase before, and the wait of that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    /// What it does.
    pub name: PhaseName,
    /// What it changes, by switch.
    pub switches: BTreeMap<TorId, Delta>,
    /// Time to wait after all switches have confirmed it.
    pub wait: Span,
    /// What is not delivered after it.
    pub loses: Loss,
    /// A source whose probe must reach all ToRs, one copy each, before the next phase begins.
    pub probe: Option<TorId>,
}

/// The way from the rules of one plan to those of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rollout {
    /// For each switch that changes, its stamps before and after. `None`: it has no rules then.
    pub stamps: BTreeMap<TorId, (Option<Stamp>, Option<Stamp>)>,
    /// The phases, in order. Empty if nothing changes.
    pub phases: Vec<Phase>,
}

/// The ToRs that drop copies of sources beyond those of their own rules.
type Returning = BTreeMap<TorId, BTreeSet<TorId>>;

impl Rollout {
    /// The way from the rules of `old` to those of `new`, while the failures of both last: a mended part goes back into
    /// service after the rules for its failure are gone.
    ///
    /// Plans of the same fabric that differ by failures and by members of groups only go through states that are all
    /// proved: no ToR gets a second copy in any of them. All others close all switches, exchange the tables and open
    /// again.
    ///
    /// # Errors
    /// [`Error`] if a state is not safe.
    pub fn new(old: &Configs<'_>, new: &Configs<'_>) -> Result<Self, Error> {
        let mut rollout = Self { stamps: BTreeMap::new(), phases: Vec::new() };
        if is_same_base(old, new) {
            rollout.repair(old, new)?;
        } else {
            rollout.replace(old, new)?;
        }
        Ok(rollout)
    }

    /// The phases of a repair, or of its end.
    fn repair(&mut self, old: &Configs<'_>, new: &Configs<'_>) -> Result<(), Error> {
        let project = new.project;
        let Some(tables) = &new.rules.tables else {
            let message = format!(
                "found {} ToRs; the way between two states of one fabric is proved with tables of all sources, up to \
                 {LISTED_TORS} ToRs",
                project.fabric().tors()
            );
            return Err(InputError::new(message).into());
        };
        let recoveries = project.recovery_base_of(Arc::clone(tables))?;
        let base = recoveries.base();
        let mut failures = failures(old.project)?;
        for failure in self::failures(project)? {
            if !failures.contains(&failure) {
                failures.push(failure);
            }
        }
        let (from, to) = (&old.rules.installed, &new.rules.installed);
        let not_safe = |error| Error::PlanRejected(format!("the rollout is not safe: {error}"));
        let transition =
            base.transition(from, to, &failures, old.rules.max_hops).map_err(not_safe)?;
        let returning = returning(from, to);
        let none = Returning::new();
        let (settings, loses) = settings(old, new);
        if !settings.is_empty() {
            let loses = if loses {
                Loss::Everything
            } else {
                Loss::Of(lost(base, from, &none, &failures)?)
            };
            let (name, switches, wait) = (PhaseName::Ports, settings, Span::ZERO);
            self.phases.push(Phase { name, switches, wait, loses, probe: None });
        }
        let told = self.phases.iter().flat_map(|phase| phase.switches.keys().copied()).collect();
        let switches = members(old, new, &told);
        if !switches.is_empty() {
            let loses = Loss::Of(lost(base, from, &none, &failures)?);
            let (name, wait) = (PhaseName::Members, Span::ZERO);
            self.phases.push(Phase { name, switches, wait, loses, probe: None });
        }
        let mut walk = Walk::new(old, new, &returning);
        for (&tor, &(_, old)) in &walk.now {
            let new = Stamp::of(&new.switch(tor, to, &BTreeSet::new()));
            if old != new {
                self.stamps.insert(tor, (Some(old), Some(new)));
            }
        }
        let mut states = vec![(PhaseName::DropsIn, from, &returning, Span::ZERO)];
        states.extend(transition.steps.iter().map(|step| match step.kind {
            StepKind::Delete => (PhaseName::Delete, &step.after, &returning, transition.drain),
            StepKind::Accept => (PhaseName::Filters, &step.after, &returning, Span::ZERO),
            StepKind::Add => (PhaseName::Add, &step.after, &returning, Span::ZERO),
        }));
        states.push((PhaseName::DropsOut, to, &none, Span::ZERO));
        for (name, installed, returning, wait) in states {
            let switches = walk.step(installed, returning);
            if switches.is_empty() {
                continue;
            }
            let loses = Loss::Of(lost(base, installed, returning, &failures)?);
            self.phases.push(Phase { name, switches, wait, loses, probe: None });
        }
        let stamped = |(&tor, &(before, after)): (&TorId, &(Option<Stamp>, Option<Stamp>))| {
            let (config, _) = walk.now.get(&tor)?;
            Some((tor, Delta::between(config, config, Gate { before, after })))
        };
        let switches: BTreeMap<_, _> = self.stamps.iter().filter_map(stamped).collect();
        if !switches.is_empty() {
            let loses = Loss::Of(lost(base, to, &none, &failures)?);
            let (name, wait) = (PhaseName::Stamps, Span::ZERO);
            self.phases.push(Phase { name, switches, wait, loses, probe: None });
        }
        Ok(())
    }

    /// The phases of another fabric, other addresses or other groups.
    fn replace(&mut self, old: &Configs<'_>, new: &Configs<'_>) -> Result<(), Error> {
        let (before, after) = (old.switches(), new.switches());
        let count = before.len().max(after.len());
        let (mut close, mut exchange, mut open) =
            (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for at in 0..count {
            let (tor, before, after) = (TorId::at(at), before.get(at), after.get(at));
            let (had, has) = (before.map(Stamp::of), after.map(Stamp::of));
            self.stamps.insert(tor, (had, has));
            if let Some(config) = before {
                let gate = Gate { before: had, after: None };
                close.insert(tor, Delta::between(config, config, gate));
            }
            let none = |config: &SwitchConfig| config.without_rules();
            let (from, to) = match (before, after) {
                (Some(before), Some(after)) => (before.clone(), after.clone()),
                (None, Some(after)) => (none(after), after.clone()),
                (Some(before), None) => (before.clone(), none(before)),
                (None, None) => continue,
            };
            exchange.insert(tor, Delta::between(&from, &to, Gate::stays(None)));
            if let Some(config) = after {
                let gate = Gate { before: None, after: has };
                open.insert(tor, Delta::between(config, config, gate));
            }
        }
        let drain = drain(old.project, old.rules.max_hops)?;
        let probe = TorId(0);
        let relays: BTreeSet<TorId> = new.rules.installed.relays_of(probe).into_iter().collect();
        let members = |tor: &TorId| relays.contains(tor);
        let canary: BTreeMap<TorId, Delta> = open
            .iter()
            .filter(|(tor, _)| members(tor))
            .map(|(&tor, delta)| (tor, delta.clone()))
            .collect();
        open.retain(|tor, _| !members(tor));
        for (name, switches, wait, probe) in [
            (PhaseName::Close, close, drain, None),
            (PhaseName::Replace, exchange, Span::ZERO, None),
            (PhaseName::Canary, canary, Span::ZERO, Some(probe)),
            (PhaseName::Open, open, Span::ZERO, None),
        ] {
            let loses = match name {
                PhaseName::Open => Loss::Of(BTreeMap::new()),
                _ => Loss::Everything,
            };
            if !switches.is_empty() {
                self.phases.push(Phase { name, switches, wait, loses, probe });
            }
        }
        Ok(())
    }
}

/// The configurations of the switches that change, on their way, with the stamps that they carry until the end.
struct Walk<'a> {
    new: &'a Configs<'a>,
    now: BTreeMap<TorId, (SwitchConfig, Stamp)>,
}

impl<'a> Walk<'a> {
    fn new(old: &Configs<'_>, new: &'a Configs<'a>, returning: &Returning) -> Self {
        let (from, to) = (&old.rules.installed, &new.rules.installed);
        let lists = |tor: TorId| from.lists[tor.index()] != to.lists[tor.index()];
        let filters = |tor: TorId| from.accept.get(&tor) != to.accept.get(&tor);
        let sends = |tor: TorId| from.via.get(&tor) != to.via.get(&tor);
        let changes = |tor: &TorId| {
            lists(*tor) || filters(*tor) || sends(*tor) || returning.contains_key(tor)
        };
        let tors = new.project.fabric().tor_ids().filter(changes);
        // Settings of ports are those of the new plan already.
        let config = |tor| new.switch(tor, from, &BTreeSet::new());
        let stamped = |tor| (config(tor), Stamp::of(&config(tor)));
        Self { new, now: tors.map(|tor| (tor, stamped(tor))).collect() }
    }

    /// Goes on to the next rules, and returns what changes.
    fn step(&mut self, installed: &Installed, returning: &Returning) -> BTreeMap<TorId, Delta> {
        let none = BTreeSet::new();
        let mut switches = BTreeMap::new();
        for (&tor, (config, stamp)) in &mut self.now {
            let next = self.new.switch(tor, installed, returning.get(&tor).unwrap_or(&none));
            let delta = Delta::between(config, &next, Gate::stays(Some(*stamp)));
            if !delta.is_nothing() {
                switches.insert(tor, delta);
            }
            *config = next;
        }
        switches
    }
}

/// The switches of one fabric whose ports get other settings, names or neighbours, and whether settings are among them.
fn settings(old: &Configs<'_>, new: &Configs<'_>) -> (BTreeMap<TorId, Delta>, bool) {
    let none = BTreeSet::new();
    let (mut switches, mut any) = (BTreeMap::new(), false);
    for tor in old.project.fabric().tor_ids() {
        let from = &old.rules.installed;
        let (before, after) = (old.switch(tor, from, &none), new.switch(tor, from, &none));
        let (had, has) = (ports::settings(old, &before), ports::settings(new, &after));
        if had != has || class_told(old, tor) != class_told(new, tor) {
            let stamp = Some(Stamp::of(&before));
            switches.insert(tor, Delta::between(&before, &after, Gate::stays(stamp)));
            let of =
                |told: Vec<ports::Told>| told.into_iter().map(|one| (one.settings, one.interface));
            any |= !of(had).eq(of(has));
        }
    }
    (switches, any)
}

/// The settings of the lossless class at a ToR, with its ports of known headroom. `None`: there is no such port, and
/// configurations have nothing about the class.
fn class_told<'a>(
    configs: &'a Configs<'_>,
    tor: TorId,
) -> Option<(ClassSettings, Vec<UnicastPort<'a>>)> {
    let mut ports = unicast::ports(configs, tor);
    ports.retain(|port| port.headroom.is_some());
    let settings = configs.lossless.as_ref()?.settings();
    (!ports.is_empty()).then_some((settings, ports))
}

/// The switches of one fabric whose servers join or leave groups. Those that were `told` have it already.
fn members(old: &Configs<'_>, new: &Configs<'_>, told: &BTreeSet<TorId>) -> BTreeMap<TorId, Delta> {
    let (none, from) = (BTreeSet::new(), &old.rules.installed);
    let tors = old.project.fabric().tor_ids().filter(|tor| !told.contains(tor));
    let delta = |tor| {
        let (before, after) = (old.switch(tor, from, &none), new.switch(tor, from, &none));
        let stamp = Some(Stamp::of(&before));
        (tor, Delta::between(&before, &after, Gate::stays(stamp)))
    };
    tors.map(delta).filter(|(_, delta)| !delta.is_nothing()).collect()
}

/// Whether the groups of one list are those of another, at the same places, and perhaps more. Places number the tables
/// of groups: a group at another place would take over the table of another one while packets pass.
fn keeps_places(old: &Servers, new: &Servers) -> bool {
    let mut places = old.groups().iter().zip(new.groups());
    places.all(|(one, other)| {
        one.name == other.name
            && one.address == other.address
            && one.is_reliable == other.is_reliable
    })
}

/// Whether two plans differ by failures and by members of groups only.
fn is_same_base(old: &Configs<'_>, new: &Configs<'_>) -> bool {
    let (one, other) = (old.project.fabric(), new.project.fabric());
    let heard = |tor| one.heard(tor).eq(other.heard(tor));
    one.tors() == other.tors()
        && one.transmits_by() == other.transmits_by()
        && one
            .tor_ids()
            .all(|tor| one.transmits_into(tor) == other.transmits_into(tor) && heard(tor))
        && old.rules.planned == new.rules.planned
        && old.addresses == new.addresses
        && old.servers.all() == new.servers.all()
        && old.project.platform().accelerator_ports() == new.project.platform().accelerator_ports()
        && keeps_places(&old.servers, &new.servers)
        && old.encoding == new.encoding
}

/// The failures of a plan, with those that link fault signalling adds.
fn failures(project: &Project) -> Result<Vec<Failure>, Error> {
    let Some((failed, _)) = project.recovery() else { return Ok(Vec::new()) };
    let all = project.failures(&failed.failures);
    all.map(|all| all.into_owned()).map_err(|error| InputError::new(error).into())
}

/// The stand-ins of both rules, with the sources that they stand in for.
fn returning(from: &Installed, to: &Installed) -> Returning {
    let mut by_root = Returning::new();
    for (&source, &root) in from.via.iter().chain(&to.via) {
        if from.via.get(&source) != to.via.get(&source) {
            by_root.entry(root).or_default().insert(source);
        }
    }
    by_root
}

/// For each source that may miss ToRs under some rules, those ToRs.
fn lost(
    base: &RecoveryBase<'_>,
    installed: &Installed,
    returning: &Returning,
    failures: &[Failure],
) -> Result<BTreeMap<TorId, Vec<TorId>>, Error> {
    let state = base.replay(installed, failures);
    let mut lost = state.map_err(|error| Error::PlanRejected(error.to_string()))?.lost;
    for (&tor, sources) in returning {
        for &source in sources {
            // It drops what it does not transmit itself.
            if installed.via.get(&source) != Some(&tor) && source != tor {
                let tors = lost.entry(source).or_default();
                if let Err(place) = tors.binary_search(&tor) {
                    tors.insert(place, tor);
                }
            }
        }
    }
    Ok(lost)
}
