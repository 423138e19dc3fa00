//! Execution traces of MLCommons Chakra (S. Sridharan et al., "Chakra: Advancing Performance Benchmarking and Co-design
//! using Standardized Execution Traces", arXiv:2305.14516): a file for each rank, of records in the wire format of
//! protocol buffers.
//!
//! The schema is `schema/protobuf/et_def.proto` of the project. Each record stands behind its length: one of metadata,
//! then one for each node. A node is a computation with a duration, a send, a receive, or a collective operation of a
//! process group. It begins when all nodes have ended that it names, by control or by data.
//!
//! The collective operations of a process group go one after the other on each rank, in the order of its file, as those
//! of a communicator do. The n-th of one rank is the n-th of all others.

mod attributes;
mod calls;
mod groups;
mod rank;
mod wire;

use std::collections::BTreeSet;

use lightloom_units::Speed;

use crate::error::TraceError;
use crate::program::{Program, Rank, Trace, Unit};

pub use groups::{NamedGroups, check_groups, named_groups};

/// What begins a file that gzip has packed.
const PACKED: [u8; 2] = [0x1f, 0x8b];

/// Reads a trace from the files of its ranks, in their order. `groups` are process groups that another file names, and
/// `speed` is that of computations that have operations and no duration.
///
/// # Errors
/// [`TraceError`] with rank and record: what is no Chakra, ends early, is not run here, or names what there is not.
pub fn read(
    files: &[impl AsRef<[u8]>],
    groups: &NamedGroups,
    speed: Option<Speed>,
) -> Result<Trace, TraceError> {
    let ranks = u32::try_from(files.len()).unwrap_or(u32::MAX);
    check_groups(groups, files.len())?;
    let mut known = groups::Groups::new(groups, ranks);
    let mut programs = Vec::with_capacity(files.len());
    let mut asked = Vec::with_capacity(files.len());
    let mut unused: BTreeSet<String> = BTreeSet::new();
    for (rank, file) in (0..ranks).map(Rank).zip(files) {
        let bytes = file.as_ref();
        if bytes.starts_with(&PACKED) {
            let message = "is packed with gzip; unpack it (gzip -d)";
            return Err(TraceError::new(message).of_rank(rank));
        }
        let of_rank = rank::read((rank, ranks), bytes, (&mut known, speed), &mut unused)
            .map_err(|error| error.of_rank(rank))?;
        programs.push((of_rank.ops, of_rank.needs));
        asked.push(of_rank.asked);
    }
    let (calls, rootless) = calls::matched(&known, &asked, &mut programs)?;
    let mut notes = Vec::new();
    if !unused.is_empty() {
        let names: Vec<String> = unused.iter().map(|name| format!("{name:?}")).collect();
        notes.push(format!("attributes that are not used: {}", names.join(", ")));
    }
    if rootless > 0 {
        notes.push(format!(
            "{rootless} broadcasts, scatters, gathers or reduces name no root; the first rank of their process group \
             is it"
        ));
    }
    let ranks = programs.into_iter().map(|(ops, needs)| Program::new(ops, needs)).collect();
    Ok(Trace { ranks, groups: known.all, calls, unit: Unit::Record, notes })
}
