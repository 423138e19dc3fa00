//! What crews built otherwise than planned: a returned sheet, its differences from the plan, and where they are.

use std::sync::Arc;

use egui::{ScrollArea, Ui};
use lightloom::as_built::{AsBuiltReport, TakenReport};
use lightloom::shown::amounts::decimals;
use lightloom::{Error, to_json};

use crate::command::Command;
use crate::export::Export;
use crate::place::Place;
use crate::state::State;
use crate::state::asked::needs;
use crate::state::asks::{AnswerOf, Asks};
use crate::views::draws::Draws;
use crate::views::emit::{Emit, refusal};

/// Most entries of a list that are shown.
const MOST: usize = 200;

/// The panel.
pub struct Pane;

impl Asks for Pane {
    fn answer(&self, of: &AnswerOf<'_>) -> Result<String, Error> {
        match &of.asked.taken {
            Some(taken) => to_json(&taken.report),
            None => Err(needs("take a returned sheet of this design first")),
        }
    }
}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
        let built = &state.built;
        ui.horizontal_wrapped(|ui| {
            emit.button(ui, "Export the form for crews", Command::Export(Export::AsBuiltForm));
            emit.button(ui, "Open a returned sheet", Command::OpenReturned);
            if let Some(path) = &built.returned {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                ui.label(name).on_hover_text(path.display().to_string());
                emit.button(ui, "Read it again", Command::ReturnedFile(path.clone()));
            }
            let is_plan = built.taken.last().is_some_and(|taken| !taken.files.is_empty());
            if is_plan {
                emit.button(ui, "Export the plan as built", Command::Export(Export::AsBuilt));
            }
        });
        if let Some(error) = built.taken.refused() {
            refusal(ui, emit, error);
            if let Some(place) = Place::of(error) {
                emit.link(ui, "Go there", &place);
            }
        }
        if built.taken.how_far().is_some() {
            ui.add(egui::Spinner::new());
            ui.request_repaint_after(std::time::Duration::from_millis(100));
        }
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            if let Some(taken) = built.taken.last() {
                if !built.taken.last_key().is_some_and(|(of, ..)| state.is_current(of)) {
                    ui.weak("This is about an earlier state of the design.");
                }
                ui.strong("What the returned sheet tells");
                answer(ui, &taken.report, emit);
            }
            let there = built.there.last().and_then(|there| there.as_ref().as_ref());
            if let Some(there) = there {
                ui.strong("What the plan has that was built otherwise");
                differences(ui, there, emit);
            }
            if built.taken.last().is_none() && there.is_none() {
                crate::views::emit::empty(
                    ui,
                    "Export the form for crews, let them fill it in, and open the sheet that they return.",
                );
            }
        });
    }

    fn is_at_work(&self, state: &State) -> bool {
        state.built.taken.how_far().is_some() || state.built.there.how_far().is_some()
    }

    fn refusals<'a>(&self, state: &'a State) -> Vec<Option<&'a Arc<Error>>> {
        vec![
            state.built.taken.refused_of(|(of, ..)| state.is_shown(of)),
            state.built.there.refused_of(|of| state.is_shown(of)),
        ]
    }
}

/// What comes of a returned sheet.
fn answer(ui: &mut Ui, report: &TakenReport, emit: &mut Emit<'_>) {
    if report.good {
        ui.label("All light arrives where it should, and every measured branch passes.");
    } else {
        let text = "It is not good: look at the lists below.";
        ui.colored_label(emit.colours.broken_text, text);
    }
    if let Some(optical) = report.optical {
        ui.label(format!("The light with these lengths and plugs: {}", optical.name()));
    }
    let astray = report.astray.iter().map(|found| {
        let (from, lacking, lit) = (&found.from, found.lacking.join(", "), found.lit.join(", "));
        (format!("{from} does not light {lacking}; it lights {lit}"), Place::Named(from.clone()))
    });
    let astray: Vec<_> = astray.collect();
    list(ui, "Light that arrives elsewhere", &astray, emit);
    let back: Vec<_> = report.move_back.iter().map(|plug| (plug.clone(), label(plug))).collect();
    list(ui, "Plugs to move back", &back, emit);
    let again: Vec<_> =
        report.measure_again.iter().map(|name| (name.clone(), label(name))).collect();
    list(ui, "Branches to measure again", &again, emit);
    if let Some(built) = &report.as_built {
        differences(ui, built, emit);
    }
}

/// The differences between what was built and the plan.
fn differences(ui: &mut Ui, built: &AsBuiltReport, emit: &mut Emit<'_>) {
    ui.label(format!("{} of {} branches are measured", built.measured, built.branches));
    if let Some(pads) = built.pads_text() {
        ui.label(pads);
    }
    let failed: Vec<_> = built
        .failed
        .iter()
        .map(|found| {
            let text = format!(
                "{}: {}{}, limits {} to {} dB",
                found.label,
                found.verdict.name(),
                found.measured_db.map_or(String::new(), |db| format!(", measured {db:.2} dB")),
                decimals(found.least_db, 2),
                decimals(found.most_db, 2),
            );
            (text, label(&found.label))
        })
        .collect();
    list(ui, "Measured branches that do not pass", &failed, emit);
    let moved: Vec<_> = built
        .moved
        .iter()
        .map(|plug| {
            (
                format!("{} is in {}, the socket of {}", plug.plug, plug.port, plug.at),
                label(&plug.plug),
            )
        })
        .collect();
    list(ui, "Plugs in other sockets", &moved, emit);
    let relabelled: Vec<_> = built
        .relabelled
        .iter()
        .map(|cord| (format!("{} is now {}", cord.planned, cord.now), label(&cord.now)))
        .collect();
    list(ui, "Cords that carry another fibre", &relabelled, emit);
    let lengths: Vec<_> = built
        .lengths
        .iter()
        .map(|cable| {
            let short = if cable.shorter_than_way { ", shorter than its way" } else { "" };
            let (planned, now) = (cable.planned_m, cable.built_m);
            let text = format!("{}: {now:.2} m in place of {planned:.2} m{short}", cable.label);
            (text, label(&cable.label))
        })
        .collect();
    list(ui, "Cables of other lengths", &lengths, emit);
    let print: Vec<_> = built.to_print.iter().map(|name| (name.clone(), label(name))).collect();
    list(ui, "Labels to print again", &print, emit);
}

/// A list of places. Empty ones are told in one line.
fn list(ui: &mut Ui, title: &str, entries: &[(String, Place)], emit: &mut Emit<'_>) {
    if entries.is_empty() {
        return;
    }
    let head = format!("{title}: {}", entries.len());
    egui::CollapsingHeader::new(head).default_open(true).id_salt(title).show(ui, |ui| {
        for (text, place) in entries.iter().take(MOST) {
            emit.link(ui, text, place);
        }
        if entries.len() > MOST {
            ui.weak(format!("… and {} more", entries.len() - MOST));
        }
    });
}

fn label(name: &str) -> Place {
    Place::Label(name.to_owned())
}
