//! All colours of drawings. They can be told apart by colour-blind people (Okabe and Ito, 2008), in light and dark.

use egui::{Color32, Visuals};
use lightloom::Verdict;

/// Colours of drawings.
#[derive(Debug, Clone, Copy)]
pub struct Colours {
    /// ToRs and racks.
    pub thing: Color32,
    /// Fibres of all sources, and what is not selected.
    pub dim: Color32,
    /// The selection.
    pub selected: Color32,
    /// Broken parts, and who is cut off.
    pub broken: Color32,
    /// Texts and marks.
    pub text: Color32,
    /// Behind a drawing.
    pub ground: Color32,
    is_dark: bool,
}

/// Blue, orange, green, sky blue, vermilion, purple, yellow.
const OKABE_ITO: [Color32; 7] = [
    Color32::from_rgb(0, 114, 178),
    Color32::from_rgb(230, 159, 0),
    Color32::from_rgb(0, 158, 115),
    Color32::from_rgb(86, 180, 233),
    Color32::from_rgb(213, 94, 0),
    Color32::from_rgb(204, 121, 167),
    Color32::from_rgb(240, 228, 66),
];

impl Colours {
    /// The colours for light or dark.
    pub fn of(visuals: &Visuals) -> Self {
        let dark = visuals.dark_mode;
        let pick = |in_dark, in_light| if dark { in_dark } else { in_light };
        Self {
            thing: pick(Color32::from_gray(150), Color32::from_gray(110)),
            dim: pick(Color32::from_gray(70), Color32::from_gray(205)),
            selected: pick(Color32::from_rgb(86, 180, 233), Color32::from_rgb(0, 114, 178)),
            broken: Color32::from_rgb(213, 94, 0),
            text: visuals.text_color(),
            ground: visuals.extreme_bg_color,
            is_dark: dark,
        }
    }

    /// The colour of a hop of a tree, from 1.
    pub fn hop(&self, hop: u32) -> Color32 {
        // Yellow is not seen on white, and dark blue not on black.
        let order: &[usize] = if self.is_dark { &[3, 1, 2, 5, 6, 4] } else { &[0, 1, 2, 5, 3, 4] };
        let index = hop.saturating_sub(1) as usize % order.len();
        OKABE_ITO[order[index]]
    }

    /// The colour of a verdict on light.
    pub fn verdict(&self, verdict: Verdict) -> Color32 {
        match verdict {
            Verdict::Pass => OKABE_ITO[2],
            Verdict::Warn | Verdict::Marginal => OKABE_ITO[1],
            Verdict::Unknown => self.thing,
            Verdict::Fail => self.broken,
        }
    }

    /// The colour of a share from 0 to 1: from blue over yellow to vermilion, with rising brightness contrast.
    pub fn share(&self, share: f64) -> Color32 {
        let stops = if self.is_dark {
            [Color32::from_rgb(70, 110, 160), OKABE_ITO[6], OKABE_ITO[4]]
        } else {
            [Color32::from_rgb(120, 170, 215), OKABE_ITO[1], Color32::from_rgb(170, 50, 0)]
        };
        #[allow(clippy::cast_possible_truncation, reason = "a colour")]
        let at = (share.clamp(0.0, 1.0) * 2.0) as f32;
        if at < 1.0 {
            stops[0].lerp_to_gamma(stops[1], at)
        } else {
            stops[1].lerp_to_gamma(stops[2], at - 1.0)
        }
    }

    /// A colour of a series of a plot.
    pub fn series(&self, number: usize) -> Color32 {
        #[allow(clippy::cast_possible_truncation, reason = "a number modulo six")]
        self.hop(number as u32 % 6 + 1)
    }
}
