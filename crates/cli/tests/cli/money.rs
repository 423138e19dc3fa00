//! Ranges of prices: what counts, what is open, what is assumed, and one table that reconciles all totals.

use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};
use crate::light_budget::L40;
use crate::reader::Plan;

const FIFTY: [&str; 6] = ["--family", "kautz", "--p", "4", "--tors", "50"];
const OF: &str = "source = \"mine\"\ndate = \"2026-11\"\n";

fn amount(value: &Value) -> f64 {
    let text = value.as_str().unwrap_or_else(|| panic!("{value} is no amount"));
    text.split(' ').next().and_then(|number| number.parse().ok()).expect("a number")
}

fn list<'a>(answer: &'a Value, at: &str) -> &'a Vec<Value> {
    answer.pointer(at).and_then(Value::as_array).unwrap_or_else(|| panic!("{at} in {answer}"))
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs()) + 1e-6
}

/// A total with a price for everything.
fn check_closed(total: &Value, what: &str) {
    let lacks = list(total, "/missing").iter().any(|missing| missing["value"] == "price");
    assert!(!lacks, "{what}: {}", total["missing"]);
    let range = if total["range"].is_null() { &total["cost_range"] } else { &total["range"] };
    let [low, typical, high] = ["low", "typical", "high"].map(|end| amount(&range[end]));
    assert!(0.0 < low && low <= typical && typical <= high, "{what}: {range}");
    assert!(
        range["assumed_percent"].as_f64().is_some_and(|of| (0.0..=100.0).contains(&of)),
        "{what}"
    );
}

#[test]
fn every_design_of_a_search_has_a_closed_range() {
    for (tors, rate) in [("64", "10"), ("64", "25"), ("64", "100"), ("64", "400")] {
        let rate = format!("{rate} Gb/s");
        let found = Bench::new().ask(&["explore", "--tors", tors, "--rate", &rate]);
        let zr = |design: &&Value| {
            design["transceiver"].as_str().is_some_and(|name| name.contains("zr"))
        };
        // Only parts of ZR have no price.
        for design in
            list(&found, "/designs").iter().filter(|design| rate != "400 Gb/s" || !zr(design))
        {
            check_closed(design, &format!("{tors} at {rate}: {design}"));
        }
        for missing in list(&found, "/designs").iter().flat_map(|design| list(design, "/missing")) {
            let part = missing["part"].as_str().expect("a part");
            assert!(missing["value"] == "power" || part.contains("400zr"), "{missing}");
        }
        assert!(rate == "400 Gb/s" || !list(&found, "/designs").is_empty(), "{rate}");
    }
}

#[test]
fn totals_add_up_by_kinds_of_parts_and_say_what_they_lack() {
    for housing in ["sender", "receiver", "zone"] {
        let bench = Bench::new();
        let args = [&["plan", "--out", "plan"], &FIFTY[..], &L40, &["--housing", housing]].concat();
        let planned = bench.ask(&args);
        let totals = list(&planned, "/totals");
        let names: Vec<&Value> = totals.iter().map(|total| &total["name"]).collect();
        assert_eq!(names, ["plan", "order"]);
        for (total, same) in totals.iter().zip([&planned["bill"], &planned["to_order"]]) {
            let sum: f64 = list(total, "/groups").iter().map(|group| amount(&group["cost"])).sum();
            assert!(close(sum, amount(&total["cost"])), "{housing}: {sum}, {total}");
            for key in ["cost", "power_w", "range", "missing"] {
                assert_eq!(total[key], same[key], "{housing} {key}");
            }
            check_closed(total, housing);
        }
        let of = |number: usize, kind: &str| {
            list(&totals[number], "/groups").iter().find(|group| group["of"] == kind).cloned()
        };
        assert!(of(1, "switch ports").is_none() && of(0, "spares").is_none(), "{housing}");
        // The order is the plan without ports, with spares.
        let with = amount(&totals[0]["cost"]) - amount(&of(0, "switch ports").unwrap()["cost"])
            + amount(&of(1, "spares").unwrap()["cost"]);
        assert!(close(with, amount(&totals[1]["cost"])), "{housing}");
        let compared = bench.ask(&[&["compare"], &args[3..]].concat());
        let names: Vec<&Value> =
            list(&compared, "/totals").iter().map(|total| &total["name"]).collect();
        assert_eq!(names, ["plan", "order", "compared", "one multicast"]);
        assert_eq!(compared.pointer("/totals/0/cost"), planned.pointer("/bill/cost"));
        let whole = compared.pointer("/whole_fabric/splitter_fabric/cost");
        assert_eq!(compared.pointer("/totals/2/cost"), whole);
    }
}

/// Modules of splitters are ordered wherever the splitters sit.
#[test]
fn the_bill_has_the_modules_and_shelves_of_modules_csv() {
    let eight = ["--family", "kautz", "--p", "8", "--tors", "30"];
    let many = ["--family", "kautz", "--p", "16", "--tors", "40"];
    for (design, housing) in [&SMALL[..], &FIFTY, &eight, &many]
        .into_iter()
        .flat_map(|design| ["sender", "receiver", "zone"].map(|housing| (design, housing)))
    {
        let bench = Bench::new();
        bench.ask(&[&["plan", "--out", "plan", "--housing", housing], design].concat());
        let plan = Plan::read(&bench, "plan");
        let modules = crate::reader::sheet(&bench.path("plan/modules.csv"));
        let is = |kind: &'static str| modules.iter().filter(move |row| row["kind"] == kind);
        let ordered = |item: &str| -> usize {
            let lines = plan.bom.iter().filter(|line| line["item"] == item);
            lines.map(|line| crate::reader::number(line, "quantity")).sum()
        };
        let what = format!("{design:?} {housing}");
        assert_eq!(ordered("splitter module"), is("splitter module").count(), "{what}");
        assert!(ordered("splitter module") > 0, "{what}");
        assert_eq!(ordered("housing"), is("shelf").count(), "{what}");
    }
}

#[test]
fn the_case_of_prices_switches_everything_and_keeps_the_bounds() {
    let ask = |case: &str, command: &[&str]| {
        Bench::new().ask(&[command, &FIFTY[..], &L40, &["--price-case", case]].concat())
    };
    let mut ratios = Vec::new();
    for case in ["low", "typical", "high"] {
        let planned = ask(case, &["plan", "--out", "plan"]);
        let compared = ask(case, &["compare"]);
        for total in [
            &planned["bill"],
            &planned["to_order"],
            &compared["bill"],
            &compared["splitter_fabric"],
        ] {
            assert_eq!(total["range"]["case"], case);
            assert_eq!(total["cost"], total["range"][case], "{case}: {total}");
        }
        ratios.push(compared["ratios"]["cost_ip_multicast"].as_f64().expect("a ratio"));
        let of = &compared["ratios"]["cost_range_ip_multicast"];
        let [low, high] = ["low", "high"].map(|end| of[end].as_f64().expect("a bound"));
        assert!(
            low <= ratios[ratios.len() - 1] && ratios[ratios.len() - 1] <= high,
            "{case}: {of}"
        );
        // What decides does not depend on the case.
        let same = ask("typical", &["compare"]);
        assert_eq!(of, &same["ratios"]["cost_range_ip_multicast"], "{case}");
    }
    let plan = ["plan", "--out", "plan", "--price-case", "usual"];
    Bench::new().refuses(&[&plan[..], &SMALL].concat(), &["--price-case", "usual", "low", "high"]);
}

#[test]
fn a_price_of_the_user_replaces_a_whole_range() {
    let bench = Bench::new();
    bench.write("parts.toml", format!("[transceiver.10g-l40]\nprice = \"99 USD\"\n{OF}"));
    let args = [&["plan", "--out", "plan", "--parts", "parts.toml"], &FIFTY[..], &L40].concat();
    let planned = bench.ask(&args);
    let plan = Plan::read(&bench, "plan");
    let line = plan.bom.iter().find(|line| line["item"] == "transceiver").expect("a line");
    for column in ["unit_price", "unit_low", "unit_high"] {
        assert_eq!(line[column], "99.00 USD", "{column}");
    }
    assert_eq!(line["price_rank"], "sourced");
    assert!(!planned["assumed"].to_string().contains("transceiver.10g-l40"));
    // A range of the user's own counts too.
    let own = "price = { low = \"80 USD\", typical = \"99 USD\", high = \"120 USD\", assumed = \"last year's offer\" }";
    bench.write("parts.toml", format!("[transceiver.10g-l40]\n{own}\n{OF}"));
    let planned = bench.ask(&args);
    assert!(planned["assumed"].to_string().contains("last year's offer"), "{}", planned["assumed"]);
    for (wrong, parts) in [
        ("low = \"2 USD\", typical = \"1 USD\", high = \"3 USD\"", &["ascending"][..]),
        ("low = \"1 USD\", typical = \"1 EUR\", high = \"3 USD\"", &["one currency"]),
        ("low = \"1 USD\", typical = \"2 USD\"", &["high", "missing"]),
        (
            "low = \"1 USD\", typical = \"2 USD\", high = \"3 USD\", source = \"a\", assumed = \"b\"",
            &["assumed"],
        ),
        ("least = \"1 USD\"", &["least"]),
    ] {
        bench.write("parts.toml", format!("[transceiver.10g-l40]\nprice = {{ {wrong} }}\n{OF}"));
        bench.refuses(&args, &[&["parts.toml:2: ", "price"], parts].concat());
    }
}

#[test]
fn sourced_prices_alone_leave_the_others_unknown() {
    let design = [&FIFTY[..], &L40].concat();
    let all = Bench::new().ask(&[&["plan", "--out", "plan"], &design[..]].concat());
    let bench = Bench::new();
    let sourced =
        bench.ask(&[&["plan", "--out", "plan", "--prices", "sourced"], &design[..]].concat());
    let range = &sourced["bill"]["range"];
    assert_eq!((&range["high"], &range["assumed_percent"]), (&Value::Null, &json!(0.0)), "{range}");
    assert!(!sourced["assumed"].to_string().contains("\"price\""), "{}", sourced["assumed"]);
    let missing = sourced["bill"]["missing"].to_string();
    assert!(
        missing.contains("transceiver 10g-l40") && missing.contains("sourced prices only"),
        "{missing}"
    );
    assert!(amount(&sourced["bill"]["cost"]) < amount(&all["bill"]["cost"]));
    // Each assumed row that is used is told, once.
    let told = list(&all, "/assumed").iter().filter(|one| one["what"] == "price");
    let told: Vec<&str> = told.map(|one| one["value"].as_str().expect("a text")).collect();
    for row in [
        "transceiver.10g-l40:",
        "part.cord:",
        "part.cord per metre:",
        "part.shelf:",
        "part.splitter-module:",
    ] {
        assert_eq!(
            told.iter().filter(|text| text.starts_with(row)).count(),
            1,
            "{row} in {told:?}"
        );
    }
    assert!(!told.iter().any(|text| text.starts_with("splitter.")), "a paper prints it: {told:?}");
    assert_eq!(bench.verify("plan").code, 0);
}

/// Prices of the catalogue in another currency than the user's are unknown; two currencies of the user are refused.
#[test]
fn shipped_prices_in_another_currency_are_unknown() {
    let bench = Bench::new();
    bench.write("parts.toml", format!("[transceiver.10g-l40]\nprice = \"99 EUR\"\n{OF}"));
    let design = [&["--parts", "parts.toml"], &FIFTY[..], &L40].concat();
    let planned = bench.ask(&[&["plan", "--out", "plan"], &design[..]].concat());
    let bill = &planned["bill"];
    assert_eq!((&bill["cost_usd"], &bill["range"]["high"]), (&Value::Null, &Value::Null));
    assert!(bill["cost"].as_str().is_some_and(|cost| cost.ends_with(" EUR")), "{bill}");
    assert!(bill["missing"].to_string().contains("prices in EUR only"), "{bill}");
    assert_eq!(planned["catalogue"]["currency"], "EUR");
    assert_eq!(bench.verify("plan").code, 0);
    let compared = bench.ask(&[&["compare"], &design[..]].concat());
    assert_eq!(compared["catalogue"]["currency"], "EUR");
    let two = format!(
        "[pad.lc-5db]\nprice = \"1 USD\"\n{OF}[transceiver.10g-l40]\nprice = \"99 EUR\"\n{OF}"
    );
    bench.write("parts.toml", two);
    bench.refuses(&[&["compare"], &design[..]].concat(), &["parts.toml:", "EUR", "USD", "price"]);
}

#[test]
fn a_limit_of_cost_judges_by_what_counts_and_tells_what_may_exceed() {
    let all = Bench::new().ask(&["explore", "--tors", "24", "--rate", "10 Gb/s"]);
    let mut costs: Vec<f64> =
        list(&all, "/designs").iter().map(|design| amount(&design["cost"])).collect();
    costs.sort_by(f64::total_cmp);
    let limit = costs[costs.len() / 2];
    let most = format!("{limit:.2} USD");
    let found =
        Bench::new().ask(&["explore", "--tors", "24", "--rate", "10 Gb/s", "--max-cost", &most]);
    let mut exceeding = 0;
    for design in list(&found, "/designs") {
        assert!(amount(&design["cost"]) <= limit + 0.005, "{design}");
        let may = amount(&design["cost_range"]["high"]) > limit + 0.005;
        assert_eq!(design["may_exceed"].as_bool().unwrap_or(false), may, "{design}");
        exceeding += usize::from(may);
    }
    assert!(exceeding > 0, "the test decides");
    let text =
        Bench::new().run(&["explore", "--tors", "24", "--rate", "10 Gb/s", "--max-cost", &most]);
    // Cells of the table are wrapped.
    assert!(text.stdout.contains("exceed ┆") && text.stdout.contains("May exceed"), "{text:?}");
}

/// Two designs of one part share its price, so that only what one has more of decides.
#[test]
fn designs_are_dearer_at_all_prices_or_marked_open() {
    let found = Bench::new().ask(&["explore", "--tors", "64", "--transceiver", "10g-l40"]);
    let designs = list(&found, "/designs");
    assert_eq!(designs[0]["cost_over_first"], Value::Null);
    let mut kinds = std::collections::BTreeSet::new();
    for design in &designs[1..] {
        let over = &design["cost_over_first"];
        let more = amount(&design["cost"]) - amount(&designs[0]["cost"]);
        assert!((over["amount"].as_f64().expect("a number") - more).abs() < 1e-3, "{over}, {more}");
        let [low, high] = ["low", "high"].map(|end| over[end].as_f64().expect("all is priced"));
        assert!(low <= more + 1e-3 && more <= high + 1e-3, "{over}");
        let dearer = over["dearer"].as_str().expect("a word");
        let expected = match (low, high) {
            (low, _) if low > 0.0 => "this",
            (_, high) if high < 0.0 => "other",
            (low, high) if low == 0.0 && high == 0.0 => "neither",
            _ => "open",
        };
        assert_eq!(dearer, expected, "{over}");
        kinds.insert(dearer.to_owned());
        // The transceiver costs 70 to 3,900; if each design had a price of its own, all would be open.
        let alone =
            amount(&design["cost_range"]["low"]) > amount(&designs[0]["cost_range"]["high"]);
        assert!(!alone || dearer == "this", "{over}");
    }
    assert!(kinds.contains("this"), "shared prices cancel: {kinds:?}");
}

#[test]
fn the_page_for_signatures_says_what_is_missing() {
    let bench = Bench::new();
    let design = [&FIFTY[..], &["--transceiver", "25gbase-er", "--prices", "sourced"]].concat();
    let ran = bench.run(&[&["plan", "--out", "plan"], &design[..]].concat());
    assert!(ran.code < 2, "{ran:?}");
    assert!(bench.run(&["report", "plan", "--out", "report.html"]).code < 2);
    let html = std::fs::read_to_string(bench.path("report.html")).expect("a report");
    let page = html.split("<h2>Approval</h2>").nth(1).expect("the page");
    let page = page.split("<h3>Files</h3>").next().expect("its first part");
    for part in ["and more", "the price of", "the power of", "transceiver 25gbase-er", "to open"] {
        assert!(page.contains(part), "{part} in {page}");
    }
    let cover = html.split("<h2>").next().expect("the first page");
    for row in ["Cost of the plan, with switch ports", "Power"] {
        let cell = cover
            .split(&format!("<td>{row}</td>"))
            .nth(1)
            .and_then(|rest| rest.split("</tr>").next());
        assert!(cell.is_some_and(|cell| cell.contains("and more")), "{row}: {cell:?}");
    }
}
