//! What drawings show: ToRs apart from each other, a tree from the start, rooms, and times beyond a recording.

use egui::Theme;
use egui_kittest::SnapshotResults;
use lightloom::{Request, TorId};
use lightloom_window::command::{Command, FabricLayout, Selection};
use lightloom_window::draw::fabric_places::FabricPlaces;
use lightloom_window::layers::{Collapsed, Layer};
use lightloom_window::panel::Panel;
use lightloom_window::state::unsaved::Unsaved;
use lightloom_window::twin::Twin;

use crate::drive::{Driven, example, written};

#[test]
fn no_two_tors_are_drawn_at_one_place() {
    for fabric in [
        "family = \"kautz\"\np = 4\ntors = 64\n",
        "family = \"kautz\"\np = 2\ntors = 7\n",
        "family = \"kautz\"\np = 16\ntors = 100\n",
        "family = \"shufflecast\"\np = 2\nk = 3\n",
    ] {
        let (_folder, path) = written(&format!("version = 1\n[fabric]\n{fabric}"));
        let project = lightloom::open(&Request { design: Some(path), ..Request::default() });
        let project = project.expect("it is a design");
        for layout in [FabricLayout::Cassettes, FabricLayout::Columns] {
            let places = FabricPlaces::new(&project, layout, &Collapsed::default());
            for (index, place) in places.tors.iter().enumerate() {
                let others = places.tors[..index].iter().chain(&places.cassettes);
                let nearest = others.map(|other| other.distance(*place)).fold(9.0, f32::min);
                assert!(nearest > 0.6, "{fabric}: ToR {index} is {nearest} from another thing");
            }
        }
    }
}

#[test]
fn a_tree_is_shown_from_the_start() {
    let mut window = Driven::new();
    window.settle();
    assert!(window.has("source 0: 63 ToRs reached"));
    window.apply(Command::Select(Selection::Tor(TorId(5))));
    window.open(&example("glass-64.toml"));
    assert!(window.has("source 0: 63 ToRs reached"));
}

#[test]
fn a_time_beyond_the_recording_is_told() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::ScenarioFile(example("incast.toml")));
    window.click("Run");
    window.apply(Command::Twin(Twin::To("1 s".parse().expect("it is a time"))));
    let last = window.window().state.log.last().expect("it is told");
    assert!(last.text.starts_with("The recording ends at 4.92"), "{}", last.text);
}

#[test]
fn rooms_have_outlines_and_numbers_are_beside_dots() {
    let mut pictures = SnapshotResults::new();
    let mut window = Driven::sized(Unsaved::default(), Theme::Light, [760.0, 520.0]);
    window.open(&example("building-1024.toml"));
    // The path of the file is another one on each machine.
    window.window().state.log.clear();
    window.apply(Command::Only(Some(Panel::Hall)));
    pictures.add(window.compared("rooms"));
    window.apply(Command::Only(Some(Panel::Fabric)));
    window.apply(Command::Select(Selection::Tor(TorId(7))));
    let places = window.window().state.answers.places.last().expect("it is laid out").clone();
    let camera = lightloom_window::draw::camera::Camera { centre: places.tors[7], scale: 90.0 };
    window.apply(Command::Look(Panel::Fabric, camera));
    pictures.add(window.compared("numbers_of_tors"));
}

#[test]
fn a_broken_cassette_has_a_frame() {
    let mut pictures = SnapshotResults::new();
    let mut window = Driven::sized(Unsaved::default(), Theme::Light, [760.0, 520.0]);
    window.apply(Command::Only(Some(Panel::Fabric)));
    window.apply(Command::Break("cassette:3".into()));
    window.apply(Command::Isolate(Some(Layer::Broken)));
    window.window().state.log.clear();
    pictures.add(window.compared("broken_cassette"));
}
