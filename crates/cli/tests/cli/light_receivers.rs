//! What is said of receivers whose kind, damage threshold or kind of power no sheet prints.

use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};
use crate::light_budget::close;
use crate::light_catalogues::OF;

const SHEETS: [&str; 2] = ["--catalogue", "datasheets-2026"];

fn budget(bench: &Bench, design: &[&str], transceiver: &str) -> Value {
    bench.ask(&[&["budget"], design, &SHEETS, &["--transceiver", transceiver]].concat())
}

fn gaps(budget: &Value) -> String {
    budget["gaps"].to_string()
}

#[test]
fn a_receiver_of_unknown_kind_keeps_the_ratio_of_its_sensitivity() {
    let bench = Bench::new();
    // No source prints the kind of this receiver. 1e-12 over 12,144 bits of a frame is 1.2e-8.
    let found = budget(&bench, &SMALL, "10g-zr");
    assert!(gaps(&found).contains("kind of its receiver is unknown"), "{}", gaps(&found));
    assert_eq!(found["verdict"], "warn");
    for branch in found["branches"].as_array().expect("branches") {
        assert!(branch["margin_db"].as_f64() > Some(1.0), "{branch}");
        assert_eq!(branch["pre_fec_ber"], json!(1e-12));
        close(&json!(branch["frame_loss"].as_f64().expect("a share") * 1e8), 1.2144, "lost");
        assert_eq!(branch["pre_fec_ber_is_bound"], true);
        assert_eq!(branch["frame_loss_is_bound"], true);
    }
    let text =
        bench.run(&[&["budget"], &SMALL[..], &SHEETS, &["--transceiver", "10g-zr"]].concat());
    assert!(text.stdout.contains("≤ 1.0e-12") && text.stdout.contains("≤ 1.2e-8"), "{text:?}");
}

#[test]
fn no_ratio_is_below_one_floor() {
    let bench = Bench::new();
    let found = budget(&bench, &SMALL, "10g-l40");
    let branch = &found["branches"][0];
    assert!(branch["margin_db"].as_f64() > Some(5.0), "{branch}");
    assert_eq!(
        (&branch["pre_fec_ber"], &branch["pre_fec_ber_is_bound"]),
        (&json!(1e-15), &json!(true))
    );
    // Each of the 12,144 bits of a frame may be wrong with 1e-15.
    assert_eq!(branch["frame_loss_is_bound"], true);
    close(&json!(branch["frame_loss"].as_f64().expect("a share") * 1e11), 1.2144, "lost");
    let drawn = [&["budget"], &SMALL[..], &SHEETS, &["--transceiver", "10g-l40"]].concat();
    let drawn = bench.ask(&[&drawn[..], &["--case", "monte-carlo"]].concat());
    let branches = drawn["branches"].as_array().expect("branches");
    assert!(branches.iter().all(|branch| branch["pre_fec_ber"].as_f64() >= Some(1e-15)));
}

#[test]
fn a_sensitivity_of_unprinted_kind_never_passes() {
    let bench = Bench::new();
    // Average launch power, no extinction ratio: nothing to compare with.
    let found = budget(&bench, &SMALL, "4wdm-40");
    assert_eq!(found["verdict"], "unknown");
    assert_eq!(found["worst_margin_db"], Value::Null);
    let told = gaps(&found);
    assert!(told.contains("unprinted (read as OMA)") && told.contains("extinction"), "{told}");
    assert!(told.contains("damage threshold is unknown"), "{told}");
    assert!(!told.contains("kind of its receiver"), "{told}");
    // The extinction ratio of 3.5 dB makes 0 dBm of average power at least -1.164 dBm of amplitude.
    let found = budget(&bench, &SMALL, "25gbase-er");
    assert_eq!(found["verdict"], "warn");
    assert!(gaps(&found).contains("read as OMA"), "{}", gaps(&found));
    let branch = &found["branches"][0];
    let loss = branch["loss_db"].as_f64().expect("a loss");
    let margin = branch["margin_db"].as_f64().expect("a margin");
    assert!((margin - (-1.164 + 19.0 - 1.0 - loss)).abs() < 1e-3, "{branch}");
}

/// Only the row that is laid over another one can say that a value of it is unknown.
#[test]
fn an_inherited_value_is_removed() {
    let bench = Bench::new();
    let over = |lines: &str| {
        bench.write("parts.toml", format!("[transceiver.10g-l40]\n{lines}\n{OF}"));
        let asked = [&["budget"], &SMALL[..], &SHEETS, &["--transceiver", "10g-l40"]].concat();
        bench.ask(&[&asked[..], &["--parts", "parts.toml"]].concat())
    };
    let whole = over("");
    assert_eq!(whole["verdict"], "pass");
    assert!(over("receiver = \"unknown\"").get("gaps").is_some());
    assert!(gaps(&over("receiver = \"unknown\"")).contains("kind of its receiver is unknown"));
    assert_eq!(over("sensitivity = \"unknown\"")["verdict"], "unknown");
    assert!(gaps(&over("overload = \"unknown\"")).contains("overload is unknown"));
    let deaf = over("ber = \"unknown\"");
    assert_eq!(deaf["branches"][0]["pre_fec_ber"], Value::Null);
    // Without the penalty of 3.2 dB.
    let least = |found: &Value| found["worst_margin_db"].as_f64().expect("a margin");
    close(&json!(least(&over("penalty = \"unknown\"")) - least(&whole)), 3.2, "penalty");
    // What a row needs cannot be unknown.
    bench.write("parts.toml", format!("[splitter.plc-1x2]\nloss_max = \"unknown\"\n{OF}"));
    let asked = [&["budget"], &SMALL[..], &SHEETS, &["--transceiver", "10g-l40"]].concat();
    bench.refuses(
        &[&asked[..], &["--parts", "parts.toml"]].concat(),
        &["parts.toml:2", "splitter.plc-1x2.loss_max", "cannot be unknown"],
    );
}

/// The power of a switch port, the typical loss of a splitter and the part number of a row are removed too.
#[test]
fn values_of_every_kind_of_row_are_removed() {
    let bench = Bench::new();
    let over = |row: &str| {
        bench.write("parts.toml", format!("{row}\n{OF}"));
        let flags = ["--catalogue", "shufflecast-2022", "--transceiver", "10g-10km"];
        bench.ask(&[&["compare"], &SMALL[..], &flags[..], &["--parts", "parts.toml"]].concat())
    };
    let missing = |found: &Value| found["splitter_fabric"]["missing"].to_string();
    let known = over("[switch_port.10g]");
    assert!(!missing(&known).contains("switch port"), "{known}");
    let unknown = over("[switch_port.10g]\npower = \"unknown\"\nprice = \"unknown\"");
    let told = missing(&unknown);
    assert!(
        told.contains("switch port") && told.contains("power") && told.contains("price"),
        "{told}"
    );
}
