//! The panels. Each reads the state, draws it, and emits commands. A panel is a file here, a variant of [`Panel`] with
//! its title, and a line of [`show`].

mod design;
mod explore;
mod fabric;
mod failures;
mod hall;
mod light;
mod log;
mod menu;

mod cost;
mod palette;
mod problems;
mod questions;
mod rules;
mod table;
mod text;
mod twin;
mod waterfall;

use egui::Ui;
use serde::{Deserialize, Serialize};

use crate::colours::Colours;
use crate::command::Command;
use crate::state::State;

pub use menu::{menu, status};
pub use palette::palette;
pub use questions::questions;

/// A panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Panel {
    /// The settings of the design.
    Design,
    /// The text of the design file.
    Text,
    /// The fabric, and the tree of the selected source.
    Fabric,
    /// The hall from above.
    Hall,
    /// Broken parts, who is cut off, and the repair.
    Failures,
    /// The light of every branch.
    Light,
    /// Power and cost, beside a packet core.
    Money,
    /// All designs for the ToRs.
    Explore,
    /// Runs of the packet twin.
    Twin,
    /// What the switches are told.
    Rules,
    /// What is wrong, or could go wrong.
    Problems,
    /// What happened.
    Log,
}

impl Panel {
    /// All panels, in the order of menus.
    pub const ALL: [Self; 12] = [
        Self::Design,
        Self::Text,
        Self::Fabric,
        Self::Hall,
        Self::Failures,
        Self::Light,
        Self::Money,
        Self::Explore,
        Self::Twin,
        Self::Rules,
        Self::Problems,
        Self::Log,
    ];

    /// The title of the panel.
    pub fn title(self) -> &'static str {
        match self {
            Self::Design => "Design",
            Self::Text => "Text",
            Self::Fabric => "Fabric",
            Self::Hall => "Hall",
            Self::Failures => "Failures",
            Self::Light => "Light",
            Self::Money => "Money",
            Self::Explore => "Explore",
            Self::Twin => "Twin",
            Self::Rules => "Rules",
            Self::Problems => "Problems",
            Self::Log => "Log",
        }
    }
}

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

    /// A button that emits a command.
    pub fn button(&mut self, ui: &mut Ui, text: &str, command: Command) {
        if ui.button(text).clicked() {
            self.emit(command);
        }
    }
}

/// Draws a panel.
pub fn show(panel: Panel, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    progress(panel, ui, state, emit);
    match panel {
        Panel::Design => design::show(ui, state, emit),
        Panel::Text => text::show(ui, state, emit),
        Panel::Fabric => fabric::show(ui, state, emit),
        Panel::Hall => hall::show(ui, state, emit),
        Panel::Failures => failures::show(ui, state, emit),
        Panel::Light => light::show(ui, state, emit),
        Panel::Money => cost::show(ui, state, emit),
        Panel::Explore => explore::show(ui, state, emit),
        Panel::Twin => twin::show(ui, state, emit),
        Panel::Rules => rules::show(ui, state, emit),
        Panel::Problems => problems::show(ui, state, emit),
        Panel::Log => log::show(ui, state, emit),
    }
}

/// Seconds of work before a bar is shown. Shorter work would only flicker.
const PATIENCE: f32 = 0.3;

/// The bar over a panel whose answer is still computed.
fn progress(panel: Panel, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let Some(far) = state.answers.how_far(panel) else { return };
    // The next frame shows how far it is then.
    ui.request_repaint_after(std::time::Duration::from_millis(100));
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
                let left = far.seconds_left();
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

/// A sentence in an empty panel, which says what to do.
fn empty(ui: &mut Ui, sentence: &str) {
    ui.vertical_centered(|ui| {
        ui.add_space(24.0);
        ui.weak(sentence);
    });
}

/// An amount of money: dollars with cents, any other currency as it is.
fn money(usd: Option<f64>, amount: Option<&lightloom::units::Money>) -> String {
    match (usd, amount) {
        (Some(usd), _) => format!("{usd:.2} USD"),
        (None, Some(amount)) => amount.to_string(),
        (None, None) => "unknown".to_owned(),
    }
}

/// Why a panel has no answer.
fn refusal(ui: &mut Ui, emit: &Emit<'_>, error: &lightloom::Error) {
    ui.colored_label(emit.colours.broken, format!("✖ {error}"));
}
