//! Trees, relays, places and branches as flat arrays, for programs. People read reports instead.

use lightloom_plan::laid::check_size;
use lightloom_plan::project::Project;
use lightloom_plant::Far;
use lightloom_request::{Error, InputError};
use lightloom_routing::{RelayRows, Tree};
use lightloom_topology::hall::Place;
use lightloom_topology::{CassetteId, RackId, RowId, TorId};
use lightloom_units::DataSize;
use lightloom_watch::Watch;

use crate::deal::{deal, shares};
use crate::floor::room_offsets;

/// Largest number of relays of all sources together: 1 GiB of them.
const MOST_RELAYS: usize = 1 << 28;

/// Tree of one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeArrays {
    /// For each cassette, the ToR that relays into it. For the cassette that the source transmits into, the
    /// source.
    pub relay_row: Vec<u32>,
    /// For each ToR, the number of splitters on a packet's way to it. 0 for the source.
    pub hops: Vec<u32>,
}

/// Relays of all sources. Those of source *s* are `relays[offsets[s]..offsets[s + 1]]`, ascending, including
/// *s*.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelaySets {
    /// Offsets into `relays`. One more entry than sources.
    pub offsets: Vec<u64>,
    /// The relays, source after source.
    pub relays: Vec<u32>,
}

/// Places of all ToRs, by ToR number.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceArrays {
    /// Distance along the rows, in metres.
    pub x_m: Vec<f64>,
    /// Distance across the rows, in metres.
    pub y_m: Vec<f64>,
    /// Index of the row in `rows`.
    pub row: Vec<u32>,
    /// Names of the rows of the hall.
    pub rows: Vec<String>,
}

/// All branches of all splitters, in the order of a plan's cables.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BranchArrays {
    /// The ToR whose light the branch carries.
    pub from: Vec<u32>,
    /// The receiving ToR.
    pub to: Vec<u32>,
    /// Number of the splitter output.
    pub output: Vec<u32>,
    /// Number of the receiver's port.
    pub port: Vec<u32>,
    /// Routed length from the transmitter to the splitter, in metres.
    pub feed_m: Vec<f64>,
    /// Routed length from the splitter to the receiver, in metres.
    pub branch_m: Vec<f64>,
}

/// The tree of a source as arrays.
///
/// # Errors
/// [`InputError`] if there is no such ToR, or if the router needs tables and the fabric is too large for them. Also
/// if the plan goes around failures, because a cassette may then have no relay or several ones.
pub fn tree_arrays(project: &Project, source: TorId) -> Result<TreeArrays, InputError> {
    project.check_is_there(source)?;
    project.refuse_repaired()?;
    let row = project.relay_row(source)?;
    let tree = Tree::new(project.fabric(), source, &row).map_err(InputError::new)?;
    let mut hops: Vec<u32> = project.fabric().tor_ids().map(|tor| tree.hops(tor)).collect();
    hops[source.index()] = 0;
    Ok(TreeArrays { relay_row: row.into_iter().map(|tor| tor.0).collect(), hops })
}

/// The relays of all sources, with the failures that the plan goes around.
///
/// # Errors
/// [`InputError`] if there are too many relays to list.
pub fn relay_sets(project: &Project, watch: Watch<'_>) -> Result<RelaySets, Error> {
    let (tors, cassettes) = (project.fabric().tors(), project.fabric().cassettes());
    let count = tors.saturating_mul(cassettes);
    if count > MOST_RELAYS {
        let message = format!(
            "{tors} sources have {count} relays in all; at most {MOST_RELAYS} are listed; ask for the \
             trees of single sources"
        );
        return Err(InputError::new(message).into());
    }
    if let Some(standing) = project.standing()? {
        let sets: Vec<Vec<TorId>> =
            project.fabric().tor_ids().map(|source| standing.relays_of(source)).collect();
        let ends = sets.iter().scan(0, |end, set| {
            *end += set.len() as u64;
            Some(*end)
        });
        let offsets = std::iter::once(0).chain(ends).collect();
        return Ok(RelaySets {
            offsets,
            relays: sets.into_iter().flatten().map(|tor| tor.0).collect(),
        });
    }
    let mut rows = project.relay_rows()?;
    let mut relays = Vec::with_capacity(count);
    // One bit per relay. Reading the bits sorts faster than a sort.
    let mut marks = vec![0_u64; tors.div_ceil(64)];
    for source in project.fabric().tor_ids() {
        if source.0.is_multiple_of(256) {
            watch.progress(source.0.into(), tors as u64)?;
        }
        match &mut rows {
            RelayRows::Listed(tables) => mark(&mut marks, tables.row(source)),
            each => mark(&mut marks, &each.row(source, cassettes)),
        }
        take_marked(&mut marks, &mut relays);
    }
    let offsets = (0..=tors as u64).map(|source| source * cassettes as u64).collect();
    Ok(RelaySets { offsets, relays })
}

/// Three numbers per ToR, one ToR after another: its number, the cassette that feeds it, and the cassette
/// that it transmits into.
pub fn edge_array(project: &Project) -> Vec<u32> {
    let ends = |tor| {
        let CassetteId(from) = project.fabric().receives_from(tor);
        let CassetteId(to) = project.fabric().transmits_into(tor);
        [tor.0, from, to]
    };
    project.fabric().tor_ids().flat_map(ends).collect()
}

/// Routed lengths in metres between the racks where ToRs may stand: by the rack of a splitter shelf, and then by the
/// rack of a ToR, in the order of the racks. The shelf is at its usual place beside its ToR.
///
/// # Errors
/// [`InputError`] if they need more memory than the design may take.
pub fn rack_lengths(project: &Project) -> Result<Vec<f64>, InputError> {
    let (design, hall) = (project.design(), project.hall());
    let racks = hall.racks_for_tors();
    let pairs = (racks.len() as u64).saturating_mul(racks.len() as u64);
    let needed = DataSize::from_bytes(pairs.saturating_mul(2 * size_of::<f64>() as u64));
    design.memory.check(&design.settings, "the lengths between all racks", needed)?;
    let row = |&rack: &RackId| {
        let shelf = Place { rack, height: hall.shelf_height(rack) };
        let length = move |&other: &RackId| {
            hall.route(shelf, Place { rack: other, height: hall.tor_height(other) }).length.as_m()
        };
        racks.iter().map(length).collect::<Vec<f64>>()
    };
    let rows = deal(&shares(racks.len()), 1, &mut |_, _| Ok(()), |share| {
        racks[share.clone()].iter().flat_map(row).collect::<Vec<f64>>()
    });
    // Its watch never stops this work.
    Ok(rows.unwrap_or_default().concat())
}

/// Places of all ToRs.
pub fn place_arrays(project: &Project) -> PlaceArrays {
    let rack = |tor| project.hall().rack(project.placement().rack(tor));
    let tors = project.fabric().tor_ids();
    let offsets = room_offsets(project);
    let y = |tor| {
        let row = project.hall().row(rack(tor).row);
        (offsets[row.room.index()] + row.y).as_m()
    };
    PlaceArrays {
        x_m: tors.clone().map(|tor| rack(tor).x.as_m()).collect(),
        y_m: tors.clone().map(y).collect(),
        row: tors.map(|tor| rack(tor).row.0).collect(),
        rows: (0..project.hall().rows().len())
            .map(|row| project.hall().row_name(RowId::at(row)))
            .collect(),
    }
}

/// All branches with their routed lengths.
///
/// # Errors
/// [`InputError`] if there are too many branches to list.
pub fn branch_arrays(project: &Project) -> Result<BranchArrays, InputError> {
    check_size(project)?;
    let laid = project.laid()?;
    let mut arrays = BranchArrays::default();
    let mut feed = 0.0;
    for cable in laid.plant().fibres() {
        match cable.far {
            // A plan lists each feed before its branches.
            Far::SplitterInput => feed = cable.length.as_m(),
            Far::Receiver { branch, tor, port } => {
                arrays.from.push(cable.from.0);
                arrays.to.push(tor.0);
                arrays.output.push(branch);
                arrays.port.push(port);
                arrays.feed_m.push(feed);
                arrays.branch_m.push(cable.length.as_m());
            }
        }
    }
    Ok(arrays)
}

fn mark(marks: &mut [u64], row: &[TorId]) {
    for tor in row {
        marks[tor.index() / 64] |= 1 << (tor.index() % 64);
    }
}

/// Appends the indices of the set bits, ascending, and clears the bits.
fn take_marked(marks: &mut [u64], to: &mut Vec<u32>) {
    for (start, mark) in (0_u32..).step_by(64).zip(marks) {
        let mut left = std::mem::take(mark);
        while left != 0 {
            to.push(start + left.trailing_zeros());
            left &= left - 1;
        }
    }
}
