//! A field whose value is taken when it is left.

use egui::{TextEdit, Ui};

/// What was typed into a field that was left. While it has the focus, it keeps what is typed. `hint` is shown while it
/// is empty.
pub fn typed(ui: &mut Ui, name: &str, now: &str, hint: &str, width: f32) -> Option<String> {
    let id = ui.scope_id().with(name);
    let mut text: String = ui.data(|data| data.get_temp(id)).unwrap_or_else(|| now.to_owned());
    let field = TextEdit::singleline(&mut text).desired_width(width).hint_text(hint);
    let field = ui.add(field).on_hover_text(name).accessible_name(name);
    if field.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, text));
        return None;
    }
    ui.data_mut(|data| data.remove::<String>(id));
    (field.lost_focus() && text != now).then_some(text)
}
