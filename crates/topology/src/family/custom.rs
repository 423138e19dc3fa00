//! A fabric from the user's edge list.

use std::cmp::Reverse;

use crate::fabric::{Fabric, FabricError};
use crate::id::{CassetteId, TorId};

/// The reason why an edge list is not a fabric; `entry` is the position in the list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CustomError {
    /// A ToR is listed more than once.
    #[error("ToR {tor} is listed twice")]
    Twice {
        /// The second mention.
        entry: usize,
        /// The ToR.
        tor: TorId,
    },
    /// ToRs are numbered 0 … tors-1 without gaps.
    #[error("found ToR {tor} among {tors}; number the ToRs 0 to {} without gaps", tors - 1)]
    Gap {
        /// The entry out of range.
        entry: usize,
        /// The ToR.
        tor: TorId,
        /// Entries in the list.
        tors: usize,
    },
    /// The list is complete, but it is not a fabric.
    #[error(transparent)]
    Fabric(#[from] FabricError),
}

/// Makes a fabric from (ToR, cassette that feeds it, cassette that it transmits into) in any order.
///
/// # Errors
/// [`CustomError`] if ToRs are not numbered 0 … tors-1, each once, or if [`Fabric::new`] refuses.
pub fn custom(
    fan_out: u32,
    entries: &[(TorId, CassetteId, CassetteId)],
) -> Result<Fabric, CustomError> {
    let mut edges = vec![None; entries.len()];
    for (entry, &(tor, from, to)) in entries.iter().enumerate() {
        let tors = entries.len();
        let slot = edges.get_mut(tor.index()).ok_or(CustomError::Gap { entry, tor, tors })?;
        if slot.replace((from, to)).is_some() {
            return Err(CustomError::Twice { entry, tor });
        }
    }
    let edges: Vec<_> = edges.into_iter().flatten().collect();
    let highest = |edge: &(CassetteId, CassetteId)| edge.0.max(edge.1);
    let numbered = edges.iter().enumerate().map(|(tor, edge)| (highest(edge), TorId::at(tor)));
    let Some((cassette, tor)) = numbered.max_by_key(|&(cassette, tor)| (cassette, Reverse(tor)))
    else {
        return Err(FabricError::Tors(0).into());
    };
    // Every cassette needs a ToR that transmits into it, so their numbers stay below the ToRs'.
    if cassette.index() >= edges.len() {
        let last = u32::try_from(edges.len() - 1).unwrap_or(u32::MAX);
        return Err(FabricError::NoSuchCassette { tor, cassette, last }.into());
    }
    Ok(Fabric::new(fan_out, cassette.0 + 1, &edges)?)
}
