//! `floor-plan.svg`: the hall from above, to scale, with racks, frames and the fill of trays.

use lightloom_plan::laid::Laid;
use lightloom_studies::floor::{self, FloorRack, FloorReport, FloorRoom, FloorRow, StretchArrays};
use maud::{Markup, html};

use crate::pictures::labels::{Anchor, Spot, label, width};
use crate::pictures::millimetres::mm;
use crate::pictures::sheet::{Area, Sheet, svg};
use crate::pictures::trays;

/// The file's name in a plan folder.
pub const FILE: &str = "floor-plan.svg";

/// Scales of drawings, 1 to so much (ISO 5455), and their tenfold.
const SCALES: [f64; 4] = [10.0, 20.0, 25.0, 50.0];
/// Room beside the hall for the names of rows, and above and below it for axes and legends.
const ROWS: f64 = 24.0;
const ABOVE: f64 = 10.0;
const BELOW: f64 = 22.0;
/// A rack's footprint, in metres. Halls give only the middles of racks.
const RACK: (f64, f64) = (0.6, 1.1);
/// Sizes of the text in racks.
const LARGEST: f64 = 2.6;
const SMALLEST: f64 = 1.1;

/// The content of the file.
pub fn file(laid: &Laid) -> Vec<u8> {
    svg(&[sheet(laid)])
}

/// The floor plan on a sheet.
pub fn sheet(laid: &Laid) -> Sheet {
    let floor = floor::floor(laid.project());
    let stretches = floor::stretches(laid.project(), laid.plant().tray_fill());
    let (is_upright, scale) = [false, true]
        .map(|is_upright| (is_upright, scale_for(&floor, is_upright)))
        .into_iter()
        .reduce(|wide, tall| if tall.1 < wide.1 { tall } else { wide })
        .unwrap_or((false, 1.0));
    let paper = Paper::new(&floor, is_upright, scale);
    let content = drawn(&floor, &stretches, &paper);
    let title = format!("Floor plan, 1 : {scale}");
    Sheet { title, is_upright, content }
}

fn room(is_upright: bool) -> (Area, f64, f64) {
    let area = Area::of_sheet(is_upright);
    (area, area.width - ROWS, area.height - ABOVE - BELOW)
}

/// The largest usual scale at which the hall fits the sheet.
fn scale_for(floor: &FloorReport, is_upright: bool) -> f64 {
    let (_, wide, high) = room(is_upright);
    let least = (1000.0 * floor.width_m / wide).max(1000.0 * floor.depth_m / high);
    let all = (0..5).flat_map(|power| SCALES.map(|scale| scale * 10_f64.powi(power)));
    all.into_iter().find(|&scale| scale >= least).unwrap_or(least.max(1.0))
}

/// Places on paper.
struct Paper {
    area: Area,
    left: f64,
    top: f64,
    /// Millimetres on paper for a metre.
    metre: f64,
    /// A rack's footprint on paper.
    rack: (f64, f64),
}

impl Paper {
    fn new(floor: &FloorReport, is_upright: bool, scale: f64) -> Self {
        let (area, ..) = room(is_upright);
        let metre = 1000.0 / scale;
        let (pitch, aisle) = (least_gap(floor, true), least_gap(floor, false));
        let rack = ((RACK.0.min(pitch * 0.98)) * metre, (RACK.1.min(aisle * 0.8)) * metre);
        Self { area, left: area.x + ROWS, top: area.y + ABOVE, metre, rack }
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.left + x * self.metre, self.top + y * self.metre)
    }
}

/// The least distance between racks of a row, or between rows, in metres.
fn least_gap(floor: &FloorReport, is_in_row: bool) -> f64 {
    let mut places: Vec<(u32, f64)> = if is_in_row {
        floor.racks.iter().map(|rack| (rack.row, rack.x_m)).collect()
    } else {
        floor.rows.iter().map(|row| (0, row.y_m)).collect()
    };
    places.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let gaps = places.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    gaps.map(|pair| pair[1].1 - pair[0].1).filter(|&gap| gap > 0.0).fold(f64::INFINITY, f64::min)
}

fn drawn(floor: &FloorReport, stretches: &StretchArrays, paper: &Paper) -> Markup {
    let (left, top) = paper.at(0.0, 0.0);
    let (right, bottom) = paper.at(floor.width_m, floor.depth_m);
    let size = name_size(floor, paper);
    html! {
        @if floor.rooms.is_empty() {
            rect x=(mm(left)) y=(mm(top)) width=(mm(right - left)) height=(mm(bottom - top)) fill="none"
                stroke="#000000" stroke-width="0.6" {}
        }
        @for room in &floor.rooms {
            @let (x, y) = paper.at(0.0, room.y_m);
            rect x=(mm(x)) y=(mm(y)) width=(mm(room.width_m * paper.metre)) height=(mm(room.depth_m * paper.metre))
                fill="none" stroke="#000000" stroke-width="0.6" {}
            @let width = (room.width_m * paper.metre).max(30.0);
            g font-weight="bold" { (label(&room.name, Spot::at(x + 1.0, y - 0.6, 2.8, width, Anchor::Start))) }
        }
        @for way in &floor.ways {
            @let (from, to) = (paper.at(way.ends_m[0].0, way.ends_m[0].1), paper.at(way.ends_m[1].0, way.ends_m[1].1));
            line x1=(mm(from.0)) y1=(mm(from.1)) x2=(mm(to.0)) y2=(mm(to.1)) stroke="#888888" stroke-width="0.4"
                stroke-dasharray="2 1" {
                title { (way.name) ", " (way.kind.name()) ", " (way.length_m) " m" }
            }
        }
        @for row in &floor.rows {
            @let (_, y) = paper.at(0.0, row.y_m);
            @let size = row_size(floor, paper);
            (label(row_name(floor, row), Spot::at(left - 2.0, y + 0.9, size, ROWS - 3.0, Anchor::End)))
        }
        @for rack in &floor.racks { (footprint(floor, rack, paper)) }
        (trays::drawn(stretches, |x, y| paper.at(x, y)))
        @if let Some(size) = size {
            @for rack in &floor.racks { (name(floor, rack, size, paper)) }
        }
        (axes(paper))
        (legend(paper, size.is_some()))
    }
}

fn place_of(floor: &FloorReport, rack: &FloorRack, paper: &Paper) -> (f64, f64) {
    let row = floor.rows.get(rack.row as usize).map_or(0.0, |row| row.y_m);
    paper.at(rack.x_m, row)
}

fn footprint(floor: &FloorReport, rack: &FloorRack, paper: &Paper) -> Markup {
    let (x, y) = place_of(floor, rack, paper);
    let (wide, deep) = paper.rack;
    html! {
        rect x=(mm(x - wide / 2.0)) y=(mm(y - deep / 2.0)) width=(mm(wide)) height=(mm(deep))
            fill=(colour(rack.tor.is_some(), rack.role.is_frame())) stroke="#444444"
            stroke-width=(mm(wide.min(3.0) * 0.06)) {}
    }
}

fn colour(has_tor: bool, is_frame: bool) -> &'static str {
    match (is_frame, has_tor) {
        (true, _) => "#fdd49e",
        (false, true) => "#e3ecf5",
        (false, false) => "#ffffff",
    }
}

/// The size of text at which all names of racks fit upright into the aisle below them.
fn name_size(floor: &FloorReport, paper: &Paper) -> Option<f64> {
    let longest = floor.racks.iter().map(|rack| width(&rack.name, 1.0)).fold(0.0, f64::max);
    let size = (aisle(floor, paper) / longest.max(1.0)).min(paper.rack.0 * 0.8).min(LARGEST);
    (size >= SMALLEST).then_some(size)
}

/// Room for names between a rack and the next row, on paper.
fn aisle(floor: &FloorReport, paper: &Paper) -> f64 {
    (least_gap(floor, false) * paper.metre - paper.rack.1).min(40.0) - 1.2
}

/// The name of a row. Its room stands above the room.
fn row_name<'a>(floor: &FloorReport, row: &'a FloorRow) -> &'a str {
    let within = |room: &FloorRoom| row.name.strip_prefix(&room.name)?.strip_prefix(": ");
    let name = |room: &FloorRoom| within(room).map(|name| &row.name[row.name.len() - name.len()..]);
    floor.rooms.iter().find_map(name).unwrap_or(&row.name)
}

fn row_size(floor: &FloorReport, paper: &Paper) -> f64 {
    (least_gap(floor, false) * paper.metre * 0.8).clamp(0.8, 3.0)
}

fn name(floor: &FloorReport, rack: &FloorRack, size: f64, paper: &Paper) -> Markup {
    let (x, y) = place_of(floor, rack, paper);
    let most = aisle(floor, paper);
    let bottom = y + paper.rack.1 / 2.0 + 0.6;
    let spot = Spot::at(x + size * 0.36, bottom, size, most, Anchor::End);
    label(&rack.name, Spot { is_upright: true, ..spot })
}

/// The axes of the inventory, beside the title.
fn axes(paper: &Paper) -> Markup {
    let (x, y) = (paper.area.x + paper.area.width - 18.0, paper.area.y - 9.0);
    html! {
        g stroke="#000000" stroke-width="0.3" fill="none" {
            path d=(format!("M{0} {1}h10m-1.5 -1l1.5 1l-1.5 1M{0} {1}v10m-1 -1.5l1 1.5l1 -1.5", mm(x), mm(y))) {}
        }
        (label("x", Spot::at(x + 11.0, y + 1.0, 3.0, 5.0, Anchor::Start)))
        (label("y", Spot::at(x + 1.5, y + 11.0, 3.0, 5.0, Anchor::Start)))
    }
}

fn legend(paper: &Paper, has_names: bool) -> Markup {
    let Area { x, y, width, height } = paper.area;
    let base = y + height - 2.0;
    let bar = bar_of(paper);
    let racks = [
        ("rack with a ToR", true, false),
        ("rack without a ToR", false, false),
        ("frame", false, true),
    ];
    let note = if has_names { "" } else { "No room for names of racks: see the elevations." };
    html! {
        (trays::legend(x, base, width))
        @for (number, (text, has_tor, is_frame)) in (0_u16..).zip(racks) {
            @let left = x + 42.0 * f64::from(number);
            rect x=(mm(left)) y=(mm(base - 10.0)) width="6" height="4" fill=(colour(has_tor, is_frame))
                stroke="#444444" stroke-width="0.2" {}
            (label(text, Spot::at(left + 8.0, base - 7.0, 2.8, 33.0, Anchor::Start)))
        }
        (label(note, Spot::at(x + 126.0, base - 7.0, 2.8, width - 126.0 - 75.0, Anchor::Start)))
        @let right = x + width - 16.0;
        @let start = right - bar * paper.metre;
        rect x=(mm(start)) y=(mm(base - 9.0)) width=(mm(bar * paper.metre / 2.0)) height="1.5" fill="#000000" {}
        rect x=(mm(start)) y=(mm(base - 9.0)) width=(mm(bar * paper.metre)) height="1.5" fill="none" stroke="#000000"
            stroke-width="0.2" {}
        (label(&format!("{bar} m"), Spot::at(right + 1.5, base - 7.2, 2.8, 15.0, Anchor::Start)))
    }
}

/// A round number of metres that is at most 50 mm long on paper.
fn bar_of(paper: &Paper) -> f64 {
    let most = 50.0 / paper.metre;
    let all = (0..7).rev().flat_map(|power| [5.0, 2.0, 1.0].map(|of| of * 10_f64.powi(power)));
    all.into_iter().find(|&bar| bar <= most).unwrap_or(0.5)
}
