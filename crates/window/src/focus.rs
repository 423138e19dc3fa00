//! Which panel has the focus of the keyboard, and how it moves from panel to panel.

use egui::accesskit::Role;
use egui::{Context, Id, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo};

use crate::command::{Command, Way};
use crate::panel::Panel;

/// Panels in sight, in the order in which they are drawn, and their places.
#[derive(Debug, Default)]
pub struct Places {
    places: Vec<(Panel, Rect)>,
}

impl Places {
    /// Forgets all places: a new frame begins.
    pub fn clear(&mut self) {
        self.places.clear();
    }

    /// The panel that has the focus, or else the first one in sight.
    pub fn current(&self, ctx: &Context) -> Option<Panel> {
        let focused = ctx.memory(|memory| memory.focused());
        let at =
            focused.and_then(|id| ctx.read_response(id)).map(|response| response.rect.center());
        let within = at.and_then(|at| self.places.iter().find(|(_, place)| place.contains(at)));
        within.or(self.places.first()).map(|(panel, _)| *panel)
    }

    /// The panel in sight after the current one. Without a focus it is the first one.
    pub fn next(&self, ctx: &Context, way: Way) -> Option<Panel> {
        let panels: Vec<Panel> = self.places.iter().map(|(panel, _)| *panel).collect();
        if ctx.memory(|memory| memory.focused()).is_none() {
            return panels.first().copied();
        }
        after(&panels, self.current(ctx)?, way)
    }

    /// Lets a panel take the focus, and marks it while it has it. It is drawn before the panel.
    pub fn mark(&mut self, ui: &Ui, panel: Panel) {
        let place = ui.max_rect();
        self.places.push((panel, place));
        let response = ui.interact(place, id(panel), Sense::focusable_noninteractive());
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Pane, true, format!("Panel {}", panel.title()))
        });
        if response.has_focus() {
            let colour = ui.visuals().selection.stroke.color;
            let frame = place.expand(3.0);
            ui.painter().with_clip_rect(frame.expand(2.0)).rect_stroke(
                frame,
                2.0,
                Stroke::new(2.0, colour),
                StrokeKind::Inside,
            );
        }
    }
}

/// Gives a panel the focus. The next press of Tab goes to its first field.
pub fn focus(ctx: &Context, panel: Panel) {
    ctx.memory_mut(|memory| memory.request_focus(id(panel)));
}

/// The panel after another one, round and round.
pub fn after(panels: &[Panel], now: Panel, way: Way) -> Option<Panel> {
    let at = panels.iter().position(|panel| *panel == now)?;
    let step = match way {
        Way::Forward => 1,
        Way::Back => panels.len() - 1,
    };
    panels.get((at + step) % panels.len()).copied()
}

fn id(panel: Panel) -> Id {
    Id::unique(("panel with the focus", panel.title()))
}

/// Takes the focus from a field for a moment, if one of these commands or a close takes its value: fields give their
/// values when they are left. Returns the field, which gets the focus back.
pub fn leave_field(ctx: &Context, keys: &[Command]) -> Option<Id> {
    let takes = |key: &Command| {
        matches!(key, Command::Save | Command::SaveAs | Command::Open | Command::Quit)
    };
    let closes = ctx.input(|input| input.viewport().close_requested());
    if !closes && !keys.iter().any(takes) {
        return None;
    }
    ctx.memory_mut(|memory| {
        let field = memory.focused()?;
        memory.surrender_focus(field);
        Some(field)
    })
}

#[cfg(test)]
mod tests {
    use super::after;
    use crate::command::Way;
    use crate::panel::Panel;

    #[test]
    fn panels_follow_each_other_round_and_round() {
        let panels = [Panel::Design, Panel::Fabric, Panel::Light];
        assert_eq!(after(&panels, Panel::Light, Way::Forward), Some(Panel::Design));
        assert_eq!(after(&panels, Panel::Design, Way::Back), Some(Panel::Light));
        assert_eq!(after(&panels, Panel::Log, Way::Back), None);
    }
}
