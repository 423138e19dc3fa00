//! Trees of one source and of all, as flat arrays: for programs, where people read reports.

use lightloom_request::{Error, InputError};
use lightloom_routing::{RelayRows, Tree};
use lightloom_topology::{CassetteId, TorId};
use lightloom_watch::Watch;

use crate::laid::check_size;
use crate::project::Project;
use crate::wiring::{Far, WiringPlan};

/// The most relays that are listed of all sources together: 1 GiB of them.
const MOST_RELAYS: usize = 1 << 28;

/// One source's tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeArrays {
    /// For each cassette the ToR that relays into it; the source for the one that it transmits into.
    pub relay_row: Vec<u32>,
    /// For each ToR the splitters that a packet crosses on its way there; 0 for the source.
    pub hops: Vec<u32>,
}

/// The relays of all sources: those of source *s* are `relays[offsets[s]..offsets[s + 1]]`, ascending,
/// itself among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelaySets {
    /// One more than there are sources.
    pub offsets: Vec<u64>,
    /// One after another.
    pub relays: Vec<u32>,
}

/// Where each ToR stands.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceArrays {
    /// Along the rows, in metres.
    pub x_m: Vec<f64>,
    /// Across the rows, in metres.
    pub y_m: Vec<f64>,
    /// Which of the rows.
    pub row: Vec<u32>,
    /// The rows of the hall, by name.
    pub rows: Vec<String>,
}

/// Every branch of every splitter, in the order of a plan's cables.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BranchArrays {
    /// Whose light it carries.
    pub from: Vec<u32>,
    /// Who receives it.
    pub to: Vec<u32>,
    /// The splitter output.
    pub output: Vec<u32>,
    /// The port of the receiver.
    pub port: Vec<u32>,
    /// Routed length from the transmitter to the splitter, in metres.
    pub feed_m: Vec<f64>,
    /// Routed length from the splitter to the receiver, in metres.
    pub branch_m: Vec<f64>,
}

impl Project {
    /// The tree of a source, as arrays.
    ///
    /// # Errors
    /// [`InputError`] when the router needs tables that this fabric is too large for.
    pub fn tree_arrays(&self, source: TorId) -> Result<TreeArrays, InputError> {
        let row = self.relay_row(source)?;
        let tree = Tree::new(&self.fabric, source, &row).map_err(InputError::new)?;
        let mut hops: Vec<u32> = self.fabric.tor_ids().map(|tor| tree.hops(tor)).collect();
        hops[source.index()] = 0;
        Ok(TreeArrays { relay_row: row.into_iter().map(|tor| tor.0).collect(), hops })
    }

    /// The relays of all sources.
    ///
    /// # Errors
    /// [`InputError`] when they are too many to be listed.
    pub fn relay_sets(&self, watch: Watch<'_>) -> Result<RelaySets, Error> {
        let (tors, cassettes) = (self.fabric.tors(), self.fabric.cassettes());
        let count = tors.saturating_mul(cassettes);
        if count > MOST_RELAYS {
            let message = format!(
                "{tors} sources have {count} relays in all; at most {MOST_RELAYS} are listed; ask for the \
                 trees of single sources"
            );
            return Err(InputError::new(message).into());
        }
        let mut rows = self.relay_rows()?;
        let mut relays = Vec::with_capacity(count);
        // A set bit for each relay of the row puts them in order faster than sorting does.
        let mut marks = vec![0_u64; tors.div_ceil(64)];
        for source in self.fabric.tor_ids() {
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

    /// For each ToR its number, the cassette that feeds it and the one that it transmits into, one
    /// after another.
    pub fn edge_array(&self) -> Vec<u32> {
        let ends = |tor| {
            let CassetteId(from) = self.fabric.receives_from(tor);
            let CassetteId(to) = self.fabric.transmits_into(tor);
            [tor.0, from, to]
        };
        self.fabric.tor_ids().flat_map(ends).collect()
    }

    /// Where each ToR stands.
    pub fn place_arrays(&self) -> PlaceArrays {
        let rack = |tor| self.hall.rack(self.placement.rack(tor));
        let tors = self.fabric.tor_ids();
        PlaceArrays {
            x_m: tors.clone().map(|tor| rack(tor).x.as_m()).collect(),
            y_m: tors.clone().map(|tor| self.hall.row(rack(tor).row).y.as_m()).collect(),
            row: tors.map(|tor| rack(tor).row.0).collect(),
            rows: self.hall.rows().iter().map(|row| row.name.to_string()).collect(),
        }
    }

    /// Every branch with its routed lengths.
    ///
    /// # Errors
    /// [`InputError`] when they are too many to be listed.
    pub fn branch_arrays(&self) -> Result<BranchArrays, InputError> {
        check_size(self)?;
        let wires = WiringPlan::new(self.site(), self.design.housing, self.catalogue.stock());
        let mut arrays = BranchArrays::default();
        let mut feed = 0.0;
        for cable in wires.cables() {
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
}

fn mark(marks: &mut [u64], row: &[TorId]) {
    for tor in row {
        marks[tor.index() / 64] |= 1 << (tor.index() % 64);
    }
}

/// Appends the positions of the bits that are set, ascending, and clears them.
fn take_marked(marks: &mut [u64], to: &mut Vec<u32>) {
    for (start, mark) in (0_u32..).step_by(64).zip(marks) {
        let mut left = std::mem::take(mark);
        while left != 0 {
            to.push(start + left.trailing_zeros());
            left &= left - 1;
        }
    }
}
