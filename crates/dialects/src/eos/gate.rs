//! Arista EOS: the gate of a switch.
//!
//! A switch whose DirectFlow is off bridges: what arrives at a port leaves by all other ports of its VLAN. So a gate is
//! closed by two things. DirectFlow is off, and lists of the ports drop what comes from fibres, what goes into them,
//! and what servers send to groups. The lists let packets through only while flows decide: DirectFlow goes on before
//! they open, and off after they have closed. Each step is a file of its own, because a session has no order.
//!
//! DirectFlow is one for all logical ToRs of a switch. There the lists alone close a gate, and DirectFlow stays on.

use lightloom_request::InputError;
use lightloom_switching::config::{PortUse, Slot, SwitchConfig, SwitchPort};
use lightloom_switching::fabric::Configs;
use lightloom_switching::ports::Light;

use super::block::interface_text;
use crate::names::interface;

/// Lists of MAC addresses for the ports of fibres, each way: nothing but LLDP, and multicast of IPv4 too.
const CLOSED: &str = "lightloom-closed";
const OPEN: &str = "lightloom-only-multicast";
/// List of IPv4 addresses for the ports of servers, on the way in: everything but the groups.
const NO_GROUPS: &str = "lightloom-no-groups";
/// Those that LLDP is sent to.
const LLDP: &str = "permit any 0180.c200.000e 0000.0000.0000";

/// The lists, which do not depend on the gate.
pub(super) fn lists(configs: &Configs<'_>) -> String {
    let groups = configs.addresses.groups();
    format!(
        "mac access-list {CLOSED}\n   10 {LLDP}\n   20 deny any any\n!\n\
         mac access-list {OPEN}\n   10 permit any 0100.5e00.0000 0000.007f.ffff\n   20 {LLDP}\n   30 deny any any\n!\n\
         ip access-list {NO_GROUPS}\n   10 deny ip any {groups}\n   20 permit ip any any\n"
    )
}

/// The lines that remove the lists.
pub(super) fn no_lists() -> String {
    format!(
        "no mac access-list {CLOSED}\nno mac access-list {OPEN}\nno ip access-list {NO_GROUPS}\n"
    )
}

/// The lines of a port that name its lists.
pub(super) fn port_lines(port: &SwitchPort, is_open: bool) -> Vec<String> {
    let (list, no) = if is_open { (OPEN, "no ") } else { (CLOSED, "") };
    match port.used_for {
        _ if Light::of(port).is_one_way() => {
            vec![format!("mac access-group {list} in"), format!("mac access-group {list} out")]
        }
        PortUse::Server(_) => vec![format!("{no}ip access-group {NO_GROUPS} in")],
        PortUse::Fabric { .. } | PortUse::Unicast | PortUse::Accelerator(_) | PortUse::Uplink => {
            Vec::new()
        }
    }
}

/// The head of the block of flows of a switch whose gate is closed. Other logical ToRs may need DirectFlow.
pub(super) fn closed(slot: Slot) -> String {
    if slot.is_alone() { flows(false) } else { "!\ndirectflow\n".to_owned() }
}

/// The lines for DirectFlow.
pub(super) fn flows(are_on: bool) -> String {
    format!("!\ndirectflow\n   {}shutdown\n", if are_on { "no " } else { "" })
}

/// What opens or closes a gate, in two steps.
///
/// # Errors
/// [`InputError`] if an interface has no name, or one that is not a word.
pub(super) fn steps(config: &SwitchConfig, is_open: bool) -> Result<[String; 2], InputError> {
    let mut ports = String::new();
    for port in &config.ports {
        let lines = port_lines(port, is_open);
        if !lines.is_empty() {
            ports += &interface_text(interface("EOS", config.tor, port)?, &lines);
        }
    }
    Ok(match (is_open, config.slot.is_alone()) {
        (true, _) => [flows(true), ports],
        (false, true) => [ports, flows(false)],
        (false, false) => [ports, String::new()],
    })
}
