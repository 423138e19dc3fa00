//! The first lines of files for switches.

use lightloom_switching::config::SwitchConfig;
use lightloom_switching::fabric::Configs;
use lightloom_switching::stamp::Stamp;

/// The first lines of a file: what it is, which plan it belongs to, and what stands behind it.
pub(super) fn head(
    comment: &str,
    configs: &Configs<'_>,
    switch: &SwitchConfig,
    proof: &str,
) -> String {
    let (tor, encoding, stamp) = (switch.tor, configs.encoding, Stamp::of(switch));
    format!(
        "{comment} lightloom: ToR {tor}, rules {stamp}, encoding {encoding}\n{comment} {proof}\n"
    )
}
