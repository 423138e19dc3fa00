//! The lossless class of the unicast ports (cepheus:V-C.lossless): what is refused, what is written,
//! and what `lint` finds in files.

use std::fs;

use serde_json::{Value, json};

use crate::bench::Bench;

const MODEL: &str = "[switch.own]\nports = [\"16 x 100 Gb/s\"]\nhairpin = true\nsource = \"me\"\ndate = \"2026-11\"\n\
                     interfaces = [{ names = \"Ethernet{1-16}\", rate = \"100 Gb/s\", connector = \"lc\" }]\n";
const DESIGN: &str = "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n[optics]\nparts = \"own.toml\"\n\
                      [tor]\nmodel = \"own\"\n";
const CLASS: &str = "[lossless]\nbuffer = \"2 MB\"\ncell = \"256 B\"\necn_min = \"40 kB\"\necn_max = \"160 kB\"\n\
                     ecn_percent = 20\n";
const SERVERS: &str = "[servers]\nper_tor = 2\nrate = \"100 Gbps\"\ncable = \"3 m\"\n";
const UPLINK: &str = "[[uplink]]\ntor = \"all\"\ninterface = \"Ethernet16\"\n\
                      rate = \"100 Gbps\"\ncable = \"100.5 m\"\n";

fn bench(groups: &str) -> Bench {
    let bench = Bench::new();
    bench.write("own.toml", MODEL);
    bench.write("design.toml", DESIGN);
    bench.write("groups.toml", format!("version = 1\n{groups}"));
    bench
}

const fn configs(dialect: &str) -> [&str; 8] {
    ["configs", "design.toml", "--dialect", dialect, "--groups", "groups.toml", "--out", "configs"]
}

fn refuses(groups: &str, parts: &[&str]) {
    let bench = bench(groups);
    bench.refuses(&configs("sonic"), &[&["groups.toml:"], parts].concat());
    assert!(!bench.path("configs").exists());
}

#[test]
fn classes_that_cannot_be_are_refused() {
    let class = |line: &str| format!("{CLASS}{line}\n{SERVERS}");
    refuses("[lossless]\n", &["lossless.buffer", "is missing", "32 MB"]);
    refuses(&CLASS.replace("\"2 MB\"", "\"0 B\""), &["lossless.buffer", "more than 0 B"]);
    refuses(&CLASS.replace("\"256 B\"", "256"), &["lossless.cell", "256"]);
    refuses(&CLASS.replace("ecn_percent = 20", ""), &["lossless.ecn_percent", "is missing"]);
    refuses(&CLASS.replace("ecn_percent = 20", "ecn_percent = 101"), &["ecn_percent", "0 to 100"]);
    refuses(&CLASS.replace("\"40 kB\"", "\"161 kB\""), &["lossless.ecn_min", "above ecn_max"]);
    refuses(&class("priority = 6"), &["lossless.priority", "acknowledgements"]);
    refuses(&class("priority = 0"), &["lossless.priority", "other traffic"]);
    refuses(&class("priority = 8"), &["lossless.priority", "0 to 7"]);
    refuses(&class("dscp = 48"), &["lossless.dscp", "acknowledgements"]);
    refuses(&class("dscp = 64"), &["lossless.dscp", "0 to 63"]);
    refuses(&class("pause_share = \"1/3\""), &["lossless.pause_share", "1/8"]);
    refuses(&class("pause_quanta = 65536"), &["lossless.pause_quanta", "65535"]);
    refuses(&class("watchdog = \"99 ms\""), &["lossless.watchdog", "100 ms"]);
    refuses(&class("watchdog = \"100.5 ms\""), &["lossless.watchdog", "whole milliseconds"]);
    refuses(&class("xoff = 3"), &["lossless.xoff", "unknown"]);
    refuses(SERVERS, &["servers.rate", "no [lossless]"]);
    refuses(UPLINK, &["uplink.tor", "no [lossless]"]);
    let servers = |from: &str, to: &str| format!("{CLASS}{}", SERVERS.replace(from, to));
    refuses(&servers("100 Gbps", "56 Gbps"), &["servers.rate", "pause_quanta"]);
    refuses(&servers("100 Gbps", "0 Gbps"), &["servers.rate", "at most"]);
    refuses(&servers("3 m", "101 km"), &["servers.cable", "at most 100000 m"]);
    refuses(&servers("100 Gbps", "400 Gbps"), &["servers.rate", "Ethernet3", "has 100 Gbps"]);
    let uplink = |from: &str, to: &str| format!("{CLASS}{}", UPLINK.replace(from, to));
    refuses(&uplink("Ethernet16", "Ethernet1"), &["uplink.interface", "port of the fabric"]);
    refuses(&uplink("Ethernet16", "Ethernet99"), &["uplink.interface", "no interface"]);
    refuses(&uplink("\"all\"", "\"tor:9\""), &["uplink.tor", "0 to 7"]);
    refuses(&format!("{CLASS}{UPLINK}{UPLINK}"), &["uplink.interface", "taken"]);
    // The first free interface of each ToR is a server's.
    let taken = UPLINK.replace("Ethernet16", "Ethernet3");
    refuses(&format!("{CLASS}{SERVERS}{taken}"), &["uplink.interface", "Ethernet3", "taken"]);
}

#[test]
fn buffers_and_thresholds_that_cannot_work_are_refused() {
    // Three ports of 46,080, 46,080 and 64,512 bytes of headroom, and 18,432 each before senders go on.
    let reserved = 2 * 46_080 + 64_512 + 3 * 18_432;
    let groups = |buffer: u64, max: u64| {
        let class = CLASS.replace("2 MB", &format!("{buffer} B"));
        let class = class.replace("160 kB", &format!("{max} B"));
        format!("{class}{SERVERS}{UPLINK}")
    };
    let refused = |buffer, max, parts: &[&str]| {
        bench(&groups(buffer, max)).refuses(&configs("sonic"), parts);
    };
    refused(reserved - 1, 50_000, &["ToR 0", "211968 B", "shorter cables"]);
    // Of 900,000 shared bytes a group alone takes a ninth.
    refused(reserved + 900_000, 100_000, &["Ethernet3", "pauses before it marks", "100000 B"]);
    let bench = bench(&groups(reserved + 900_000, 99_999));
    assert_eq!(bench.run(&configs("sonic")).code, 0);
}

/// The answer of `lint` over the files of a folder.
fn lint(bench: &Bench) -> (Value, i32) {
    let asked = ["lint", "design.toml", "--dialect", "sonic", "--groups", "groups.toml"];
    let ran = bench.run(&[&asked[..], &["--files", "configs", "--json"]].concat());
    (serde_json::from_str(&ran.stdout).expect("JSON"), ran.code)
}

/// The rules that find something beside what is always found.
fn rules(report: &Value) -> Vec<String> {
    let all = report["findings"].as_array().expect("findings").iter();
    let name = |found: &Value| found["rule"].as_str().expect("a rule").to_owned();
    let usual = ["not-expressed", "fault-signalling-unknown", "table-unknown", "time-to-live"];
    all.map(name).filter(|rule| !usual.contains(&rule.as_str())).collect()
}

/// A change of the tables of a switch, and the rule that finds it.
type Fault = (&'static str, fn(&mut Value));

#[test]
fn every_fault_in_a_file_is_found() {
    let faults: [Fault; 14] = [
        ("no-pause", |t| t["PORT_QOS_MAP"]["Ethernet3"]["pfc_enable"] = "4,5".into()),
        ("no-pause", |t| {
            t["PORT_QOS_MAP"].as_object_mut().expect("rows").remove("Ethernet16");
        }),
        ("no-watchdog", |t| {
            t["PFC_WD"].as_object_mut().expect("rows").remove("Ethernet3");
        }),
        ("no-watchdog", |t| t["PORT_QOS_MAP"]["Ethernet3"]["pfcwd_sw_enable"] = "".into()),
        ("pause-on-fibre", |t| t["PORT_QOS_MAP"]["Ethernet1"] = json!({ "pfc_enable": "5" })),
        ("lossless-unplanned", |t| t["PORT_QOS_MAP"]["Ethernet9"] = json!({ "pfc_enable": "3" })),
        ("headroom-too-small", |t| {
            t["BUFFER_PROFILE"]["lightloom_lossless_100000_100500000um"]["xoff"] = "64511".into();
        }),
        ("headroom-too-small", |t| {
            t["BUFFER_PG"].as_object_mut().expect("rows").remove("Ethernet3|3");
        }),
        ("headroom-over-buffer", |t| {
            t["BUFFER_POOL"]["ingress_lossless_pool"]["size"] = "1788033".into();
        }),
        ("headroom-over-buffer", |t| {
            t["BUFFER_PG"]["Ethernet9|3-4"] =
                json!({ "profile": "lightloom_lossless_100000_3000000um" });
        }),
        ("frame-over-plan", |t| t["PORT"]["Ethernet3"]["mtu"] = "9101".into()),
        ("marking-differs", |t| t["WRED_PROFILE"]["LIGHTLOOM"]["green_min_threshold"] = "1".into()),
        ("marking-differs", |t| t["WRED_PROFILE"]["LIGHTLOOM"]["ecn"] = "ecn_none".into()),
        ("marking-above-pause", |t| {
            t["WRED_PROFILE"]["LIGHTLOOM"]["green_max_threshold"] = "200000".into();
        }),
    ];
    let bench = bench(&format!("{CLASS}{SERVERS}{UPLINK}"));
    assert_eq!(bench.run(&configs("sonic")).code, 0);
    let (report, code) = lint(&bench);
    assert_eq!((code, rules(&report)), (0, Vec::new()));
    let path = bench.path("configs/tor-5.config_db.json");
    let written = fs::read_to_string(&path).expect("it was written");
    for (rule, change) in faults {
        let mut tables: Value = serde_json::from_str(&written).expect("JSON");
        change(&mut tables);
        fs::write(&path, tables.to_string()).expect("it can be written");
        let (report, code) = lint(&bench);
        let found = rules(&report);
        assert!(!found.is_empty() && found.iter().all(|one| one == rule), "{rule}: {found:?}");
        let all = report["findings"].as_array().expect("findings");
        let of_rule = all.iter().find(|one| one["rule"] == rule).expect("it was found");
        assert_eq!(of_rule["tor"], 5, "{rule}");
        assert_eq!(code, i32::from(of_rule["severity"] == "error"), "{rule}");
    }
    fs::write(&path, &written).expect("it can be written");
    assert_eq!(lint(&bench).1, 0);
}

#[test]
fn files_that_cannot_be_read_are_refused() {
    let bench = bench(&format!("{CLASS}{SERVERS}{UPLINK}"));
    assert_eq!(bench.run(&configs("sonic")).code, 0);
    let asked = ["lint", "design.toml", "--groups", "groups.toml", "--files", "configs"];
    bench.refuses(&asked, &["--files", "sonic"]);
    bench.refuses(&[&asked[..], &["--dialect", "eos"]].concat(), &["--files", "sonic"]);
    let sonic = [&asked[..], &["--dialect", "sonic"]].concat();
    let path = bench.path("configs/tor-5.config_db.json");
    let written = fs::read_to_string(&path).expect("it was written");
    for (from, to, parts) in [
        ("{", "[", &["tor-5.config_db.json", "JSON"][..]),
        ("\"xoff\": \"46080\"", "\"xoff\": 46080", &["xoff", "expected a text"]),
        ("\"xoff\": \"46080\"", "\"xoff\": \"many\"", &["xoff", "many", "whole number"]),
        ("\"Ethernet3|3\"", "\"Ethernet3|3-x\"", &["BUFFER_PG", "Ethernet0|3-4"]),
        ("\"PFC_WD\": {", "\"PFC_WD\": 3, \"x\": {", &["PFC_WD", "object"]),
    ] {
        let wrong = written.replacen(from, to, 1);
        assert_ne!(wrong, written, "{from}");
        fs::write(&path, wrong).expect("it can be written");
        bench.refuses(&sonic, parts);
    }
    fs::remove_file(&path).expect("it was there");
    bench.refuses(&sonic, &["tor-5.config_db.json"]);
    fs::write(&path, &written).expect("it can be written");
    bench.write("groups.toml", format!("version = 1\n{}", "[servers]\nper_tor = 2\n"));
    bench.refuses(&sonic, &["--files", "[lossless]"]);
}

/// Links whose rates differ by less than a megabit a second have profiles of their own.
#[test]
fn every_link_has_its_own_profile() {
    let server = |number: u32, rate: &str| {
        format!(
            "[[server]]\nname = \"s{number}\"\ntor = \"tor:0\"\ninterface = \"Ethernet{number}\"\nrate = \"{rate}\"\n\
             cable = \"2 km\"\n"
        )
    };
    let servers = server(5, "50 Gbps") + &server(6, "50000000001 bps");
    let bench = bench(&format!("{CLASS}pause_quanta = 905\n{servers}"));
    assert_eq!(bench.run(&configs("sonic")).code, 0);
    let path = bench.path("configs/tor-0.config_db.json");
    let text = fs::read_to_string(path).expect("it was written");
    let tables: Value = serde_json::from_str(&text).expect("JSON");
    let of = |port: &str| tables["BUFFER_PG"][format!("{port}|3")]["profile"].clone();
    assert_ne!(of("Ethernet5"), of("Ethernet6"));
    assert_eq!(tables["BUFFER_PROFILE"].as_object().map(serde_json::Map::len), Some(3));
}

/// A port is listed also where its rate or its cable is not given. Nothing is written for it.
#[test]
fn links_that_are_not_known_are_told() {
    let servers = SERVERS.replace("cable = \"3 m\"\n", "");
    let bench = bench(&format!("{CLASS}{servers}{UPLINK}"));
    assert_eq!(bench.run(&configs("sonic")).code, 0);
    let text = |name: &str| fs::read_to_string(bench.path(name)).expect("it was written");
    let manifest: Value = serde_json::from_str(&text("configs/configs.json")).expect("JSON");
    assert_eq!(manifest["lossless"]["ports"], 8);
    assert_eq!(manifest["lossless"]["unknown"], 16);
    let tables: Value = serde_json::from_str(&text("configs/tor-0.config_db.json")).expect("JSON");
    assert_eq!(tables["PORT_QOS_MAP"].as_object().map(serde_json::Map::len), Some(1));
    assert!(text("configs/lossless.csv").contains("0,tor:0/1,Ethernet3,,,,,\n"));
    let (report, code) = lint(&bench);
    assert_eq!((code, rules(&report)), (0, vec!["lossless-unknown".to_owned(); 16]));
    // Without a class there is nothing of it at all.
    bench.write("groups.toml", "version = 1\n[servers]\nper_tor = 2\n");
    let other = ["configs", "design.toml", "--dialect", "sonic", "--groups", "groups.toml"];
    assert_eq!(bench.run(&[&other[..], &["--out", "plain"]].concat()).code, 0);
    assert!(!bench.path("plain/lossless.csv").exists());
    assert!(!text("plain/configs.json").contains("lossless"));
    assert!(!text("plain/tor-0.config_db.json").contains("PFC"));
}

/// The twin has the same loop. It decides about whole frames, so it needs one more; and no frame follows the pause and
/// the last frame at once, so that it counts no gap of theirs.
#[test]
fn the_twin_needs_a_frame_more() {
    let class = format!("{CLASS}phy = \"0 B\"\n{}", SERVERS.replace("3 m", "100 m"));
    let bench = bench(&class);
    assert_eq!(bench.run(&configs("sonic")).code, 0);
    let sheet = fs::read_to_string(bench.path("configs/lossless.csv")).expect("it was written");
    let row = sheet.lines().nth(1).expect("a row");
    let needs: u64 = row.split(',').nth(5).and_then(|cell| cell.parse().ok()).expect("bytes");
    // Frames of 9,122 bytes: a payload of 9,044, headers of 62, and 16 of the first packet of a WRITE.
    bench.write(
        "s.toml",
        "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 1\nspines = 0\n\
         hosts_per_leaf = 2\nrate = \"100 Gb/s\"\nlength = \"100 m\"\n[parameters.wire]\nmtu = \"9044 B\"\n\
         [parameters.switch]\nheadroom_per_port = \"0 B\"\npause_response = \"2.01728 us\"\n\
         [[flow]]\nfrom = 0\nto = 1\nsize = \"1 kB\"\n",
    );
    let answer = bench.ask(&["simulate", "s.toml"]);
    let warnings = answer["warnings"].to_string();
    let gaps = 2 * 12;
    let wanted = format!("headroom_per_port = \\\"{}\\\"", shown(needs + 9_122 - gaps));
    assert!(warnings.contains(&wanted), "{wanted}: {warnings}");
}

/// Bytes as a data size is written.
fn shown(bytes: u64) -> String {
    format!("{}.{:03} kB", bytes / 1_000, bytes % 1_000)
}
