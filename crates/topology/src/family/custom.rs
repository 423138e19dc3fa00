//! A fabric from anybody's edge list.

use crate::{CassetteId, Fabric, FabricError, TorId};

/// Why an edge list is not a fabric; `entry` is the position in the list.
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
    /// The list is complete, but no fabric.
    #[error(transparent)]
    Fabric(#[from] FabricError),
}

/// Makes a fabric from (ToR, cassette that feeds it, cassette that it transmits into) in any order.
///
/// # Errors
/// [`CustomError`] when ToRs are not numbered 0 … tors-1, each once, or [`Fabric::new`] refuses.
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
    let cassettes = edges.iter().map(|e| e.0.max(e.1).0.saturating_add(1)).max().unwrap_or(0);
    // More cassettes than ToRs cannot all be fed; say so before anything is sized by them.
    if cassettes as usize > edges.len() {
        let tor = edges.iter().position(|e| e.0.max(e.1).0 + 1 == cassettes).unwrap_or(0);
        return Err(FabricError::NoSuchCassette {
            tor: TorId::at(tor),
            cassette: CassetteId(cassettes - 1),
            last: u32::try_from(edges.len() - 1).unwrap_or(u32::MAX),
        }
        .into());
    }
    Ok(Fabric::new(fan_out, cassettes, &edges)?)
}
