//! Laws of recordings: what they have is what the trace file has, cut or whole, and what is found in them by time is
//! what a search of everything finds.

use std::fs;
use std::path::Path;

use lightloom::Watch;
use lightloom::twin::{
    DropPlace, Event, EventOf, RecordingReport, Run, SimulateOptions, Simulated, simulate,
};
use proptest::prelude::*;

const NETWORKS: [&str; 2] = [
    "kind = \"leaf-spine\"\nleaves = 2\nspines = 2\nhosts_per_leaf = 4\nrate = \"100 Gb/s\"\nlength = \"20 m\"\n",
    "kind = \"fat-tree\"\nports = 4\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n",
];

/// An incast over a network that loses packets, with drops in queues if flows are lossy.
fn scenario(network: usize, senders: usize, loss: &str, seed: u64) -> String {
    format!(
        "version = 1\nuntil = \"400 us\"\nseed = {seed}\n[network]\n{}[[traffic]]\npattern = \"incast\"\n\
         senders = {senders}\nto = 2\nsize = \"40 kB\"\n{loss}",
        NETWORKS[network]
    )
}

fn ran(path: &Path, options: &SimulateOptions) -> Run {
    match simulate(path, options, Watch::quiet()).expect("it is a scenario") {
        Simulated::One(run) => *run,
        Simulated::Many(_) => panic!("one seed is one run"),
    }
}

/// Arrivals as the trace file writes them, with their times.
fn arrivals(recording: &RecordingReport) -> Vec<(u64, String)> {
    let line = |hop: &lightloom::twin::RecordedHop| {
        let way = &recording.network.ways[hop.way as usize];
        let packet = &recording.packets[hop.packet as usize];
        let flow = packet.flow.map_or_else(String::new, |flow| flow.to_string());
        let (kind, ecn) = (packet.kind.name(), hop.ecn.name());
        let (at, psn) = (hop.at_ps, packet.psn);
        let fate = match (hop.lost, hop.corrupt) {
            (true, _) => "dead",
            (false, true) => "corrupt",
            (false, false) => "",
        };
        let (to, port, bytes) = (way.to, way.to_port, hop.bytes);
        let text = format!("{at},{to},{port},{kind},{flow},{psn},{bytes},{ecn},{fate}");
        (at, text)
    };
    recording.hops.iter().map(line).collect()
}

/// Whether what is found by time is what a search of everything finds.
fn check_search(recording: &RecordingReport, at: u64) {
    let flying: Vec<_> = recording.in_flight(at).collect();
    let all = recording.hops.iter().filter(|hop| hop.left_ps <= at && at < hop.at_ps);
    assert!(flying.iter().copied().eq(all), "in flight at {at}");
    let hops = (0..recording.hops.len()).map(Event::Hop);
    let mut events: Vec<Event> = hops.chain((0..recording.drops.len()).map(Event::Drop)).collect();
    events.sort_by_key(|&event| recording.time_of(event));
    for of in [EventOf::All, EventOf::Drops, EventOf::Message(1)] {
        let is_of = |event: &&Event| match of {
            EventOf::Drops => matches!(event, Event::Drop(_)),
            EventOf::Message(number) => {
                let packet = recording.packet_of(**event).expect("it has one");
                recording.packets[packet as usize].flow == Some(number)
            }
            _ => true,
        };
        let times = || events.iter().filter(is_of).map(|&event| recording.time_of(event));
        let next = recording.next(at, of).map(|event| recording.time_of(event));
        assert_eq!(next, times().find(|&time| time > at), "{of:?} after {at}");
        let before = recording.before(at, of).map(|event| recording.time_of(event));
        assert_eq!(before, times().rfind(|&time| time < at), "{of:?} before {at}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// The recording has what the trace file has, event by event; a smaller one has its first part, on any number of
    /// threads; its drops are those of the report; and it changes no result.
    #[test]
    fn a_recording_is_the_trace_file(
        network in 0..2_usize,
        senders in 1..7_usize,
        lost in prop::sample::select(vec!["", "[[loss]]\nlink = [0, 1]\nrate = 0.01\n"]),
        seed in 1..1000_u64,
        most in prop::sample::select(vec![0_usize, 1, 7, 200, 1_000, 100_000]),
        threads in 1..4_usize,
        at in 0..400_000_000_u64,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (path, trace) = (folder.path().join("s.toml"), folder.path().join("trace.csv"));
        let link = if network == 0 { "[\"host 0\", \"leaf 0\"]" } else { "[\"host 0\", \"edge 0.0\"]" };
        let lost = lost.replace("[0, 1]", link);
        fs::write(&path, scenario(network, senders, &lost, seed)).unwrap();
        let whole = SimulateOptions { trace: Some(trace.clone()), ..SimulateOptions::default() };
        let whole = SimulateOptions { record: Some(0), ..whole };
        let traced = ran(&path, &whole);
        let text = fs::read_to_string(&trace).unwrap();
        let recording = traced.recording.expect("it was asked for");
        prop_assert_eq!(recording.cut, None);
        let lines: Vec<&str> = text.lines().skip(1).collect();
        let recorded = arrivals(&recording);
        prop_assert!(recorded.iter().map(|(_, line)| line.as_str()).eq(lines.iter().copied()));

        let options = SimulateOptions { record: Some(most), threads: Some(threads), ..SimulateOptions::default() };
        let bounded = ran(&path, &options);
        prop_assert_eq!(&bounded.report, &traced.report);
        let plain = ran(&path, &SimulateOptions::default());
        prop_assert_eq!(&plain.report, &traced.report);
        let part = bounded.recording.expect("it was asked for");
        let until = part.until_ps;
        let expected = recorded.iter().filter(|(at, _)| part.cut.is_none() || *at < until);
        prop_assert!(arrivals(&part).iter().eq(expected));
        prop_assert!(part.hops.len() <= most.max(1) && part.drops.len() <= most.max(1));
        let left_out = part.cut.map_or((0, 0), |cut| (cut.hops, cut.drops));
        prop_assert_eq!(part.hops.len() as u64 + left_out.0, recording.hops.len() as u64);
        prop_assert_eq!(part.drops.len() as u64 + left_out.1, recording.drops.len() as u64);

        let dropped: u64 = traced.report.drops.iter().map(|drops| drops.packets).sum();
        prop_assert_eq!(recording.drops.len() as u64, dropped);
        for drop in &recording.drops {
            let node = &recording.network.nodes[drop.node as usize].name;
            let is_it = |counted: &&lightloom::twin::DropReport| {
                &counted.node == node && counted.port == drop.port && counted.reason == drop.reason
            };
            prop_assert!(traced.report.drops.iter().any(|counted| is_it(&counted)));
            if drop.place == DropPlace::Way {
                let way = drop.way.expect("a way");
                prop_assert_eq!(recording.network.ways[way as usize].from, drop.node);
            }
        }
        for hop in &recording.hops {
            prop_assert!(hop.left_ps < hop.at_ps && hop.at_ps - hop.left_ps <= recording.longest_ps);
        }
        check_search(&recording, at);
        check_search(&part, at);
    }
}

/// A packet leaves a node only after it came in there, and its history is all of it.
#[test]
fn a_copy_goes_on_where_it_came_in() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/glass.toml");
    let options = SimulateOptions { record: Some(1_000_000), ..SimulateOptions::default() };
    let run = ran(&path, &options);
    let recording = run.recording.expect("it was asked for");
    assert_eq!(recording.cut, None);
    let network = &recording.network;
    let tors = network.nodes.iter().filter(|node| node.tor.is_some()).count();
    assert_eq!(tors, 64);
    assert!(network.ways.iter().any(|way| way.splitter.is_some()));
    let dropped: u64 = run.report.drops.iter().map(|drops| drops.packets).sum();
    assert!(dropped > 0 && recording.drops.len() as u64 == dropped);
    let mut had = 0;
    for packet in (0..recording.packets.len()).step_by(97) {
        let packet = u32::try_from(packet).unwrap();
        let history = recording.history(packet);
        let mut came = vec![u64::MAX; network.nodes.len()];
        came[recording.messages[0].from as usize] = 0;
        for event in history {
            let Event::Hop(hop) = event else { continue };
            let hop = recording.hops[hop];
            assert_eq!(hop.packet, packet);
            let way = network.ways[hop.way as usize];
            assert!(came[way.from as usize] <= hop.left_ps, "{way:?}");
            came[way.to as usize] = came[way.to as usize].min(hop.at_ps);
            had += 1;
        }
    }
    assert!(had > 0);
}

/// Nothing arrives before the end: the recording is empty, and whatever is looked for is not there.
#[test]
fn a_run_without_packets_has_an_empty_recording() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.toml");
    let late = "[[flow]]\nfrom = 0\nto = 1\nsize = \"1 kB\"\nstart = \"999 ns\"\n";
    let text = format!("version = 1\nuntil = \"1 us\"\n[network]\n{}{late}", NETWORKS[0]);
    fs::write(&path, text).unwrap();
    let options = SimulateOptions { record: Some(10), ..SimulateOptions::default() };
    let recording = ran(&path, &options).recording.expect("it was asked for");
    assert!(recording.hops.is_empty() && recording.packets.is_empty() && recording.cut.is_none());
    assert_eq!(recording.next(0, EventOf::All), None);
    assert_eq!(recording.before(u64::MAX, EventOf::All), None);
    assert_eq!(recording.in_flight(0).count(), 0);
    assert!(recording.history(0).is_empty() && recording.drops_within(5, 1).is_empty());
}
