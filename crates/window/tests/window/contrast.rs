//! Texts have the contrast that WCAG 2.2 asks for, in light and dark.

use egui::{Color32, Theme, Visuals};
use lightloom::light::Verdict;
use lightloom_window::colours::Colours;

use crate::drive::Driven;

/// Least contrast of a text with its ground (success criterion 1.4.3).
const LEAST: f64 = 4.5;

/// Relative luminance, as WCAG defines it.
fn luminance(colour: Color32) -> f64 {
    let linear = |byte: u8| {
        let share = f64::from(byte) / 255.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(colour.r()) + 0.7152 * linear(colour.g()) + 0.0722 * linear(colour.b())
}

/// The contrast of a text that may let its ground shine through.
fn contrast(text: Color32, ground: Color32) -> f64 {
    let (text, ground) = (luminance(ground.blend(text)) + 0.05, luminance(ground) + 0.05);
    text.max(ground) / text.min(ground)
}

#[test]
fn the_contrast_is_that_of_wcag() {
    assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 1e-9);
    assert!((contrast(Color32::from_gray(118), Color32::WHITE) - 4.54).abs() < 0.01);
    assert!((contrast(Color32::WHITE, Color32::WHITE) - 1.0).abs() < 1e-9);
}

/// All colours of texts, with what they are for.
fn texts(visuals: &Visuals) -> Vec<(&'static str, Color32)> {
    let colours = Colours::of(visuals);
    let mut texts = vec![
        ("text", visuals.text_color()),
        ("strong text", visuals.strong_text_color()),
        // Hints of fields are weak texts.
        ("weak text", visuals.weak_text_color()),
        ("link", visuals.hyperlink_color),
        ("text of a drawing", colours.text),
        ("broken", colours.broken_text),
        ("selected", colours.selected),
    ];
    for verdict in
        [Verdict::Pass, Verdict::Warn, Verdict::Marginal, Verdict::Unknown, Verdict::Fail]
    {
        texts.push((verdict.name(), colours.verdict(verdict)));
    }
    texts
}

#[test]
fn texts_can_be_read_in_both_themes() {
    let window = Driven::new();
    for theme in [Theme::Light, Theme::Dark] {
        let visuals = window.harness.ctx.style_of(theme).visuals.clone();
        let grounds = [
            ("a panel", visuals.panel_fill),
            ("a question", visuals.window_fill),
            ("a field", visuals.text_edit_bg_color()),
            ("every other row", visuals.panel_fill.blend(visuals.faint_bg_color)),
        ];
        for (text, colour) in texts(&visuals) {
            for (on, ground) in grounds {
                let found = contrast(colour, ground);
                assert!(found >= LEAST, "{theme:?}: {text} on {on} has {found:.2}");
            }
        }
        for (state, widget) in [
            ("a button", &visuals.widgets.inactive),
            ("a button under the pointer", &visuals.widgets.hovered),
            ("a pressed button", &visuals.widgets.active),
            ("an open menu", &visuals.widgets.open),
        ] {
            let found = contrast(widget.text_color(), widget.weak_bg_fill);
            assert!(found >= LEAST, "{theme:?}: the text of {state} has {found:.2}");
        }
        let selection = visuals.selection;
        let found = contrast(selection.stroke.color, selection.bg_fill);
        assert!(found >= LEAST, "{theme:?}: a chosen text has {found:.2}");
        let weak = contrast(visuals.weak_text_color(), visuals.text_color());
        assert!(weak > 1.3, "{theme:?}: weak text is hardly weak: {weak:.2}");
    }
}
