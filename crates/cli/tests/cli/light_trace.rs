//! `budget --trace`: the way of single branches, against the budget and the sheets.

use serde_json::Value;

use crate::bench::Bench;
use crate::reader::{Plan, micrometres};

const DESIGN: [&str; 8] =
    ["--family", "kautz", "--p", "4", "--tors", "24", "--transceiver", "10gbase-er"];

fn asked(bench: &Bench, extra: &[&str]) -> Value {
    bench.ask(&[&["budget"], extra, &DESIGN[..]].concat())
}

fn sum(of: &Value, list: &str, key: &str) -> f64 {
    of[list].as_array().expect("a list").iter().filter_map(|one| one[key].as_f64()).sum()
}

#[test]
fn a_branch_has_the_light_of_its_row_and_the_lengths_of_the_plan() {
    let bench = Bench::new();
    bench.plan("plan", &DESIGN);
    let plan = Plan::read(&bench, "plan");
    for (case, loss) in [("worst", "most_db"), ("typical", "typical_db")] {
        let budget = asked(&bench, &["--case", case]);
        let rows = budget["branches"].as_array().expect("rows");
        for row in [&rows[0], &rows[rows.len() / 2], &rows[rows.len() - 1]] {
            let ends = format!("{}->{}", row["from_tor"], row["to_tor"]);
            let trace = asked(&bench, &["--case", case, "--trace", &ends]);
            let branch = &trace["branches"][0];
            assert_eq!(&branch["light"], row);
            let expected = row["loss_db"].as_f64().expect("a loss");
            assert!((sum(branch, "elements", loss) - expected).abs() < 1e-4);
            assert!((sum(branch, "hops", "loss_db") - expected).abs() < 1e-4);
            for kind in ["feed", "branch"] {
                let fibre = &branch[kind];
                let written = plan.of_kind(kind).find(|line| fibre["label"] == line["label"][..]);
                let written = written.expect("it is in cables.csv");
                let metres = fibre["length_m"].as_f64().expect("a length");
                #[allow(clippy::cast_precision_loss, reason = "micrometres of a hall")]
                let metres_written = micrometres(written, "length_m") as f64 / 1e6;
                assert!((metres - metres_written).abs() < 1e-6);
                assert_eq!(fibre["near_label"], written["near_label"][..]);
                assert_eq!(fibre["far_label"], written["far_label"][..]);
            }
        }
        if case == "worst" {
            let worst = &budget["worst"];
            let ends = format!("{}->{}", worst["from_tor"], worst["to_tor"]);
            let trace = asked(&bench, &["--trace", &ends]);
            assert_eq!(trace["branches"][0]["elements"], worst["elements"]);
        }
    }
}

#[test]
fn a_port_and_a_label_name_branches_and_other_names_are_refused() {
    let bench = Bench::new();
    let sent = asked(&bench, &["--trace", "F3"]);
    assert_eq!(sent["branches"].as_array().map(Vec::len), Some(4));
    let port = asked(&bench, &["--trace", "3/0"]);
    assert!(port["branches"].as_array().is_some_and(|found| found.len() >= 4));
    for name in ["3->3", "99->1", "3/77", "nothing"] {
        bench.refuses(&[&["budget", "--trace", name], &DESIGN[..]].concat(), &["--trace"]);
    }
}
