//! The selection, the cameras and the collapsed groups stay where their things do when the design changes. A file is
//! opened as what its keys say.

use egui_kittest::kittest::Queryable as _;
use image::RgbaImage;
use lightloom::{CassetteId, TorId};
use lightloom_window::command::{Command, Selection};
use lightloom_window::draw::camera::Camera;
use lightloom_window::layers::Group;
use lightloom_window::panel::Panel;

use crate::drive::{Driven, last_line, shown, write};

/// A window with a design of racks with these names in a row.
fn with_racks(place: &std::path::Path, names: &[&str]) -> String {
    let rows: String = names.iter().zip(1..).map(|(name, at)| format!("{name},A,{at}\n")).collect();
    write(place, "racks.csv", &format!("name,row,position\n{rows}"));
    "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\n[hall]\ninventory = \"racks.csv\"\n".into()
}

fn kautz(p: u32, tors: u32) -> String {
    format!("version = 1\n[fabric]\nfamily = \"kautz\"\np = {p}\ntors = {tors}\n")
}

fn selection(window: &mut Driven) -> Selection {
    window.window().state.selection
}

/// Every fibre of a project.
fn fibres(window: &mut Driven) -> Vec<(TorId, TorId)> {
    let project = window.window().state.project().expect("it is there").clone();
    let fabric = project.fabric();
    let of = |from| fabric.receivers(fabric.transmits_into(from)).iter().map(move |&to| (from, to));
    fabric.tor_ids().flat_map(of).collect()
}

/// The drawing of a panel.
fn drawing(window: &mut Driven, name: &str) -> RgbaImage {
    let whole = window.harness.render().expect("it is drawn");
    let drawing = window.harness.get_by_label(name).rect();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pixels")]
    let [left, top, wide, high] =
        [drawing.min.x, drawing.min.y, drawing.width(), drawing.height()].map(|at| at as u32);
    image::imageops::crop_imm(&whole, left, top, wide, high).to_image()
}

#[test]
fn a_fibre_that_the_new_design_lacks_is_neither_selected_nor_drawn() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Fabric)));
    window.apply(Command::Write(kautz(2, 16)));
    let before = fibres(&mut window);
    window.apply(Command::Write(kautz(4, 16)));
    let after = fibres(&mut window);
    window.apply(Command::Write(kautz(2, 16)));
    let gone = before.iter().copied().find(|fibre| !after.contains(fibre)).expect("one is gone");
    let stays = before.iter().copied().find(|fibre| after.contains(fibre)).expect("one stays");
    // Both designs have the same racks.
    window.apply(Command::Select(Selection::Fibre(stays.0, stays.1)));
    window.apply(Command::Write(kautz(4, 16)));
    assert_eq!(selection(&mut window), Selection::Fibre(stays.0, stays.1));
    window.apply(Command::Write(kautz(2, 16)));
    window.apply(Command::Select(Selection::Fibre(gone.0, gone.1)));
    window.apply(Command::Write(kautz(4, 16)));
    assert_eq!(selection(&mut window), Selection::Nothing);
    assert!(last_line(&mut window).contains("not in the design any more"));
    let now = drawing(&mut window, "Drawing of the fabric");
    window.apply(Command::Select(Selection::Nothing));
    assert!(now == drawing(&mut window, "Drawing of the fabric"), "something is marked");
    // Whatever names it: a fibre that is not there is not selected.
    window.apply(Command::Select(Selection::Fibre(gone.0, gone.1)));
    assert_eq!(selection(&mut window), Selection::Nothing);
}

#[test]
fn a_broken_fibre_that_the_new_design_lacks_is_not_drawn() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Fabric)));
    window.apply(Command::Write(kautz(2, 16)));
    window.apply(Command::Select(Selection::Nothing));
    let (from, to) = fibres(&mut window)[0];
    window.apply(Command::Break(format!("branch:{from}->{to}")));
    window.apply(Command::Write(kautz(4, 64)));
    assert!(!fibres(&mut window).contains(&(from, to)), "choose another fibre");
    let now = drawing(&mut window, "Drawing of the fabric");
    window.apply(Command::MendAll);
    assert!(now == drawing(&mut window, "Drawing of the fabric"), "a fibre is marked as broken");
}

#[test]
fn what_is_selected_stays_with_its_rack() {
    let place = tempfile::tempdir().expect("a folder");
    let ten = ["N1", "N2", "N3", "N4", "N5", "N6", "N7", "N8", "N9", "N10"];
    let design = write(place.path(), "a.toml", &with_racks(place.path(), &ten));
    let mut window = Driven::new();
    window.apply(Command::OpenFile(design));
    window.apply(Command::Select(Selection::Tor(TorId(7))));
    // A rack goes, so that ToR 7 is now the one of rack N9.
    with_racks(place.path(), &["N1", "N3", "N4", "N5", "N6", "N7", "N8", "N9", "N10", "N11"]);
    window.apply(Command::LookAgain);
    window.settle();
    assert_eq!(selection(&mut window), Selection::Tor(TorId(6)));
    let name = {
        let project = window.window().state.current().expect("it is opened");
        project.tor_name(TorId(6)).to_owned()
    };
    assert_eq!(name, "N8");
    window.apply(Command::Select(Selection::Port(TorId(6), 1)));
    with_racks(place.path(), &["M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M9", "M10"]);
    window.apply(Command::LookAgain);
    window.settle();
    assert_eq!(selection(&mut window), Selection::Nothing);
}

#[test]
fn a_cassette_and_a_port_that_are_gone_are_not_selected() {
    let mut window = Driven::new();
    window.apply(Command::Write(kautz(4, 64)));
    for (selected, stays) in [
        (Selection::Cassette(CassetteId(15)), false),
        (Selection::Cassette(CassetteId(0)), true),
        (Selection::Port(TorId(3), 3), false),
        (Selection::Port(TorId(3), 1), true),
        (Selection::Tor(TorId(60)), false),
    ] {
        window.apply(Command::Select(selected));
        assert_eq!(selection(&mut window), selected);
        window.apply(Command::Write(kautz(2, 16)));
        assert_eq!(selection(&mut window) == selected, stays, "{selected:?}");
        window.apply(Command::Write(kautz(4, 64)));
    }
}

#[test]
fn cameras_stay_while_their_drawing_does() {
    let camera = Camera { centre: egui::pos2(3.0, 4.0), scale: 30.0 };
    let mut window = Driven::new();
    window.apply(Command::Write(kautz(4, 64)));
    for panel in [Panel::Fabric, Panel::Hall] {
        window.apply(Command::Look(panel, camera));
    }
    let kept = |window: &mut Driven| {
        let cameras = &window.window().state.looks.cameras;
        [Panel::Fabric, Panel::Hall].map(|panel| cameras.get(&panel) == Some(&camera))
    };
    // Prices move nothing.
    window.apply(Command::Change { setting: "cost.spare_percent", value: Some("3".into()) });
    assert_eq!(kept(&mut window), [true, true]);
    // Wider racks move racks.
    window.apply(Command::Change { setting: "hall.rack_pitch", value: Some("800 mm".into()) });
    assert_eq!(kept(&mut window), [true, false]);
    window.apply(Command::Change { setting: "fabric.tors", value: Some("32".into()) });
    assert_eq!(kept(&mut window), [false, false]);
}

#[test]
fn collapsed_groups_stay_where_their_columns_and_rows_are() {
    let ring =
        |k: u32| format!("version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = {k}\n");
    let mut window = Driven::new();
    window.apply(Command::Write(ring(3)));
    for group in [Group::Column(2), Group::Column(1), Group::Row(6), Group::Racks(0)] {
        window.apply(Command::Collapse(group));
    }
    window.apply(Command::Write(ring(2)));
    let left: Vec<Group> = window.window().state.looks.collapsed.iter().copied().collect();
    assert_eq!(left, [Group::Column(1), Group::Racks(0)]);
    window.apply(Command::Write(kautz(2, 8)));
    let left: Vec<Group> = window.window().state.looks.collapsed.iter().copied().collect();
    assert_eq!(left, [Group::Racks(0)]);
}

#[test]
fn another_session_begins_with_the_whole_drawing() {
    let mut window = Driven::new();
    window.apply(Command::Write(kautz(2, 16)));
    window
        .apply(Command::Look(Panel::Fabric, Camera { centre: egui::pos2(900.0, 0.0), scale: 9.0 }));
    let kept = window.window().kept();
    // It shows the example, which is another design.
    let mut next = Driven::new();
    next.window().restore(&kept, None);
    next.settle();
    assert!(next.window().state.looks.cameras.is_empty());
}

#[test]
fn a_scenario_with_an_error_is_opened_as_a_scenario_with_its_own_message() {
    let place = tempfile::tempdir().expect("a folder");
    let good = "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"fat-tree\"\nports = 4\nrate = \"10 Gb/s\"\n\
                delay = \"1 us\"\n[[flow]]\nfrom = 0\nto = 1\nsize = \"1 kB\"\n";
    for (from, to, line, message) in [
        ("10 Gb/s", "10 bananas", 6, "network.rate"),
        ("fat-tree", "fat-bush", 4, "network.kind"),
        ("[[flow]]", "[[flwo]]", 8, "flwo"),
        ("until = \"1 ms\"\n", "", 1, "until"),
        ("to = 1", "to = 1000", 10, "flow"),
        // It is not TOML.
        ("ports = 4", "ports = = 4", 5, "TOML"),
        ("size = \"1 kB\"", "size = \"1 kB", 11, "TOML"),
    ] {
        assert!(good.contains(from));
        let bad = write(place.path(), "bad.toml", &good.replacen(from, to, 1));
        let mut window = Driven::new();
        let design = window.text();
        window.open(&bad);
        let told = last_line(&mut window);
        assert!(
            told.contains(message) && told.contains(&format!("bad.toml:{line}")),
            "{to}: {told}"
        );
        assert!(!told.contains("fabric") && !told.contains("setting"), "{told}");
        assert_eq!(window.text(), design, "the design stays");
        let work = window.window().state.work.now();
        assert!(work.scenario.is_some(), "it can be mended in the window");
        assert!(shown(&window).contains(message), "{to}: its panel shows why");
    }
}

#[test]
fn a_design_with_an_error_is_opened_as_a_design() {
    let place = tempfile::tempdir().expect("a folder");
    for (text, message) in [
        ("version = 1\n[fabric]\nfamly = \"kautz\"\n", "famly"),
        ("version = 1\n[fabric\np = 2\n", "TOML"),
        ("version = 2\n[fabric]\np = 2\n", "version"),
    ] {
        let bad = write(place.path(), "bad.toml", text);
        let mut window = Driven::new();
        window.open(&bad);
        assert!(last_line(&mut window).contains(message), "{}", last_line(&mut window));
        assert!(window.window().state.work.now().scenario.is_none());
    }
}
