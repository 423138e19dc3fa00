//! Slips of the pen: what is nearly right is named, and a file that is missing is traced to the line that
//! names it.

use crate::bench::Bench;
use crate::simulate::bench_with;

const HEAD: &str = "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"fat-tree\"\nports = 4\n\
                    rate = \"100 Gb/s\"\ndelay = \"1 us\"\n";
const FLOW: &str = "[[flow]]\nfrom = 0\nto = 1\nsize = \"1 kB\"\n";

fn refused(scenario: &str, parts: &[&str]) -> String {
    bench_with(scenario).refuses(&["simulate", "s.toml"], parts).stderr
}

#[test]
fn the_nearest_name_of_a_scenario_is_offered() {
    let flows = FLOW.replace("[[flow]]", "[[flows]]");
    refused(
        &format!("{HEAD}{flows}"),
        &["s.toml:8: flows: unknown field; did you mean [[flow]]? known here: version"],
    );
    for (wrong, line, meant) in [
        ("nework = 1", 3, "nework: unknown field; did you mean [network]?"),
        ("Seed = 1", 3, "Seed: unknown field; did you mean seed?"),
    ] {
        let text = format!("{HEAD}{FLOW}").replace("[network]", &format!("{wrong}\n[network]"));
        refused(&text, &[&format!("s.toml:{line}: {meant}")]);
    }
    for (wrong, meant) in [
        ("[[losses]]\nrate = 1\n", "losses: unknown field; did you mean [[loss]]?"),
        ("[parameters.swich]\n", "parameters.swich: unknown field; did you mean switch?"),
        (
            "[parameters.ecn]\nk_min = 1\n",
            "parameters.ecn.k_min: unknown field; did you mean kmin?",
        ),
        ("[[flow]]\nsource = 1\nto = 1\n", "flow.source: unknown field; known here: from, to"),
    ] {
        refused(&format!("{HEAD}{FLOW}{wrong}"), &[meant]);
    }
    // Nothing is near.
    let told =
        refused(&format!("{HEAD}{FLOW}[colour]\n"), &["colour: unknown field; known here: "]);
    assert!(!told.contains("did you mean"), "{told}");
}

#[test]
fn the_nearest_key_of_a_design_is_offered() {
    let bench = Bench::new();
    for (wrong, meant) in [
        ("[fabrics]\np = 2\n", "d.toml:3: fabrics.p: unknown key; did you mean fabric.p?"),
        ("[fabric]\ntor = 8\n", "d.toml:3: fabric.tor: unknown key; did you mean fabric.tors?"),
        (
            "[fabric]\ninventory = \"r.csv\"\n",
            "d.toml:3: fabric.inventory: unknown key; did you mean hall.inventory?",
        ),
        ("[hall]\nrack-pitch = 1\n", "hall.rack-pitch: unknown key; did you mean hall.rack_pitch?"),
        ("[optic]\n", "d.toml:2: optic: unknown key; did you mean [optics]?"),
    ] {
        bench.write("d.toml", format!("version = 1\n{wrong}"));
        bench.refuses(&["info", "d.toml"], &[meant, "known here: "]);
    }
    bench.write("d.toml", "version = 1\n[fabric]\ncolour = 8\n");
    let told = bench.refuses(&["info", "d.toml"], &["unknown key; known here: "]).stderr;
    assert!(!told.contains("did you mean"), "{told}");
}

#[test]
fn a_catalogue_is_told_its_nearest_name_too() {
    let bench = Bench::new();
    bench.write("d.toml", "version = 1\n[fabric]\np = 2\ntors = 8\n[optics]\nparts = \"p.toml\"\n");
    bench.write("p.toml", "[transceivers.x]\nrate = \"1 Gb/s\"\n");
    bench.refuses(
        &["budget", "d.toml"],
        &["p.toml", "transceivers: unknown section; did you mean transceiver?"],
    );
}

/// What a field asks for is said of that field, not of another.
#[test]
fn a_size_without_its_unit_is_asked_for_as_a_size() {
    let sizes = "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB";
    for wrong in ["1000", "1.5", "\"10 Mb\"", "\"10 EB\"", "\"10\"", "\"10 dB\""] {
        let text = format!("{HEAD}{FLOW}").replace("\"1 kB\"", wrong);
        let told = refused(&text, &["s.toml:11: flow.size: found ", "a data size such as", sizes]);
        assert!(!told.replace("10 dB", "").contains("dB"), "{told}");
    }
    for (text, found, asked) in [
        (HEAD.replace("\"1 us\"", "1"), "network.delay: found 1 without a unit", "a time such as"),
        (HEAD.replace("\"100 Gb/s\"", "100"), "network.rate: found 100 without", "a bit rate such"),
        (HEAD.replace("\"fat-tree\"", "4"), "network.kind: found an integer", "a text in quotes"),
    ] {
        let told = refused(&format!("{text}{FLOW}"), &["s.toml:", found, asked]);
        assert!(!told.contains("dB"), "{told}");
    }
}

#[test]
fn a_missing_file_is_traced_to_the_line_that_names_it() {
    let head = HEAD.split("[network]").next().unwrap();
    let cases = [
        (
            format!("{HEAD}[[traffic]]\npattern = \"stride\"\nsizes = \"none.txt\"\n"),
            "s.toml:10: traffic.sizes: none.txt: cannot be read",
        ),
        (
            format!("{head}[network]\nkind = \"edge-list\"\nfile = \"none.csv\"\n{FLOW}"),
            "s.toml:5: network.file: none.csv: cannot be read",
        ),
        (
            format!(
                "{head}[network]\nkind = \"edge-list\"\nfile = \"l.csv\"\nnodes = \"none.csv\"\n{FLOW}"
            ),
            "s.toml:6: network.nodes: none.csv: cannot be read",
        ),
        (
            format!("{HEAD}{FLOW}[parameters]\nfile = \"none.toml\"\n"),
            "s.toml:13: parameters.file: none.toml: cannot be read",
        ),
        (
            format!("{head}[network]\nkind = \"design\"\nfile = \"none.toml\"\n{FLOW}"),
            "s.toml:5: network.file: none.toml: cannot be read",
        ),
        (
            format!("{HEAD}[[traffic]]\npattern = \"stride\"\nsizes = \".\"\n"),
            "s.toml:10: traffic.sizes: .: is not a regular file",
        ),
    ];
    for (scenario, told) in cases {
        refused(&scenario, &[told]);
    }
    // What is wrong within a file is told with the line of that file.
    let bench =
        bench_with(&format!("{HEAD}[[traffic]]\npattern = \"stride\"\nsizes = \"s.txt\"\n"));
    bench.write("s.txt", b"1 0\n2 \xff\n");
    bench.refuses(&["simulate", "s.toml"], &["s.txt:2: found bytes that are not UTF-8"]);
}
