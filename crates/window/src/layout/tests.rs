use egui::{Ui, WidgetText};
use egui_kittest::Harness;
use egui_tiles::{Behavior, TileId, UiResponse};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use super::{Layout, first};
use crate::panel::Panel;
use crate::state::looks::Looks;

/// The layout of a first start.
fn good() -> Value {
    let text = Layout { panels: first(), looks: Looks::default() }.text();
    serde_json::from_str(&text).expect("JSON")
}

/// The layout with a value at a place.
fn with(place: &str, value: impl Into<Value>) -> Value {
    let mut layout = good();
    *layout.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = value.into();
    layout
}

/// The places of the tiles with children: rows and columns, or tabs.
fn containers(kind: &str) -> Vec<String> {
    let layout = good();
    let tiles = layout["panels"]["tiles"]["tiles"].as_object().expect("tiles");
    let has = |tile: &Value| tile["Container"][kind].is_object();
    let mut ids: Vec<&String> =
        tiles.iter().filter(|(_, tile)| has(tile)).map(|(id, _)| id).collect();
    ids.sort();
    ids.iter().map(|id| format!("/panels/tiles/tiles/{id}/Container/{kind}")).collect()
}

fn root() -> u64 {
    good()["panels"]["root"].as_u64().expect("a root")
}

fn refused(layout: &Value, words: &str) {
    let why = Layout::read(&layout.to_string()).expect_err(words);
    assert!(why.contains(words), "no {words:?} in {why:?}");
}

/// Panels without content.
struct Plain;

impl Behavior<Panel> for Plain {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, panel: &mut Panel) -> UiResponse {
        ui.label(panel.title());
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, panel: &Panel) -> WidgetText {
        panel.title().into()
    }
}

/// Lays out what was read, twice: a tree is simplified in the first frame.
fn lay_out(layout: Layout) {
    let mut panels = layout.panels;
    let _ = panels.active_tiles();
    let mut harness =
        Harness::builder().with_size([800.0, 600.0]).build_ui(move |ui| panels.ui(&mut Plain, ui));
    harness.step();
}

#[test]
fn a_layout_is_read_as_it_was_kept() {
    let kept = good();
    let read = Layout::read(&kept.to_string()).expect("a layout");
    assert_eq!(read, Layout { panels: first(), looks: Looks::default() });
    lay_out(read);
}

#[test]
fn tiles_within_themselves_are_refused() {
    for place in containers("Linear").iter().chain(&containers("Tabs")) {
        refused(&with(&format!("{place}/children/0"), root()), "two parents, or is its own");
        let own: u64 = place.split('/').nth(4).expect("a tile").parse().expect("a number");
        refused(&with(&format!("{place}/children/1"), own), "two parents, or is its own");
        let twice = good().pointer(&format!("{place}/children/0")).expect("a child").clone();
        refused(&with(&format!("{place}/children/1"), twice), "is twice in tile");
    }
    // A tile of other tabs.
    let tabs = containers("Tabs");
    let other = good().pointer(&format!("{}/children/0", tabs[0])).expect("a child").clone();
    refused(&with(&format!("{}/children/0", tabs[1]), other), "two parents");
}

#[test]
fn roots_that_are_not_there_are_refused() {
    refused(&with("/panels/root", 4_000_000_000_u64), "its root is not there");
    refused(&with("/panels/root", Value::Null), "its tiles have no root");
    let tabs = &containers("Tabs")[0];
    let pane = good().pointer(&format!("{tabs}/children/0")).expect("a child").clone();
    refused(&with("/panels/root", pane), "cannot be reached");
    refused(&with(&format!("{tabs}/children"), json!([])), "cannot be reached");
}

#[test]
fn shares_and_scales_that_cannot_be_drawn_are_refused() {
    for place in containers("Linear") {
        let share = good().pointer(&format!("{place}/shares/shares")).expect("shares").clone();
        let child = share.as_object().and_then(|of| of.keys().next()).expect("a share").clone();
        let place = format!("{place}/shares/shares/{child}");
        for wrong in [0.0, -1.0, 4e9, 1e-30, 1e38, f64::from(f32::MIN)] {
            refused(&with(&place, wrong), "has a share of");
        }
        // NaN and infinity have no number in JSON, and one that is too large is refused by its reader.
        for wrong in [Value::Null, json!(1e300)] {
            assert!(Layout::read(&with(&place, wrong).to_string()).is_err());
        }
    }
    for scale in [0_u64, 49, 301, 4_000_000_000] {
        refused(&with("/looks/scale", scale), "its scale is");
    }
    let camera =
        |x: f64, scale: f64| json!({"Fabric": {"centre": {"x": x, "y": 0}, "scale": scale}});
    for (x, scale) in [(0.0, 0.0), (0.0, -1.0), (0.0, 1e30), (1e30, 1.0)] {
        refused(&with("/looks/cameras", camera(x, scale)), "the camera of");
    }
}

#[test]
fn layouts_without_end_are_refused() {
    let mut many = good();
    let tiles = many["panels"]["tiles"]["tiles"].as_object_mut().expect("tiles");
    let empty = json!({"Container": {"Tabs": {"children": [], "active": null}}});
    tiles.extend((1000..1300).map(|id| (id.to_string(), empty.clone())));
    refused(&many, "expected at most 256");

    let mut deep = good();
    let tiles = deep["panels"]["tiles"]["tiles"].as_object_mut().expect("tiles");
    let of = |child: u64| json!({"Container": {"Tabs": {"children": [child], "active": null}}});
    tiles.insert("1000".into(), of(root()));
    tiles.extend((1001..1100).map(|id| (id.to_string(), of(id - 1))));
    deep["panels"]["root"] = json!(1099);
    refused(&deep, "within each other");

    let long = good().to_string() + &" ".repeat(1 << 20);
    assert!(Layout::read(&long).expect_err("too long").contains("bytes"));
    let nested = "[".repeat(100_000);
    assert!(Layout::read(&nested).is_err());
}

#[test]
fn a_number_after_which_there_is_none_is_refused_or_not_used() {
    let mut last =
        Layout::read(&with("/panels/tiles/next_tile_id", u64::MAX).to_string()).expect("good");
    let _ = last.panels.tiles.insert_pane(Panel::Log);
    let pane = containers("Tabs")[0].clone();
    let mut large = with(&format!("{pane}/children/0"), u64::MAX);
    let child = good().pointer(&format!("{pane}/children/0")).expect("a child").to_string();
    let tiles = large["panels"]["tiles"]["tiles"].as_object_mut().expect("tiles");
    let tile = tiles.remove(&child).expect("a tile");
    tiles.insert(u64::MAX.to_string(), tile);
    refused(&large, "too large a number");
}

#[test]
fn a_tree_has_no_size_of_its_own_and_hides_nothing() {
    for side in ["width", "height"] {
        for size in [0.0, -1.0, 4e9] {
            let read =
                Layout::read(&with(&format!("/panels/{side}"), size).to_string()).expect("good");
            assert_eq!(read.panels, first());
        }
    }
    let read = Layout::read(&with("/panels/tiles/invisible", json!([root()])).to_string());
    assert!(read.expect("good").panels.is_visible(first().root.expect("a root")));
}

#[test]
fn closed_tabs_are_no_damage() {
    let place = containers("Tabs")[0].clone();
    let child = good().pointer(&format!("{place}/children/0")).expect("a child").to_string();
    let mut closed = good();
    closed["panels"]["tiles"]["tiles"].as_object_mut().expect("tiles").remove(&child);
    lay_out(Layout::read(&closed.to_string()).expect("a tab was closed in the last frame"));
    let mut none = with("/panels/root", Value::Null);
    none["panels"]["tiles"]["tiles"] = json!({});
    lay_out(Layout::read(&none.to_string()).expect("all tabs were closed"));
}

/// All places of a document.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| places(value, &format!("{at}/{key}"), found));
        }
        Value::Array(list) => {
            let each = list.iter().enumerate();
            each.for_each(|(i, value)| places(value, &format!("{at}/{i}"), found));
        }
        _ => {}
    }
}

/// A value that takes the place of another: an odd number, or a copy of some part of the layout.
fn odd() -> impl Strategy<Value = Option<Value>> {
    prop_oneof![
        proptest::sample::select(vec![
            json!(0),
            json!(-1),
            json!(1),
            json!(4e9),
            json!(1e38),
            json!(1e-40),
            json!(u64::MAX),
            json!(null),
            json!([]),
            json!({}),
            json!(""),
            json!("Log"),
            json!(true),
        ])
        .prop_map(Some),
        (0_u64..40).prop_map(|id| Some(json!(id))),
        Just(None),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Values are replaced, and copied to other places.
    #[test]
    fn what_is_read_of_a_changed_layout_can_be_laid_out(
        changes in prop::collection::vec((any::<Index>(), any::<Index>(), odd()), 1..4)
    ) {
        let mut layout = good();
        for (to, from, value) in changes {
            let mut found = Vec::new();
            places(&layout, "", &mut found);
            let copy = layout.pointer(&found[from.index(found.len())]).cloned();
            let value = value.or(copy).unwrap_or_default();
            *layout.pointer_mut(&found[to.index(found.len())]).expect("a place") = value;
        }
        if let Ok(read) = Layout::read(&layout.to_string()) {
            lay_out(read);
        }
    }

    /// Letters are lost, doubled and exchanged.
    #[test]
    fn what_is_read_of_a_damaged_text_can_be_laid_out(
        changes in prop::collection::vec((any::<Index>(), 0_usize..4, "[0-9eE.,:\\[\\]{}\"-]"), 1..6)
    ) {
        let mut text: Vec<char> = good().to_string().chars().collect();
        for (at, lost, new) in changes {
            let at = at.index(text.len());
            text.splice(at..(at + lost).min(text.len()), new.chars());
            text.push(' ');
        }
        let text: String = text.into_iter().collect();
        if let Ok(read) = Layout::read(&text) {
            lay_out(read);
        }
    }
}
