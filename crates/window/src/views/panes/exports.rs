//! All that can be written, with its options.

use std::sync::Arc;

use egui::{Grid, ScrollArea, TextEdit, Ui};
use lightloom::Error;
use lightloom::netbox::Origin;

use crate::command::Command;
use crate::export::{Export, ExportOption, Written};
use crate::panel::Panel;
use crate::state::State;
use crate::state::asks::Asks;
use crate::views::draws::Draws;
use crate::views::emit::Emit;
use crate::words;

/// The panel.
pub struct Pane;

impl Asks for Pane {}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.weak(
                "What is there already is compared first, and you are asked before anything is lost.",
            );
            if state.exporting.how_far().is_some() || !state.pictures.is_empty() {
                emit.button(ui, "Stop", Command::Stop(Panel::Exports));
            }
            options(ui, state, emit);
            ui.separator();
            Grid::new("exports").num_columns(3).striped(true).show(ui, |ui| {
                for export in Export::all() {
                    emit.button(ui, &format!("Export {}", export.name()), Command::Export(export));
                    ui.label(match export.written() {
                        Written::Folder => "folder",
                        Written::File => "file",
                    });
                    ui.weak(about(export));
                    ui.end_row();
                }
            });
            ui.separator();
            ui.label("Pictures of panels");
            ui.horizontal_wrapped(|ui| {
                for panel in Panel::ALL {
                    let title = panel.title();
                    emit.button(
                        ui,
                        &format!("{title} as PNG"),
                        Command::Export(Export::Picture(panel)),
                    );
                    emit.button(ui, &format!("{title} as SVG"), Command::Export(Export::Svg(panel)));
                }
            });
        });
    }

    fn refusals<'a>(&self, state: &'a State) -> Vec<Option<&'a Arc<Error>>> {
        vec![state.cables.checks.concerns.refused_of(|of| state.is_shown(of))]
    }
}

/// The options of all that is written.
fn options(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    /// The name of a field, what is typed there, its text, and the option that it changes.
    type Field = (&'static str, &'static str, String, fn(String) -> ExportOption);
    /// The name of a box, what it shows, and the option that it changes.
    type Tick = (&'static str, Origin, fn(Origin) -> ExportOption);
    let options = &state.looks.exports;
    let path = |path: &Option<std::path::PathBuf>| {
        path.as_ref().map_or(String::new(), |path| path.display().to_string())
    };
    let texts: [Field; 5] = [
        (words::DATE, "2026-03-31", options.date.clone(), ExportOption::Date),
        (words::SITE, "the rooms' sites", options.site.clone(), ExportOption::Site),
        (words::LOCATION, "none", options.location.clone(), ExportOption::Location),
        (words::GROUPS, "groups.toml", path(&options.groups), ExportOption::Groups),
        (words::OLD, "plan or design.toml", path(&options.old), ExportOption::Old),
    ];
    let link: Field = (words::LINK, "host 0>leaf 0", options.link.clone(), ExportOption::Link);
    let field = |ui: &mut Ui, (name, hint, mut typed, option): Field, emit: &mut Emit<'_>| {
        let label = ui.label(name).id;
        let edit = TextEdit::singleline(&mut typed).hint_text(hint).desired_width(120.0);
        if ui.add(edit).labelled_by(label).changed() {
            emit.emit(Command::ExportWith(option(typed)));
        }
    };
    ui.horizontal_wrapped(|ui| {
        for text in texts {
            field(ui, text, emit);
        }
        let boxes: [Tick; 2] = [
            ("NetBox imports racks too", options.racks, ExportOption::Racks),
            ("NetBox imports switches too", options.switches, ExportOption::Switches),
        ];
        for (name, origin, option) in boxes {
            let mut is_imported = origin == Origin::Imported;
            if ui.checkbox(&mut is_imported, name).changed() {
                let origin = if is_imported { Origin::Imported } else { Origin::InNetbox };
                emit.emit(Command::ExportWith(option(origin)));
            }
        }
        field(ui, link, emit);
    });
}

/// What is in it.
fn about(export: Export) -> &'static str {
    match export {
        Export::Plan => "every fibre, port and rule, proved",
        Export::Recovered => "the same, with the rules that go around the broken parts",
        Export::Grown => "the plan of the panel Growth, with its cords and stages",
        Export::Placed => "the plan with the racks of the panel Placement",
        Export::Placement => "the rack of each ToR, as a design names it with hall.placement",
        Export::UsedPlacement => "the same; the design then names the file",
        Export::AsBuilt => "the plan of the panel As-built",
        Export::AsBuiltForm => "a row for each cable, that crews fill in",
        Export::Report => "to read, print and sign",
        Export::Drawings => "floor plan and elevations, for A3",
        Export::Netbox => "shelves, modules, ports and cables",
        Export::Repairs => "the rules for every single failure",
        Export::Configs => "in the dialect and encoding of the panel Rules",
        Export::ConfigsIn(_) => "in this dialect, in the encoding of the panel Rules",
        Export::Rollout => "what changes from the older plan to this one, phase by phase",
        Export::Results => "flows, series, links and the report of the last run",
        Export::Arrivals => "runs the scenario again: a line for every arrival of a packet",
        Export::Capture => {
            "runs the scenario again: the packets of the link above, with their bytes"
        }
        Export::Trace => "each hop of the selected fibre or port",
        Export::Answer(_) => "as the command prints it with --json",
        Export::Rows(_) => "as they are filtered and sorted",
        Export::Picture(_) | Export::Svg(_) => "as large as 1,600 by 1,000 points",
    }
}
