//! What crews return of a plan: what is taken, what is told, and what is refused.

use std::fs;

use serde_json::{Value, json};

use crate::bench::{Bench, Ran, SMALL};
use crate::outputs::full;
use crate::reader::{Row, sheet};

const LIT: [&str; 2] = ["--transceiver", "10gbase-er"];

/// The plan of 8 ToRs in `plan`.
fn planned(flags: &[&str]) -> Bench {
    let bench = Bench::new();
    bench.plan("plan", &[&SMALL, flags].concat());
    bench
}

fn take(bench: &Bench, text: &str) -> Ran {
    bench.write("returned.csv", text);
    bench.run(&["as-built", "plan", "--returned", "returned.csv", "--out", "new", "--json"])
}

fn row(bench: &Bench, file: &str, label: &str) -> Row {
    let rows = sheet(&bench.path(file));
    rows.into_iter().find(|row| row["label"] == label).expect("a row with this label")
}

#[test]
fn a_form_is_filled_in_and_taken_back() {
    let bench = planned(&LIT);
    let written = bench.ask(&["as-built", "plan", "--form", "form.csv"]);
    assert_eq!(written["rows"], 8 + 16);
    let form = fs::read_to_string(bench.path("form.csv")).expect("a form");
    assert!(form.starts_with("label,near_label,far_label,near_at,far_at,"));
    bench.write("empty.csv", &form);
    bench
        .refuses(&["as-built", "plan", "--returned", "empty.csv"], &["empty.csv", "tells nothing"]);
    // A form that is there may be half filled in.
    bench.refuses(&["as-built", "plan", "--form", "form.csv"], &["form.csv", "is there already"]);
    // The form as a spreadsheet writes it, with decimal commas.
    let filled: String = form
        .lines()
        .map(|line| match line.split(',').collect::<Vec<_>>()[..] {
            [label @ "B2.0", near, far, _, _, stock, _, least, most, ..] => {
                let line = [
                    label,
                    near,
                    far,
                    "",
                    "",
                    stock,
                    "22,5",
                    least,
                    most,
                    "9,05",
                    "round the pillar",
                ];
                line.map(|cell| cell.replace('.', ",").replacen("B2,0", "B2.0", 1)).join(";") + "\n"
            }
            _ if line.starts_with("label") => line.replace(',', ";") + "\n",
            _ => String::new(),
        })
        .collect();
    let told = take(&bench, &filled.replace("R1,", "R1."));
    assert_eq!(told.code, 0, "{told:?}");
    let told = told.document();
    assert_eq!((&told["good"], &told["as_built"]["measured"]), (&json!(true), &json!(1)));
    // Its pad of 4 dB lifts the least limit to 6.01 dB, and a branch without it measures up to 6.75 dB.
    assert_eq!(told["as_built"]["pads_not_shown"], 1);
    let cord = row(&bench, "new/cords.csv", "B2.0");
    assert_eq!((cord["length_m"].as_str(), cord["stock_m"].as_str()), ("22.5", "22.5"));
    let record = row(&bench, "new/as-built.csv", "B2.0");
    assert_eq!(
        (record["measured_db"].as_str(), record["verdict"].as_str(), record["note"].as_str()),
        ("9.05", "pass", "round the pillar")
    );
    assert_eq!(bench.verify("new").code, 0);
}

#[test]
fn losses_are_judged_by_the_limits_of_the_test_sheet() {
    let bench = planned(&LIT);
    let limits = row(&bench, "plan/acceptance.csv", "B2.0");
    let (least, most) = (limits["least_db"].as_str(), limits["most_db"].as_str());
    let beyond = |limit: &str, by: f64| format!("{:.2}", limit.parse::<f64>().expect("dB") + by);
    for (measured, verdict, code) in [
        (least, "pass", 0),
        (most, "pass", 0),
        (&beyond(least, -0.01), "too little loss", 1),
        (&beyond(most, 0.01), "too much loss", 1),
        ("no light", "no light", 1),
    ] {
        let told = take(&bench, &format!("label,measured_db\nB2.0,{measured}\n"));
        assert_eq!(told.code, code, "{measured}: {told:?}");
        assert_eq!(row(&bench, "new/as-built.csv", "B2.0")["verdict"], verdict);
        assert_eq!(
            told.document()["as_built"]["failed"].as_array().map(Vec::len),
            Some(usize::from(code == 1))
        );
        assert_eq!(bench.verify("new").code, 0);
    }
}

/// Two receive cords of one ToR change places: light arrives, and a failed receiver is the one behind that port.
#[test]
fn ports_of_one_switch_that_are_exchanged_are_followed() {
    let bench = planned(&[]);
    let ports = |plan: &str| -> Vec<String> {
        let rows = sheet(&bench.path(&format!("{plan}/ports.csv")));
        let of = rows.into_iter().filter(|row| row["tor"] == "4");
        of.map(|row| format!("{} hears {}", row["port"], row["rx_from_tor"])).collect()
    };
    assert_eq!(ports("plan"), ["0 hears 0", "1 hears 2"]);
    let told = take(&bench, "label,far_at\nB0.0,B2.0\nB2.0,B0.0\n");
    assert_eq!(told.code, 0, "{told:?}");
    assert_eq!(ports("new"), ["0 hears 2", "1 hears 0"]);
    assert_eq!(told.document()["as_built"]["to_print"], json!(["B0.0", "B2.0"]));
    assert_eq!(bench.verify("new").code, 0);
}

#[test]
fn light_that_goes_astray_is_told_and_no_plan_is_written() {
    let bench = planned(&[]);
    let told = take(&bench, "label,far_at\nB1.0,B2.1\nB2.1,B1.0\n");
    assert_eq!(told.code, 1);
    let told = told.document();
    assert_eq!(told["good"], false);
    let from: Vec<&Value> =
        told["astray"].as_array().expect("a list").iter().map(|a| &a["from"]).collect();
    assert_eq!(from, ["R1.02", "R1.03"]);
    assert_eq!(told["move_back"], json!(["B1.0 far", "B2.1 far"]));
    assert_eq!(told["out"], Value::Null);
    assert!(!bench.path("new").exists());
    // A transmitter and a receiver of one port, exchanged: the commonest mistake of all.
    let told = take(&bench, "label,near_at,far_at\nF4,B0.0 far,\nB0.0,,F4 near\n").document();
    assert_eq!(told["move_back"], json!(["B0.0 far", "F4 near"]));
    // A plan that was there before is not said to be written, also where the answer cannot be printed.
    bench.plan("new", &SMALL);
    let args = ["as-built", "plan", "--returned", "returned.csv", "--out", "new"];
    let (code, told) = full(&bench, &args);
    assert!(code == 2 && told.contains("No space left") && !told.contains("written"), "{told}");
}

#[test]
fn sheets_that_cannot_be_meant_are_refused() {
    let bench = Bench::new();
    bench.write(
        "design.toml",
        "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n[splitters]\nhousing = \"zone\"\n\
         cabling = \"trunked\"\npolish = \"apc\"\n",
    );
    bench.plan("plan", &["design.toml"]);
    for (text, parts) in [
        ("label,who\nF1,me\n", &["returned.csv:1", "who", "note"][..]),
        ("near_at\nF1\n", &["label", "missing"]),
        ("label,note\nF99,x\n", &["returned.csv:2", "label", "F99", "T3.2"]),
        ("label,note\nT1.07,x\n", &["returned.csv:2", "T1.07"]),
        ("label,note\n,x\n", &["returned.csv:2", "label", "empty"]),
        ("label,far_at\nF1,F2\n", &["returned.csv:2", "F1 far", "F2 far", "tell where"]),
        ("label,far_at\nF1,F2\nF3,F2\nF2,F1\n", &["F1 far", "F3 far", "both"]),
        ("label,far_at\nF1J,B1.0J\nB1.0J,F1J\n", &["F1J far", "apc", "upc", "fit"]),
        ("label,far_at\nF1,T1.1\nT1.1,F1\n", &["MPO", "fit"]),
        ("label,far_at\nF1,F2 middle\n", &["far_at", "F2 middle", "near"]),
        ("label,near_at,far_at\nF1,F1 far,F1 near\n", &["F1", "ends exchanged"]),
        ("label,far_at\nF1,F2\nF1,F3\n", &["returned.csv:3", "told twice"]),
        ("label,measured_db\nF1,3\n", &["returned.csv:2", "measured_db", "no branch"]),
        ("label,measured_db\nB1.0,-3\n", &["returned.csv:2", "measured_db", "-3"]),
        ("label,measured_db\nB1.0,dark\n", &["returned.csv:2", "measured_db", "no light"]),
        ("label,measured_db\nB1.0,3\nB1.0,4\n", &["returned.csv:3", "measured twice"]),
        ("label,length_m\nF1,0\n", &["returned.csv:2", "length_m", "0 m"]),
        ("label,length_m\nF1,1e9\n", &["returned.csv:2", "length_m"]),
        ("label,length_m\nT1.1,9\n", &["returned.csv:2", "length_m", "trunk"]),
        ("label,note\nF1,\"a\nb\"\n", &["returned.csv:2", "note", "line"]),
        (
            "label,near_label,note\nF1,R9.01-T1:0,x\n",
            &["returned.csv:2", "near_label", "another plan"],
        ),
        ("label,stock_m,note\nF1,30,x\n", &["returned.csv:2", "stock_m", "30", "length_m"]),
        ("label,most_db,note\nF1,30,x\n", &["returned.csv:2", "most_db", "30", "measured_db"]),
        ("label\nF1\n", &["returned.csv", "tells nothing"]),
    ] {
        bench.write("returned.csv", text);
        let line = ["as-built", "plan", "--returned", "returned.csv", "--out", "new"];
        bench.refuses(&line, parts);
    }
}

#[test]
fn a_plan_of_which_nothing_is_known_is_refused() {
    let bench = planned(&[]);
    bench.write("returned.csv", "label,note\nF1,loose clip\n");
    let line = ["as-built", "plan", "--returned", "returned.csv", "--out", "new"];
    let cords = bench.path("plan/cords.csv");
    let text = fs::read_to_string(&cords).expect("a sheet");
    fs::write(&cords, text.replacen("yellow", "green", 1)).expect("written");
    bench.refuses(&line, &["plan", "cords.csv", "lightloom verify"]);
    fs::write(&cords, text).expect("written");
    assert_eq!(bench.run(&line).code, 0);
    // Marks that somebody edited cannot be built so.
    let path = bench.path("new/plan.json");
    let text = fs::read_to_string(&path).expect("a file");
    for (mark, part) in [
        (json!({"label": "F1", "far_at": "F2"}), "nothing moves away"),
        (json!({"label": "F99", "note": "x"}), "F99"),
        (json!({"label": "B1.0", "measured": "-7 dB"}), "-7"),
        (json!({"label": "F1", "length": "0 m"}), "0 m"),
    ] {
        let mut document: Value = serde_json::from_str(&text).expect("JSON");
        document["as_built"] = json!([mark]);
        fs::write(&path, document.to_string()).expect("written");
        bench.refuses(&["verify", "new"], &["plan.json", "as_built", part]);
    }
    let mut document: Value = serde_json::from_str(&text).expect("JSON");
    document["as_built"][0]["note"] = json!("tight clip");
    fs::write(&path, document.to_string()).expect("written");
    let verified = bench.verify("new");
    assert_eq!(verified.code, 1);
    assert!(verified.stdout.contains("as-built.csv"), "{verified:?}");
}

/// A plan that grew keeps its stages and cords: they tell how it grew, not what was built otherwise afterwards.
#[test]
fn a_plan_that_grew_is_told_of_too() {
    let bench = planned(&["--housing", "receiver"]);
    bench.ask(&["grow", "plan", "--tors", "11", "--out", "grown"]);
    let cords = |plan: &str| bench.column(&format!("{plan}/cords.csv"), "label");
    let label =
        cords("grown").into_iter().find(|label| label.starts_with("B8.")).expect("a new cord");
    bench.write(
        "returned.csv",
        format!("label,far_at,length_m\nB4.0,B6.0,\nB6.0,B4.0,\n{label},,40\n"),
    );
    bench.ask(&["as-built", "grown", "--returned", "returned.csv", "--out", "new"]);
    assert_eq!(bench.verify("new").code, 0);
    for file in ["growth.csv", "stages.json"] {
        let text = |plan: &str| fs::read(bench.path(&format!("{plan}/{file}"))).expect("a file");
        assert!(text("new") == text("grown"), "{file}");
    }
    let heard = |plan: &str| -> Vec<String> {
        let rows = sheet(&bench.path(&format!("{plan}/ports.csv")));
        rows.into_iter()
            .filter(|row| row["tor"] == "0")
            .map(|row| row["rx_label"].clone())
            .collect()
    };
    assert_eq!(heard("grown"), ["B4.0", "B6.0"]);
    assert_eq!(heard("new"), ["B6.0", "B4.0"]);
}

#[test]
fn other_commands_know_of_marks() {
    let bench = planned(&["--housing", "receiver"]);
    bench.write("returned.csv", "label,note\nF1,loose clip\n");
    bench.ask(&["as-built", "plan", "--returned", "returned.csv", "--out", "new"]);
    bench.refuses(&["grow", "new", "--tors", "12"], &["as_built", "grow"]);
    bench.write(
        "d.toml",
        "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n[splitters]\nhousing = \
        \"receiver\"\n",
    );
    bench.ask(&["report", "new", "--design", "d.toml", "--out", "report.html"]);
    let page = fs::read_to_string(bench.path("report.html")).expect("a page");
    assert!(page.contains("As built"), "{page:.200}");
    let again = bench.run(&[&["plan", "--out", "again", "--keep", "new"], &SMALL[..]].concat());
    assert_eq!(again.code, 0);
    assert!(again.said().contains("1 mark(s)"), "{again:?}");
}
