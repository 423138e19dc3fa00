//! Edge lists of custom fabrics that are none.

use crate::bench::Bench;

const HEADER: &str = "tor,from_cassette,to_cassette\n";

fn refused_at(p: &str, text: &str, parts: &[&str]) {
    let bench = Bench::new();
    bench.write("edges.csv", text);
    let args = ["plan", "--family", "custom", "--p", p, "--edges", "edges.csv", "--out", "plan"];
    bench.refuses(&args, parts);
}

fn refused(rows: &str, parts: &[&str]) {
    refused_at("2", &format!("{HEADER}{rows}"), parts);
}

#[test]
fn the_same_rows_in_any_order_are_the_same_fabric() {
    let bench = Bench::new();
    bench.write("a.csv", format!("{HEADER}0,0,1\n1,1,0\n2,0,0\n"));
    bench.write("b.csv", "to_cassette,note,TOR,from_cassette\r\n0,x,2,0\r\n1,y,0,0\r\n0,z,1,1\r\n");
    let ask =
        |file: &str| bench.ask(&["fabric", "--family", "custom", "--p", "2", "--edges", file]);
    assert_eq!(ask("a.csv"), ask("b.csv"));
    assert_eq!(ask("a.csv")["edges"], serde_json::json!([[0, 0, 1], [1, 1, 0], [2, 0, 0]]));
}

#[test]
fn a_tor_that_is_listed_twice_is_refused_at_its_second_line() {
    refused("0,0,1\n1,1,0\n0,0,0\n", &["edges.csv:4: tor: ", "0", "twice"]);
}

#[test]
fn a_gap_in_the_numbers_is_refused_at_the_line_beyond_it() {
    refused("0,0,1\n3,1,0\n1,0,0\n", &["edges.csv:3: tor: ", "3"]);
    refused("1,0,1\n2,1,0\n", &["edges.csv:3: tor: ", "2"]);
}

#[test]
fn a_list_that_falls_apart_is_refused() {
    refused("0,0,1\n1,1,0\n2,2,3\n3,3,2\n", &["edges.csv", "cassette"]);
    refused("0,0,1\n1,0,1\n2,1,1\n", &["edges.csv", "cassette"]);
}

#[test]
fn one_edge_more_than_the_splitter_has_outputs_is_refused() {
    // Three ToRs receive from cassette 0.
    refused(
        "0,0,1\n1,0,1\n2,0,0\n3,1,0\n",
        &["edges.csv:4: from_cassette: ", "cassette 0", "2 outputs"],
    );
    // Three ToRs transmit into cassette 0.
    refused(
        "0,0,0\n1,1,0\n2,2,0\n3,0,1\n4,1,2\n",
        &["edges.csv:4: to_cassette: ", "cassette 0", "2"],
    );
}

#[test]
fn a_cassette_number_beyond_reason_is_refused_at_its_line() {
    refused("0,0,1\n1,1,0\n2,4294967295,0\n", &["edges.csv:4: ", "4294967295"]);
    refused("0,0,1\n1,1,0\n2,0,4294967295\n", &["edges.csv:4: ", "4294967295"]);
    refused("0,0,1\n1,1,0\n2,0,4294967296\n", &["edges.csv:4: to_cassette: "]);
}

#[test]
fn cells_that_are_no_numbers_are_refused_at_their_place() {
    refused("0,0,1\nx,1,0\n", &["edges.csv:3: tor: ", "x"]);
    refused("0,-1,1\n1,1,0\n", &["edges.csv:2: from_cassette: ", "-1"]);
    refused("0,0,1.5\n1,1,0\n", &["edges.csv:2: to_cassette: ", "1.5"]);
    refused("0,0,\n1,1,0\n", &["edges.csv:2: to_cassette: "]);
}

#[test]
fn a_list_without_edges_or_columns_is_refused() {
    refused_at("2", "", &["edges.csv", "empty"]);
    refused_at("2", HEADER, &["edges.csv"]);
    refused_at("2", "tor,from,to\n0,0,1\n", &["edges.csv:1: from_cassette: "]);
    refused_at("2", "tor,from_cassette\n0,0\n", &["edges.csv:1: to_cassette: "]);
    refused_at("2", "tor,from_cassette,to_cassette,tor\n0,0,1,0\n", &["edges.csv:1: tor: "]);
    refused_at("2", &format!("{HEADER}0,0,1\n1,1\n"), &["edges.csv:3: "]);
}

#[test]
fn one_tor_alone_is_no_fabric() {
    refused("0,0,0\n", &["edges.csv", "1 ToRs"]);
}

#[test]
fn the_splitter_must_be_given_and_be_one() {
    let text = format!("{HEADER}0,0,1\n1,1,0\n");
    refused_at("1", &text, &["--p", "1:1"]);
    refused_at("1025", &text, &["--p", "1025"]);
    let bench = Bench::new();
    bench.write("edges.csv", &text);
    bench.refuses(&["fabric", "--family", "custom", "--edges", "edges.csv"], &["--p", "missing"]);
    bench.refuses(&["fabric", "--family", "custom", "--p", "2"], &["--edges", "missing"]);
    bench.refuses(
        &["fabric", "--family", "custom", "--p", "2", "--edges", "absent.csv"],
        &["absent.csv"],
    );
    bench.refuses(
        &["fabric", "--family", "kautz", "--p", "2", "--tors", "4", "--edges", "edges.csv"],
        &["--edges", "kautz"],
    );
}
