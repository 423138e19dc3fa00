//! A list of what a run tells, under its title.

use egui::{CollapsingHeader, Grid, Ui};

/// The most rows of a list. The exported results have all.
const MOST: usize = 40;

/// The text of a value that there is not.
pub fn none() -> String {
    "none".to_owned()
}

/// A list under its title. Nothing is drawn of an empty one.
pub fn list<const N: usize>(
    ui: &mut Ui,
    title: &str,
    titles: [&str; N],
    rows: impl ExactSizeIterator<Item = [String; N]>,
) {
    let number = rows.len();
    if number == 0 {
        return;
    }
    CollapsingHeader::new(format!("{title} ({number})")).id_salt(title).default_open(true).show(
        ui,
        |ui| {
            egui::ScrollArea::horizontal().id_salt(title).show(ui, |ui| {
                Grid::new(title).striped(true).num_columns(N).show(ui, |ui| {
                    for title in titles {
                        ui.strong(title);
                    }
                    ui.end_row();
                    for row in rows.take(MOST) {
                        for cell in row {
                            ui.label(cell);
                        }
                        ui.end_row();
                    }
                });
            });
            if number > MOST {
                ui.weak(format!("{} more are in the results of the run.", number - MOST));
            }
        },
    );
}
