//! Menus of layers and of collapsed groups, which the drawings of fabric and hall share.

use egui::Ui;
use lightloom::plan::FloorReport;

use super::emit::Emit;
use crate::command::{Command, FabricLayout, Selection};
use crate::layers::{Group, Layer, Shown};
use crate::panel::Panel;
use crate::state::State;

/// The menu of layers.
pub fn menu(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let layers = &state.looks.layers;
    ui.menu_button("Layers", |ui| {
        for layer in Layer::ALL {
            ui.horizontal(|ui| {
                let name = layer.name();
                for (shown, verb) in Shown::ALL {
                    let chosen = layers.of(layer) == shown;
                    let button = ui.selectable_label(chosen, verb);
                    if button.accessible_name(format!("{verb} {name}")).clicked() {
                        emit.emit(Command::SetLayer(layer, shown));
                    }
                }
                let alone = layers.alone == Some(layer);
                let button = ui.selectable_label(alone, "Only");
                if button.accessible_name(format!("Only {name}")).clicked() {
                    emit.emit(Command::Isolate(Some(layer).filter(|_| !alone)));
                }
                ui.label(name);
            });
        }
        emit.button(ui, "All layers", Command::Isolate(None));
    });
}

/// The menu of groups that can be drawn as one mark.
pub fn groups(ui: &mut Ui, panel: Panel, state: &State, emit: &mut Emit<'_>) {
    let all = all_groups(panel, state);
    if all.is_empty() {
        return;
    }
    let collapsed = &state.looks.collapsed;
    ui.menu_button("Collapse", |ui| {
        emit.button(ui, "Expand all", Command::ExpandAll);
        egui::ScrollArea::vertical().max_height(300.0).show(ui, |ui| {
            for (group, name) in all {
                if collapsed.contains(&group) {
                    emit.button(ui, &format!("Expand {name}"), Command::Expand(group));
                } else {
                    emit.button(ui, &format!("Collapse {name}"), Command::Collapse(group));
                }
            }
        });
    });
}

/// The groups of a panel with their names: columns, and the row of the selection; rows of racks.
pub fn all_groups(panel: Panel, state: &State) -> Vec<(Group, String)> {
    let name = |group: Group| {
        let name = match group {
            Group::Racks(row) => {
                let floor = state.answers.floor.last();
                let found = floor.and_then(|floor| row_name(&floor.report, row));
                group.name(|_| found)
            }
            Group::Column(_) | Group::Row(_) => group.name(|_| None),
        };
        (group, name)
    };
    match panel {
        Panel::Hall => {
            let rows = state.answers.floor.last().map_or(0, |floor| floor.report.rows.len());
            (0_u32..).take(rows).map(|row| name(Group::Racks(row))).collect()
        }
        Panel::Fabric if state.looks.fabric.layout == FabricLayout::Columns => {
            let Some(project) = state.project() else { return Vec::new() };
            let Some(shape) = project.design().fabric.shape() else { return Vec::new() };
            let columns = (0..shape.k()).map(Group::Column);
            let of_selection = match state.selection {
                Selection::Tor(tor) if tor.index() < project.fabric().tors() => {
                    Some(Group::Row(shape.row(tor)))
                }
                _ => None,
            };
            let rows = state.looks.collapsed.iter().copied();
            let rows = rows.filter(|group| matches!(group, Group::Row(_)));
            let mut groups: Vec<Group> = columns.chain(of_selection).chain(rows).collect();
            groups.sort_unstable();
            groups.dedup();
            groups.into_iter().map(name).collect()
        }
        _ => Vec::new(),
    }
}

/// Name of a row of racks.
pub fn row_name(floor: &FloorReport, row: u32) -> Option<&str> {
    floor.rows.get(row as usize).map(|row| row.name.as_str())
}
