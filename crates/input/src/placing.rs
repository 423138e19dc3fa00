//! Racks of ToRs that a placement file gives.

use std::collections::BTreeMap;
use std::path::Path;

use lightloom_plan::open::Unplaced;
use lightloom_request::{Complaints, InputError, Request, Texts, setting};
use lightloom_topology::RackId;

use crate::text::{Column, Record, Table, column};

/// The rack of each ToR, ToR 0 first. `None`: the design names no placement file.
///
/// # Errors
/// [`InputError`] at the first wrong line of the file.
pub fn given(unplaced: &Unplaced) -> Result<Option<Vec<Option<RackId>>>, InputError> {
    let design = unplaced.design();
    let Some(file) = &design.placement else { return Ok(None) };
    let racks = unplaced.hall().racks().iter().enumerate();
    let by_name: BTreeMap<&str, RackId> =
        racks.map(|(i, rack)| (rack.name.as_str(), RackId::at(i))).collect();
    let logical = design.settings.value(&setting::tor::LOGICAL)?;
    from_file(file, &by_name, (unplaced.tors(), logical), design.settings.texts()).map(Some)
}

/// The columns of a placement file.
const COLUMNS: [Column; 2] = [column("tor"), Column { name: "rack", synonyms: &["rack name"] }];

/// Name of a placement that a search has made. It is a file in memory only.
const FOUND: &str = "<placement>";

/// A placement file: a line for each ToR with its rack, ToR 0 first.
///
/// # Panics
/// Never: lines of two cells are written to memory, and names of racks are texts.
pub fn csv<'a>(racks: impl IntoIterator<Item = &'a str>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = std::iter::once(["tor".to_owned(), "rack".to_owned()]);
    let lines = racks.into_iter().enumerate().map(|(tor, rack)| [tor.to_string(), rack.to_owned()]);
    for line in header.chain(lines) {
        writer.write_record(&line).expect("lines of two cells are written to memory");
    }
    let text = writer.into_inner().map(String::from_utf8);
    text.expect("memory takes all").expect("names are texts")
}

/// A request that says the racks of its ToRs, ToR 0 first, with a placement file in memory.
pub fn said(request: Request, racks: &[String]) -> Request {
    let texts = request.texts.with(Path::new(FOUND), csv(racks.iter().map(String::as_str)));
    let mut flags = request.flags;
    flags.retain(|(key, _)| *key != *setting::hall::PLACEMENT);
    Request { texts, flags, ..request }.say(&setting::hall::PLACEMENT, FOUND)
}

/// Number of ToRs that an error lists.
const NAMED: usize = 5;

/// Reads a CSV file with columns `tor,rack` and a line for every ToR. The switch of a rack is up to `logical` ToRs.
fn from_file(
    file: &Path,
    racks: &BTreeMap<&str, RackId>,
    (tors, logical): (usize, u32),
    texts: &Texts,
) -> Result<Vec<Option<RackId>>, InputError> {
    let table = Table::read(file, texts, &COLUMNS)?;
    table.require(file, &COLUMNS.map(|column| column.name))?;
    let mut fixed = vec![None; tors];
    let mut holders: BTreeMap<RackId, Vec<usize>> = BTreeMap::new();
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
        let others = holders.entry(*rack).or_default();
        others.push(tor);
        if others.len() <= logical as usize {
            return Ok(());
        }
        Err(record.refuse(
            "rack",
            match logical {
                1 => format!("rack {name:?} is given to ToR {} and to ToR {tor}", others[0]),
                most => format!(
                    "rack {name:?} is given to more than {most} ToRs, which its switch is (tor.logical)"
                ),
            },
        ))
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
    let has_room =
        |rack: &RackId| holders.get(rack).is_none_or(|tors| tors.len() < logical as usize);
    let free = racks.iter().find(|(_, rack)| has_room(rack));
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

/// The columns of a file of groups of racks.
const GROUPS: [Column; 2] = [Column { name: "rack", synonyms: &["rack name"] }, column("group")];

/// Reads a CSV file with columns `rack,group`: the group of each rack by name.
///
/// # Errors
/// [`InputError`] if the file cannot be read, or if a rack is in it twice or without a group.
pub fn rack_groups(file: &Path, texts: &Texts) -> Result<BTreeMap<String, String>, InputError> {
    let table = Table::read(file, texts, &GROUPS)?;
    table.require(file, &GROUPS.map(|column| column.name))?;
    let (mut groups, mut complaints) = (BTreeMap::new(), Complaints::default());
    for record in table.records(file) {
        let (rack, group) = (record.cell("rack"), record.cell("group"));
        let found = match (rack, group) {
            ("", _) => Err(record.refuse("rack", "is empty; name a rack".to_owned())),
            (_, "") => Err(record.refuse("group", "is empty; name the rack's group".to_owned())),
            _ => match groups.insert(rack.to_owned(), group.to_owned()) {
                None => Ok(()),
                Some(_) => {
                    Err(record.refuse("rack", format!("found {rack:?} twice; keep one line")))
                }
            },
        };
        complaints.take(found);
    }
    complaints.end()?;
    Ok(groups)
}
