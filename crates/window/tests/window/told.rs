//! What the door tells, the window tells: what is not restored, why a plan is refused, how an inventory was read.

use std::fs;
use std::path::{Path, PathBuf};

use egui_kittest::kittest::Queryable as _;
use lightloom::configs::ConfigsOptions;
use lightloom::failures::{FailureSet, Method, Objective};
use lightloom::plan::Optical;
use lightloom::{Project, Request, TorId, Watch};
use lightloom_window::command::{Command, Selection};
use lightloom_window::panel::Panel;

use crate::drive::{Driven, example, last_line, shown};

fn project(file: &Path) -> Project {
    let request = Request { design: Some(file.to_path_buf()), ..Request::default() };
    lightloom::open(&request).expect("it is a design")
}

/// A design file in a folder of its own.
fn design(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("design.toml");
    fs::write(&path, format!("version = 1\n{text}")).expect("the test writes its input");
    (folder, path)
}

/// A window that shows one panel of a design.
fn showing(file: &Path, panel: Panel) -> Driven {
    let mut window = Driven::new();
    window.open(file);
    window.apply(Command::Only(Some(panel)));
    window
}

fn failed(project: &Project, parts: &str) -> FailureSet {
    FailureSet::parse(project, parts).expect("the parts are there")
}

fn all_told(window: &Driven, texts: &[String]) {
    let shown = shown(window);
    for text in texts {
        assert!(shown.contains(text), "{text}\n{shown}");
    }
}

#[test]
fn a_source_that_is_given_up_is_told() {
    let (_folder, file) = design("[fabric]\nfamily = \"shufflecast\"\np = 4\nk = 2\n");
    let project = project(&file);
    let repair = project.recover(&failed(&project, "relay:8"), Method::Algorithm2);
    let repair = repair.expect("it is one relay");
    assert_eq!(repair.not_counted, [TorId(8)]);
    let mut window = showing(&file, Panel::Failures);
    window.apply(Command::Break("relay:8".into()));
    window.apply(Command::RecoverBy(Method::Algorithm2));
    window.apply(Command::Recover);
    assert!(repair.outcome().starts_with("every other source"));
    all_told(
        &window,
        &["Every other source reaches everyone.".into(), "Given up as sources: 8.".into()],
    );
    assert!(!window.has("Every source"));
}

#[test]
fn a_repair_that_restores_not_all_is_told() {
    let (_folder, file) = design("[fabric]\nfamily = \"shufflecast\"\np = 4\nk = 2\n");
    let project = project(&file);
    let triples =
        (1..31).flat_map(|a| (a + 1..32).map(move |b| format!("relay:0,relay:{a},relay:{b}")));
    let not_all =
        triples.map(|parts| (failed(&project, &parts), parts)).find_map(|(set, parts)| {
            let repair = project.recover(&set, Method::Algorithm2).ok()?;
            (!repair.restored).then_some((parts, repair))
        });
    let (parts, repair) = not_all.expect("Algorithm 2 promises nothing for three relays");
    let mut window = showing(&file, Panel::Failures);
    window.apply(Command::Break(parts));
    window.apply(Command::RecoverBy(Method::Algorithm2));
    window.apply(Command::Recover);
    let (source, tors) = repair.unreachable.iter().next().expect("somebody lacks copies");
    let not_reached = format!("Source {source} cannot reach {}", tors[0]);
    all_told(&window, &["Not all is restored.".into(), not_reached]);
}

#[test]
fn silenced_tors_and_sources_that_are_not_restored_are_named() {
    let text =
        "[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n[tor]\nfault_signalling = \"on\"\n";
    let (_folder, file) = design(text);
    let project = project(&file);
    let impact = project.impact(&failed(&project, "relay:1")).expect("it is small");
    let cascade = impact.fault_signalling.expect("it is on");
    assert!(cascade.silenced.len() > 1);
    let mut window = showing(&file, Panel::Failures);
    window.apply(Command::Break("relay:1".into()));
    let mut texts: Vec<String> = cascade
        .by_cause()
        .iter()
        .map(|(why, tors)| {
            let tors: Vec<_> = tors.iter().map(ToString::to_string).collect();
            format!("{why}: {}", tors.join(", "))
        })
        .collect();
    texts.push(format!(
        "With link fault signalling off: {} failed sources in place of {}",
        cascade.without.failed_sources.len(),
        impact.failed_sources.len()
    ));
    all_told(&window, &texts);

    window.apply(Command::Recover);
    let method = Method::Replan(Objective::FewestChanges);
    let repair = project.recover(&failed(&project, "relay:1"), method).expect("it is one relay");
    let (_, off) = repair.fault_signalling.as_ref().expect("it is on").without.rows()[3];
    assert!(window.harness.query_all_by_label(&off.to_string()).next().is_some());
    let via =
        repair.via.iter().map(|(source, via)| format!("Source {source} unicasts to ToR {via},"));
    all_told(&window, &via.collect::<Vec<_>>());

    // A ToR without power is reached by nobody.
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Failures)));
    window.apply(Command::Break("tor:9,cassette:3".into()));
    window.apply(Command::Recover);
    let project = window.window().state.project().expect("the example").clone();
    let repair = project.recover(&failed(&project, "tor:9,cassette:3"), method);
    let repair = repair.expect("it is recovered as far as it goes");
    let (source, tors) = repair.unreachable.iter().next().expect("ToR 9 has no power");
    let first = tors[0];
    all_told(
        &window,
        &[
            format!("{} sources do not reach all ToRs", repair.unreachable.len()),
            format!("Source {source} cannot reach {first}"),
        ],
    );
}

#[test]
fn problems_are_all_that_a_plan_warns_of_or_is_refused_for() {
    let fabric = |p: u32| format!("[fabric]\nfamily = \"kautz\"\np = {p}\ntors = 64\n");
    // The light does not arrive.
    let (_folder, file) =
        design(&format!("{}[optics]\ntransceiver = \"100gbase-dr\"\n", fabric(8)));
    let made = lightloom::plan::plan_files(&project(&file), Watch::quiet()).expect("it is a plan");
    let light = made.report.light.expect("it has optics");
    assert!(matches!(made.report.optical, Optical::Assessed(verdict) if !verdict.closes()));
    let mut texts: Vec<_> =
        light.hazards.iter().map(|hazard| format!("Hazard: {hazard}")).collect();
    texts.push(light.warning().expect("it does not arrive"));
    let window = showing(&file, Panel::Problems);
    all_told(&window, &texts);
    assert!(window.has("1 error, ") && window.has("about the plan"));

    // Trays are crowded.
    let trays = "[hall]\ntray_width = \"0.02 m\"\ntray_depth = \"0.02 m\"\n";
    let (_folder, file) =
        design(&format!("{}{trays}[tor]\nfault_signalling = \"on\"\n", fabric(4)));
    let made = lightloom::plan::plan_files(&project(&file), Watch::quiet()).expect("it is a plan");
    let texts: Vec<_> = made.report.warnings.iter().map(|one| one.message.clone()).collect();
    assert!(texts.len() > 2, "trays and link fault signalling");
    let window = showing(&file, Panel::Problems);
    all_told(&window, &texts);
    assert!(window.has(&format!("0 errors, {} warnings about the plan", texts.len())));

    // The fibres do not fit.
    let trays = "[hall]\ntray_width = \"0.01 m\"\ntray_depth = \"0.01 m\"\n";
    let (_folder, file) = design(&format!("{}{trays}", fabric(4)));
    let refused =
        lightloom::plan::plan_files(&project(&file), Watch::quiet()).expect_err("too narrow");
    let mut window = showing(&file, Panel::Problems);
    let text = lightloom_window::words::text_of(&refused);
    assert!(text.contains("the fibres do not fit"), "{text}");
    let cut = text.find("the fibres").expect("it is there");
    all_told(&window, &["The plan is refused".into(), text[cut..].to_owned()]);
    assert!(window.has("assumed: "));
    // They are wide enough: nothing is left of the refusal.
    window.apply(Command::Change { setting: "hall.tray_width", value: Some("0.5 m".into()) });
    assert!(!window.has("refused"));
}

#[test]
fn notes_about_the_inventory_are_told() {
    let file = example("netbox-24.toml");
    let info = project(&file).info(Watch::quiet()).expect("it is small");
    let notes: Vec<_> = info.inventory.as_ref().expect("it has one").lines().collect();
    assert!(notes.len() > 5);
    let mut window = showing(&file, Panel::Design);
    all_told(&window, &notes);
    window.click("All facts, and the other family");
    let mut texts = vec![info.parallel_line()];
    texts.extend(info.doubled.as_ref().map(lightloom::plan::DoubledReport::line));
    texts.extend(info.other_family.map(|other| other.fibres.to_string()));
    all_told(&window, &texts);
    window.apply(Command::Only(Some(Panel::Problems)));
    all_told(&window, &notes);
}

#[test]
fn rules_are_those_after_the_repair_when_it_is_rolled_out() {
    let (_folder, file) = design("[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 3\n");
    let project = project(&file);
    let method = Method::Replan(Objective::FewestChanges);
    let set = failed(&project, "relay:3");
    let repair = project.recover(&set, method).expect("it is one relay");
    let tor = *repair.changes.keys().next().expect("rules move");
    let text = |project: &Project| {
        let options = ConfigsOptions::default();
        let (_, files) = lightloom::configs::config_files(project, &options).expect("it is small");
        let name = format!("tor-{:02}.", tor.0);
        let file = files.iter().find(|(file, _)| file.starts_with(&name)).expect("its file");
        String::from_utf8_lossy(&file.1).trim().to_owned()
    };
    let (before, after) = (text(&project), text(&project.clone().recovered_by(set, method)));
    assert_ne!(before, after);

    let mut window = showing(&file, Panel::Rules);
    window.apply(Command::Select(Selection::Tor(tor)));
    all_told(&window, std::slice::from_ref(&before));
    window.apply(Command::Break("relay:3".into()));
    window.apply(Command::Recover);
    all_told(&window, &["These are the rules after the repair of relay:3".into(), after]);
    window.apply(Command::Show(Panel::Failures));
    window.apply(Command::Phases(1));
    window.apply(Command::Show(Panel::Rules));
    all_told(&window, &["These are the rules before the repair.".into(), before]);
}

#[test]
fn a_time_that_cannot_be_read_is_told() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::ScenarioFile(example("incast.toml")));
    window.click("Run");
    window.click("Packets");
    for name in ["Run until", "Length of a step"] {
        window.type_into(name, "5 bananas");
        all_told(&window, &["found \"5 bananas\"; expected a time such as".into()]);
        window.click(&format!("Understood: {name}"));
        assert!(!window.has("bananas"));
        window.type_into(name, "bananas");
        window.type_into(name, "5 us");
        assert!(!window.has("bananas"), "a time that can be read is taken");
    }
}

#[test]
fn a_large_fabric_has_trees_and_says_why_failures_are_not_computed() {
    let text =
        "[fabric]\nfamily = \"kautz\"\np = 4\ntors = 5000\n[splitters]\nhousing = \"receiver\"\n";
    let (_folder, file) = design(text);
    let project = project(&file);
    let tree = project.tree(TorId(5)).expect("a tree needs no tables");
    let mut window = showing(&file, Panel::Fabric);
    window.apply(Command::Select(Selection::Tor(TorId(5))));
    all_told(&window, &[format!("source 5: {} ToRs reached", tree.paths.len())]);
    window.apply(Command::Break("tor:9".into()));
    all_told(&window, &["failures are computed up to 4096 ToRs".into()]);
}

#[test]
fn an_opened_plan_has_its_light_and_its_bill() {
    for settings in ["", "[optics]\ntransceiver = \"4wdm-40\"\n"] {
        let text = format!("[fabric]\nfamily = \"kautz\"\np = 4\ntors = 64\n{settings}");
        let (folder, file) = design(&text);
        let out = folder.path().join("plan");
        lightloom::plan::plan(&project(&file), &out, Watch::quiet()).expect("it is a plan");
        for (panel, known) in [
            (Panel::Light, "4wdm-40 with plc-1x4"),
            (Panel::Money, "The plan, with routed lengths:"),
        ] {
            let window = showing(&out, panel);
            let wanted = match settings {
                "" => "the plan names no optics, so its light and its cost are not known",
                _ => known,
            };
            all_told(&window, &[wanted.to_owned()]);
            assert!(!window.has("--rate"));
        }
    }
}

/// A part that goes back into service under the rules of its repair brings second copies. The command says so, and so
/// does the window: at the repair, and where the part is mended.
#[test]
fn a_part_that_is_put_back_under_the_rules_of_its_repair_has_its_warning() {
    let warning = "Before a failed part goes back into service, put the old rules back";
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Failures)));
    window.apply(Command::Break("relay:8".into()));
    assert!(!window.has(warning));
    window.apply(Command::MendAll);
    assert!(!window.has(warning), "no rule was changed");
    window.apply(Command::Break("relay:8".into()));
    window.apply(Command::Recover);
    assert!(window.has(warning), "{}", shown(&window));
    window.click("Mend relay:8");
    // The line of state shows the last line of the log.
    let mended = "relay:8: mended under the rules of the repair";
    assert!(window.has("Nothing is broken") && window.has(mended), "{}", shown(&window));
    assert!(last_line(&mut window).contains(warning));
    // Nothing is rolled out yet.
    window.apply(Command::Undo);
    window.apply(Command::Phases(0));
    window.apply(Command::MendAll);
    assert!(!window.has(mended));
    // What is broken next has a repair of its own.
    window.apply(Command::Undo);
    window.apply(Command::Phases(1));
    window.apply(Command::Mend("relay:8".into()));
    assert!(window.has(mended));
    window.apply(Command::Break("relay:9".into()));
    assert!(!window.has(mended));
}
