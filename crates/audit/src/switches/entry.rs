//! Flows and groups of a switch, as files have them and as `ovs-ofctl` lists them.

use std::collections::{BTreeMap, BTreeSet};

/// What a switch reports that is not compared: how a flow fares, and what it adds to the buckets of groups that copy to
/// all of them, where it has no meaning.
pub(super) const IGNORED: [&str; 7] =
    ["duration", "n_packets", "n_bytes", "idle_age", "hard_age", "bucket_id", "weight"];

/// What a flow is told beside match and actions: when it goes by itself, and what it reports.
const SETTINGS: [&str; 8] = [
    "idle_timeout",
    "hard_timeout",
    "importance",
    "send_flow_rem",
    "reset_counts",
    "check_overlap",
    "no_packet_counts",
    "no_byte_counts",
];

/// What tells a flow from others: table, priority and match.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FlowKey {
    pub(super) table: u64,
    priority: u64,
    fields: BTreeSet<String>,
}

/// A flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Flow {
    pub(super) cookie: u64,
    pub(super) packets: u64,
    settings: BTreeSet<String>,
    actions: Vec<String>,
    /// The text, without what is not compared.
    pub(super) text: String,
}

impl Flow {
    /// Whether another flow is told the same. Its cookie says what it is for, so that is compared too.
    pub(super) fn is_as(&self, other: &Self) -> bool {
        self.cookie == other.cookie && self.does_as(other)
    }

    /// Whether another flow does the same as long.
    pub(super) fn does_as(&self, other: &Self) -> bool {
        self.actions == other.actions && self.settings == other.settings
    }
}

/// The flows of a text. Comments and the heads of answers are passed over.
pub(super) fn flows(text: &str) -> Result<BTreeMap<FlowKey, Flow>, (u64, String)> {
    let mut flows = BTreeMap::new();
    for (number, line) in lines(text) {
        if !line.contains("actions=") {
            // The head of an answer: "OFPST_FLOW reply (OF1.3) (xid=0x2):".
            if line.starts_with("OFPST_") || line.starts_with("NXST_") {
                continue;
            }
            return Err((number, format!("found {line:?}; expected a flow")));
        }
        let (key, flow) = flow(line).map_err(|message| (number, message))?;
        if flows.insert(key, flow).is_some() {
            return Err((number, format!("found {line:?} a second time")));
        }
    }
    Ok(flows)
}

/// The groups of a text, by number: type and buckets.
pub(super) fn groups(text: &str) -> Result<BTreeMap<u64, String>, (u64, String)> {
    let mut groups = BTreeMap::new();
    for (number, line) in lines(text) {
        if line.starts_with("OFPST_") || line.starts_with("NXST_") {
            continue;
        }
        let refuse = || (number, format!("found {line:?}; expected a group"));
        let rest = line.strip_prefix("group_id=").ok_or_else(refuse)?;
        let (id, rest) = rest.split_once(',').ok_or_else(refuse)?;
        let id: u64 = id.parse().map_err(|_| refuse())?;
        let mut buckets = rest.split(",bucket=").map(bucket);
        let kind = buckets.next().unwrap_or_default();
        let buckets: Vec<String> = buckets.collect();
        let group = format!("{kind},bucket={}", buckets.join(",bucket="));
        if groups.insert(id, group).is_some() {
            return Err((number, format!("found group {id} a second time")));
        }
    }
    Ok(groups)
}

fn lines(text: &str) -> impl Iterator<Item = (u64, &str)> {
    let lines = (1..).zip(text.lines()).map(|(number, line)| {
        let line = line.split('#').next().unwrap_or_default();
        (number, line.trim())
    });
    lines.filter(|(_, line)| !line.is_empty())
}

fn flow(line: &str) -> Result<(FlowKey, Flow), String> {
    let (left, actions) = line.split_once("actions=").unwrap_or((line, ""));
    let (mut table, mut priority, mut cookie, mut packets) = (0, 32_768, 0, 0);
    let (mut fields, mut settings) = (BTreeSet::new(), BTreeSet::new());
    for field in left.split([',', ' ']).filter(|field| !field.is_empty()) {
        let (name, value) = field.split_once('=').unwrap_or((field, ""));
        let whole = || number(value).ok_or_else(|| format!("found {field:?}; expected a number"));
        match name {
            "table" => table = whole()?,
            "priority" => priority = whole()?,
            "cookie" => cookie = whole()?,
            "n_packets" => packets = whole()?,
            _ if IGNORED.contains(&name) => {}
            // A time of 0 is none.
            _ if SETTINGS.contains(&name) => {
                if value.is_empty() || whole()? != 0 {
                    settings.insert(field.to_owned());
                }
            }
            _ => {
                fields.insert(match (value, number(value)) {
                    ("", _) => name.to_owned(),
                    (_, Some(value)) => format!("{name}={value}"),
                    (_, None) => format!("{name}={}", value.strip_suffix("/32").unwrap_or(value)),
                });
            }
        }
    }
    let actions: Vec<String> = actions.split(',').map(action).collect();
    let listed = |words: &BTreeSet<String>| -> String {
        words.iter().map(|word| format!(",{word}")).collect()
    };
    let text = format!(
        "cookie={cookie:#x},table={table},priority={priority}{}{},actions={}",
        listed(&settings),
        listed(&fields),
        actions.join(",")
    );
    Ok((FlowKey { table, priority, fields }, Flow { cookie, packets, settings, actions, text }))
}

/// An action in one form: `write_metadata:0x1` is `write_metadata:1`.
fn action(text: &str) -> String {
    let text = text.trim().to_lowercase();
    match text.split_once(':') {
        Some((name, value)) => {
            number(value).map_or(text.clone(), |value| format!("{name}:{value}"))
        }
        None => text,
    }
}

/// A bucket without its number and weight, which switches add.
fn bucket(text: &str) -> String {
    let added = |part: &&str| !part.starts_with("bucket_id:") && !part.starts_with("weight:");
    let parts = text.split(',').filter(added);
    parts
        .map(|part| part.trim_start_matches("actions=").to_lowercase())
        .collect::<Vec<_>>()
        .join(",")
}

/// A number, decimal or with `0x`.
fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
