//! What is wrong with the design, what a plan of it would warn of, and what would go wrong on the switches.

use egui::{ScrollArea, Ui};
use lightloom::configs::ConfigsOptions;
use lightloom::configs::{LintReport, Severity};
use lightloom::failures::Concerns;
use lightloom::light::PlanLight;
use lightloom::plan::WarningKind;
use lightloom::setting;
use lightloom::{Error, configs, to_json};

use crate::command::Command;
use crate::panel::Panel;
use crate::place::Place;
use crate::slot::HowFar;
use crate::state::State;
use crate::state::answers::Answers;
use crate::state::asks::{AnswerOf, Asks, Sight};
use crate::views::draws::Draws;
use crate::views::emit::Emit;
use crate::words::{self, number_of};

/// The panel.
pub struct Pane;

impl Asks for Pane {
    fn ask(&self, answers: &mut Answers, sight: &Sight<'_>) {
        let project = sight.of.0.clone();
        answers.lint.ask(sight.of.clone(), &answers.wake, move |_| {
            configs::lint(&project, &ConfigsOptions::default())
        });
    }

    fn answer(&self, of: &AnswerOf<'_>) -> Result<String, Error> {
        to_json(&configs::lint(of.project, &ConfigsOptions::default())?)
    }
}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
        let most = 0.6 * ui.available_height();
        ScrollArea::vertical().id_salt("plan").max_height(most).auto_shrink([false, true]).show(
            ui,
            |ui| {
                refusals(ui, state, emit);
                if let Some(concerns) = state.cables.checks.concerns.last() {
                    plan(ui, concerns, emit);
                }
                notes(ui, state);
            },
        );
        if let Some(report) = state.answers.lint.last() {
            ui.separator();
            switches(ui, report, emit);
        }
    }

    fn how_far(&self, state: &State) -> Option<HowFar> {
        state.answers.lint.how_far()
    }

    fn is_stale(&self, state: &State) -> bool {
        state.answers.lint.is_stale()
    }

    fn is_at_work(&self, state: &State) -> bool {
        self.how_far(state).is_some() || state.cables.checks.concerns.how_far().is_some()
    }
}

/// Why questions have no answers. What is told once is not repeated.
fn refusals(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let mut before: Vec<String> = Vec::new();
    for (error, panel) in &state.refusals {
        let told = words::text_of(error);
        if before.contains(&told) {
            continue;
        }
        let place = Place::of(error).unwrap_or(Place::Panel(*panel));
        emit.link(ui, &format!("✖ {told}"), &place);
        before.push(told);
    }
}

/// What a plan would warn of, and what it would be refused for.
fn plan(ui: &mut Ui, concerns: &Concerns, emit: &mut Emit<'_>) {
    let light = concerns.light.as_ref();
    let dark = light.and_then(PlanLight::warning);
    let hazards = light.map_or(&[][..], |light| &light.hazards);
    let errors = usize::from(concerns.refused.is_some()) + usize::from(dark.is_some());
    let warnings = hazards.len() + concerns.warnings.len();
    let (errors, warnings) = (number_of(errors, "error"), number_of(warnings, "warning"));
    ui.strong(format!("{errors}, {warnings} about the plan"));
    if let Some(error) = &concerns.refused {
        let place = Place::of_input(error).unwrap_or(Place::Panel(Panel::Design));
        emit.link(ui, &format!("✖ The plan is refused: {}", words::text_of_input(error)), &place);
    }
    let light = Place::Panel(Panel::Light);
    if let Some(dark) = dark {
        emit.link(ui, &format!("✖ {dark}."), &light);
    }
    for hazard in hazards {
        emit.link(ui, &format!("⚠ Hazard: {hazard}."), &light);
    }
    for warning in &concerns.warnings {
        let place = match warning.kind {
            WarningKind::TrayOverPlannedShare { .. } => Place::Panel(Panel::Hall),
            WarningKind::FaultSignallingOn { .. } => {
                Place::Setting(setting::tor::FAULT_SIGNALLING.name)
            }
            WarningKind::MirrorsTogether { .. } => Place::Setting(setting::tor::LOGICAL.name),
        };
        emit.link(ui, &format!("⚠ {}.", warning.message), &place);
    }
}

/// How the inventory was read, how switches must be set, and what is assumed.
fn notes(ui: &mut Ui, state: &State) {
    let info = state.answers.info.last();
    if let Some(inventory) = info.and_then(|info| info.inventory.as_ref()) {
        for line in inventory.lines() {
            ui.label(line);
        }
    }
    if let Some(concerns) = state.cables.checks.concerns.last() {
        let off = concerns.platform.switch_off.join(", ");
        ui.label(format!(
            "The light goes one way. Switch off on every fabric port of the ToRs: {off}."
        ));
    }
    if let Some(project) = state.project() {
        for assumption in project.assumed() {
            ui.weak(format!("assumed: {} {}", assumption.what.name(), assumption.value));
        }
    }
}

/// What would go wrong on the switches.
fn switches(ui: &mut Ui, report: &LintReport, emit: &mut Emit<'_>) {
    let errors = number_of(report.errors, "error");
    let warnings = number_of(report.warnings, "warning");
    ui.strong(format!("{errors}, {warnings} on the switches"));
    if report.findings.is_empty() {
        crate::views::emit::empty(ui, "Nothing was found.");
    }
    let rows = report.findings.len();
    ScrollArea::vertical().auto_shrink(false).show_rows(ui, 20.0, rows, |ui, rows| {
        for finding in &report.findings[rows] {
            let sign = match finding.severity {
                Severity::Error => "✖",
                Severity::Warning => "⚠",
            };
            let link = ui.link(format!("{sign} {}", finding.text)).on_hover_text(&finding.remedy);
            if link.clicked() {
                let place = finding.tor.map_or(Place::Panel(Panel::Rules), Place::Tor);
                emit.emit(Command::GoTo(place));
            }
        }
    });
}
