//! A fabric in a hall.

use std::fmt::Debug;
use std::sync::Arc;

use lightloom_topology::hall::{Hall, Place, Placement, unit_height};
use lightloom_topology::{CassetteId, Fabric, RackId, TorId};
use lightloom_units::Length;

/// Names of the interfaces that are the fabric ports of the ToRs.
pub trait PortNames: Debug + Send + Sync {
    /// Name of the interface of a port.
    fn interface(&self, tor: TorId, port: u32) -> Option<&str>;

    /// Name of the interface that leads to a port of the accelerator beside the switch.
    fn to_accelerator(&self, tor: TorId, port: u32) -> Option<&str>;

    /// Name of the device that is a ToR. `None`: no inventory names it.
    fn device(&self, tor: TorId) -> Option<&str>;
}

/// Units of racks that other devices take.
pub trait TakenUnits: Debug + Send + Sync {
    /// Whether a unit of a rack is taken.
    fn is_taken(&self, rack: RackId, unit: u16) -> bool;
}

/// A fabric in a hall. Its parts are shared: a clone copies none of them.
#[derive(Debug, Clone)]
pub struct Site {
    /// The fabric.
    pub fabric: Arc<Fabric>,
    /// The hall.
    pub hall: Arc<Hall>,
    /// The rack of each ToR.
    pub placement: Arc<Placement>,
    /// Ports of each switch that lead to the accelerator beside it. 0: there is none.
    pub accelerator_ports: u32,
    /// The interface of each fabric port. `None`: ports have only numbers.
    pub ports: Option<Arc<dyn PortNames>>,
    /// Units that other devices take. `None`: there is no inventory of devices.
    pub taken: Option<Arc<dyn TakenUnits>>,
}

impl Site {
    pub(crate) fn place(rack: RackId, unit: u16) -> Place {
        Place { rack, height: unit_height(unit) }
    }

    /// The racks of a cassette's receivers.
    pub(crate) fn receiver_racks(&self, cassette: CassetteId) -> Vec<RackId> {
        self.fabric.receivers(cassette).iter().map(|&tor| self.placement.rack(tor)).collect()
    }
}

/// Of the racks of ToRs, the one whose splitters have the shortest fibres to all of these ToRs.
pub fn middle_of(hall: &Hall, racks: &[RackId]) -> RackId {
    nearest_of(hall, racks, racks)
}

/// Of some racks, the one whose splitters have the shortest fibres to all ToRs in these racks.
pub(crate) fn nearest_of(hall: &Hall, some: &[RackId], racks: &[RackId]) -> RackId {
    let total = |shelf: RackId| -> Length {
        let shelf = Place { rack: shelf, height: hall.shelf_height(shelf) };
        let ends = racks.iter().map(|&rack| Place { rack, height: hall.tor_height(rack) });
        ends.map(|end| hall.route(shelf, end).length).sum()
    };
    // Every cassette of a fabric has a receiver.
    some.iter().copied().min_by_key(|&rack| (total(rack), rack)).unwrap_or(RackId(0))
}
