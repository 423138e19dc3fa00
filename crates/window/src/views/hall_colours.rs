//! What the colours of trays in the hall mean, and their legend.

use egui::{Color32, Rect, Sense, Ui, pos2, vec2};

use super::emit::Emit;
use crate::command::{Command, HallColour};
use crate::state::State;
use crate::state::answers::Floor;

/// Values of stretches, and the colours between the smallest and the largest one.
pub struct Scale<'a> {
    floor: &'a Floor,
    over: Option<&'a lightloom::light::OverTrays>,
    by: HallColour,
    least: f64,
    most: f64,
}

impl<'a> Scale<'a> {
    /// The scale of what is chosen.
    pub fn new(state: &'a State, floor: &'a Floor) -> Self {
        let over = state.answers.all_fibres().map(AsRef::as_ref);
        // The floor of an earlier design has other stretches.
        let over = over.filter(|over| over.tray.len() == floor.stretches.fibres.len());
        let by = state.looks.hall_colour;
        let mut scale = Self { floor, over, by, least: 0.0, most: 0.0 };
        let values = (0..floor.stretches.fibres.len()).filter_map(|at| scale.value(at));
        let (least, most) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)));
        if least <= most {
            // Shares, numbers and lengths start at 0. A margin may be below it.
            let starts_at_0 = by != HallColour::Margin;
            (scale.least, scale.most) = (if starts_at_0 { 0.0 } else { least }, most);
        }
        scale
    }

    /// The value of a stretch. `None`: it is unknown.
    pub fn value(&self, at: usize) -> Option<f64> {
        match self.by {
            HallColour::Fill => self.floor.stretches.fill_percent.get(at).copied(),
            HallColour::Fibres => self.floor.stretches.fibres.get(at).map(|&count| count.into()),
            HallColour::Length => self.over?.longest_m.get(at).copied(),
            HallColour::Margin => self.over?.least_margin_db.get(at).copied().flatten(),
        }
    }

    /// What lies over the stretches.
    pub fn over(&self) -> Option<&lightloom::light::OverTrays> {
        self.over
    }

    /// The colour of a stretch. The strongest one is that of the largest value, and of the least margin.
    pub fn colour(&self, at: usize, emit: &Emit<'_>) -> Color32 {
        let Some(value) = self.value(at) else { return emit.colours.dim };
        let share = (value - self.least) / (self.most - self.least).max(1e-9);
        let share = if self.by == HallColour::Margin { 1.0 - share } else { share };
        emit.colours.share(share)
    }

    /// The texts at both ends of the legend, from the weakest to the strongest colour.
    fn ends(&self) -> [String; 2] {
        let Self { least, most, .. } = self;
        match self.by {
            HallColour::Fill => ["0 %".to_owned(), format!("{most:.1} %")],
            HallColour::Fibres => ["0".to_owned(), format!("{most:.0} cables")],
            HallColour::Length => ["0 m".to_owned(), format!("{most:.2} m")],
            // Margins that differ by little are still told apart.
            HallColour::Margin if most - least < 0.1 => {
                [format!("{most:.4} dB"), format!("{least:.4} dB")]
            }
            HallColour::Margin => [format!("{most:.2} dB"), format!("{least:.2} dB")],
        }
    }
}

/// What the colours mean, in words.
fn meaning(by: HallColour) -> &'static str {
    match by {
        HallColour::Fill => "fill of trays:",
        HallColour::Fibres => "cables side by side:",
        HallColour::Length => "longest fibre:",
        HallColour::Margin => "least margin:",
    }
}

/// The choice of the colours, and the legend.
pub fn legend(ui: &mut Ui, scale: &Scale<'_>, emit: &mut Emit<'_>) {
    for (colour, name) in HallColour::ALL {
        if ui.selectable_label(scale.by == colour, name).clicked() {
            emit.emit(Command::ColourBy(colour));
        }
    }
    ui.separator();
    let [weakest, strongest] = scale.ends();
    ui.label(format!("{} {weakest}", meaning(scale.by)));
    let (bar, painter) = ui.allocate_painter(vec2(120.0, 12.0), Sense::hover());
    const STEPS: u8 = 24;
    let width = bar.rect.width() / f32::from(STEPS);
    for step in 0..STEPS {
        let left = bar.rect.left() + width * f32::from(step);
        let part = Rect::from_min_size(pos2(left, bar.rect.top()), vec2(width + 0.5, 12.0));
        painter.rect_filled(part, 0.0, emit.colours.share(f64::from(step) / f64::from(STEPS)));
    }
    ui.label(strongest);
}
