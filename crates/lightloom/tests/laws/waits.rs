//! Laws of the packets that wait in switches: what is found in a recording is what the run itself has counted.

use std::fs;
use std::path::Path;

use lightloom::Watch;
use lightloom::twin::{Run, SimulateOptions, Simulated, Waits, simulate};
use proptest::prelude::*;

fn recorded(path: &Path) -> Run {
    let options = SimulateOptions { record: Some(2_000_000), ..SimulateOptions::default() };
    match simulate(path, &options, Watch::quiet()).expect("it is a scenario") {
        Simulated::One(run) => *run,
        Simulated::Many(_) => panic!("one seed is one run"),
    }
}

/// Holds the waits against the queues that the run has counted. Returns at how many times there were any. `held`:
/// switches also hold packets of reliable groups in memory, which are not in queues.
fn check(run: &Run, held: bool) -> usize {
    let recording = run.recording.as_ref().expect("it was recorded");
    assert_eq!(recording.cut, None, "the law needs all of it");
    let waits = Waits::of(recording);
    // What waits when time is up is not found. All queues here empty within 200 us.
    let is_up = run.report.flows.unfinished > 0;
    let until = run.report.end.reached_ps - if is_up { 200_000_000 } else { 0 };
    let mut times = 0;
    for sample in run.so_far.iter().filter(|sample| sample.at_ps <= until) {
        // A sample has all that happened before its time.
        let before = sample.at_ps.saturating_sub(1);
        let waiting: u64 = waits.at(before).map(|wait| u64::from(wait.bytes)).sum();
        let queued = sample.queued_bytes;
        let agrees = if held { waiting >= queued } else { waiting == queued };
        assert!(agrees, "at {} ps: {waiting} bytes wait, and {queued} in queues", sample.at_ps);
        times += usize::from(waiting > 0);
    }
    for hop in &recording.hops {
        let way = &recording.network.ways[hop.way as usize];
        if let Some(wait) = waits.before(hop, way) {
            assert!(wait.packet == hop.packet && wait.until_ps == hop.left_ps);
            assert!(waits.at(wait.from_ps).any(|other| other == wait));
        }
    }
    times
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// With losses on links and drops in queues, and with many senders to one receiver.
    #[test]
    fn waits_are_the_queues_of_the_run(
        leaves in 1..4_usize,
        senders in 1..8_usize,
        kilobytes in 100..400_u64,
        loss in prop::sample::select(vec!["", "[[loss]]\nlink = [\"host 2\", \"leaf 0\"]\nrate = 1e-2\n"]),
        class in prop::sample::select(vec!["lossy", "lossless"]),
        seed in 0..1000_u64,
    ) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("s.toml");
        let text = format!(
            "version = 1\nuntil = \"4 ms\"\nseed = {seed}\n[network]\nkind = \"leaf-spine\"\nleaves = {leaves}\n\
             spines = 2\nhosts_per_leaf = 8\nrate = \"100 Gb/s\"\nlength = \"20 m\"\n\
             [[traffic]]\npattern = \"incast\"\nsenders = {senders}\nto = 2\nsize = \"{kilobytes} kB\"\n\
             class = \"{class}\"\n[[traffic]]\npattern = \"permutation\"\nsize = \"20 kB\"\n{loss}"
        );
        fs::write(&path, text).expect("the test writes its input");
        let times = check(&recorded(&path), false);
        prop_assert!(times > 3 || senders < 4, "{times}");
    }
}

/// Copies that leave into splitters and queue there behind those of other sources, and switches that gather
/// acknowledgements.
#[test]
fn waits_of_groups_are_the_queues_of_the_run() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let design = examples.join("glass-64.toml");
    let glass = fs::read_to_string(examples.join("glass.toml")).expect("it is there");
    let others: String = [9, 40, 77, 101]
        .iter()
        .map(|from| format!("[[multicast]]\ngroup = \"all\"\nfrom = {from}\nsize = \"300 kB\"\n"))
        .collect();
    let design = design.to_str().expect("it is a text");
    let text = glass.replace("glass-64.toml", design).replace("\"10 ms\"", "\"1 ms\"") + &others;
    for transport in ["datagram", "rc"] {
        let path = folder.path().join("s.toml");
        let text =
            text.replace("transport = \"datagram\"", &format!("transport = \"{transport}\""));
        fs::write(&path, text).expect("the test writes its input");
        let times = check(&recorded(&path), transport == "rc");
        assert!(times > 10, "{transport}: {times}");
    }
    assert!(check(&recorded(&examples.join("incast.toml")), false) > 0);
}
