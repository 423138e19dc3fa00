//! The light of every branch: verdicts, a table, a histogram, and the arithmetic of the selected fibre.

use std::sync::Arc;

use egui::{ScrollArea, Ui};
use egui_plot::{Bar, BarChart, Plot};
use lightloom::light::BudgetOptions;
use lightloom::light::{BranchReport, BudgetReport, Case};
use lightloom::shown::amounts::decimals;
use lightloom::shown::light::BRANCHES;
use lightloom::{Error, to_json};

use crate::command::{Command, Selection};
use crate::panel::Panel;
use crate::slot::HowFar;
use crate::state::State;
use crate::state::answers::Answers;
use crate::state::asks::{AnswerOf, Asks, Sight};
use crate::views::axes;
use crate::views::draws::Draws;
use crate::views::emit::{Emit, answered};
use crate::views::kept::kept;
use crate::views::table::table;
use crate::views::tables::{To, taken, titles};
use crate::views::waterfall;

/// Number of bars of the histogram.
const BARS: usize = 40;

/// Height of the notes, in points. More of them are scrolled.
const NOTES: f32 = 110.0;

/// The panel.
pub struct Pane;

impl Asks for Pane {
    fn ask(&self, answers: &mut Answers, sight: &Sight<'_>) {
        let (of, case) = (sight.of.clone(), sight.looks.case);
        answers.ask_trace(&of, sight.selection, case);
        let project = of.0.clone();
        answers.light.ask((of, case), &answers.wake, move |watch| {
            project.budget(&BudgetOptions { case, threads: None }, watch)
        });
    }

    fn stop(&self, answers: &mut Answers) {
        answers.light.halt();
    }

    fn answer(&self, of: &AnswerOf<'_>) -> Result<String, Error> {
        to_json(
            &of.project.budget(&BudgetOptions { case: of.asked.case, threads: None }, of.watch)?,
        )
    }
}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
        ui.horizontal_wrapped(|ui| {
            for case in Case::ALL {
                let answered = state.answers.light.last().map(|report| report.case);
                let chosen = state.looks.case.or(answered) == Some(case);
                if ui.selectable_label(chosen, case.name()).clicked() {
                    emit.emit(Command::LightCase(case));
                }
            }
        });
        let sentence = "The light of every fibre appears here when the design can be opened.";
        let Some(report) = answered(ui, emit, &state.answers.light, sentence) else { return };
        let number = state.answers.light.number();
        summary(ui, report, emit);
        // With large texts there is little room for both.
        let most = 0.5 * ui.available_width();
        egui::Panel::right("light plots").default_size(320.0).max_size(most).show(ui, |ui| {
            histogram(ui, (report, number), emit);
            waterfall::selected_or_worst(ui, state, report, emit);
        });
        if let Some(row) =
            table(ui, Panel::Light, &BRANCHES, (&report.branches, number), state, emit)
        {
            let branch = &report.branches[row];
            emit.emit(Command::Select(Selection::Fibre(branch.from_tor, branch.to_tor)));
            emit.emit(Command::Centre);
        }
    }

    fn how_far(&self, state: &State) -> Option<HowFar> {
        state.answers.light.how_far().or(state.answers.trace.how_far())
    }

    fn is_stale(&self, state: &State) -> bool {
        state.answers.light.is_stale()
    }

    fn has_stop(&self) -> bool {
        true
    }

    fn refusals<'a>(&self, state: &'a State) -> Vec<Option<&'a Arc<Error>>> {
        vec![
            state
                .answers
                .light
                .refused_of(|(of, case)| state.is_shown(of) && *case == state.looks.case),
        ]
    }

    fn filter(&self) -> Option<&'static str> {
        Some("filter light")
    }

    fn columns(&self, _state: &State) -> Vec<&'static str> {
        titles(&BRANCHES)
    }

    fn rows(&self, state: &State, to: To) -> Option<Command> {
        let report = state.answers.light.last();
        let rows = report.map_or(&[][..], |report| &report.branches[..]);
        Some(taken(Panel::Light, &BRANCHES, rows, (state, to)))
    }
}

/// Verdicts and the worst values.
fn summary(ui: &mut Ui, report: &BudgetReport, emit: &Emit<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(emit.colours.verdict(report.verdict), report.verdict.name());
        let count = &report.count;
        ui.label(format!(
            "{} pass, {} warn, {} marginal, {} unknown, {} fail",
            count.pass, count.warn, count.marginal, count.unknown, count.fail
        ));
        ui.label(format!("smallest margin {}", report.worst_margin_text()));
        ui.label(format!("smallest headroom {} dB", decimals(report.worst_headroom_db, 2)));
        let pad = report.pad.iter().map(|pad| format!(" and pad {pad}")).collect::<String>();
        ui.weak(format!("{} with {}{pad}", report.transceiver, report.splitter));
    });
    for told in report.draws_text().iter().chain(&report.compared_text()) {
        ui.label(told);
    }
    // A design without values has many notes. The table keeps its place.
    ScrollArea::vertical().max_height(NOTES).id_salt("notes on light").show(ui, |ui| {
        for hazard in &report.hazards {
            ui.label(format!("Hazard: {hazard}."));
        }
        if let Some(mend) = report.branches.first().and_then(BranchReport::mend_text) {
            ui.label(mend);
        }
        for note in report.assumed.iter().chain(&report.gaps) {
            ui.weak(note);
        }
        for unknown in report.unknown_texts() {
            ui.weak(unknown);
        }
        ui.weak(format!("Catalogue: {}.", report.catalogue.line()));
    });
}

/// How many branches have which margin; in a Monte Carlo budget, the margins at the tail of the draws. `number` is that
/// of the report.
fn histogram(ui: &mut Ui, (report, number): (&BudgetReport, u64), emit: &Emit<'_>) {
    let bars = kept(ui, egui::Id::unique("margins of fibres"), number, |_| bars(report));
    if bars.is_empty() {
        return;
    }
    let chart = BarChart::new("fibres", bars.to_vec()).color(emit.colours.selected);
    axes::with_x(Plot::new("margins"), "margin, dB", 0.0)
        .height(180.0)
        .y_axis_label("fibres")
        .allow_scroll(false)
        .show(ui, |plot| plot.bar_chart(chart));
}

/// Bars over the margins of branches, each as high as there are branches. Empty without margins.
fn bars(report: &BudgetReport) -> Vec<Bar> {
    let margins: Vec<f64> = report.branches.iter().filter_map(|branch| branch.margin_db).collect();
    let least = margins.iter().copied().fold(f64::INFINITY, f64::min);
    let most = margins.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    #[allow(clippy::cast_precision_loss, reason = "bars of a plot")]
    let width = ((most - least) / BARS as f64).max(0.01);
    let mut counts = [0_u32; BARS];
    for margin in &margins {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "bars of a plot"
        )]
        let bar = (((margin - least) / width) as usize).min(BARS - 1);
        counts[bar] += 1;
    }
    #[allow(clippy::cast_precision_loss, reason = "bars of a plot")]
    let bar = |(index, &count): (usize, &u32)| {
        Bar::new(least + (index as f64 + 0.5) * width, count.into()).width(width * 0.95)
    };
    counts.iter().enumerate().filter(|(_, count)| **count > 0).map(bar).collect()
}
