//! Ports that would go down, signal faults to the wrong ToRs, or are too few.

use lightloom_plan::platform_report::PlatformReport;
use lightloom_plan::project::Project;
use lightloom_topology::TorId;

use crate::config::{PortUse, SwitchConfig, SwitchPort};
use crate::lint::{Finding, Rule, Severity};

/// Ports whose link fault signalling stays on, or of which nothing is known.
pub(super) fn signalling(project: &Project, switches: &[SwitchConfig]) -> Vec<Finding> {
    let report = PlatformReport::new(project.platform(), project.fabric(), project.placement());
    if project.platform().cascades() {
        return switches.iter().flat_map(|config| signals(project, config)).collect();
    }
    match project.platform().ability() {
        Some(_) => Vec::new(),
        None => {
            let name = report.model.as_deref().unwrap_or("the switch model of this design");
            let text = format!(
                "nothing says whether link fault signalling of {name} can be switched off; a port with it on stops \
                 sending when it hears nothing"
            );
            let remedy = "look it up, and say fault_signalling in a catalogue row of your own";
            let rule = Rule::FaultSignallingUnknown;
            vec![Finding::of_all(Severity::Warning, rule, text, remedy)]
        }
    }
}

/// The findings of one switch whose ports signal faults.
fn signals(project: &Project, config: &SwitchConfig) -> Vec<Finding> {
    let (fabric, tor) = (project.fabric(), config.tor);
    let remedy = "switch link fault signalling off on every fabric port, or take a model that can";
    let reached: Vec<String> = fabric
        .receivers(fabric.transmits_into(tor))
        .iter()
        .map(|receiver| receiver.to_string())
        .collect();
    let mut found = Vec::new();
    let mut listening = Vec::new();
    for port in &config.ports {
        match port.used_for {
            PortUse::Fabric { hears: Some(hears), transmits: true, .. } => {
                let text = format!(
                    "when port {} of ToR {tor} hears nothing from ToR {hears}, it sends remote fault in place of data; \
                     that reaches ToRs {}",
                    port.number,
                    reached.join(", ")
                );
                let finding = Finding::of_all(Severity::Error, Rule::RemoteFault, text, remedy);
                found.push(finding.at(tor, Some(port.number)));
            }
            PortUse::Fabric { hears: Some(hears), .. } => listening.push((port.number, hears)),
            // A design whose transmit ports receive nothing has link fault signalling off.
            PortUse::Fabric { hears: None, .. }
            | PortUse::Server(_)
            | PortUse::Unicast
            | PortUse::Accelerator(_)
            | PortUse::Uplink => {}
        }
    }
    for (number, hears) in listening {
        let text = format!(
            "port {number} of ToR {tor} goes down when ToR {hears} sends remote fault, though light arrives"
        );
        let finding = Finding::of_all(Severity::Warning, Rule::LinkDown, text, remedy);
        found.push(finding.at(tor, Some(number)));
    }
    found
}

/// ToRs with fewer ports than the fabric and the servers need.
pub(super) fn too_few(project: &Project, switches: &[SwitchConfig]) -> Vec<Finding> {
    let Some(model) = project.platform().model() else { return Vec::new() };
    let rate = project.optics().map(|optics| optics.optics.transceiver.rate);
    let has: u32 = model.ports.iter().map(|group| group.count).sum();
    let fast = model.ports.iter().filter(|group| rate.is_none_or(|rate| group.rate >= rate));
    let fast: u32 = fast.map(|group| group.count).sum();
    let finding = |tor: TorId, needs: usize, what: &str, has: u32| {
        let switch = if project.is_logical() { "the switch of " } else { "" };
        let text = format!("{switch}ToR {tor} needs {needs} {what}, and {} has {has}", model.name);
        let remedy = "take a model with more ports, a smaller fan-out, or fewer servers";
        Finding::of_all(Severity::Error, Rule::TooFewPorts, text, remedy).at(tor, None)
    };
    let placement = project.placement();
    // A switch is found at the first of its logical ToRs.
    let of = |config: &SwitchConfig| {
        if placement.slot(config.tor) > 0 {
            return None;
        }
        let of_switch = placement.beside(config.tor).filter_map(|tor| switches.get(tor.index()));
        let ports: Vec<&SwitchPort> = of_switch.flat_map(|of| &of.ports).collect();
        let used =
            |is: fn(&PortUse) -> bool| ports.iter().filter(|port| is(&port.used_for)).count();
        let fabric = used(|port| matches!(port, PortUse::Fabric { .. }));
        let all =
            fabric + used(|port| matches!(port, PortUse::Server(_) | PortUse::Accelerator(_)));
        let lacks = |needs: usize, has: u32| u32::try_from(needs).is_ok_and(|needs| needs > has);
        if lacks(fabric, fast) {
            Some(finding(config.tor, fabric, "ports of the fabric's rate", fast))
        } else if lacks(all, has) {
            Some(finding(config.tor, all, "ports for the fabric, accelerators and servers", has))
        } else {
            None
        }
    };
    switches.iter().filter_map(of).collect()
}
