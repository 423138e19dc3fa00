//! The packets that are under way, and the history of the chosen one.

use egui::{ScrollArea, Ui};
use lightloom::twin::{DropPlace, Event, Mark, RecordedHop, RecordingReport, Wait};
use lightloom::units::{Instant, Span};

use super::emit::Emit;
use crate::command::Command;
use crate::state::State;
use crate::twin::Twin;

pub fn show(ui: &mut Ui, state: &State, recording: &RecordingReport, emit: &mut Emit<'_>) {
    let playback = &state.playback;
    ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
    if let Some(packet) = playback.packet {
        ui.horizontal(|ui| {
            ui.strong(named(recording, packet));
            emit.button(ui, "Choose none", Command::Twin(Twin::Packet(None)));
        });
        history(ui, state, recording, emit);
        ui.separator();
    }
    let flying: Vec<&RecordedHop> = recording.in_flight(playback.at.as_ps()).collect();
    let waits = state.answers.waiting();
    let waiting: Vec<&Wait> =
        waits.map_or_else(Vec::new, |waits| waits.at(playback.at.as_ps()).collect());
    ui.strong(format!("{} packets under way, {} wait", flying.len(), waiting.len()));
    let listed: Vec<(u32, u32, bool)> = flying
        .iter()
        .map(|hop| (hop.packet, hop.way, false))
        .chain(waiting.iter().map(|wait| (wait.packet, wait.way, true)))
        .collect();
    if listed.is_empty() && playback.packet.is_none() {
        ui.weak("Play, or step to the next event.");
    }
    let height = ui.text_style_height(&egui::TextStyle::Button);
    // Rows are as high as a line, so lines are not wrapped.
    let rows = ScrollArea::both().id_salt("under way").auto_shrink(false);
    rows.show_rows(ui, height, listed.len(), |ui, range| {
        for &(packet, on, waits) in &listed[range] {
            let waits = if waits { "waits for " } else { "" };
            let text = format!("{}: {waits}{}", named(recording, packet), way(recording, on));
            let is_chosen = playback.packet == Some(packet);
            if ui.selectable_label(is_chosen, text).clicked() {
                emit.emit(Command::Twin(Twin::Packet(Some(packet))));
            }
        }
    });
}

/// A line for each event of the chosen packet. A click goes to its time.
fn history(ui: &mut Ui, state: &State, recording: &RecordingReport, emit: &mut Emit<'_>) {
    let events = &state.playback.history;
    let height = ui.text_style_height(&egui::TextStyle::Button);
    let rows = ScrollArea::both().id_salt("history").max_height(ui.available_height() * 0.6);
    rows.auto_shrink([false, true]).show_rows(ui, height, events.len(), |ui, range| {
        for &event in &events[range] {
            let at = Instant::from_ps(recording.time_of(event));
            let text =
                format!("{at} {}{}", event_text(recording, event), waited(state, recording, event));
            let is_now = at == state.playback.at;
            if ui.selectable_label(is_now, text).clicked() {
                emit.emit(Command::Twin(Twin::To(at)));
            }
        }
    });
}

/// How long a packet waited before it left on a hop.
fn waited(state: &State, recording: &RecordingReport, event: Event) -> String {
    let wait = || {
        let Event::Hop(hop) = event else { return None };
        let hop = recording.hops.get(hop)?;
        let way = recording.network.ways.get(usize::try_from(hop.way).ok()?)?;
        state.answers.waiting()?.before(hop, way)
    };
    wait().map_or_else(String::new, |wait| {
        format!(", after a wait of {}", Span::from_ps(wait.until_ps - wait.from_ps))
    })
}

/// What an event is.
fn event_text(recording: &RecordingReport, event: Event) -> String {
    match event {
        Event::Hop(hop) => recording.hops.get(hop).map_or_else(String::new, |hop| {
            let marked = if hop.ecn == Mark::Marked { ", marked" } else { "" };
            let corrupt = if hop.corrupt { ", corrupt" } else { "" };
            format!("{}{marked}{corrupt}", way(recording, hop.way))
        }),
        Event::Drop(drop) => recording.drops.get(drop).map_or_else(String::new, |drop| {
            let place = match (drop.place, drop.way) {
                (DropPlace::Way, Some(on)) => way(recording, on),
                _ => node(recording, drop.node),
            };
            format!("dropped ({}): {place}", drop.reason.name())
        }),
    }
}

/// A packet by its kind, its number and whose it is.
pub fn named(recording: &RecordingReport, packet: u32) -> String {
    let found = usize::try_from(packet).ok().and_then(|packet| recording.packets.get(packet));
    let Some(packet) = found else { return String::new() };
    let (kind, psn) = (packet.kind.name(), packet.psn);
    let group = packet.group.and_then(|group| usize::try_from(group).ok());
    let group = group.and_then(|group| recording.groups.get(group));
    match (packet.flow, group) {
        (Some(flow), Some(group)) => format!("{kind} {psn} of message {flow} to {group}"),
        (Some(flow), None) => format!("{kind} {psn} of flow {flow}"),
        (None, Some(group)) => format!("{kind} {psn} of group {group}"),
        (None, None) => format!("{kind} {psn}"),
    }
}

/// A way by its ends.
fn way(recording: &RecordingReport, way: u32) -> String {
    let found = usize::try_from(way).ok().and_then(|way| recording.network.ways.get(way));
    found.map_or_else(String::new, |way| {
        let glass = if way.splitter.is_some() { " (splitter)" } else { "" };
        format!("{} > {}{glass}", node(recording, way.from), node(recording, way.to))
    })
}

fn node(recording: &RecordingReport, node: u32) -> String {
    let found = usize::try_from(node).ok().and_then(|node| recording.network.nodes.get(node));
    found.map_or_else(String::new, |node| node.name.clone())
}
