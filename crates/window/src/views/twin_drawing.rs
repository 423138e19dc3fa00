//! The drawing of a recorded run: nodes, ways, and the packets that are on them at the time that is shown.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Response, Shape, Stroke, vec2};
use lightloom::twin::{
    DropPlace, Event, NodeKind, PacketKind, RecordedHop, RecordedPacket, RecordingReport,
};

use super::emit::Emit;
use super::twin_history::named;
use crate::command::{Command, Selection};
use crate::draw::camera::Camera;
use crate::draw::cross::cross;
use crate::draw::twin_places::TwinPlaces;
use crate::state::State;
use crate::twin::Twin;

/// Radius of a node, in units of the drawing.
const RADIUS: f32 = 0.28;
/// Smallest radius on the screen at which a node has its name beside it, in points.
const READ: f32 = 6.0;
/// Number of ways above which only those that packets use are drawn.
const MANY: usize = 12_000;
/// The most waiting packets that are drawn at the begin of a way.
const IN_ROW: u32 = 12;
/// Distance on the screen within which a packet is clicked, in points.
const REACH: f32 = 7.0;

/// A drawing of a recorded run on the screen.
pub struct Drawing<'a> {
    pub recording: &'a RecordingReport,
    pub places: &'a Arc<TwinPlaces>,
    pub camera: Camera,
    pub screen: Rect,
    pub painter: &'a Painter,
    pub state: &'a State,
}

/// A packet on the screen.
pub struct Drawn {
    place: Pos2,
    packet: u32,
    bytes: u16,
}

impl Drawing<'_> {
    fn at(&self, place: Pos2) -> Pos2 {
        self.camera.to_screen(self.screen, place)
    }

    fn radius(&self) -> f32 {
        (RADIUS * self.camera.scale).clamp(1.5, 12.0)
    }

    fn line(&self, line: [Pos2; 3], stroke: Stroke) {
        let [from, between, to] = line.map(|place| self.at(place));
        for ends in [[from, between], [between, to]] {
            if ends[0] != ends[1] && Rect::from_points(&ends).expand(1.0).intersects(self.screen) {
                self.painter.line_segment(ends, stroke);
            }
        }
    }

    /// Links and branches, and the history of the chosen packet.
    pub fn ways(&self, emit: &Emit<'_>) {
        let ways = &self.recording.network.ways;
        if ways.len() <= MANY {
            let stroke = Stroke::new(1.0, emit.colours.dim);
            // Both directions of a link are one line.
            let is_drawn = |from: u32, to: u32, is_branch: bool| is_branch || from < to;
            for way in ways {
                if is_drawn(way.from, way.to, way.splitter.is_some())
                    && let Some(line) = self.places.line(way)
                {
                    self.line(line, stroke);
                }
            }
        }
        // Packets must be seen above the lines that they took.
        let stroke = Stroke::new(1.5, emit.colours.selected.gamma_multiply(0.5));
        for &event in &self.state.playback.history {
            let Event::Hop(hop) = event else { continue };
            let hop = self.recording.hops.get(hop);
            if let Some(line) = hop.and_then(|hop| self.line_of(hop.way)) {
                self.line(line, stroke);
            }
        }
    }

    fn line_of(&self, way: u32) -> Option<[Pos2; 3]> {
        let way = self.recording.network.ways.get(usize::try_from(way).ok()?)?;
        self.places.line(way)
    }

    /// Hosts as dots, switches as squares, ToRs of the plan as larger dots, splitters as triangles.
    pub fn nodes(&self, emit: &Emit<'_>) {
        let radius = self.radius();
        let mut named = Vec::new();
        let is_shared = self.state.run_is_of_design();
        let nodes = self.recording.network.nodes.iter();
        for (node, &place) in nodes.zip(&self.places.nodes) {
            let centre = self.at(place);
            if !self.screen.expand(radius).contains(centre) {
                continue;
            }
            let is_tor = |tor| self.state.selection == Selection::Tor(tor);
            let is_selected = is_shared && node.tor.is_some_and(is_tor);
            let colour = if is_selected { emit.colours.selected } else { emit.colours.thing };
            match (node.kind, node.tor) {
                (NodeKind::Host, _) => {
                    self.painter.circle_filled(centre, radius * 0.6, colour);
                }
                (NodeKind::Switch, Some(_)) => {
                    self.painter.circle_filled(centre, radius, colour);
                    if is_selected {
                        let stroke = Stroke::new(2.0, emit.colours.selected);
                        self.painter.circle_stroke(centre, radius + 4.0, stroke);
                    }
                }
                (NodeKind::Switch, None) => {
                    let square = Rect::from_center_size(centre, vec2(1.8, 1.8) * radius);
                    self.painter.rect_filled(square, 1.0, colour);
                }
            }
            if radius >= READ {
                let text = match node.tor {
                    Some(tor) => tor.to_string(),
                    None => node.name.clone(),
                };
                self.name(centre + vec2(radius + 2.0, 0.0), text, &mut named, emit);
            }
        }
        for &place in self.places.splitters.values() {
            let (centre, size) = (self.at(place), radius * 0.6);
            let points = [(0.0, -1.0), (0.9, 0.7), (-0.9, 0.7)];
            let points = points.map(|(x, y)| centre + vec2(x, y) * size).to_vec();
            let shape = Shape::convex_polygon(points, emit.colours.thing, Stroke::NONE);
            self.painter.add(shape);
        }
    }

    /// Writes a name, unless it would cover one of the last names. Neighbours follow each other.
    fn name(&self, at: Pos2, text: String, named: &mut Vec<Rect>, emit: &Emit<'_>) {
        const NEAR: usize = 16;
        let font = FontId::proportional(10.0);
        let text = self.painter.layout_no_wrap(text, font, emit.colours.text);
        let place = Align2::LEFT_CENTER.anchor_size(at, text.size());
        if named.iter().rev().take(NEAR).all(|other| !other.intersects(place)) {
            self.painter.galley(place.min, text, emit.colours.text);
            named.push(place);
        }
    }

    /// The packets that are on a way. Takes time in proportion to them.
    pub fn packets(&self, emit: &Emit<'_>) -> Vec<Drawn> {
        let now = self.state.playback.at.as_ps();
        let chosen = self.state.playback.packet;
        let many = self.recording.network.ways.len() > MANY;
        let mut drawn = Vec::new();
        for hop in self.recording.in_flight(now) {
            let Some(line) = self.line_of(hop.way) else { continue };
            if many {
                self.line(line, Stroke::new(1.0, emit.colours.dim));
            }
            let (passed, whole) = (now - hop.left_ps, hop.at_ps - hop.left_ps);
            #[allow(clippy::cast_precision_loss, reason = "a share of a line")]
            let share = passed as f32 / whole.max(1) as f32;
            let place = self.at(TwinPlaces::along(line, share));
            if !self.screen.contains(place) {
                continue;
            }
            let Some(packet) = self.packet(hop.packet) else { continue };
            self.one(place, packet, hop, emit);
            if chosen == Some(hop.packet) {
                let stroke = Stroke::new(2.0, emit.colours.text);
                self.painter.circle_stroke(place, 8.0, stroke);
            }
            drawn.push(Drawn { place, packet: hop.packet, bytes: hop.bytes });
        }
        drawn
    }

    /// The packets that wait in switches: a row of squares across the begin of the way that they leave by, the next one
    /// to leave on the way itself.
    pub fn waiting(&self, emit: &Emit<'_>) -> Vec<Drawn> {
        let mut places: BTreeMap<u32, u32> = BTreeMap::new();
        let mut drawn = Vec::new();
        let Some(waits) = self.state.answers.waiting() else { return drawn };
        for wait in waits.at(self.state.playback.at.as_ps()) {
            let place = places.entry(wait.way).or_default();
            *place += 1;
            let (Some(line), Some(packet)) = (self.line_of(wait.way), self.packet(wait.packet))
            else {
                continue;
            };
            if *place > IN_ROW {
                continue;
            }
            let from = self.at(line[0]);
            let next = if line[0] == line[1] { line[2] } else { line[1] };
            let along = (self.at(next) - from).normalized();
            #[allow(clippy::cast_precision_loss, reason = "a place on the screen")]
            let across = along.rot90() * (5.0 * (*place - 1) as f32);
            let centre = from + along * (self.radius() + 4.0) + across;
            if !self.screen.contains(centre) {
                continue;
            }
            let square = Rect::from_center_size(centre, vec2(4.0, 4.0));
            self.painter.rect_filled(square, 0.0, colour(packet, emit));
            if self.state.playback.packet == Some(wait.packet) {
                let stroke = Stroke::new(2.0, emit.colours.text);
                self.painter.circle_stroke(centre, 8.0, stroke);
            }
            drawn.push(Drawn { place: centre, packet: wait.packet, bytes: wait.bytes });
        }
        drawn
    }

    fn packet(&self, number: u32) -> Option<&RecordedPacket> {
        self.recording.packets.get(usize::try_from(number).ok()?)
    }

    /// Data as a filled dot, all else as a ring. A corrupt packet is a cross.
    fn one(&self, place: Pos2, packet: &RecordedPacket, hop: &RecordedHop, emit: &Emit<'_>) {
        let colour = colour(packet, emit);
        if hop.corrupt {
            cross(self.painter, place, 4.0, emit.colours.broken);
        } else if packet.kind == PacketKind::Data {
            self.painter.circle_filled(place, 3.5, colour);
        } else {
            self.painter.circle_stroke(place, 2.5, Stroke::new(1.5, colour));
        }
    }

    /// The packets that were just dropped, as crosses where they were lost.
    pub fn drops(&self, emit: &Emit<'_>) {
        let now = self.state.playback.at.as_ps();
        let since = now.saturating_sub(self.recording.longest_ps.max(1));
        let after = since.checked_sub(1).unwrap_or(since);
        for drop in self.recording.drops_within(after, now) {
            let line = drop.way.and_then(|way| self.line_of(way));
            let node = usize::try_from(drop.node).ok();
            let node = node.and_then(|node| self.places.nodes.get(node)).copied();
            let place = match (drop.place, line) {
                (DropPlace::Way, Some(line)) => Some(TwinPlaces::along(line, 0.5)),
                _ => node,
            };
            if let Some(place) = place {
                cross(self.painter, self.at(place), 6.0, emit.colours.broken);
            }
        }
    }

    /// What the pointer does: choose a packet, select a ToR, and say what something is.
    pub fn pointed(&self, response: &Response, packets: &[Drawn], emit: &mut Emit<'_>) {
        let packet_at = |at: Pos2| {
            let near = packets.iter().filter(|packet| packet.place.distance(at) <= REACH);
            near.min_by(|a, b| a.place.distance_sq(at).total_cmp(&b.place.distance_sq(at)))
        };
        let node_at = |at: Pos2| {
            let reach = (8.0 / self.camera.scale).max(RADIUS);
            self.places.nearest(self.camera.to_drawing(self.screen, at), reach)
        };
        if response.clicked()
            && let Some(at) = response.interact_pointer_pos()
        {
            response.request_focus();
            if let Some(packet) = packet_at(at) {
                emit.emit(Command::Twin(Twin::Packet(Some(packet.packet))));
            } else if let Some(tor) = node_at(at)
                .and_then(|node| self.recording.network.nodes.get(node))
                .and_then(|node| node.tor)
                .filter(|_| self.state.run_is_of_design())
            {
                emit.emit(Command::Select(Selection::Tor(tor)));
            }
        }
        let Some(at) = response.hover_pos() else { return };
        let text =
            match packet_at(at) {
                Some(packet) => {
                    let bytes = packet.bytes;
                    Some(format!("{}, {bytes} bytes", named(self.recording, packet.packet)))
                }
                None => node_at(at).and_then(|node| self.recording.network.nodes.get(node)).map(
                    |node| match node.tor {
                        Some(tor) => format!("{} (ToR {tor})", node.name),
                        None => node.name.clone(),
                    },
                ),
            };
        if let Some(text) = text {
            response.clone().on_hover_text_at_pointer(text);
        }
    }
}

/// The colour of a packet: that of its flow.
fn colour(packet: &RecordedPacket, emit: &Emit<'_>) -> Color32 {
    match packet.flow.and_then(|flow| usize::try_from(flow).ok()) {
        Some(flow) => emit.colours.series(flow),
        None => emit.colours.text,
    }
}
