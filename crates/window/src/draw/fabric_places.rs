//! Where the ToRs and cassettes of a fabric are drawn.

use std::f32::consts::TAU;

use egui::{Pos2, Rect, Vec2, pos2};
use lightloom::{CassetteId, Project, TorId};

use crate::command::FabricLayout;
use crate::draw::marks::Marks;
use crate::layers::Collapsed;

/// Distance between neighbours on the circle of ToRs.
const BETWEEN_TORS: f32 = 1.0;

/// Places in the units of the drawing: 1 is the distance between neighbours.
#[derive(Debug, Clone)]
pub struct FabricPlaces {
    /// The layout. A fabric without columns is always laid out by its cassettes.
    pub layout: FabricLayout,
    /// The extent of everything.
    pub bounds: Rect,
    /// The place of each ToR.
    pub tors: Vec<Pos2>,
    /// For each ToR, where it is drawn as a receiver. In columns, the first column is drawn again at the end,
    /// because the last one transmits into it.
    pub receivers: Vec<Pos2>,
    /// The place of each cassette. Empty in columns.
    pub cassettes: Vec<Pos2>,
    /// For each ToR, the cassettes that it receives from and transmits into.
    pub edges: Vec<(CassetteId, CassetteId)>,
    /// The receivers of each cassette.
    pub lit: Vec<Vec<TorId>>,
    /// Groups that are drawn as one mark.
    pub marks: Marks,
}

impl FabricPlaces {
    /// Lays out a fabric. Groups of ToRs are collapsed only where it has columns.
    pub fn new(project: &Project, wanted: FabricLayout, collapsed: &Collapsed) -> Self {
        let mut places = Self::laid_out(project, wanted);
        if places.cassettes.is_empty() {
            let middle = places.bounds.center();
            let both = [&mut places.tors[..], &mut places.receivers[..]];
            places.marks = Marks::new(project, collapsed, middle, both);
        }
        places
    }

    fn laid_out(project: &Project, wanted: FabricLayout) -> Self {
        let fabric = project.fabric();
        let ends = |tor| (fabric.receives_from(tor), fabric.transmits_into(tor));
        let edges: Vec<_> = fabric.tor_ids().map(ends).collect();
        let lit: Vec<_> =
            fabric.cassette_ids().map(|cassette| fabric.receivers(cassette).to_vec()).collect();
        match (project.design().fabric.shape(), wanted) {
            (Some(shape), FabricLayout::Columns) => {
                let step = column_step(shape.rows(), shape.k());
                let at = |column: u32, row: u32| pos2(real(column) * step, real(row));
                let tors: Vec<_> =
                    fabric.tor_ids().map(|tor| at(shape.column(tor), shape.row(tor))).collect();
                let receiver = |tor| match shape.column(tor) {
                    0 => at(shape.k(), shape.row(tor)),
                    column => at(column, shape.row(tor)),
                };
                let receivers = fabric.tor_ids().map(receiver).collect();
                let bounds = Rect::from_min_max(Pos2::ZERO, at(shape.k(), shape.rows() - 1));
                Self {
                    marks: Marks::default(),
                    layout: FabricLayout::Columns,
                    bounds: bounds.expand(1.0),
                    tors,
                    receivers,
                    cassettes: Vec::new(),
                    edges,
                    lit,
                }
            }
            _ => Self::around(edges, lit),
        }
    }

    /// Cassettes on a circle. Inside of it is a circle of all ToRs, each beside the cassette that feeds it, so that no
    /// two ToRs are at one place.
    fn around(edges: Vec<(CassetteId, CassetteId)>, lit: Vec<Vec<TorId>>) -> Self {
        // A cassette without receivers has the room of one.
        let rooms = || lit.iter().map(|receivers| receivers.len().max(1));
        let slots = real_of(rooms().sum());
        let inner = (slots * BETWEEN_TORS / TAU).max(1.5);
        // With many receivers, a cassette is farther away, so that its lines to them can be told apart.
        let outer = inner + (real_of(rooms().max().unwrap_or(1)) * 0.35).max(2.0);
        let on_circle = |slot: f32, radius: f32| {
            (Vec2::angled(TAU * slot / slots - TAU / 4.0) * radius).to_pos2()
        };
        let mut tors = vec![Pos2::ZERO; edges.len()];
        let mut cassettes = Vec::with_capacity(lit.len());
        let mut first = 0;
        for (receivers, room) in lit.iter().zip(rooms()) {
            for (number, tor) in receivers.iter().enumerate() {
                tors[tor.index()] = on_circle(real_of(first + number), inner);
            }
            cassettes.push(on_circle(real_of(first) + real_of(room - 1) / 2.0, outer));
            first += room;
        }
        let bounds = Rect::from_points(&tors).union(Rect::from_points(&cassettes)).expand(1.0);
        let layout = FabricLayout::Cassettes;
        let (marks, receivers) = (Marks::default(), tors.clone());
        Self { layout, bounds, receivers, tors, cassettes, edges, lit, marks }
    }

    /// Whether the fibres of all sources can be told apart: there are few of them.
    pub fn is_small(&self) -> bool {
        const MOST: usize = 600;
        let per_tor =
            if self.cassettes.is_empty() { self.lit.first().map_or(0, Vec::len) } else { 2 };
        self.tors.len() * per_tor <= MOST
    }

    /// The ToR that is drawn nearest to a point, within `reach`.
    pub fn nearest(&self, at: Pos2, reach: f32) -> Option<TorId> {
        let near = |(index, place): (usize, &Pos2)| (place.distance_sq(at), index);
        let both = self.tors.iter().enumerate().chain(self.receivers.iter().enumerate());
        let both = both.filter(|(index, _)| !self.marks.has(TorId::at(*index)));
        let (distance, index) = both.map(near).min_by(|a, b| a.0.total_cmp(&b.0))?;
        (distance <= reach * reach).then(|| TorId::at(index))
    }

    /// The cassette that is drawn nearest to a point, within `reach`.
    pub fn nearest_cassette(&self, at: Pos2, reach: f32) -> Option<CassetteId> {
        let near = |(index, place): (usize, &Pos2)| (place.distance_sq(at), index);
        let cassettes = self.cassettes.iter().enumerate().map(near);
        let (distance, index) = cassettes.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (distance <= reach * reach).then(|| CassetteId::at(index))
    }

    /// The lines of a ToR's transmission: to each receiver in columns; else one line from the cassette that feeds it,
    /// through the ToR, to the cassette that it transmits into.
    pub fn lines(&self, tor: TorId) -> Vec<[Pos2; 2]> {
        let at = self.tors[tor.index()];
        let (from, into) = self.edges[tor.index()];
        if self.cassettes.is_empty() {
            let receivers = self.lit[into.index()].iter();
            return receivers.map(|receiver| [at, self.receivers[receiver.index()]]).collect();
        }
        vec![[self.cassettes[from.index()], at], [at, self.cassettes[into.index()]]]
    }

    /// Whether the fabric has this branch.
    pub fn has_branch(&self, from: TorId, to: TorId) -> bool {
        let into = self.edges.get(from.index()).map(|&(_, into)| into);
        into.and_then(|into| self.lit.get(into.index())).is_some_and(|lit| lit.contains(&to))
    }

    /// The line of one branch.
    pub fn branch(&self, from: TorId, to: TorId) -> impl Iterator<Item = [Pos2; 2]> {
        let (start, end) = (self.tors[from.index()], self.receivers[to.index()]);
        let cassette = self.cassettes.get(self.edges[from.index()].1.index()).copied();
        let feed = cassette.map(|cassette| [start, cassette]);
        feed.into_iter().chain([[cassette.unwrap_or(start), end]])
    }
}

/// Distance between columns that makes the drawing about half as high again as wide.
fn column_step(rows: u32, columns: u32) -> f32 {
    (real(rows) * 1.5 / real(columns)).max(3.0)
}

#[allow(clippy::cast_precision_loss, reason = "places of a drawing")]
fn real(number: u32) -> f32 {
    number as f32
}

#[allow(clippy::cast_precision_loss, reason = "places of a drawing")]
fn real_of(number: usize) -> f32 {
    number as f32
}
