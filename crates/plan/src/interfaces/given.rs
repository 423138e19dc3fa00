//! Devices of an inventory and interfaces of a switch model, as a project takes them.

use lightloom_design::inventory::InventoryNote;
use lightloom_power_cost::parts::{InterfaceGroup, ModelInterface};
use lightloom_request::setting::tor;
use lightloom_request::{InputError, Key};

use crate::accelerators;
use crate::interfaces::assign::{Known, assign};
use crate::open::kept::Kept;
use crate::project::Project;
use lightloom_design::devices::device::{DeviceList, Interface, Plug};
use lightloom_design::devices::name::InterfaceName;
use lightloom_design::devices::patterns::Patterns;
use lightloom_design::devices::tors::{TorDevices, TorRule};

/// The devices of the chosen racks, and which of them are ToRs.
#[derive(Debug, Clone)]
pub struct Inventoried {
    /// The devices, with their files.
    pub list: DeviceList,
    /// The ToR of each rack.
    pub tors: TorDevices,
    /// What makes a device a ToR.
    pub rule: TorRule,
    /// What there is to tell about the files.
    pub notes: Vec<InventoryNote>,
}

/// Gives a project the interfaces of its fabric ports.
///
/// # Errors
/// [`InputError`] if a ToR has too few fitting interfaces, or if settings choose among interfaces that nothing names.
pub(crate) fn equipped(
    mut project: Project,
    devices: Option<&Inventoried>,
    kept: Option<&Kept>,
) -> Result<Project, InputError> {
    accelerators::check(&project)?;
    let model = model_interfaces(&project)?;
    let is_named = devices.is_some() || !model.is_empty();
    // Without a name of any interface there is nothing to keep.
    let old = kept.filter(|_| is_named).map(Kept::ports).transpose()?.unwrap_or_default();
    let known = Known {
        devices: devices.map(|devices| (&devices.list, &devices.tors, &devices.rule)),
        model: &model,
        old: &old,
    };
    let assigned = assign(&project, &known)?;
    if assigned.is_none() {
        refuse_idle(&project)?;
    }
    project.port_notes.extend(devices.iter().flat_map(|devices| devices.notes.iter().cloned()));
    if let Some((ports, notes)) = assigned {
        project.ports = Some(ports.into());
        project.port_notes.extend(notes);
    }
    Ok(project)
}

/// Refuses settings that choose among interfaces, where nothing names any.
fn refuse_idle(project: &Project) -> Result<(), InputError> {
    let settings = &project.design.settings;
    let idle: [(&Key, bool); 3] = [
        (&tor::PORTS, settings.has(&tor::PORTS)),
        (&tor::RESERVED, settings.has(&tor::RESERVED)),
        (&tor::BREAKOUT, settings.value(&tor::BREAKOUT)? > 1),
    ];
    let Some((key, _)) = idle.into_iter().find(|(_, is_said)| *is_said) else { return Ok(()) };
    let message = "chooses among interfaces, but nothing names them; give the files of devices and \
                   interfaces, or a switch model whose row in the catalogue names its interfaces";
    Err(settings.refuse(key, message))
}

/// The interfaces that the switch model names.
fn model_interfaces(project: &Project) -> Result<Vec<Interface>, InputError> {
    let settings = &project.design.settings;
    let patterns = Patterns::read(settings)?;
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
