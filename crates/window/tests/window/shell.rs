//! Exports, named views, places, and what the keyboard reaches.

use std::fs;
use std::path::Path;

use egui::{Modifiers, Theme};
use egui_kittest::SnapshotResults;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lightloom::configs::Encoding;
use lightloom::{Project, Request, TorId, Watch, to_json};
use lightloom_window::command::{Command, Export, ExportOption, GrowthField, Selection};
use lightloom_window::panel::Panel;
use lightloom_window::placing::PlacingField;
use lightloom_window::state::unsaved::Unsaved;

use crate::drive::{Driven, shown};
use crate::xml::read;

pub const SMALL: &str = "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\ntors = 12\n[splitters]\nhousing = \
    \"receiver\"\n\
                     [optics]\ncatalogue = \"datasheets-2026\"\ntransceiver = \"10gbase-er\"\n";
pub const TRUNKED: &str = "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\ntors = 12\n[splitters]\nhousing = \
    \"zone\"\n\
                       cabling = \"trunked\"\n";

pub fn opened(text: &str, name: &str) -> (Driven, tempfile::TempDir, Project) {
    let place = tempfile::tempdir().expect("a folder can be made");
    let file = place.path().join(name);
    fs::write(&file, text).expect("it can be written");
    let project = lightloom::open(&Request { design: Some(file.clone()), ..Request::default() });
    let mut window = Driven::new();
    window.open(&file);
    (window, place, project.expect("it is a design"))
}

pub fn alone(window: &mut Driven, panel: Panel) {
    window.apply(Command::Only(Some(panel)));
}

#[test]
fn everything_that_the_command_writes_is_exported() {
    let (mut window, place, project) = opened(SMALL, "design.toml");
    let sheet = place.path().join("returned.csv");
    fs::write(&sheet, "label,note\nB3.1,round the pillar\n").expect("it can be written");
    window.apply(Command::ReturnedFile(sheet));
    window.apply(Command::GrowthField(GrowthField::Tors, "16".into()));
    window.apply(Command::Grow);
    window.apply(Command::PlacingField(PlacingField::Time, "1x5".into()));
    window.apply(Command::SearchRacks);
    let fabric = project.fabric();
    let hears = fabric.receivers(fabric.transmits_into(TorId(5)))[0];
    window.apply(Command::Select(Selection::Fibre(TorId(5), hears)));
    window.apply(Command::Break("relay:8".into()));
    window.apply(Command::Explore);
    alone(&mut window, Panel::Explore);
    window.apply(Command::ScenarioFile(crate::drive::example("incast.toml")));
    window.apply(Command::Run);
    let older = place.path().join("plan");
    window.apply(Command::ExportTo(Export::Plan, older.clone()));
    window.apply(Command::ExportWith(ExportOption::Site("Harbor Hall".into())));
    window.apply(Command::ExportWith(ExportOption::Old(older.display().to_string())));
    window.apply(Command::ExportWith(ExportOption::Link("0>leaf 0".into())));
    let (dialects, mut others): (Vec<_>, Vec<_>) =
        Export::all().into_iter().partition(|export| matches!(export, Export::ConfigsIn(_)));
    // It changes the design, so that other answers are of an earlier one.
    others.sort_by_key(|export| *export == Export::UsedPlacement);
    for export in others.into_iter().chain(dialects) {
        if matches!(export, Export::ConfigsIn(_)) {
            // Some dialects name interfaces, which a switch model has. Such a plan does not grow.
            let model = Some("juniper-ex4550-32f".to_owned());
            window.apply(Command::Change { setting: "tor.model", value: model });
        }
        let path = place.path().join("all").join(export.proposed());
        fs::create_dir_all(path.parent().expect("it has one")).expect("it can be made");
        // SONiC's tables match no source, so they take another encoding.
        let word = if export.name().contains("sonic") { "masked-destination" } else { "masked" };
        let encoding = Encoding::named(word).expect("it is an encoding");
        window.apply(Command::ShowEncoding(encoding));
        window.apply(Command::ExportTo(export, path.clone()));
        let log: Vec<String> =
            window.window().state.log.iter().map(|line| line.text.clone()).collect();
        assert!(path.exists(), "{}: {:?}", export.name(), log.last());
    }
    // The paths that are asked for stand beside the design.
    window.apply(Command::Export(Export::Drawings));
    assert!(shown(&window).contains(&place.path().join("drawings.html").display().to_string()));
}

#[test]
fn an_export_says_what_it_changes_before_it_writes() {
    let (mut window, place, project) = opened(SMALL, "design.toml");
    let file = place.path().join("light.json");
    fs::write(&file, "mine\n").expect("it can be written");
    window.apply(Command::ExportTo(Export::Answer(Panel::Light), file.clone()));
    assert!(window.has("Something is there already") && window.has("1 lines go, 1 lines come"));
    window.click("Cancel");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "mine\n");
    window.apply(Command::ExportTo(Export::Answer(Panel::Light), file.clone()));
    // Somebody else changes it while the question is open.
    fs::write(&file, "theirs\n").expect("it can be written");
    window.click("Replace it");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "theirs\n");
    assert!(window.window().state.log.iter().any(|line| line.contains("meanwhile")));
    window.apply(Command::ExportTo(Export::Answer(Panel::Light), file.clone()));
    window.click("Replace it");
    let light = project.budget(&Default::default(), Watch::quiet()).expect("it has light");
    let written = fs::read_to_string(&file).expect("it is there");
    assert_eq!(written, to_json(&light).expect("it is an answer") + "\n");
    // What is the same already is not written again.
    window.apply(Command::ExportTo(Export::Answer(Panel::Light), file));
    assert!(window.has("nothing changes"));
    // A folder with other files is refused.
    window.apply(Command::ExportTo(Export::Plan, place.path().to_path_buf()));
    assert!(window.has("Export: this was not done"));
}

#[test]
fn a_save_says_what_it_changes() {
    let (mut window, _place, _) = opened(SMALL, "design.toml");
    assert!(!window.has("a save adds"));
    window.apply(Command::Change { setting: "fabric.tors", value: Some("14".into()) });
    window.click("a save adds 1 and removes 1 lines");
    assert!(window.has("changed lines are not saved"));
    window.apply(Command::Save);
    assert!(!window.has("a save adds"));
}

#[test]
fn every_panel_is_a_picture_of_lines_and_texts() {
    let (mut window, place, _) = opened(SMALL, "a<b&c.toml");
    window.apply(Command::Select(Selection::Tor(TorId(5))));
    window.apply(Command::GrowthField(GrowthField::Tors, "16".into()));
    window.apply(Command::Grow);
    for panel in Panel::ALL {
        alone(&mut window, panel);
        let path = |number: u32| place.path().join(format!("{}-{number}.svg", panel.title()));
        for number in [0, 1] {
            window.apply(Command::ExportTo(Export::Svg(panel), path(number)));
        }
        let [one, other] = [0, 1].map(|n| fs::read_to_string(path(n)).expect("it is there"));
        // The log tells of the first picture by the time of the second.
        assert!(one == other || panel == Panel::Log, "{}", panel.title());
        let (texts, elements) = read(&one);
        assert!(texts.contains(panel.title()), "{}", panel.title());
        assert!(
            elements.get("text").is_some_and(|count| *count > 0),
            "{}: {elements:?}",
            panel.title()
        );
        if panel == Panel::Fabric {
            assert!(
                texts.contains("12 ToRs reached") || texts.contains("11 ToRs reached"),
                "{texts}"
            );
            assert!(elements.get("circle").is_some_and(|count| *count >= 12), "{elements:?}");
        }
    }
}

#[test]
fn views_are_kept_under_names() {
    let (mut window, _place, _) = opened(SMALL, "design.toml");
    window.apply(Command::Select(Selection::Tor(TorId(5))));
    window.apply(Command::Filter(Panel::Light, "B3".into()));
    alone(&mut window, Panel::Light);
    window.apply(Command::AskViewName(None));
    window.type_into("Name of the view", "the light of 5");
    window.apply(Command::Only(None));
    window.apply(Command::Show(Panel::Money));
    window.apply(Command::Filter(Panel::Light, String::new()));
    window.apply(Command::Select(Selection::Nothing));
    window.apply(Command::SaveView("money".into()));
    let go = |window: &mut Driven, typed: &str| {
        window.harness.key_press_modifiers(Modifiers::COMMAND, egui::Key::P);
        window.settle();
        window.type_into("Command", typed);
    };
    go(&mut window, "go to the view the light");
    let state = &window.window().state;
    assert_eq!(state.selection, Selection::Tor(TorId(5)));
    assert_eq!((state.looks.only, state.looks.filter(Panel::Light)), (Some(Panel::Light), "B3"));
    window.apply(Command::RenameView { from: "the light of 5".into(), to: "money".into() });
    assert!(window.has("there is a view money already"));
    window.click("Understood");
    window.apply(Command::RenameView { from: "the light of 5".into(), to: "light".into() });
    go(&mut window, "keep view third");
    window.apply(Command::DeleteView("third".into()));
    let names: Vec<String> = window.window().state.named.names().cloned().collect();
    assert_eq!(names, ["light", "money"]);
}

#[test]
fn lines_of_the_log_and_problems_lead_to_their_places() {
    let (mut window, place, _) = opened(SMALL, "design.toml");
    let folder = place.path().join("plan");
    window.apply(Command::ExportTo(Export::Plan, folder.clone()));
    alone(&mut window, Panel::Log);
    window.harness.query_all_by_label_contains("wrote ").next().expect("it is told").click();
    window.settle();
    assert!(window.window().state.file.is_plan(), "a click opens the plan that was written");
    let (mut window, _place, _) = opened(SMALL, "design.toml");
    window.apply(Command::Change { setting: "fabric.p", value: Some("0".into()) });
    alone(&mut window, Panel::Problems);
    window.harness.query_all_by_label_contains("✖").next().expect("it is told").click();
    window.settle();
    let state = &window.window().state;
    assert_eq!(state.looks.only, Some(Panel::Design));
    assert_eq!(state.looks.filter(Panel::Design), "fabric.p");
}

#[test]
fn cables_and_ports_are_found_by_their_labels() {
    let (mut window, place, _) = opened(TRUNKED, "design.toml");
    let folder = place.path().join("plan");
    window.apply(Command::ExportTo(Export::Plan, folder.clone()));
    let cables = fs::read_to_string(folder.join("cables.csv")).expect("it is there");
    let row = cables.lines().find(|line| line.starts_with("B3.1,")).expect("it is a branch");
    let cells: Vec<&str> = row.split(',').collect();
    let fibre = Selection::Fibre(
        TorId(cells[2].parse().expect("a number")),
        TorId(cells[6].parse().expect("a number")),
    );
    let near_and_far = cells[10];
    let far = near_and_far.split(" / ").nth(1).expect("two ends");
    for name in ["B3.1", near_and_far, far, "cable:B3.1", "B3.1 near"] {
        window.apply(Command::Select(Selection::Nothing));
        window.apply(Command::Find(name.to_owned()));
        assert_eq!(window.window().state.selection, fibre, "{name}");
    }
    window.apply(Command::Find("F3".into()));
    assert!(matches!(window.window().state.selection, Selection::Fibre(TorId(3), _)));
    window.apply(Command::Find("T1".into()));
    assert!(window.has("found T1: "));
    window.apply(Command::Find("B99.9".into()));
    assert!(window.window().state.log.last().is_some_and(|line| line.contains("B99.9")));
}

#[test]
fn the_keyboard_goes_from_panel_to_panel() {
    let mut window = Driven::new();
    window.settle();
    let focused = |window: &Driven| {
        let node = window.harness.query_all_by(|node| node.is_focused()).next();
        node.and_then(|node| node.accesskit_node().label()).unwrap_or_default()
    };
    let press = |window: &mut Driven, modifiers: Modifiers, key: egui::Key| {
        window.harness.key_press_modifiers(modifiers, key);
        window.settle();
    };
    press(&mut window, Modifiers::NONE, egui::Key::F6);
    assert_eq!(focused(&window), "Panel Design");
    press(&mut window, Modifiers::NONE, egui::Key::Tab);
    assert_eq!(focused(&window), "Find a setting");
    press(&mut window, Modifiers::NONE, egui::Key::F6);
    assert_eq!(focused(&window), "Panel Fabric");
    press(&mut window, Modifiers::SHIFT, egui::Key::F6);
    assert_eq!(focused(&window), "Panel Design");
    press(&mut window, Modifiers::CTRL, egui::Key::Tab);
    assert_eq!(focused(&window), "Panel Text");
    // Enter and Space do what a click does; Escape closes.
    press(&mut window, Modifiers::COMMAND, egui::Key::P);
    press(&mut window, Modifiers::NONE, egui::Key::Escape);
    assert!(!window.window().state.looks.palette);
    alone(&mut window, Panel::Explore);
    window.harness.get_by_label("Search all designs").focus();
    window.harness.step();
    press(&mut window, Modifiers::NONE, egui::Key::Space);
    assert!(window.window().state.answers.explored.last().is_some());
}

/// The widgets of a window that have no name.
fn unnamed(window: &Driven) -> Vec<String> {
    use egui::accesskit::Role;
    fn collect(node: &egui_kittest::Node<'_>, into: &mut Vec<String>) {
        let own = node.accesskit_node();
        let is_widget = matches!(
            own.role(),
            Role::Button
                | Role::CheckBox
                | Role::ComboBox
                | Role::Link
                | Role::MultilineTextInput
                | Role::RadioButton
                | Role::Slider
                | Role::SpinButton
                | Role::Tab
                | Role::TextInput
        );
        if is_widget && own.label().is_none_or(|label| label.trim().is_empty()) {
            into.push(format!("{:?} {:?} {:?}", own.role(), own.value(), node.rect()));
        }
        for child in node.children() {
            collect(&child, into);
        }
    }
    let mut found = Vec::new();
    collect(&window.harness.root(), &mut found);
    found
}

#[test]
fn every_widget_of_every_panel_has_a_name() {
    let (mut window, place, _) = opened(SMALL, "design.toml");
    let sheet = place.path().join("returned.csv");
    fs::write(&sheet, "label,length_m,note\nB3.1,25,round the pillar\n")
        .expect("it can be written");
    window.apply(Command::ReturnedFile(sheet));
    window.apply(Command::GrowthField(GrowthField::Tors, "16".into()));
    window.apply(Command::Grow);
    window.apply(Command::Select(Selection::Tor(TorId(5))));
    window.apply(Command::Break("relay:8".into()));
    window.apply(Command::Recover);
    window.apply(Command::ScenarioFile(crate::drive::example("incast.toml")));
    for panel in Panel::ALL {
        alone(&mut window, panel);
        assert_eq!(unnamed(&window), Vec::<String>::new(), "{}", panel.title());
    }
    window.apply(Command::Only(None));
    for question in [
        Command::Palette(true),
        Command::AskViewName(None),
        Command::Export(Export::Plan),
        Command::Open,
    ] {
        window.apply(question);
        assert_eq!(unnamed(&window), Vec::<String>::new());
        window.apply(Command::Palette(false));
        window.apply(Command::Dismiss);
    }
}

#[test]
fn text_of_twice_the_size_fits() {
    let mut pictures = SnapshotResults::new();
    let mut window = Driven::sized(Unsaved::default(), Theme::Light, [1280.0, 860.0]);
    for percent in [50, 300] {
        window.apply(Command::Scale(percent));
        assert_eq!(window.window().state.looks.scale, percent);
    }
    window.apply(Command::Scale(200));
    pictures.add(window.compared("scale_200"));
}

#[test]
fn new_panels_in_light_and_dark() {
    let mut pictures = SnapshotResults::new();
    let place = tempfile::tempdir().expect("a folder can be made");
    for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        let mut window = Driven::sized(Unsaved::default(), theme, [1000.0, 620.0]);
        filled(&mut window, place.path());
        for (panel, file) in [
            (Panel::Growth, "growth_filled"),
            (Panel::Cabling, "cabling_filled"),
            (Panel::AsBuilt, "as-built_filled"),
        ] {
            alone(&mut window, panel);
            pictures.add(window.compared(&format!("{file}_{name}")));
        }
        window.apply(Command::PlacingField(PlacingField::Time, "2x20".into()));
        window.apply(Command::SearchRacks);
        alone(&mut window, Panel::Placement);
        pictures.add(window.compared(&format!("placement_filled_{name}")));
    }
}

/// Growth, cables and a returned sheet.
fn filled(window: &mut Driven, place: &Path) {
    let write = |name: &str, text: &str| {
        let file = place.join(name);
        fs::write(&file, text).expect("it can be written");
        file
    };
    window.open(&write("design.toml", SMALL));
    let sheet =
        "label,length_m,measured_db,note\nB3.1,25,,round the pillar\nB4.0,,99,\nB5.1,,no light,\n";
    window.apply(Command::ReturnedFile(write("returned.csv", sheet)));
    window.apply(Command::GrowthField(GrowthField::Tors, "16".into()));
    window.apply(Command::Grow);
}
