//! The interfaces of ToRs that rows of a file of groups name.

use lightloom_design::devices::name::InterfaceName;
use lightloom_plan::project::Project;
use lightloom_request::InputError;
use lightloom_switching::lossless::UnicastLink;
use lightloom_topology::TorId;

use crate::rows::Row;

/// The names of the interfaces that the fabric leaves free, in the order of the model. The logical ToRs of a switch
/// share them, one after another. `None` for each server if the design names no interfaces.
pub(super) fn free(
    project: &Project,
    tor: TorId,
    count: u32,
) -> Result<Vec<Option<InterfaceName>>, String> {
    let count = count as usize;
    let Some(ports) = project.ports() else { return Ok(vec![None; count]) };
    let placement = project.placement();
    let used = placement.beside(tor).map(|tor| &ports.tors()[tor.index()]);
    let used = used.flat_map(|tor| tor.interfaces.iter().chain(&tor.accelerator));
    let used: Vec<&InterfaceName> = used.collect();
    let Some(model) = project.platform().model() else {
        return Err("the design names interfaces but no model; list servers as [[server]]".into());
    };
    let names = model.named_interfaces(1).into_iter().map(|interface| interface.name);
    let free = names.filter(|name| !used.iter().any(|used| used.as_str() == name));
    let before = placement.slot(tor) as usize * count;
    let free = free.skip(before).take(count);
    let free: Result<Vec<_>, String> =
        free.map(|name| InterfaceName::new(&name).map(Some)).collect();
    let free = free?;
    if free.len() < count {
        return Err(format!("ToR {tor} has {} free interfaces; expected {count}", free.len()));
    }
    Ok(free)
}

/// The interface that a row names. `None`: the design names no interfaces.
pub(super) fn of_row(
    project: &Project,
    row: &Row<'_>,
    tor: TorId,
) -> Result<Option<InterfaceName>, InputError> {
    let said = row.text("interface")?;
    let Some(ports) = project.ports() else {
        return match said {
            None => Ok(None),
            Some(_) => Err(row.refuse(
                "interface",
                "the design names no interfaces; name a switch model, or leave this out",
            )),
        };
    };
    let said = said.ok_or_else(|| row.missing("interface", "\"Ethernet17\""))?;
    let name = InterfaceName::new(said).map_err(|message| row.refuse("interface", message))?;
    let is_port = |tor: &TorId| ports.tors()[tor.index()].interfaces.contains(&name);
    if let Some(tor) = project.placement().beside(tor).find(is_port) {
        let message = format!("{name} of ToR {tor} is a port of the fabric; name another one");
        return Err(row.refuse("interface", message));
    }
    if ports.tors()[tor.index()].accelerator.contains(&name) {
        let message = format!("{name} of ToR {tor} leads to its accelerator; name another one");
        return Err(row.refuse("interface", message));
    }
    if let Some(model) = project.platform().model() {
        let known = [1, 2, 4, 8].into_iter().flat_map(|lanes| model.named_interfaces(lanes));
        let mut known = known.map(|interface| interface.name).peekable();
        if known.peek().is_some() && !known.any(|known| known == said) {
            let message = format!("{} has no interface {said:?}", model.name);
            return Err(row.refuse("interface", message));
        }
    }
    Ok(Some(name))
}

/// Checks that the model of the switches has an interface of this name that is fast enough for a link.
pub(super) fn check_rate(
    project: &Project,
    row: &Row<'_>,
    (interface, link): (Option<&InterfaceName>, Option<UnicastLink>),
) -> Result<(), InputError> {
    let (Some(interface), Some(link)) = (interface, link) else { return Ok(()) };
    let Some(model) = project.platform().model() else { return Ok(()) };
    let lanes = [1, 2, 4, 8].into_iter().flat_map(|lanes| model.named_interfaces(lanes));
    let rates = lanes.filter(|known| known.name == interface.as_str()).map(|known| known.rate);
    match rates.max() {
        Some(most) if most < link.rate => {
            let message = format!("found {}; {interface} of {} has {most}", link.rate, model.name);
            Err(row.refuse("rate", message))
        }
        _ => Ok(()),
    }
}
