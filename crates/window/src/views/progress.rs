//! The bar over a panel that is at work, and what a panel shows that is not the present design.

use egui::Ui;

use super::emit::Emit;
use super::panes;
use crate::command::Command;
use crate::panel::{About, Panel};
use crate::state::State;

/// Seconds of work before a bar is shown. Shorter work would only flicker.
const PATIENCE: f32 = 0.3;

/// The bar over a panel whose answer is still computed.
pub fn progress(panel: Panel, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let opening = state.answers.opened.how_far().filter(|_| panel.about() == About::Design);
    let far = panes::of(panel).how_far(state).or(opening);
    if far.is_none_or(|far| far.seconds >= PATIENCE) {
        of_what(panel, ui, state, emit);
    }
    let Some(mut far) = far else { return };
    let is_held = panel == Panel::Twin && state.answers.live.is_held();
    if !is_held {
        // The next frame shows how far it is then. A run that waits asks for none.
        ui.request_repaint_after(std::time::Duration::from_millis(100));
    }
    if panel == Panel::Twin {
        far.seconds = (far.seconds - state.answers.live.waited().as_secs_f32()).max(0.0);
    }
    if far.seconds < PATIENCE {
        return;
    }
    ui.horizontal(|ui| {
        if panes::of(panel).has_stop() && ui.button("Stop").clicked() {
            emit.emit(Command::Stop(panel));
        }
        match far.share {
            Some(share) => {
                let left = far.seconds_left().filter(|_| !is_held);
                let left = left.map_or(String::new(), |left| format!(", {left:.0} s left"));
                let text = format!("{:.0} %{left}", 100.0 * share);
                ui.add(egui::ProgressBar::new(share).text(text));
            }
            None => {
                ui.add(egui::Spinner::new());
                ui.label(format!("at work for {:.0} s", far.seconds));
            }
        }
    });
}

/// Says so if a panel does not show the present design, or the run of the present scenario.
fn of_what(panel: Panel, ui: &mut Ui, state: &State, emit: &Emit<'_>) {
    if panel == Panel::Twin && state.answers.run.last().is_some() && state.current_run().is_none() {
        ui.colored_label(
            emit.colours.broken_text,
            "This run is of an earlier text or of earlier files. Run the scenario again.",
        );
    }
    if panel.about() != About::Design || state.project().is_none() {
        return;
    }
    if state.answers.opened.refused().is_some() {
        let text = "The present design cannot be opened. This is about the last one that could.";
        ui.colored_label(emit.colours.broken_text, text);
    } else if state.current().is_err() || panes::of(panel).is_stale(state) {
        ui.weak("This is about an earlier design or question.");
    }
}
