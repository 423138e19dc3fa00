//! Both stages as one table, for switches that have no second one.
//!
//! Each entry of the first stage that sends packets meets each group, so the table grows with the product of relay
//! entries and groups.

use std::collections::BTreeMap;

use lightloom_routing::switch::Purpose;

use crate::address::AddressMatch;
use crate::config::{FirstStage, Ingress, Outcome, Reason, Replication, SwitchConfig};

/// An entry of a table in one stage. Of those that fit, the one with the highest priority decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Single {
    /// Higher ones go first.
    pub priority: u32,
    /// What it is for.
    pub reason: Reason,
    /// Where the packet came in.
    pub ingress: Ingress,
    /// Its source address.
    pub source: AddressMatch,
    /// Its destination address.
    pub destination: AddressMatch,
    /// Where it goes. `None`: it is dropped.
    pub replication: Option<Replication>,
}

/// The table of a switch in one stage, by falling priority.
pub fn table(config: &SwitchConfig) -> Vec<Single> {
    let mut by_outcome: BTreeMap<Outcome, Vec<Replication>> = BTreeMap::new();
    for replication in config.replications() {
        by_outcome.entry(replication.outcome).or_default().push(replication);
    }
    let none = Vec::new();
    let mut table = Vec::new();
    for entry in &config.first {
        let replications = by_outcome.get(&entry.outcome).unwrap_or(&none);
        for replication in replications {
            let group = replication.destination.unwrap_or(entry.destination);
            let Some(destination) = entry.destination.and(group) else { continue };
            let more = u32::from(replication.group.is_some());
            table.push(single(entry, more, destination, Some(replication.clone())));
        }
        if has_drop(entry) {
            table.push(single(entry, 0, entry.destination, None));
        }
    }
    table.sort_by_key(|entry| std::cmp::Reverse(entry.priority));
    table
}

/// Number of entries that [`table`] makes of an entry of the first stage. `replications` is the number of them for each
/// outcome.
pub(crate) fn entries(entry: &FirstStage, replications: &BTreeMap<Outcome, u64>) -> u64 {
    let sending = replications.get(&entry.outcome).copied().unwrap_or(0);
    sending + u64::from(has_drop(entry))
}

/// Whether an entry drops packets: all of them, or those to groups without members here. Without that drop, an entry
/// with a lower priority would send the latter. Below the last delivery there is none.
fn has_drop(entry: &FirstStage) -> bool {
    let is_last = entry.reason == Reason::Fabric(Purpose::Delivery);
    entry.outcome == Outcome::Drop || (entry.outcome == Outcome::Deliver && !is_last)
}

fn single(
    entry: &FirstStage,
    more: u32,
    destination: AddressMatch,
    replication: Option<Replication>,
) -> Single {
    Single {
        priority: 2 * u32::from(entry.priority) + more,
        reason: entry.reason,
        ingress: entry.ingress,
        source: entry.source,
        destination,
        replication,
    }
}
