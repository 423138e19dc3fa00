//! Every flag that takes a number, with numbers that it cannot take: each is refused at its flag, and
//! the message says what is expected.

use crate::bench::{Bench, SMALL};

/// What is no number of any kind here.
const NO_NUMBERS: [&str; 5] = ["nan", "inf", "x", "", "0x10"];
/// What is no whole number of at most 64 bits.
const NOT_WHOLE: [&str; 4] = ["1.5", "1e3", "99999999999999999999999", "-99999999999999999999999"];

fn refused(command: &[&str], flag: &str, value: &str) {
    let ran = Bench::new().refuses(&[command, &[flag, value]].concat(), &[flag]);
    let says = [
        "expected",
        "too large",
        "a value is required",
        "has no transceiver",
        "a fabric has 2 to",
        "a splitter has 2 to",
        "a Shufflecast has at least",
    ];
    assert!(says.iter().any(|said| ran.stderr.contains(said)), "{flag} {value}: {ran:?}");
}

#[test]
fn whole_numbers() {
    let with = |command: &[&'static str]| [command, &SMALL[..]].concat();
    let kautz = vec!["info", "--family", "kautz", "--p", "4"];
    let explore = vec!["explore", "--tors", "8"];
    let years = with(&["compare", "--energy-price", "0.1 USD"]);
    let flags: [(Vec<&str>, &str, &[&str]); 21] = [
        (kautz.clone(), "--tors", &["0", "1", "-1", "4194305", "99999999999"]),
        (vec!["info", "--k", "2"], "--p", &["0", "1", "-1", "1025", "99999999999"]),
        (vec!["info", "--p", "2"], "--k", &["0", "-1", "99999999999"]),
        ([&kautz[..], &["--tors", "9"]].concat(), "--extra-hops", &["-1", "2", "99999999999"]),
        (with(&["info"]), "--spares-percent", &["-1", "1001", "99999999999"]),
        (with(&["budget"]), "--samples", &["0", "-1", "99999999999"]),
        (with(&["budget"]), "--seed", &["-1"]),
        (with(&["budget"]), "--threads", &["0", "-1", "99999999999"]),
        (with(&["compare"]), "--core-ports", &["0", "-1", "2", "4097", "99999999999"]),
        (years, "--years", &["0", "-1", "101", "99999999999"]),
        (explore.clone(), "--max-hops", &["0", "-1", "99999999999"]),
        (explore.clone(), "--parallel-sources", &["0", "-1", "99999999999"]),
        (explore.clone(), "--ports-per-tor", &["0", "-1", "99999999999"]),
        (explore.clone(), "--max-cables", &["-1", "99999999999"]),
        (explore.clone(), "--max-tray-percent", &["0", "-1", "101", "99999999999"]),
        (vec!["explore"], "--tors", &["0", "1", "-1", "99999999999"]),
        (vec!["new", "-o", "design.toml"], "--tors", &["0", "1", "-1", "99999999999"]),
        (vec!["unused-ports"], "--rack-units", &["0", "-1", "1", "61", "99999999999"]),
        (vec!["simulate", "s.toml"], "--threads", &["0", "-1"]),
        (vec!["simulate", "s.toml"], "--seed", &["-1"]),
        (vec!["simulate", "s.toml"], "--seeds", &["-1"]),
    ];
    for (command, flag, values) in flags {
        for value in values.iter().chain(&NO_NUMBERS).chain(&NOT_WHOLE) {
            refused(&command, flag, value);
        }
    }
}

#[test]
fn quantities() {
    let with = |command: &[&'static str]| [command, &SMALL[..]].concat();
    let explore = vec!["explore", "--tors", "8"];
    let ratios = ["-1 dB", "30.1 dB", "100 dB", "99999999999 dB", "nan dB", "-inf dB", "1"];
    let flags: [(Vec<&str>, &str, &[&str]); 12] = [
        (
            explore.clone(),
            "--max-cost",
            &["-5 USD", "0 USD", "-0 USD", "9223372036855 USD", "nan USD", "5"],
        ),
        (explore.clone(), "--margin", &ratios),
        (explore.clone(), "--headroom", &ratios),
        (with(&["budget"]), "--margin", &ratios),
        (with(&["budget"]), "--headroom", &ratios),
        (explore, "--rate", &["0 Gb/s", "-1 Gb/s", "99999999999 Gb/s", "inf Gb/s"]),
        (
            with(&["compare"]),
            "--fibre-length",
            &["0 m", "-1 m", "100001 m", "99999999999 m", "inf m"],
        ),
        (
            with(&["compare", "--years", "5"]),
            "--energy-price",
            &["-1 USD", "1000.1 USD", "99999999999 USD", "nan USD", "1"],
        ),
        (with(&["budget"]), "--percentile", &["0", "-1", "50.1", "99999999999", "1e999"]),
        (with(&["budget"]), "--rate", &["0 Gb/s", "-1 Gb/s", "99999999999 Gb/s", "nan Gb/s"]),
        (
            vec!["unused-ports"],
            "--oversubscription",
            &["0:1", "1:0", "-1:1", "1:-1", "1001:1", "nan:1"],
        ),
        (
            vec!["unused-ports"],
            "--server-ports",
            &[
                "0 x 1 Gb/s",
                "-1 x 1 Gb/s",
                "17 x 1 Gb/s",
                "1 x 0 Gb/s",
                "1 x -1 Gb/s",
                "inf x 1 Gb/s",
            ],
        ),
    ];
    for (command, flag, values) in flags {
        for value in values.iter().chain(&NO_NUMBERS).chain(&["-inf"]) {
            refused(&command, flag, value);
        }
    }
}

/// The least and the most that is taken.
#[test]
fn the_ends_of_what_is_taken() {
    let bench = Bench::new();
    let with = |command: &[&'static str]| [command, &SMALL[..]].concat();
    let explore = ["explore", "--tors", "8"];
    for (command, flag, values) in [
        (explore.to_vec(), "--max-hops", ["1", "32768"]),
        (explore.to_vec(), "--parallel-sources", ["1", "32768"]),
        (explore.to_vec(), "--ports-per-tor", ["1", "4096"]),
        (explore.to_vec(), "--max-cables", ["0", "16777216"]),
        (explore.to_vec(), "--max-tray-percent", ["1", "100"]),
        (explore.to_vec(), "--max-cost", ["0.000001 USD", "9223372036854 USD"]),
        (explore.to_vec(), "--margin", ["0 dB", "30 dB"]),
        (explore.to_vec(), "--headroom", ["0 dB", "30 dB"]),
        (with(&["budget"]), "--margin", ["0 dB", "30 dB"]),
        (with(&["budget"]), "--headroom", ["0 dB", "30 dB"]),
        (with(&["compare"]), "--core-ports", ["3", "4096"]),
        (with(&["budget"]), "--threads", ["1", "256"]),
        (with(&["budget"]), "--percentile", ["0.001", "50"]),
        (vec!["unused-ports"], "--rack-units", ["2", "60"]),
    ] {
        for value in values {
            let ran = bench.run(&[&command[..], &[flag, value]].concat());
            assert_eq!(ran.code, 0, "{flag} {value}: {ran:?}");
        }
    }
}

/// The packet core of a scenario, too, has switches that there are.
#[test]
fn ports_of_a_scenarios_core() {
    let bench = Bench::new();
    let write = |ports: &str| {
        let text = format!(
            "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"multicast-core\"\ntors = 8\nports = {ports}\n\
             rate = \"10 Gb/s\"\nlength = \"3 m\"\n[[flow]]\nfrom = 0\nto = 1\nsize = \"1 kB\"\n"
        );
        bench.write("s.toml", text);
    };
    for ports in ["-1", "0", "2", "4097", "4294967295", "99999999999"] {
        write(ports);
        bench.refuses(&["simulate", "s.toml"], &["s.toml:", "network.ports: found", ports]);
    }
    for ports in ["3", "4096"] {
        write(ports);
        assert_eq!(bench.run(&["simulate", "s.toml"]).code, 0, "{ports}");
    }
}

/// Prices and powers of a user's own rows.
#[test]
fn prices_and_powers_below_nothing() {
    let bench = Bench::new();
    let rows = [
        ("transceiver.10g-10km", "price"),
        ("transceiver.10g-10km", "power"),
        ("splitter.1x2", "price"),
        ("switch_port.10g", "price"),
        ("switch_port.10g", "power"),
        ("shelf.sender", "price"),
        ("fibre_price", "price"),
        ("panel.mine", "price"),
        ("pad.mine", "price"),
        ("splice.mine", "price"),
        ("inline.mine", "price"),
        ("inline.mine", "power"),
    ];
    for (row, field) in rows {
        let unit = if field == "price" { "USD" } else { "W" };
        let kind = row.split('.').next().expect("a kind");
        let rest = match kind {
            "panel" | "splice" => "loss_max = \"1 dB\"\n",
            "inline" => "loss_min = \"0 dB\"\nloss_max = \"1 dB\"\n",
            "fibre_price" => "per = \"100 m\"\n",
            "pad" => "attenuation = \"3 dB\"\ntolerance = \"0.5 dB\"\n",
            _ => "",
        };
        for amount in ["-5", "-0.000001", "nan", "inf", "99999999999999999999"] {
            let text = format!(
                "[{row}]\n{rest}{field} = \"{amount} {unit}\"\nsource = \"mine\"\ndate = \"2026-11\"\n"
            );
            bench.write("parts.toml", text);
            let paper = ["--catalogue", "shufflecast-2022"];
            let args = [&["compare", "--parts", "parts.toml"], &SMALL[..], &paper].concat();
            bench.refuses(&args, &["parts.toml:", &format!("{row}.{field}: "), "expected"]);
        }
    }
}
