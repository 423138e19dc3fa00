//! Runs of the twin: what is recorded is played, stepped and followed, and a run that is at work waits.

use std::path::PathBuf;
use std::time::{Duration, Instant as Clock};

use egui::Theme;
use egui_kittest::SnapshotResults;
use egui_kittest::kittest::Queryable as _;
use lightloom::shown::amounts::time;
use lightloom::twin::{EventOf, RecordingReport, SimulateOptions, Simulated, Wait, Waits};
use lightloom::units::{Instant, Span};
use lightloom::{TorId, Watch};
use lightloom_window::command::{Command, Selection};
use lightloom_window::panel::Panel;
use lightloom_window::state::unsaved::Unsaved;
use lightloom_window::twin::{Step, Twin, TwinView};

use crate::drive::{Driven, example, written};

/// A window with the packets of a run of this scenario.
fn played(scenario: PathBuf, theme: Theme) -> Driven {
    let mut window = Driven::sized(Unsaved::default(), theme, [1100.0, 760.0]);
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::ScenarioFile(scenario));
    window.click("Run");
    window.click("Packets");
    window
}

fn recording(window: &mut Driven) -> &RecordingReport {
    window.window().state.answers.recording().expect("it is recorded")
}

fn at(window: &mut Driven) -> Instant {
    window.window().state.playback.at
}

const SMALL: &str = "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 1\n\
                     hosts_per_leaf = 2\nrate = \"100 Gb/s\"\nlength = \"20 m\"\n";

#[test]
fn packets_are_followed_until_a_drop_and_back() {
    let mut pictures = SnapshotResults::new();
    for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        let mut window = played(example("glass.toml"), theme);
        // The selection is shared with runs of the open design.
        window.open(&example("glass-64.toml"));
        window.click("Run");
        let flying = recording(&mut window).in_flight(0).count();
        assert!(window.has(&format!("{flying} packets under way")));
        window.click("Next event");
        let first = recording(&mut window).hops[0].at_ps;
        assert_eq!(at(&mut window).as_ps(), first);
        window.click("Next drop");
        let drop = recording(&mut window).drops[0];
        assert_eq!(at(&mut window).as_ps(), drop.at_ps);
        let flying = recording(&mut window).in_flight(drop.at_ps).count();
        assert!(flying > 0 && window.has(&format!("{flying} packets under way")));
        window.apply(Command::Twin(Twin::Packet(Some(drop.packet))));
        assert!(window.has("dropped (dead)"));
        window.apply(Command::Select(Selection::Tor(TorId(28))));
        pictures.add(window.compared(&format!("packets_{name}")));
        // A line of the history goes to its time.
        let label = {
            let event = window.window().state.playback.history[0];
            let time = Instant::from_ps(recording(&mut window).time_of(event));
            format!("{time} ")
        };
        let lines = window.harness.query_all_by_label_contains(&label);
        lines.into_iter().next().expect("the history has it").click();
        window.settle();
        assert!(label.starts_with(&at(&mut window).to_string()));
        window.click("Choose none");
        assert!(!window.has("dropped (dead)"));
    }
}

#[test]
fn packets_that_wait_are_drawn_listed_and_told() {
    let mut pictures = SnapshotResults::new();
    for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        let mut window = played(example("incast.toml"), theme);
        let at = Instant::from_ps(20_000_000);
        window.apply(Command::Twin(Twin::To(at)));
        let waits = Waits::of(recording(&mut window));
        let waiting: Vec<Wait> = waits.at(at.as_ps()).copied().collect();
        assert!(waiting.len() > 20);
        assert!(window.has(&format!(", {} wait", waiting.len())));
        let first = waiting[0];
        window.apply(Command::Twin(Twin::Packet(Some(first.packet))));
        let waited = Span::from_ps(first.until_ps - first.from_ps);
        assert!(window.has(&format!("after a wait of {waited}")));
        pictures.add(window.compared(&format!("waiting_{name}")));
    }
}

#[test]
fn time_goes_by_steps_and_events_on_and_back() {
    let mut window = played(example("incast.toml"), Theme::Light);
    let until = recording(&mut window).until_ps;
    window.apply(Command::Twin(Twin::StepLength(Span::from_us(10))));
    for _ in 0..3 {
        window.click("Step on");
    }
    window.click("Step back");
    assert_eq!(at(&mut window), Instant::from_ps(20_000_000));
    window.click("Event before");
    let recorded = recording(&mut window);
    let before = recorded.before(20_000_000, EventOf::All).map(|event| recorded.time_of(event));
    assert_eq!(before, Some(at(&mut window).as_ps()));
    window.apply(Command::Twin(Twin::To(Instant::ZERO)));
    window.click("Event before");
    assert_eq!(at(&mut window), Instant::ZERO, "nothing was before");
    window.type_into("Run until", "150 us");
    assert_eq!(at(&mut window), Instant::from_ps(150_000_000));
    window.apply(Command::Twin(Twin::Follow(EventOf::Message(3))));
    assert!(window.harness.query_by_label("Number of the flow").is_some());
    window.click("Next event");
    let now = at(&mut window).as_ps();
    let there = recording(&mut window).next(150_000_000, EventOf::Message(3)).expect("it sends");
    assert_eq!(now, recording(&mut window).time_of(there));
    // Beyond the end there is nothing.
    window.apply(Command::Twin(Twin::To(Instant::NEVER)));
    assert_eq!(at(&mut window).as_ps(), until);
    window.apply(Command::Twin(Twin::StepTime(Step::Onward)));
    window.click("Next event");
    assert_eq!(at(&mut window).as_ps(), until);
}

#[test]
fn a_recording_plays_to_its_end_and_then_asks_for_no_frames() {
    let (_folder, path) =
        written(&format!("{SMALL}[[flow]]\nfrom = 0\nto = 3\nsize = \"64 kB\"\n"));
    let mut window = played(path, Theme::Light);
    let until = recording(&mut window).until_ps;
    window.apply(Command::Twin(Twin::Speed(Span::from_ps(until / 4))));
    window.harness.step();
    window.harness.get_by_label("Play the recording").click();
    window.harness.step();
    assert!(window.window().state.playback.plays);
    window.harness.step();
    assert!(at(&mut window) > Instant::ZERO);
    window.settle();
    assert_eq!(at(&mut window).as_ps(), until);
    assert!(!window.window().state.playback.plays);
    let output = window.harness.output();
    let delays: Vec<_> = output.viewport_output.values().map(|v| v.repaint_delay).collect();
    assert!(delays.iter().all(|delay| *delay > Duration::from_secs(3600)), "{delays:?}");
}

#[test]
fn runs_with_nothing_to_show_are_shown() {
    // Nothing arrives before the end.
    let late = "[[flow]]\nfrom = 0\nto = 3\nsize = \"1 kB\"\nstart = \"999999 ns\"\n";
    let (_folder, path) = written(&format!("{SMALL}{late}"));
    let mut window = played(path, Theme::Light);
    assert!(window.has("0 packets under way"));
    for name in ["Play the recording", "Next event", "Event before", "Next drop", "Step on"] {
        window.click(name);
    }
    window.apply(Command::Twin(Twin::Packet(Some(7))));
    assert_eq!(window.window().state.playback.packet, None);
    // Without a recording the panel says how to get one.
    window.click("Record packets");
    window.click("Run");
    assert!(window.has("was not recorded"));
    window.apply(Command::Twin(Twin::Show(TwinView::Figures)));
    assert!(window.has("flows completed"));
}

/// Frames until something is so, and the frame after that. What that frame shows stands still while a run waits.
fn until(window: &mut Driven, what: &str, is_so: impl Fn(&mut Driven) -> bool) {
    let patience = Clock::now() + Duration::from_secs(60);
    while !is_so(window) {
        window.harness.step();
        std::thread::sleep(Duration::from_millis(5));
        assert!(Clock::now() < patience, "{what} does not come");
    }
    window.harness.step();
}

#[test]
fn a_run_waits_goes_on_and_gives_the_same() {
    let (_folder, path) = written(&format!(
        "{SMALL}[[traffic]]\npattern = \"incast\"\nsenders = 3\nto = 0\nsize = \"2 MB\"\n"
    ));
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::ScenarioFile(path.clone()));
    window.harness.step();
    window.window().state.apply(Command::Twin(Twin::RunTo(Instant::from_ps(100_000_000))));
    until(&mut window, "the wait", |window| window.has("The run waits at"));
    assert!(window.has("bytes delivered") && window.has("bytes wait in switches"));
    let sample = window.window().state.answers.live.samples().pop().expect("there is one");
    assert!(sample.at_ps >= 100_000_000 && sample.delivered_bytes > 0 && sample.queued_bytes > 0);
    // A run that waits asks for no frames.
    for _ in 0..4 {
        window.harness.run_ok();
    }
    let output = window.harness.output();
    assert!(output.viewport_output.values().all(|v| v.repaint_delay > Duration::from_secs(3600)));
    window.harness.get_by_label("Go on").click();
    window.settle();
    assert!(window.has("flows completed"));
    let expected = lightloom::twin::simulate(&path, &SimulateOptions::default(), Watch::quiet());
    let Ok(Simulated::One(expected)) = expected else { panic!("it is a scenario") };
    let last = window.window().state.answers.run.last().cloned().expect("it is done");
    let Simulated::One(run) = &*last else { panic!("one run") };
    assert_eq!(run.report, expected.report);
}

/// A bar appears over the panel after 0.3 s of work. It must not appear while a run waits, because it moves the
/// buttons, and a click between two frames then misses them.
#[test]
fn a_wait_is_no_work_while_it_lasts() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::ScenarioFile(example("incast.toml")));
    window.window().state.apply(Command::Twin(Twin::RunTo(Instant::ZERO)));
    until(&mut window, "the wait", |window| window.has("The run waits at"));
    let live = window.window().state.answers.live.clone();
    let (before, wait) = (live.waited(), Duration::from_millis(50));
    std::thread::sleep(wait);
    assert!(live.waited() >= before + wait);
    window.window().state.close();
}

#[test]
fn a_run_that_waits_is_stopped_and_replaced() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::ScenarioFile(example("incast.toml")));
    window.harness.step();
    window.window().state.apply(Command::Twin(Twin::RunTo(Instant::ZERO)));
    until(&mut window, "the wait", |window| window.has("The run waits at"));
    window.harness.get_by_label("Stop the run").click();
    window.settle();
    // What came of it until then is shown.
    assert!(window.has("flows completed") && window.has("stopped"));
    let last = window.window().state.answers.run.last().cloned().expect("it has results");
    let Simulated::One(run) = &*last else { panic!("one run") };
    assert!(!run.report.end.good() && run.report.flows.unfinished > 0);
    window.window().state.apply(Command::Twin(Twin::RunTo(Instant::ZERO)));
    window.apply_without_waiting(Command::ScenarioFile(example("glass.toml")));
    window.click("Run");
    assert!(window.has("messages to groups completed"));
    window.window().state.apply(Command::Twin(Twin::RunTo(Instant::ZERO)));
    window.window().state.close();
}

#[test]
fn figures_are_those_of_the_command() {
    let path = example("incast.toml");
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::ScenarioFile(path.clone()));
    window.click("Run");
    let answer = lightloom::twin::simulate(&path, &SimulateOptions::default(), Watch::quiet());
    let Ok(Simulated::One(run)) = answer else { panic!("it is a scenario") };
    let (flows, queues) = (&run.report.flows, &run.report.queues);
    let longest = queues.most_queued.as_ref().expect("queues grew");
    let dropped: u64 = run.report.drops.iter().map(|drop| drop.packets).sum();
    let times = flows.completion.as_ref().expect("flows completed");
    let goodput = run.report.goodput.flows.expect("payload arrived");
    for number in [
        format!("{0} of {0}", flows.completed),
        format!("{} bytes", flows.bytes),
        Span::from_ps(times.mean_ps).to_string(),
        format!("{:.3} Gb/s", goodput.goodput_bps / 1e9),
        format!("{} bytes ({}, port {})", longest.most_queued_bytes, longest.node, longest.port),
        queues.pauses.to_string(),
        dropped.to_string(),
    ] {
        assert!(window.harness.query_all_by_label(&number).next().is_some(), "{number}");
    }
}

#[test]
fn figures_of_groups_are_those_of_the_command() {
    let path = example("glass.toml");
    let mut window = Driven::sized(Unsaved::default(), Theme::Light, [1600.0, 1400.0]);
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::ScenarioFile(path.clone()));
    window.click("Run");
    let answer = lightloom::twin::simulate(&path, &SimulateOptions::default(), Watch::quiet());
    let Ok(Simulated::One(run)) = answer else { panic!("it is a scenario") };
    let report = &run.report;
    let [message] = report.multicasts.as_slice() else { panic!("one message") };
    let splitters = report.splitters.as_ref().expect("it has splitters");
    let recovery = report.recovery.as_ref().expect("a relay dies");
    assert!(message.completed < message.receivers && recovery.events.len() > 3);
    let first = time(message.first_ps.expect("somebody has all"));
    let mut numbers = vec![
        format!("{} of {}", message.completed, message.receivers),
        first,
        message.delivered.to_string(),
        message.dropped.to_string(),
        splitters.lost.to_string(),
        recovery.lost.to_string(),
        recovery.missing.to_string(),
        "Messages to groups (1)".to_owned(),
        format!("Branches that lost copies ({})", splitters.lossy.len()),
    ];
    numbers.extend(recovery.events.iter().map(|event| time(event.at_ps)));
    numbers.extend(recovery.events.iter().map(|event| event.what.to_string()));
    for number in numbers {
        assert!(window.harness.query_all_by_label(&number).next().is_some(), "{number}");
    }
    let mut pictures = SnapshotResults::new();
    pictures.add(window.compared("figures_of_groups"));
}

#[test]
fn files_that_are_no_scenarios_are_told() {
    let mut window = Driven::new();
    window.apply(Command::Only(Some(Panel::Twin)));
    for text in ["", "version = 1\n", "\u{0}\u{1}", "[network]\nkind = 3\n"] {
        let (_folder, path) = written(text);
        window.apply(Command::ScenarioFile(path));
        window.click("Run");
        assert!(window.has("✖"), "{text:?}");
    }
    window.apply(Command::ScenarioFile("nowhere.toml".into()));
    window.click("Run");
    assert!(window.has("✖"));
    // Nothing of an earlier run stays under another name.
    window.apply(Command::ScenarioFile(example("incast.toml")));
    window.click("Run");
    window.apply(Command::ScenarioFile(example("stride.toml")));
    assert!(!window.has("flows completed"));
}

#[test]
fn the_list_of_commands_plays_and_holds() {
    let mut window = played(example("incast.toml"), Theme::Light);
    let palette = |window: &mut Driven, typed: &str| {
        window.harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::P);
        window.settle();
        window.type_into("Command", typed);
    };
    palette(&mut window, "until 150 us");
    assert_eq!(at(&mut window), Instant::from_ps(150_000_000));
    palette(&mut window, "step 2 us");
    palette(&mut window, "twin: step on");
    assert_eq!(at(&mut window), Instant::from_ps(152_000_000));
    palette(&mut window, "flow 2");
    assert_eq!(window.window().state.playback.follow, EventOf::Message(2));
    palette(&mut window, "twin: choose data");
    assert!(window.window().state.playback.packet.is_some());
    palette(&mut window, "twin: figures");
    assert!(window.has("flows completed"));
}
