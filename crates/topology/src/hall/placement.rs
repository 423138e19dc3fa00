//! The rack of each ToR.

use std::collections::BTreeMap;

use crate::hall::given::{GivenModule, GivenTrunks};
use crate::id::{CassetteId, RackId, TorId};

/// One rack per ToR; no rack is used twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    rack_of: Vec<RackId>,
    /// The racks of the first cassettes, where they are given.
    shelves: Vec<RackId>,
    /// The modules in frames whose places are given.
    modules: Vec<GivenModule>,
    /// The panels and trunks that are there.
    trunks: GivenTrunks,
}

/// The reason why ToRs do not fit the racks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// Not enough racks.
    #[error("found {racks} racks for {tors} ToRs; give at least as many racks as ToRs")]
    TooFewRacks {
        /// Available racks.
        racks: usize,
        /// ToRs to place.
        tors: usize,
    },
    /// A rack has two ToRs.
    #[error("rack {rack} is given to two ToRs, {first} and {second}")]
    RackTwice {
        /// The rack.
        rack: RackId,
        /// One ToR.
        first: TorId,
        /// The other one.
        second: TorId,
    },
    /// A ToR is given a rack that holds no ToR.
    #[error("ToR {tor} is given rack {rack}, which is a frame")]
    NoTorRack {
        /// The rack.
        rack: RackId,
        /// The ToR.
        tor: TorId,
    },
}

impl Placement {
    /// Places the ToRs of `fixed` on the racks that it gives, and all others on the remaining ones of
    /// `racks`, in order. ToRs are numbered cassette by cassette (column by column in a Shufflecast:
    /// shufflecast:IV-B.placement), so receivers of one cassette are side by side.
    ///
    /// # Errors
    /// [`PlacementError`] if a rack is given twice, if a given rack is not one of `racks`, or if there are too
    /// few racks.
    pub fn new(
        tors: usize,
        racks: &[RackId],
        fixed: &[Option<RackId>],
    ) -> Result<Self, PlacementError> {
        let (found, racks) = (racks.len(), racks.iter().map(|&rack| (rack, None)));
        let mut holder: BTreeMap<RackId, Option<TorId>> = racks.collect();
        if found < tors {
            return Err(PlacementError::TooFewRacks { racks: found, tors });
        }
        for (tor, rack) in fixed.iter().enumerate() {
            let (Some(rack), second) = (*rack, TorId::at(tor)) else { continue };
            let Some(slot) = holder.get_mut(&rack) else {
                return Err(PlacementError::NoTorRack { rack, tor: second });
            };
            if let Some(first) = slot.replace(second) {
                return Err(PlacementError::RackTwice { rack, first, second });
            }
        }
        let mut free = holder.iter().filter(|(_, tor)| tor.is_none()).map(|(&rack, _)| rack);
        let rack_of: Option<Vec<RackId>> = (0..tors)
            .map(|tor| fixed.get(tor).copied().flatten().or_else(|| free.next()))
            .collect();
        let rack_of = rack_of.ok_or(PlacementError::TooFewRacks { racks: found, tors })?;
        let (shelves, modules, trunks) = (Vec::new(), Vec::new(), GivenTrunks::default());
        Ok(Self { rack_of, shelves, modules, trunks })
    }

    /// The same placement with given racks of the first cassettes, cassette 0 first.
    #[must_use]
    pub fn with_shelves(self, shelves: Vec<RackId>) -> Self {
        Self { shelves, ..self }
    }

    /// The same placement with given places of modules in frames.
    #[must_use]
    pub fn with_modules(self, modules: Vec<GivenModule>) -> Self {
        Self { modules, ..self }
    }

    /// The same placement with panels and trunks that are there.
    #[must_use]
    pub fn with_trunks(self, trunks: GivenTrunks) -> Self {
        Self { trunks, ..self }
    }

    /// The panels and trunks that are there.
    pub fn trunks(&self) -> &GivenTrunks {
        &self.trunks
    }

    /// The modules in frames whose places are given.
    pub fn modules(&self) -> &[GivenModule] {
        &self.modules
    }

    /// The given rack of a cassette. `None`: the rack among its receivers that is nearest to all of them.
    pub fn shelf(&self, cassette: CassetteId) -> Option<RackId> {
        self.shelves.get(cassette.index()).copied()
    }

    /// The given racks of the first cassettes.
    pub fn shelves(&self) -> &[RackId] {
        &self.shelves
    }

    /// The rack of a ToR.
    pub fn rack(&self, tor: TorId) -> RackId {
        self.rack_of[tor.index()]
    }

    /// The rack of each ToR, by ToR.
    pub fn racks(&self) -> &[RackId] {
        &self.rack_of
    }
}
