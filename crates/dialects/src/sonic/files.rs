//! SONiC: settings of ports as `config_db.json`, in the tables of SONiC's published YANG models.
//!
//! JSON has no comments. What stands behind the file, and what it lacks, is in a text beside it.

use std::fmt::Write as _;

use lightloom_power_cost::parts::FaultSignalling;
use lightloom_request::InputError;
use lightloom_switching::config::SwitchConfig;
use lightloom_switching::fabric::Configs;
use lightloom_switching::ports::{PortFec, PortSettings};
use serde_json::{Map, Value, json};

use super::class;
use crate::head::head;
use crate::names::{about, interface};
use crate::not_expressed::NotExpressed;

/// Endings of the files of a switch.
pub(super) const FILES: [&str; 2] = ["config_db.json", "sonic.txt"];

/// What stands behind the files.
const PROOF: &str = "written from SONiC's published YANG models (sonic-net/sonic-buildimage, src/sonic-yang-models), \
                     and never run";
/// Broadcast and unknown unicast that a fabric port takes, in kbit/s.
const STORM_KBPS: &str = "1000";

/// The files of a switch, by ending of their names.
///
/// # Errors
/// [`InputError`] if an interface has no name, or one that cannot be a key.
pub(super) fn files(
    configs: &Configs<'_>,
    config: &SwitchConfig,
    lacks: &[NotExpressed],
) -> Result<Vec<(&'static str, String)>, InputError> {
    let mut by_hand = String::new();
    for port in &config.ports {
        let Some(settings) = PortSettings::of(configs.project, port) else { continue };
        if settings.light.is_one_way() {
            let name = interface("SONiC", config.tor, port)?;
            // Writing to a string does not fail.
            let _ = writeln!(by_hand, "{name}: {}", duties(&settings));
        }
    }
    let tables = tables(configs, config)?;
    let json = serde_json::to_string_pretty(&tables).expect("its keys are texts") + "\n";
    let mut text = head("#", configs, config, PROOF);
    text += "\nLoad the file over the configuration of the platform: config load FILE\n";
    text += "\nWhat config_db.json cannot express:\n";
    for NotExpressed { what, why, instead, .. } in lacks {
        let _ = writeln!(text, "- {what}: {why}. In its place: {instead}.");
    }
    text += "\nWhat each port of the fabric needs besides, by hand:\n";
    text += &by_hand;
    Ok(vec![("config_db.json", json), ("sonic.txt", text)])
}

/// The tables of a switch, by name.
pub(super) fn tables(configs: &Configs<'_>, config: &SwitchConfig) -> Result<Value, InputError> {
    let (mut ports, mut lldp, mut storms) = (Map::new(), Map::new(), Map::new());
    for port in &config.ports {
        let Some(settings) = PortSettings::of(configs.project, port) else { continue };
        let name = interface("SONiC", config.tor, port)?;
        ports.insert(name.to_owned(), row(&settings, &about(configs, port)));
        if settings.lldp {
            lldp.insert(name.to_owned(), json!({ "enabled": "true" }));
        }
        if settings.storm_control {
            for kind in ["broadcast", "unknown-unicast"] {
                storms.insert(format!("{name}|{kind}"), json!({ "kbps": STORM_KBPS }));
            }
        }
    }
    let mut tables = json!({
        "FEATURE": { "lldp": { "state": "enabled" } },
        "LLDP": { "GLOBAL": { "enabled": "true" } },
        "LLDP_PORT": lldp,
        "PORT": ports,
    });
    if !storms.is_empty() {
        tables["PORT_STORM_CONTROL"] = Value::Object(storms);
    }
    class::add(configs, config, &mut tables)?;
    Ok(tables)
}

/// A row of the table PORT. All values are texts.
fn row(settings: &PortSettings, about: &str) -> Value {
    let mut row = json!({
        "admin_status": "up",
        "description": about,
        "mtu": settings.mtu.to_string(),
    });
    if settings.light.is_one_way() {
        for field in ["autoneg", "link_training", "pfc_asym"] {
            row[field] = "off".into();
        }
    }
    if let Some(rate) = settings.rate {
        row["speed"] = (rate.as_bps() / 1_000_000).to_string().into();
    }
    match settings.fec {
        Some(PortFec::None) => row["fec"] = "none".into(),
        Some(PortFec::ReedSolomon) => row["fec"] = "rs".into(),
        // The code of the module is not that of the port.
        Some(PortFec::Module) | None => {}
    }
    row
}

/// What the file cannot set on a port.
fn duties(settings: &PortSettings) -> String {
    let off = [
        ("link fault signalling", settings.fault_signalling == FaultSignalling::On),
        ("UDLD", settings.udld),
        ("LACP", settings.lacp),
        ("pause frames and priority flow control", settings.pause),
        ("spanning tree", settings.spanning_tree),
        ("MAC learning", settings.learning),
        ("flooding", settings.flooding),
        ("IGMP snooping", settings.igmp_snooping),
    ];
    let off: Vec<&str> =
        off.into_iter().filter(|(_, is_on)| !is_on).map(|(what, _)| what).collect();
    let mut text = format!("{}; off: {}", settings.light, off.join(", "));
    if settings.unidirectional {
        text += "; on: receiving without a partner for the transmitter";
    }
    text
}
