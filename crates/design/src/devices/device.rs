//! Devices in racks, and their interfaces, as an inventory lists them.

use std::path::PathBuf;

use lightloom_power_cost::parts::Connector;
use lightloom_topology::hall::Name;
use lightloom_units::{BitRate, named_enum};

use crate::devices::name::InterfaceName;

/// The devices of the chosen racks.
#[derive(Debug, Clone)]
pub struct DeviceList {
    /// Path of the file with the devices.
    pub file: PathBuf,
    /// Path of the file with the interfaces. `None`: the design names none.
    pub interfaces_file: Option<PathBuf>,
    /// The devices, in file order.
    pub devices: Vec<Device>,
}

/// One device.
#[derive(Debug, Clone)]
pub struct Device {
    /// Line in the file, counted from 1.
    pub line: u64,
    /// Name of the device. `None`: it has none.
    pub name: Option<Name>,
    /// Name of its rack.
    pub rack: Name,
    /// Its role, as the file writes it. Empty: the file gives none.
    pub role: String,
    /// Its place in the rack. `None`: it is in no unit, such as a vertical power strip.
    pub mount: Option<Mount>,
    /// Its interfaces, in file order.
    pub interfaces: Vec<Interface>,
}

impl Device {
    /// The name for messages.
    pub fn shown(&self) -> String {
        match &self.name {
            Some(name) => format!("\"{name}\""),
            None => format!("without a name (line {})", self.line),
        }
    }
}

named_enum! {
    /// Side of a rack that a device is mounted on.
    #[derive(PartialOrd, Ord)]
    pub enum Face {
        /// The front.
        Front = "front",
        /// The rear.
        Rear = "rear",
    }
}

/// Place of a device in its rack, in half units: NetBox has devices of half a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mount {
    /// Bottom edge: half units above the bottom of unit 1.
    pub bottom: u32,
    /// Height in half units.
    pub height: u32,
    /// Side of the rack. `None`: the file gives none, so it takes both.
    pub face: Option<Face>,
}

impl Mount {
    /// The lowest unit that the device is in, counted from 1.
    pub fn lowest_unit(&self) -> u32 {
        self.bottom / 2 + 1
    }

    /// The number of units that the device is in, wholly or by half.
    pub fn units(&self) -> u32 {
        (self.bottom + self.height).div_ceil(2) - self.bottom / 2
    }

    /// Whether two devices of one rack need the same space.
    pub fn collides(&self, other: &Self) -> bool {
        let faces = self.face.is_none() || other.face.is_none() || self.face == other.face;
        faces
            && self.bottom < other.bottom + other.height
            && other.bottom < self.bottom + self.height
    }
}

/// One interface of a device.
#[derive(Debug, Clone)]
pub struct Interface {
    /// Line in the file, counted from 1.
    pub line: u64,
    /// Its name.
    pub name: InterfaceName,
    /// Line rate of its type. `None`: the type has none, or is unknown.
    pub rate: Option<BitRate>,
    /// The plug of its type.
    pub plug: Plug,
    /// Whether it is switched on.
    pub enabled: bool,
    /// Its use.
    pub state: State,
    /// Label of its cable, as the file writes it. Empty: none.
    pub cable: String,
}

/// Plugs of interfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plug {
    /// A cage, whose plug is that of the transceiver in it.
    Cage,
    /// The plug of a fixed optical port.
    Fixed(Connector),
    /// No fibre, or none of a duplex pair of single-mode fibres: copper, wireless, virtual, bidirectional.
    Other,
}

impl Plug {
    /// Whether a duplex transceiver with LC plugs can be in it.
    pub fn takes_lc(self) -> bool {
        matches!(self, Self::Cage | Self::Fixed(Connector::Lc))
    }
}

/// Use of an interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Nothing says that it is used.
    Free,
    /// A cable is in it, or it is marked as connected.
    Cabled,
    /// It belongs to a link aggregation group.
    InGroup,
    /// It is for management only.
    Management,
    /// It is reserved.
    Reserved,
    /// The design leaves it out (`tor.ports`).
    LeftOut,
}

impl State {
    /// The state in a list of counts.
    pub fn counted(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Cabled => "cabled",
            Self::InGroup => "in a link aggregation group",
            Self::Management => "for management only",
            Self::Reserved => "reserved",
            Self::LeftOut => "left out by tor.ports",
        }
    }
}
