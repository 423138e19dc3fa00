//! The first lines of files for switches.

use lightloom_switching::config::SwitchConfig;
use lightloom_switching::fabric::Configs;
use lightloom_switching::stamp::Stamp;

use crate::names::escaped;

/// The first lines of a file: what it is, which plan it belongs to, and what stands behind it.
pub(super) fn head(
    comment: &str,
    configs: &Configs<'_>,
    switch: &SwitchConfig,
    proof: &str,
) -> String {
    let (tor, encoding, stamp) = (switch.tor, configs.encoding, Stamp::of(switch));
    let of = match switch.slot.is_alone() {
        true => String::new(),
        false => {
            let project = configs.project;
            let rack = project.placement().rack(tor);
            let others = project.placement().beside(tor).filter(|&other| other != tor);
            let others: Vec<String> = others.map(|tor| tor.to_string()).collect();
            let place = escaped(project.hall().rack(rack).name.as_str());
            let others = match &others[..] {
                [] => "the only one".to_owned(),
                others => format!("beside ToRs {}", others.join(", ")),
            };
            format!(
                "{comment} A logical ToR of the switch in rack {place}, {others}: load the files of all of them.\n"
            )
        }
    };
    format!(
        "{comment} lightloom: ToR {tor}, rules {stamp}, encoding {encoding}\n{of}{comment} {proof}\n"
    )
}
