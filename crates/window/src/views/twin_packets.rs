//! The packets of a recorded run: times above, the network in the middle, packets and their history beside it.

use egui::{Sense, Ui};
use lightloom::twin::RecordingReport;

use super::emit::Emit;
use super::{twin_drawing, twin_history, twin_times};
use crate::command::Command;
use crate::draw::camera::Camera;
use crate::panel::Panel;
use crate::state::State;
use crate::twin::Twin;

pub fn show(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let Some(recording) = state.answers.recording() else {
        let sentence = "This run was not recorded. Tick \"Record packets\" and run it again.";
        super::emit::empty(ui, sentence);
        return;
    };
    if state.playback.plays {
        // Only while it plays does time ask for frames.
        let passed = ui.input(|input| input.stable_dt);
        let passed = std::time::Duration::try_from_secs_f32(passed).unwrap_or_default();
        emit.emit(Command::Twin(Twin::Tick(passed)));
    }
    twin_times::show(ui, state, recording, emit);
    egui::Panel::right("packets").default_size(260.0).show(ui, |ui| {
        twin_history::show(ui, state, recording, emit);
    });
    drawing(ui, state, recording, emit);
}

fn drawing(ui: &mut Ui, state: &State, recording: &RecordingReport, emit: &mut Emit<'_>) {
    let (response, painter) = ui.allocate_painter(ui.available_size(), Sense::click_and_drag());
    let response = response.accessible_name("Drawing of the run");
    let screen = response.rect;
    painter.rect_filled(screen, 0.0, emit.colours.ground);
    let kept = state.looks.cameras.get(&Panel::Twin).copied();
    let mut camera = kept.unwrap_or_else(|| Camera::fit(state.playback.places.bounds, screen));
    if let Some(moved) = camera.moved(ui, &response) {
        camera = moved;
        emit.emit(Command::Look(Panel::Twin, camera));
    }
    let places = &state.playback.places;
    let drawing =
        twin_drawing::Drawing { recording, places, camera, screen, painter: &painter, state };
    drawing.ways(emit);
    drawing.nodes(emit);
    let mut packets = drawing.packets(emit);
    packets.extend(drawing.waiting(emit));
    drawing.drops(emit);
    drawing.pointed(&response, &packets, emit);
}
