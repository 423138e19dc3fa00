//! Broken parts, who is cut off, and the choice of a repair.

use std::sync::Arc;

use egui::{ScrollArea, TextEdit, Ui};
use lightloom::failures::{ImpactReport, Method, MethodName, Objective};
use lightloom::{Error, to_json};

use crate::command::{Command, Selection};
use crate::panel::Panel;
use crate::slot::HowFar;
use crate::state::State;
use crate::state::answers::Answers;
use crate::state::asked::needs;
use crate::state::asking::failures;
use crate::state::asks::{AnswerOf, Asks, Sight};
use crate::views::draws::Draws;
use crate::views::emit::Emit;
use crate::views::repair::{self, listed, silenced};

/// The panel.
pub struct Pane;

impl Asks for Pane {
    fn ask(&self, answers: &mut Answers, sight: &Sight<'_>) {
        answers.ask_failures(&sight.of, sight.work);
    }

    fn answer(&self, of: &AnswerOf<'_>) -> Result<String, Error> {
        if of.asked.broken.is_empty() {
            return Err(needs("break a part first"));
        }
        let failed = failures(of.project, &of.asked.broken)?;
        if of.asked.is_repaired {
            to_json(&of.project.recover(&failed, of.asked.method)?)
        } else {
            to_json(&of.project.impact(&failed)?)
        }
    }
}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
        let work = state.work.now();
        ui.horizontal_wrapped(|ui| {
            break_menu_of_selection(ui, state, emit);
            let id = ui.make_persistent_id("part to break");
            let mut typed: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
            let field = TextEdit::singleline(&mut typed).hint_text("relay:8 or branch:3->7");
            let field = ui.add(field.desired_width(150.0)).accessible_name("Part to break");
            let entered =
                field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            if (ui.button("Break it").clicked() || entered) && !typed.trim().is_empty() {
                emit.emit(Command::Break(typed.trim().to_owned()));
                typed.clear();
            }
            ui.data_mut(|data| data.insert_temp(id, typed));
        });
        if let Some((parts, warning)) = &work.put_back {
            let parts = parts.join(", ");
            let text = format!("⚠ {parts}: mended under the rules of the repair. {warning}");
            ui.colored_label(emit.colours.broken_text, text);
        }
        if work.broken.is_empty() {
            crate::views::emit::empty(
                ui,
                "Nothing is broken. Select a ToR and break a part of it.",
            );
            return;
        }
        ui.horizontal_wrapped(|ui| {
            for part in &work.broken {
                ui.colored_label(emit.colours.broken_text, part);
                let mend = ui.small_button("mend").accessible_name(format!("Mend {part}"));
                if mend.clicked() {
                    emit.emit(Command::Mend(part.clone()));
                }
            }
            if work.broken.len() > 1 {
                emit.button(ui, "Mend all", Command::MendAll);
            }
        });
        if let Some(error) = state.impact_refused().or(state.recover_refused()) {
            crate::views::emit::refusal(ui, emit, error);
        }
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let impact = state.answers.impact.last().filter(|impact| impact.failed == work.broken);
            if let Some(impact) = impact {
                damage(ui, impact, emit);
            }
            ui.separator();
            methods(ui, work.method, emit);
            match work.repair {
                None => emit.button(ui, "Recover", Command::Recover),
                Some(phases) => {
                    let repair = state.answers.repair(&work.broken, work.method);
                    // A repair by an earlier method is not that of this one.
                    if let Some(repair) = repair.filter(|_| state.recover_refused().is_none()) {
                        repair::show(ui, repair, phases, emit);
                    }
                }
            }
        });
    }

    fn how_far(&self, state: &State) -> Option<HowFar> {
        state.answers.impact.how_far().or(state.answers.recover.how_far())
    }

    fn is_stale(&self, state: &State) -> bool {
        let answers = &state.answers;
        answers.impact.is_stale() || answers.recover.is_stale()
    }

    fn refusals<'a>(&self, state: &'a State) -> Vec<Option<&'a Arc<Error>>> {
        vec![state.impact_refused(), state.recover_refused()]
    }
}

/// Buttons that break parts of the selection.
fn break_menu_of_selection(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    if matches!(state.selection, Selection::Nothing) {
        return;
    }
    ui.menu_button("Break the selection", |ui| break_menu(ui, state.selection, emit));
}

/// The entries of a menu that break parts of a thing.
pub fn break_menu(ui: &mut Ui, thing: Selection, emit: &mut Emit<'_>) {
    let parts = match thing {
        Selection::Nothing => {
            ui.weak("Nothing is here.");
            return;
        }
        Selection::Port(tor, port) => {
            vec![(format!("rx:{tor}/{port}"), "the receiver of the port")]
        }
        Selection::Tor(tor) => vec![
            (format!("relay:{tor}"), "its transmitter"),
            (format!("splitter:{tor}"), "its splitter"),
            (format!("tor:{tor}"), "the whole ToR"),
        ],
        Selection::Cassette(cassette) => {
            vec![(format!("cassette:{cassette}"), "all its splitters")]
        }
        Selection::Fibre(from, to) => vec![(format!("branch:{from}->{to}"), "the fibre")],
    };
    for (part, about) in parts {
        if ui.button(format!("Break {part}: {about}")).clicked() {
            emit.emit(Command::BreakPart(part));
            emit.emit(Command::Show(Panel::Failures));
            ui.close();
        }
    }
}

/// Who is cut off before any repair.
fn damage(ui: &mut Ui, impact: &ImpactReport, emit: &mut Emit<'_>) {
    let sources = impact.sources.len() + impact.failed_sources.len();
    let unaffected = impact.distribution.get(&0).copied().unwrap_or(0);
    ui.strong(format!("{} of {sources} sources lose receivers", sources - unaffected));
    ui.label(format!("{:.1} % of the sources lose no ToR.", 100.0 * impact.unaffected_fraction));
    if !impact.failed_sources.is_empty() {
        let tors = listed(&impact.failed_sources);
        ui.label(format!("Failed sources, which lose everyone until repaired: {tors}."));
    }
    if !impact.worst.is_empty() {
        ui.label("Of the others these lose most:");
        ui.horizontal_wrapped(|ui| {
            for &(source, lost) in &impact.worst {
                if ui.link(format!("{source} loses {lost}")).clicked() {
                    emit.emit(Command::Select(Selection::Tor(source)));
                }
            }
        });
    }
    if let Some(cascade) = &impact.fault_signalling {
        silenced(ui, cascade);
        let without = &cascade.without;
        ui.label(format!(
            "With link fault signalling off: {} failed sources in place of {}, and {:.1} % of the sources lose no ToR.",
            without.failed_sources.len(),
            impact.failed_sources.len(),
            100.0 * without.unaffected_fraction,
        ));
    }
}

/// All methods, with their names.
pub fn all_methods() -> Vec<(Method, String)> {
    let replan = |goal: Objective| {
        (Method::Replan(goal), format!("{}: {}", MethodName::Replan, goal.name()))
    };
    let mut methods: Vec<_> = Objective::ALL.into_iter().map(replan).collect();
    methods.push((Method::Algorithm2, MethodName::Algorithm2.to_string()));
    methods
}

/// The choice of the method.
fn methods(ui: &mut Ui, chosen: Method, emit: &mut Emit<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.label("Recover by");
        for (method, name) in all_methods() {
            if ui.selectable_label(method == chosen, name).clicked() && method != chosen {
                emit.emit(Command::RecoverBy(method));
            }
        }
    });
}
