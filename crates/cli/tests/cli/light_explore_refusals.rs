//! `explore` refuses wrong numbers and settings, before any design is examined.

use crate::bench::Bench;

#[test]
fn numbers_that_are_not_explored() {
    let bench = Bench::new();
    for tors in ["1", "0", "-1", "32769", "4294967296"] {
        bench.refuses(&["explore", "--tors", tors], &["--tors", tors]);
    }
    bench.refuses(&["explore"], &["--tors"]);
    for (flag, values) in [
        ("--margin", &["1", "1 dBm", "NaN dB", ""][..]),
        ("--max-cost", &["5", "5 dollars", ""]),
        ("--rank-by", &["beauty", "Cost", ""]),
        ("--case", &["nonsense", ""]),
        ("--max-hops", &["-1", "x"]),
        ("--parallel-sources", &["-1", "x"]),
        ("--ports-per-tor", &["-1", "x"]),
        ("--max-cables", &["-1", "x"]),
        ("--max-tray-percent", &["0", "101", "x"]),
        ("--rate", &["40 Gb/s", "x"]),
        ("--transceiver", &["nonesuch"]),
    ] {
        for value in values {
            bench.refuses(&["explore", "--tors", "8", &format!("{flag}={value}")], &[flag]);
        }
    }
}

/// What is wrong with the request is not what is wrong with each design.
#[test]
fn optics_settings_that_make_no_sense_are_refused_not_explored() {
    let bench = Bench::new();
    for (flag, value) in [
        ("--percentile", "0"),
        ("--percentile", "abc"),
        ("--samples", "0"),
        ("--seed", "-1"),
        ("--accept", "hope"),
    ] {
        bench.refuses(&["explore", "--tors", "8", &format!("{flag}={value}")], &[flag, value]);
    }
}
