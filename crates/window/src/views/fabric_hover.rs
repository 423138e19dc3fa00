//! What the pointer is over in the fabric, and what is told about it.

use egui::{Pos2, Ui};
use lightloom::light::OverTrays;
use lightloom::shown::amounts::decimals;
use lightloom::{Project, TorId};

use super::emit::Emit;
use super::fabric_drawing::{Drawing, MARK};
use super::repair::listed;
use crate::command::{Command, FabricLayout, Selection};
use crate::layers::{Group, Layer};
use crate::state::State;

/// Distance on the screen within which a fibre is meant, in points.
const NEAR: f32 = 5.0;

/// What is at a point of the drawing.
#[derive(Debug, Clone, Copy)]
pub enum Pointed {
    /// Nothing.
    Nothing,
    /// A collapsed group.
    Mark(Group),
    /// A ToR, a cassette or a fibre.
    Thing(Selection),
}

/// What is drawn at a point of the screen.
pub fn pointed_at(state: &State, drawing: &Drawing<'_>, on_screen: Pos2) -> Pointed {
    let scale = drawing.camera.scale;
    let reach = drawing.radius().max(8.0) / scale;
    let at = drawing.camera.to_drawing(drawing.screen, on_screen);
    if let Some(mark) = drawing.places.marks.at(at, MARK / 2.0 / scale) {
        return Pointed::Mark(mark.group);
    }
    let tor = drawing.places.nearest(at, reach).map(Selection::Tor);
    let thing = tor.or_else(|| drawing.places.nearest_cassette(at, reach).map(Selection::Cassette));
    match thing.or_else(|| nearest_fibre(state, drawing, at, NEAR / scale)) {
        Some(thing) => Pointed::Thing(thing),
        None => Pointed::Nothing,
    }
}

/// The drawn fibre that is nearest to a point: of the tree, or of all sources.
fn nearest_fibre(state: &State, drawing: &Drawing<'_>, at: Pos2, reach: f32) -> Option<Selection> {
    let (places, layers) = (drawing.places, &state.looks.layers);
    let mut best: Option<(f32, (TorId, TorId))> = None;
    let mut look = |from: TorId, to: TorId| {
        for line in places.branch(from, to) {
            let distance = distance(at, line);
            if distance <= reach && best.is_none_or(|(so_far, _)| distance < so_far) {
                best = Some((distance, (from, to)));
            }
        }
    };
    let spread = state.selection.source().and_then(|source| state.answers.tree(source));
    if let Some(spread) = spread.filter(|_| layers.has(Layer::Tree)) {
        for (&to, &(hops, from)) in &spread.copies {
            if hops > 0 {
                look(from, to);
            }
        }
    }
    let all = state.looks.fabric.all_fibres.unwrap_or(places.is_small());
    if all && layers.has(Layer::Fibres) {
        for (index, (_, into)) in places.edges.iter().enumerate() {
            for &to in &places.lit[into.index()] {
                look(TorId::at(index), to);
            }
        }
    }
    best.map(|(_, (from, to))| Selection::Fibre(from, to))
}

/// Distance of a point from a line.
pub fn distance(at: Pos2, [from, to]: [Pos2; 2]) -> f32 {
    let along = to - from;
    let share = ((at - from).dot(along) / along.length_sq().max(1e-9)).clamp(0.0, 1.0);
    at.distance(from + along * share)
}

/// What a thing is. `None`: nothing is there.
pub fn text(state: &State, pointed: Pointed) -> Option<String> {
    let project = state.project()?;
    let thing = match pointed {
        Pointed::Nothing => return None,
        Pointed::Mark(group) => {
            return Some(format!("{}, collapsed\nclick to expand it", group.name(|_| None)));
        }
        Pointed::Thing(thing) => thing,
    };
    Some(match thing {
        // The design may have become smaller than its last drawing.
        Selection::Tor(tor) if tor.index() >= project.fabric().tors() => format!("ToR {tor}"),
        Selection::Tor(tor) | Selection::Port(tor, _) => tor_text(project, tor),
        Selection::Cassette(cassette) if cassette.index() < project.fabric().cassettes() => {
            let fabric = project.fabric();
            format!(
                "cassette {cassette}\n{} ToRs transmit into it: {}\n{} ToRs hear it: {}",
                fabric.transmitters(cassette).len(),
                listed(fabric.transmitters(cassette)),
                fabric.receivers(cassette).len(),
                listed(fabric.receivers(cassette)),
            )
        }
        Selection::Cassette(cassette) => format!("cassette {cassette}"),
        Selection::Fibre(from, to) => {
            fibre_text(state.answers.all_fibres().map(AsRef::as_ref), from, to)
        }
        Selection::Nothing => return None,
    })
}

/// A ToR with its rack and ports.
pub fn tor_text(project: &Project, tor: TorId) -> String {
    let fabric = project.fabric();
    let (from, into) = (fabric.receives_from(tor), fabric.transmits_into(tor));
    format!(
        "ToR {tor} in {}\nhears ToRs {} through cassette {from}\ntransmits from port {} into cassette {into}\n{} \
         fabric ports",
        project.tor_name(tor),
        listed(fabric.transmitters(from)),
        fabric.transmit_port(tor),
        fabric.transceivers(tor),
    )
}

/// A fibre with its label, length and margin, and those of its feed.
fn fibre_text(over: Option<&OverTrays>, from: TorId, to: TorId) -> String {
    let mut text = format!("fibre from ToR {from} to ToR {to}");
    let Some(over) = over else { return text };
    let fibres = &over.fibres;
    for (kind, fibre) in [("feed", (from, None)), ("branch", (from, Some(to)))] {
        let Some(at) = fibres.position(fibre) else { continue };
        text += &format!("\n{kind} {}: {:.2} m", fibres.label[at], fibres.length_m[at]);
        if kind == "branch" {
            text += &format!("\nmargin {} dB", decimals(fibres.margin_db[at], 2));
        }
    }
    text
}

/// The entries of a ToR's menu that collapse its column and its row.
pub fn collapse_menu(ui: &mut Ui, state: &State, thing: Selection, emit: &mut Emit<'_>) {
    let (Selection::Tor(tor), Some(project)) = (thing, state.project()) else { return };
    let Some(shape) = project.design().fabric.shape() else { return };
    let is_there = tor.index() < project.fabric().tors();
    if state.looks.fabric.layout != FabricLayout::Columns || !is_there {
        return;
    }
    ui.separator();
    for group in [Group::Column(shape.column(tor)), Group::Row(shape.row(tor))] {
        if ui.button(format!("Collapse {}", group.name(|_| None))).clicked() {
            emit.emit(Command::Collapse(group));
            ui.close();
        }
    }
}
