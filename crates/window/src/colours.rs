//! All colours: those of drawings, which colour-blind people can tell apart (Okabe and Ito, 2008), and those of texts,
//! which have the contrast that WCAG 2.2 asks for (success criterion 1.4.3), in light and dark.

use egui::{Color32, Context, Theme, Visuals};
use lightloom::light::Verdict;

/// Colours of drawings.
#[derive(Debug, Clone, Copy)]
pub struct Colours {
    /// ToRs and racks.
    pub thing: Color32,
    /// Fibres of all sources, and what is not selected.
    pub dim: Color32,
    /// Frames in a hall.
    pub frame: Color32,
    /// The selection.
    pub selected: Color32,
    /// Broken parts, and who is cut off.
    pub broken: Color32,
    /// The same in texts, which need more contrast than marks.
    pub broken_text: Color32,
    /// Texts and marks.
    pub text: Color32,
    /// Behind a drawing.
    pub ground: Color32,
    is_dark: bool,
    /// What texts are written on.
    grounds: [Color32; 4],
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

/// Least contrast of a text with its ground.
const CONTRAST: f32 = 4.5;

/// Sets the colours of texts for light and dark. egui's own have a contrast of 2.7 in places.
pub fn set(ctx: &Context) {
    for theme in [Theme::Light, Theme::Dark] {
        ctx.set_visuals_of(theme, visuals(theme));
    }
}

/// The visuals for light or dark.
fn visuals(theme: Theme) -> Visuals {
    let mut visuals = theme.default_visuals();
    match theme {
        Theme::Light => {
            visuals.weak_text_color = Some(Color32::from_gray(108));
            visuals.hyperlink_color = OKABE_ITO[0];
        }
        // Weak text must differ from other text. egui's own is hardly lighter than weak text may be.
        Theme::Dark => {
            visuals.widgets.noninteractive.fg_stroke.color = Color32::from_gray(175);
            visuals.weak_text_color = Some(Color32::from_gray(138));
        }
    }
    visuals
}

/// How bright a colour is, from 0 to 1, as WCAG has it.
fn luminance(colour: Color32) -> f32 {
    let [red, green, blue, _] = egui::Rgba::from(colour).to_array();
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// The contrast of two colours, from 1 to 21.
fn contrast(one: Color32, other: Color32) -> f32 {
    let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
    one.max(other) / one.min(other)
}

/// A colour for texts on these grounds: as near to this one as the contrast lets it be.
fn legible(colour: Color32, grounds: &[Color32], is_dark: bool) -> Color32 {
    let end = if is_dark { Color32::WHITE } else { Color32::BLACK };
    let steps = (0..=20_u8).map(|step| colour.lerp_to_gamma(end, f32::from(step) / 20.0));
    let is_legible =
        |text: &Color32| grounds.iter().all(|ground| contrast(*text, *ground) >= CONTRAST);
    steps.into_iter().find(is_legible).unwrap_or(end)
}

impl Colours {
    /// The colours for light or dark.
    pub fn of(visuals: &Visuals) -> Self {
        let dark = visuals.dark_mode;
        let panel = visuals.panel_fill;
        // Every other row of a table is a little brighter.
        let row = panel.blend(visuals.faint_bg_color);
        let grounds = [panel, row, visuals.window_fill, visuals.text_edit_bg_color()];
        let pick = |in_dark, in_light| if dark { in_dark } else { in_light };
        Self {
            thing: pick(Color32::from_gray(150), Color32::from_gray(110)),
            dim: pick(Color32::from_gray(70), Color32::from_gray(205)),
            frame: pick(Color32::from_rgb(170, 120, 20), OKABE_ITO[1]),
            selected: pick(Color32::from_rgb(86, 180, 233), Color32::from_rgb(0, 114, 178)),
            broken: OKABE_ITO[4],
            broken_text: legible(OKABE_ITO[4], &grounds, dark),
            text: visuals.text_color(),
            ground: visuals.extreme_bg_color,
            is_dark: dark,
            grounds,
        }
    }

    /// The colour of a hop of a tree, from 1.
    pub fn hop(&self, hop: u32) -> Color32 {
        // Yellow is not seen on white, and dark blue not on black.
        let order: &[usize] = if self.is_dark { &[3, 1, 2, 5, 6, 4] } else { &[0, 1, 2, 5, 3, 4] };
        let index = hop.saturating_sub(1) as usize % order.len();
        OKABE_ITO[order[index]]
    }

    /// The colour of a verdict on light, in texts.
    pub fn verdict(&self, verdict: Verdict) -> Color32 {
        let colour = match verdict {
            Verdict::Pass => OKABE_ITO[2],
            Verdict::Warn | Verdict::Marginal => OKABE_ITO[1],
            Verdict::Unknown => self.thing,
            Verdict::Fail => self.broken,
        };
        legible(colour, &self.grounds, self.is_dark)
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
