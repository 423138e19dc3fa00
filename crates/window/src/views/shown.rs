//! Tables that the command shows, too.

use egui::{CollapsingHeader, Grid, ScrollArea, Ui};
use lightloom::shown::{Face, List, Shown};

/// The most rows of a list. The exported results have all.
const MOST: usize = 40;

/// A list under its title. Nothing is drawn of an empty one.
pub fn list<'a, R: 'a>(ui: &mut Ui, list: &List<R>, rows: impl IntoIterator<Item = &'a R>) {
    listed(ui, list.title, list, rows);
}

/// The same under another title.
pub fn listed<'a, R: 'a>(
    ui: &mut Ui,
    title: &str,
    list: &List<R>,
    rows: impl IntoIterator<Item = &'a R>,
) {
    let shown = list.shown(Face::Window, rows, MOST);
    if shown.all() > 0 {
        under(ui, title, &format!("{title} ({})", shown.all()), &shown);
    }
}

/// Facts under their title.
pub fn facts(ui: &mut Ui, title: &str, shown: &Shown) {
    under(ui, title, title, shown);
}

fn under(ui: &mut Ui, id: &str, title: &str, shown: &Shown) {
    CollapsingHeader::new(title).id_salt(id).default_open(true).show(ui, |ui| {
        ScrollArea::horizontal().id_salt(id).show(ui, |ui| table(ui, id, shown));
    });
}

/// A table, with the number of rows that it leaves out.
pub fn table(ui: &mut Ui, id: &str, shown: &Shown) {
    Grid::new(id).striped(true).num_columns(shown.titles().len()).show(ui, |ui| {
        for title in shown.titles() {
            ui.strong(title);
        }
        ui.end_row();
        for row in shown.rows() {
            for cell in row {
                ui.label(cell);
            }
            ui.end_row();
        }
    });
    let left = shown.all() - shown.rows().len();
    if left > 0 {
        ui.weak(format!("… and {left} more"));
    }
}
