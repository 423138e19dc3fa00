//! Arrivals and captures of a run are written as the command writes them, and runs are made with its options.

use std::fs;
use std::path::{Path, PathBuf};

use lightloom::Watch;
use lightloom::twin::{Capture, SimulateOptions, Simulated};
use lightloom_window::command::{Command, Export, ExportOption};
use lightloom_window::panel::Panel;
use lightloom_window::twin::{Build, Twin};

use crate::drive::{Driven, example, shown, written};

const SMALL: &str = "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 1\n\
                     hosts_per_leaf = 2\nrate = \"100 Gb/s\"\nlength = \"20 m\"\n\
                     [[flow]]\nfrom = 0\nto = 3\nsize = \"64 kB\"\n";

/// What the command writes for this scenario.
fn of_command(scenario: &Path, link: &str, folder: &Path) -> [Vec<u8>; 2] {
    let (trace, file) = (folder.join("t.csv"), folder.join("c.pcapng"));
    let pcap = vec![Capture { file: file.clone(), link: link.to_owned() }];
    let options = SimulateOptions { trace: Some(trace.clone()), pcap, ..Default::default() };
    lightloom::twin::simulate(scenario, &options, Watch::quiet()).expect("it runs");
    [trace, file].map(|path| fs::read(path).expect("it was written"))
}

fn last_line(window: &mut Driven) -> String {
    window.window().state.log.last().map_or_else(String::new, |line| line.text.clone())
}

fn opened(scenario: PathBuf, link: &str) -> Driven {
    let mut window = Driven::new();
    window.apply(Command::ScenarioFile(scenario));
    window.apply(Command::ExportWith(ExportOption::Link(link.into())));
    window
}

#[test]
fn arrivals_and_captures_are_those_of_the_command() {
    let (folder, small) = written(SMALL);
    for (scenario, link) in [(small, "host 0<>leaf 0"), (example("incast.toml"), "leaf 0<>0")] {
        let [trace, capture] = of_command(&scenario, link, folder.path());
        let mut window = opened(scenario, link);
        let files = ["arrivals.csv", "link.pcapng"].map(|name| folder.path().join(name));
        window.apply(Command::ExportTo(Export::Arrivals, files[0].clone()));
        window.apply(Command::ExportTo(Export::Capture, files[1].clone()));
        assert!(trace.len() > 1_000 && capture.len() > 5_000, "{link}");
        assert!(fs::read(&files[0]).expect("it was written") == trace, "the arrivals differ");
        assert!(fs::read(&files[1]).expect("it was written") == capture, "the captures differ");
        files.iter().for_each(|file| fs::remove_file(file).expect("it is there"));
    }
}

#[test]
fn what_the_command_refuses_is_refused_with_its_words() {
    let (folder, small) = written(SMALL);
    let out = folder.path().join("a.pcapng");
    for link in ["0>leaf 1", "0>leaf 7", "leaf 0", "host 0 > leaf 0 > x"] {
        let pcap = vec![Capture { file: out.clone(), link: link.to_owned() }];
        let options = SimulateOptions { pcap, ..Default::default() };
        let told =
            lightloom::twin::simulate(&small, &options, Watch::quiet()).expect_err("no link");
        let mut window = opened(small.clone(), link);
        window.apply(Command::ExportTo(Export::Capture, out.clone()));
        // The panel has a field for what is a flag of the command.
        let told = lightloom_window::words::text_of(&told);
        assert_eq!(last_line(&mut window), format!("Export: {told}"));
        assert!(!told.contains("--"));
        assert!(!out.exists());
    }
    let mut window = opened(small.clone(), "0>leaf 0");
    window.apply(Command::ExportTo(Export::Capture, small.clone()));
    assert!(last_line(&mut window).contains("is a file that this run reads"));
    window.apply(Command::ExportWith(ExportOption::Link(String::new())));
    window.apply(Command::Dismiss);
    window.apply(Command::ExportTo(Export::Capture, out.clone()));
    assert!(last_line(&mut window).contains("name the link"));
    let mut window = Driven::new();
    window.apply(Command::ExportTo(Export::Arrivals, out.clone()));
    assert!(last_line(&mut window).contains("open or make a scenario"));
    assert_eq!(fs::read_to_string(small).expect("it is there"), SMALL);
    assert!(!out.exists());
}

#[test]
fn arrivals_are_of_the_text_on_the_screen_and_replace_nothing_unasked() {
    let (folder, small) = written(SMALL);
    let out = folder.path().join("arrivals.csv");
    let mut window = opened(small, "0>leaf 0");
    window.apply(Command::ExportTo(Export::Arrivals, out.clone()));
    let before = fs::read(&out).expect("it was written");
    let longer = SMALL.replace("64 kB", "96 kB");
    window.apply(Command::Twin(Twin::Build(Build::Write(longer.clone()))));
    window.apply(Command::ExportTo(Export::Arrivals, out.clone()));
    assert!(window.has("Something is there already"));
    assert_eq!(fs::read(&out).expect("it is there"), before);
    window.click("Replace it");
    let other = tempfile::tempdir().expect("a folder");
    let saved = other.path().join("longer.toml");
    fs::write(&saved, longer).expect("it can be written");
    let [trace, _] = of_command(&saved, "0>leaf 0", other.path());
    assert!(fs::read(&out).expect("it is there") == trace && trace != before);
}

#[test]
fn a_run_for_arrivals_is_stopped_and_then_writes_nothing() {
    let long = SMALL.replace("1 ms", "1 s").replace("64 kB", "4 GB");
    let (folder, long) = written(&long);
    let out = folder.path().join("a.pcapng");
    let mut window = opened(long, "leaf 1>host 2");
    window.apply_without_waiting(Command::ExportTo(Export::Capture, out.clone()));
    window.apply(Command::Stop(Panel::Exports));
    assert!(!out.exists() && window.window().state.exporting.how_far().is_none());
}

#[test]
fn several_runs_and_checked_runs_are_those_of_the_command() {
    let (_folder, scenario) = written(&format!(
        "{SMALL}[[group]]\nname = \"all\"\nmembers = \"all\"\ntransport = \"rc\"\n\
         [[multicast]]\ngroup = \"all\"\nfrom = 0\nsize = \"64 kB\"\n"
    ));
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::ScenarioFile(scenario.clone()));
    window.click("Check answers");
    window.apply(Command::Twin(Twin::Seeds(3)));
    window.click("Run");
    let options = SimulateOptions { check: true, seeds: Some(3), ..Default::default() };
    let expected = lightloom::twin::simulate(&scenario, &options, Watch::quiet()).expect("it runs");
    let run = window.window().state.current_run().cloned().expect("it is done");
    let (Simulated::Many(found), Simulated::Many(wanted)) = (&*run, &expected) else {
        panic!("three seeds are three runs")
    };
    assert_eq!(found.report, wanted.report);
    let text = shown(&window);
    for replica in &wanted.report.replicas {
        assert!(text.contains(&format!("{}\n{}\n", replica.seed, replica.end.how.name())));
    }
    let message = &wanted.report.multicasts[0];
    let last = message.last_ps.expect("it was completed").mean / 1e6;
    assert!(text.contains(&format!("{last:.3}")), "{text}");
    let place = tempfile::tempdir().expect("a folder");
    let results = place.path().join("results");
    window.apply(Command::ExportTo(Export::Results, results.clone()));
    let files = expected.files();
    assert!(!files.is_empty());
    for (name, bytes) in files {
        assert!(fs::read(results.join(name)).expect("it was written") == bytes, "{name}");
    }
    // One run again is recorded, and has its figures.
    window.apply(Command::Twin(Twin::Seeds(1)));
    window.click("Run");
    assert!(window.window().state.answers.recording().is_some());
}

#[test]
fn runs_of_two_scenarios_stand_side_by_side_under_their_names() {
    let (folder, small) = written(SMALL);
    let longer = folder.path().join("longer.toml");
    fs::write(&longer, SMALL.replace("64 kB", "96 kB")).expect("it can be written");
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::ScenarioFile(small));
    window.click("Run");
    window.click("Keep this run to compare");
    window.apply(Command::ScenarioFile(longer));
    assert!(window.has("kept: scenario.toml") && !window.has("last: "));
    assert!(window.has("64000 bytes"), "it is shown alone");
    window.click("Run");
    let text = shown(&window);
    for name in ["kept: scenario.toml", "last: longer.toml", "64000 bytes", "96000 bytes"] {
        assert!(text.contains(name), "{name}");
    }
    // It is of the run that was kept, whatever is opened, undone or kept later.
    window.apply(Command::Undo);
    assert!(window.has("kept: scenario.toml") && !window.has("last: longer.toml"));
    window.click("Forget the kept run");
    assert!(!window.has("kept: ") && !window.has("64000 bytes"));
}
