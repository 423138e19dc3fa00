//! The lossless class as it is planned.

use crate::config::MTU;
use crate::fabric::Configs;
use crate::lint::Finding;
use crate::lint::class::{ClassAtPort, ClassAtSwitch, PortOfClass, class_findings};
use crate::lossless::Lossless;
use crate::unicast::{BufferShares, UnicastPort, Whose, ports};

/// What is wrong with the class that switches are to be told.
pub fn planned(configs: &Configs<'_>) -> Vec<Finding> {
    let Some(lossless) = &configs.lossless else { return Vec::new() };
    let tors = configs.project.fabric().tor_ids();
    let switches: Vec<_> = tors
        .map(|tor| {
            let ports = ports(configs, tor);
            let shares = BufferShares::of(lossless, &ports);
            ClassAtSwitch {
                tor,
                shared: shares.shared,
                reserved: shares.reserved,
                exponent: Some(lossless.buffer.exponent),
                ports: ports.iter().map(|port| at_port(configs, lossless, port)).collect(),
            }
        })
        .collect();
    class_findings(lossless.buffer.size, lossless.marking, &switches)
}

/// How a unicast port is called: by its interface, or by its server.
pub fn port_name(configs: &Configs<'_>, port: &UnicastPort<'_>) -> String {
    match (port.interface, port.whose) {
        (Some(interface), _) => interface.to_string(),
        (None, Whose::Server(id)) => {
            format!("the port of server {}", configs.servers.all()[id.0].name)
        }
        (None, Whose::Network) => "a port to the unicast network".to_owned(),
    }
}

fn at_port(configs: &Configs<'_>, lossless: &Lossless, port: &UnicastPort<'_>) -> ClassAtPort {
    let needs = port.headroom.map(|headroom| headroom.size);
    ClassAtPort {
        name: port_name(configs, port),
        used_for: PortOfClass::Unicast(needs),
        pauses: true,
        is_watched: true,
        headroom: needs.unwrap_or_default(),
        marking: Some(lossless.marking),
        mtu: Some(u64::from(MTU)),
    }
}
