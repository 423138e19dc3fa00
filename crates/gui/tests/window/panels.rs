//! Every panel: what it shows, and what can be done there.

use egui::Theme;
use lightloom::TorId;
use lightloom_gui::command::{Command, Selection};
use lightloom_gui::state::unsaved::Unsaved;
use lightloom_gui::views::Panel;

use crate::drive::Driven;

#[test]
fn a_first_start_shows_the_example() {
    let mut window = Driven::new();
    window.settle();
    assert!(window.has("64 ToRs"));
    window.snapshot("first_start");
}

#[test]
fn every_panel_in_light_and_dark() {
    for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        let mut window = Driven::of(Unsaved::default(), theme);
        window.apply(Command::Select(Selection::Tor(TorId(5))));
        for panel in Panel::ALL {
            window.apply(Command::Show(panel));
            window.snapshot(&format!("{}_{name}", panel.title().to_lowercase()));
        }
    }
}
