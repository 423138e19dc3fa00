//! All designs for the ToRs of the design: a plot and a table, where a click makes a design the design.

use std::sync::Arc;

use egui::{ComboBox, ScrollArea, TextEdit, Ui};
use egui_plot::{Corner, Legend, MarkerShape, Plot, PlotPoints, Points};
use lightloom::Criterion;
use lightloom::designs::{DesignReport, ExploreOptions, ExploreReport};
use lightloom::light::Case;
use lightloom::shown::explore::DESIGNS;
use lightloom::{Error, to_json};

use crate::command::Command;
use crate::panel::Panel;
use crate::search::SearchField;
use crate::slot::HowFar;
use crate::state::State;
use crate::state::answers::Answers;
use crate::state::asked::needs;
use crate::state::asks::{AnswerOf, Asks, Sight};
use crate::views::axes;
use crate::views::draws::Draws;
use crate::views::emit::{Emit, answered, lacking};
use crate::views::table::table;
use crate::views::tables::{To, taken, titles};
use crate::words;

/// Height of a list, in points. A longer one is scrolled.
const LISTED: f32 = 150.0;

/// The panel.
pub struct Pane;

impl Asks for Pane {
    fn ask(&self, answers: &mut Answers, sight: &Sight<'_>) {
        answers.ask_explore(&sight.of);
    }

    fn stop(&self, answers: &mut Answers) {
        answers.explored.stop();
    }

    fn answer(&self, of: &AnswerOf<'_>) -> Result<String, Error> {
        match &of.asked.explored {
            Some(found) => to_json(&**found),
            None => Err(needs("search all designs for this design first")),
        }
    }
}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
        limits(ui, state, emit);
        let sentence =
            "Search for all designs with these ToRs. A click makes one of them the design.";
        let Some(report) = answered(ui, emit, &state.answers.explored, sentence) else { return };
        summary(ui, report);
        // With large texts there is little room for both.
        let most = 0.5 * ui.available_width();
        egui::Panel::right("front").default_size(320.0).max_size(most).show(ui, |ui| {
            if let Some(number) = front(ui, report, emit) {
                emit.emit(Command::TakeDesign(number));
            }
        });
        if let Some(number) = table(
            ui,
            Panel::Explore,
            &DESIGNS,
            (&report.designs, state.answers.explored.number()),
            state,
            emit,
        ) {
            emit.emit(Command::TakeDesign(number));
        }
    }

    fn how_far(&self, state: &State) -> Option<HowFar> {
        state.answers.explored.how_far()
    }

    fn has_stop(&self) -> bool {
        true
    }

    fn refusals<'a>(&self, state: &'a State) -> Vec<Option<&'a Arc<Error>>> {
        vec![state.answers.explored.refused_of(|(of, _)| state.is_shown(of))]
    }

    fn filter(&self) -> Option<&'static str> {
        Some("filter explore")
    }

    fn columns(&self, _state: &State) -> Vec<&'static str> {
        titles(&DESIGNS)
    }

    fn rows(&self, state: &State, to: To) -> Option<Command> {
        let report = state.answers.explored.last();
        let rows = report.map_or(&[][..], |report| &report.designs[..]);
        Some(taken(Panel::Explore, &DESIGNS, rows, (state, to)))
    }
}

/// What is searched for.
fn limits(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let usual = ExploreOptions::default();
    ui.horizontal_wrapped(|ui| {
        // A name that does not fit goes to the next line as a whole.
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
        emit.button(ui, "Search all designs", Command::Explore);
        for field in SearchField::ALL {
            let said = state.search.get(field);
            let (choices, usual) = match field {
                SearchField::Case => (Case::ALL.map(Case::name).to_vec(), usual.case().name()),
                SearchField::RankBy => {
                    (Criterion::ALL.map(Criterion::name).to_vec(), usual.rank_by().name())
                }
                _ => {
                    let label = ui.label(field.name()).id;
                    let mut typed = said.to_owned();
                    let hint = if field == SearchField::Cost { "500000 USD" } else { "any" };
                    let width = if field == SearchField::Cost { 90.0 } else { 45.0 };
                    let edit =
                        TextEdit::singleline(&mut typed).hint_text(hint).desired_width(width);
                    if ui.add(edit).labelled_by(label).changed() {
                        emit.emit(Command::SearchField(field, typed));
                    }
                    continue;
                }
            };
            ui.label(field.name());
            let shown = if said.is_empty() { usual } else { said };
            let combo = ComboBox::from_id_salt(field.name()).selected_text(shown).width(100.0);
            let combo = combo.show_ui(ui, |ui| {
                for word in choices {
                    if ui.selectable_label(shown == word, word).clicked() {
                        emit.emit(Command::SearchField(field, word.to_owned()));
                    }
                }
            });
            let _ = combo.response.accessible_name(field.name());
        }
    });
    if let Some(error) = &state.search.refused {
        ui.colored_label(emit.colours.broken_text, format!("✖ {}", words::text_of_input(error)));
    } else if state.search_has_other_limits() {
        ui.weak("The limits were changed since this search.");
    }
}

/// How many designs there are, why others are rejected, and what is assumed.
fn summary(ui: &mut Ui, report: &ExploreReport) {
    ui.label(format!(
        "{} designs, {} of them on the front over {} (marked *)",
        report.designs.len(),
        report.on_front(),
        report.objectives_text(),
    ));
    ui.label(format!(
        "{} ToRs at {}, {} case, ranked by {}; {} more designs are rejected",
        report.tors,
        report.rate,
        report.case.name(),
        report.ranked_by,
        report.rejected.len(),
    ));
    for note in report.cost_notes() {
        ui.label(note);
    }
    let rejections = report.rejections();
    if !rejections.is_empty() {
        ui.collapsing(format!("Why {} designs are rejected", report.rejected.len()), |ui| {
            ScrollArea::vertical().max_height(LISTED).id_salt("rejected").show(ui, |ui| {
                for (of, why) in &rejections {
                    ui.label(format!("{of}: {why}"));
                }
            });
        });
    }
    let notes = report.notes();
    let of_first = report.designs.first().map_or(&[][..], |first| &first.missing);
    ui.collapsing(format!("Assumed, and not known ({})", notes.len() + of_first.len()), |ui| {
        ScrollArea::vertical().max_height(LISTED).id_salt("assumed").show(ui, |ui| {
            if !of_first.is_empty() {
                ui.weak("Unknown values, the first design:");
                lacking(ui, of_first);
            }
            for note in &notes {
                ui.weak(note);
            }
            ui.weak(format!("Catalogue: {}.", report.catalogue.line()));
        });
    });
}

/// Cost over hops. Designs on the front are filled. A cost that lacks prices is a cross. Returns the number of the
/// design that was clicked.
fn front(ui: &mut Ui, report: &ExploreReport, emit: &Emit<'_>) -> Option<usize> {
    let point = |(number, design): (usize, &DesignReport)| {
        let cost = design.cost?.as_micros() as f64 / 1e6;
        Some((number, [f64::from(design.max_hops), cost]))
    };
    let known: Vec<(usize, [f64; 2])> =
        report.designs.iter().enumerate().filter_map(point).collect();
    let of = |name: &str, has: fn(&DesignReport) -> bool| {
        let of = known.iter().filter(|(number, _)| has(&report.designs[*number]));
        let points: Vec<_> = of.map(|(_, point)| *point).collect();
        Points::new(name, PlotPoints::from(points)).color(emit.colours.selected)
    };
    let kinds = [
        of("not on the front", |row| !row.pareto).radius(6.0).filled(false),
        of("on the front", |row| row.pareto).radius(6.0),
        of("prices are missing", |row| !row.cost_compares)
            .radius(9.0)
            .shape(MarkerShape::Cross)
            .color(emit.colours.broken),
    ];
    let plot = axes::with_x(Plot::new("front"), "hops", 1.0)
        .legend(Legend::default().position(Corner::RightTop))
        .y_axis_label(format!("cost, {}", report.catalogue.currency))
        .allow_scroll(false)
        .show(ui, |plot| {
            for kind in kinds {
                plot.points(kind);
            }
            plot.response().clicked().then(|| plot.pointer_coordinate()).flatten().map(|at| {
                let at = plot.screen_from_plot(at);
                let near = |point: &[f64; 2]| {
                    plot.screen_from_plot(egui_plot::PlotPoint::new(point[0], point[1]))
                        .distance(at)
                };
                known
                    .iter()
                    .map(|(number, point)| (near(point), *number))
                    .filter(|(distance, _)| *distance < 12.0)
                    .min_by(|a, b| a.0.total_cmp(&b.0))
                    .map(|(_, number)| number)
            })
        });
    plot.inner.flatten()
}
