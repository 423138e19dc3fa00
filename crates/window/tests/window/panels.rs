//! Every panel: what it shows, and what can be done there.

use egui::Theme;
use egui_kittest::SnapshotResults;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lightloom::TorId;
use lightloom::light::Case;
use lightloom_window::command::{Command, FabricLayout, HallColour, Selection, Sorted};
use lightloom_window::panel::Panel;
use lightloom_window::state::unsaved::Unsaved;

use crate::drive::{Driven, example};

#[test]
fn a_first_start_shows_the_example() {
    let mut window = Driven::new();
    window.settle();
    assert!(window.has("64 ToRs"));
    window.compared("first_start").expect("it looks as before");
}

/// Something is selected and broken, so that every panel has something to show.
fn busy(theme: Theme) -> Driven {
    let mut window = Driven::sized(Unsaved::default(), theme, [760.0, 520.0]);
    window.apply(Command::Only(Some(Panel::Fabric)));
    window.apply(Command::Select(Selection::Tor(TorId(5))));
    window.apply(Command::Break("relay:8".into()));
    window
}

#[test]
fn every_panel_in_light_and_dark() {
    let mut pictures = SnapshotResults::new();
    for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        let mut window = busy(theme);
        window.apply(Command::Only(Some(Panel::Twin)));
        window.apply(Command::ScenarioFile(example("incast.toml")));
        window.apply(Command::Run);
        window.apply(Command::Only(Some(Panel::Explore)));
        window.apply(Command::Explore);
        for panel in Panel::ALL {
            window.apply(Command::Only(Some(panel)));
            pictures.add(window.compared(&format!("{}_{name}", panel.title().to_lowercase())));
        }
    }
}

#[test]
fn a_setting_is_edited_to_an_error_and_back() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Design)));
    window.type_into("fabric.p", "0");
    assert!(window.text().contains("p = 0\n"), "{}", window.text());
    assert!(window.has("✖"), "the setting has its error beside it");
    assert!(window.has("64 ToRs"), "the last good design stays");
    window.type_into("fabric.p", "4");
    assert!(!window.has("✖"));
    window.type_into("fabric.tors", "60");
    assert!(window.has("60 ToRs"));
    assert!(window.text().contains("tors = 60"));
    while window.window().state.work.can_undo() {
        window.apply(Command::Undo);
    }
    assert!(window.has("64 ToRs") && !window.window().state.is_changed());
    while window.window().state.work.can_redo() {
        window.apply(Command::Redo);
    }
    assert!(window.has("60 ToRs") && window.window().state.is_changed());
}

#[test]
fn a_default_is_taken_back_by_its_button() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Design)));
    window.click("Default of fabric.tors");
    assert!(!window.text().contains("tors ="));
}

#[test]
fn a_relay_breaks_and_is_repaired_phase_by_phase_and_all_of_it_is_undone() {
    let mut window = Driven::new();
    window.apply(Command::Select(Selection::Tor(TorId(5))));
    window.type_into("Part to break", "relay:8");
    assert!(window.has("sources lose receivers"));
    let missed = window.missed();
    window.click("Recover");
    assert!(window.has("Every source reaches everyone"));
    assert!(window.missed().is_empty(), "the repaired tree reaches all");
    let phases = window.phases();
    assert!(phases > 2);
    for done in (0..phases).rev() {
        window.click("◀ Phase back");
        assert_eq!(window.window().state.work.now().repair, Some(done));
    }
    assert_eq!(window.missed(), missed, "before the first phase nothing is repaired");
    for _ in 0..phases {
        window.click("Next phase ▶");
    }
    assert!(window.missed().is_empty());
    while window.window().state.work.can_undo() {
        window.apply(Command::Undo);
    }
    assert!(window.has("Nothing is broken") && window.missed().is_empty());
}

#[test]
fn a_design_becomes_smaller_than_what_is_selected_and_broken() {
    let mut window = Driven::new();
    let fabric = window.window().state.project().expect("it is there").fabric().clone();
    let last = TorId(63);
    let to = *fabric.receivers(fabric.transmits_into(last)).last().expect("it lights some");
    let into = fabric.transmitters(fabric.receives_from(last))[0];
    window.apply(Command::Select(Selection::Tor(last)));
    window.apply(Command::Break(format!("branch:{last}->{to}")));
    window.apply(Command::Break(format!("branch:{into}->{last}")));
    window.apply(Command::Recover);
    for panel in Panel::ALL {
        window.apply(Command::Show(panel));
        window.apply(Command::Change { setting: "fabric.tors", value: Some("8".into()) });
        assert!(window.window().state.project().is_some_and(|now| now.fabric().tors() == 8));
        window.harness.hover_at(egui::pos2(600.0, 300.0));
        window.settle();
        window.apply(Command::Undo);
    }
    // A repair of another design is not rolled out over this one.
    window.apply(Command::Show(Panel::Fabric));
    window.apply(Command::Change { setting: "fabric.p", value: Some("2".into()) });
    window.apply(Command::Select(Selection::Tor(TorId(1))));
    assert!(window.missed().is_empty() || window.has("cut off"));
}

#[test]
fn a_part_that_is_not_there_is_refused() {
    let mut window = Driven::new();
    window.type_into("Part to break", "relay:8000");
    assert!(window.has("Break: this was not done") && window.has("8000"));
    window.click("Understood");
    assert!(window.window().state.work.now().broken.is_empty());
    // A part that is broken already is not broken twice.
    for _ in 0..2 {
        window.apply(Command::Break("relay:8".into()));
    }
    assert_eq!(window.window().state.work.now().broken, ["relay:8"]);
    window.click("Mend relay:8");
    assert!(window.has("Nothing is broken"));
}

#[test]
fn the_list_of_commands_does_everything_without_a_pointer() {
    let mut window = Driven::new();
    let palette = |window: &mut Driven, typed: &str| {
        window.harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::P);
        window.settle();
        window.type_into("Command", typed);
    };
    palette(&mut window, "show money");
    assert!(window.has("One multicast to all"));
    palette(&mut window, "find 7");
    assert_eq!(window.window().state.selection, Selection::FIRST, "find is no command");
    palette(&mut window, "7");
    assert_eq!(window.window().state.selection, Selection::Tor(TorId(7)));
    palette(&mut window, "cassette:3");
    assert!(window.has("cassette 3"));
    palette(&mut window, "break relay:8, tor:9");
    assert_eq!(window.window().state.work.now().broken.len(), 2);
    palette(&mut window, "mend all");
    assert!(window.window().state.work.now().broken.is_empty());
    palette(&mut window, "dark theme");
    assert_eq!(window.window().state.looks.theme, egui::ThemePreference::Dark);
}

#[test]
fn a_run_gives_figures_and_another_run_stands_beside_it() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::ScenarioFile(example("incast.toml")));
    window.click("Run");
    assert!(window.has("flows completed"));
    window.click("Keep this run to compare");
    window.click("Run");
    assert!(window.has("kept: ") && window.has("last: "));
}

#[test]
fn a_run_is_stopped_and_can_be_started_again() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::ScenarioFile(example("incast.toml")));
    window.harness.step();
    window.window().state.apply(Command::Run);
    window.window().state.apply(Command::Stop(Panel::Twin));
    window.settle();
    let last = window.window().state.answers.run.last().cloned().expect("it has results");
    assert!(!last.good() && window.has("stopped"));
    window.click("Run");
    assert!(window.has("flows completed"));
}

#[test]
fn closing_during_a_run_stops_it() {
    let mut window = Driven::new();
    window.apply(Command::ScenarioFile(example("incast.toml")));
    window.window().state.apply(Command::Run);
    assert!(window.window().state.answers.run.how_far().is_some());
    window.window().state.close();
    assert!(window.window().state.answers.run.how_far().is_none());
}

#[test]
fn a_design_of_the_search_becomes_the_design() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Explore)));
    window.click("Search all designs");
    let found = window.window().state.answers.explored.last().cloned().expect("it is done");
    for number in 0..found.designs.len() {
        window.apply(Command::TakeDesign(number));
        let state = &window.window().state;
        assert!(state.answers.opened.refused().is_none(), "design {number}");
        let design = &found.designs[number];
        let project = state.project().expect("it is a design");
        assert_eq!(project.design().fabric.family(), design.family);
        assert_eq!(
            (project.design().fabric.p(), project.design().fabric.k()),
            (design.p, design.k)
        );
        assert_eq!(project.transceivers(), design.transceivers);
        window.apply(Command::Undo);
    }
}

#[test]
fn nothing_is_drawn_while_nothing_happens() {
    let mut window = Driven::new();
    for panel in Panel::ALL {
        window.apply(Command::Show(panel));
        window.settle();
        let delays: Vec<_> =
            window.harness.output().viewport_output.values().map(|v| v.repaint_delay).collect();
        let an_hour = std::time::Duration::from_secs(3600);
        assert!(delays.iter().all(|delay| *delay > an_hour), "{}: {delays:?}", panel.title());
    }
}

#[test]
fn looks_change_what_is_drawn_and_not_the_design() {
    let mut window = Driven::new();
    let before = window.text();
    for command in [
        Command::LayOut(FabricLayout::Cassettes),
        Command::AllFibres(true),
        Command::ColourBy(HallColour::Fibres),
        Command::LightCase(Case::Typical),
        Command::Scale(1_000_000),
        Command::Scale(100),
        Command::Hop(Some(1)),
    ] {
        window.apply(command);
    }
    assert_eq!(window.text(), before);
    assert!(!window.window().state.work.can_undo());
}

#[test]
fn a_typed_text_is_taken_when_its_field_is_left_and_never_later() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Design)));
    window.apply(Command::Filter(Panel::Design, "transceiver".into()));
    let draft = |window: &mut Driven, text: &str| {
        window.harness.get_by_label("optics.transceiver").focus();
        window.harness.step();
        window.harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        window.harness.get_by_label("optics.transceiver").type_text(text);
        window.settle();
    };
    draft(&mut window, "10gbase-lr");
    assert!(window.text().contains("10gbase-er"), "it is still typed");
    window.harness.key_press(egui::Key::Tab);
    window.settle();
    assert!(window.text().contains("10gbase-lr"));
    // The value changes otherwise while another text is typed over it.
    draft(&mut window, "wrong");
    window.apply(Command::Undo);
    window.harness.key_press(egui::Key::Tab);
    window.settle();
    assert!(window.text().contains("10gbase-er") && !window.text().contains("wrong"));
}

#[test]
fn texts_with_commas_stay_one_text() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Design)));
    window.apply(Command::Filter(Panel::Design, "hall.site".into()));
    let value = Some("Harbor Hall, West\nSouth".to_owned());
    window.apply(Command::Change { setting: "hall.site", value });
    assert!(
        window.text().contains(r#"site = ["Harbor Hall, West", "South"]"#),
        "{}",
        window.text()
    );
    window.apply(Command::Change { setting: "hall.status", value: Some("active, planned".into()) });
    assert!(window.text().contains(r#"status = ["active", "planned"]"#));
}

#[test]
fn a_drawing_moves_and_zooms_by_keys() {
    let mut window = Driven::new();
    for panel in [Panel::Fabric, Panel::Hall] {
        window.apply(Command::Only(Some(panel)));
        let name = format!("Drawing of the {}", panel.title().to_lowercase());
        window.harness.get_by_label(&name).focus();
        window.settle();
        window.harness.key_press(egui::Key::ArrowRight);
        window.settle();
        let moved = window.window().state.looks.cameras.get(&panel).copied().expect("it has moved");
        window.harness.key_press(egui::Key::ArrowRight);
        window.settle();
        let again = window.window().state.looks.cameras[&panel];
        assert!(again.centre.x > moved.centre.x, "{}: the focus stays", panel.title());
        window.harness.key_press(egui::Key::Plus);
        window.settle();
        assert!(window.window().state.looks.cameras[&panel].scale > again.scale);
    }
}

#[test]
fn a_table_is_sorted_again_when_its_answer_changes() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Light)));
    window.apply(Command::Sort(Panel::Light, Sorted { column: 0, descending: true }));
    for (tors, first) in [("60", "59"), ("64", "63"), ("60", "59")] {
        window.apply(Command::Change { setting: "fabric.tors", value: Some(tors.into()) });
        assert!(window.harness.query_all_by_label(first).next().is_some(), "{tors}");
    }
}

#[test]
fn rows_of_a_table_are_reached_by_keys() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Light)));
    window.apply(Command::Sort(Panel::Light, Sorted { column: 0, descending: false }));
    window.harness.get_by_label("Rows of Light").focus();
    window.settle();
    let marked = |window: &Driven| {
        let node = window.harness.get_by_label_contains("Rows of Light: ");
        node.accesskit_node().label().expect("it has one")
    };
    let first = marked(&window);
    for (key, moves) in [
        (egui::Key::ArrowDown, true),
        (egui::Key::PageDown, true),
        (egui::Key::End, true),
        (egui::Key::ArrowDown, false),
        (egui::Key::Home, true),
        (egui::Key::ArrowUp, false),
    ] {
        let before = marked(&window);
        window.harness.key_press(key);
        window.settle();
        assert_eq!(marked(&window) != before, moves, "{key:?}");
    }
    assert_eq!(marked(&window), first);
    // Enter does what a click does: it selects the fibre, in all views.
    window.harness.key_press(egui::Key::ArrowDown);
    window.harness.key_press(egui::Key::Enter);
    window.settle();
    let Selection::Fibre(from, to) = window.window().state.selection else { panic!("a fibre") };
    assert!(marked(&window).starts_with(&format!("Rows of Light: {from}, {to}, ")));
    // The mark stays with its row when the order changes.
    let row = marked(&window);
    window.apply(Command::Sort(Panel::Light, Sorted { column: 0, descending: true }));
    assert_eq!(marked(&window), row);
}
