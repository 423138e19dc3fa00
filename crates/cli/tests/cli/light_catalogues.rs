//! Catalogue files of one's own: rows that cannot be, and rows that go over others.

use serde_json::json;

use crate::bench::{Bench, SMALL};
use crate::light_budget::PAPER;

pub(crate) const OF: &str = "source = \"mine\"\ndate = \"2026-11\"\n";

/// A transceiver row that is right, and then these lines; source and date last.
pub(crate) fn optic(lines: &str) -> String {
    format!("[transceiver.x]\nrate = \"10 Gb/s\"\nmodulation = \"nrz\"\n{lines}\n{OF}")
}

fn splitter(lines: &str) -> String {
    format!("[splitter.x]\nfan_out = 4\n{lines}\n{OF}")
}

/// Every command that reads the file refuses it at this line, says all of `parts`, and writes nothing.
pub(crate) fn refused(text: impl AsRef<[u8]>, line: u32, parts: &[&str]) {
    let bench = Bench::new();
    bench.write("parts.toml", text);
    let place = format!("parts.toml:{line}: ");
    let parts = [&[place.as_str()], parts].concat();
    let with_parts = ["--parts", "parts.toml", "--transceiver", "10g-l40"];
    for command in ["budget", "compare", "unused-ports"] {
        bench.refuses(&[&[command], &SMALL[..], &with_parts].concat(), &parts);
    }
    bench.refuses(&[&["plan", "--out", "plan"], &SMALL[..], &with_parts].concat(), &parts);
    bench.refuses(&["explore", "--tors", "8", "--parts", "parts.toml"], &parts);
}

#[test]
fn values_without_their_unit() {
    refused(optic("sensitivity = -14.0"), 4, &["transceiver.x.sensitivity", "-14.0", "unit"]);
    refused(optic("sensitivity = -14"), 4, &["transceiver.x.sensitivity", "-14", "unit"]);
    refused(optic("sensitivity = \"-14\""), 4, &["transceiver.x.sensitivity", "\"-14\"", "dBm"]);
    refused(optic("sensitivity = \"-14 dB\""), 4, &["transceiver.x.sensitivity", "dBm"]);
    refused(splitter("loss_max = 7.4"), 3, &["splitter.x.loss_max", "7.4", "unit", "dB"]);
    refused(splitter("loss_max = \"7.4 dBm\""), 3, &["splitter.x.loss_max", "7.4 dBm", "dB"]);
    refused(optic("price = 27"), 4, &["transceiver.x.price", "27"]);
    refused(optic("price = \"27 $\""), 4, &["transceiver.x.price", "27 $", "USD"]);
    refused(optic("power = \"1\""), 4, &["transceiver.x.power", "W"]);
    refused(
        format!("[fibre.smf]\nattenuation_max = \"0.4 dB\"\n{OF}"),
        2,
        &["fibre.smf.attenuation_max", "0.4 dB", "dB/km"],
    );
}

#[test]
fn losses_that_amplify() {
    refused(splitter("loss_max = \"-7.4 dB\""), 3, &["splitter.x.loss_max", "-7.4 dB", "0 dB"]);
    for (section, field) in
        [("connector", "loss_max"), ("splice", "loss_max"), ("panel", "loss_max")]
    {
        let row = format!("[{section}.x]\n{field} = \"-0.1 dB\"\n{OF}");
        refused(row, 2, &[&format!("{section}.x.{field}"), "-0.1 dB"]);
    }
    let row = format!("[fibre.x]\nattenuation_max = \"-0.4 dB/km\"\n{OF}");
    refused(row, 2, &["fibre.x.attenuation_max", "-0.4"]);
    refused(optic("penalty = \"-1 dB\""), 4, &["transceiver.x.penalty", "-1 dB"]);
    refused(splitter("loss_max = \"5 dB\""), 3, &["splitter.x.loss_max", "5 dB", "6.02 dB"]);
    refused(
        format!("[splitter_formula]\nbase = \"0 dB\"\nper_doubling = \"2 dB\"\n{OF}"),
        3,
        &["splitter_formula.per_doubling", "2 dB", "3.01"],
    );
    let typical = splitter("loss_max = \"7 dB\"\nloss_typ = \"8 dB\"");
    refused(typical, 4, &["splitter.x.loss_typ", "8 dB", "7 dB"]);
}

/// The worst output of a splitter takes at least the even share, however uneven the others are.
#[test]
fn splitters_that_give_every_output_more_than_its_share() {
    let row = "loss_max = \"0.5 dB\"\nuniformity = \"20 dB\"";
    refused(splitter(row), 3, &["splitter.x.loss_max"]);
}

#[test]
fn levels_that_contradict_each_other() {
    let levels = "sensitivity = \"-14 dBm\"\noverload = \"-15 dBm\"";
    refused(optic(levels), 4, &["transceiver.x.sensitivity", "-14 dBm", "overload", "-15 dBm"]);
    let launch = "launch_max = \"-7 dBm\"\nlaunch_min = \"-6 dBm\"";
    refused(optic(launch), 5, &["transceiver.x.launch_min", "-6 dBm", "-7 dBm"]);
    let damage = "overload = \"1 dBm\"\ndamage = \"0 dBm\"";
    refused(optic(damage), 4, &["transceiver.x.overload", "damage"]);
}

#[test]
fn what_is_not_a_number() {
    refused(optic("sensitivity = nan"), 4, &["transceiver.x.sensitivity", "nan", "unit"]);
    refused(optic("sensitivity = \"NaN dBm\""), 4, &["transceiver.x.sensitivity", "NaN dBm"]);
    refused(optic("sensitivity = \"-inf dBm\""), 4, &["transceiver.x.sensitivity", "-inf dBm"]);
    for ber in ["nan", "inf", "-inf", "\"nan\"", "0", "-1e-12", "0.5", "1e-999", "1e999"] {
        refused(optic(&format!("ber = {ber}")), 4, &["transceiver.x.ber", "expected"]);
    }
    refused(splitter("loss_max = \"NaN dB\""), 3, &["splitter.x.loss_max", "NaN dB"]);
    refused(splitter("loss_max = nan"), 3, &["splitter.x.loss_max", "nan"]);
}

#[test]
fn numbers_beyond_all_bounds() {
    let nines = "9".repeat(40);
    for (field, value) in [
        ("fibres", nines.clone()),
        ("fibres", "0".into()),
        ("fibres", "-1".into()),
        ("sensitivity", "\"-1000 dBm\"".into()),
        ("launch_max", format!("\"{nines} dBm\"")),
        ("power", format!("\"{nines} W\"")),
        ("power", "\"1001 W\"".into()),
        ("price", format!("\"{nines} USD\"")),
        ("price", "\"10000001 USD\"".into()),
        ("price", "\"-1 USD\"".into()),
        ("price", "\"0.0000001 USD\"".into()),
        ("best_case_budget", "\"1000 dB\"".into()),
        ("reach", format!("\"{nines} km\"")),
        ("ber", nines.clone()),
    ] {
        refused(optic(&format!("{field} = {value}")), 4, &[&format!("transceiver.x.{field}")]);
    }
    refused(optic("").replace("10 Gb/s", "0 Gb/s"), 2, &["transceiver.x.rate"]);
    refused(optic("").replace("10 Gb/s", &format!("{nines} Gb/s")), 2, &["transceiver.x.rate"]);
    for fan_out in ["1", "0", "-4", "1025", &nines] {
        let row = splitter("loss_max = \"40 dB\"").replace("= 4", &format!("= {fan_out}"));
        refused(row, 2, &["splitter.x.fan_out", fan_out]);
    }
    let row = |ports: &str, height: &str| {
        format!("[switch.x]\nports = [\"{ports}\"]\nheight = {height}\n{OF}")
    };
    refused(row("4097 x 10 Gb/s", "1"), 2, &["switch.x.ports", "4097"]);
    refused(row("1 x 10 Gb/s", "61"), 3, &["switch.x.height", "61"]);
}

#[test]
fn fields_and_sections_that_nobody_knows() {
    refused(optic("colour = \"red\""), 4, &["transceiver.x.colour", "unknown", "sensitivity"]);
    refused(
        format!("\n[transceivers.x]\nrate = \"10 Gb/s\"\n{OF}"),
        2,
        &["transceivers", "unknown", "transceiver"],
    );
    refused("transceiver = 5\n", 1, &["transceiver", "table"]);
    refused("[transceiver]\nrate = \"10 Gb/s\"\n", 2, &["transceiver.rate", "name"]);
    refused(format!("[stock.x]\nstep = \"1 m\"\n{OF}"), 1, &["stock.x"]);
    refused(
        format!("[shelf.roof]\nprice = \"1 USD\"\n{OF}"),
        1,
        &["shelf.roof", "sender", "receiver"],
    );
    refused(
        "[rules]\nunlisted_splitter_price = \"free\"\n",
        2,
        &["rules.unlisted_splitter_price", "free", "next-larger"],
    );
    refused(optic("fec = \"rs255\""), 4, &["transceiver.x.fec", "rs255", "rs528"]);
    refused(optic("").replace("nrz", "qam"), 3, &["transceiver.x.modulation", "qam", "pam4"]);
}

#[test]
fn rows_that_lack_something() {
    let without = |line: &str| {
        optic("")
            .lines()
            .filter(|l| !l.starts_with(line))
            .map(|l| format!("{l}\n"))
            .collect::<String>()
    };
    for field in ["rate", "modulation", "source", "date"] {
        refused(without(field), 1, &[&format!("transceiver.x.{field}"), "missing"]);
    }
    refused(optic("").replace("\"mine\"", "\"  \""), 5, &["transceiver.x.source", "missing"]);
    refused(splitter(""), 1, &["splitter.x.loss_max", "missing", "dB"]);
    refused(splitter("loss_max = \"7 dB\"").replace("fan_out = 4", ""), 1, &["splitter.x.fan_out"]);
    for section in ["stock", "fibre_price", "splitter_formula"] {
        refused(format!("[{section}]\n{OF}"), 1, &[section, "missing"]);
    }
    for section in ["fibre", "connector", "splice", "panel", "inline", "switch", "switch_port"] {
        refused(format!("[{section}.x]\n{OF}"), 1, &[&format!("{section}.x"), "missing"]);
    }
}

#[test]
fn the_same_thing_said_twice() {
    refused(optic("rate = \"25 Gb/s\""), 4, &["duplicate"]);
    refused(optic("") + &optic(""), 7, &["duplicate"]);
}

#[test]
fn control_characters_anywhere() {
    for text in [
        optic("").replace("transceiver.x", "transceiver.\"a\\u001b[2J\""),
        optic("").replace("transceiver.x", "\"\\u001b[2J\".x"),
        optic("\"\\u0007\" = 1"),
        optic("").replace("10 Gb/s", "10 \\u001b[31mGb/s"),
        optic("").replace("mine", "mi\\u0000ne"),
        optic("").replace("mine", "mi\\nne"),
        format!("[switch.x]\nports = [\"1 x \\u001b[31m\"]\n{OF}"),
        format!("[stock]\nlengths = [\"\\u001b[31m\"]\nstep = \"1 m\"\n{OF}"),
    ] {
        let bench = Bench::new();
        bench.write("parts.toml", &text);
        let ran = bench.refuses(
            &[&["budget", "--parts", "parts.toml"], &SMALL[..]].concat(),
            &["parts.toml:"],
        );
        let said = ran.stderr.trim_end();
        assert!(!said.chars().any(char::is_control), "{said:?}");
    }
    for name in ["", "-x", "a b", "ä", &"x".repeat(65)] {
        refused(
            optic("").replace("transceiver.x", &format!("transceiver.\"{name}\"")),
            1,
            &["name"],
        );
    }
}

#[test]
fn files_that_are_no_catalogue() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("folder")).expect("a folder");
    bench.write("binary.toml", [0xff_u8, 0xfe, 0x00, 0x80, 0x0a]);
    bench.write("empty.toml", "");
    bench.write("csv.toml", "name,rate\nx,10\n");
    for file in ["folder", "missing.toml", "binary.toml", "csv.toml", "."] {
        bench.refuses(&[&["budget", "--parts", file], &SMALL[..]].concat(), &[file]);
        let args = [&["plan", "--out", "plan", "--parts", file, "--rate", "10 Gb/s"], &SMALL[..]];
        bench.refuses(&args.concat(), &[file]);
    }
    bench.ask(&[&["budget", "--parts", "empty.toml"], &SMALL[..]].concat());
}

#[test]
fn a_design_names_file_line_and_field() {
    let bench = Bench::new();
    bench.write("parts.toml", optic("colour = 1"));
    for (lines, parts) in [
        ("transceiver = \"nonesuch\"", ["design.toml:7", "optics.transceiver", "nonesuch"]),
        ("rate = \"40 Gb/s\"", ["design.toml:7", "optics.rate", "40 Gbps"]),
        ("rate = 10", ["design.toml:7", "optics.rate", "10"]),
        ("splitter = \"1x8\"", ["design.toml:7", "optics.splitter", "1x8"]),
        ("splitter = \"nonesuch\"", ["design.toml:7", "optics.splitter", "nonesuch"]),
        ("percentile = \"100\"", ["design.toml:7", "optics.percentile", "100"]),
        ("percentile = 5", ["design.toml:7", "optics.percentile", "5"]),
        ("feed_splices = 65", ["design.toml:7", "optics.feed_splices", "65"]),
        ("branch_panels = 4294967296", ["design.toml:7", "optics.branch_panels", "0 to 64"]),
        (
            "feed_splices = 1\ncatalogue = \"shufflecast-2022\"",
            ["design.toml", "optics.splice", "no such row"],
        ),
        ("feed_inline = [\"amp\"]", ["design.toml:7", "optics.feed_inline", "amp"]),
        ("penalty = \"-1 dB\"", ["design.toml:7", "optics.penalty", "-1 dB"]),
        ("ageing = \"31 dB\"", ["design.toml:7", "optics.ageing", "31 dB"]),
        ("margin = \"31 dB\"", ["design.toml:7", "optics.margin", "31 dB"]),
        ("headroom = \"-1 dB\"", ["design.toml:7", "optics.headroom", "-1 dB"]),
        ("pad = \"lc-11db\"", ["design.toml:7", "optics.pad", "lc-11db"]),
        ("pad = 3", ["design.toml:7", "optics.pad", "3"]),
        ("pad_at = \"splitter\"", ["design.toml:7", "optics.pad_at", "splitter"]),
        ("accept = \"hope\"", ["design.toml:7", "optics.accept", "hope"]),
        ("colour = \"red\"", ["design.toml:7", "optics.colour", "unknown"]),
        ("parts = \"parts.toml\"", ["parts.toml:4", "transceiver.x.colour", "unknown"]),
    ] {
        let head = "version = 1\n[fabric]\nfamily = \"kautz\"\np = 4\ntors = 30\n[optics]\n";
        let base = if lines.contains("rate") || lines.contains("transceiver") {
            ""
        } else if lines.contains("shufflecast-2022") {
            "\ntransceiver = \"10g-10km\""
        } else {
            "\ntransceiver = \"10g-l40\""
        };
        bench.write("design.toml", format!("{head}{lines}{base}\n"));
        bench.refuses(&["budget", "design.toml"], &parts);
        bench.refuses(&["plan", "--out", "plan", "design.toml"], &parts);
    }
}

#[test]
fn two_optics_of_one_rate_need_a_name() {
    let bench = Bench::new();
    bench.write("parts.toml", optic("best_case_budget = \"20 dB\""));
    let with_parts = [&["budget", "--parts", "parts.toml"], &SMALL[..], &PAPER].concat();
    let design = [&with_parts[..], &["--rate", "10 Gb/s"]].concat();
    bench.refuses(&design, &["--transceiver", "10g-10km", "x"]);
    let budget = bench.ask(&[&with_parts[..], &["--transceiver", "x"]].concat());
    assert_eq!(budget["transceiver"], "x");
    assert!(
        budget["worst_margin_db"].as_f64().is_some_and(|margin| margin > 15.9 && margin < 16.0)
    );
}

#[test]
fn a_row_of_the_same_name_goes_over_the_old_one_and_others_stay() {
    let bench = Bench::new();
    let own = optic("best_case_budget = \"10 dB\"\nprice = \"1.000001 USD\"\npower = \"0.5 W\"")
        .replace("transceiver.x", "transceiver.10g-10km");
    bench.write("parts.toml", own);
    let budget = bench.ask(&[&["budget", "--parts", "parts.toml"], &SMALL[..], &PAPER].concat());
    let margin = budget["worst_margin_db"].as_f64().expect("a margin");
    assert!(margin > 5.98 && margin < 6.0, "10 dB less 4 dB: {margin}");
    let catalogue = &budget["catalogue"];
    assert!(catalogue["name"].as_str().is_some_and(|name| name.contains("parts.toml")));
    // What the own row does not say stays as it was, and is said to.
    let source = catalogue["rows"][0]["source"].as_str().expect("a source");
    assert!(source.starts_with("mine; the rest: Shufflecast, Table I"), "{catalogue}");
    assert_eq!(catalogue["rows"][1]["source"], "Shufflecast, Table I", "{catalogue}");
    let compare = bench.ask(&[&["compare", "--parts", "parts.toml"], &SMALL[..], &PAPER].concat());
    let chain = &compare["peer_to_peer"];
    // 16 ports, 16 transceivers, 16 pairs of 100 m.
    assert_eq!(
        chain["cost_usd"],
        (16_000_016 + 16 * 55_500_000 + 16 * 37_370_000_i64) as f64 / 1e6
    );
    let watts = chain["power_w"].as_f64().expect("watts");
    assert!((watts - 16.0 * (2.64 + 0.5)).abs() < 1e-9, "{watts}");
    // Three lines give a part of the catalogue a price; its budget stays.
    bench.write("parts.toml", format!("[transceiver.10g-10km]\nprice = \"19 USD\"\n{OF}"));
    let priced = bench.ask(&[&["budget", "--parts", "parts.toml"], &SMALL[..], &PAPER].concat());
    let margin = priced["worst_margin_db"].as_f64().expect("a margin");
    assert!(margin > 10.88 && margin < 10.9, "14.9 dB less 4 dB: {margin}");
    assert_eq!(priced["catalogue"]["rows"][0]["price"]["typical"], "19.00 USD");
}

#[test]
fn two_currencies_of_one_file_are_refused_with_file_and_line() {
    let bench = Bench::new();
    let row = optic("best_case_budget = \"20 dB\"\nprice = \"27 EUR\"");
    let dollars =
        format!("[pad.own]\nattenuation = \"5 dB\"\ntolerance = \"1 dB\"\nprice = \"1 USD\"\n{OF}");
    bench.write("parts.toml", row.replace("transceiver.x", "transceiver.10g-10km") + &dollars);
    let parts = ["parts.toml:", ".price", "EUR", "USD", "one currency"];
    let flags = [&["--parts", "parts.toml", "--transceiver", "10g-10km"], &PAPER[..]].concat();
    bench.refuses(&[&["compare"], &SMALL[..], &flags].concat(), &parts);
    bench.refuses(&[&["plan", "--out", "plan"], &SMALL[..], &flags].concat(), &parts);
    bench.refuses(&[&["explore", "--tors", "8"], &flags[..]].concat(), &parts);
}

#[test]
fn a_catalogue_in_another_currency_says_why_there_are_no_dollars() {
    let bench = Bench::new();
    let row = |section: &str, lines: &str| format!("[{section}]\n{lines}\n{OF}");
    let text =
        row(
            "transceiver.10g-10km",
            "rate = \"10 Gb/s\"\nmodulation = \"nrz\"\npower = \"1 W\"\nprice = \"20 EUR\"",
        ) + &row("switch_port.10g", "rate = \"10 Gb/s\"\npower = \"2 W\"\nprice = \"50 EUR\"")
            + &row("splitter.1x2", "fan_out = 2\nloss_max = \"4 dB\"\nprice = \"7 EUR\"")
            + &row("fibre_price", "price = \"40 EUR\"\nper = \"100 m\"");
    bench.write("parts.toml", text);
    let compare = bench.ask(&[&["compare", "--parts", "parts.toml"], &SMALL[..], &PAPER].concat());
    assert_eq!(compare["catalogue"]["currency"], "EUR");
    // 12 ports and transceivers, 4 splitters, 8 strands at half a pair.
    let fabric = &compare["splitter_fabric"];
    assert_eq!((&fabric["cost"], &fabric["cost_usd"]), (&json!("1028.00 EUR"), &json!(null)));
    assert!(compare["ratios"]["cost_ip_multicast"].is_number());
    let reasons = fabric["missing"].to_string() + &compare["assumed"].to_string();
    assert!(reasons.contains("EUR"), "cost_usd is null without a reason: {fabric}");
}

#[test]
fn a_file_whose_name_would_colour_the_terminal() {
    let bench = Bench::new();
    let file = "a\u{1b}[31m.toml";
    bench.write(file, optic("best_case_budget = \"20 dB\""));
    for command in ["budget", "compare"] {
        bench.run(&[&[command, "--parts", file, "--transceiver", "x"], &SMALL[..]].concat());
    }
}
