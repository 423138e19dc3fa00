//! The way of the selected fibre's light: hop by hop, with places, cables, labels, lengths and losses.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{ScrollArea, TextEdit, Ui};
use lightloom::TorId;
use lightloom::light::{TraceReport, TracedFibre, trace_shown};
use lightloom::{Error, Project, to_json};

use crate::command::{Command, Export, Selection};
use crate::panel::Panel;
use crate::slot::HowFar;
use crate::state::State;
use crate::state::answers::Answers;
use crate::state::asks::{AnswerOf, Asks, Sight};
use crate::views::draws::Draws;
use crate::views::emit::{Emit, empty, refusal};
use crate::views::shown::table;
use crate::views::waterfall;

/// The panel.
pub struct Pane;

impl Asks for Pane {
    fn ask(&self, answers: &mut Answers, sight: &Sight<'_>) {
        answers.ask_trace(&sight.of, sight.selection, sight.looks.case);
    }

    fn stop(&self, answers: &mut Answers) {
        answers.trace.halt();
    }

    fn answer(&self, of: &AnswerOf<'_>) -> Result<String, Error> {
        to_json(&of.asked.trace(of.project, of.watch)?)
    }
}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
        choose(ui, emit);
        let Some(project) = state.project() else {
            return empty(ui, "The way of a fibre appears here when the design can be opened.");
        };
        if let Some(tor) =
            state.selection.source().filter(|tor| tor.index() < project.fabric().tors())
        {
            ports(ui, project, tor, state.selection, emit);
        }
        if !matches!(state.selection, Selection::Fibre(..) | Selection::Port(..)) {
            return empty(ui, "Select a fibre or a port to follow its light.");
        }
        if let Some(error) = state.answers.trace.refused() {
            refusal(ui, emit, error);
        }
        let Some(trace) = state.answers.trace_of(state.selection, state.looks.case) else { return };
        let hops = trace_shown(trace);
        ui.horizontal_wrapped(|ui| {
            if ui.button("Copy the trace").clicked() {
                emit.emit(Command::CopyRows(Panel::Trace, hops.tabbed()));
            }
            emit.button(ui, "Write as CSV…", Command::Export(Export::Trace));
            ui.weak(format!(
                "{} case, {} with {}",
                trace.case.name(),
                trace.transceiver,
                trace.splitter
            ));
        });
        ScrollArea::both().auto_shrink(false).show(ui, |ui| {
            branches(ui, trace);
            table(ui, "hops", &hops);
            if let [only] = &trace.branches[..] {
                ui.separator();
                waterfall::show(ui, trace.case, &only.elements, emit);
            }
        });
    }

    fn how_far(&self, state: &State) -> Option<HowFar> {
        state.answers.trace.how_far()
    }

    fn is_stale(&self, state: &State) -> bool {
        state.answers.trace.is_stale()
    }

    fn refusals<'a>(&self, state: &'a State) -> Vec<Option<&'a Arc<Error>>> {
        vec![state.answers.trace.refused_of(|(of, traced, case)| {
            state.is_shown(of) && *traced == state.selection && *case == state.looks.case
        })]
    }
}

/// The field for names.
fn choose(ui: &mut Ui, emit: &mut Emit<'_>) {
    ui.horizontal_wrapped(|ui| {
        let id = ui.make_persistent_id("fibre to trace");
        let mut typed: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
        let field = TextEdit::singleline(&mut typed).hint_text("3->7, R1.05/3, F3, or a label");
        let field = ui.add(field.desired_width(180.0)).accessible_name("Fibre or port to trace");
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        if (ui.button("Trace it").clicked() || entered) && !typed.trim().is_empty() {
            emit.emit(Command::Find(typed.trim().to_owned()));
        }
        ui.data_mut(|data| data.insert_temp(id, typed));
    });
}

/// The ports of a ToR with what they receive and send.
fn ports(ui: &mut Ui, project: &Project, tor: TorId, selection: Selection, emit: &mut Emit<'_>) {
    let fabric = project.fabric();
    let mut heard: BTreeMap<u32, String> = BTreeMap::new();
    for &from in fabric.transmitters(fabric.receives_from(tor)) {
        heard.insert(fabric.receive_port(from), format!("hears ToR {from}"));
    }
    let sends = heard.entry(fabric.transmit_port(tor)).or_default();
    if !sends.is_empty() {
        *sends += ", ";
    }
    *sends += "sends";
    ui.horizontal_wrapped(|ui| {
        ui.label(format!("Ports of ToR {tor} in {}:", project.tor_name(tor)));
        for (port, what) in heard {
            let chosen = selection == Selection::Port(tor, port);
            if ui.selectable_label(chosen, format!("{port}: {what}")).clicked() {
                emit.emit(Command::Select(Selection::Port(tor, port)));
            }
        }
    });
}

/// Each branch with its light, and its fibres with their labels.
fn branches(ui: &mut Ui, trace: &TraceReport) {
    for traced in &trace.branches {
        ui.strong(format!("{}; {:.2} m of fibre", waterfall::title(traced), traced.length_m));
        for fibre in [&traced.feed, &traced.branch] {
            labels(ui, fibre);
        }
    }
    ui.separator();
}

/// A fibre with its lengths and both labels.
pub fn labels(ui: &mut Ui, fibre: &TracedFibre) {
    let TracedFibre { label, near_label, far_label, length_m, stock_m } = fibre;
    ui.label(format!("fibre {label}: {length_m:.2} m, order {stock_m:.2} m"));
    ui.weak(format!("near label {near_label}; far label {far_label}"));
}
