//! Configurations of SONiC and of Arista EOS, and names that try to put lines of their own into one.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::bench::{Bench, Ran, SMALL};
use crate::reader::Plan;

/// Racks with one device and two interfaces each. The names are those of one kind.
fn hall(bench: &Bench, rack: &str, interface: &str) {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut racks = String::from("name,row,position\n");
    let mut devices = String::from("name,rack,position,u_height,role\n");
    let mut listed =
        String::from("device,name,type,enabled,cable,mark_connected,tags,description\n");
    for i in 0..8 {
        let rack = quoted(&format!("{rack}{i}"));
        racks += &format!("{rack},A,{}\n", i + 1);
        devices += &format!("s{i},{rack},40,1,Leaf\n");
        for number in 1..=2 {
            let name = quoted(&format!("{interface}{number}"));
            listed += &format!("s{i},{name},25gbase-x-sfp28,true,,,,\n");
        }
    }
    bench.write("racks.csv", racks);
    bench.write("devices.csv", devices);
    bench.write("interfaces.csv", listed);
}

const HALL: [&str; 6] =
    ["--inventory", "racks.csv", "--devices", "devices.csv", "--interfaces", "interfaces.csv"];

fn configs(bench: &Bench, dialect: &str, more: &[&str]) -> Ran {
    let args = ["configs", "--dialect", dialect, "--out", dialect];
    bench.run(&[&args[..], &SMALL, more].concat())
}

fn read(bench: &Bench, file: &str) -> String {
    fs::read_to_string(bench.path(file)).expect("it was written")
}

/// Names that would end a line, a word, a text or a comment in some language.
const HOSTILE: [&str; 7] =
    ["R!", "R; reload", "R\" description x", "R' shutdown", "Rück", "R|x", "R\\n! no"];

#[test]
fn sonic_files_keep_to_the_published_models() {
    let bench = Bench::new();
    let model = ["--tor-model", "arista-7050sx-64"];
    bench.plan("plan", &[&SMALL[..], &model].concat());
    let ran = configs(&bench, "sonic", &model);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.said().contains("Not expressed (8 switches): relay by source"), "{ran:?}");
    let plan = Plan::read(&bench, "plan");
    for tor in 0..8 {
        let text = read(&bench, &format!("sonic/tor-{tor}.config_db.json"));
        let tables: Value = serde_json::from_str(&text).expect("JSON");
        let known = ["FEATURE", "LLDP", "LLDP_PORT", "PORT", "PORT_STORM_CONTROL"];
        assert!(tables.as_object().expect("tables").keys().eq(known.iter()), "{text}");
        let ports = tables["PORT"].as_object().expect("rows");
        let rows = plan.ports.iter().filter(|row| row["tor"] == tor.to_string());
        let due: BTreeSet<&str> = rows.map(|row| row["interface"].as_str()).collect();
        assert!(ports.keys().map(String::as_str).eq(due.iter().copied()));
        for (name, port) in ports {
            // sonic-port.yang: types and patterns of the fields.
            for (field, value) in port.as_object().expect("fields") {
                let value = value.as_str().expect("all values are texts");
                let is_good = match field.as_str() {
                    "admin_status" => ["up", "down"].contains(&value),
                    "autoneg" | "link_training" | "pfc_asym" => ["on", "off"].contains(&value),
                    "fec" => ["rs", "fc", "none", "auto"].contains(&value),
                    "mtu" => (68..=9216).contains(&value.parse::<u32>().expect("a number")),
                    "speed" => (1..=1_600_000).contains(&value.parse::<u32>().expect("a number")),
                    "description" => value.len() <= 255,
                    _ => false,
                };
                assert!(is_good, "{field}: {value}");
            }
            assert_eq!(port["autoneg"], "off");
            assert_eq!(tables["LLDP_PORT"][name]["enabled"], "true");
            for kind in ["broadcast", "unknown-unicast"] {
                assert_eq!(tables["PORT_STORM_CONTROL"][format!("{name}|{kind}")]["kbps"], "1000");
            }
        }
        // Multicast is what the fabric carries: nothing limits it.
        assert!(!text.contains("unknown-multicast"));
        let beside = read(&bench, &format!("sonic/tor-{tor}.sonic.txt"));
        assert!(beside.starts_with(&format!("# lightloom: ToR {tor}, rules 0x")), "{beside}");
        assert!(beside.contains("and never run"));
        assert!(beside.contains("- relay by source: "));
        assert_eq!(beside.matches("off: link fault signalling, UDLD, LACP").count(), 2);
    }
    let text = read(&bench, "sonic/configs.json");
    let manifest: Value = serde_json::from_str(&text).expect("JSON");
    assert!(manifest["not_expressed"].as_array().expect("a list").len() >= 5);
    // The folder is replaced in one step: its files are known.
    assert_eq!(configs(&bench, "sonic", &model).code, 0);
}

#[test]
fn correction_and_speed_are_those_of_the_transceiver() {
    let bench = Bench::new();
    for (transceiver, model, speed, fec) in [
        ("25gbase-er", "cisco-93180yc-ex", "25000", "rs"),
        ("10gbase-er", "arista-7050sx-64", "10000", "none"),
    ] {
        let design = format!(
            "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n[optics]\ntransceiver = \"{transceiver}\"\n\
             [tor]\nmodel = \"{model}\"\n"
        );
        bench.write("design.toml", design);
        for dialect in ["sonic", "eos"] {
            let ran =
                bench.run(&["configs", "design.toml", "--dialect", dialect, "--out", dialect]);
            assert_eq!(ran.code, 0, "{ran:?}");
        }
        let tables: Value =
            serde_json::from_str(&read(&bench, "sonic/tor-3.config_db.json")).expect("JSON");
        for port in tables["PORT"].as_object().expect("rows").values() {
            assert_eq!((&port["speed"], &port["fec"]), (&speed.into(), &fec.into()));
        }
        let eos = read(&bench, "eos/tor-3.eos");
        let line = if fec == "rs" {
            "   error-correction encoding reed-solomon\n"
        } else {
            "   no error-correction encoding\n"
        };
        assert_eq!(eos.matches(line).count(), 2);
    }
}

#[test]
fn hostile_names_of_racks_stay_within_their_texts() {
    for rack in HOSTILE {
        let bench = Bench::new();
        hall(&bench, rack, "Ethernet");
        for dialect in ["openflow", "sonic", "eos"] {
            let ran = configs(&bench, dialect, &HALL);
            assert_eq!(ran.code, 0, "{rack}: {ran:?}");
        }
        for tor in 0..8 {
            let eos = read(&bench, &format!("eos/tor-{tor}.eos"));
            assert!(eos.is_ascii(), "{rack}");
            eos.lines().for_each(|line| assert!(is_eos_line(line), "{rack}: {line:?}"));
            let sonic = read(&bench, &format!("sonic/tor-{tor}.config_db.json"));
            let tables: Value = serde_json::from_str(&sonic).expect("JSON");
            for port in tables["PORT"].as_object().expect("rows").values() {
                let about = port["description"].as_str().expect("a text");
                assert!(is_description(about), "{rack}: {about:?}");
            }
            let beside = read(&bench, &format!("sonic/tor-{tor}.sonic.txt"));
            assert!(beside.is_ascii() && !beside.contains(rack), "{rack}");
            for kind in ["flows", "groups", "gate"] {
                let text = read(&bench, &format!("openflow/tor-{tor}.{kind}"));
                text.lines().for_each(|line| assert!(is_openflow_line(line), "{rack}: {line:?}"));
            }
        }
    }
}

#[test]
fn hostile_names_of_interfaces_are_refused_where_they_are_words() {
    for name in HOSTILE.iter().chain(&["Ethernet 1 shutdown", "Ethernet1,2"]) {
        let bench = Bench::new();
        hall(&bench, "R", name);
        for dialect in ["sonic", "eos"] {
            let args = ["configs", "--dialect", dialect, "--out", "out"];
            let said = if dialect == "eos" { "EOS" } else { "SONiC" };
            bench.refuses(
                &[&args[..], &SMALL, &HALL].concat(),
                &["cannot stand in a configuration of", said, "rename it"],
            );
        }
        // OpenFlow has numbers of ports only.
        assert_eq!(configs(&bench, "openflow", &HALL).code, 0);
        let text = read(&bench, "openflow/tor-0.flows");
        text.lines().for_each(|line| assert!(is_openflow_line(line), "{name}: {line:?}"));
    }
}

#[test]
fn commands_of_a_catalogue_are_one_line() {
    let bench = Bench::new();
    let write = |command: &str| {
        bench.write(
            "own.toml",
            format!(
                "[switch.own]\nports = [\"8 x 10 Gb/s\"]\nsource = \"me\"\ndate = \"2026-11\"\nfault_signalling = \
                    \"off\"\n\
                 interfaces = [{{ names = \"Ethernet{{1-8}}\", rate = \"10 Gb/s\", connector = \"lc\" }}]\n\
                 fault_signalling_command = \"{command}\"\nunidirectional_command = \"{command}\"\n"
            ),
        );
        bench.write(
            "design.toml",
            "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n[optics]\nparts = \"own.toml\"\n\
             [tor]\nmodel = \"own\"\n",
        );
    };
    let args = ["configs", "design.toml", "--dialect", "eos", "--out", "out"];
    write("no link-fault-signal");
    assert_eq!(bench.run(&args).code, 0);
    let text = read(&bench, "out/tor-0.eos");
    assert_eq!(text.lines().filter(|line| *line == "   no link-fault-signal").count(), 4);
    assert!(!text.contains("not expressed: unidirectional"));
    fs::remove_dir_all(bench.path("out")).expect("it was written");
    for bad in ["a\\nreload", "a ! b", "a; reload", "a \\\" b", "ä"] {
        write(bad);
        bench.refuses(&args, &["fault_signalling_command"]);
    }
}

#[test]
fn dialects_with_names_need_names() {
    let bench = Bench::new();
    for dialect in ["sonic", "eos"] {
        let args = [&["configs", "--dialect", dialect, "--out", "out"], &SMALL[..]].concat();
        bench.refuses(&args, &["names no interface for port 1 of ToR 0", "name a switch model"]);
    }
}

fn is_description(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 240
        && text.trim() == text
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b" /.:-_(),%".contains(&b))
}

/// Whether a line is one of those that EOS is told: comments, settings of the switch, of ports, and flows.
fn is_eos_line(line: &str) -> bool {
    const EXACT: [&str; 38] = [
        "!",
        "   !",
        "lldp run",
        "vlan 3901",
        "no ip igmp snooping vlan 3901",
        "no spanning-tree vlan-id 3901",
        "mac access-list lightloom-only-multicast",
        "   10 permit any 0100.5e00.0000 0000.007f.ffff",
        "   10 permit any 0180.c200.000e 0000.0000.0000",
        "   20 permit any 0180.c200.000e 0000.0000.0000",
        "   20 deny any any",
        "   30 deny any any",
        "mac access-list lightloom-closed",
        "   mac access-group lightloom-closed in",
        "   mac access-group lightloom-closed out",
        "ip access-list lightloom-no-groups",
        "   10 deny ip any 239.0.0.0/8",
        "   20 permit ip any any",
        "   ip access-group lightloom-no-groups in",
        "   no shutdown",
        "   shutdown",
        "   lldp transmit",
        "   lldp receive",
        "   flowcontrol send off",
        "   flowcontrol receive off",
        "   no priority-flow-control",
        "   no channel-group",
        "   switchport mode access",
        "   switchport access vlan 3901",
        "   no switchport mac address learning",
        "   spanning-tree bpdufilter enable",
        "   storm-control broadcast level 0.01",
        "   storm-control unknown-unicast level 0.01",
        "directflow",
        "      match ethertype ip",
        "      match ethertype 0x86dd",
        "      match ethertype 0x0806",
        "      action drop",
    ];
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let address = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b"./ ".contains(&b));
    let name = |text: &str| text.strip_prefix("Ethernet").is_some_and(number);
    let hex = |text: &str| text.bytes().all(|b| b.is_ascii_hexdigit());
    let is_flow = |text: &str| {
        text.split_once('-').is_some_and(|(priority, key)| number(priority) && hex(key))
    };
    EXACT.contains(&line)
        || line == "      match ip protocol 17"
        || line.strip_prefix("interface ").is_some_and(name)
        || line.strip_prefix("   description ").is_some_and(is_description)
        || line.strip_prefix("   name lightloom-0x").is_some_and(hex)
        || line.strip_prefix("   flow lightloom-").is_some_and(is_flow)
        || line.strip_prefix("      priority ").is_some_and(number)
        || line.strip_prefix("      match input interface ").is_some_and(name)
        || line.strip_prefix("      match source ip ").is_some_and(address)
        || line.strip_prefix("      match destination ip ").is_some_and(address)
        || line.strip_prefix("      action output interface ").is_some_and(name)
        || ["! lightloom: ToR ", "! never run: written from ", "! not expressed: "]
            .iter()
            .any(|start| line.starts_with(start))
}

/// Whether a line of OpenFlow is a comment or has no character that could be more than a flow or group.
fn is_openflow_line(line: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b",=:._/->".contains(&b);
    line.starts_with("# lightloom: ToR ")
        || line.starts_with("# proved on Open vSwitch")
        || ((["table=", "cookie=", "group_id="].iter().any(|start| line.starts_with(start)))
            && line.bytes().all(plain))
}
