//! Gives each fabric port of each ToR an interface.
//!
//! A port gets a free interface of the design's rate that takes an LC transceiver: in natural order of the names, or
//! in the order of a catalogue row.
//! An interface that is in use is never given. With the assignment of an old plan, every port keeps its interface
//! as long as that is free, or holds the fibre that the old plan has there, and fits.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_design::inventory::{InventoryNote, natural_key};
use lightloom_power_cost::parts::Accelerator;
use lightloom_request::{Complaints, InputError, setting};
use lightloom_topology::hall::Name;
use lightloom_topology::{RackId, TorId};
use lightloom_units::BitRate;

use crate::interfaces::ports::PortPlan;
use crate::project::Project;
use lightloom_design::devices::device::{Device, DeviceList, Interface, Plug, State};
use lightloom_design::devices::name::InterfaceName;
use lightloom_design::devices::port_rule::{Fitting, PortRule, last};
use lightloom_design::devices::tor_ports::TorPorts;
use lightloom_design::devices::tors::{TorDevices, TorRule};

/// What is known about interfaces.
#[derive(Debug)]
pub struct Known<'a> {
    /// The devices, and which of them are ToRs. `None`: no inventory lists them.
    pub devices: Option<(&'a DeviceList, &'a TorDevices, &'a TorRule)>,
    /// The interfaces of the switch model. Used where no file lists interfaces.
    pub model: &'a [Interface],
    /// The ToRs of an old plan whose interfaces are kept, ToR 0 first. Empty: there is none.
    pub old: &'a [OldTor],
}

/// A ToR of an old plan.
#[derive(Debug)]
pub struct OldTor {
    /// Name of its rack.
    pub rack: String,
    /// The interface of each port, port 0 first.
    pub interfaces: Vec<InterfaceName>,
    /// The interfaces that lead to its accelerator.
    pub accelerator: Vec<InterfaceName>,
    /// The labels of the fibres at each port. A cable with such a label is the fabric's own.
    pub fibres: Vec<Vec<String>>,
}

impl OldTor {
    /// Whether the cable of an interface is one of the fibres that the old plan has at this port of it.
    fn has_own_cable(&self, port: usize, interface: &Interface) -> bool {
        self.interfaces.get(port) == Some(&interface.name)
            && self.fibres.get(port).is_some_and(|fibres| fibres.contains(&interface.cable))
    }
}

/// An assignment, and what there is to tell about it.
pub type Assigned = (PortPlan, Vec<InventoryNote>);

/// Assigns interfaces to all ports of a project. `None`: nothing names an interface.
///
/// # Errors
/// [`InputError`] if a rack lacks its ToR, or if a ToR has too few fitting interfaces.
pub fn assign(project: &Project, known: &Known<'_>) -> Result<Option<Assigned>, InputError> {
    let from_file = known.devices.is_some_and(|(list, ..)| list.interfaces_file.is_some());
    let rate = project.optics.as_ref().map(|chosen| chosen.optics.transceiver.rate);
    // A catalogue row lists interfaces in the order that suits.
    let model = Ordered(known.model.iter().collect());
    let mut complaints = Complaints::default();
    let (mut tors, mut off, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let mut rule = PortRule::default();
    // Interfaces that another logical ToR of the switch has.
    let mut taken: BTreeSet<(RackId, InterfaceName)> = BTreeSet::new();
    for tor in project.fabric.tor_ids() {
        let id = project.placement.rack(tor);
        let rack = &project.hall.rack(id).name;
        let device = known.devices.map(|(list, devices, rule)| {
            devices
                .of_rack(list, rack, rule)
                .map_err(|message| InputError::new(message).in_file(&list.file).in_field("rack"))
        });
        let device = match device.transpose() {
            Ok(device) => device,
            Err(refused) => {
                complaints.add(refused);
                continue;
            }
        };
        let own = device.filter(|_| from_file).map(|device| Ordered::naturally(&device.interfaces));
        let interfaces = own.as_ref().unwrap_or(&model);
        if interfaces.0.is_empty() && !from_file {
            // Devices without interfaces: they say only who is where.
            continue;
        }
        // A port that has no fibre any more keeps its interface.
        let ports = project.fabric.end_of_ports(tor) as usize;
        let old = known.old.get(tor.index()).filter(|old| old.rack == rack.as_str());
        let left = interfaces.without(|name| taken.contains(&(id, name.clone())));
        match left.choose(ports, rate, old) {
            Ok(chosen) => {
                let accelerator =
                    match left.to_accelerator(project.platform.accelerator(), &chosen, old) {
                        Ok(names) => names,
                        Err(count) => {
                            complaints.add(refuse_accelerator(project, (tor, rack), device, count));
                            continue;
                        }
                    };
                if project.placement.per_switch() > 1 {
                    taken.extend(chosen.iter().map(|interface| (id, interface.name.clone())));
                }
                let name = device.and_then(|device| device.name.clone());
                notes.extend(moves(old, interfaces, &chosen, tor, rate));
                let disabled = chosen.iter().filter(|interface| !interface.enabled);
                off.extend(disabled.map(|interface| (rack.clone(), interface.name.clone())));
                let fitting = interfaces.fitting(&chosen, project.platform.accelerator());
                if known.devices.is_some() {
                    rule.add(rack.clone(), name.clone(), fitting);
                } else {
                    rule.add_others(fitting);
                }
                let interfaces = chosen.iter().map(|interface| interface.name.clone()).collect();
                tors.push(TorPorts { device: name, interfaces, accelerator });
            }
            Err(rate) => {
                let counts = left.counts(ports, rate);
                complaints.add(refuse(project, known, device, (tor, rack), &counts));
            }
        }
    }
    complaints.end()?;
    if tors.is_empty() {
        return Ok(None);
    }
    if let [(rack, name), ..] = &off[..] {
        notes.push(InventoryNote::Disabled(off.len(), rack.to_string(), name.to_string()));
    }
    let beside = project.platform.accelerator_ports();
    let plan = PortPlan::new(&project.fabric, &project.placement, beside, tors);
    let plan = plan.map_err(InputError::new)?;
    spare_racks(project, known, from_file, &mut rule);
    Ok(Some((plan.ruled(rule), notes)))
}

/// Notes the ToRs of racks that the fabric does not use yet.
fn spare_racks(project: &Project, known: &Known<'_>, from_file: bool, rule: &mut PortRule) {
    let Some((list, devices, tor_rule)) = known.devices else { return };
    let used: BTreeSet<RackId> = project.placement.racks().iter().copied().collect();
    let rate = project.optics.as_ref().map(|chosen| chosen.optics.transceiver.rate);
    let model = Ordered(known.model.iter().collect());
    for id in project.hall.racks_for_tors().into_iter().filter(|id| !used.contains(id)) {
        let rack = &project.hall.rack(id).name;
        let Ok(device) = devices.of_rack(list, rack, tor_rule) else { continue };
        let own = from_file.then(|| Ordered::naturally(&device.interfaces));
        let interfaces = own.as_ref().unwrap_or(&model);
        if let Ok(first) = interfaces.choose(1, rate, None) {
            let fitting = interfaces.fitting(&first, project.platform.accelerator());
            rule.add(rack.clone(), device.name.clone(), fitting);
        }
    }
}

fn refuse(
    project: &Project,
    known: &Known<'_>,
    device: Option<&Device>,
    (tor, rack): (TorId, &Name),
    counts: &str,
) -> InputError {
    let listed = known.devices.and_then(|(list, ..)| list.interfaces_file.as_ref());
    match (device, listed) {
        (Some(device), Some(file)) => {
            let shown = device.shown();
            let message = format!("device {shown}, ToR {tor} in rack \"{rack}\", has {counts}");
            InputError::new(message).in_file(file).in_field("device")
        }
        _ => {
            let model = project.platform.model().map_or("the model", |model| model.name.as_str());
            let message = format!("{model} has {counts}");
            project.design.settings.refuse(&setting::tor::MODEL, message)
        }
    }
}

/// Refuses an accelerator that finds too few interfaces of its rate.
fn refuse_accelerator(
    project: &Project,
    (tor, rack): (TorId, &Name),
    device: Option<&Device>,
    left: usize,
) -> InputError {
    let accelerator = project.platform.accelerator();
    let (name, ports, rate) = accelerator.map_or(("it", 0, BitRate::from_bps(0)), |part| {
        (part.name.as_str(), part.ports, part.port_rate)
    });
    let of = device.map_or_else(
        || format!("ToR {tor}"),
        |device| format!("device {}, ToR {tor}", device.shown()),
    );
    let message = format!(
        "{name} needs {ports} interfaces of {rate}, and {of} in rack \"{rack}\" has {left} that are free and that the \
         fabric does not take"
    );
    project.design.settings.refuse(&setting::tor::ACCELERATOR, message)
}

/// Interfaces in the order in which ports take them.
struct Ordered<'a>(Vec<&'a Interface>);

impl<'a> Ordered<'a> {
    /// In the natural order of their names.
    fn naturally(interfaces: &'a [Interface]) -> Self {
        let mut sorted: Vec<&Interface> = interfaces.iter().collect();
        sorted.sort_by_cached_key(|interface| natural_key(interface.name.as_str()));
        Self(sorted)
    }

    /// Those that are not given to others.
    fn without(&self, is_taken: impl Fn(&InterfaceName) -> bool) -> Self {
        Self(self.0.iter().copied().filter(|interface| !is_taken(&interface.name)).collect())
    }

    fn named(&self, name: &InterfaceName) -> Option<&'a Interface> {
        self.0.iter().copied().find(|interface| interface.name == *name)
    }

    /// The interfaces of the ports, port 0 first. Those of the old plan stay where they are if they are free, or
    /// hold the fabric's own cable, and fit. Without a rate, all ports have one rate: that of the old plan, or the
    /// first with enough interfaces.
    ///
    /// # Errors
    /// The rate that has too few.
    fn choose(
        &self,
        ports: usize,
        rate: Option<BitRate>,
        old: Option<&OldTor>,
    ) -> Result<Vec<&'a Interface>, Option<BitRate>> {
        let stays = |port: usize| {
            let old = old?;
            let interface = self.named(old.interfaces.get(port)?)?;
            let is_free = interface.state == State::Free || old.has_own_cable(port, interface);
            (is_free && fits(interface)).then_some(interface)
        };
        let kept: Vec<Option<&Interface>> = (0..ports).map(stays).collect();
        let free = |interface: &&Interface| interface.state == State::Free && fits(interface);
        let free: Vec<&Interface> = self.0.iter().copied().filter(free).collect();
        let mut tried: Vec<BitRate> = Vec::new();
        for interface in kept.iter().flatten().copied().chain(free.iter().copied()) {
            let Some(found) = interface.rate else { continue };
            if rate.is_some_and(|rate| rate != found) || tried.contains(&found) {
                continue;
            }
            tried.push(found);
            let has_rate = |interface: &&Interface| interface.rate == Some(found);
            let mut chosen: Vec<Option<&Interface>> =
                kept.iter().map(|kept| kept.filter(has_rate)).collect();
            let taken: BTreeSet<&InterfaceName> =
                chosen.iter().flatten().map(|i| &i.name).collect();
            let mut rest =
                free.iter().copied().filter(has_rate).filter(|i| !taken.contains(&i.name));
            for port in &mut chosen {
                *port = port.or_else(|| rest.next());
            }
            if let Some(chosen) = chosen.into_iter().collect() {
                return Ok(chosen);
            }
        }
        Err(rate)
    }

    /// The interfaces that ports can take, in order: those that are chosen, and free ones of the same rate.
    fn list(&self, chosen: &[&Interface]) -> Vec<InterfaceName> {
        let rate = chosen.first().and_then(|interface| interface.rate);
        let is_chosen = |name: &InterfaceName| chosen.iter().any(|one| one.name == *name);
        let can_take = |interface: &&&Interface| {
            let is_free = interface.state == State::Free && fits(interface);
            is_chosen(&interface.name) || (is_free && interface.rate == rate)
        };
        self.0.iter().filter(can_take).map(|interface| interface.name.clone()).collect()
    }

    /// The interfaces that can lead to an accelerator, in order. Its plug may be any that takes a cable.
    fn for_accelerator<'b>(&'b self, of: &'b Accelerator) -> impl Iterator<Item = &'b Interface> {
        let fits = |interface: &&Interface| {
            interface.state == State::Free
                && interface.plug != Plug::Other
                && interface.rate == Some(of.port_rate)
        };
        self.0.iter().copied().filter(fits)
    }

    /// The interfaces that lead to the accelerator, its port 0 first. Those of the old plan stay where they are.
    ///
    /// # Errors
    /// The number of interfaces that could, which is too small.
    fn to_accelerator(
        &self,
        accelerator: Option<&Accelerator>,
        chosen: &[&Interface],
        old: Option<&OldTor>,
    ) -> Result<Vec<InterfaceName>, usize> {
        let Some(part) = accelerator else { return Ok(Vec::new()) };
        let is_left = |name: &InterfaceName| chosen.iter().all(|one| one.name != *name);
        // They hold the cables of the accelerator, so an inventory lists them as used.
        let stays = |name: &&InterfaceName| {
            let there = self.named(name);
            is_left(name) && there.is_some_and(|there| there.rate == Some(part.port_rate))
        };
        let kept = old.map_or(&[][..], |old| &old.accelerator);
        if kept.len() == part.ports as usize && kept.iter().all(|name| stays(&name)) {
            return Ok(kept.to_vec());
        }
        let free = self.for_accelerator(part).map(|interface| interface.name.clone());
        let free: Vec<InterfaceName> = free.filter(is_left).collect();
        let found = free.len();
        last(free, part.ports as usize).ok_or(found)
    }

    /// The interfaces that ports can take when the plan grows.
    fn fitting(&self, chosen: &[&Interface], accelerator: Option<&Accelerator>) -> Fitting {
        let names =
            |part| self.for_accelerator(part).map(|interface| interface.name.clone()).collect();
        Fitting { fabric: self.list(chosen), accelerator: accelerator.map(names) }
    }

    /// How many interfaces there are, and why they do not fit.
    fn counts(&self, ports: usize, rate: Option<BitRate>) -> String {
        let mut free = 0_usize;
        let mut reasons: BTreeMap<(u8, String), usize> = BTreeMap::new();
        for interface in &self.0 {
            match reason(interface, rate) {
                None => free += 1,
                Some(reason) => *reasons.entry(reason).or_default() += 1,
            }
        }
        let of = rate.map_or_else(|| "one rate".to_owned(), |rate| rate.to_string());
        let reasons: Vec<String> =
            reasons.iter().map(|((_, reason), count)| format!("{count} {reason}")).collect();
        let reasons = match &reasons[..] {
            [] => String::new(),
            reasons => format!(" ({})", reasons.join(", ")),
        };
        format!(
            "{} interfaces{reasons}; {free} are free and fit, and the fabric needs {ports} of {of} that take \
             LC transceivers",
            self.0.len()
        )
    }
}

/// Whether an interface has a rate and takes an LC transceiver.
fn fits(interface: &Interface) -> bool {
    interface.plug.takes_lc() && interface.rate.is_some()
}

/// Why an interface does not fit. The number gives the order in lists.
fn reason(interface: &Interface, rate: Option<BitRate>) -> Option<(u8, String)> {
    if interface.state != State::Free {
        return Some((0, interface.state.counted().to_owned()));
    }
    match interface.rate {
        Some(found) if rate.is_some_and(|rate| rate != found) => Some((1, format!("of {found}"))),
        Some(_) if interface.plug.takes_lc() => None,
        _ => Some((2, "with another connector or without light".to_owned())),
    }
}

/// The ports that do not keep the interface of the old plan.
fn moves(
    old: Option<&OldTor>,
    all: &Ordered<'_>,
    chosen: &[&Interface],
    tor: TorId,
    rate: Option<BitRate>,
) -> Vec<InventoryNote> {
    let kept: &[InterfaceName] = old.map_or(&[], |old| &old.interfaces);
    let changed =
        (0_u32..).zip(kept.iter().zip(chosen)).filter(|(_, (old, new))| **old != new.name);
    changed
        .map(|(port, (old, new))| {
            let why = all.named(old).map_or_else(
                || "there is no such interface any more".to_owned(),
                |old| match reason(old, rate.or(new.rate)) {
                    Some((_, reason)) => format!("it is {reason}"),
                    None => "another port has it".to_owned(),
                },
            );
            InventoryNote::PortMoved {
                tor: tor.0,
                port,
                from: old.to_string(),
                to: new.name.to_string(),
                why,
            }
        })
        .collect()
}
