//! Sheets of paper with a frame and a title.

use maud::{Markup, PreEscaped, html};

use crate::page::page;
use crate::pictures::labels::{Anchor, Spot, label};
use crate::pictures::millimetres::mm;

/// The long and the short side of A3, in millimetres.
const A3: (f64, f64) = (420.0, 297.0);
/// From the edge of the paper to the frame.
const EDGE: f64 = 10.0;
/// Height of the title above the drawing.
const HEAD: f64 = 12.0;
/// Gap between sheets that stand below each other.
const GAP: f64 = 6.0;

/// A drawing on a sheet of A3.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// What is drawn.
    pub title: String,
    /// Whether the long side is upright.
    pub is_upright: bool,
    pub(super) content: Markup,
}

/// The part of a sheet to draw on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Area {
    /// The area of a sheet.
    pub fn of_sheet(is_upright: bool) -> Self {
        let (width, height) = size(is_upright);
        Self {
            x: EDGE,
            y: EDGE + HEAD,
            width: width - 2.0 * EDGE,
            height: height - 2.0 * EDGE - HEAD,
        }
    }
}

fn size(is_upright: bool) -> (f64, f64) {
    if is_upright { (A3.1, A3.0) } else { A3 }
}

impl Sheet {
    fn size(&self) -> (f64, f64) {
        size(self.is_upright)
    }

    fn drawn(&self) -> Markup {
        let (width, height) = self.size();
        let most = width - 2.0 * EDGE;
        html! {
            rect x="0" y="0" width=(mm(width)) height=(mm(height)) fill="#ffffff" {}
            g font-weight="bold" {
                (label(&self.title, Spot::at(EDGE, EDGE + 6.0, 5.0, most, Anchor::Start)))
            }
            (self.content)
        }
    }

    /// The sheet for a page of HTML, as wide as the page.
    pub fn inline(&self) -> Markup {
        let (width, height) = self.size();
        html! {
            svg viewBox=(format!("0 0 {width} {height}")) role="img" aria-label=(self.title)
                font-family=(FONT) font-size="3" fill="#000000" { (self.drawn()) }
        }
    }
}

const FONT: &str = "Liberation Sans, Arial, Helvetica, sans-serif";

/// The sheets as one SVG, one below the other.
pub fn svg(sheets: &[Sheet]) -> Vec<u8> {
    let width = sheets.iter().map(|sheet| sheet.size().0).fold(0.0, f64::max);
    let mut height = 0.0;
    let mut placed = Vec::with_capacity(sheets.len());
    for sheet in sheets {
        placed.push((height, sheet));
        height += sheet.size().1 + GAP;
    }
    height -= if sheets.is_empty() { 0.0 } else { GAP };
    let text = html! {
        (PreEscaped("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))
        svg xmlns="http://www.w3.org/2000/svg" width=(format!("{}mm", mm(width))) height=(format!("{}mm", mm(height)))
            viewBox=(format!("0 0 {} {}", mm(width), mm(height))) font-family=(FONT) font-size="3" fill="#000000" {
            @for (y, sheet) in placed {
                @if y == 0.0 { g { (sheet.drawn()) } }
                @else { g transform=(format!("translate(0 {})", mm(y))) { (sheet.drawn()) } }
                (PreEscaped("\n"))
            }
        }
        (PreEscaped("\n"))
    };
    text.into_string().into_bytes()
}

/// The sheets as one page of HTML, which prints one sheet a page.
pub fn drawings(title: &str, sheets: &[Sheet]) -> String {
    let body = html! {
        @for sheet in sheets {
            section.upright[sheet.is_upright] { (sheet.inline()) }
        }
    };
    page(title, STYLE, &body)
}

/// Each sheet is a page of A3 without a margin: the drawing has its own.
const STYLE: &str = "@page{size:A3 landscape;margin:0}@page upright{size:A3 portrait;margin:0}\
body{margin:0;background:#888}section{width:420mm;height:297mm;margin:0 auto 6mm;break-after:page;overflow:hidden}\
section.upright{width:297mm;height:420mm;page:upright}svg{display:block;width:100%;height:100%}\
@media print{body{background:none}section{margin:0}}";
