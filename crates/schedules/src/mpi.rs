//! The choice of MPI_Bcast in MPICH by size and members (Thakur, Rabenseifner, Gropp: Optimization of Collective
//! Communication Operations in MPICH, IJHPCA 19, 2005). The limits are the defaults of MPICH.

use crate::binomial;
use crate::given::Given;
use crate::graph::Graph;
use crate::scatter;

/// Shorter messages go down a binomial tree (MPIR_CVAR_BCAST_SHORT_MSG_SIZE), in bytes.
pub(crate) const SHORT: u64 = 12_288;
/// Messages from here on go round a ring (MPIR_CVAR_BCAST_LONG_MSG_SIZE), in bytes.
const LONG: u64 = 524_288;
/// So do those to fewer members (MPIR_CVAR_BCAST_MIN_PROCS), down a binomial tree.
const FEW: u32 = 8;

pub(crate) fn broadcast(given: &Given) -> Graph {
    if given.bytes < SHORT || given.members < FEW {
        binomial::broadcast(given)
    } else if given.bytes < LONG && given.members.is_power_of_two() {
        scatter::doubling(given)
    } else {
        scatter::ring(given)
    }
}
