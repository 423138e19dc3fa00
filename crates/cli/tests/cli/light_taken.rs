//! A design of `explore` has the figures of a design file with its settings, and can be planned.

use serde_json::Value;

use crate::bench::Bench;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// Settings of a row, over the other settings of a design.
fn taken(row: &Value, tors: u64, others: &str) -> String {
    let text = |key: &str| row[key].as_str().expect("a text").to_owned();
    let size = row["k"].as_u64().map_or(format!("tors = {tors}"), |k| format!("k = {k}"));
    let modules = if others.contains("# modules") && text("cabling") == "trunked" {
        "shuffle = \"modules\"\n"
    } else {
        ""
    };
    format!(
        "version = 1\n[fabric]\nfamily = \"{}\"\np = {}\n{size}\n[splitters]\nhousing = \"{}\"\ncabling = \"{}\"\n\
         {modules}[optics]\ntransceiver = \"{}\"\n{others}",
        text("family"),
        row["p"],
        text("housing"),
        text("cabling"),
        text("transceiver"),
    )
}

/// Searches for designs, and compares each with the answers for a file of its own. Returns their number.
fn compared(base: &str, (tors, case): (u64, &str), others: &str) -> usize {
    let bench = Bench::new();
    bench.write("base.toml", format!("version = 1\n{base}{others}"));
    let found = bench.ask(&["explore", "base.toml", "--case", case]);
    let rows = found["designs"].as_array().expect("designs");
    for row in rows {
        bench.write("taken.toml", taken(row, tors, others));
        let light = bench.ask(&["budget", "taken.toml", "--case", case]);
        let money = bench.ask(&["compare", "taken.toml"]);
        for (key, of) in [("worst_margin_db", &light), ("cost_usd", &money["bill"])] {
            assert_eq!(row[key], of[key], "{key}: {row}\n{base}");
        }
    }
    rows.len()
}

#[test]
fn a_row_has_the_figures_of_its_design_wherever_splitters_are() {
    let fabric =
        "[fabric]\nfamily = \"kautz\"\np = 4\ntors = 24\n[optics]\ntransceiver = \"10g-l40\"\n";
    for splitters in ["", "housing = \"receiver\"\n", "housing = \"zone\"\n"] {
        assert!(
            compared(&format!("{fabric}[splitters]\n{splitters}"), (24, "worst"), "") > 2,
            "{splitters}"
        );
    }
    // Typical values close over the connectors of trunks.
    let fabric = fabric.replace("10g-l40", "25gbase-er");
    for (shuffle, others) in [("", ""), ("shuffle = \"modules\"\n", "# modules\n")] {
        let splitters =
            format!("[splitters]\nhousing = \"zone\"\ncabling = \"trunked\"\n{shuffle}");
        assert!(
            compared(&format!("{fabric}{splitters}"), (24, "typical"), others) > 1,
            "{shuffle}"
        );
    }
}

#[test]
fn a_design_for_which_switches_lack_interfaces_is_rejected() {
    let others = format!(
        "[tor]\nrole = \"leaf\"\nreserved = [\"reserved\", \"uplink\"]\n[hall]\ninventory = \
            \"{EXAMPLES}/netbox-racks.csv\"\n\
         devices = \"{EXAMPLES}/netbox-devices.csv\"\ninterfaces = \"{EXAMPLES}/netbox-interfaces.csv\"\n\
         site = [\"Harbor Hall\"]\nlocation = [\"Row *\"]\n"
    );
    let base =
        "[fabric]\nfamily = \"kautz\"\np = 2\ntors = 24\n[optics]\ntransceiver = \"25gbase-er\"\n";
    assert!(compared(base, (24, "worst"), &others) > 8);
    let bench = Bench::new();
    bench.write("base.toml", format!("version = 1\n{base}{others}"));
    let found = bench.ask(&["explore", "base.toml"]);
    let rejected = found["rejected"].as_array().expect("rejected designs").iter();
    let reasons = rejected.filter(|row| row["p"] == 16 && row["family"] == "kautz");
    let reasons: Vec<_> = reasons.map(|row| row["reasons"][0].to_string()).collect();
    let says = |reason: &String| reason.contains("the fabric needs 12 of 25 Gbps");
    assert!(!reasons.is_empty() && reasons.iter().any(says), "{reasons:?}");
}

#[test]
fn a_design_whose_frames_do_not_fit_the_hall_is_rejected_and_the_others_are_found() {
    let bench = Bench::new();
    let design = "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\ntors = 400\n[hall]\nracks_per_row = 6\ndepth = \
        \"162 m\"\n";
    bench.write("narrow.toml", design);
    let found = bench.ask(&["explore", "narrow.toml"]);
    assert!(found["designs"].as_array().expect("designs").len() > 10);
    let rejected = found["rejected"].as_array().expect("rejected designs");
    let too_wide = |row: &&Value| {
        row["housing"] == "zone"
            && row["reasons"][0].as_str().is_some_and(|r| r.contains("outside the hall"))
    };
    let row = rejected.iter().find(too_wide).expect("a design with too many frames");
    // A plan of that design is refused for the same reason.
    let family = row["family"].as_str().expect("a family");
    let (p, cabling) = (&row["p"], row["cabling"].as_str().expect("a cabling"));
    bench.write(
        "taken.toml",
        design.replace("kautz", family).replace("p = 2", &format!("p = {p}"))
            + &format!("[splitters]\nhousing = \"zone\"\ncabling = \"{cabling}\"\n"),
    );
    let refused = bench.run(&["info", "taken.toml"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("outside the hall"), "{}", refused.stderr);
}
