//! Link fault signalling: ToRs that stop sending because of what the receiver of their transmit port hears.
//!
//! A ToR has one transmitter. It shares a port with one receiver. With link fault signalling on, the
//! reconciliation sublayer of that port (IEEE 802.3, clause 46.3.4) decides what the transmitter sends:
//!
//! | the receiver | state | the transmitter sends |
//! |---|---|---|
//! | gets no light | local fault | remote fault, no frames |
//! | hears remote fault | remote fault | idles, no frames |
//! | hears data or idles | no fault | data |
//!
//! On a link with two directions, this stops both ends of a broken link. Here the light goes one way: remote
//! fault reaches other ToRs than the one whose light is missing, and silences those of them whose transmit
//! port hears it.
//!
//! A ToR sends remote fault iff its own receiver is dark, and idles iff the ToR that it hears sends remote
//! fault. Neither depends on further states. So the states follow from the damage in two steps: there is one
//! fixpoint, every cycle of transmit ports has it too, and the cascade ends at the ToRs that hear idles.

use std::collections::BTreeMap;

use lightloom_topology::{Fabric, TorId};
use lightloom_units::named_enum;

use crate::failure::{Damage, Failure, NoSuchPart};

named_enum! {
    /// Why link fault signalling keeps a ToR from sending.
    #[derive(PartialOrd, Ord)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Cause {
        /// No light arrives at the receiver of its transmit port. It sends remote fault in place of data.
        LocalFault = "local_fault",
        /// The receiver of its transmit port hears remote fault. It sends idles in place of data.
        RemoteFault = "remote_fault",
    }
}

/// The ToRs whose transmitter works, but sends no frames, with the cause.
pub fn silenced(damage: &Damage<'_>) -> BTreeMap<TorId, Cause> {
    let fabric = damage.fabric();
    let cause = |tor| {
        let heard = fabric.heard_at_transmit_port(tor);
        if has_local_fault(damage, tor) {
            Some((tor, Cause::LocalFault))
        } else if damage.sends(tor) && heard.is_some_and(|heard| has_local_fault(damage, heard)) {
            Some((tor, Cause::RemoteFault))
        } else {
            None
        }
    };
    fabric.tor_ids().filter_map(cause).collect()
}

/// Whether a ToR lights its splitter's outputs while no light arrives at its own transmit port.
fn has_local_fault(damage: &Damage<'_>, tor: TorId) -> bool {
    let heard = damage.fabric().heard_at_transmit_port(tor);
    damage.sends(tor) && !heard.is_some_and(|heard| damage.arrives(heard, tor))
}

/// The failures, followed by those that link fault signalling adds. For the rules, a silenced ToR equals one
/// with a failed transmitter. Only its light differs: it stays on.
///
/// # Errors
/// [`NoSuchPart`] for the first failure that names a part that this fabric does not have.
pub fn with_silenced(fabric: &Fabric, failures: &[Failure]) -> Result<Vec<Failure>, NoSuchPart> {
    let silenced = silenced(&Damage::new(fabric, failures)?);
    let added = silenced.into_keys().map(Failure::Transmitter);
    Ok(failures.iter().copied().chain(added).collect())
}

/// The ToRs that some transmit port hears, ascending by cassette: one into each cassette. A dead transmitter
/// of any other ToR silences no ToR.
pub fn heard_at_transmit_ports(fabric: &Fabric) -> impl Iterator<Item = TorId> {
    let first = |cassette| fabric.receivers(cassette).first();
    fabric.cassette_ids().filter_map(first).filter_map(|&tor| fabric.heard_at_transmit_port(tor))
}

/// Largest number of other ToRs that a single dead transmitter silences.
pub fn most_silenced(fabric: &Fabric) -> usize {
    heard_at_transmit_ports(fabric).map(|tor| count_silenced_by(fabric, tor)).max().unwrap_or(0)
}

/// Number of other ToRs that one dead transmitter silences, counted around it only.
fn count_silenced_by(fabric: &Fabric, dead: TorId) -> usize {
    // Those that a transmitter's light reaches at their transmit port.
    let heard_by = |tor: TorId| {
        let receivers = fabric.receivers(fabric.transmits_into(tor)).iter().copied();
        receivers.filter(move |&to| to != dead && fabric.heard_at_transmit_port(to) == Some(tor))
    };
    // Every ToR hears one other at its transmit port, so no ToR is counted twice.
    let idle =
        |tor| heard_by(tor).filter(move |&to| fabric.heard_at_transmit_port(to) != Some(dead));
    heard_by(dead).map(|tor| 1 + idle(tor).count()).sum()
}
