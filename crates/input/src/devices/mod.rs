//! Reads inventories of devices and interfaces: NetBox's exports, or CSV files with the same columns.
//!
//! Both the names of NetBox's fields and the titles of its tables are known. `docs/inventories.md` lists them.
//! The devices say which units of the racks are taken and which switch is the ToR; the interfaces say which ports
//! are free.

mod cells;
mod interfaces;
mod kept;
mod listed;
mod patterns;
mod racks;
mod types;

use std::sync::Arc;

use lightloom_design::design::Design;
use lightloom_design::inventory::InventoryNote;
use lightloom_plan::document::PlanDocument;
use lightloom_plan::end_labels::{branch_label, feed_label};
use lightloom_plan::interfaces::assign::{Known, OldTor, assign};
use lightloom_plan::interfaces::device::{DeviceList, Interface, Plug};
use lightloom_plan::interfaces::name::InterfaceName;
use lightloom_plan::interfaces::occupied;
use lightloom_plan::interfaces::tors::{TorDevices, TorRule};
use lightloom_plan::project::Project;
use lightloom_power_cost::parts::{InterfaceGroup, ModelInterface};
use lightloom_request::setting::{hall, tor};
use lightloom_request::{InputError, Key};

use crate::devices::patterns::Patterns;
use crate::devices::racks::Racks;
use crate::inventory::Filters;
use crate::plan_folder::{self, WrittenPlan};

/// The devices of the chosen racks, and which of them are ToRs.
#[derive(Debug)]
pub struct Inventoried {
    list: DeviceList,
    tors: TorDevices,
    rule: TorRule,
    notes: Vec<InventoryNote>,
}

/// Reads the devices and interfaces that a design names, and gives its racks the units of their ToRs. `None`: it
/// names none.
///
/// # Errors
/// [`InputError`] if a file is wrong, or contradicts the rack inventory.
pub fn read(design: &mut Design) -> Result<Option<Inventoried>, InputError> {
    let settings = &design.settings;
    let patterns = Patterns::read(settings)?;
    // All values are read, so that one of a wrong kind is refused even where it is not needed.
    let role = settings.get(&tor::ROLE)?;
    settings.value(&tor::BREAKOUT)?;
    let interfaces_file = settings.path(&hall::INTERFACES)?;
    let Some(file) = settings.path(&hall::DEVICES)? else {
        let alone: [&Key; 2] = [&hall::INTERFACES, &tor::ROLE];
        return match alone.into_iter().find(|key| settings.has(key)) {
            Some(key) => Err(settings.refuse(key, "needs the devices; name their file")),
            None => Ok(None),
        };
    };
    let Some(inventory) = &mut design.inventory else {
        let message = "lists devices in racks, but no inventory of racks was given; name one";
        return Err(settings.refuse(&hall::DEVICES, message));
    };
    let racks = Racks::read(&inventory.file, &Filters::read(settings)?, settings)?;
    let mut found = listed::read(&file, &racks, settings)?;
    if let Some(path) = &interfaces_file {
        interfaces::read(path, &mut found, &patterns, settings)?;
    }
    let list = DeviceList { file, interfaces_file, devices: found.list };
    occupied::check(&list, inventory)?;
    let rule = match (role, &list.interfaces_file) {
        (Some(role), _) => TorRule::Role(role),
        (None, Some(_)) => TorRule::Interfaces(design.fabric.p() as usize),
        (None, None) => TorRule::Interfaces(0),
    };
    let tors = TorDevices::find(&list, inventory, &rule);
    tors.place(&list, inventory)?;
    Ok(Some(Inventoried { list, tors, rule, notes: found.notes }))
}

/// Gives a project the occupied units of its hall.
///
/// # Errors
/// [`InputError`] if the plan that the design keeps cannot be read.
pub fn occupy(project: &mut Project, devices: Option<&Inventoried>) -> Result<(), InputError> {
    if let Some(devices) = devices {
        let all = occupied::of_hall(&devices.list, &project.hall);
        project.occupied = Arc::new(kept::without_own(project, all)?);
    }
    Ok(())
}

/// Gives a project the interfaces of its fabric ports.
///
/// # Errors
/// [`InputError`] if a ToR has too few fitting interfaces.
pub fn equip(project: &mut Project, devices: Option<&Inventoried>) -> Result<(), InputError> {
    let settings = &project.design.settings;
    let patterns = Patterns::read(settings)?;
    let model = model_interfaces(project, &patterns)?;
    // Without a name of any interface there is nothing to keep.
    let is_named = devices.is_some() || !model.is_empty();
    let old = if is_named { old_ports(project)? } else { Vec::new() };
    let known = Known {
        devices: devices.map(|devices| (&devices.list, &devices.tors, &devices.rule)),
        model: &model,
        old: &old,
    };
    let assigned = assign(project, &known)?;
    if assigned.is_none() {
        let splits = settings.value(&tor::BREAKOUT)? > 1;
        let idle: [(&Key, bool); 3] = [
            (&tor::PORTS, settings.has(&tor::PORTS)),
            (&tor::RESERVED, settings.has(&tor::RESERVED)),
            (&tor::BREAKOUT, splits),
        ];
        if let Some((key, _)) = idle.into_iter().find(|(_, is_said)| *is_said) {
            let message = "chooses among interfaces, but nothing names them; give the files of devices and \
                           interfaces, or a switch model whose row in the catalogue names its interfaces";
            return Err(settings.refuse(key, message));
        }
    }
    if let Some(devices) = devices {
        project.port_notes.extend(devices.notes.iter().cloned());
    }
    if let Some((ports, notes)) = assigned {
        project.ports = Some(Arc::new(ports));
        project.port_notes.extend(notes);
    }
    Ok(())
}

/// The interfaces that the switch model names.
fn model_interfaces(project: &Project, patterns: &Patterns) -> Result<Vec<Interface>, InputError> {
    let settings = &project.design.settings;
    let Some(model) = project.platform.model() else { return Ok(Vec::new()) };
    let lanes = settings.value(&tor::BREAKOUT)?;
    let split = |group: &InterfaceGroup| {
        group.breakout.as_ref().is_some_and(|breakout| breakout.into == lanes)
    };
    if lanes > 1 && !model.interfaces.iter().any(split) {
        let message = format!(
            "found {lanes}, but no interfaces of {} in the catalogue have a breakout into {lanes}",
            model.name
        );
        return Err(settings.refuse(&tor::BREAKOUT, message));
    }
    let read = |named: ModelInterface| {
        let name = InterfaceName::new(&named.name);
        let name = name.map_err(|message| settings.refuse(&tor::MODEL, message))?;
        let state = patterns.state(name.as_str(), std::iter::empty());
        let plug = Plug::Fixed(named.connector);
        let cable = String::new();
        Ok(Interface { line: 0, name, rate: Some(named.rate), plug, enabled: true, state, cable })
    };
    model.named_interfaces(lanes).into_iter().map(read).collect()
}

/// The ports of the old plan that the design keeps, with the labels of their fibres.
fn old_ports(project: &Project) -> Result<Vec<OldTor>, InputError> {
    let Some(folder) = &project.design.keep else { return Ok(Vec::new()) };
    let kept = WrittenPlan { folder, memory: project.design.memory };
    let document = plan_folder::read(kept, project.design.settings.texts())?;
    let file = folder.join(PlanDocument::FILE);
    let refuse =
        |field: &str, message: String| InputError::new(message).in_file(&file).in_field(field);
    let ports = document.old_ports().map_err(|message| refuse("ports", message))?;
    if ports.is_empty() {
        return Ok(Vec::new());
    }
    let (design, ..) = document.restore(&file)?;
    let fabric = design.fabric.build().map_err(|error| refuse("fabric", error.to_string()))?;
    let fabric = fabric.transmitting_by(document.platform().transmit_port());
    let racks = document.tor_names().into_iter().zip(ports).zip(fabric.tor_ids());
    let old = racks.map(|((rack, ports), tor)| {
        let branch = u32::try_from(fabric.splitter_branch(tor)).unwrap_or(u32::MAX);
        let mut fibres = vec![Vec::new(); fabric.end_of_ports(tor) as usize];
        for port in fabric.ports(tor) {
            let heard = port.hears.map(|sender| branch_label(&fabric, sender, branch));
            let fed = port.transmits.then(|| feed_label(&fabric, tor));
            fibres[port.number as usize].extend(heard.into_iter().chain(fed));
        }
        OldTor { rack: rack.to_owned(), interfaces: ports.interfaces, fibres }
    });
    Ok(old.collect())
}
