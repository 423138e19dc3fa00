//! A table of many rows: sorted, filtered and copied. Only the rows on the screen are drawn.

use std::sync::Arc;

use egui::{Align, Label, Layout, TextEdit, Ui};
use egui_extras::{Column, TableBuilder};
use lightloom::shown::{Face, Head, List};

use super::emit::Emit;
use super::kept::kept;
use super::table_keys::{self, Marked};
use crate::command::{Command, Sorted};
use crate::panel::Panel;
use crate::state::State;

/// Height of a row, in points.
const ROW: f32 = 20.0;

/// Draws a table. `number` is that of the answer with the rows. Returns the index of the row that was clicked, or
/// entered with the keyboard.
pub fn table<T>(
    ui: &mut Ui,
    panel: Panel,
    list: &List<T>,
    (rows, number): (&[T], u64),
    state: &State,
    emit: &mut Emit<'_>,
) -> Option<usize> {
    let heads = &list.of(Face::Window);
    let filter = state.looks.filter(panel).to_lowercase();
    let sorted = state.looks.sorted.get(&panel).copied();
    let order = order(ui, panel, heads, (rows, number), &filter, sorted);
    ui.horizontal_wrapped(|ui| {
        let mut typed = state.looks.filter(panel).to_owned();
        let field = TextEdit::singleline(&mut typed).hint_text("Filter rows").desired_width(160.0);
        let name = format!("Filter {}", panel.title());
        if ui.add(field).accessible_name(name).changed() {
            emit.emit(Command::Filter(panel, typed));
        }
        ui.weak(format!("{} of {} rows", order.len(), rows.len()));
        if ui.button("Copy the rows").clicked() {
            emit.emit(Command::CopyRows(panel, text(heads, rows, &order)));
        }
        if ui.button("Export the rows").clicked() {
            emit.emit(Command::ExportRows(panel, csv(heads, rows, &order)));
        }
    });
    let named =
        |row: usize| heads.iter().map(|head| head.text(&rows[row])).collect::<Vec<_>>().join(", ");
    let marked = table_keys::marked(ui, panel, &order, named);
    let clicked = egui::ScrollArea::horizontal()
        .show(ui, |ui| rows_of(ui, panel, heads, (rows, &order), (sorted, marked), emit))
        .inner;
    if let Some(row) = clicked {
        table_keys::mark(ui, panel, row);
    }
    clicked.or(marked.row.filter(|_| marked.entered))
}

/// The rows on the screen.
fn rows_of<T>(
    ui: &mut Ui,
    panel: Panel,
    heads: &[&Head<T>],
    (rows, order): (&[T], &[usize]),
    (sorted, marked): (Option<Sorted>, Marked),
    emit: &mut Emit<'_>,
) -> Option<usize> {
    let mut clicked = None;
    let mut builder = TableBuilder::new(ui)
        .id_salt(panel.title())
        .striped(true)
        .sense(egui::Sense::click())
        .auto_shrink(false)
        .cell_layout(Layout::left_to_right(Align::Center))
        .columns(Column::auto().at_least(50.0).resizable(true), heads.len());
    if let Some(place) = marked.moved_to {
        builder = builder.scroll_to_row(place, None);
    }
    builder
        .header(ROW, |mut header| {
            for (column, head) in heads.iter().enumerate() {
                header.col(|ui| {
                    let mark = match sorted {
                        Some(sorted) if sorted.column == column && sorted.descending => " ⏷",
                        Some(sorted) if sorted.column == column => " ⏶",
                        _ => "",
                    };
                    if ui.button(format!("{}{mark}", head.title())).clicked() {
                        let descending =
                            sorted.is_some_and(|last| last.column == column && !last.descending);
                        emit.emit(Command::Sort(panel, Sorted { column, descending }));
                    }
                });
            }
        })
        .body(|body| {
            body.rows(ROW, order.len(), |mut row| {
                let index = order[row.index()];
                row.set_selected(marked.row == Some(index));
                for head in heads {
                    row.col(|ui| {
                        // A click on a text is a click on its row.
                        ui.add(Label::new(head.text(&rows[index])).selectable(false));
                    });
                }
                if row.response().clicked() {
                    clicked = Some(index);
                }
            });
        });
    clicked
}

/// The order of [`sort`]. It is kept until the rows, the filter or the order change.
fn order<T>(
    ui: &Ui,
    panel: Panel,
    heads: &[&Head<T>],
    (rows, number): (&[T], u64),
    filter: &str,
    sorted: Option<Sorted>,
) -> Arc<Vec<usize>> {
    let id = egui::Id::unique(("order", panel.title()));
    kept(ui, id, (number, filter.to_owned(), sorted), |_| sort(heads, rows, filter, sorted))
}

/// The rows that the filter leaves, in order.
fn sort<T>(heads: &[&Head<T>], rows: &[T], filter: &str, sorted: Option<Sorted>) -> Vec<usize> {
    let has = |row: &T| heads.iter().any(|head| head.text(row).to_lowercase().contains(filter));
    let mut order: Vec<usize> =
        (0..rows.len()).filter(|&index| filter.is_empty() || has(&rows[index])).collect();
    if let Some(Sorted { column, descending }) = sorted
        && let Some(head) = heads.get(column)
    {
        match head.value() {
            Some(value) => order.sort_by(|&a, &b| {
                let (a, b) = (value(&rows[a]), value(&rows[b]));
                let by_value = if descending { b.total_cmp(&a) } else { a.total_cmp(&b) };
                a.is_nan().cmp(&b.is_nan()).then(by_value)
            }),
            None => {
                order.sort_by_cached_key(|&index| head.text(&rows[index]));
                if descending {
                    order.reverse();
                }
            }
        }
    }
    order
}

/// The rows of a panel's table as text with tabs, as they are filtered and sorted.
pub fn text_of<T>(panel: Panel, list: &List<T>, rows: &[T], state: &State) -> String {
    let heads = &list.of(Face::Window);
    text(heads, rows, &shown(panel, heads, rows, state))
}

/// The same as CSV.
pub fn csv_of<T>(panel: Panel, list: &List<T>, rows: &[T], state: &State) -> String {
    let heads = &list.of(Face::Window);
    csv(heads, rows, &shown(panel, heads, rows, state))
}

/// The rows that are shown, in order.
fn shown<T>(panel: Panel, heads: &[&Head<T>], rows: &[T], state: &State) -> Vec<usize> {
    let filter = state.looks.filter(panel).to_lowercase();
    sort(heads, rows, &filter, state.looks.sorted.get(&panel).copied())
}

/// The rows as text with tabs, as spreadsheets take it.
fn text<T>(heads: &[&Head<T>], rows: &[T], order: &[usize]) -> String {
    let titles: Vec<_> = heads.iter().map(|head| head.title()).collect();
    let mut text = titles.join("\t") + "\n";
    for &index in order {
        let cells: Vec<_> = heads.iter().map(|head| head.text(&rows[index])).collect();
        text += &(cells.join("\t") + "\n");
    }
    text
}

/// The rows as CSV (RFC 4180). A cell that a spreadsheet would take for a formula starts with an apostrophe.
fn csv<T>(heads: &[&Head<T>], rows: &[T], order: &[usize]) -> String {
    let cell = |text: &str| {
        let number = text.parse::<f64>().is_ok();
        let is_formula = !number && text.starts_with(['=', '+', '-', '@']);
        let text = if is_formula { format!("'{text}") } else { text.to_owned() };
        match text.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text,
        }
    };
    let titles: Vec<_> = heads.iter().map(|head| cell(head.title())).collect();
    let mut text = titles.join(",") + "\n";
    for &index in order {
        let cells: Vec<_> = heads.iter().map(|head| cell(&head.text(&rows[index]))).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}
