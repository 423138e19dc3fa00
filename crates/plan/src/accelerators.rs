//! Accelerators beside the switches of a plan (cepheus:IV.accelerator): what they are, and whether switches have the
//! ports for them.

use lightloom_design::platform::Platform;
use lightloom_power_cost::parts::Accelerator;
use lightloom_request::{InputError, setting};
use lightloom_topology::Fabric;
use lightloom_topology::hall::Placement;
use lightloom_units::BitRate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::project::Project;

/// The accelerators of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedAccelerators {
    /// Name in the catalogue.
    pub name: String,
    /// Number of them: one beside each switch.
    pub count: usize,
    /// Ports of each of them. It takes as many of its switch.
    pub ports: u32,
    /// Line rate of each port, in bits a second.
    pub port_rate_bps: u64,
    /// What each takes and sends over all ports together, in bits a second. All groups of its switch share it.
    pub rate_bps: u64,
    /// From the last bit of a packet in it to the first bit of its first copy, in picoseconds. Null: unknown.
    pub latency_ps: Option<u64>,
    /// Memory for tables of groups, in bytes. Null: no limit is known.
    pub memory_bytes: Option<u64>,
    /// Most ports of a switch that a group may use, beside the one toward the sender. Null: no limit.
    pub fan_out: Option<u32>,
    /// The values that the catalogue does not know.
    pub unknown: Vec<String>,
    /// Source of the values.
    pub source: String,
    /// What stands where, as a sentence.
    pub message: String,
}

impl PlannedAccelerators {
    /// The accelerators of a platform. `None`: it has none.
    pub fn new(platform: &Platform, placement: &Placement) -> Option<Self> {
        let part = platform.accelerator()?;
        let count = placement.switches().len();
        let unknown = unknown(part);
        let lacks = match unknown.as_slice() {
            [] => String::new(),
            names => format!("; unknown: {}", names.join(", ")),
        };
        Some(Self {
            name: part.name.clone(),
            count,
            ports: part.ports,
            port_rate_bps: part.port_rate.as_bps(),
            rate_bps: part.total_rate().as_bps(),
            latency_ps: part.latency.map(lightloom_units::Span::as_ps),
            memory_bytes: part.memory.map(lightloom_units::DataSize::as_bytes),
            fan_out: part.fan_out,
            source: part.provenance.source.clone(),
            message: format!(
                "{count} {}, one beside each switch, which takes {} of its ports at {}{lacks}",
                part.name, part.ports, part.port_rate
            ),
            unknown,
        })
    }
}

/// The values that a row does not know.
fn unknown(part: &Accelerator) -> Vec<String> {
    let values = [
        ("latency", part.latency.is_none()),
        ("power", part.power.is_none()),
        ("price", part.price.is_none()),
    ];
    values.into_iter().filter(|(_, lacks)| *lacks).map(|(name, _)| name.to_owned()).collect()
}

/// Refuses accelerators whose switches have too few ports for them and for the fabric. Without a model nothing is
/// known of ports.
///
/// # Errors
/// [`InputError`] at the accelerator.
pub fn check(project: &Project) -> Result<(), InputError> {
    let (Some(part), Some(model)) = (project.platform.accelerator(), project.platform.model())
    else {
        return Ok(());
    };
    let at_least = |rate: BitRate| -> u32 {
        let groups = model.ports.iter().filter(|group| group.rate >= rate);
        groups.map(|group| group.count).sum()
    };
    // A fabric of an unknown rate can take any port.
    let of_fabric = project.optics.as_ref().map(|chosen| chosen.optics.transceiver.rate);
    let slower = of_fabric.map_or(BitRate::from_bps(0), |rate| rate.min(part.port_rate));
    let most = most_ports(&project.fabric);
    let (fast, all) = (at_least(part.port_rate), at_least(slower));
    if fast >= part.ports && all >= most.saturating_add(part.ports) {
        return Ok(());
    }
    let also = match of_fabric {
        None => format!("{all} in all"),
        Some(_) => format!("{all} of {slower} or more"),
    };
    let message = format!(
        "{} needs {} ports of {} beside {most} of the fabric; {} has {fast} ports of that rate or more, and {also}",
        part.name, part.ports, part.port_rate, model.name
    );
    Err(project.design.settings.refuse(&setting::tor::ACCELERATOR, message))
}

/// Ports of the fabric on the switch that has most of them.
fn most_ports(fabric: &Fabric) -> u32 {
    fabric.tor_ids().map(|tor| fabric.end_of_ports(tor)).max().unwrap_or(0)
}
