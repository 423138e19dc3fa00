//! Flags and questions that make no sense.

use crate::bench::{Bench, SMALL};

fn refused(command: &str, parts: &[&str]) {
    let args: Vec<&str> = command.split_whitespace().collect();
    Bench::new().refuses(&args, parts);
}

#[test]
fn splitters_that_nobody_makes() {
    for p in ["1", "0", "-1", "1025", "4294967296", "9223372036854775808", "x"] {
        refused(&format!("fabric --family kautz --p {p} --tors 10"), &["--p", p]);
        refused(&format!("plan --out plan --family shufflecast --p {p} --k 2"), &["--p", p]);
    }
}

#[test]
fn columns_that_make_no_shufflecast() {
    for k in ["0", "-1", "21", "1000", "4294967295"] {
        refused(&format!("fabric --family shufflecast --p 2 --k {k}"), &["--k", k]);
    }
    refused("fabric --family shufflecast --p 1000 --k 1000", &["--k", "1000"]);
    refused("fabric --p 1000 --k 1000", &["--k", "1000"]);
}

#[test]
fn numbers_of_tors_that_no_fabric_has() {
    let googol = "1".to_owned() + &"0".repeat(30);
    for tors in ["0", "1", "-5", "1000000000", "4294967296", &googol] {
        refused(&format!("plan --out plan --family kautz --p 4 --tors {tors}"), &["--tors", tors]);
        refused(&format!("fabric --tors {tors}"), &["--tors"]);
        refused(&format!("new --tors {tors} -o design.toml"), &["--tors"]);
    }
}

#[test]
fn a_number_of_tors_that_fits_no_shufflecast() {
    refused("info --family shufflecast --p 2 --tors 25", &["--family", "25", "kautz"]);
    refused("info --family shufflecast --p 2 --k 3 --tors 25", &["--tors", "24"]);
}

#[test]
fn flags_of_another_family() {
    refused("fabric --family kautz --k 3 --p 2 --tors 8", &["--k", "kautz"]);
    refused("fabric --family custom --k 3 --p 2 --edges e.csv", &["--k", "custom"]);
    refused("fabric --family clos --p 2 --tors 8", &["--family", "clos", "shufflecast"]);
    refused("fabric --family shufflecast --p 2", &["--k"]);
    refused("fabric --family kautz --p 2", &["--tors"]);
    refused("fabric", &["--tors"]);
}

#[test]
fn routers_and_hops_that_do_not_exist() {
    refused("tree --family kautz --p 2 --tors 9 --source 0 --router algorithm1", &["--router"]);
    refused("info --family kautz --p 2 --tors 9 --router dijkstra", &["--router", "dijkstra"]);
    for hops in ["2", "-1", "4294967296"] {
        refused(
            &format!("info --family kautz --p 2 --tors 9 --extra-hops {hops}"),
            &["--extra-hops"],
        );
    }
    let of_algorithm1 = "info --family shufflecast --p 2 --k 2 --router algorithm1 --extra-hops 1";
    refused(of_algorithm1, &["--extra-hops"]);
}

#[test]
fn housings_and_spares_that_do_not_exist() {
    refused("info --family kautz --p 2 --tors 9 --housing cellar", &["--housing", "cellar"]);
    for spares in ["-1", "1001", "99999999999"] {
        refused(
            &format!("info --family kautz --p 2 --tors 9 --spares-percent {spares}"),
            &["--spares-percent"],
        );
    }
}

#[test]
fn sources_that_are_no_tors() {
    let bench = Bench::new();
    for source in ["8", "4294967296", "99999999999999999999", "nobody", "", " ", "1.0"] {
        let args = [&["tree"], &SMALL[..], &["--source", source]].concat();
        bench.refuses(&args, &["--source"]);
        let args = [&["rules"], &SMALL[..], &["--tor", source]].concat();
        bench.refuses(&args, &["--tor"]);
    }
    let args = [&["tree"], &SMALL[..], &["--source=-1"]].concat();
    bench.refuses(&args, &["--source"]);
}

#[test]
fn sets_of_sources_that_are_none() {
    let bench = Bench::new();
    for sources in ["", "0,0", "0,R1.01", "0,,1", "0,8", "nobody", ","] {
        let args = [&["parallel"], &SMALL[..], &["--sources", sources]].concat();
        bench.refuses(&args, &["--sources"]);
    }
}

#[test]
fn commands_that_lack_something_or_have_too_much() {
    refused("tree --family shufflecast --p 2 --k 2", &["--source"]);
    refused("plan --family shufflecast --p 2 --k 2", &["--out"]);
    refused("weave", &["weave"]);
    refused("fabric design.toml --family kautz", &["--family"]);
    refused("fabric --colour red", &["--colour"]);
    refused("verify", &["<FOLDER>"]);
}

#[test]
fn every_command_explains_itself() {
    let bench = Bench::new();
    for command in ["new", "plan", "verify", "tree", "fabric", "rules", "parallel", "info"] {
        let ran = bench.run(&[command, "--help"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        assert!(ran.stdout.contains("--json"), "{command}");
    }
}
