//! Refusals name the fields of panels, and no flags of the command line.

use lightloom::{InputError, Words as _};
use lightloom_window::command::{Command, ExportOption, GrowthField};
use lightloom_window::export::Export;
use lightloom_window::panel::Panel;
use lightloom_window::words::{Fields, number_of, text_of_input};

use crate::drive::{Driven, example, shown};

#[test]
fn refused_exports_name_the_fields_of_the_panel() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let mut window = Driven::new();
    window.open(&example("glass-64.toml"));
    window.apply(Command::Only(Some(Panel::Exports)));
    window.apply(Command::ExportTo(Export::Netbox, place.path().join("netbox")));
    assert!(window.has("Site in NetBox: is missing"), "{}", shown(&window));
    assert!(!window.has("--site"));
    window.click("Understood");
    window.apply(Command::ExportWith(ExportOption::Date("tomorrow".into())));
    window.apply(Command::ExportTo(Export::Report, place.path().join("report.html")));
    assert!(window.has("Date on the report: "), "{}", shown(&window));
    assert!(!window.has("--date"));
    window.click("Understood");
    // The panel has a field of each name.
    for option in ["site", "location", "date", "groups", "old", "pcap"] {
        assert!(window.has(&Fields.option(option)), "{option}");
    }
}

#[test]
fn refused_growth_names_the_fields_of_the_panel() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Growth)));
    window.apply(Command::GrowthField(GrowthField::Tors, "many".into()));
    window.apply(Command::Grow);
    assert!(window.has("✖ ToRs afterwards: "), "{}", shown(&window));
    for option in ["tors", "phases", "pin", "most_moves", "inventory", "racks"] {
        assert!(window.has(&Fields.option(option)), "{option}");
    }
}

#[test]
fn what_has_no_field_is_named_in_words() {
    let error = InputError::new("is too large").in_option("core_ports");
    assert_eq!(text_of_input(&error), "core ports: is too large");
    assert_eq!(
        [0, 1, 2].map(|count| number_of(count, "error")),
        ["0 errors", "1 error", "2 errors"]
    );
}

#[test]
fn settings_in_messages_are_written_as_in_the_design_file() {
    let key = lightloom::setting::named("splitters.housing").expect("it is a setting");
    let told = Fields.give(&Fields.setting(&key), Some("receiver"));
    assert_eq!(told, "splitters.housing = receiver");
}

#[test]
fn messages_of_libraries_name_no_source() {
    let without = lightloom_window::words::without_source;
    let told = "winit EventLoopError: os error at /home/u/.cargo/registry/src/x/winit-0.30.13/src/linux/mod.rs:757: \
                neither WAYLAND_DISPLAY nor DISPLAY is set.";
    let left = "winit EventLoopError: os error: neither WAYLAND_DISPLAY nor DISPLAY is set.";
    assert_eq!(without(told), left);
    for plain in ["no display", "at 12: it ended", "look at main.rs: line 4", ""] {
        assert_eq!(without(plain), plain);
    }
}
