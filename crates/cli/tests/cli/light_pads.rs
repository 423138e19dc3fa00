//! Pads of a plan: chosen by hand here, and in every file that has to do with them.

use std::fs;

use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};
use crate::light_budget::{FIFTY, L40, branches_of, close};
use crate::light_plans::tampered;
use crate::reader::{Plan, Row, number};

/// 0 to 6 dBm out, -19 to -4 dBm in with a penalty of 1 dB; -3 dBm destroys its receiver.
const APD: [&str; 6] =
    ["--catalogue", "datasheets-2026", "--transceiver", "25gbase-er", "--parts", "parts.toml"];
/// Its sensitivity is taken as average power here, which no sheet says.
const AVERAGE: &str = "[transceiver.25gbase-er]\nsensitivity_unprinted = \"unknown\"\nsensitivity = \"-19 dBm\"\n\
                       source = \"mine\"\ndate = \"2026-11\"\n";

fn pads(plan: &Plan) -> Vec<&Row> {
    plan.bom.iter().filter(|row| row["item"] == "pad").collect()
}

#[test]
fn a_chosen_pad_is_in_the_sheets_the_bill_and_the_answer() {
    // 6 dBm over an output of 5.22 dB is 4.78 dB too strong, so a pad of 6 dB ± 0.5 would leave 0.72 dB, and
    // 7 dB ± 0.5 leaves the decibel that is wanted. 18 dB less the losses of 1:4 then leave 1.3 dB.
    let strongest = 6.0 - (10.0 * 4.0_f64.log10() - 0.8);
    let headroom = |pad: f64| -4.0 - (strongest - (pad - 0.5));
    assert!(headroom(6.0) < 1.0 && headroom(7.0) > 1.0);
    let most = 0.0 + 19.0 - 1.0 - (7.4 + 0.3 + 1.5) - 7.5;
    let branches = branches_of(&FIFTY);
    for (at, variant, quantity, spares) in [
        ("transmitter", "at a transmitter", 50, 3),
        ("feed", "at a splitter's input", 50, 3),
        // 5 %, rounded up.
        ("receiver", "at a receiver", branches, branches.div_ceil(20)),
    ] {
        let bench = Bench::new();
        let price =
            "[pad.lc-7db]\nprice = \"4.500001 USD\"\nsource = \"mine\"\ndate = \"2026-11\"\n";
        bench.write("parts.toml", AVERAGE);
        // A pad of the catalogue has an assumed price, which does not count here.
        let design = [&FIFTY[..], &APD, &["--pad-at", at, "--prices", "sourced"]].concat();
        let planned = bench.ask(&[&["plan", "--out", "plan"], &design[..]].concat());
        let text = format!("lc-7db at the {at}");
        assert_eq!(planned["light"]["pad"], text, "{at}");
        let rows = planned["catalogue"]["rows"].as_array().expect("rows");
        let row = rows.iter().find(|row| row["kind"] == "pad").expect("the row of the pad");
        assert_eq!(row["name"], "lc-7db", "{at}");
        assert!(row["source"].as_str().is_some_and(|source| source.contains("GR-910")), "{row}");
        close(&planned["light"]["worst"]["worst_headroom_db"], headroom(7.0), at);
        let margin = planned["light"]["worst"]["worst_margin_db"].as_f64().expect("a margin");
        assert!(margin < most && margin > most - 0.05, "{at}: {margin}, by hand {most}");
        assert_eq!(planned["optical"], "pass", "{at}");

        let plan = Plan::read(&bench, "plan");
        for row in &plan.cables {
            let fits = (row["kind"] == "branch") == (at == "receiver");
            assert_eq!(row["pad"], if fits { text.as_str() } else { "" }, "{at}: {row:?}");
            // It has the label of the end that it is plugged into.
            let (near, far) = row["near_label"].split_once(" / ").expect("two ends");
            let end = if at == "transmitter" { near } else { far };
            let label = if fits { format!("{end} PAD") } else { String::new() };
            assert_eq!(row["pad_label"], label, "{at}: {row:?}");
        }
        let [pad] = pads(&plan)[..] else { panic!("{at}: {:?}", plan.bom) };
        assert_eq!((pad["variant"].as_str(), pad["part"].as_str()), (variant, "lc-7db"));
        let counts = ["quantity", "spares", "order"].map(|column| number(pad, column));
        assert_eq!(counts, [quantity, spares, quantity + spares], "{at}");
        assert_eq!(pad["unit_power"], "0 W", "a pad draws nothing");
        let held = &plan.document["optics"]["optics"]["pad"];
        assert_eq!((&held["pad"]["name"], &held["at"]), (&json!("lc-7db"), &json!(at)));
        assert_eq!(plan.document["report"]["light"], planned["light"]);
        let missing = |answer: &Value| {
            let missing = answer["bill"]["missing"].as_array().expect("a list");
            missing.iter().filter(|missing| missing["part"] == "pad lc-7db").cloned().collect()
        };
        let lacks: Vec<Value> = missing(&planned);
        assert_eq!(lacks.len(), 1, "{at}: its price, and no power: {lacks:?}");
        assert_eq!(lacks[0]["quantity"], quantity, "{at}");
        let verified = bench.verify("plan");
        assert_eq!(verified.code, 0, "{at}: {verified:?}");

        // With a price it is in the sum, at each of its places once.
        bench.write("parts.toml", format!("{AVERAGE}{price}"));
        let priced = bench.ask(&[&["plan", "--out", "priced"], &design[..]].concat());
        assert_eq!(missing(&priced), Vec::<Value>::new(), "{at}");
        let cost = |answer: &Value| answer["bill"]["cost_usd"].as_f64().expect("a sum");
        let more = cost(&priced) - cost(&planned);
        assert!((more - 4.500001 * quantity as f64).abs() < 1e-6, "{at}: {more}");
        assert_eq!(bench.verify("priced").code, 0, "{at}");
    }
}

#[test]
fn a_design_without_pads_has_none_anywhere() {
    let bench = Bench::new();
    bench.write("parts.toml", AVERAGE);
    // The same part with no pad is blinded, and with its weakest pad still.
    for (pad, cell) in [("none", ""), ("lc-1db", "lc-1db at the transmitter")] {
        let design = [&FIFTY[..], &APD, &["--pad", pad]].concat();
        let ran = bench.run(&[&["plan", "--out", "plan", "--json"], &design[..]].concat());
        assert_eq!(ran.code, 1, "{ran:?}");
        assert_eq!(ran.document()["optical"], "fail");
        let plan = Plan::read(&bench, "plan");
        for row in plan.of_kind("feed") {
            assert_eq!(row["pad"], cell, "{row:?}");
        }
        assert_eq!(pads(&plan).len(), usize::from(pad != "none"));
        let verified = bench.verify("plan");
        assert_eq!(verified.code, 1);
        assert!(verified.stdout.contains("the light does not arrive"), "{verified:?}");
    }
    // Where the light is not too strong, none is chosen: 4 dBm over 5.22 dB under 0.5 dBm.
    let planned = bench.ask(&[&["plan", "--out", "other"], &FIFTY[..], &L40].concat());
    assert_eq!(planned["light"]["pad"], Value::Null);
    let plan = Plan::read(&bench, "other");
    assert!(plan.cables.iter().all(|row| row["pad"].is_empty()) && pads(&plan).is_empty());
    for pad in ["lc-11db", "", "LC-3DB", "auto,none"] {
        let said = format!("--pad={pad}");
        bench.refuses(&[&["plan", "--out", "new", &said], &FIFTY[..], &L40].concat(), &["--pad"]);
    }
}

/// The words of the setting cannot be names of pads: such a pad could not be asked for.
#[test]
fn a_pad_with_the_name_of_a_word_is_refused() {
    for word in ["auto", "none"] {
        let bench = Bench::new();
        let row = format!(
            "[pad.{word}]\nattenuation = \"3 dB\"\ntolerance = \"0.5 dB\"\nsource = \"mine\"\ndate = \
             \"2026-11\"\n"
        );
        bench.write("parts.toml", row);
        let args = [&["budget"], &SMALL[..], &L40, &["--parts", "parts.toml"]].concat();
        bench.refuses(&args, &["parts.toml:1", word, "optics.pad", "another name"]);
    }
}

/// What may happen to a receiver is told with the pad and without it, in hundredths of a decibel.
#[test]
fn hazards_name_the_power_that_damages() {
    let bench = Bench::new();
    bench.write("parts.toml", AVERAGE);
    let budget = bench.ask(&[&["budget"], &FIFTY[..], &APD].concat());
    let hazards = budget["hazards"].as_array().expect("hazards");
    let said: Vec<&str> = hazards.iter().map(|line| line.as_str().expect("a sentence")).collect();
    // 6 dBm through a cord; 6 dBm over an output of 5.22 dB without the pad.
    for parts in [["bypasses the splitter", " 6", "-3 dBm"], ["lc-7db", " 0.78 dBm", "-3 dBm"]] {
        let found = said.iter().any(|line| parts.iter().all(|part| line.contains(part)));
        assert!(found, "{parts:?} in {said:?}");
    }
}

/// `verify` accepts a plan with its pad, and not the same folder without it.
#[test]
fn a_pad_that_is_edited_away_is_missed() {
    let bench = Bench::new();
    bench.plan("plan", &[&SMALL[..], &L40].concat());
    assert_eq!(bench.verify("plan").code, 0);
    let plan = Plan::read(&bench, "plan");
    assert_eq!(plan.document["optics"]["optics"]["pad"]["pad"]["name"], "lc-3db");
    // In plan.json: the light would be 0.99 dB too strong, and every sheet has the pad still.
    let (code, said) = tampered(true, "/optics/optics/pad", &json!(null));
    assert_eq!(code, 1, "{said}");
    for row in [2, 5, 8, 11, 14, 17, 20, 23] {
        let pad = format!("cables.csv:{row}: pad of F{}", (row - 2) / 3);
        assert!(said.contains(&pad), "{pad} in {said}");
    }
    let bare = bench.run(&[&["plan", "--out", "bare", "--pad", "none"], &SMALL[..], &L40].concat());
    assert_eq!(bare.code, 1, "{bare:?}");
    let strongest = 4.0 - (10.0 * 2.0_f64.log10() - 0.5);
    let light = &Plan::read(&bench, "bare").document["report"]["light"];
    close(&light["worst"]["worst_headroom_db"], 0.5 - strongest, "without the pad");
    assert!(bench.verify("bare").stdout.contains("the light does not arrive"));
    // In the sheets.
    for (file, from, to) in [
        ("cables.csv", "lc-3db at the transmitter", ""),
        ("cables.csv", "lc-3db at the transmitter", "lc-2db at the transmitter"),
        ("bom.csv", "lc-3db", "lc-2db"),
        ("bom.csv", "pad,at a transmitter,,8", "pad,at a transmitter,,7"),
    ] {
        let path = bench.path("plan").join(file);
        let text = fs::read_to_string(&path).expect("a sheet");
        assert!(text.contains(from), "{from} in {text}");
        fs::write(&path, text.replacen(from, to, 1)).expect("written");
        let ran = bench.verify("plan");
        assert_eq!(ran.code, 1, "{file}: {from}: {ran:?}");
        assert!(ran.stdout.contains(file), "{file}: {from}: {ran:?}");
        fs::write(&path, text).expect("written");
        assert_eq!(bench.verify("plan").code, 0);
    }
}
