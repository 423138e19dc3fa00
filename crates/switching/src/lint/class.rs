//! The lossless class of switches, as planned or as read back.

use lightloom_topology::TorId;
use lightloom_units::DataSize;

use crate::config::MTU;
use crate::lint::{Finding, Rule, Severity};
use crate::lossless::Marking;
use crate::unicast::pauses_at;

/// What a port is for, as the class sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortOfClass {
    /// Unicast; with the headroom that its link needs. `None`: not known.
    Unicast(Option<DataSize>),
    /// A fibre of a splitter.
    Fibre,
    /// The plan does not know it.
    Unplanned,
}

/// The class at a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassAtPort {
    /// Its interface, or whose port it is.
    pub name: String,
    /// What it is for.
    pub used_for: PortOfClass,
    /// Whether it obeys pauses of the class; on a fibre, of any class.
    pub pauses: bool,
    /// Whether a watchdog frees it.
    pub is_watched: bool,
    /// Its headroom.
    pub headroom: DataSize,
    /// When its packets are marked. `None`: never.
    pub marking: Option<Marking>,
    /// Largest frame without the Ethernet header, in bytes. `None`: not said.
    pub mtu: Option<u64>,
}

/// The class at a switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassAtSwitch {
    /// The ToR.
    pub tor: TorId,
    /// What all ports share. `None`: not said, or there is none left.
    pub shared: Option<DataSize>,
    /// What ports have for themselves.
    pub reserved: DataSize,
    /// A group pauses its sender above 2^exponent of what is free. `None`: not said.
    pub exponent: Option<i8>,
    /// Its ports.
    pub ports: Vec<ClassAtPort>,
}

/// What is wrong with the class at these switches, whose buffers have this size and whose packets are to be marked so.
pub fn class_findings(
    buffer: DataSize,
    marking: Marking,
    switches: &[ClassAtSwitch],
) -> Vec<Finding> {
    let mut found = Vec::new();
    for switch in switches {
        let of_switch = of_buffer(buffer, switch);
        let of_ports = switch.ports.iter().flat_map(|port| of_port(switch, port, marking));
        found.extend(
            of_switch.into_iter().chain(of_ports).map(|finding| finding.at(switch.tor, None)),
        );
    }
    found
}

fn finding(severity: Severity, rule: Rule, text: String, remedy: &str) -> Finding {
    Finding::of_all(severity, rule, text, remedy)
}

fn of_buffer(buffer: DataSize, switch: &ClassAtSwitch) -> Option<Finding> {
    let taken =
        switch.reserved.as_bytes().saturating_add(switch.shared.map_or(0, DataSize::as_bytes));
    (taken > buffer.as_bytes()).then(|| {
        let text = format!(
            "ToR {} hands out {} of its buffer of {}: {} of ports alone, and {} that they share",
            switch.tor,
            bytes(taken),
            bytes(buffer.as_bytes()),
            bytes(switch.reserved.as_bytes()),
            bytes(taken - switch.reserved.as_bytes()),
        );
        let remedy = "take shorter cables, fewer lossless ports, or a switch with a larger buffer";
        finding(Severity::Error, Rule::HeadroomOverBuffer, text, remedy)
    })
}

fn of_port(switch: &ClassAtSwitch, port: &ClassAtPort, planned: Marking) -> Vec<Finding> {
    let (tor, name) = (switch.tor, &port.name);
    let error = |rule, text, remedy| finding(Severity::Error, rule, text, remedy);
    if port.used_for == PortOfClass::Fibre {
        let text =
            format!("{name} of ToR {tor} hears or feeds a splitter and has priority flow control");
        let remedy = "remove its row of PORT_QOS_MAP: a pause would stop the wrong ToRs";
        return port.pauses.then(|| error(Rule::PauseOnFibre, text, remedy)).into_iter().collect();
    }
    let PortOfClass::Unicast(needs) = port.used_for else {
        let text =
            format!("{name} of ToR {tor} has priority flow control, and the plan does not know it");
        let remedy =
            "list it as [[server]] or [[uplink]] in the file of groups, or remove its rows";
        let found = finding(Severity::Warning, Rule::LosslessUnplanned, text, remedy);
        return port.pauses.then_some(found).into_iter().collect();
    };
    let Some(needs) = needs else {
        let text = format!(
            "nothing says which headroom {name} of ToR {tor} needs: its rate or its cable is not given"
        );
        let remedy = "say rate and cable in the file of groups";
        return vec![finding(Severity::Warning, Rule::LosslessUnknown, text, remedy)];
    };
    let mut found = Vec::new();
    if !port.pauses {
        let text = format!(
            "{name} of ToR {tor} has no priority flow control: lossless packets are lost there"
        );
        found.push(error(Rule::NoPause, text, "switch it on for the priority of the class"));
    }
    if port.pauses && !port.is_watched {
        let text = format!(
            "{name} of ToR {tor} has priority flow control and no watchdog: one host can stop others for ever"
        );
        found.push(error(
            Rule::NoWatchdog,
            text,
            "give it a row of PFC_WD, and pfcwd_sw_enable in PORT_QOS_MAP",
        ));
    }
    if port.headroom < needs {
        let [has, needs] = [port.headroom, needs].map(|size| bytes(size.as_bytes()));
        let text = format!("{name} of ToR {tor} has headroom of {has} and needs {needs}");
        found.push(error(Rule::HeadroomTooSmall, text, "raise xoff of its profile"));
    }
    if port.mtu.is_some_and(|mtu| mtu > u64::from(MTU)) {
        let mtu = port.mtu.unwrap_or_default();
        let text = format!(
            "{name} of ToR {tor} takes frames of {mtu} bytes; headroom is planned for {MTU}"
        );
        found.push(error(Rule::FrameOverPlan, text, "set its MTU as planned"));
    }
    found.extend(of_marks(switch, port, planned));
    found
}

fn of_marks(switch: &ClassAtSwitch, port: &ClassAtPort, planned: Marking) -> Option<Finding> {
    let (tor, name) = (switch.tor, &port.name);
    let Some(marking) = port.marking else {
        let text =
            format!("{name} of ToR {tor} marks no packets: senders slow down by pauses alone");
        let remedy = "give its queue a profile that marks";
        return Some(finding(Severity::Error, Rule::MarkingDiffers, text, remedy));
    };
    let pauses = switch.shared.zip(switch.exponent).map(|(shared, exp)| pauses_at(shared, exp));
    if let Some(pauses) = pauses.filter(|&pauses| marking.max >= pauses) {
        let [max, pauses] = [marking.max, pauses].map(|size| bytes(size.as_bytes()));
        let text = format!(
            "{name} of ToR {tor} marks all packets from {max} on, and pauses its senders at {pauses} or less: it \
             pauses before it marks"
        );
        let remedy = "lower the thresholds of marking, or raise the share at which it pauses";
        return Some(finding(Severity::Error, Rule::MarkingAbovePause, text, remedy));
    }
    (marking != planned).then(|| {
        let say = |marking: Marking| {
            let [min, max] = [marking.min, marking.max].map(|size| bytes(size.as_bytes()));
            format!("{min} to {max} and {} %", marking.percent)
        };
        let (has, planned) = (say(marking), say(planned));
        let text = format!("{name} of ToR {tor} marks from {has}; planned are {planned}");
        finding(Severity::Warning, Rule::MarkingDiffers, text, "use the same thresholds everywhere")
    })
}

fn bytes(count: u64) -> String {
    format!("{count} B")
}
