//! Selects racks by status.
//!
//! If the user gives statuses, racks with those statuses are planned. Without statuses, racks of every
//! status are planned, and the report counts them per status. Racks that will be removed are refused unless
//! the user gives their status.

use std::collections::BTreeMap;
use std::path::Path;

use lightloom_design::inventory::InventoryNote;
use lightloom_request::setting::hall::STATUS;
use lightloom_request::{InputError, Message};

use crate::inventory::filter::Filters;
use crate::text::{Record, Table};

/// Statuses of racks that will be removed. NetBox has "deprecated".
const GOING: [&str; 6] =
    ["deprecated", "decommissioned", "decommissioning", "retired", "removed", "disposed"];

/// Checks the statuses of the racks that pass the filters.
pub(super) fn judge(
    path: &Path,
    table: &Table,
    filters: &Filters,
    racks: &[Record<'_>],
) -> Result<Option<InventoryNote>, InputError> {
    if !table.has("status") || filters.asks_for_status() {
        return Ok(None);
    }
    let mut counts: BTreeMap<String, (usize, u64)> = BTreeMap::new();
    for rack in racks {
        let (count, _) =
            counts.entry(rack.cell("status").to_lowercase()).or_insert((0, rack.line()));
        *count += 1;
    }
    if let Some((status, (count, line))) =
        counts.iter().find(|(status, _)| GOING.contains(&status.as_str()))
    {
        let staying = counts.keys().filter(|s| !s.is_empty() && !GOING.contains(&s.as_str()));
        let staying: Vec<&str> = staying.map(String::as_str).collect();
        let example = if staying.is_empty() { status.clone() } else { staying.join(",") };
        let text = format!(
            "{count} of the racks have the status {status:?}; say which statuses are planned, such as "
        );
        let message = Message::new(text).setting(&STATUS, Some(example));
        let refused = InputError::mentioning(message).in_file(path).at_line(*line);
        return Err(refused.in_field("status"));
    }
    let plain = counts.keys().all(|status| status == "active");
    let counts = counts.into_iter().map(|(status, (count, _))| (status, count)).collect();
    Ok((!plain).then_some(InventoryNote::Statuses(counts)))
}
