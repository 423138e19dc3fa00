//! `--placement`: a file says which rack each ToR stands in.

use crate::bench::{Bench, Ran, SMALL, inventory};
use crate::reader::Plan;

fn bench(placement: &str) -> Bench {
    let bench = Bench::new();
    bench.write("racks.csv", inventory(2));
    bench.write("place.csv", placement);
    bench
}

fn design() -> Vec<&'static str> {
    [&SMALL[..], &["--inventory", "racks.csv", "--placement", "place.csv"]].concat()
}

fn refused(placement: &str, parts: &[&str]) -> Ran {
    let bench = bench(placement);
    bench.refuses(&[&["plan", "--out", "plan"], &design()[..]].concat(), parts)
}

#[test]
fn tors_stand_where_the_file_says() {
    let bench = bench("rack,tor\nR15,0\nR0,7\nR1,1\nR3,2\nR2,3\nR4,4\nR5,5\nR14,6\n");
    bench.plan("plan", &design());
    let names: Vec<String> = Plan::read(&bench, "plan").names().into_values().collect();
    assert_eq!(names, ["R15", "R1", "R3", "R2", "R4", "R5", "R14", "R0"]);
    assert_eq!(bench.verify("plan").code, 0);
    let by_name = bench.ask(&[&["tree", "--source", "R15"], &design()[..]].concat());
    assert_eq!(by_name["source"], 0);
}

#[test]
fn the_wiring_of_the_fabric_does_not_depend_on_the_placement() {
    let placed = bench("tor,rack\n0,R15\n1,R7\n2,R2\n3,R3\n4,R4\n5,R5\n6,R6\n7,R0\n");
    placed.plan("placed", &design());
    placed.plan("plain", &[&SMALL[..], &["--inventory", "racks.csv"]].concat());
    let (a, b) = (Plan::read(&placed, "placed"), Plan::read(&placed, "plain"));
    assert_eq!(a.branches(), b.branches());
    assert_eq!(a.rules, b.rules);
}

#[test]
fn a_tor_that_is_placed_twice_is_refused_at_its_line() {
    refused("tor,rack\n3,R1\n4,R2\n3,R5\n", &["place.csv:4: tor: ", "3"]);
    refused("tor,rack\n3,R1\n3,R1\n", &["place.csv:3: tor: ", "3"]);
}

#[test]
fn tors_that_a_file_leaves_out_are_named_and_counted() {
    // Some are named, the others counted, with how many lines there are and what to do.
    let file = "place.csv: tor: ";
    refused("tor,rack\n", &[file, "0 lines", "8 ToRs", "ToR 0, 1, 2, 3, 4 and 3 more", "line"]);
    refused(
        "rack,tor\nR15,0\nR0,7\n",
        &[file, "2 lines", "8 ToRs", "ToR 1, 2, 3, 4, 5 and 1 more"],
    );
    let all_but_one = "tor,rack\n0,R0\n1,R1\n2,R2\n3,R3\n5,R5\n6,R6\n7,R7\n";
    let ran = refused(all_but_one, &[file, "7 lines", "ToR 4;", "such as: 4,R"]);
    assert!(!ran.stderr.contains("more"), "{ran:?}");
    // What the message says to write is taken.
    let line = ran.stderr.trim_end().rsplit(": ").next().expect("a line").to_owned();
    let bench = bench(&format!("{all_but_one}{line}\n"));
    bench.plan("plan", &design());
}

#[test]
fn a_rack_that_is_given_twice_is_refused() {
    refused("tor,rack\n3,R1\n4,R1\n", &["place.csv", "rack: ", "R1", "ToR 3", "ToR 4"]);
}

#[test]
fn a_rack_that_is_given_twice_is_refused_at_its_line() {
    refused("tor,rack\n3,R1\n4,R1\n", &["place.csv:3: rack: "]);
}

#[test]
fn what_the_hall_or_the_fabric_does_not_have_is_refused_at_its_line() {
    refused("tor,rack\n0,R1\n8,R2\n", &["place.csv:3: tor: ", "0 to 7"]);
    refused("tor,rack\n0,R16\n", &["place.csv:2: rack: ", "R16"]);
    refused("tor,rack\n0,\n", &["place.csv:2: rack: "]);
    refused("tor,rack\n-1,R1\n", &["place.csv:2: tor: ", "-1"]);
    refused("tor,rack\nR1,R1\n", &["place.csv:2: tor: ", "R1"]);
    refused("tor,rack\n99999999999999999999,R1\n", &["place.csv:2: tor: "]);
}

#[test]
fn a_placement_needs_its_two_columns_and_even_rows() {
    refused("tor,name\n0,R1\n", &["place.csv:1: rack: ", "missing"]);
    refused("tor,rack\n0,R1,x\n", &["place.csv:2: "]);
    refused("", &["place.csv", "empty"]);
    refused("tor,rack,tor\n0,R1,0\n", &["place.csv:1: tor: "]);
}

#[test]
fn an_absent_placement_is_named() {
    let bench = Bench::new();
    let args = [&["fabric"], &SMALL[..], &["--placement", "absent.csv"]].concat();
    bench.refuses(&args, &["absent.csv"]);
}
