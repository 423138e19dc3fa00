//! The columns of rack inventories, and the detection of files that are not rack inventories.

use std::path::Path;

use lightloom_request::InputError;

use crate::text::{Column, Table, column, fold};

/// The known columns: our names and the synonyms that people and programs use. `docs/inventories.md` lists
/// them.
pub const COLUMNS: [Column; 11] = [
    Column { name: "name", synonyms: &["rack", "rack name", "cabinet", "cabinet name"] },
    Column { name: "row", synonyms: &["row name", "rack row", "cabinet row"] },
    Column { name: "position", synonyms: &["pos", "pos.", "position in row", "row position"] },
    Column { name: "x_m", synonyms: &["x (m)"] },
    Column { name: "y_m", synonyms: &["y (m)"] },
    Column { name: "unit", synonyms: &["tor unit", "unit (u)"] },
    Column {
        name: "u_height",
        synonyms: &["height (u)", "height u", "rack height (u)", "size (u)"],
    },
    Column { name: "site", synonyms: &["site name", "data center", "datacenter", "data centre"] },
    Column { name: "location", synonyms: &["location name", "room", "room name"] },
    Column { name: "status", synonyms: &["rack status"] },
    // Cells of this column must have a unit, U.
    column("height"),
];

/// Columns for places that are never in one hall. If one has several values, the racks are refused.
pub(super) const APART: [&str; 4] = ["building", "floor", "suite", "cage"];

/// Columns that only device lists have.
const OF_DEVICES: [&str; 3] = ["device type", "face", "primary ip"];
/// Columns that, together with a name and a rack, identify a device list.
const BESIDE_RACKS: [&str; 7] =
    ["manufacturer", "type", "role", "device role", "model", "ip address", "parent device"];

/// Refuses a device list.
pub(super) fn refuse_devices(path: &Path, table: &Table) -> Result<(), InputError> {
    let folded: Vec<String> = table.columns().map(|(_, title)| fold(title)).collect();
    let has = |name: &str| folded.iter().any(|title| title == name);
    let in_racks = has("rack") && ["name", "device", "device name"].iter().any(|name| has(name));
    let signs = OF_DEVICES.iter().chain(BESIDE_RACKS.iter().filter(|_| in_racks));
    let Some(sign) = signs.copied().find(|sign| has(sign)) else { return Ok(()) };
    let title = table.columns().map(|(_, title)| title).find(|title| fold(title) == sign);
    let message = format!(
        "is a list of devices (it has a column {:?}), not of racks; export the racks instead (NetBox: \
         Organization, Racks, Export), with the columns site, location, name, status and u_height",
        title.unwrap_or(sign)
    );
    Err(table.at_header(path, message))
}

/// Words in the name column of a row that is a sum.
const SUMS: [&str; 10] = [
    "total",
    "totals",
    "grand total",
    "subtotal",
    "sub total",
    "sum",
    "sums",
    "average",
    "mean",
    "count",
];

/// Whether a name marks a row that is a sum.
pub(super) fn sums_up(name: &str) -> bool {
    let folded = fold(name);
    SUMS.contains(&folded.as_str())
        || folded == "σ"
        || folded.starts_with("total ")
        || folded.ends_with(" total")
}
