//! What is shown and written is of the present design, its files and the present scenario, or says that it is not.

use std::fs;

use egui_kittest::kittest::Queryable as _;
use lightloom::failures::Method;
use lightloom::{Project, Request, TorId};
use lightloom_window::command::{Command, Export, Selection};
use lightloom_window::draw::camera::Camera;
use lightloom_window::panel::Panel;
use lightloom_window::twin::{Build, Twin, TwinView};

use crate::drive::{Driven, last_line, shown, write};

const RING: &str = "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 4\nk = 2\n";

fn kautz(p: u32, tors: u32, more: &str) -> String {
    format!("version = 1\n[fabric]\nfamily = \"kautz\"\np = {p}\ntors = {tors}\n{more}")
}

fn tors(window: &mut Driven) -> usize {
    window.window().state.current().expect("it is opened").fabric().tors()
}

#[test]
fn a_design_that_cannot_be_opened_is_not_taken_for_the_one_before() {
    let place = tempfile::tempdir().expect("a folder");
    let good = write(place.path(), "good.toml", &kautz(4, 64, ""));
    let bad = kautz(2, 10, "[hall]\ninventory = \"missing.csv\"\n");
    let bad = write(place.path(), "bad.toml", &bad);
    let mut window = Driven::new();
    window.apply(Command::OpenFile(good));
    window.apply(Command::OpenFile(bad));
    let told = "The present design cannot be opened. This is about the last one that could.";
    for panel in [Panel::Fabric, Panel::Hall, Panel::Light, Panel::Money, Panel::Rules] {
        window.apply(Command::Only(Some(panel)));
        assert!(shown(&window).contains(told), "{}", panel.title());
    }
    let plan = place.path().join("plan");
    window.apply(Command::ExportTo(Export::Plan, plan.clone()));
    assert!(
        !plan.exists() && last_line(&mut window).contains("missing.csv"),
        "{}",
        last_line(&mut window)
    );
}

#[test]
fn files_that_a_design_names_are_read_again() {
    let place = tempfile::tempdir().expect("a folder");
    let racks = |count: usize| {
        let rows: String = (1..=count).map(|n| format!("N{n},A,{n}\n")).collect();
        format!("name,row,position\n{rows}")
    };
    let inventory = write(place.path(), "racks.csv", &racks(12));
    let text =
        "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\n[hall]\ninventory = \"racks.csv\"\n";
    let design = write(place.path(), "a.toml", text);
    let mut window = Driven::new();
    window.apply(Command::OpenFile(design.clone()));
    assert_eq!(tors(&mut window), 12);
    fs::write(&inventory, racks(16)).expect("it can be written");
    window.apply(Command::OpenFile(design));
    assert_eq!(tors(&mut window), 16);
    // Another program changes it while the window is open.
    fs::write(&inventory, racks(18)).expect("it can be written");
    window.apply(Command::LookAgain);
    window.settle();
    assert_eq!(tors(&mut window), 18);
    assert!(last_line(&mut window).contains("racks.csv was changed and is read again"));
    // Nothing changed: nothing is opened again.
    let before = window.window().state.answers.opened.number();
    window.apply(Command::LookAgain);
    window.settle();
    assert_eq!(window.window().state.answers.opened.number(), before);
}

#[test]
fn a_recovered_plan_is_shown_with_its_failures() {
    let place = tempfile::tempdir().expect("a folder");
    let design = write(place.path(), "a.toml", RING);
    let mut window = Driven::new();
    window.apply(Command::OpenFile(design));
    window.apply(Command::Break("relay:8".into()));
    window.apply(Command::Recover);
    let plan = place.path().join("plan");
    window.apply(Command::ExportTo(Export::Recovered, plan.clone()));
    window.apply(Command::OpenFile(plan));
    let work = window.window().state.work.now();
    assert_eq!(work.broken, ["relay:8"]);
    assert!(work.repair.is_some() && matches!(work.method, Method::Replan(_)));
    window.apply(Command::Only(Some(Panel::Failures)));
    assert!(!shown(&window).contains("Nothing is broken"));
}

#[test]
fn a_plan_whose_files_were_edited_is_refused_and_no_plan_is_saved_as_a_design() {
    let place = tempfile::tempdir().expect("a folder");
    let design = write(place.path(), "a.toml", RING);
    let plan = place.path().join("plan");
    let mut window = Driven::new();
    window.apply(Command::OpenFile(design));
    window.apply(Command::ExportTo(Export::Plan, plan.clone()));
    window.apply(Command::OpenFile(plan.clone()));
    let saved = place.path().join("saved.toml");
    window.apply(Command::SaveTo(saved.clone()));
    assert!(!saved.exists() && last_line(&mut window).contains("only looked at"));
    let cables = plan.join("cables.csv");
    let text = fs::read_to_string(&cables).expect("it is there");
    fs::write(&cables, text.replace("F1,", "X1,")).expect("it can be written");
    window.apply(Command::OpenFile(plan));
    assert!(last_line(&mut window).contains("cables.csv"), "{}", last_line(&mut window));
}

#[test]
fn a_run_is_of_the_texts_on_the_screen_or_says_that_it_is_not() {
    let place = tempfile::tempdir().expect("a folder");
    let design = write(place.path(), "d.toml", &kautz(2, 8, ""));
    let mut window = Driven::new();
    window.apply(Command::OpenFile(design));
    // The change is not saved.
    window.apply(Command::Change { setting: "fabric.tors", value: Some("16".into()) });
    window.apply(Command::Twin(Twin::Build(Build::OfDesign)));
    window.apply(Command::Only(Some(Panel::Twin)));
    let hosts = window.window().state.answers.checked.last().expect("it is read").network.hosts;
    let design: Project = {
        let text = window.text();
        let file = write(place.path(), "e.toml", &text);
        lightloom::open(&Request { design: Some(file), ..Request::default() }).expect("it opens")
    };
    assert_eq!(design.fabric().tors(), 16);
    assert_eq!(hosts % 16, 0, "{hosts} hosts");
    window.apply(Command::Run);
    window.settle();
    assert!(window.window().state.current_run().is_some());
    window.apply(Command::Change { setting: "fabric.tors", value: Some("12".into()) });
    assert!(window.window().state.current_run().is_none());
    assert!(shown(&window).contains("This run is of an earlier text or of earlier files."));
    let results = place.path().join("results");
    window.apply(Command::ExportTo(Export::Results, results.clone()));
    assert!(!results.exists(), "{}", last_line(&mut window));
}

#[test]
fn the_hall_marks_who_is_cut_off_now() {
    let place = tempfile::tempdir().expect("a folder");
    let design = write(place.path(), "a.toml", RING);
    let mut window = Driven::new();
    window.apply(Command::OpenFile(design));
    window.apply(Command::Only(Some(Panel::Fabric)));
    window.apply(Command::Select(Selection::Tor(TorId(5))));
    window.apply(Command::Break("tor:9".into()));
    window.apply(Command::Only(Some(Panel::Hall)));
    let cut = |window: &mut Driven| {
        let answers = &window.window().state.answers;
        answers.tree(TorId(5)).expect("it is asked").missed.len()
    };
    assert!(cut(&mut window) > 0);
    window.apply(Command::MendAll);
    assert_eq!(cut(&mut window), 0);
}

/// Draws the packets of the last run with this selection, and clicks on what is drawn for ToR 3. Returns what is
/// selected then, and whether the drawing told the selection apart.
fn clicked(window: &mut Driven, selected: Selection) -> (Selection, bool) {
    let mut drawn = |selection| {
        window.apply(Command::Select(selection));
        window.harness.render().expect("it is drawn")
    };
    let (without, with) = (drawn(Selection::Nothing), drawn(selected));
    // The line of state names the selection, so only the drawing is compared.
    let drawing = window.harness.get_by_label("Drawing of the run").rect();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pixels")]
    let [left, top, right, bottom] =
        [drawing.min.x, drawing.min.y, drawing.max.x, drawing.max.y].map(|at| at.ceil() as u32);
    let mut pixels = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
    let is_told = pixels.any(|(x, y)| without.get_pixel(x, y) != with.get_pixel(x, y));
    let place = {
        let state = &window.window().state;
        let nodes = &state.answers.recording().expect("it is recorded").network.nodes;
        let node = nodes.iter().position(|node| node.tor == Some(TorId(3))).expect("it has one");
        let camera = Camera::fit(state.playback.places.bounds, drawing);
        camera.to_screen(drawing, state.playback.places.nodes[node])
    };
    window.harness.hover_at(place);
    window.harness.step();
    for pressed in [true, false] {
        let button = egui::PointerButton::Primary;
        let modifiers = egui::Modifiers::NONE;
        window.harness.event(egui::Event::PointerButton { pos: place, button, pressed, modifiers });
        window.harness.step();
    }
    window.settle();
    (window.window().state.selection, is_told)
}

#[test]
fn the_selection_is_shared_with_runs_of_the_open_design_alone() {
    let place = tempfile::tempdir().expect("a folder");
    let own = write(place.path(), "own.toml", &kautz(2, 16, ""));
    let other = write(place.path(), "other.toml", &kautz(4, 64, ""));
    fs::create_dir(place.path().join("sub")).expect("it can be made");
    // It names the design by another way than the window does.
    let text = "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"design\"\nfile = \"../own.toml\"\n\
                hosts_per_tor = 1\nspines = 1\nrate = \"100 Gb/s\"\nlength = \"3 m\"\n\
                [[group]]\nname = \"all\"\nmembers = \"all\"\ntransport = \"datagram\"\n\
                [[multicast]]\ngroup = \"all\"\nfrom = 3\nsize = \"20 kB\"\n";
    let scenario = write(&place.path().join("sub"), "s.toml", text);
    let mut window = Driven::new();
    window.apply(Command::OpenFile(own.clone()));
    window.apply(Command::ScenarioFile(scenario));
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::Run);
    window.apply(Command::Twin(Twin::Show(TwinView::Packets)));
    let (three, five) = (Selection::Tor(TorId(3)), Selection::Tor(TorId(5)));
    assert!(window.window().state.run_is_of_design());
    assert_eq!(clicked(&mut window, five), (three, true));
    // The run is that of the command, whichever design is open.
    window.apply(Command::OpenFile(other));
    assert!(window.window().state.current_run().is_none(), "the design on the screen was another");
    assert_eq!(clicked(&mut window, five), (five, false));
    window.apply(Command::Run);
    assert!(window.window().state.current_run().is_some());
    assert_eq!(clicked(&mut window, five), (five, false));
    // A change of the open design is another design, until it is run again.
    window.apply(Command::OpenFile(own));
    window.apply(Command::Run);
    assert!(window.window().state.run_is_of_design());
    window.apply(Command::Change { setting: "fabric.tors", value: Some("14".into()) });
    assert!(!window.window().state.run_is_of_design());
    window.apply(Command::Run);
    let hosts = window.window().state.answers.checked.last().expect("it is read").network.hosts;
    assert_eq!(hosts, 14, "the run is of the text on the screen");
    assert_eq!(clicked(&mut window, five), (three, true));
    // A run of an electrical network does not age when the design changes.
    window.apply(Command::ScenarioFile(crate::drive::example("incast.toml")));
    window.apply(Command::Run);
    window.apply(Command::Change { setting: "fabric.tors", value: Some("12".into()) });
    assert!(window.window().state.current_run().is_some());
}

#[test]
fn the_selection_is_shared_with_runs_of_the_open_plan() {
    let place = tempfile::tempdir().expect("a folder");
    let design = write(place.path(), "own.toml", &kautz(2, 12, ""));
    let plan = place.path().join("plan");
    let mut window = Driven::new();
    window.apply(Command::OpenFile(design));
    window.apply(Command::ExportTo(Export::Plan, plan.clone()));
    window.apply(Command::OpenFile(plan));
    for file in ["plan", "plan/plan.json", "own.toml"] {
        let text = format!(
            "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"design\"\nfile = \"{file}\"\n\
             hosts_per_tor = 1\nspines = 1\nrate = \"100 Gb/s\"\nlength = \"3 m\"\n\
             [[flow]]\nfrom = 0\nto = 3\nsize = \"20 kB\"\n"
        );
        window.apply(Command::ScenarioFile(write(place.path(), "s.toml", &text)));
        window.apply(Command::Run);
        assert!(window.window().state.current_run().is_some(), "{file}");
        assert_eq!(window.window().state.run_is_of_design(), file != "own.toml", "{file}");
    }
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_refused() {
    let mut window = Driven::new();
    for path in ["/dev/zero", "/dev/null"] {
        window.apply(Command::OpenFile(path.into()));
        assert!(
            last_line(&mut window).contains("not a regular file"),
            "{}",
            last_line(&mut window)
        );
        window.apply(Command::Dismiss);
    }
}
