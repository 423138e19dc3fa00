//! `rules.json`: the relayed sources of each ToR, its port filters, and stand-ins.

use std::fmt::Write as _;

use lightloom_request::choices::RouterName;
use lightloom_routing::verify::{Accept, Via};
use lightloom_topology::TorId;

/// The file's name in a plan folder.
pub const FILE: &str = "rules.json";

/// The rules of all switches.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// For each ToR, the sources that it relays, ascending.
    pub relays: &'a [Vec<TorId>],
    /// Port filters: the ToR from which a ToR accepts a source.
    pub accept: &'a Accept,
    /// Stand-ins: the ToR that transmits first for a source.
    pub via: &'a Via,
}

/// The content of the file: `{"relays":{"<tor>":[sources, ascending]},"accept":{"<tor>":{"<source>":<tor>}},
/// "via":{"<source>":<tor>}}`, one line per ToR or source. `accept` and `via` are always present, and empty
/// for an undamaged fabric.
///
/// A ToR's own id in its list is the rule that sends its servers' packets into the splitter. The id of a
/// source that it stands in for has the same meaning. Neither rule relays a copy that comes back.
pub fn json(rules: Rules<'_>) -> Vec<u8> {
    let ids = |ids: &[TorId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let relays = rules.relays.iter().enumerate();
    let relays = relays.map(|(tor, sources)| (TorId::at(tor), format!("[{}]", ids(sources))));
    let accept = rules.accept.iter().map(|(&tor, only)| {
        let only = only.iter().map(|(source, from)| format!("\"{source}\":{from}"));
        (tor, format!("{{{}}}", only.collect::<Vec<_>>().join(",")))
    });
    let via = rules.via.iter().map(|(&source, root)| (source, root.to_string()));
    format!("{{\"relays\":{},\n{}}}\n", object(relays), filters(accept, via)).into_bytes()
}

/// The content of the file if the tables would be too long to list:
/// `{"router":"<name>","accept":{},"via":{}}`.
pub fn router_json(router: RouterName) -> Vec<u8> {
    let none = std::iter::empty;
    format!("{{\"router\":\"{router}\",\n{}}}\n", filters(none(), none())).into_bytes()
}

fn filters(
    accept: impl Iterator<Item = (TorId, String)>,
    via: impl Iterator<Item = (TorId, String)>,
) -> String {
    format!("\"accept\":{},\n\"via\":{}", object(accept), object(via))
}

/// A JSON object, one line per key.
fn object(pairs: impl Iterator<Item = (TorId, String)>) -> String {
    let mut text = String::from("{");
    for (key, value) in pairs {
        let comma = if text.len() == 1 { "" } else { "," };
        // Writing to a string does not fail.
        let _ = write!(text, "{comma}\n\"{key}\":{value}");
    }
    text.push_str(if text.len() == 1 { "}" } else { "\n}" });
    text
}
