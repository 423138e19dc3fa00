//! What people read fits 100 columns. `Bench` checks it of every answer of every test; these are the
//! answers that are wide.

use std::path::Path;

use crate::bench::{Bench, narrow};

#[test]
fn wide_answers_fit() {
    let bench = Bench::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let of = |name: &str| examples.join(name).display().to_string();
    for (command, file) in [
        ("plan --out plan", "hall-1024.toml"),
        ("info", "hall-1024.toml"),
        ("fabric", "hall-1024.toml"),
        ("tree --source 7", "hall-1024.toml"),
        ("rules --tor 7", "hall-1024.toml"),
        ("parallel", "hall-1024.toml"),
        ("impact --failed relay:7", "hall-1024.toml"),
        ("recover --failed relay:7,tor:40", "hall-1024.toml"),
        ("budget", "hall-1024.toml"),
        ("compare --years 5 --energy-price 0.12_USD", "hall-1024.toml"),
        ("unused-ports", "hall-1024.toml"),
        ("simulate", "incast.toml"),
        ("simulate --seeds 2", "incast.toml"),
    ] {
        let mut args: Vec<String> =
            command.split_whitespace().map(|word| word.replace('_', " ")).collect();
        args.insert(1, of(file));
        let ran = bench.run(&args);
        assert!(ran.code < 2 && !ran.stdout.is_empty(), "{args:?}: {ran:?}");
    }
    for command in [
        "explore --tors 24",
        "explore --tors 24 --rate 100_Gb/s",
        "budget --family kautz --p 4 --tors 24 --transceiver 4wdm-40",
        "plan --out plan --family kautz --p 4 --tors 24 --transceiver 4wdm-40",
        "risk --family shufflecast --p 2 --k 2",
        "recover --family shufflecast --p 2 --k 2 --failed relay:1 --throughput",
        "budget --family kautz --p 4 --tors 64 --catalogue datasheets-2026 --case monte-carlo \
         --transceiver 10gbase-lr",
    ] {
        let args = command.split_whitespace().map(|word| word.replace('_', " "));
        let ran = bench.run(&args.collect::<Vec<_>>());
        assert!(ran.code < 2 && !ran.stdout.is_empty(), "{command}: {ran:?}");
    }
}

#[test]
fn the_help_of_every_command_fits() {
    let bench = Bench::new();
    for command in ["new", "plan", "recover", "budget", "explore", "simulate", "man", "completions"]
    {
        for help in ["-h", "--help"] {
            narrow(&bench.run(&[command, help]).stdout);
        }
    }
}

#[test]
fn endless_names_are_cut_and_numbers_are_not() {
    let bench = Bench::new();
    let racks: String = (0..8).map(|i| format!("{}{i},A,{}\n", "N".repeat(120), i + 1)).collect();
    bench.write("racks.csv", format!("name,row,position\n{racks}"));
    let design = ["--family", "kautz", "--p", "2", "--inventory", "racks.csv"];
    let ran = bench.run(&[&["tree"], &design[..], &["--source", "tor:3"]].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.lines().filter(|line| line.starts_with('│')).count() > 8, "{ran:?}");
}
