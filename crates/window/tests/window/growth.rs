//! Growth, cables, and plans as built.

use std::fs;

use egui_kittest::kittest::Queryable as _;
use lightloom::growth::GrowOptions;
use lightloom::{Texts, Watch, to_json};
use lightloom_window::command::{CablingTable, Command, Export, Selection};
use lightloom_window::panel::Panel;

use crate::drive::shown;
use crate::shell::{SMALL, TRUNKED, alone, opened};

#[test]
fn a_plan_grows_and_shrinks_with_the_numbers_of_the_command() {
    let (mut window, place, project) = opened(SMALL, "design.toml");
    alone(&mut window, Panel::Growth);
    assert!(window.has("press Grow or Shrink"));
    window.type_into("ToRs afterwards", "16");
    window.type_into("Later phases", "16, 20");
    window.click("Grow");
    let options = GrowOptions { tors: Some(16), phases: vec![16, 20], ..GrowOptions::default() };
    let grown = lightloom::growth::grow_project(&project, &options, None, Watch::quiet())
        .expect("it grows");
    let (report, text) = (&grown.report, shown(&window));
    let cost = report.cost.as_ref().expect("the design has optics");
    for number in [
        format!("{} to {} ToRs", report.change.tors_before, report.change.tors),
        format!("{} new cords", report.change.new_cords),
        format!("{} stay", report.kept_cords),
        format!("{:.2} USD", cost.to_order.cost_usd.expect("it is known")),
        format!("Later, 16 to 20 ToRs: {}", report.later[0].moved_transmit_cords),
        format!("{} of {0} rows", grown.cords.len()),
    ] {
        assert!(text.contains(&number), "{number}\n{text}");
    }
    // All that changes is listed, and all of it is in the file.
    let listed = grown.files.iter().find(|(name, _)| *name == "growth.csv").expect("it is there");
    let rows = listed.1.iter().filter(|byte| **byte == b'\n').count() - 1;
    assert_eq!(rows, grown.cords.len());

    let folder = place.path().join("grown");
    window.apply(Command::ExportTo(Export::Grown, folder.clone()));
    assert!(lightloom::plan::verify_folder(&folder, Watch::quiet()).expect("it is a plan").good);
    let json = place.path().join("growth.json");
    window.apply(Command::ExportTo(Export::Answer(Panel::Growth), json.clone()));
    let written = fs::read_to_string(&json).expect("it is there");
    assert_eq!(written, to_json(report).expect("it is an answer") + "\n");

    // A wrong number is told, and the last growth stays.
    window.type_into("ToRs afterwards", "many");
    window.click("Grow");
    assert!(window.has("expected a whole number") && window.has("12 to 16 ToRs"));
    window.type_into("ToRs afterwards", "100000000");
    window.click("Grow");
    assert!(window.has("✖") && window.has("12 to 16 ToRs"));
    window.type_into("ToRs afterwards", "10");
    window.click("Shrink");
    assert!(window.has("12 to 10 ToRs"));
}

#[test]
fn cables_have_the_numbers_of_the_files() {
    let (mut window, _place, project) = opened(TRUNKED, "design.toml");
    let report = project.cabling().expect("it is small");
    alone(&mut window, Panel::Cabling);
    window.apply(Command::CablingTable(CablingTable::Trunks));
    let text = shown(&window);
    let trunk = &report.trunks[0];
    for number in [
        format!("Trunks ({})", report.trunks.len()),
        format!("{} of", report.spare_fibres),
        trunk.label.clone(),
        format!("{:.2}", trunk.length_m),
        trunk.trays.join("; "),
    ] {
        assert!(text.contains(&number), "{number}\n{text}");
    }
    for (table, rows) in [
        (CablingTable::Pulls, report.pulls.len()),
        (CablingTable::Trays, report.trays.len()),
        (CablingTable::Orders, report.orders.len()),
    ] {
        window.apply(Command::CablingTable(table));
        assert!(window.has(&format!("{rows} of {rows} rows")), "{table:?}");
    }
}

#[test]
fn a_returned_sheet_is_taken_and_a_bad_one_changes_nothing() {
    let (mut window, place, project) = opened(SMALL, "design.toml");
    let sheet = place.path().join("returned.csv");
    fs::write(&sheet, "label,length_m,note\nB3.1,25,round the pillar\n")
        .expect("it can be written");
    alone(&mut window, Panel::AsBuilt);
    assert!(window.has("Export the form for crews, let them"));
    window.apply(Command::ReturnedFile(sheet.clone()));
    let returned =
        lightloom::as_built::read_returned(&sheet, &Texts::default()).expect("it is a sheet");
    let taken = lightloom::as_built::take_files(&project, &returned, Watch::quiet())
        .expect("it is of this plan");
    let built = taken.report.as_built.as_ref().expect("a length differs");
    let text = shown(&window);
    let line = format!("B3.1: 25.00 m in place of {:.2} m", built.lengths[0].planned_m);
    assert!(text.contains(&line) && text.contains("0 of 24 branches are measured"), "{text}");
    // A click goes to the fibre.
    window.harness.get_by_label_contains("B3.1: 25.00 m").click();
    window.settle();
    assert!(matches!(window.window().state.selection, Selection::Fibre(..)));
    let folder = place.path().join("built");
    window.apply(Command::ExportTo(Export::AsBuilt, folder.clone()));
    assert!(folder.join("as-built.csv").is_file());
    // A sheet of another plan is refused with its place, and what was taken stays.
    fs::write(&sheet, "label,length_m\nB999.1,25\n").expect("it can be written");
    window.click("Read it again");
    assert!(window.has("✖") && window.has("B999.1") && window.has("B3.1: 25.00 m"));
    // The plan as it was built is opened, and tells the same.
    window.open(&folder);
    alone(&mut window, Panel::AsBuilt);
    assert!(window.has("What the plan has that was built otherwise"));
}
