//! Trunks that were there before the fabric grew or shrank. Fibres that lie in them stay in their strands,
//! and further fibres of a row take its free strands first.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_topology::hall::{GivenFibre, GivenPanel, GivenSocket, GivenTrunk};
use lightloom_topology::{RackId, RowId, TorId};

use crate::connector::Connector;
use crate::error::PlantError;
use crate::fibre::{Far, FibreId};
use crate::hardware::Hardware;
use crate::plant::Plant;

/// Fibres of one MPO connector.
const POSITIONS: usize = Connector::MPO_FIBRES as usize;

/// A strand: the position of its trunk among those that are there, and its own in that trunk.
type Strand = (usize, usize);

/// The strands of the trunks that are there.
#[derive(Default)]
pub(super) struct Strands {
    /// What each strand carries, by trunk. `None`: it is free.
    carries: Vec<Vec<Option<FibreId>>>,
    /// The fibres that lie in a strand.
    laid: BTreeSet<FibreId>,
    /// The free strands of each row, in order.
    free: BTreeMap<RowId, Vec<Strand>>,
    /// The frame of the first panel of each row.
    frames: BTreeMap<RowId, RackId>,
}

impl Strands {
    /// The strands that the placement gives, with the fibres of this fabric in them. A strand whose fibre is no more is
    /// free.
    ///
    /// # Errors
    /// [`PlantError::GivenTrunk`] for the first trunk that cannot be there.
    pub fn of(plant: &Plant, hardware: &Hardware) -> Result<Self, PlantError> {
        let given = plant.site.placement.trunks();
        let mut strands = Self::default();
        let fibres = fibres_by_label(plant);
        let mut sockets = BTreeSet::new();
        for (at, trunk) in given.trunks.iter().enumerate() {
            let refuse = |fault| PlantError::GivenTrunk { label: format!("T{}", at + 1), fault };
            let row = row_of(&given.panels, trunk, hardware).map_err(refuse)?;
            if !trunk.legs.iter().flatten().all(|&socket| sockets.insert(socket)) {
                return Err(refuse("two connectors are in one socket"));
            }
            let mut carries = vec![None; trunk.strands.len()];
            for (strand, label) in trunk.strands.iter().enumerate() {
                let fibre = label.as_ref().and_then(|label| fibres.get(label).copied());
                let Some(fibre) = fibre else {
                    strands.free.entry(row).or_default().push((at, strand));
                    continue;
                };
                if row_of_tor(plant, plant.fibres[fibre.index()].tor()) != row {
                    return Err(refuse("it carries a fibre of another row"));
                }
                if !strands.laid.insert(fibre) {
                    return Err(refuse("it carries a fibre that lies in another strand, too"));
                }
                carries[strand] = Some(fibre);
            }
            strands.carries.push(carries);
        }
        for panel in given.panels.iter().filter(|panel| panel.in_frame) {
            strands.frames.entry(panel.row).or_insert(panel.rack);
        }
        Ok(strands)
    }

    /// Gives the fibres of a row that lie in no strand the free strands of the row, and returns those for which there
    /// is none. Light of one direction stays together: strands come first beside such light, then in dark connectors.
    pub fn fill(&mut self, plant: &Plant, row: RowId, fibres: &[FibreId]) -> Vec<FibreId> {
        let mut free = self.free.remove(&row).unwrap_or_default();
        let mut left = Vec::new();
        for &fibre in fibres.iter().filter(|&fibre| !self.laid.contains(fibre)) {
            let is_feed = plant.fibres[fibre.index()].is_feed();
            let mixed = |at: &usize| (self.mixed(plant, free[*at], is_feed), *at);
            match (0..free.len()).min_by_key(mixed) {
                None => left.push(fibre),
                Some(at) => {
                    let (trunk, strand) = free.remove(at);
                    self.carries[trunk][strand] = Some(fibre);
                }
            }
        }
        let without: BTreeSet<FibreId> = left.iter().copied().collect();
        self.laid.extend(fibres.iter().filter(|&fibre| !without.contains(fibre)));
        left
    }

    /// How badly the light of a fibre goes with that in the connector of a strand. 0: it has the same direction.
    fn mixed(&self, plant: &Plant, (trunk, strand): Strand, is_feed: bool) -> u8 {
        let first = strand / POSITIONS * POSITIONS;
        let lit = self.carries[trunk][first..].iter().take(POSITIONS).flatten();
        let same = |fibre: &FibreId| plant.fibres[fibre.index()].is_feed() == is_feed;
        match (lit.clone().any(same), lit.clone().any(|fibre| !same(fibre))) {
            (true, false) => 0,
            (false, false) => 1,
            (true, true) => 2,
            (false, true) => 3,
        }
    }

    /// Number of trunks that are there.
    pub fn count(&self) -> usize {
        self.carries.len()
    }

    /// What the connectors of a trunk carry.
    pub fn carried(&self, trunk: usize) -> impl Iterator<Item = [Option<FibreId>; POSITIONS]> {
        let legs = self.carries[trunk].chunks(POSITIONS);
        legs.map(|leg| std::array::from_fn(|position| leg.get(position).copied().flatten()))
    }

    /// The frame of the panels of a row. `None`: it has none yet.
    pub fn frame(&self, row: RowId) -> Option<RackId> {
        self.frames.get(&row).copied()
    }
}

/// The row of a trunk. The error says why it cannot be there.
fn row_of(
    panels: &[GivenPanel],
    trunk: &GivenTrunk,
    hardware: &Hardware,
) -> Result<RowId, &'static str> {
    let whole = usize::from(trunk.fibres) >= trunk.legs.len() * POSITIONS
        && trunk.fibres.is_multiple_of(Connector::MPO_FIBRES)
        && trunk.strands.len() == trunk.legs.len() * POSITIONS;
    if !whole {
        return Err("its strands are not twelve for each connector");
    }
    let mut row = None;
    for [near, far] in &trunk.legs {
        let panel = |socket: &GivenSocket| {
            let is_port = (1..=hardware.rear_ports()).contains(&socket.port);
            panels.get(socket.panel as usize).filter(|_| is_port)
        };
        let (Some(near), Some(far)) = (panel(near), panel(far)) else {
            return Err("a connector is in no socket of a panel");
        };
        if near.in_frame || !far.in_frame || near.row != far.row {
            return Err(
                "it does not run from the panel of a row to the panel of that row in a frame",
            );
        }
        if row.is_some_and(|row| row != near.row) {
            return Err("its connectors are in panels of several rows");
        }
        row = Some(near.row);
    }
    row.ok_or("no connector of it is plugged in")
}

/// The fibres by the numbers on their labels.
fn fibres_by_label(plant: &Plant) -> BTreeMap<GivenFibre, FibreId> {
    let fabric = &plant.site.fabric;
    let label = |(id, fibre): (FibreId, &crate::fibre::Fibre)| {
        let label = match fibre.far {
            Far::SplitterInput => GivenFibre::Feed(fabric.number(fibre.from)),
            Far::Receiver { branch, .. } => {
                GivenFibre::Branch(fabric.splitter_number(fibre.from), branch)
            }
        };
        (label, id)
    };
    plant.numbered().map(label).collect()
}

fn row_of_tor(plant: &Plant, tor: TorId) -> RowId {
    plant.site.hall.rack(plant.site.placement.rack(tor)).row
}
