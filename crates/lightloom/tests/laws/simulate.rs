//! Laws of scenarios: whatever they say, an answer or a refusal; and what Arrow files hold is what
//! CSV files hold.

use std::fs;
use std::io::Cursor;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, UInt32Type, UInt64Type};
use arrow_array::{Array as _, RecordBatch};
use arrow_ipc::reader::FileReader;
use lightloom::twin::{Ending, SimulateOptions, Simulated, simulate};
use lightloom::{Error, Watch};
use proptest::prelude::*;

fn run(scenario: &str, options: &SimulateOptions) -> Result<Simulated, Error> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("s.toml");
    fs::write(&path, scenario).expect("the test writes its input");
    simulate(&path, options, Watch::quiet())
}

fn batch(bytes: Vec<u8>) -> RecordBatch {
    let mut batches = FileReader::try_new(Cursor::new(bytes), None).expect("an Arrow file");
    let batch = batches.next().expect("a batch").expect("that can be read");
    assert!(batches.next().is_none());
    batch
}

/// A cell as the CSV file writes it.
fn cell(batch: &RecordBatch, column: usize, row: usize) -> String {
    let column = batch.column(column);
    if column.is_null(row) {
        return String::new();
    }
    let texts = column.as_string_opt::<i32>().map(|texts| texts.value(row).to_owned());
    let small = || Some(column.as_primitive_opt::<UInt32Type>()?.value(row).to_string());
    let whole = || Some(column.as_primitive_opt::<UInt64Type>()?.value(row).to_string());
    let ratio = || Some(column.as_primitive_opt::<Float64Type>()?.value(row).to_string());
    texts.or_else(small).or_else(whole).or_else(ratio).expect("a kind of column that is written")
}

#[test]
fn arrow_files_hold_what_csv_files_hold() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let options = SimulateOptions { out: Some(out.clone()), ..SimulateOptions::default() };
    // Some flows do not complete, so that cells are empty.
    let scenario = "version = 1\nuntil = \"25 us\"\n[network]\nkind = \"fat-tree\"\nports = 4\n\
                    rate = \"100 Gb/s\"\ndelay = \"1 us\"\n[[traffic]]\npattern = \"incast\"\n\
                    senders = 12\nto = 2\nsize = \"30 kB\"\n[probes]\ninterval = \"5 us\"\n";
    run(scenario, &options).unwrap();
    for name in ["flows", "throughput"] {
        let batch = batch(fs::read(out.join(format!("{name}.arrow"))).unwrap());
        let mut csv = csv::Reader::from_path(out.join(format!("{name}.csv"))).unwrap();
        let header = csv.headers().unwrap().clone();
        let schema = batch.schema();
        assert!(header.iter().eq(schema.fields().iter().map(|field| field.name().as_str())));
        let rows: Vec<csv::StringRecord> = csv.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), batch.num_rows());
        assert!(name != "flows" || rows.iter().any(|row| row[9].is_empty()));
        for (number, row) in rows.iter().enumerate() {
            for (column, text) in row.iter().enumerate() {
                let found = cell(&batch, column, number);
                if header[column].ends_with("_ps") || !text.contains('.') && !found.contains('.') {
                    assert_eq!(found, text, "{name}, row {number}, {}", &header[column]);
                } else {
                    let numbers = (found.parse::<f64>().unwrap(), text.parse::<f64>().unwrap());
                    assert!((numbers.0 - numbers.1).abs() <= 0.5, "{numbers:?}");
                }
            }
        }
    }
}

/// Scenarios put together from pieces that are right, odd or wrong.
fn scenarios() -> impl Strategy<Value = String> {
    let network = prop::sample::select(vec![
        "kind = \"fat-tree\"\nports = 4",
        "kind = \"fat-tree\"\nports = 4\nhosts_per_edge = 1\nhost_rate = \"10 Gb/s\"",
        "kind = \"leaf-spine\"\nleaves = 3\nspines = 1\nhosts_per_leaf = 4\nhost_rate = \"200 Gb/s\"",
        "kind = \"leaf-spine\"\nleaves = 1\nspines = 0\nhosts_per_leaf = 3",
        "kind = \"multicast-core\"\ntors = 9\nports = 4",
    ]);
    let value = prop::sample::select(vec![
        "0",
        "1",
        "-1",
        "3",
        "7",
        "0.5",
        "1e-3",
        "true",
        "\"host 2\"",
        "\"1 us\"",
        "\"100 ns\"",
        "\"1 B\"",
        "\"4096 B\"",
        "\"70 kB\"",
        "\"100 Gb/s\"",
        "\"1 Mb/s\"",
        "\"lossy\"",
        "\"send\"",
        "\"cut-through\"",
        "\"selective-repeat\"",
        "\"drop\"",
        "\"within\"",
        "\"leaving\"",
        "\"rdma-ns3\"",
        "\"after-increase\"",
        "[0, 1]",
        "[]",
        "nan",
        "18446744073709551615",
        "[\"edge 0.0\", 0]",
    ]);
    let key = prop::sample::select(vec![
        ("traffic", "size"),
        ("traffic", "start"),
        ("traffic", "class"),
        ("traffic", "verb"),
        ("traffic", "offset"),
        ("parameters.switch", "forwarding"),
        ("parameters.switch", "latency"),
        ("parameters.switch", "buffer_per_port"),
        ("parameters.switch", "headroom_per_port"),
        ("parameters.switch", "overflow"),
        ("parameters.switch", "pause_share"),
        ("parameters.switch", "drop_share"),
        ("parameters.switch", "resume_offset"),
        ("parameters.switch", "pfc"),
        ("parameters.switch", "reserves"),
        ("parameters.switch", "minimum_per_port"),
        ("parameters", "set"),
        ("parameters.ecn", "when"),
        ("parameters.dcqcn", "clamp"),
        ("parameters.dcqcn", "cut_interval"),
        ("parameters.wire", "mtu"),
        ("parameters.wire", "gap"),
        ("parameters.ecn", "kmin"),
        ("parameters.ecn", "pmax"),
        ("parameters.ecn", "at"),
        ("parameters.transport", "recovery"),
        ("parameters.transport", "ack_every"),
        ("parameters.transport", "timeout"),
        ("parameters.transport", "window"),
        ("parameters.transport", "first_psn"),
        ("parameters.dcqcn", "g"),
        ("parameters.dcqcn", "additive"),
        ("parameters.dcqcn", "least"),
        ("parameters.dcqcn", "byte_counter"),
        ("parameters.dcqcn", "cnp_interval"),
        ("parameters.stack", "send"),
        ("loss", "layer"),
        ("loss", "rate"),
        ("loss", "burst"),
        ("loss", "corrupt"),
        ("loss", "link"),
        ("failure", "node"),
        ("failure", "at"),
        ("failure", "until"),
        ("probes", "interval"),
    ]);
    let said = prop::collection::vec((key, value), 0..6);
    (network, said).prop_map(|(network, said)| {
        let mut text = format!(
            "version = 1\nuntil = \"60 us\"\n[network]\n{network}\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n"
        );
        let mut sections: Vec<(&str, Vec<(&str, &str)>)> = vec![("traffic", Vec::new())];
        for ((section, key), value) in said {
            match sections.iter_mut().find(|(name, _)| *name == section) {
                Some((_, fields)) => fields.retain(|(name, _)| *name != key),
                None => sections.push((section, Vec::new())),
            }
            if let Some((_, fields)) = sections.iter_mut().find(|(name, _)| *name == section) {
                fields.push((key, value));
            }
        }
        let defaults = [
            ("traffic", "pattern", "\"stride\""),
            ("traffic", "size", "\"50 kB\""),
            ("loss", "rate", "0.01"),
            ("failure", "at", "\"10 us\""),
        ];
        for (section, mut fields) in sections {
            for (_, key, value) in defaults.iter().filter(|(of, ..)| *of == section) {
                if !fields.iter().any(|(name, _)| name == key) {
                    fields.push((key, value));
                }
            }
            let list = ["traffic", "loss", "failure"].contains(&section);
            text += &if list { format!("[[{section}]]\n") } else { format!("[{section}]\n") };
            fields.iter().for_each(|(key, value)| text += &format!("{key} = {value}\n"));
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Nothing panics, no packet is lost count of, and threads change nothing.
    #[test]
    fn any_scenario_is_answered_or_refused(scenario in scenarios()) {
        let with = |threads| SimulateOptions { threads: Some(threads), ..SimulateOptions::default() };
        match (run(&scenario, &with(1)), run(&scenario, &with(3))) {
            (Ok(Simulated::One(one)), Ok(Simulated::One(three))) => {
                prop_assert_eq!(&one.report, &three.report, "{}", scenario);
            }
            (Err(Error::Input(_)), Err(Error::Input(_))) => {}
            (one, three) => prop_assert!(false, "{scenario}\n{one:?}\n{three:?}"),
        }
    }
}

#[test]
fn a_stopped_run_says_up_to_when_and_which_seeds_are_missing() {
    let scenario = "version = 1\nseed = 7\nuntil = \"1 s\"\n[network]\nkind = \"leaf-spine\"\nleaves = 1\n\
                    spines = 0\nhosts_per_leaf = 2\nrate = \"100 Gb/s\"\nlength = \"10 m\"\n[[flow]]\nfrom = 0\n\
                    to = 1\nsize = \"1 GB\"\n";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("s.toml");
    fs::write(&path, scenario).expect("the test writes its input");
    let stopped = |seeds| {
        let stop = AtomicBool::new(false);
        let hear = |_, _| stop.store(true, Ordering::Relaxed);
        let watch = Watch::quiet().stopped_by(&stop).on_progress(&hear);
        let options = SimulateOptions { seeds, ..SimulateOptions::default() };
        simulate(&path, &options, watch).expect("a stop is no error")
    };
    let Simulated::One(first) = stopped(None) else { panic!("it is one run") };
    let end = first.report.end;
    assert_eq!((end.how, end.until_ps), (Ending::Stopped, Some(1_000_000_000_000)));
    assert!(end.reached_ps < 1_000_000_000_000);
    let Simulated::Many(runs) = stopped(Some(4)) else { panic!("they are several runs") };
    assert_eq!(runs.report.replicas.len(), 1);
    assert_eq!(runs.report.replicas[0].end.until_ps, Some(1_000_000_000_000));
    assert_eq!(runs.report.not_begun, [8, 9, 10]);
    // A whole answer lacks nothing.
    let short = scenario.replace("1 GB", "1 MB");
    let Ok(Simulated::One(whole)) = run(&short, &SimulateOptions::default()) else {
        panic!("it is one run")
    };
    assert_eq!((whole.report.end.how, whole.report.end.until_ps), (Ending::Done, None));
}
