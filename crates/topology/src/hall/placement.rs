//! The rack of each ToR.

use crate::id::{CassetteId, RackId, TorId};

/// One rack per ToR; no rack is used twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    rack_of: Vec<RackId>,
    /// The racks of the first cassettes, where they are given.
    shelves: Vec<RackId>,
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
}

impl Placement {
    /// Places the ToRs of `fixed` on the racks that it gives, and all others on the remaining racks
    /// in order. ToRs are numbered cassette by cassette (column by column in a Shufflecast), so
    /// receivers of one cassette are side by side.
    ///
    /// # Errors
    /// [`PlacementError`] if a rack is given twice or there are too few racks.
    ///
    /// # Panics
    /// If `fixed` is longer than `tors` or has a rack beyond `racks`.
    pub fn new(
        tors: usize,
        racks: usize,
        fixed: &[Option<RackId>],
    ) -> Result<Self, PlacementError> {
        if racks < tors {
            return Err(PlacementError::TooFewRacks { racks, tors });
        }
        let mut holder: Vec<Option<TorId>> = vec![None; racks];
        for (tor, rack) in fixed.iter().enumerate() {
            let (Some(rack), second) = (*rack, TorId::at(tor)) else { continue };
            if let Some(first) = holder[rack.index()].replace(second) {
                return Err(PlacementError::RackTwice { rack, first, second });
            }
        }
        let mut free = (0..racks).filter(|&r| holder[r].is_none()).map(RackId::at);
        let rack_of: Option<Vec<RackId>> = (0..tors)
            .map(|tor| fixed.get(tor).copied().flatten().or_else(|| free.next()))
            .collect();
        let rack_of = rack_of.ok_or(PlacementError::TooFewRacks { racks, tors })?;
        Ok(Self { rack_of, shelves: Vec::new() })
    }

    /// The same placement with given racks of the first cassettes, cassette 0 first.
    #[must_use]
    pub fn with_shelves(self, shelves: Vec<RackId>) -> Self {
        Self { shelves, ..self }
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
