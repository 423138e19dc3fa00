//! Racks of ToRs that the user fixes: from a placement file, or from an old plan.

use std::collections::BTreeMap;
use std::path::Path;

use lightloom_design::inventory::InventoryNote;
use lightloom_plan::document::PlanDocument;
use lightloom_plan::open::Unplaced;
use lightloom_request::{Complaints, InputError, Texts};
use lightloom_topology::{RackId, TorId};

use crate::plan_folder::{self, WrittenPlan};
use crate::text::{Column, Record, Table, column};

/// The racks that a design fixes.
#[derive(Debug, Default)]
pub struct Fixed {
    /// The rack of each ToR, ToR 0 first. `None`: the design does not fix it. Empty: the design fixes no rack.
    pub racks: Vec<Option<RackId>>,
    /// What an old plan says that the new one does not keep.
    pub notes: Vec<InventoryNote>,
}

/// The racks that a design fixes.
///
/// # Errors
/// [`InputError`] at the first wrong line of a placement file, or if an old plan does not fit.
pub fn fixed(unplaced: &Unplaced) -> Result<Fixed, InputError> {
    let (design, tors) = (unplaced.design(), unplaced.tors());
    let racks = unplaced.hall().racks().iter().enumerate();
    let by_name: BTreeMap<&str, RackId> =
        racks.map(|(i, rack)| (rack.name.as_str(), RackId::at(i))).collect();
    let texts = design.settings.texts();
    match (&design.placement, &design.keep) {
        (Some(file), _) => {
            let racks = from_file(file, &by_name, tors, texts)?;
            Ok(Fixed { racks, ..Fixed::default() })
        }
        (None, Some(folder)) => {
            let kept = WrittenPlan { folder, memory: design.memory };
            from_plan(kept, &by_name, tors, texts)
        }
        (None, None) => Ok(Fixed::default()),
    }
}

/// The columns of a placement file.
const COLUMNS: [Column; 2] = [column("tor"), Column { name: "rack", synonyms: &["rack name"] }];

/// Number of ToRs that an error lists.
const NAMED: usize = 5;

/// Reads a CSV file with columns `tor,rack` and a line for every ToR.
fn from_file(
    file: &Path,
    racks: &BTreeMap<&str, RackId>,
    tors: usize,
    texts: &Texts,
) -> Result<Vec<Option<RackId>>, InputError> {
    let table = Table::read(file, texts, &COLUMNS)?;
    table.require(file, &COLUMNS.map(|column| column.name))?;
    let mut fixed = vec![None; tors];
    let mut holders = BTreeMap::new();
    let mut complaints = Complaints::default();
    let mut place = |record: &Record<'_>| -> Result<(), InputError> {
        let tor: usize = record.number("tor", "a ToR's number, from 0")?;
        let slot = fixed.get_mut(tor).ok_or_else(|| {
            record.refuse("tor", format!("found {tor}; the ToRs are 0 to {}", tors - 1))
        })?;
        let name = record.cell("rack");
        let rack = racks.get(name).ok_or_else(|| {
            record.refuse("rack", format!("found {name:?}; no rack of the hall has that name"))
        })?;
        if slot.replace(*rack).is_some() {
            return Err(record.refuse("tor", format!("ToR {tor} is placed twice")));
        }
        if let Some(first) = holders.insert(*rack, tor) {
            let message = format!("rack {name:?} is given to ToR {first} and to ToR {tor}");
            return Err(record.refuse("rack", message));
        }
        Ok(())
    };
    let mut lines = 0_usize;
    for record in table.records(file) {
        lines += 1;
        complaints.take(place(&record));
    }
    complaints.end()?;
    let missing: Vec<usize> = (0..tors).filter(|&tor| fixed[tor].is_none()).collect();
    if missing.is_empty() {
        return Ok(fixed);
    }
    let named: Vec<String> = missing.iter().take(NAMED).map(usize::to_string).collect();
    let more = match missing.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let free = racks.iter().find(|(_, rack)| !holders.contains_key(*rack));
    let example = free.map_or_else(String::new, |(name, _)| {
        format!(", such as: {},{}", missing[0], quoted(name))
    });
    let message = format!(
        "found {lines} lines for {tors} ToRs; without a rack: ToR {}{more}; give each of them a line{example}",
        named.join(", ")
    );
    Err(InputError::new(message).in_file(file).in_field("tor"))
}

/// Quotes a name for a cell of a CSV file.
fn quoted(name: &str) -> String {
    let plain = !name.contains([',', '"']);
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

/// The placement of an old plan. Every rack that still exists keeps its ToR.
fn from_plan(
    kept: WrittenPlan<'_>,
    racks: &BTreeMap<&str, RackId>,
    tors: usize,
    texts: &Texts,
) -> Result<Fixed, InputError> {
    let document = plan_folder::read(kept, texts)?;
    let file = kept.folder.join(PlanDocument::FILE);
    let mut fixed = vec![None; tors];
    for (tor, name) in document.tor_names().into_iter().enumerate() {
        let (tor, rack) = (TorId::at(tor), racks.get(name).copied());
        match fixed.get_mut(tor.index()) {
            Some(slot) => *slot = rack,
            None if rack.is_none() => {}
            None => {
                let message = format!(
                    "rack \"{name}\" holds ToR {tor}, but the new plan has ToRs 0 to {} only; \
                     plan at least as many ToRs, or take the rack out of the inventory",
                    tors - 1
                );
                return Err(InputError::new(message).in_file(&file).in_field("tors"));
            }
        }
    }
    let marks = document.as_built().marks.len();
    let notes = (marks > 0).then_some(InventoryNote::MarksNotKept(marks));
    Ok(Fixed { racks: fixed, notes: notes.into_iter().collect() })
}
