//! Switches that are several logical ToRs share one pipeline: all that these are told must fit it together.

use lightloom_request::InputError;
use lightloom_switching::config::SwitchConfig;
use lightloom_switching::fabric::Configs;

use crate::p4runtime_changes::Held;
use crate::p4runtime_pipeline::Engine;
use crate::p4runtime_write::{fits, groups_fit};

/// Checks what the logical ToRs of each switch are told together. `told` says what one of them is told.
///
/// # Errors
/// [`InputError`] with the first ToR of a switch that cannot hold it, or two of whose ToRs are told the same.
pub(super) fn fits_together(
    configs: &Configs<'_>,
    switches: &[SwitchConfig],
    engine: &Engine,
    told: &dyn Fn(&SwitchConfig) -> Held,
) -> Result<(), InputError> {
    if !configs.project.is_logical() {
        return Ok(());
    }
    for (_, tors) in configs.project.switches() {
        let mut all = Held::default();
        for config in tors.iter().filter_map(|tor| switches.get(tor.index())) {
            let of_tor = told(config);
            all.groups.extend(of_tor.groups);
            all.entries.extend(of_tor.entries);
        }
        let checked = groups_fit(engine, &all.groups).and_then(|()| fits(&all.entries));
        checked.map_err(|refused| refused.of(tors[0]))?;
    }
    Ok(())
}
