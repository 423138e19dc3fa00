//! The lossless class of unicast: priority flow control, marks, and the headroom that each link needs.
//!
//! RoCE beside the splitters wants few losses, so the papers ask for priority flow control there
//! (cepheus:V-C.lossless). A fibre of a splitter never has it: a pause would stop the wrong ToRs.

mod headroom;

use std::collections::BTreeMap;

use lightloom_design::devices::name::InterfaceName;
use lightloom_topology::TorId;
use lightloom_units::{DataSize, Span};

pub use headroom::{Headroom, LARGEST_FRAME, UnicastLink, response_quanta};

use crate::server::ServerId;

/// A class of traffic: its code point of differentiated services, and its priority of IEEE 802.1Q.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrafficClass {
    /// 0 to 63.
    pub dscp: u8,
    /// 0 to 7. It is also the number of the queue and of the priority group.
    pub priority: u8,
}

/// Acknowledgements and notifications: CS6.
pub const CONTROL: TrafficClass = TrafficClass { dscp: 48, priority: 6 };
/// Lossless data, unless a file says otherwise: AF31.
pub const LOSSLESS: TrafficClass = TrafficClass { dscp: 26, priority: 3 };
/// Everything else.
pub const LOSSY: TrafficClass = TrafficClass { dscp: 0, priority: 0 };

/// When packets in a queue are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marking {
    /// Below it none is.
    pub min: DataSize,
    /// Above it all are.
    pub max: DataSize,
    /// How many are just below `max`.
    pub percent: u8,
}

/// The packet buffer of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PacketBuffer {
    /// All of it.
    pub size: DataSize,
    /// It is handed out in cells of this size. A frame takes whole cells.
    pub cell: DataSize,
    /// A priority group pauses its sender above 2^exponent of what is free.
    pub exponent: i8,
}

/// A port to the unicast network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uplink {
    /// Its ToR.
    pub tor: TorId,
    /// Its interface.
    pub interface: InterfaceName,
    /// Its link. `None`: not known.
    pub link: Option<UnicastLink>,
}

/// The lossless class of a fabric's unicast ports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lossless {
    /// Code point and priority.
    pub class: TrafficClass,
    /// When its packets are marked.
    pub marking: Marking,
    /// The buffer of each switch.
    pub buffer: PacketBuffer,
    /// Bytes under way in the pipeline and the PHY of this end when a pause goes out.
    pub phy: DataSize,
    /// Time after which the other end begins no more frames, in quanta of 512 bits, for all rates. `None`: that of IEEE
    /// 802.3 for each rate.
    pub quanta: Option<u32>,
    /// A port that is paused for longer is freed by its watchdog.
    pub watchdog: Span,
    /// The links of servers. One that is not here is not known.
    pub links: BTreeMap<ServerId, UnicastLink>,
    /// The ports to the unicast network.
    pub uplinks: Vec<Uplink>,
}

/// The settings of the class that do not depend on a link.
pub type ClassSettings = (TrafficClass, Marking, PacketBuffer, Span);

impl Lossless {
    /// The settings that do not depend on a link.
    pub fn settings(&self) -> ClassSettings {
        (self.class, self.marking, self.buffer, self.watchdog)
    }

    /// The headroom that a link needs. `None`: nothing says how fast the other end responds at this rate.
    pub fn headroom(&self, link: UnicastLink) -> Option<Headroom> {
        let quanta = self.quanta.or_else(|| response_quanta(link.rate))?;
        Some(Headroom::of(link, quanta, self.phy, self.buffer.cell))
    }

    /// What a priority group keeps for itself before its sender goes on: two of the largest frames, in whole cells.
    pub fn resume(&self) -> DataSize {
        let cell = self.buffer.cell.as_bytes();
        DataSize::from_bytes(2 * LARGEST_FRAME.as_bytes().div_ceil(cell) * cell)
    }
}
