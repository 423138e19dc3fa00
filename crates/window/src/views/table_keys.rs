//! The keyboard in a table: arrows move a mark from row to row, and Enter clicks the marked row.

use egui::{EventFilter, Id, Key, Sense, Stroke, StrokeKind, Ui};

use crate::panel::Panel;

/// The marked row of a table, and what the keyboard did in this frame.
#[derive(Debug, Clone, Copy, Default)]
pub struct Marked {
    /// Index of the marked row. `None`: the table does not have the focus, or has no rows.
    pub row: Option<usize>,
    /// Where the mark stands in the order of the table, if it has moved.
    pub moved_to: Option<usize>,
    /// Whether Enter was pressed.
    pub entered: bool,
}

/// Lets the rows below take the focus, and moves the mark. `named` is the text of a row.
pub fn marked(ui: &Ui, panel: Panel, order: &[usize], named: impl Fn(usize) -> String) -> Marked {
    let place = ui.available_rect_before_wrap();
    let response = ui.interact(place, id(panel), Sense::focusable_noninteractive());
    let kept: Option<usize> = ui.data(|data| data.get_temp(id(panel)));
    let before = kept.and_then(|row| order.iter().position(|&other| other == row));
    let title = panel.title();
    if !response.has_focus() || order.is_empty() {
        response.accessible_name(format!("Rows of {title}"));
        return Marked::default();
    }
    let arrows = EventFilter { vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
    let after = moved(ui, before, order.len());
    let row = order[after];
    ui.data_mut(|data| data.insert_temp(id(panel), row));
    response.accessible_name(format!("Rows of {title}: {}", named(row)));
    let stroke = Stroke::new(1.0, ui.visuals().selection.stroke.color);
    ui.painter().rect_stroke(place, 0.0, stroke, StrokeKind::Inside);
    Marked {
        row: Some(row),
        moved_to: Some(after).filter(|_| before != Some(after)),
        entered: ui.input(|input| input.key_pressed(Key::Enter)),
    }
}

/// Marks a row that was clicked, and gives its table the focus.
pub fn mark(ui: &Ui, panel: Panel, row: usize) {
    ui.data_mut(|data| data.insert_temp(id(panel), row));
    ui.memory_mut(|memory| memory.request_focus(id(panel)));
}

/// The place of the mark after the keys of this frame.
fn moved(ui: &Ui, before: Option<usize>, rows: usize) -> usize {
    const PAGE: usize = 10;
    let last = rows - 1;
    let Some(before) = before else { return 0 };
    ui.input(|input| {
        let times = |key| input.num_presses(key);
        let at = match () {
            () if times(Key::Home) > 0 => 0,
            () if times(Key::End) > 0 => last,
            () => before,
        };
        let onward = times(Key::ArrowDown) + PAGE * times(Key::PageDown);
        let back = times(Key::ArrowUp) + PAGE * times(Key::PageUp);
        (at + onward).saturating_sub(back).min(last)
    })
}

fn id(panel: Panel) -> Id {
    Id::unique(("rows", panel.title()))
}
