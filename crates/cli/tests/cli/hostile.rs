//! Texts from outside that a terminal obeys, that a reader does not see, or that another program runs: in every place
//! where a user or a stranger can put one, neither answers nor refusals bring them out again.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;

use serde_json::Value;

use crate::bench::{Bench, Ran, SMALL};
use crate::ports::{FIVE, asked, write_hall};

/// Texts that a terminal, a reader or a spreadsheet would obey.
const HOSTILE: [&str; 12] = [
    "\u{1b}[2J\u{1b}]0;t\u{7}x",
    "\u{9b}31mx",
    "a\u{202e}b",
    "a\u{2066}b\u{200f}",
    "a\u{2028}b\u{2029}",
    "a\nb",
    "a\tb\rc",
    "a\u{7f}b\u{8}",
    "a\u{fffe}b\u{ffff}",
    "=cmd|' /C calc'!A0",
    "\u{ff1d}1+1",
    "a\u{0}b",
];

/// All of them but for NUL, line breaks, and quotes, in one text that a cell can hold.
const ALL: &str = "\u{1b}[2J\u{9b}1m\u{202e}\u{2066}\u{200f}\u{2028}\u{7f}\u{8}\u{fffe}x";

/// Whether nothing but line feeds is hidden in what was printed.
fn assert_clean(ran: &Ran, of: &dyn std::fmt::Debug) {
    for text in [&ran.stdout, &ran.stderr] {
        let hidden = text.chars().find(|&c| {
            (c.is_control() && c != '\n')
                || ('\u{202a}'..='\u{202e}').contains(&c)
                || ('\u{2066}'..='\u{2069}').contains(&c)
                || ['\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}', '\u{fffe}', '\u{ffff}']
                    .contains(&c)
        });
        assert_eq!(hidden, None, "{of:?}: {text:?}");
    }
}

/// Runs a command twice: as people read it, and as JSON.
fn asks(bench: &Bench, args: &[&str], of: &dyn std::fmt::Debug) -> Ran {
    let ran = bench.run_painted(args);
    assert_clean(&ran, of);
    assert_clean(&bench.run_painted(&[args, &["--json"]].concat()), of);
    ran
}

/// A cell of CSV.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[test]
fn names_of_racks_rows_and_rooms() {
    for text in HOSTILE {
        for place in 0..3 {
            let of = |at: usize, usual: &str| if at == place { quoted(text) } else { usual.into() };
            let bench = Bench::new();
            let rows: String = (0..8)
                .map(|i| {
                    let name = if i == 2 { of(0, "R2") } else { format!("R{i}") };
                    format!("S,{},{name},{},{}\n", of(2, "Room"), of(1, "Row"), i + 1)
                })
                .collect();
            bench.write("racks.csv", format!("site,location,name,row,position\n{rows}"));
            let args = [&SMALL[..], &["--inventory", "racks.csv"]].concat();
            asks(&bench, &[&["plan", "--out", "plan"], &args[..]].concat(), &(text, place));
            for command in ["info", "fabric", "budget"] {
                asks(&bench, &[&[command], &args[..]].concat(), &(text, place));
            }
            if bench.path("plan").is_dir() {
                asks(&bench, &["verify", "plan"], &(text, place));
                asks(&bench, &["netbox", "plan", "--out", "netbox"], &(text, place));
            }
        }
    }
}

#[test]
fn names_of_devices_and_interfaces() {
    for text in HOSTILE {
        for (file, from) in [
            ("devices.csv", "s0,R0"),
            ("interfaces.csv", "Ethernet1/2,"),
            ("interfaces.csv", "25gbase-x-sfp28"),
        ] {
            let bench = Bench::new();
            write_hall(&bench, &FIVE);
            let before = fs::read_to_string(bench.path(file)).expect("a file");
            let to = match from {
                "s0,R0" => format!("{},R0", quoted(text)),
                "Ethernet1/2," => format!("{},", quoted(text)),
                _ => quoted(text),
            };
            assert!(before.contains(from), "{from} in {before}");
            bench.write(file, before.replacen(from, &to, 1));
            asks(&bench, &[&["plan", "--out", "plan"], &asked(&[])[..]].concat(), &(text, file));
        }
    }
}

#[test]
fn names_of_files_and_folders() {
    for text in HOSTILE.iter().filter(|text| !text.contains('\0')) {
        let bench = Bench::new();
        let name = text.replace('/', "_");
        let (design, rows) = (format!("{name}.toml"), format!("{name}.csv"));
        let [design, rows] = [&design, &rows].map(String::as_str);
        // None of them is there.
        asks(&bench, &["info", "--design", design], text);
        asks(&bench, &["verify", &name], text);
        asks(&bench, &[&["plan", "--inventory", rows], &SMALL[..]].concat(), text);
        asks(&bench, &["simulate", design], text);
        asks(&bench, &["configs", "verify", &name, "--read-back", &name], text);
        // Now they are.
        asks(&bench, &[&["new", "--out", design], &SMALL[..]].concat(), text);
        asks(&bench, &[&["plan", "--out", &name], &SMALL[..]].concat(), text);
        asks(&bench, &["verify", &name], text);
        asks(&bench, &["netbox", &name, "--out", &name], text);
        asks(&bench, &["netbox", &name, "--site", "S", "--out", "netbox"], text);
        asks(&bench, &["configs", &name, "--dialect", "openflow", "--out", &name], text);
        bench.write(rows, "name,row,position\n,Row,1\n");
        asks(&bench, &[&["info", "--inventory", rows], &SMALL[..]].concat(), text);
        fs::write(bench.path(&name).join(OsStr::new(&name)), "mine").expect("a file");
        asks(&bench, &["verify", &name], text);
        asks(&bench, &[&["plan", "--out", &name], &SMALL[..]].concat(), text);
    }
}

#[test]
fn the_next_command_is_one_that_a_shell_takes() {
    let bench = Bench::new();
    let name = "a\u{1b}[2J\u{202e}'1.toml";
    let ran = bench.run_painted(&[&["new", "--out", name], &SMALL[..]].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    let word = r"$'a\033[2J\342\200\256\'1.toml'";
    assert!(ran.stdout.contains(&format!("lightloom plan {word} --out plan")), "{ran:?}");
    let mut shell = std::process::Command::new("bash");
    let echo = shell.arg("-c").arg(format!("printf %s {word}"));
    let echoed = echo.output().expect("bash is there").stdout;
    assert_eq!(String::from_utf8(echoed).expect("text"), name);
}

#[test]
fn values_of_flags_and_unknown_words() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    for text in HOSTILE.iter().filter(|text| !text.contains('\0')) {
        for flag in
            ["--family", "--p", "--site", "--location", "--cabling", "--catalogue", "--slack"]
        {
            let flag = format!("{flag}={text}");
            asks(&bench, &[&["info"], &SMALL[..2], &[&*flag]].concat(), &flag);
        }
        let unknown = format!("--{text}");
        for args in
            [&["info", &*unknown][..], &["info", text], &[text], &["tree", "--source", text]]
        {
            asks(&bench, args, &args);
        }
        let source = format!("--source={text}");
        asks(&bench, &[&["tree"], &SMALL[..], &[&*source]].concat(), text);
        let failed = format!("--failed={text}");
        for command in ["impact", "recover"] {
            asks(&bench, &[&[command], &SMALL[..], &[&*failed]].concat(), text);
        }
        let named = [format!("--site={text}"), format!("--location={text}")];
        asks(&bench, &["netbox", "plan", "--out", "netbox", &named[0], &named[1]], text);
        asks(&bench, &["configs", "plan", "--out", "configs", &format!("--dialect={text}")], text);
    }
}

#[test]
fn cells_of_the_files_of_a_plan() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    let files: Vec<String> = bench.names("plan");
    let mut changed = 0;
    for file in files.iter().filter(|file| file.ends_with(".csv")) {
        let path = format!("plan/{file}");
        let before = fs::read(bench.path(&path)).expect("a file");
        let rows: Vec<csv::StringRecord> = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(&*before)
            .records()
            .collect::<Result<_, _>>()
            .expect("rows");
        for row in [0, 1] {
            for column in 0..rows.get(row).map_or(0, csv::StringRecord::len) {
                let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
                for (at, record) in rows.iter().enumerate() {
                    let cell = |(i, cell)| if (at, i) == (row, column) { ALL } else { cell };
                    writer.write_record(record.iter().enumerate().map(cell)).expect("memory");
                }
                bench.write(&path, writer.into_inner().expect("memory"));
                let ran = asks(&bench, &["verify", "plan"], &(file, row, column));
                assert_ne!(ran.code, 0, "{file}, row {row}, column {column}");
                changed += 1;
            }
        }
        bench.write(&path, &before);
    }
    assert!(changed > 50, "{changed} cells were changed");
}

/// The places of a document that differ in more than an index.
fn places(
    value: &Value,
    at: &str,
    kind: &str,
    found: &mut Vec<String>,
    seen: &mut BTreeSet<String>,
) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let name = if key.parse::<u32>().is_ok() { "*" } else { key };
                places(value, &format!("{at}/{key}"), &format!("{kind}/{name}"), found, seen);
            }
        }
        Value::Array(list) => {
            for (i, value) in list.iter().enumerate() {
                places(value, &format!("{at}/{i}"), &format!("{kind}/*"), found, seen);
            }
        }
        _ => {}
    }
    if seen.insert(kind.to_owned()) {
        found.push(at.to_owned());
    }
}

#[test]
fn values_of_the_documents_of_a_plan() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    for file in ["plan.json", "rules.json"] {
        let path = format!("plan/{file}");
        let before = fs::read_to_string(bench.path(&path)).expect("a file");
        let document: Value = serde_json::from_str(&before).expect("JSON");
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        places(&document, "", "", &mut found, &mut seen);
        assert!(found.len() > 5, "{found:?}");
        for place in found {
            let mut document = document.clone();
            *document.pointer_mut(&place).expect("a place") = Value::from(ALL);
            bench.write(&path, document.to_string());
            assert_clean(&bench.run_painted(&["verify", "plan"]), &(file, &place));
            if file == "plan.json" {
                assert_clean(&bench.run_painted(&["fabric", "plan"]), &(file, &place));
            }
            if let Value::Object(map) = document.pointer_mut(&place).map_or(&mut Value::Null, |v| v)
            {
                map.insert(ALL.to_owned(), Value::Null);
            }
        }
        bench.write(&path, &before);
    }
}

#[test]
fn lines_that_switches_report() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    let out = ["configs", "plan", "--dialect", "openflow", "--out", "configs"];
    assert_eq!(bench.run(&out).code, 0);
    fs::create_dir(bench.path("back")).expect("a folder");
    let of = |kind: &str| {
        fs::read_to_string(bench.path("configs").join(format!("tor-0.{kind}"))).unwrap_or_default()
    };
    let flows = of("flows") + &of("gate");
    let line = flows.lines().find(|line| line.contains("actions=")).expect("a flow").to_owned();
    let groups = of("groups");
    for text in HOSTILE {
        for at in 0..5 {
            let hostile = match at {
                0 => text.to_owned(),
                1 => format!("{line},{text}"),
                2 => format!("{text}{line}"),
                3 => line.replacen("priority=", &format!("{text}="), 1),
                _ => line.replacen("actions=", &format!("actions={text},"), 1),
            };
            bench.write("back/tor-0.dump-flows", format!(" cookie=0x0, {hostile}\n{hostile}\n"));
            bench
                .write("back/tor-0.dump-groups", format!("{groups}\n group_id=1,{text}\n{text}\n"));
            let args = ["configs", "verify", "configs", "--read-back", "back"];
            asks(&bench, &args, &(text, at));
            bench.write("back/tor-0.dump-groups", &groups);
            let ran = asks(&bench, &args, &(text, at));
            assert_ne!(ran.code, 0, "{text:?} at {at}");
        }
    }
}

#[test]
fn names_that_a_spreadsheet_would_run_are_in_no_file_for_netbox() {
    let formulas = ["=1", "+1", "-1", "@1", "\u{ff1d}1", "\u{ff0b}1", "\u{ff0d}1", "\u{ff20}1"];
    for text in formulas {
        for (file, from, to) in [
            ("devices.csv", "s0", text),
            ("interfaces.csv", "Ethernet1/", &*format!("{text}/")),
            ("racks.csv", ",A,", &*format!(",{text},")),
        ] {
            let bench = Bench::new();
            write_hall(&bench, &FIVE);
            for changed in ["devices.csv", "interfaces.csv", "racks.csv"] {
                let before = fs::read_to_string(bench.path(changed)).expect("a file");
                if changed == file || (file == "devices.csv" && changed == "interfaces.csv") {
                    assert!(before.contains(from), "{from:?} in {before}");
                    bench.write(changed, before.replace(from, to));
                }
            }
            bench.plan("plan", &asked(&[]));
            let netbox = ["netbox", "plan", "--site", "S", "--with-switches", "--out", "netbox"];
            let ran = bench.refuses(&netbox, &["read as a formula", text]);
            assert_clean(&ran, &(file, text));
        }
    }
}
