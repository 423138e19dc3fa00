//! SONiC: the lossless class of the unicast ports, in the tables of its published YANG models.
//!
//! Each port has headroom of its own; no pool of headroom is shared.

use lightloom_request::InputError;
use lightloom_switching::config::SwitchConfig;
use lightloom_switching::fabric::Configs;
use lightloom_switching::lossless::{CONTROL, Headroom, Lossless, UnicastLink};
use lightloom_switching::unicast::{BufferShares, UnicastPort, ports};
use lightloom_units::Length;
use serde_json::{Map, Value, json};

use crate::names::unicast_interface;
use crate::not_expressed::{NotExpressed, lacking};

/// The name of our maps and of our profile of marks.
const NAME: &str = "LIGHTLOOM";
/// The pool of lossless packets on the way in, as SONiC's own templates call it.
const INGRESS: &str = "ingress_lossless_pool";
/// The same on the way out.
const EGRESS: &str = "egress_lossless_pool";
/// The profile of the class in queues.
const EGRESS_PROFILE: &str = "lightloom_egress_lossless";
/// The list of lengths that SONiC's own templates write.
pub(super) const LENGTHS: &str = "AZURE";
/// Between two looks of the watchdog, in milliseconds; the least that the models allow.
const POLL_MS: &str = "100";

/// Tables whose rows are ours alone, or belong to one of our ports.
pub(super) const OWN: [&str; 11] = [
    "BUFFER_PG",
    "BUFFER_POOL",
    "BUFFER_PROFILE",
    "BUFFER_QUEUE",
    "DSCP_TO_TC_MAP",
    "MAP_PFC_PRIORITY_TO_QUEUE",
    "PFC_WD",
    "PORT_QOS_MAP",
    "QUEUE",
    "TC_TO_PRIORITY_GROUP_MAP",
    "TC_TO_QUEUE_MAP",
];
/// Tables with a row of ours that goes by another rule: marks, and the list of lengths, whose other fields stay.
pub(super) const MARKS: &str = "WRED_PROFILE";
/// See [`MARKS`].
pub(super) const CABLES: &str = "CABLE_LENGTH";

/// A port whose link is known.
struct Known<'a> {
    name: &'a str,
    link: UnicastLink,
    headroom: Headroom,
}

/// Adds the tables of the class of a switch. None if no link of its ports is known.
///
/// # Errors
/// [`InputError`] if an interface has no name, or one that cannot be a key.
pub(super) fn add(
    configs: &Configs<'_>,
    config: &SwitchConfig,
    tables: &mut Value,
) -> Result<(), InputError> {
    let Some(lossless) = &configs.lossless else { return Ok(()) };
    let all = ports(configs, config.tor);
    let known: Result<Vec<_>, InputError> = all.iter().filter_map(known).collect();
    let known = known?;
    if known.is_empty() {
        return Ok(());
    }
    maps(lossless, tables);
    tables["BUFFER_POOL"] = pools(lossless, &all);
    tables["BUFFER_PROFILE"] = profiles(lossless, &known);
    tables[MARKS] = json!({ NAME: marks(lossless) });
    let priority = lossless.class.priority;
    let of = |row: &dyn Fn(&Known<'_>) -> (String, Value)| -> Value {
        known.iter().map(row).collect::<Map<_, _>>().into()
    };
    let queue = |port: &Known<'_>| format!("{}|{priority}", port.name);
    tables["BUFFER_PG"] = of(&|port| (queue(port), json!({ "profile": profile_name(port.link) })));
    tables["BUFFER_QUEUE"] = of(&|port| (queue(port), json!({ "profile": EGRESS_PROFILE })));
    tables["QUEUE"] = of(&|port| (queue(port), json!({ "wred_profile": NAME })));
    tables[CABLES] =
        json!({ LENGTHS: of(&|port| (port.name.to_owned(), metres(port.link.cable).into())) });
    let on = priority.to_string();
    tables["PORT_QOS_MAP"] = of(&|port| {
        let row = json!({
            "dscp_to_tc_map": NAME,
            "tc_to_pg_map": NAME,
            "tc_to_queue_map": NAME,
            "pfc_to_queue_map": NAME,
            "pfc_enable": on,
            "pfcwd_sw_enable": on,
        });
        (port.name.to_owned(), row)
    });
    let patience = (lossless.watchdog.as_ps() / 1_000_000_000).to_string();
    let mut watched = of(&|port| {
        let row = json!({
            "action": "drop",
            "detection_time": patience,
            "restoration_time": patience,
        });
        (port.name.to_owned(), row)
    });
    watched["GLOBAL"] = json!({ "POLL_INTERVAL": POLL_MS });
    tables["PFC_WD"] = watched;
    Ok(())
}

fn known<'a>(port: &UnicastPort<'a>) -> Option<Result<Known<'a>, InputError>> {
    let (link, headroom) = port.link.zip(port.headroom)?;
    Some(unicast_interface("SONiC", port).map(|name| Known { name, link, headroom }))
}

/// The maps from code points to classes, and from classes to queues and priority groups. What is neither of the class
/// nor control has class 0.
fn maps(lossless: &Lossless, tables: &mut Value) {
    let class = lossless.class;
    let of_code = |code: u8| match code {
        code if code == class.dscp => class.priority,
        code if code == CONTROL.dscp => CONTROL.priority,
        _ => 0,
    };
    let rows = |most: u8, of: &dyn Fn(u8) -> u8| -> Value {
        let row = |key: u8| (key.to_string(), Value::from(of(key).to_string()));
        json!({ NAME: (0..=most).map(row).collect::<Map<_, _>>() })
    };
    let group = |of: u8| if of == class.priority { of } else { 0 };
    tables["DSCP_TO_TC_MAP"] = rows(63, &of_code);
    tables["TC_TO_PRIORITY_GROUP_MAP"] = rows(7, &group);
    tables["TC_TO_QUEUE_MAP"] = rows(7, &|of| of);
    tables["MAP_PFC_PRIORITY_TO_QUEUE"] = rows(7, &|of| of);
}

fn pools(lossless: &Lossless, all: &[UnicastPort<'_>]) -> Value {
    let size = lossless.buffer.size.as_bytes();
    // What passes the buffer is refused before anything is written.
    let shared = BufferShares::of(lossless, all).shared.unwrap_or_default();
    json!({
        INGRESS: { "type": "ingress", "mode": "dynamic", "size": shared.as_bytes().to_string() },
        EGRESS: { "type": "egress", "mode": "static", "size": size.to_string() },
    })
}

fn profiles(lossless: &Lossless, known: &[Known<'_>]) -> Value {
    let resume = lossless.resume().as_bytes();
    let mut rows = Map::new();
    for port in known {
        let headroom = port.headroom.size.as_bytes();
        let row = json!({
            "pool": INGRESS,
            "size": (headroom + resume).to_string(),
            "xon": resume.to_string(),
            "xoff": headroom.to_string(),
            "dynamic_th": lossless.buffer.exponent.to_string(),
        });
        rows.insert(profile_name(port.link), row);
    }
    let all = lossless.buffer.size.as_bytes().to_string();
    rows.insert(
        EGRESS_PROFILE.to_owned(),
        json!({ "pool": EGRESS, "size": "0", "static_th": all }),
    );
    rows.into()
}

fn marks(lossless: &Lossless) -> Value {
    let mut row = json!({ "ecn": "ecn_all" });
    for colour in ["green", "yellow", "red"] {
        row[format!("wred_{colour}_enable")] = "true".into();
        row[format!("{colour}_min_threshold")] = lossless.marking.min.as_bytes().to_string().into();
        row[format!("{colour}_max_threshold")] = lossless.marking.max.as_bytes().to_string().into();
        row[format!("{colour}_drop_probability")] = lossless.marking.percent.to_string().into();
    }
    row
}

/// The name of the profile of a link. Ours, because SONiC's buffer manager writes those of its own names again.
fn profile_name(link: UnicastLink) -> String {
    let [rate, cable] = [link.rate.as_bps(), link.cable.as_um()];
    // Links of two rates must not share a name.
    let rate = match rate {
        rate if rate.is_multiple_of(1_000_000) => (rate / 1_000_000).to_string(),
        rate => format!("{rate}bps"),
    };
    format!("lightloom_lossless_{rate}_{cable}um")
}

/// A length in whole metres, rounded up, as the models want it.
fn metres(cable: Length) -> String {
    format!("{}m", cable.as_um().div_ceil(1_000_000))
}

/// What the tables of the class leave open.
pub(super) fn lacks(switches: usize) -> [NotExpressed; 3] {
    [
        lacking(
            "other classes",
            "sizes of pools and profiles for lossy packets come from the platform, which does not know these",
            "see that all pools together fit the buffer: show buffer configuration",
            switches,
        ),
        lacking(
            "buffer manager",
            "SONiC's buffer manager makes rows of BUFFER_PG for priorities 3-4 by itself from CABLE_LENGTH",
            "remove its rows of these ports, and keep DEVICE_METADATA buffer_model at traditional",
            switches,
        ),
        lacking(
            "MTU of ports to the unicast network",
            "their rows of PORT are left as they are, so that a rollout shuts none of them down",
            "see that their mtu is not above the planned one; lint --files compares it",
            switches,
        ),
    ]
}
