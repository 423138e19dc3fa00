//! The paper's answer for a number of ToRs that fits no p,k (section III-A1): wire the next larger
//! Shufflecast and let some ToRs act as two. Only a calculation; `kautz` makes it unnecessary.

use super::Shufflecast;
use crate::FabricError;

/// What the next larger Shufflecast with doubled ToRs would take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Doubled {
    /// The Shufflecast that is wired.
    pub shape: Shufflecast,
    /// Logical ToRs beyond the physical ones: roles that some ToR plays besides its own.
    pub extra_roles: u32,
    /// Splitters: one a logical ToR.
    pub splitters: u64,
    /// Transceivers, which are ports: p a logical ToR.
    pub transceivers: u64,
    /// Branch fibres: p a splitter.
    pub fibres: u64,
}

/// The smallest p,k-Shufflecast that holds `tors` ToRs, with ToRs doubled to fill it.
///
/// # Errors
/// [`FabricError`] when p is out of bounds or no such Shufflecast is small enough to plan.
pub fn doubled(p: u32, tors: u32) -> Result<Doubled, FabricError> {
    let mut k = 1;
    let shape = loop {
        let shape = Shufflecast::new(p, k)?;
        if shape.tors() >= tors {
            break shape;
        }
        k += 1;
    };
    let (n, p) = (u64::from(shape.tors()), u64::from(p));
    Ok(Doubled {
        shape,
        extra_roles: shape.tors() - tors,
        splitters: n,
        transceivers: n * p,
        fibres: n * p,
    })
}
