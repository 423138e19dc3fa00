//! Texts that fit their boxes.

use std::borrow::Cow;

use maud::{Markup, html};

use crate::pictures::millimetres::mm;

/// An estimate of the width of a text in a common sans-serif font, in the unit of its size. It errs on the wide side.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let of = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.31,
        ' ' | '-' | '/' | '(' | ')' | 't' | 'f' | 'r' | 'I' => 0.4,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' => 1.0,
        'a'..='z' | '0'..='9' => 0.58,
        'A'..='Z' => 0.74,
        _ => 1.05,
    };
    text.chars().map(of).sum::<f64>() * size
}

/// A text that is at most this wide. A longer one ends in an ellipsis. `None`: not even two letters fit.
pub(super) fn fitted(text: &str, size: f64, most: f64) -> Option<Cow<'_, str>> {
    if width(text, size) <= most {
        return Some(text.into());
    }
    let mut ends = text.char_indices().map(|(at, _)| at).skip(2).collect::<Vec<_>>();
    ends.reverse();
    let shortened = ends.into_iter().map(|end| format!("{}…", &text[..end]));
    shortened.into_iter().find(|short| width(short, size) <= most).map(Cow::Owned)
}

/// Where a text stands at its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A place for a text: the point of its anchor on the base line, its size, and the room that it has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub x: f64,
    pub y: f64,
    pub size: f64,
    pub most: f64,
    pub anchor: Anchor,
    /// Whether it runs upward.
    pub is_upright: bool,
}

impl Spot {
    pub fn at(x: f64, y: f64, size: f64, most: f64, anchor: Anchor) -> Self {
        Self { x, y, size, most, anchor, is_upright: false }
    }
}

/// A text at its place, shortened if it must be. The whole text is then its title.
pub(super) fn label(text: &str, spot: Spot) -> Markup {
    let Some(shown) = fitted(text, spot.size, spot.most) else { return Markup::default() };
    let anchor = match spot.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let (x, y) = (mm(spot.x), mm(spot.y));
    let turn = spot.is_upright.then(|| format!("rotate(-90 {x} {y})"));
    html! {
        text x=(x) y=(y) font-size=(mm(spot.size)) text-anchor=(anchor) transform=[turn] data-most=(mm(spot.most)) {
            @if shown != text { title { (text) } }
            (shown)
        }
    }
}
