//! `elevations.svg`: the racks with their units, switches, splitters and panels.

use std::collections::BTreeMap;

use lightloom_plan::laid::Laid;
use lightloom_topology::RowId;
use lightloom_topology::hall::Hall;
use maud::{Markup, html};

use crate::pictures::labels::{Anchor, Spot, label};
use crate::pictures::millimetres::mm;
use crate::pictures::racks::{Contents, Kind, contents};
use crate::pictures::sheet::{Area, Sheet, svg};

/// The file's name in a plan folder.
pub const FILE: &str = "elevations.svg";

/// A plan with more racks draws only its frames in the file of its folder.
pub const MOST_RACKS: usize = 2048;

/// Racks side by side on a sheet.
const BESIDE: usize = 16;
/// Racks side by side whose modules are side by side too.
const DENSE_BESIDE: usize = 4;
/// Room for the numbers of units, on both sides.
const NUMBERS: f64 = 8.0;
/// Room for the names of racks above them, and for the legend below.
const NAMES: f64 = 7.0;
const LEGEND: f64 = 9.0;
/// The edge of what is planned where a device is already.
const BLOCKED: &str = "#d7191c";
/// Text is at most this high.
const TEXT: f64 = 2.6;

/// The content of the file.
pub fn file(laid: &Laid) -> Vec<u8> {
    let all = laid.project().hall().racks().len() <= MOST_RACKS;
    let which = if all { Which::All } else { Which::Frames };
    let drawn = sheets(laid, which);
    if drawn.is_empty() {
        let most = MOST_RACKS;
        let text = format!("Elevations of more than {most} racks: `lightloom draw` draws them.");
        let title = "Elevations".to_owned();
        let spot = Spot::at(10.0, 30.0, 4.0, 400.0, Anchor::Start);
        return svg(&[Sheet { title, is_upright: false, content: label(&text, spot) }]);
    }
    svg(&drawn)
}

/// Which racks are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// All that hold something.
    All,
    /// Frames.
    Frames,
    /// Those with the most units in use, and of frames no more than this number.
    Busiest(usize),
}

/// The sheets with elevations: frames first, then row by row.
pub fn sheets(laid: &Laid, which: Which) -> Vec<Sheet> {
    let (project, hall) = (laid.project(), laid.project().hall());
    let mut racks = contents(laid);
    let is_frame = |contents: &Contents| hall.rack(contents.rack).role.is_frame();
    match which {
        Which::All => {}
        Which::Frames => racks.retain(is_frame),
        Which::Busiest(most) => {
            let (mut frames, mut others): (Vec<_>, Vec<_>) = racks.into_iter().partition(is_frame);
            frames.truncate(most);
            others.sort_by_key(|contents| {
                (std::cmp::Reverse((contents.units, contents.items.len())), contents.rack)
            });
            others.truncate(most);
            frames.extend(others);
            racks = frames;
        }
    }
    // Frames, dense racks and others are on sheets of their own. Chosen racks need no sheet for each row.
    let mut groups: BTreeMap<(bool, Option<RowId>, bool), Vec<Contents>> = BTreeMap::new();
    for contents in racks {
        let row = hall.rack(contents.rack).row;
        let row = (!matches!(which, Which::Busiest(_))).then_some(row);
        let key = (!is_frame(&contents), row, !contents.is_dense);
        groups.entry(key).or_default().push(contents);
    }
    let per_unit = project.catalogue().hardware.slots_per_unit;
    let mut sheets = Vec::new();
    for ((_, _, is_plain), mut racks) in groups {
        if !matches!(which, Which::Busiest(_)) {
            racks.sort_by_key(|contents| (hall.rack(contents.rack).x, contents.rack));
        }
        let beside = if is_plain { BESIDE } else { DENSE_BESIDE };
        sheets.extend(racks.chunks(beside).map(|racks| sheet(hall, racks, beside, per_unit)));
    }
    sheets
}

fn sheet(hall: &Hall, racks: &[Contents], beside: usize, per_unit: u16) -> Sheet {
    let name = |contents: &Contents| hall.rack(contents.rack).name.to_string();
    let title = match racks {
        [only] => format!("Elevation: {}", name(only)),
        [first, .., last] => format!("Elevations: {} to {}", name(first), name(last)),
        [] => "Elevations".to_owned(),
    };
    let area = Area::of_sheet(false);
    let most = racks.iter().map(|of| hall.rack(of.rack).units).max().unwrap_or(1).max(20);
    let unit = (area.height - NAMES - LEGEND) / f64::from(most);
    let bottom = area.y + area.height - LEGEND;
    let step = (area.width - 2.0 * NUMBERS) / beside as f64;
    let left = area.x + NUMBERS;
    let right = left + step * f64::from(u16::try_from(racks.len()).unwrap_or(u16::MAX));
    let paper = Paper { unit, bottom, width: step * 0.94, per_unit };
    let content = html! {
        (numbers(&paper, left - 1.5, Anchor::End, most))
        (numbers(&paper, right + 0.5, Anchor::Start, most))
        @for (number, contents) in (0_u16..).zip(racks) {
            (rack(hall, contents, &paper, left + step * f64::from(number)))
        }
        (legend(area.x, area.y + area.height - 1.0))
    };
    Sheet { title, is_upright: false, content }
}

/// How racks are drawn on a sheet.
struct Paper {
    /// Height of a rack unit.
    unit: f64,
    /// The floor.
    bottom: f64,
    /// Width of a rack.
    width: f64,
    /// Slots in a unit.
    per_unit: u16,
}

impl Paper {
    /// The y of the upper edge of a unit.
    fn top(&self, unit: u16) -> f64 {
        self.bottom - self.unit * f64::from(unit)
    }

    fn text(&self) -> f64 {
        TEXT.min(self.unit * 0.6)
    }

    /// The base line of a text in the middle of a box.
    fn base(&self, top: f64, height: f64) -> f64 {
        top + height / 2.0 + self.text() * 0.36
    }
}

/// The numbers of the units, beside the racks.
fn numbers(paper: &Paper, x: f64, anchor: Anchor, most: u16) -> Markup {
    html! {
        g fill="#555555" {
            @for unit in 1..=most {
                @let base = paper.base(paper.top(unit), paper.unit);
                (label(&unit.to_string(), Spot::at(x, base, paper.text(), NUMBERS, anchor)))
            }
        }
    }
}

fn rack(hall: &Hall, contents: &Contents, paper: &Paper, x: f64) -> Markup {
    let rack = hall.rack(contents.rack);
    let (top, width) = (paper.top(rack.units), paper.width);
    let lines: String = (1..rack.units)
        .map(|unit| format!("M{} {}h{}", mm(x), mm(paper.top(unit)), mm(width)))
        .collect();
    let name = Spot::at(x + width / 2.0, top - 1.6, 2.8, width, Anchor::Middle);
    html! {
        g font-weight="bold" { (label(rack.name.as_str(), name)) }
        path d=(lines) stroke="#dddddd" stroke-width="0.15" fill="none" {}
        @for item in &contents.items {
            @let (y, height) = (paper.top(item.top), paper.unit * f64::from(item.height));
            @let alone = contents.items.iter().filter(|other| other.top == item.top).count() == 1;
            @let is_whole = alone && item.kind != Kind::Device;
            @let (first, slots) = item.slots.filter(|_| !is_whole).unwrap_or((0, paper.per_unit));
            @let slot = width / f64::from(paper.per_unit);
            @let (left, wide) = (x + slot * f64::from(first), slot * f64::from(slots));
            @let (edge, weight) = if item.is_blocked { (BLOCKED, "0.7") } else { ("#000000", "0.2") };
            rect x=(mm(left)) y=(mm(y)) width=(mm(wide)) height=(mm(height)) fill=(item.kind.colour())
                stroke=(edge) stroke-width=(weight) {}
            (label(&item.label, Spot::at(
                left + wide / 2.0, paper.base(y, height), paper.text(), wide - 1.0, Anchor::Middle,
            )))
        }
        rect x=(mm(x)) y=(mm(top)) width=(mm(width)) height=(mm(paper.bottom - top)) fill="none" stroke="#000000"
            stroke-width="0.4" {}
    }
}

fn legend(x: f64, y: f64) -> Markup {
    let text =
        |left: f64, text: &str| label(text, Spot::at(left + 8.0, y, 2.8, 66.0, Anchor::Start));
    let after = x + 38.0 * 4.0;
    html! {
        @for (number, kind) in (0_u16..).zip(Kind::ALL) {
            @let left = x + 38.0 * f64::from(number);
            rect x=(mm(left)) y=(mm(y - 3.0)) width="6" height="4" fill=(kind.colour()) stroke="#000000"
                stroke-width="0.2" {}
            (text(left, kind.name()))
        }
        rect x=(mm(after)) y=(mm(y - 3.0)) width="6" height="4" fill="none" stroke=(BLOCKED) stroke-width="0.7" {}
        (text(after, "in units that a device occupies"))
        (text(after + 70.0, "white: free, or not known to this plan"))
    }
}
