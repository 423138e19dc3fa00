//! Which rack each ToR stands in.

use crate::{RackId, TorId};

/// One rack for each ToR, no rack twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    rack_of: Vec<RackId>,
}

/// Why ToRs do not fit the racks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// Not enough racks.
    #[error("found {racks} racks for {tors} ToRs; give at least as many racks as ToRs")]
    TooFewRacks {
        /// Racks there are.
        racks: usize,
        /// ToRs to place.
        tors: usize,
    },
    /// A rack was given to two ToRs.
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
    /// Places ToRs: those that `fixed` names where it says, all others on the remaining racks in
    /// order. ToRs are numbered cassette by cassette (column by column in a Shufflecast), so
    /// receivers of one cassette stand side by side.
    ///
    /// # Errors
    /// [`PlacementError`] when a rack is named twice or racks run out.
    ///
    /// # Panics
    /// When `fixed` is longer than `tors` or names a rack beyond `racks`.
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
        Ok(Self { rack_of })
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
