//! The fabric: cassettes are vertices, ToRs are edges.
//!
//! Each of the p splitters of a cassette feeds all receivers of the cassette. So any transmitter
//! into a cassette reaches every receiver of it. ToR *t* is the edge from the cassette that feeds
//! it to the cassette that it transmits into. A full cassette has p incoming and p outgoing edges,
//! and an empty seat is a missing edge. The p "mirrored relays" (shufflecast:III-C1.mirrors) are the
//! incoming edges of one cassette.

use std::collections::BTreeMap;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::id::{CassetteId, TorId};
use crate::seat::{Seat, SeatError, Seating};
use crate::transmit_port::TransmitPort;

/// The largest number of ToRs in a fabric: 2^22, some 16 million fibres at p = 4.
pub const MAX_TORS: u32 = 1 << 22;

/// The largest splitter: Shufflecast rules out 1:1024 because of its loss (shufflecast:II-C.giant).
pub const MAX_FAN_OUT: u32 = 1024;

/// The reason why a list of edges is not a fabric.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FabricError {
    /// A splitter has at least two outputs, and none is larger than 1:1024.
    #[error("found a splitter of 1:{0}; a splitter has 2 to {MAX_FAN_OUT} outputs")]
    FanOut(u32),
    /// A Shufflecast has at least one column.
    #[error("found k = {0}; a Shufflecast has at least 1 column")]
    Columns(u32),
    /// The number of ToRs is outside the range that can be planned.
    #[error("found {0} ToRs; a fabric has 2 to {MAX_TORS} ToRs")]
    Tors(u128),
    /// p and k give too many ToRs.
    #[error("p = {p}, k = {k} gives more than {MAX_TORS} ToRs; choose a smaller p or k")]
    Overflow {
        /// Splitter fan-out.
        p: u32,
        /// Columns.
        k: u32,
    },
    /// An edge names a cassette that does not exist.
    #[error("ToR {tor} names cassette {cassette}, but the cassettes are numbered 0 to {last}")]
    NoSuchCassette {
        /// The ToR.
        tor: TorId,
        /// The cassette that the edge names.
        cassette: CassetteId,
        /// The highest cassette number.
        last: u32,
    },
    /// Some cassette has no ToR that transmits into it.
    #[error(
        "found {cassettes} cassettes for {tors} ToRs; each cassette needs a ToR that transmits into it"
    )]
    TooManyCassettes {
        /// Number of cassettes.
        cassettes: u32,
        /// Number of ToRs.
        tors: usize,
    },
    /// More ToRs transmit into a cassette than it has splitters.
    #[error(
        "ToR {tor} is one too many to transmit into cassette {cassette}: it has {fan_out} splitters"
    )]
    TooManyTransmitters {
        /// The first ToR without a seat.
        tor: TorId,
        /// The cassette.
        cassette: CassetteId,
        /// Its seats.
        fan_out: u32,
    },
    /// More ToRs receive from a cassette than its splitters have outputs.
    #[error(
        "ToR {tor} is one too many to receive from cassette {cassette}: its splitters have {fan_out} outputs"
    )]
    TooManyReceivers {
        /// The first ToR without a seat.
        tor: TorId,
        /// The cassette.
        cassette: CassetteId,
        /// Its seats.
        fan_out: u32,
    },
    /// Given seats do not fit.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// Light from one cassette never reaches another, so some ToR cannot multicast to all.
    #[error("the fabric is disconnected: light from cassette {from} cannot reach cassette {to}")]
    Disconnected {
        /// The cassette where the light starts.
        from: CassetteId,
        /// The cassette that it does not reach.
        to: CassetteId,
    },
}

/// An immutable splitter fabric. Every cassette reaches every other, so every ToR can multicast to
/// all other ToRs.
#[derive(Debug, Clone)]
pub struct Fabric {
    fan_out: u32,
    /// Edge *i* is ToR *i*.
    graph: DiGraph<(), (), u32>,
    transmitters: Seats,
    receivers: Seats,
    /// `None`: ToRs are seated in the order of their numbers.
    seating: Option<Seating>,
    /// What the ports of a ToR hear, where that is otherwise than planned.
    pub(crate) heard: BTreeMap<TorId, Vec<TorId>>,
    pub(crate) transmit: TransmitPort,
}

impl Fabric {
    /// Makes a fabric of `cassettes` cassettes with 1:`fan_out` splitters; `edges[t]` is
    /// (cassette that feeds ToR t, cassette that ToR t transmits into).
    ///
    /// # Errors
    /// [`FabricError`] if a size is out of bounds, a cassette has more than `fan_out` incoming or
    /// outgoing edges, or a cassette cannot reach another.
    pub fn new(
        fan_out: u32,
        cassettes: u32,
        edges: &[(CassetteId, CassetteId)],
    ) -> Result<Self, FabricError> {
        check_fan_out(fan_out)?;
        check_tors(edges.len() as u128)?;
        if cassettes as usize > edges.len() {
            return Err(FabricError::TooManyCassettes { cassettes, tors: edges.len() });
        }
        for (tor, &(from, to)) in edges.iter().enumerate() {
            for cassette in [from, to] {
                if cassette.0 >= cassettes {
                    let (tor, last) = (TorId::at(tor), cassettes.saturating_sub(1));
                    return Err(FabricError::NoSuchCassette { tor, cassette, last });
                }
            }
        }
        let transmitters = Seats::group(cassettes, edges.iter().map(|e| e.1));
        let receivers = Seats::group(cassettes, edges.iter().map(|e| e.0));
        if let Some((cassette, tor)) = transmitters.overfull(fan_out) {
            return Err(FabricError::TooManyTransmitters { tor, cassette, fan_out });
        }
        if let Some((cassette, tor)) = receivers.overfull(fan_out) {
            return Err(FabricError::TooManyReceivers { tor, cassette, fan_out });
        }
        let mut graph = DiGraph::with_capacity(cassettes as usize, edges.len());
        for _ in 0..cassettes {
            graph.add_node(());
        }
        for &(from, to) in edges {
            graph.add_edge(NodeIndex::new(from.index()), NodeIndex::new(to.index()), ());
        }
        check_connected(&graph)?;
        Ok(Self {
            fan_out,
            graph,
            transmitters,
            receivers,
            seating: None,
            heard: BTreeMap::new(),
            transmit: TransmitPort::Shared,
        })
    }

    /// The same fabric with given seats and numbers on labels, ToR 0 first.
    ///
    /// # Errors
    /// [`FabricError::Seat`] if the seats do not fit.
    pub fn seated(mut self, seats: &[Seat]) -> Result<Self, FabricError> {
        if seats.len() != self.tors() {
            return Err(SeatError::Count { found: seats.len(), tors: self.tors() }.into());
        }
        let (transmitters, receivers) = (self.transmitters.groups_mut(), self.receivers.groups());
        self.seating = Some(Seating::new(self.fan_out, seats, transmitters, receivers)?);
        Ok(self)
    }

    /// The given seats. `None`: ToRs are seated in the order of their numbers.
    pub fn given_seats(&self) -> Option<&[Seat]> {
        self.seating.as_ref().map(|seating| seating.seats.as_slice())
    }

    /// The seats of a ToR, and the numbers on its labels.
    pub fn seat(&self, tor: TorId) -> Seat {
        match &self.seating {
            Some(seating) => seating.seats[tor.index()],
            None => Seat {
                slot: small(self.mirror_index(tor)),
                branch: small(position(self.receivers(self.receives_from(tor)), tor)),
                splitter: tor.0,
                number: tor.0,
            },
        }
    }

    /// The number on the labels of a ToR.
    pub fn number(&self, tor: TorId) -> u32 {
        self.seating.as_ref().map_or(tor.0, |seating| seating.seats[tor.index()].number)
    }

    /// The number on the labels of the splitter that a ToR feeds.
    pub fn splitter_number(&self, tor: TorId) -> u32 {
        self.seating.as_ref().map_or(tor.0, |seating| seating.seats[tor.index()].splitter)
    }

    /// p: the outputs of a splitter, and the seats on each side of a cassette.
    pub fn fan_out(&self) -> u32 {
        self.fan_out
    }

    /// N: the number of ToRs.
    pub fn tors(&self) -> usize {
        self.graph.edge_count()
    }

    /// The number of cassettes.
    pub fn cassettes(&self) -> usize {
        self.graph.node_count()
    }

    /// All ToRs in ascending order.
    pub fn tor_ids(&self) -> impl ExactSizeIterator<Item = TorId> + Clone + use<> {
        (0..self.tors()).map(TorId::at)
    }

    /// All cassettes in ascending order.
    pub fn cassette_ids(&self) -> impl ExactSizeIterator<Item = CassetteId> + Clone + use<> {
        (0..self.cassettes()).map(CassetteId::at)
    }

    /// The cassette whose splitters feed this ToR: the tail of its edge.
    ///
    /// # Panics
    /// If the ToR is not in this fabric.
    #[inline]
    pub fn receives_from(&self, tor: TorId) -> CassetteId {
        CassetteId::at(self.graph.raw_edges()[tor.index()].source().index())
    }

    /// The cassette that holds this ToR's splitter: the head of its edge.
    ///
    /// # Panics
    /// If the ToR is not in this fabric.
    #[inline]
    pub fn transmits_into(&self, tor: TorId) -> CassetteId {
        CassetteId::at(self.graph.raw_edges()[tor.index()].target().index())
    }

    /// The ToRs that transmit into a cassette (its "mirrored relays"), by slot; at most p. Without given
    /// seats they ascend.
    #[inline]
    pub fn transmitters(&self, cassette: CassetteId) -> &[TorId] {
        self.transmitters.of(cassette)
    }

    /// The ToR that feeds each splitter of a cassette, by slot up to the last one that is fed. `None`: its ToR left.
    pub fn splitters(&self, cassette: CassetteId) -> Vec<Option<TorId>> {
        let mut slots = Vec::new();
        for &tor in self.transmitters(cassette) {
            slots.resize(self.receive_port(tor) as usize, None);
            slots.push(Some(tor));
        }
        slots
    }

    /// The ToRs that a cassette feeds, ascending; at most p.
    #[inline]
    pub fn receivers(&self, cassette: CassetteId) -> &[TorId] {
        self.receivers.of(cassette)
    }

    /// This ToR's index among the mirrored relays of its cassette: its splitter's slot if no lower slot is empty.
    pub fn mirror_index(&self, tor: TorId) -> usize {
        let mirrors = self.transmitters(self.transmits_into(tor));
        match &self.seating {
            Some(seating) => {
                let slot = seating.seats[tor.index()].slot;
                mirrors.partition_point(|mirror| seating.seats[mirror.index()].slot < slot)
            }
            None => position(mirrors, tor),
        }
    }

    /// The planned receive port of this ToR's light, the same at each of its receivers: the slot of its splitter.
    pub fn receive_port(&self, from: TorId) -> u32 {
        match &self.seating {
            Some(seating) => seating.seats[from.index()].slot,
            None => small(self.mirror_index(from)),
        }
    }

    /// The splitter output that serves this ToR, the same on each splitter of the cassette that feeds it.
    /// Without given seats it is the ToR's index among the receivers of that cassette.
    pub fn splitter_branch(&self, tor: TorId) -> usize {
        match &self.seating {
            Some(seating) => seating.seats[tor.index()].branch as usize,
            None => position(self.receivers(self.receives_from(tor)), tor),
        }
    }

    /// Branch fibres: the splitter outputs that end in a receiver.
    pub fn branch_fibres(&self) -> u64 {
        self.cassette_ids()
            .map(|c| self.transmitters(c).len() as u64 * self.receivers(c).len() as u64)
            .sum()
    }

    /// The cassette graph, for algorithms of petgraph: node *c* is cassette *c*, edge *t* is
    /// ToR *t*.
    pub fn graph(&self) -> &DiGraph<(), (), u32> {
        &self.graph
    }
}

pub(crate) fn check_fan_out(p: u32) -> Result<(), FabricError> {
    if (2..=MAX_FAN_OUT).contains(&p) { Ok(()) } else { Err(FabricError::FanOut(p)) }
}

pub(crate) fn check_tors(tors: u128) -> Result<(), FabricError> {
    if (2..=u128::from(MAX_TORS)).contains(&tors) { Ok(()) } else { Err(FabricError::Tors(tors)) }
}

fn check_connected(graph: &DiGraph<(), (), u32>) -> Result<(), FabricError> {
    // Kosaraju returns components in reverse topological order: no edge leaves the first one.
    let components = kosaraju_scc(graph);
    if let [sink, .., head] = components.as_slice() {
        let lowest =
            |c: &Vec<NodeIndex>| CassetteId::at(c.iter().map(|v| v.index()).min().unwrap_or(0));
        return Err(FabricError::Disconnected { from: lowest(sink), to: lowest(head) });
    }
    Ok(())
}

/// An index among the seats of a cassette, at most [`MAX_FAN_OUT`].
fn small(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

fn position(seats: &[TorId], tor: TorId) -> usize {
    seats.partition_point(|&seat| seat < tor)
}

/// ToRs grouped by cassette, each group ascending: one flat list with the start of each group.
#[derive(Debug, Clone)]
struct Seats {
    start: Vec<u32>,
    tors: Vec<TorId>,
}

impl Seats {
    /// Groups ToR 0, 1, … by the cassettes that the iterator yields for them.
    fn group(cassettes: u32, of: impl ExactSizeIterator<Item = CassetteId> + Clone) -> Self {
        let mut start = vec![0_u32; cassettes as usize + 1];
        for cassette in of.clone() {
            start[cassette.index() + 1] += 1;
        }
        for i in 1..start.len() {
            start[i] += start[i - 1];
        }
        let mut next = start.clone();
        let mut tors = vec![TorId(0); of.len()];
        for (tor, cassette) in of.enumerate() {
            let slot = &mut next[cassette.index()];
            tors[*slot as usize] = TorId::at(tor);
            *slot += 1;
        }
        Self { start, tors }
    }

    #[inline]
    fn of(&self, cassette: CassetteId) -> &[TorId] {
        let c = cassette.index();
        &self.tors[self.start[c] as usize..self.start[c + 1] as usize]
    }

    fn groups(&self) -> impl Iterator<Item = &[TorId]> {
        (0..self.start.len() - 1).map(|c| self.of(CassetteId::at(c)))
    }

    fn groups_mut(&mut self) -> impl Iterator<Item = &mut [TorId]> {
        let lengths = self.start.windows(2).map(|pair| (pair[1] - pair[0]) as usize);
        let mut rest = self.tors.as_mut_slice();
        lengths.map(move |length| {
            let (group, others) = std::mem::take(&mut rest).split_at_mut(length);
            rest = others;
            group
        })
    }

    /// The first cassette with more than `fan_out` ToRs, and the first ToR too many.
    fn overfull(&self, fan_out: u32) -> Option<(CassetteId, TorId)> {
        (0..self.start.len() - 1)
            .map(CassetteId::at)
            .find_map(|c| Some((c, *self.of(c).get(fan_out as usize)?)))
    }
}
