//! The paper's construction for a number of ToRs that fits no p,k (shufflecast:III-A1.doubled): wire
//! the next larger Shufflecast and let some ToRs act as two. This is only a calculation; `kautz` makes
//! it unnecessary.

use crate::fabric::FabricError;
use crate::family::shufflecast::Shufflecast;

/// The parts of the next larger Shufflecast with doubled ToRs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Doubled {
    /// The shape of the wired Shufflecast.
    pub shape: Shufflecast,
    /// Logical ToRs beyond the physical ones: second roles of some ToRs.
    pub extra_roles: u32,
    /// Splitters: one per logical ToR.
    pub splitters: u64,
    /// Transceivers, equal to ports: p per logical ToR.
    pub transceivers: u64,
    /// Branch fibres: p per splitter.
    pub fibres: u64,
}

/// The smallest p,k-Shufflecast that holds `tors` ToRs, with ToRs doubled to fill it.
///
/// # Errors
/// [`FabricError`] if p is out of bounds or no such Shufflecast is small enough to plan.
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
