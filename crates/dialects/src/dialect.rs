//! The languages of switches, and what differs between them.

use lightloom_switching::config::SwitchConfig;
use lightloom_switching::fabric::Configs;
use lightloom_units::named_enum;
use schemars::JsonSchema;

use crate::not_expressed::{self, NotExpressed};
use crate::{eos, openflow, p4runtime, p4runtime_sonic, sonic};

named_enum! {
    /// A language of switches.
    #[derive(JsonSchema)]
    pub enum Dialect {
        /// OpenFlow 1.3 in the text form of `ovs-ofctl`. Proved on Open vSwitch.
        Openflow = "openflow",
        /// P4Runtime entries for a P4 program of our own. Never run on a switch.
        P4runtime = "p4runtime",
        /// P4Runtime entries for SONiC's published pipeline. Never run on a switch.
        P4runtimeSonic = "p4runtime-sonic",
        /// SONiC's config_db.json: settings of ports. Written from its YANG models and never run.
        Sonic = "sonic",
        /// Arista EOS: settings of ports, and the relay as flows of DirectFlow. Written from documents and never run.
        Eos = "eos",
    }
}

impl Dialect {
    /// Number of tables in a row that decide about a packet.
    pub fn stages(self) -> u32 {
        match self {
            Self::Openflow | Self::P4runtime | Self::Sonic => 2,
            Self::P4runtimeSonic | Self::Eos => 1,
        }
    }

    /// The number of a port in this dialect.
    pub(super) fn port_number(self, number: u32) -> u32 {
        match self {
            Self::P4runtime => p4runtime::port_number(number),
            Self::Openflow | Self::P4runtimeSonic | Self::Sonic | Self::Eos => number,
        }
    }

    /// Hops that packets need beside those of the plan.
    pub(super) fn more_hops(self) -> u32 {
        match self {
            Self::P4runtimeSonic => p4runtime_sonic::MORE_HOPS,
            Self::Openflow | Self::P4runtime | Self::Sonic | Self::Eos => 0,
        }
    }

    /// What the dialect cannot express of these switches.
    pub fn not_expressed(
        self,
        configs: &Configs<'_>,
        switches: &[SwitchConfig],
    ) -> Vec<NotExpressed> {
        match self {
            Self::Openflow | Self::P4runtime => Vec::new(),
            Self::P4runtimeSonic => not_expressed::pipeline(switches.len()),
            Self::Sonic => not_expressed::sonic(configs, switches.len()),
            Self::Eos => not_expressed::eos(configs, switches),
        }
    }

    /// The files that all switches share: name and content.
    pub(super) fn shared(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::P4runtime => &p4runtime::PROGRAM,
            Self::Openflow | Self::P4runtimeSonic | Self::Sonic | Self::Eos => &[],
        }
    }

    /// Endings of the files of a switch, behind `tor-` and its number.
    pub(super) fn kinds(self) -> &'static [&'static str] {
        match self {
            Self::Openflow => &openflow::FILES,
            Self::P4runtime => &p4runtime::FILES,
            Self::P4runtimeSonic => &p4runtime_sonic::FILES,
            Self::Sonic => &sonic::FILES,
            Self::Eos => &eos::FILES,
        }
    }
}
