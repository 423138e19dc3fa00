//! How many circuit switches ToRs share.

use lightloom_request::InputError;

use crate::said::{NetworkRow, Row as _};

/// The number of circuit switches between this number of ToRs.
///
/// # Errors
/// [`InputError`] if there are more than other ToRs: some would be idle in every slot.
pub(super) fn circuit_switches(row: &NetworkRow, tors: usize) -> Result<u16, InputError> {
    let switches = row.circuit_switches.unwrap_or(1);
    if switches as usize >= tors {
        let message = format!(
            "found {switches}; {tors} ToRs use at most {}, one for each other ToR",
            tors.saturating_sub(1)
        );
        return Err(NetworkRow::place().refuse("circuit_switches", message));
    }
    Ok(u16::try_from(switches).unwrap_or(u16::MAX))
}
