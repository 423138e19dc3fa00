//! What users type is taken, and what they point at is that thing, whatever racks are called.

use std::fs;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use lightloom::light::Case;
use lightloom::{Criterion, TorId};
use lightloom_window::command::{CablingTable, Command, GrowthField, Selection, Sorted};
use lightloom_window::export::ExportOption;
use lightloom_window::panel::Panel;
use lightloom_window::search::SearchField;
use lightloom_window::twin::Twin;
use lightloom_window::views::{Does, found};

use crate::drive::{Driven, example, shown, write};
use crate::shell::opened;

const RING: &str = "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\ntors = 12\n";

/// The only row of the list of commands that has these words.
fn row(window: &mut Driven, words: &str) -> Option<Does> {
    let state = &window.window().state;
    found(state, words).into_iter().find(|(name, _)| name == words).map(|(_, does)| does)
}

#[test]
fn parts_are_broken_and_repaired_where_racks_have_numbers_as_names() {
    let place = tempfile::tempdir().expect("a folder");
    // ToR 0 is in rack 12, and ToR 3 in rack 9.
    let racks: String = (1..=12).map(|n| format!("{},A,{n}\n", 13 - n)).collect();
    write(place.path(), "racks.csv", &format!("name,row,position\n{racks}"));
    let design =
        write(place.path(), "a.toml", &format!("{RING}[hall]\ninventory = \"racks.csv\"\n"));
    let mut window = Driven::new();
    window.open(&design);
    window.apply(Command::Select(Selection::Tor(TorId(3))));
    window.apply(Command::Only(Some(Panel::Failures)));
    window.click("Break the selection");
    window.click("Break relay:3: its transmitter");
    let broken = |window: &mut Driven| window.window().state.work.now().broken.clone();
    assert_eq!(broken(&mut window), ["relay:3"]);
    window.click("Recover");
    assert!(window.phases() > 0, "{}", shown(&window));
    window.apply(Command::MendAll);
    let Some(Does::Command(command)) = row(&mut window, "Break the transmitter of ToR 3") else {
        panic!("the list has the command");
    };
    window.apply(command);
    assert_eq!(broken(&mut window), ["relay:3"]);
    assert!(window.has("sources lose receivers"), "{}", shown(&window));
    // What is typed may mean two ToRs. A number of a ToR can be said.
    window.apply(Command::Break("relay:5".into()));
    assert_eq!(broken(&mut window), ["relay:3"]);
    window.apply(Command::Dismiss);
    window.apply(Command::Break("relay:tor:5".into()));
    assert_eq!(broken(&mut window), ["relay:3", "relay:5"]);
    assert!(window.has("sources lose receivers"), "{}", shown(&window));
}

#[test]
fn a_save_and_a_close_take_what_is_still_in_a_field() {
    let (mut window, place, _) = opened(RING, "a.toml");
    let design = place.path().join("a.toml");
    window.apply(Command::Only(Some(Panel::Design)));
    window.apply(Command::Filter(Panel::Design, "optics.margin".into()));
    let typing = |window: &mut Driven, text: &str, key: Key| {
        window.harness.get_by_label("optics.margin").focus();
        window.harness.step();
        window.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        window.harness.get_by_label("optics.margin").type_text(text);
        window.harness.step();
        window.harness.key_press_modifiers(Modifiers::COMMAND, key);
        window.settle();
    };
    let saved = || fs::read_to_string(&design).expect("it can be read");
    typing(&mut window, "2 dB", Key::S);
    assert!(saved().contains("2 dB"), "{}", saved());
    assert!(window.harness.get_by_label("optics.margin").is_focused(), "typing goes on");
    typing(&mut window, "3 dB", Key::Q);
    assert!(window.has("Unsaved changes") && !window.window().state.quits);
    assert!(window.text().contains("3 dB") && saved().contains("2 dB"));
}

#[test]
fn a_filter_and_an_order_are_of_one_table_of_cables() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Cabling)));
    window.apply(Command::Filter(Panel::Cabling, "F1".into()));
    window.apply(Command::Sort(Panel::Cabling, Sorted { column: 1, descending: true }));
    window.apply(Command::CablingTable(CablingTable::Orders));
    let looks = |window: &mut Driven| window.window().state.looks.clone();
    assert_eq!(looks(&mut window).filter(Panel::Cabling), "");
    assert!(looks(&mut window).sorted.is_empty());
    // A cable that is found is in the table of cables.
    window.apply(Command::Find("F12".into()));
    assert_eq!(looks(&mut window).cabling, CablingTable::Pulls);
    assert_eq!(looks(&mut window).filter(Panel::Cabling), "F12");
}

#[test]
fn what_was_given_can_be_taken_away_by_the_list_of_commands() {
    let mut window = Driven::new();
    let given = |window: &mut Driven| {
        let state = &window.window().state;
        (state.looks.exports.date.clone(), state.growth.fields.pin.clone())
    };
    let (date, pin) = ("Exports: no date", "Growth: empty the field Must not move");
    assert!(row(&mut window, date).is_none() && row(&mut window, pin).is_none());
    window.apply(Command::ExportWith(ExportOption::Date("2026-03-31".into())));
    window.apply(Command::GrowthField(GrowthField::Pin, "rack:nowhere".into()));
    for name in [date, pin] {
        let Some(Does::Command(command)) = row(&mut window, name) else { panic!("{name}") };
        window.apply(command);
    }
    assert_eq!(given(&mut window), (String::new(), String::new()));
}

#[test]
fn the_search_has_the_limits_that_are_typed() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Explore)));
    window.click("Search all designs");
    let found = |window: &mut Driven| {
        let report = window.window().state.answers.explored.last().expect("it was asked").clone();
        (report.case, report.ranked_by, report.designs.iter().map(|row| row.max_hops).max())
    };
    let (_, _, all) = found(&mut window);
    let most = all.expect("there are designs") - 1;
    window.type_into("Most hops", &most.to_string());
    assert!(window.has("The limits were changed since this search."));
    let listed = |window: &mut Driven, words: &str| {
        let Some(Does::Command(command)) = row(window, words) else { panic!("{words}") };
        window.apply(command);
    };
    listed(&mut window, "Explore: case of the light typical");
    listed(&mut window, "Explore: ranked by hops");
    window.click("Search all designs");
    let (case, ranked_by, fewer) = found(&mut window);
    assert_eq!((case, ranked_by), (Case::Typical, Criterion::Hops));
    assert!(fewer.is_some_and(|hops| hops <= most), "{fewer:?}");
    assert!(!window.has("The limits were changed since this search."));
    // A field without a number leaves the answer as it is.
    window.type_into("Most hops", "many");
    window.click("Search all designs");
    assert!(window.has("Most hops: found \"many\"; expected a whole number"), "{}", shown(&window));
    assert_eq!(found(&mut window).2, fewer);
    listed(&mut window, "Explore: empty the field Most hops");
    window.type_into("Highest cost", "5 apples");
    window.click("Search all designs");
    assert!(window.has("Highest cost: "), "{}", shown(&window));
}

#[test]
fn a_default_that_is_chosen_is_the_same_search() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Explore)));
    window.click("Search all designs");
    window.apply(Command::SearchField(SearchField::Case, "worst".into()));
    window.apply(Command::SearchField(SearchField::RankBy, "cost".into()));
    assert!(!window.has("The limits were changed since this search."));
    window.apply(Command::SearchField(SearchField::RankBy, "fibre".into()));
    assert!(window.has("The limits were changed since this search."));
}

#[test]
fn packets_that_wait_are_in_the_list_of_commands() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::ScenarioFile(example("incast.toml")));
    window.click("Run");
    window.apply(Command::Twin(Twin::To("20 us".parse().expect("it is a time"))));
    let state = &window.window().state;
    let at = state.playback.at.as_ps();
    let recording = state.answers.recording().expect("it was recorded");
    let mut waiting = state.answers.waiting().expect("they are known").at(at);
    let flies = |packet: u32| recording.in_flight(at).any(|hop| hop.packet == packet);
    let packet = waiting.find(|wait| !flies(wait.packet)).expect("one waits").packet;
    let choose = Does::Command(Command::Twin(Twin::Packet(Some(packet))));
    assert!(found(state, "twin: choose").iter().any(|(_, does)| *does == choose));
}
