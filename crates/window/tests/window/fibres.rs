//! Single fibres, layers, groups and methods: what is shown equals the answers, and everything has a name.

use std::collections::BTreeSet;

use egui::Theme;
use egui_kittest::SnapshotResults;
use lightloom::failures::{self, FailureSet, Installed, Method, Objective};
use lightloom::light::{self, BudgetOptions, Case};
use lightloom::{Project, Request, TorId, Watch};
use lightloom_window::command::{Command, Export, HallColour, Selection};
use lightloom_window::layers::{Group, Layer, Shown};
use lightloom_window::panel::Panel;
use lightloom_window::state::unsaved::Unsaved;

use crate::drive::{Driven, example};

/// A fibre of the shown design: the first one of ToR 5.
fn fibre(window: &mut Driven) -> (TorId, TorId) {
    let project = window.window().state.project().expect("it is there").clone();
    let fabric = project.fabric();
    (TorId(5), fabric.receivers(fabric.transmits_into(TorId(5)))[0])
}

#[test]
fn a_click_on_a_text_of_a_table_selects_its_row() {
    let mut window = Driven::new();
    window.settle();
    let first =
        window.window().state.answers.light.last().expect("it is there").branches[0].clone();
    window.click_first(&format!("{:.2}", first.loss_db));
    let selected = Selection::Fibre(first.from_tor, first.to_tor);
    assert_eq!(window.window().state.selection, selected);
}

#[test]
fn the_light_and_route_of_a_fibre_are_those_of_the_answer() {
    let file = example("hall-1024.toml");
    let request = Request { design: Some(file.clone()), ..Request::default() };
    let project = lightloom::open(&request).expect("it is a design");
    let mut window = Driven::new();
    window.open(&file);
    let (from, to) = fibre(&mut window);
    window.apply(Command::Select(Selection::Fibre(from, to)));
    for case in [Case::Worst, Case::Typical] {
        window.apply(Command::LightCase(case));
        let options = BudgetOptions { case: Some(case), threads: None };
        let trace =
            light::trace(&project, &[(from, to)], &options, Watch::quiet()).expect("it is there");
        let traced = &trace.branches[0];
        let light = &traced.light;
        let margin = light.margin_db.expect("it is known");
        let title =
            format!("ToR {from} to ToR {to}: loss {:.2} dB, margin {margin:.2} dB", light.loss_db);
        for panel in [Panel::Light, Panel::Hall, Panel::Trace] {
            window.apply(Command::Only(Some(panel)));
            assert!(window.has(&title), "{}: {title}", panel.title());
            for element in &traced.elements {
                let loss = if case == Case::Typical { element.typical_db } else { element.most_db };
                assert!(window.has(&format!("{:+.2} dB", -loss)), "{}", panel.title());
            }
            if panel == Panel::Light {
                continue;
            }
            for part in [&traced.feed, &traced.branch] {
                assert!(window.has(&format!("fibre {}: {:.2} m", part.label, part.length_m)));
                assert!(window.has(&part.near_label) && window.has(&part.far_label));
            }
        }
        for row in light::trace_shown(&trace).rows() {
            for cell in row.iter().filter(|cell| !cell.is_empty()) {
                assert!(window.has(cell), "{cell}");
            }
        }
    }
}

#[test]
fn a_fibre_or_a_port_is_traced_by_its_name() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Trace)));
    assert!(window.has("Select a fibre or a port"));
    let (from, to) = fibre(&mut window);
    window.type_into("Fibre or port to trace", &format!("{from}->{to}"));
    assert_eq!(window.window().state.selection, Selection::Fibre(from, to));
    assert!(window.has("Write as CSV"));
    window.type_into("Fibre or port to trace", "port 5/0");
    assert_eq!(window.window().state.selection, Selection::Port(TorId(5), 0));
    assert!(window.has("Ports of ToR 5"));
    let trace = window.window().state.answers.trace.last().cloned().expect("it is there");
    assert!(!trace.branches.is_empty());
    // A name that is not there changes nothing, and is told.
    window.apply(Command::Find("5/77".into()));
    assert_eq!(window.window().state.selection, Selection::Port(TorId(5), 0));
    assert!(window.window().state.log.last().is_some_and(|line| line.contains("port 77")));
    // The list of commands finds it as well.
    window.harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::P);
    window.settle();
    window.type_into("Command", "F5");
    assert!(matches!(window.window().state.selection, Selection::Fibre(TorId(5), _)));
}

#[test]
fn a_trace_is_written_as_the_door_writes_it() {
    let mut window = Driven::new();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("trace.csv");
    window.apply(Command::ExportTo(Export::Trace, path.clone()));
    assert!(window.has("select a fibre or a port"));
    window.click("Understood");
    let (from, to) = fibre(&mut window);
    window.apply(Command::Only(Some(Panel::Trace)));
    window.apply(Command::Select(Selection::Fibre(from, to)));
    window.apply(Command::ExportTo(Export::Trace, path.clone()));
    let trace = window.window().state.answers.trace.last().cloned().expect("it is there");
    let written = std::fs::read(&path).expect("it is written");
    assert_eq!(written, light::trace_csv(&trace));
    window.click("Copy the trace");
}

#[test]
fn the_hall_has_a_legend_for_each_colour_with_the_values_of_the_answers() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Hall)));
    let project = window.window().state.project().expect("it is there").clone();
    let over =
        light::over_trays(&project, &BudgetOptions::default(), Watch::quiet()).expect("light");
    let longest = over.longest_m.iter().copied().fold(0.0, f64::max);
    let margins: Vec<f64> = over.least_margin_db.iter().flatten().copied().collect();
    let least = margins.iter().copied().fold(f64::INFINITY, f64::min);
    window.click("Length");
    assert!(window.has("longest fibre: 0 m") && window.has(&format!("{longest:.2} m")));
    window.click("Margin");
    assert!(window.has("least margin:") && window.has(&format!("{least:.4} dB")));
    window.click("Load");
    assert!(window.has("cables side by side: 0"));
    window.click("Fill");
    assert!(window.has("fill of trays: 0 %"));
}

/// What a source reaches while a repair by a method is in force.
fn missed(project: &Project, method: Method) -> Option<Vec<TorId>> {
    let failed = FailureSet::parse(project, "relay:8").expect("it is there");
    let repair = project.recover(&failed, method).ok()?;
    let installed = Installed { repair: &repair, phases: usize::MAX };
    let spread =
        failures::spread(project, TorId(8), &failed, Some(installed)).expect("it is small");
    Some(spread.missed)
}

#[test]
fn the_method_of_a_repair_is_chosen_shown_and_undone() {
    let mut window = Driven::new();
    window.apply(Command::Select(Selection::Tor(TorId(8))));
    window.apply(Command::Break("relay:8".into()));
    window.apply(Command::Recover);
    let project = window.window().state.project().expect("it is there").clone();
    let failed = FailureSet::parse(&project, "relay:8").expect("it is there");
    let mut methods: Vec<Method> = Objective::ALL.into_iter().map(Method::Replan).collect();
    methods.push(Method::Algorithm2);
    for method in methods {
        window.apply(Command::RecoverBy(method));
        let said = project.recover(&failed, method);
        match said {
            Ok(said) => {
                let figures = said.figures();
                let rules = format!(
                    "{} rules to add, {} to delete",
                    figures.rules_to_add, figures.rules_to_delete
                );
                assert!(window.has(&rules), "{method:?}: {rules}");
                assert_eq!(Some(window.missed()), missed(&project, method), "{method:?}");
                assert_eq!(window.phases(), said.phases.len());
            }
            // The tree is then that of the damage.
            Err(error) => {
                let told = lightloom_window::words::text_of(&error);
                assert!(window.has(&told), "{told}");
                assert_eq!(window.missed(), project.lost(&failed, TorId(8)).expect("it is small"));
            }
        }
    }
    assert_eq!(window.window().state.work.now().method, Method::Algorithm2);
    window.apply(Command::Undo);
    assert_ne!(window.window().state.work.now().method, Method::Algorithm2);
    window.click("algorithm2");
    assert_eq!(window.window().state.work.now().method, Method::Algorithm2);
    while window.window().state.work.can_undo() {
        window.apply(Command::Undo);
    }
    let first = Method::Replan(Objective::FewestChanges);
    assert_eq!(window.window().state.work.now().method, first);
}

#[test]
fn layers_are_hidden_dimmed_and_isolated_from_menus_and_by_name() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Fabric)));
    window.click("Layers");
    window.click("Hide names");
    assert_eq!(window.window().state.looks.layers.of(Layer::Names), Shown::Hidden);
    window.apply(Command::SetLayer(Layer::Tree, Shown::Dimmed));
    window.apply(Command::Isolate(Some(Layer::Tree)));
    let layers = &window.window().state.looks.layers;
    assert_eq!((layers.of(Layer::Tree), layers.of(Layer::Tors)), (Shown::Shown, Shown::Hidden));
    window.apply(Command::Isolate(None));
    let layers = &window.window().state.looks.layers;
    assert_eq!((layers.of(Layer::Tree), layers.of(Layer::Tors)), (Shown::Dimmed, Shown::Shown));
    assert!(!window.window().state.work.can_undo(), "looks are not undone");
}

/// A Shufflecast of 32 ToRs in 2 columns.
fn columns(window: &mut Driven) {
    for (setting, value) in
        [("fabric.tors", None), ("fabric.k", Some("2")), ("fabric.family", Some("shufflecast"))]
    {
        window.apply(Command::Change { setting, value: value.map(str::to_owned) });
    }
}

#[test]
fn columns_and_rows_collapse_to_marks_and_expand_again() {
    let mut window = Driven::new();
    columns(&mut window);
    window.apply(Command::Only(Some(Panel::Fabric)));
    window.apply(Command::Select(Selection::Tor(TorId(5))));
    window.click("Collapse");
    assert!(window.has("Collapse column 0") && window.has("Collapse row 5"));
    window.click("Collapse column 1");
    let places = window.window().state.answers.places.last().cloned().expect("they are there");
    let mark = &places.marks.all[0];
    let fabric = window.window().state.project().expect("it is there").clone();
    let all: usize = fabric.fabric().tors();
    assert!(!mark.tors.is_empty() && mark.tors.len() < all);
    assert!(mark.tors.iter().all(|tor| places.marks.has(*tor)));
    window.apply(Command::Collapse(Group::Row(5)));
    let places = window.window().state.answers.places.last().cloned().expect("they are there");
    assert_eq!(places.marks.all.len(), 2);
    let in_marks: usize = places.marks.all.iter().map(|mark| mark.tors.len()).sum();
    let hidden = (0..all).filter(|&tor| places.marks.has(TorId::at(tor))).count();
    assert_eq!(hidden, in_marks, "no ToR is in two marks");
    window.apply(Command::Expand(Group::Column(1)));
    window.apply(Command::ExpandAll);
    let places = window.window().state.answers.places.last().cloned().expect("they are there");
    assert!(places.marks.all.is_empty() && !(0..all).any(|tor| places.marks.has(TorId::at(tor))));
    // Rows of racks in the hall.
    window.apply(Command::Only(Some(Panel::Hall)));
    window.apply(Command::Collapse(Group::Racks(0)));
    window.click("Collapse");
    assert!(window.has("Expand racks of row"));
    // Another design has other groups.
    window.open(&example("hall-1024.toml"));
    window.apply(Command::Discard);
    assert!(window.window().state.looks.collapsed.is_empty());
}

#[test]
fn the_pointer_is_told_what_things_are() {
    let mut window = Driven::new();
    for (panel, words) in [
        (Panel::Fabric, &["hears ToRs", "fibre from ToR", "margin"][..]),
        (Panel::Hall, &["fabric ports", "cross-section", "longest fibre"][..]),
    ] {
        window.apply(Command::Only(Some(panel)));
        window.apply(Command::Select(Selection::Tor(TorId(5))));
        let mut told: BTreeSet<&str> = BTreeSet::new();
        for x in (80..1240).step_by(6) {
            for y in [300.0, 420.0, 433.0] {
                #[allow(clippy::cast_precision_loss, reason = "a place on the screen")]
                window.harness.hover_at(egui::pos2(x as f32, y));
                window.harness.run_ok();
                told.extend(words.iter().copied().filter(|word| window.has(word)));
            }
            if told.len() == words.len() {
                break;
            }
        }
        assert_eq!(told.len(), words.len(), "{}: {told:?}", panel.title());
    }
}

#[test]
fn pictures_of_fibres_layers_and_groups_in_light_and_dark() {
    let mut pictures = SnapshotResults::new();
    for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        let mut window = Driven::sized(Unsaved::default(), theme, [1000.0, 640.0]);
        window.apply(Command::Only(Some(Panel::Hall)));
        let (from, to) = fibre(&mut window);
        window.apply(Command::Select(Selection::Fibre(from, to)));
        window.apply(Command::ColourBy(HallColour::Margin));
        pictures.add(window.compared(&format!("hall_fibre_{name}")));
        window.apply(Command::ColourBy(HallColour::Length));
        window.apply(Command::Collapse(Group::Racks(1)));
        pictures.add(window.compared(&format!("hall_collapsed_{name}")));
        window.apply(Command::Only(Some(Panel::Trace)));
        pictures.add(window.compared(&format!("trace_fibre_{name}")));
        window.apply(Command::Only(Some(Panel::Light)));
        pictures.add(window.compared(&format!("light_fibre_{name}")));
        columns(&mut window);
        window.apply(Command::Only(Some(Panel::Fabric)));
        window.apply(Command::Select(Selection::Tor(from)));
        window.apply(Command::Break("relay:8".into()));
        window.apply(Command::Collapse(Group::Column(1)));
        window.apply(Command::Collapse(Group::Row(2)));
        pictures.add(window.compared(&format!("fabric_collapsed_{name}")));
        window.apply(Command::ExpandAll);
        window.apply(Command::SetLayer(Layer::Tree, Shown::Dimmed));
        window.apply(Command::SetLayer(Layer::Fibres, Shown::Hidden));
        pictures.add(window.compared(&format!("fabric_layers_{name}")));
    }
}
