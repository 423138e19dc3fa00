//! Which collective operations of the ranks belong together.

use std::collections::BTreeMap;

use lightloom_schedules::Operation;
use lightloom_units::DataSize;

use crate::at::At;
use crate::chakra::groups::Groups;
use crate::chakra::rank::Asked;
use crate::error::TraceError;
use crate::program::{Call, CallId, Need, Op, OpId, ProcessGroup, Rank, What};

/// The operations that each rank asks for, by process groups.
pub(super) type OfRanks = [BTreeMap<usize, Vec<Asked>>];
/// The operations of a rank, and what they need.
pub(super) type Making = (Vec<Op>, Vec<(OpId, Need)>);

/// The collective operations: the n-th of a process group on one rank is the n-th on all others. Also the number of
/// operations that have a root and do not name it. Enters the numbers of operations in the programs.
///
/// # Errors
/// [`TraceError`] at the operation of a rank that another rank does not have, or has otherwise.
pub(super) fn matched(
    groups: &Groups,
    asked: &OfRanks,
    programs: &mut [Making],
) -> Result<(Vec<Call>, usize), TraceError> {
    let mut calls = Vec::new();
    let mut rootless = 0;
    for (place, group) in groups.all.iter().enumerate() {
        let of_rank = |rank: &Rank| asked[rank.index()].get(&place).map_or(&[][..], Vec::as_slice);
        let all: Vec<&[Asked]> = group.ranks.iter().map(of_rank).collect();
        let first = all[0];
        for (&rank, own) in group.ranks.iter().zip(&all) {
            let at = |one: &Asked| At::Record(programs[rank.index()].0[one.op.index()].at);
            if let Some(wrong) = own.iter().zip(first).position(|(own, first)| differs(own, first))
            {
                let message = format!(
                    "operation {wrong} of {} is {}, and {} on rank {}; all ranks of a process group make the same ones",
                    named(group),
                    told(&own[wrong]),
                    told(&first[wrong]),
                    group.ranks[0].0
                );
                return Err(TraceError::new(message).of_rank(rank).at(at(&own[wrong])));
            }
            if own.len() != first.len() {
                let message = format!(
                    "makes {} collective operations of {}, and rank {} makes {}; the others would wait for ever",
                    own.len(),
                    named(group),
                    group.ranks[0].0,
                    first.len()
                );
                let last = own.last().map(at);
                let error = TraceError::new(message).of_rank(rank);
                return Err(last.map_or(error.clone(), |at| error.at(at)));
            }
        }
        for (number, one) in first.iter().enumerate() {
            let id = CallId(u32::try_from(calls.len()).unwrap_or(u32::MAX));
            let members = group.ranks.iter().zip(&all).map(|(&rank, own)| (rank, own[number].op));
            let members: Vec<(Rank, OpId)> = members.collect();
            for &(rank, op) in &members {
                programs[rank.index()].0[op.index()].what = What::Collective { call: id };
            }
            let wrong = |message: String| {
                let (rank, op) = members[0];
                let at = At::Record(programs[rank.index()].0[op.index()].at);
                TraceError::new(message).of_rank(rank).at(at)
            };
            let size = size(one, members.len()).map_err(wrong)?;
            let root = root(one, group).map_err(wrong)?;
            rootless += usize::from(one.operation.has_root() && one.root.is_none());
            calls.push(Call { group: place, operation: one.operation, size, root, members });
        }
    }
    Ok((calls, rootless))
}

fn differs(own: &Asked, first: &Asked) -> bool {
    (own.operation, own.bytes, own.root) != (first.operation, first.bytes, first.root)
}

/// Size of the data. A rank puts its part into an allgather or a gather, and all that it sends into the others.
fn size(one: &Asked, ranks: usize) -> Result<DataSize, String> {
    let bytes = match one.operation {
        Operation::Allgather | Operation::Gather => one.bytes.checked_mul(ranks as u64),
        _ => Some(one.bytes),
    };
    let bytes =
        bytes.ok_or_else(|| format!("{ranks} parts of {} B are too many bytes", one.bytes))?;
    Ok(DataSize::from_bytes(bytes))
}

/// The place of the root in its group; the first where none is said.
fn root(one: &Asked, group: &ProcessGroup) -> Result<usize, String> {
    let Some(root) = one.root else { return Ok(0) };
    group
        .ranks
        .iter()
        .position(|rank| *rank == root)
        .ok_or_else(|| format!("has root {}, which is no rank of {}", root.0, named(group)))
}

fn named(group: &ProcessGroup) -> String {
    match group.name.as_str() {
        "" => "all ranks".to_owned(),
        name => format!("process group {name:?}"),
    }
}

fn told(one: &Asked) -> String {
    let root = one.root.map(|root| format!(" from rank {}", root.0)).unwrap_or_default();
    format!("{} of {} B{root}", one.operation, one.bytes)
}
