//! How each port of a switch must be set, in no dialect.
//!
//! Light of the fabric goes one way. The ToR that a port hears does not hear that port. Protocols that expect an answer
//! on the same pair of fibres take the port down. A pause frame that the transmit port sends or obeys stops the wrong
//! ToRs.

use lightloom_design::devices::name::InterfaceName;
use lightloom_plan::project::Project;
use lightloom_power_cost::parts::{FaultSignalling, Fec};
use lightloom_units::{BitRate, named_enum};
use schemars::JsonSchema;

use crate::config::{MTU, PortUse, SwitchConfig, SwitchPort};
use crate::fabric::Configs;

named_enum! {
    /// Which way the light of a port goes.
    #[derive(JsonSchema)]
    pub enum Light {
        /// It sends light into the splitter of its ToR. It may hear another ToR.
        Transmits = "transmits",
        /// It hears one ToR. Its transmitter has no fibre.
        Listens = "listens",
        /// Both ways, to one partner: a server, an accelerator or the unicast network.
        TwoWay = "two-way",
    }
}

impl Light {
    /// The light of a port.
    pub fn of(port: &SwitchPort) -> Self {
        match port.used_for {
            PortUse::Fabric { .. } if port.transmits() => Self::Transmits,
            PortUse::Fabric { .. } => Self::Listens,
            PortUse::Server(_) | PortUse::Unicast | PortUse::Accelerator(_) | PortUse::Uplink => {
                Self::TwoWay
            }
        }
    }

    /// Whether the ToR at the other end of the receive fibre gets no light from this port.
    pub fn is_one_way(self) -> bool {
        self != Self::TwoWay
    }
}

named_enum! {
    /// Forward error correction of a port. Both ends of a fibre need the same, and light that goes one way cannot
    /// negotiate it.
    #[derive(JsonSchema)]
    pub enum PortFec {
        /// None.
        None = "none",
        /// A Reed-Solomon code of IEEE 802.3 clause 91.
        ReedSolomon = "reed-solomon",
        /// A code that the transceiver module itself applies.
        Module = "module",
    }
}

/// How a port must be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortSettings {
    /// Which way its light goes.
    pub light: Light,
    /// Link fault signalling.
    pub fault_signalling: FaultSignalling,
    /// The command of the model that switches link fault signalling off.
    pub fault_signalling_command: Option<String>,
    /// Whether the port must receive without a partner for its transmitter.
    pub unidirectional: bool,
    /// The command of the model for that.
    pub unidirectional_command: Option<String>,
    /// Detection of links that work one way only (UDLD).
    pub udld: bool,
    /// Aggregation of links (LACP).
    pub lacp: bool,
    /// Auto-negotiation and link training.
    pub negotiation: bool,
    /// Pause frames (IEEE 802.3x) and priority flow control, sent and obeyed.
    pub pause: bool,
    /// Learning of source addresses. The same source is heard at other ports after a repair.
    pub learning: bool,
    /// Flooding of frames that no entry fits.
    pub flooding: bool,
    /// IGMP snooping. Members are set by the tables, and a report must not change them.
    pub igmp_snooping: bool,
    /// Spanning tree.
    pub spanning_tree: bool,
    /// Limits on broadcast and unknown unicast. Multicast has none: that is what the fabric carries.
    pub storm_control: bool,
    /// Forward error correction. `None`: the design names no transceiver.
    pub fec: Option<PortFec>,
    /// Line rate. `None`: the design names no transceiver.
    pub rate: Option<BitRate>,
    /// Largest frame without the Ethernet header, in bytes.
    pub mtu: u32,
    /// LLDP, sent and heard. A port that listens hears which ToR it is connected to, which checks `cables.csv`.
    pub lldp: bool,
}

impl PortSettings {
    /// The settings of a port. `None`: the port is left as it is.
    pub fn of(project: &Project, port: &SwitchPort) -> Option<Self> {
        if matches!(port.used_for, PortUse::Unicast | PortUse::Uplink) {
            return None;
        }
        let light = Light::of(port);
        let one_way = light.is_one_way();
        let model = project.platform().model().filter(|_| one_way);
        let transceiver = project.optics().filter(|_| one_way);
        let transceiver = transceiver.map(|optics| &optics.optics.transceiver);
        let signals = one_way && !project.platform().cascades();
        Some(Self {
            light,
            fault_signalling: if signals { FaultSignalling::Off } else { FaultSignalling::On },
            fault_signalling_command: model
                .filter(|_| signals)
                .and_then(|model| model.fault_signalling_command.clone()),
            unidirectional: one_way,
            unidirectional_command: model.and_then(|model| model.unidirectional_command.clone()),
            udld: !one_way,
            lacp: !one_way,
            negotiation: !one_way,
            pause: !one_way,
            learning: !one_way,
            flooding: !one_way,
            igmp_snooping: false,
            spanning_tree: !one_way,
            storm_control: one_way,
            fec: transceiver.map(|transceiver| match transceiver.fec {
                Fec::None => PortFec::None,
                Fec::Rs528 | Fec::Rs544 => PortFec::ReedSolomon,
                Fec::Cfec | Fec::Ofec => PortFec::Module,
            }),
            rate: transceiver.map(|transceiver| transceiver.rate),
            mtu: MTU,
            lldp: true,
        })
    }
}

/// Settings of a port of a switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// How it is set. `None`: it is left as it is.
    pub settings: Option<PortSettings>,
    /// Name of its interface.
    pub interface: Option<InterfaceName>,
    /// Name of the ToR that it hears, or of its server.
    pub neighbour: Option<String>,
}

/// Settings of each port of a switch, by the number of the port.
pub fn settings(configs: &Configs<'_>, config: &SwitchConfig) -> Vec<Told> {
    let neighbour = |port: &SwitchPort| match port.used_for {
        PortUse::Fabric { hears, .. } => hears.map(|tor| configs.project.tor_name(tor).to_string()),
        PortUse::Server(id) => Some(configs.servers.all()[id.0].name.clone()),
        PortUse::Unicast | PortUse::Accelerator(_) | PortUse::Uplink => None,
    };
    let told = |port: &SwitchPort| Told {
        settings: PortSettings::of(configs.project, port),
        interface: port.interface.clone(),
        neighbour: neighbour(port),
    };
    config.ports.iter().map(told).collect()
}
