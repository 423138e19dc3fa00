//! All that a run tells about its troubles and its groups is on the screen.

use std::fs;
use std::path::Path;

use egui::Theme;
use lightloom::designs;
use lightloom::failures::{FailureSet, Method, Objective};
use lightloom::plan::{OneTotal, PartGroup};
use lightloom::shown::amounts;
use lightloom::twin::{SimulateOptions, SimulateReport, Simulated};
use lightloom::{Request, Watch};
use lightloom_window::command::Command;
use lightloom_window::panel::Panel;
use lightloom_window::state::unsaved::Unsaved;

use crate::drive::{Driven, shown};

/// Runs a scenario in a window and without one.
fn ran(files: &[(&str, String)]) -> (String, SimulateReport) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("the test writes its input");
    }
    let scenario = folder.path().join("s.toml");
    let mut window = Driven::sized(Unsaved::default(), Theme::Light, [1600.0, 3000.0]);
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::ScenarioFile(scenario.clone()));
    window.apply(Command::Run);
    (shown(&window), report(&scenario))
}

fn report(scenario: &Path) -> SimulateReport {
    let answer = lightloom::twin::simulate(scenario, &SimulateOptions::default(), Watch::quiet());
    let Ok(Simulated::One(run)) = answer else { panic!("it is one run") };
    run.report.clone()
}

/// That the cells of each of these rows are on the screen, one after another.
fn rows(shown: &str, rows: &[Vec<String>]) {
    // A label is there twice: as a label, and as its text.
    let mut lines: Vec<&str> = shown.lines().collect();
    lines.dedup();
    for row in rows {
        let mut row = row.clone();
        row.dedup();
        assert!(
            lines.windows(row.len()).any(|lines| lines == row),
            "{row:?}\n{}",
            lines.join("\n")
        );
    }
}

#[test]
fn rings_of_ports_that_are_stopped_for_ever_are_listed() {
    let mut links = String::from("a,b,rate,delay\n");
    let mut flows = String::new();
    for i in 0..5 {
        for host in ["h", "g"] {
            let to = (i + 2) % 5;
            links += &format!("{host}{i},s{i},100 Gb/s,1 us\n");
            flows +=
                &format!("[[flow]]\nfrom = \"{host}{i}\"\nto = \"{host}{to}\"\nsize = \"4 MB\"\n");
        }
        links += &format!("s{i},s{},100 Gb/s,1 us\n", (i + 1) % 5);
    }
    let scenario = format!(
        "version = 1\nuntil = \"2 ms\"\n[network]\nkind = \"edge-list\"\nfile = \"links.csv\"\n\
         [parameters.switch]\nbuffer_per_port = \"20 kB\"\n[parameters.ecn]\nenabled = false\n\
         [parameters.dcqcn]\nenabled = false\n{flows}"
    );
    let (shown, report) = ran(&[("links.csv", links), ("s.toml", scenario)]);
    let [ring] = report.end.rings.as_slice() else { panic!("one ring: {:?}", report.end) };
    assert!(shown.contains("Ring 1: ports that are stopped for ever (5)"), "{shown}");
    let of = ring.ports.iter().map(|port| {
        vec![
            port.node.clone(),
            port.port.to_string(),
            port.stopped_by.clone(),
            port.bytes.to_string(),
        ]
    });
    rows(&shown, &of.collect::<Vec<_>>());
}

#[test]
fn overflows_of_headroom_are_listed_with_the_pause_that_was_lost() {
    let scenario = "version = 1\nuntil = \"50 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 1\nspines = 0\n\
                    hosts_per_leaf = 8\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n[parameters.switch]\n\
                    buffer_per_port = \"100 kB\"\n[parameters.ecn]\nenabled = false\n\
                    [parameters.dcqcn]\nenabled = false\n[[traffic]]\npattern = \"incast\"\nsenders = 7\n\
                    to = 0\nsize = \"1 MB\"\n[[loss]]\nlink = [\"leaf 0\", \"host 3\"]\none_way = true\n\
                    rate = 0.999999\n";
    let (shown, report) = ran(&[("s.toml", scenario.to_owned())]);
    let [overflow, ..] = report.overflows.as_slice() else { panic!("headroom overflows") };
    assert!(shown.contains(&format!("Overflows of headroom ({})", report.overflows.len())));
    rows(
        &shown,
        &[vec![
            overflow.packets.to_string(),
            overflow.headroom_bytes.to_string(),
            overflow.needed_bytes.to_string(),
        ]],
    );
    assert!(shown.contains("(link)\n"), "{shown}");
}

#[test]
fn hosts_that_are_cut_off_and_members_that_lack_a_part_are_named() {
    let scenario = "version = 1\nuntil = \"20 ms\"\npatience = \"5 ms\"\n[parameters.transport]\n\
                    timeout = \"200 us\"\n[network]\nkind = \"leaf-spine\"\nleaves = 4\nspines = 2\n\
                    hosts_per_leaf = 2\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n[recovery]\n\
                    detection = \"15 us\"\ncomputation = \"10 us\"\ninstallation = \"5 us\"\n\
                    [[group]]\nname = \"all\"\nmembers = \"all\"\ntransport = \"rc\"\n\
                    [[multicast]]\ngroup = \"all\"\nfrom = 3\nsize = \"2 MB\"\n\
                    [[failure]]\nnode = \"leaf 2\"\nat = \"60 us\"\n[probes]\ncopies = true\n";
    let (shown, report) = ran(&[("s.toml", scenario.to_owned())]);
    let group = &report.groups[0];
    let copies = report.multicasts[0].copies.expect("the scenario asks for them");
    let table = &report.group_tables[0];
    rows(
        &shown,
        &[
            vec!["host 4, host 5".to_owned()],
            vec!["all".to_owned(), "host 3".to_owned(), "host 4, host 5".to_owned()],
            vec![group.fell_back.to_string(), group.cut_off.to_string(), group.acks.to_string()],
            vec![
                copies.links.to_string(),
                copies.branches.to_string(),
                copies.unicasts.to_string(),
            ],
            vec![table.switch.clone(), table.bytes.to_string()],
        ],
    );
}

#[test]
fn admission_and_splitters_are_listed() {
    let group = |from: u32| {
        format!(
            "[[group]]\nname = \"of {from}\"\nmembers = [{from}, 8, 9, 10, 11]\ntransport = \"rc\"\n\
             [[multicast]]\ngroup = \"of {from}\"\nfrom = {from}\nsize = \"1 MB\"\n"
        )
    };
    let scenario = format!(
        "version = 1\nuntil = \"50 ms\"\n[network]\nkind = \"design\"\nfile = \"hall.toml\"\nhosts_per_tor = 2\n\
         spines = 2\nrate = \"100 Gb/s\"\nlength = \"3 m\"\nlight = \"off\"\n[admission]\npolicy = \"turns\"\n{}{}",
        group(0),
        group(2)
    );
    let design = "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n".to_owned();
    let (shown, report) = ran(&[("hall.toml", design), ("s.toml", scenario)]);
    let admission = report.admission.as_ref().expect("the scenario asks for it");
    let splitters = report.splitters.as_ref().expect("it has splitters");
    let busiest = splitters.busiest.as_ref().expect("one sends");
    let queued = amounts::bytes(busiest.most_queued_bytes.into());
    let busiest = format!("{}, {} packets", busiest.tor, busiest.sent);
    let admitted = format!("{} / {}", admission.asked, admission.granted);
    let tree = report.multicasts[0].tree.expect("it is planned");
    rows(
        &shown,
        &[
            vec!["policy".to_owned(), "turns".to_owned()],
            vec!["controller".to_owned(), admission.controller.clone()],
            vec!["messages asked for / admitted".to_owned(), admitted],
            vec!["light".to_owned(), splitters.light.to_string()],
            vec!["busiest".to_owned(), busiest],
            vec!["longest queue there".to_owned(), queued],
            vec![format!("{} links, {} branches", tree.links, tree.branches)],
        ],
    );
}

/// A plan around failures, opened from its folder: the facts of its rules stand beside those without failures.
#[test]
fn a_plan_around_failures_says_what_they_cut_off() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let file = place.path().join("design.toml");
    fs::write(&file, "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\ntors = 8\n")
        .expect("a file");
    let request = Request { design: Some(file), ..Request::default() };
    let sound = lightloom::open(&request).expect("it is a design");
    let failed = FailureSet::parse(&sound, "tor:1").expect("it has this ToR");
    let recovered = sound.recovered_by(failed, Method::Replan(Objective::FewestChanges));
    let folder = place.path().join("plan");
    lightloom::plan::plan(&recovered, &folder, Watch::quiet()).expect("it can be planned");
    let info = lightloom::open_design_or_plan(
        &Request { design: Some(folder.clone()), ..Request::default() },
        Watch::quiet(),
    );
    let info = info.expect("the plan opens").info(Watch::quiet()).expect("it has facts");
    let without = info.without_failures.as_ref().expect("the plan has failures");
    assert_ne!((info.fabric.max_hops, info.pairs_cut_off), (without.max_hops, Some(0)));

    let mut window = Driven::sized(Unsaved::default(), Theme::Light, [1600.0, 3000.0]);
    window.open(&folder);
    window.apply(Command::Only(Some(Panel::Design)));
    window.click("All facts, and the other family");
    let shown = shown(&window);
    assert!(shown.contains("The rules go around failures: tor:1. 14 pairs"), "{shown}");
    let hops = [&info.fabric, without].map(|of| format!("{} / {:.2}", of.max_hops, of.mean_hops));
    let [with, sound] = hops;
    rows(
        &shown,
        &[
            ["kautz, 1:2, with failures", "kautz, 1:2, without"].map(String::from).to_vec(),
            vec!["hops, most / mean".into(), with, sound],
        ],
    );
}

/// All totals of a plan stand beside each other, each with what is in it.
#[test]
fn all_totals_stand_beside_each_other() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let file = place.path().join("design.toml");
    fs::write(&file, "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\ntors = 8\n")
        .expect("a file");
    let request = Request { design: Some(file.clone()), ..Request::default() };
    let report = designs::compare(
        &lightloom::open(&request).expect("it is a design"),
        &designs::CompareOptions::default(),
    );
    let totals = report.expect("it has parts").totals;
    assert!(totals.len() >= 2, "{totals:?}");
    let mut window = Driven::sized(Unsaved::default(), Theme::Light, [1600.0, 3000.0]);
    window.open(&file);
    window.apply(Command::Only(Some(Panel::Money)));
    let shown = shown(&window);
    let row = |name: &str, of: &dyn Fn(&OneTotal) -> Option<String>| {
        let cells = totals.iter().map(|total| of(total).unwrap_or_else(|| "-".into()));
        std::iter::once(name.to_owned()).chain(cells).collect::<Vec<_>>()
    };
    let mut expected = vec![row("sum", &|total| Some(total.total.cost_text()))];
    for group in PartGroup::ALL {
        if totals.iter().any(|total| total.text(group).is_some()) {
            expected.push(row(group.name(), &|total| total.text(group)));
        }
    }
    assert!(expected.len() > 4);
    rows(&shown, &expected);
    for total in &totals {
        assert!(shown.contains(total.says.as_str()), "{shown}");
    }
}

#[test]
fn accelerators_stand_beside_what_is_compared() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let file = place.path().join("design.toml");
    let text = "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\ntors = 8\n[tor]\naccelerator = \"cepheus-board\"\n";
    fs::write(&file, text).expect("a file");
    let request = Request { design: Some(file.clone()), ..Request::default() };
    let project = lightloom::open(&request).expect("it is a design");
    let report = designs::compare(&project, &designs::CompareOptions::default());
    let accelerators = report.expect("it has parts").accelerators.expect("the design has them");
    let mut window = Driven::sized(Unsaved::default(), Theme::Light, [1600.0, 3000.0]);
    window.open(&file);
    window.apply(Command::Only(Some(Panel::Money)));
    let shown = shown(&window);
    assert!(shown.contains(&accelerators.line()), "{shown}");
}
