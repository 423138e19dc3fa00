//! A text that is too long to be edited here, line by line.

use std::sync::Arc;

use egui::{Id, Label, RichText, ScrollArea, TextStyle, Ui};

use super::kept::kept;
use crate::state::file::LONGEST_EDITED;

/// The most characters of a line that are shown.
const LONGEST_LINE: usize = 400;

/// Shows a text that is too long to be edited, with the lines in sight. `elsewhere` says where it can be changed.
/// It is at most `most` points high. `false`: the text is short, and nothing is shown.
pub fn show(
    ui: &mut Ui,
    (name, elsewhere): (&'static str, &str),
    text: &Arc<str>,
    most: f32,
) -> bool {
    if text.len() <= LONGEST_EDITED {
        return false;
    }
    ui.label(format!("The text has {} bytes. {elsewhere}", text.len()));
    let starts = kept(ui, Id::unique(name), text.clone(), |text| starts(text));
    let height = ui.text_style_height(&TextStyle::Monospace);
    let digits = starts.len().to_string().len();
    let lines = ScrollArea::both().id_salt(name).max_height(most).auto_shrink([false, true]);
    lines.show_rows(ui, height, starts.len(), |ui, rows| {
        for row in rows {
            let end = starts.get(row + 1).copied().unwrap_or(text.len());
            let line = starts.get(row).and_then(|start| text.get(*start..end)).unwrap_or_default();
            let line: String = line.trim_end().chars().take(LONGEST_LINE).collect();
            let line = RichText::new(format!("{:>digits$}  {line}", row + 1)).monospace();
            ui.add(Label::new(line).extend());
        }
    });
    true
}

/// The places at which lines begin.
fn starts(text: &str) -> Vec<usize> {
    let after = text.match_indices('\n').map(|(at, _)| at + 1).filter(|at| *at < text.len());
    std::iter::once(0).chain(after).collect()
}
