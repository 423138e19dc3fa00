//! The search for the racks of ToRs.

use std::fs;

use lightloom::plan::{PlaceOptions, place};
use lightloom::{Request, Watch, to_json};
use lightloom_window::command::{Command, Export};
use lightloom_window::panel::Panel;
use lightloom_window::placing::PlacingField;

use crate::drive::{Driven, last_line, shown, write};
use crate::shell::{TRUNKED, alone, opened};

/// A design whose racks have a better order.
const KAUTZ: &str = "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\ntors = 24\n[optics]\ncatalogue = \
    \"datasheets-2026\"\ntransceiver = \"10gbase-er\"\n";

/// Opens a design, and searches its racks with chains and rounds, which are the same on every machine.
fn searched(text: &str) -> (Driven, tempfile::TempDir) {
    let (mut window, place, _) = opened(text, "design.toml");
    alone(&mut window, Panel::Placement);
    assert!(window.has("Search the racks of all ToRs"));
    window.type_into("Time of the search", "2x20");
    window.type_into("Seed of the search", "7");
    window.click("Search racks");
    (window, place)
}

#[test]
fn racks_are_searched_with_the_numbers_of_the_command() {
    let (mut window, folder) = searched(KAUTZ);
    let request = Request { design: Some(folder.path().join("design.toml")), ..Request::default() };
    let options = PlaceOptions { seed: 7, ..PlaceOptions::new("2x20".parse().expect("an effort")) };
    let (project, report) = place(&request, &options, Watch::quiet()).expect("it is a design");
    let text = shown(&window);
    assert!(report.after.stock_m() < report.before.stock_m() && report.curve.len() == 20);
    let cells = report.rows().into_iter().flat_map(|row| row.cells());
    for shown in cells.chain([report.line()]).chain(report.notes()) {
        assert!(text.contains(&shown), "{shown}\n{text}");
    }
    assert!(last_line(&mut window).contains(&report.line()));

    let json = folder.path().join("placement.json");
    window.apply(Command::ExportTo(Export::Answer(Panel::Placement), json.clone()));
    let written = fs::read_to_string(&json).expect("it is there");
    assert_eq!(written, to_json(&report).expect("it is an answer") + "\n");

    let plan = folder.path().join("placed");
    window.apply(Command::ExportTo(Export::Placed, plan.clone()));
    assert!(lightloom::plan::verify_folder(&plan, Watch::quiet()).expect("it is a plan").good);
    let there = lightloom::open_design_or_plan(
        &Request { design: Some(plan), ..Request::default() },
        Watch::quiet(),
    );
    assert_eq!(there.expect("it is a plan").placement(), project.placement());

    // The design names the racks that were found, and the search is about an earlier design then.
    let before = window.text();
    window.apply(Command::ExportTo(Export::UsedPlacement, folder.path().join("placement.csv")));
    assert!(window.text().contains("placement = \"placement.csv\""), "{}", window.text());
    let used = window.window().state.current().expect("it is a design").placement().clone();
    assert_eq!(&used, project.placement());
    assert!(window.has("earlier design"));
    assert!(!window.has("Use these racks"));
    window.apply(Command::Undo);
    assert_eq!(window.text(), before);
}

#[test]
fn a_file_that_the_design_names_is_read_again_with_other_racks() {
    let (mut window, folder) = searched(KAUTZ);
    let file = write(folder.path(), "placement.csv", "tor,rack\n");
    window.apply(Command::ExportTo(Export::UsedPlacement, file.clone()));
    // Other lines would be lost, so a question comes first.
    assert!(window.has("placement.csv") && !window.text().contains("placement ="));
    window.apply(Command::Replace);
    assert!(window.text().contains("placement = \"placement.csv\""));
    let first = fs::read_to_string(&file).expect("it is there");
    window.apply(Command::PlacingField(PlacingField::Seed, "8".into()));
    window.apply(Command::SearchRacks);
    window.apply(Command::ExportTo(Export::UsedPlacement, file.clone()));
    window.apply(Command::Replace);
    let racks = |window: &mut Driven| {
        let project = window.window().state.current().expect("it is a design").clone();
        String::from_utf8(lightloom::plan::placement_csv(&project)).expect("names are texts")
    };
    let second = fs::read_to_string(&file).expect("it is there");
    assert_eq!(racks(&mut window), second);
    assert_eq!(first.lines().count(), second.lines().count());
}

#[test]
fn a_search_that_is_stopped_keeps_what_it_has_found() {
    let (mut window, _folder, _) = opened(KAUTZ, "design.toml");
    alone(&mut window, Panel::Placement);
    window.apply(Command::PlacingField(PlacingField::Time, "1x4000000".into()));
    window.apply_without_waiting(Command::SearchRacks);
    while window.window().state.placing.curve.so_far().len() < 3 {
        window.harness.step();
    }
    assert!(window.has("The search goes on"));
    window.apply(Command::Stop(Panel::Placement));
    let placed = window.window().state.placing.placed.last().cloned().expect("it has racks");
    assert!(placed.report.rounds_done < 4_000_000 && placed.report.rounds_done >= 3);
    assert!(window.has(&placed.report.line()));
}

#[test]
fn wrong_fields_and_designs_without_a_search_are_told() {
    let (mut window, _folder) = searched(KAUTZ);
    for (field, text, told) in [
        (
            PlacingField::Time,
            "soon",
            "Time of the search: found \"soon\"; expected a time such as 60s",
        ),
        (PlacingField::Seed, "many", "Seed of the search: found \"many\"; expected a whole number"),
        (PlacingField::Fixed, "rack:nowhere", "ToRs that stay"),
        (PlacingField::Forbidden, "nowhere", "Racks without a ToR: found \"nowhere\""),
        (PlacingField::Groups, "no.csv", "no.csv"),
    ] {
        let before = window.window().state.placing.get(field).to_owned();
        window.apply(Command::PlacingField(field, text.into()));
        window.apply(Command::SearchRacks);
        assert!(window.has(told), "{told}\n{}", shown(&window));
        // What was found before stays.
        assert!(window.has("Placed: 20"), "{}", shown(&window));
        window.apply(Command::PlacingField(field, before));
    }
    let shuffled = TRUNKED.to_owned() + "shuffle = \"modules\"\n";
    let (mut window, _folder) = searched(&shuffled);
    window.apply(Command::PlacingField(PlacingField::Fixed, "R1.01".into()));
    window.apply(Command::SearchRacks);
    let told = "ToRs that stay: with shuffle = \"modules\" only whole rows change places";
    assert!(window.has(told), "{}", shown(&window));
}
