//! Flags with a choice of words: help, refusals and what the library takes agree.

use crate::bench::{Bench, Ran, SMALL};

/// Each flag with a choice, a command that takes it, and its words.
const CHOICES: [(&str, &str, &[&str]); 19] = [
    ("--family", "info --tors 8 --p 2", &["shufflecast", "kautz", "custom"]),
    ("--router", "info --family shufflecast --p 2 --k 2", &["algorithm1", "arborescence"]),
    ("--rows-from", "info --p 2 --inventory racks.csv", &["row", "location"]),
    ("--housing", "info --family shufflecast --p 2 --k 2", &["sender", "receiver", "zone"]),
    ("--method", "recover --family shufflecast --p 2 --k 2 --failed relay:1", METHODS),
    ("--objective", "recover --family shufflecast --p 2 --k 2 --failed relay:1", OBJECTIVES),
    ("--objective", "repairs --family shufflecast --p 2 --k 2 --out repairs", OBJECTIVES),
    ("--case", "budget --family shufflecast --p 2 --k 2", CASES),
    ("--case", "explore --tors 8 --samples 10", CASES),
    ("--accept", "budget --family shufflecast --p 2 --k 2", CASES),
    ("--pad-at", "budget --family shufflecast --p 2 --k 2", PLACES),
    ("--pad-at", "explore --tors 8", PLACES),
    ("--catalogue", "budget --family shufflecast --p 2 --k 2", CATALOGUES),
    ("--fibre-accounting", "compare --family shufflecast --p 2 --k 2", &["half", "whole"]),
    ("--price-case", "compare --family shufflecast --p 2 --k 2", &["low", "typical", "high"]),
    ("--prices", "compare --family shufflecast --p 2 --k 2", &["all", "sourced"]),
    ("--rank-by", "explore --tors 8", RANKINGS),
    ("--color", "info --family shufflecast --p 2 --k 2", &["auto", "always", "never"]),
    ("completions", "", &["bash", "zsh", "fish"]),
];

const METHODS: &[&str] = &["replan", "algorithm2"];
const OBJECTIVES: &[&str] = &["fewest-changes", "fewest-hops"];
const CASES: &[&str] = &["worst", "typical", "monte-carlo", "best"];
const PLACES: &[&str] = &["transmitter", "feed", "receiver"];
const CATALOGUES: &[&str] = &["shufflecast-2022", "datasheets-2026"];
const RANKINGS: &[&str] =
    &["cost", "fibre", "power", "hops", "parallel-sources", "margin", "cables", "tray"];

fn bench() -> Bench {
    let bench = Bench::new();
    let racks: String = (1..=8).map(|i| format!("R{i},A,A,{i}\n")).collect();
    bench.write("racks.csv", format!("name,row,location,position\n{racks}"));
    bench
}

fn run(bench: &Bench, command: &str, flag: &str, word: &str) -> Ran {
    let mut args: Vec<&str> = command.split_whitespace().collect();
    args.extend([flag, word]);
    bench.run_painted(&args)
}

#[test]
fn the_library_knows_every_word_that_the_help_lists() {
    let bench = bench();
    for (flag, command, words) in CHOICES {
        for word in words {
            let ran = run(&bench, command, flag, word);
            // A word may not fit the other flags, but it is known.
            assert!(!ran.stderr.contains("expected"), "{flag} {word}: {ran:?}");
        }
    }
}

#[test]
fn another_word_is_refused_with_the_flag_the_word_and_all_that_are_known() {
    let bench = bench();
    for (flag, command, words) in CHOICES {
        for wrong in ["clos", "Worst", "x y", "\"", "ü"] {
            let ran = run(&bench, command, flag, wrong);
            let place = if flag == "completions" { "<SHELL>" } else { flag };
            let told = format!("{place}: found {wrong:?}; expected one of {}", words.join(", "));
            assert_eq!(ran.code, 2, "{ran:?}");
            assert!(ran.stderr.starts_with(&format!("lightloom: {told}")), "{told}\n{ran:?}");
            assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
        }
    }
}

/// A design file with a wrong word is refused in the words of the flag.
#[test]
fn a_design_file_and_a_flag_are_refused_alike() {
    let bench = bench();
    for (flag, table, key) in [
        ("--family", "fabric", "family"),
        ("--router", "routing", "router"),
        ("--rows-from", "hall", "rows_from"),
        ("--housing", "splitters", "housing"),
        ("--accept", "optics", "accept"),
        ("--pad-at", "optics", "pad_at"),
        ("--fibre-accounting", "cost", "fibre_accounting"),
        ("--price-case", "cost", "price_case"),
        ("--prices", "cost", "prices"),
    ] {
        let head = "version = 1\n[fabric]\np = 2\ntors = 8\n[hall]\ninventory = \"racks.csv\"\n";
        let line = format!("{key} = \"clos\"\n");
        let design = match head.split_once(&format!("[{table}]\n")) {
            Some((before, after)) => format!("{before}[{table}]\n{line}{after}"),
            None => format!("{head}[{table}]\n{line}"),
        };
        bench.write("design.toml", design);
        let told = bench.refuses(&["budget", "design.toml"], &[key]).stderr;
        let flagged = bench.refuses(&["budget", flag, "clos"], &[flag]).stderr;
        let found = |text: &str| text[text.find("found").expect("what was found")..].to_owned();
        assert_eq!(found(&told), found(&flagged), "{flag}");
    }
}

#[test]
fn the_help_lists_the_words() {
    let bench = Bench::new();
    for (flag, command, words) in CHOICES {
        let name = command.split_whitespace().next().unwrap_or(flag);
        for help in ["-h", "--help"] {
            let ran = bench.run(&[name, help]);
            let listed = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
            let short = format!("[possible values: {}]", words.join(", "));
            let in_long = words.iter().all(|word| ran.stdout.contains(&format!("- {word}:")));
            assert!(listed.contains(&short) || in_long, "{name} {help}, {flag}: {listed}");
        }
    }
}

#[test]
fn a_flag_without_its_value_and_one_given_twice_are_refused_alike() {
    let bench = Bench::new();
    for (args, told) in [
        (&["info", "--p"][..], "--p: is missing its value"),
        (&["info", "--family"], "--family: is missing its value; expected one of shufflecast"),
        (&["info", "--family", "kautz", "--family", "kautz"], "--family: is given more than once"),
        (&["info", "--json=3"], "--json: found \"3\"; expected no value"),
        (&["info", "--tors", "ten"], "--tors: found \"ten\"; expected a whole number, such as 8"),
        (&["info", "--tor", "8"], "--tor: unknown flag; did you mean --tors?; see lightloom info"),
        (&["info", "a.toml", "b.toml"], "b.toml: not expected; see lightloom info --help"),
        (&["info", "a.toml", "--p", "2"], "[DESIGN]: cannot be used with --p"),
        (&["verify"], "<FOLDER>: is missing; see lightloom verify --help"),
        (&["complet"], "found \"complet\"; expected a command; did you mean completions?"),
        (&["--color", "pink", "info"], "--color: found \"pink\"; expected one of auto, always"),
    ] {
        let ran = bench.refuses(args, &[&format!("lightloom: {told}")]);
        assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    }
    // The part has a flag of its own.
    for args in [
        &["budget", "--family", "kautz", "--tors", "8", "--splitter", "plc-1x4", "--p", "4"][..],
        &["budget", "--family", "kautz", "--tors", "8", "--p", "4", "--splitter", "4"],
        &["new", "--tors", "8", "--splitter", "plc-1x4", "-o", "x.toml"],
    ] {
        let told = ["--p: ", "--splitter is another name of it", "--splitter-part is for: "];
        bench.refuses(args, &told);
    }
    let none: [&str; 0] = [];
    let ran = bench.run(&none);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("Usage: lightloom"), "{ran:?}");
}

#[test]
fn colour_comes_when_asked_for_and_changes_no_word() {
    let bench = Bench::new();
    let escape = '\u{1b}';
    let bare = |text: &str| {
        let mut parts = text.split(escape);
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |bare, part| bare + part.split_once('m').map_or("", |(_, rest)| rest))
    };
    let wrong = ["info", "--family", "clos"];
    let plain = bench.run(&wrong);
    for args in [&["--color", "always"][..], &["--color=always"]] {
        let ran = bench.run_painted(&[args, &wrong[..]].concat());
        assert!(ran.stderr.contains(escape), "{ran:?}");
        assert_eq!(bare(&ran.stderr), plain.stderr);
        let ran = bench.run_painted(&[&wrong[..], args].concat());
        assert!(ran.stderr.contains(escape), "{ran:?}");
    }
    let help = bench.run_painted(&["--help", "--color", "always"]);
    assert!(help.stdout.contains(escape));
    assert_eq!(bare(&help.stdout), bench.run(&["--help", "--color", "never"]).stdout);
    // JSON has none whatever is asked for.
    let asked = [&["info"], &SMALL[..], &["--json", "--color", "always"]].concat();
    assert_eq!(
        bench.run(&asked).stdout,
        bench.run(&[&["info"], &SMALL[..], &["--json"]].concat()).stdout
    );
}

#[test]
fn quiet_keeps_the_answer_and_the_refusal() {
    let bench = Bench::new();
    let asked = [&["info"], &SMALL[..]].concat();
    let loud = bench.run(&asked);
    for quiet in ["-q", "--quiet"] {
        let ran = bench.run(&[&[quiet], &asked[..]].concat());
        assert_eq!((ran.code, &ran.stdout, ran.stderr.as_str()), (0, &loud.stdout, ""));
        bench.refuses(&["info", quiet, "--family", "clos"], &["--family: found \"clos\""]);
    }
}
