//! What all views share: commands, progress, and what an empty panel says.

use std::sync::Arc;

use egui::Ui;

use crate::colours::Colours;
use crate::command::Command;
use crate::panel::Panel;
use crate::place::Place;
use crate::slot::Slot;
use crate::state::State;
use crate::words;

/// What a view may do: look up colours, and emit commands.
pub struct Emit<'a> {
    /// Colours of drawings.
    pub colours: Colours,
    commands: &'a mut Vec<Command>,
}

impl<'a> Emit<'a> {
    /// Collects commands.
    pub fn new(ui: &Ui, commands: &'a mut Vec<Command>) -> Self {
        Self { colours: Colours::of(ui.visuals()), commands }
    }

    /// Emits a command.
    pub fn emit(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// A link to a place.
    pub fn link(&mut self, ui: &mut Ui, text: &str, place: &Place) {
        if ui.link(text).on_hover_text(place.text()).clicked() {
            self.emit(Command::GoTo(place.clone()));
        }
    }

    /// A button that emits a command.
    pub fn button(&mut self, ui: &mut Ui, text: &str, command: Command) {
        if ui.button(text).clicked() {
            self.emit(command);
        }
    }
}

/// The width of a question or a list in front of the panels, in points. With large text the window is narrow.
pub fn width_in_front(ctx: &egui::Context) -> f32 {
    const MOST: f32 = 460.0;
    const BESIDE: f32 = 48.0;
    MOST.min(ctx.content_rect().width() - BESIDE).max(1.0)
}

/// Seconds of work before a bar is shown. Shorter work would only flicker.
const PATIENCE: f32 = 0.3;

/// The bar over a panel whose answer is still computed.
pub fn progress(panel: Panel, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let opening = state.answers.opened.how_far().filter(|_| shows_design(panel));
    let far = state.answers.how_far(panel).or(opening);
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
        let stops = matches!(panel, Panel::Twin | Panel::Explore | Panel::Light);
        if stops && ui.button("Stop").clicked() {
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

/// Whether a panel shows answers about the design.
fn shows_design(panel: Panel) -> bool {
    !matches!(panel, Panel::Design | Panel::Text | Panel::Twin | Panel::Exports | Panel::Log)
}

/// Says so if a panel does not show the present design, or the run of the present scenario.
fn of_what(panel: Panel, ui: &mut Ui, state: &State, emit: &Emit<'_>) {
    if panel == Panel::Twin && state.answers.run.last().is_some() && state.current_run().is_none() {
        ui.colored_label(
            emit.colours.broken_text,
            "This run is of an earlier text or of earlier files. Run the scenario again.",
        );
    }
    if !shows_design(panel) || state.project().is_none() {
        return;
    }
    if state.answers.opened.refused().is_some() {
        let text = "The present design cannot be opened. This is about the last one that could.";
        ui.colored_label(emit.colours.broken_text, text);
    } else if state.current().is_err() || state.answers.is_stale(panel) {
        ui.weak("This is about an earlier design or question.");
    }
}

/// A sentence in an empty panel, which says what to do.
pub fn empty(ui: &mut Ui, sentence: &str) {
    ui.vertical_centered(|ui| {
        ui.add_space(24.0);
        ui.weak(sentence);
    });
}

/// What sums lack, a line for each value.
pub fn lacking(ui: &mut Ui, missing: &[lightloom::plan::MissingReport]) {
    for missing in missing {
        ui.weak(missing.text());
    }
}

/// An amount for sorting. An unknown one is not a number.
pub fn amount(money: Option<lightloom::units::Money>) -> f64 {
    money.map_or(f64::NAN, |money| money.as_micros() as f64)
}

/// Why a panel has no answer.
pub fn refusal(ui: &mut Ui, emit: &Emit<'_>, error: &lightloom::Error) {
    ui.colored_label(emit.colours.broken_text, format!("✖ {}", words::text_of(error)));
}

/// The answer of a panel. Without one the panel says why, or what to do.
pub fn answered<'a, K: Clone + PartialEq, T: Send + 'static>(
    ui: &mut Ui,
    emit: &Emit<'_>,
    slot: &'a Slot<K, T>,
    sentence: &str,
) -> Option<&'a Arc<T>> {
    if let Some(error) = slot.refused() {
        refusal(ui, emit, error);
    }
    if slot.last().is_none() {
        empty(ui, sentence);
    }
    slot.last()
}

/// A value with this number of decimals. `None` is written as "unknown".
pub fn known(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "unknown".to_owned(), |value| format!("{value:.decimals$}"))
}

/// A number of picoseconds in the largest unit that is not longer.
pub fn time(ps: u64) -> String {
    lightloom::units::Span::from_ps(ps).to_string()
}
