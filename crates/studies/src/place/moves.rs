//! The moves of a search for racks.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_plan::project::Project;
use lightloom_qap::Moves;
use lightloom_request::InputError;
use lightloom_topology::hall::{Housing, Shuffle};
use lightloom_topology::{RackId, RowId, TorId};

/// What may move.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Placing {
    /// The ToRs that stay in their racks.
    pub fixed: BTreeSet<TorId>,
    /// The racks that get no ToR. Those that hold a ToR of `fixed` keep it.
    pub forbidden: BTreeSet<RackId>,
    /// Groups of racks: a ToR stays within the group of its rack. Racks without a group are one group.
    pub groups: BTreeMap<RackId, String>,
}

/// The swaps that the user allows: within groups of racks, of whole cassettes with splitters at receivers, and of whole
/// rows with trunks.
///
/// # Errors
/// [`InputError`] if ToRs are kept where only whole rows change places.
pub(super) fn moves(
    project: &Project,
    placing: &Placing,
    racks: &[RackId],
    kept_racks: &BTreeSet<RackId>,
    location_of: &[u32],
) -> Result<Moves, InputError> {
    let mut sets: BTreeMap<Option<&String>, Vec<u32>> = BTreeMap::new();
    for (location, rack) in (0..).zip(racks) {
        if !kept_racks.contains(rack) {
            sets.entry(placing.groups.get(rack)).or_default().push(location);
        }
    }
    let mut sets: Vec<Vec<u32>> = sets.into_values().filter(|set| set.len() > 1).collect();
    let is_whole = placing.groups.is_empty() && placing.fixed.is_empty();
    let (fabric, scheme) = (project.fabric(), project.design().scheme);
    if scheme.is_trunked() && scheme.shuffle == Shuffle::Modules {
        // The connectors of a module go to the rows of its receivers, so only whole rows move.
        sets.clear();
        if !is_whole {
            let message = "with shuffle = \"modules\" only whole rows change places, so no ToR stays in its \
                           rack, fixed or kept by an old plan, and no racks are grouped";
            let option = if placing.groups.is_empty() { "fixed" } else { "rack_groups" };
            return Err(InputError::new(message).in_option(option));
        }
    }
    let blocks = match scheme.housing {
        Housing::Zone if is_whole && scheme.is_trunked() => whole_rows(project, racks),
        // The places of whole cassettes: those of as many receivers as most have.
        Housing::Receiver if is_whole => {
            let at = |tor: &TorId| location_of[tor.index()];
            let all = fabric.cassette_ids().map(|cassette| fabric.receivers(cassette));
            let whole = all.filter(|receivers| receivers.len() == fabric.fan_out() as usize);
            whole.map(|receivers| receivers.iter().map(at).collect()).collect()
        }
        _ => Vec::new(),
    };
    Ok(Moves { sets, blocks })
}

/// The positions of the racks of each row. Rows that are shorter than most are left out.
fn whole_rows(project: &Project, racks: &[RackId]) -> Vec<Vec<u32>> {
    let mut rows: BTreeMap<RowId, Vec<u32>> = BTreeMap::new();
    for (location, rack) in (0..).zip(racks) {
        rows.entry(project.hall().rack(*rack).row).or_default().push(location);
    }
    let mut lengths: Vec<usize> = rows.values().map(Vec::len).collect();
    lengths.sort_unstable();
    let usual = lengths.get(lengths.len() / 2).copied();
    rows.into_values().filter(|row| Some(row.len()) == usual).collect()
}
