//! `rules.json`: which sources each ToR relays.

use std::fmt::Write as _;

use lightloom_topology::TorId;

/// The file's name in a plan folder.
pub const FILE: &str = "rules.json";

/// The file's bytes: `{"relays":{"<tor>":[sources, ascending]}}`, a line for each ToR. A ToR's own
/// id in its list is the entry that lets its servers' packets into the splitter; it never relays
/// a copy of its own that comes back.
pub fn json(sources_by_relay: &[Vec<TorId>]) -> Vec<u8> {
    let mut text = String::from("{\"relays\":{");
    for (relay, sources) in sources_by_relay.iter().enumerate() {
        let comma = if relay == 0 { "" } else { "," };
        // Writing to a string does not fail.
        let _ = write!(text, "{comma}\n\"{relay}\":[");
        for (i, source) in sources.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            let _ = write!(text, "{comma}{source}");
        }
        text.push(']');
    }
    text.push_str("\n}}\n");
    text.into_bytes()
}

/// The file's bytes where tables would be too long to list: `{"router":"<name>"}`.
pub fn router_json(router: &str) -> Vec<u8> {
    format!("{{\"router\":\"{router}\"}}\n").into_bytes()
}
