//! Interfaces of a plan that grows or shrinks: ports that stay keep theirs, and new ones get theirs by the rule that
//! named the old.

use std::collections::BTreeMap;

use lightloom_request::InputError;

use crate::accelerators;
use crate::interfaces::ports::PortPlan;
use crate::project::Project;
use lightloom_design::devices::tor_ports::TorPorts;

/// The interfaces of all ports of `after`, which grew or shrank from `before`. A ToR is known by its rack. `None`: the
/// plan names none.
///
/// # Errors
/// [`InputError`] if a ToR has too few interfaces, or too few ports for its accelerator.
pub(super) fn named(before: &Project, after: &Project) -> Result<Option<PortPlan>, InputError> {
    accelerators::check(after)?;
    let Some(plan) = &before.ports else { return Ok(None) };
    let names = before.fabric.tor_ids().map(|tor| before.tor_name(tor));
    let kept: BTreeMap<&str, &TorPorts> = names.zip(plan.tors()).collect();
    let refuse = |message: String| InputError::new(message).in_field("ports");
    let accelerator = after.platform.accelerator_ports();
    let ports = |tor| {
        let rack = &after.hall.rack(after.placement.rack(tor)).name;
        let count = after.fabric.end_of_ports(tor) as usize;
        let kept = kept.get(rack.as_str()).copied();
        plan.rule().ports(rack, kept, count, accelerator as usize).map_err(refuse)
    };
    let tors = after.fabric.tor_ids().map(ports).collect::<Result<_, _>>()?;
    let named = PortPlan::new(&after.fabric, &after.placement, accelerator, tors);
    let named = named.map_err(refuse)?;
    Ok(Some(named.ruled(plan.rule().clone())))
}
