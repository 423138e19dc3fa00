//! Racks for new ToRs: spare racks of the hall, racks of a new inventory, or more rows of a generated hall.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_design::geometry::Geometry;
use lightloom_design::hall::{Arranged, arrange};
use lightloom_design::inventory::Inventory;
use lightloom_request::InputError;
use lightloom_topology::hall::{Hall, HallError, HallRules, Name, Rack, RackRole, Row};
use lightloom_topology::{RackId, RoomId, RowId};
use lightloom_units::Length;

use crate::growth::trunks::trunks_there;
use crate::project::Project;

/// A hall with enough racks.
pub(super) struct Grounds {
    pub(super) hall: Hall,
    /// For each rack of the old hall, its number in the new one.
    pub(super) rack_of: Vec<RackId>,
    /// Number of racks that are added to a generated hall.
    pub(super) assumed: usize,
}

/// Finds racks for this many ToRs.
///
/// # Errors
/// [`InputError`] if there are too few racks, or if the inventory lacks a rack of the plan or has it elsewhere.
pub(super) fn racks_for(
    project: &Project,
    tors: usize,
    inventory: Option<&Inventory>,
) -> Result<Grounds, InputError> {
    let old = &project.hall;
    if let Some(inventory) = inventory {
        if !old.building().is_plain() {
            let message = "the racks of the plan are in a building; it grows into its spare racks, and takes no \
                           other inventory";
            return Err(InputError::new(message).in_option("inventory"));
        }
        return listed(project, tors, inventory);
    }
    let same = || (0..old.racks().len()).map(RackId::at).collect();
    let racks = old.racks_for_tors().len();
    if racks >= tors {
        return Ok(Grounds { hall: Hall::clone(old), rack_of: same(), assumed: 0 });
    }
    let missing = tors - racks;
    let more =
        Some(()).filter(|()| old.building().is_plain()).and_then(|()| extended(old, missing));
    let Some((rows, racks)) = more else {
        let message = format!(
            "asks for {tors} ToRs, but the hall of the plan has {racks} racks; name an inventory with at least \
             {missing} more (inventory)",
        );
        return Err(InputError::new(message).in_option("tors"));
    };
    let rules = reaching(old.rules(), &rows, &racks);
    let hall =
        Hall::new(rules, rows, racks).map_err(|error| InputError::new(&error).in_option("tors"))?;
    Ok(Grounds { hall, rack_of: same(), assumed: missing })
}

fn listed(project: &Project, tors: usize, inventory: &Inventory) -> Result<Grounds, InputError> {
    let old = &project.hall;
    let refuse = |message: String| InputError::new(message).in_file(&inventory.file);
    let (rows, listed) = with_frames_of(old, arrange(inventory, &Geometry::default())?)
        .map_err(|message| refuse(message).in_field("y_m"))?;
    let by_name: BTreeMap<&Name, (usize, u64)> =
        listed.iter().enumerate().map(|(i, (rack, line))| (&rack.name, (i, *line))).collect();
    let used: Vec<RackId> = project
        .placement
        .racks()
        .iter()
        .copied()
        .chain(project.fabric.cassette_ids().map(|c| project.cassette_rack(c)))
        .chain(old.frames())
        .chain(trunks_there(project, old, |rack| rack)?.panels.iter().map(|panel| panel.rack))
        .collect();
    for &rack in &used {
        let there = old.rack(rack);
        let Some(&(i, line)) = by_name.get(&there.name) else {
            let message = format!(
                "lacks rack \"{}\", which the plan uses; list all racks of the plan",
                there.name
            );
            return Err(refuse(message).in_field("name"));
        };
        let found = &listed[i].0;
        let (row, old_row) = (&rows[found.row.index()], old.row(there.row));
        let at =
            |rack: &Rack, row: &Row| format!("row \"{}\", x = {}, y = {}", row.name, rack.x, row.y);
        if (found.x, row.y, &row.name) != (there.x, old_row.y, &old_row.name) {
            let message = format!(
                "rack \"{}\" is at {}; the plan has it at {}; racks of the plan keep their place (x_m and y_m say it)",
                there.name,
                at(found, row),
                at(there, old_row)
            );
            return Err(refuse(message).at_line(line).in_field("position"));
        }
        if (found.units, found.tor_unit) != (there.units, there.tor_unit) {
            let unit = |rack: &Rack| {
                rack.tor_unit.map_or_else(|| "no unit".into(), |unit| format!("unit {unit}"))
            };
            let message = format!(
                "rack \"{}\" has {} units and {}; the plan has {} units and {}",
                there.name,
                found.units,
                unit(found),
                there.units,
                unit(there)
            );
            return Err(refuse(message).at_line(line).in_field("unit"));
        }
    }
    let for_tors = listed.iter().filter(|(rack, _)| rack.role.is_tor()).count();
    if for_tors < tors {
        let message =
            format!("has {for_tors} racks for {tors} ToRs; a ToR needs a rack of its own");
        return Err(refuse(message).in_field("name"));
    }
    // The new inventory may lack a spare rack of the plan. Nothing refers to such a rack.
    let rack_of = old
        .racks()
        .iter()
        .map(|rack| by_name.get(&rack.name).map_or(RackId(u32::MAX), |&(i, _)| RackId::at(i)));
    let rack_of = rack_of.collect();
    let racks: Vec<Rack> = listed.iter().map(|(rack, _)| rack.clone()).collect();
    let rules = reaching(old.rules(), &rows, &racks);
    let hall = Hall::new(rules, rows, racks).map_err(|error| {
        let line = match error {
            HallError::NameTwice { rack, .. }
            | HallError::SamePlace { rack, .. }
            | HallError::Outside { rack, .. }
            | HallError::Units { rack, .. } => listed.get(rack).map(|(_, line)| *line),
            _ => None,
        };
        let refused = refuse(error.to_string());
        line.map_or(refused.clone(), |line| refused.at_line(line))
    })?;
    Ok(Grounds { hall, rack_of, assumed: 0 })
}

/// The rows and racks of an inventory with the frames of a hall: racks that are frames there are frames, and frames
/// that are to be bought come with their rows. The error says which row is where they stand.
fn with_frames_of(old: &Hall, (mut rows, mut listed): Arranged) -> Result<Arranged, String> {
    for rack in old.frames().into_iter().map(|id| old.rack(id)) {
        if let Some((found, _)) = listed.iter_mut().find(|(found, _)| found.name == rack.name) {
            found.role = RackRole::Frame;
        } else if rack.role == RackRole::NewFrame {
            let row = old.row(rack.row);
            let there = rows.iter().position(|other| other.y == row.y);
            if let Some(other) = there.map(|at| &rows[at]).filter(|other| other.name != row.name) {
                return Err(format!(
                    "row \"{}\" is at y = {}, where frame \"{}\" of the plan stands; place the row elsewhere (y_m), \
                     or list the frame",
                    other.name, row.y, rack.name
                ));
            }
            let at = there.unwrap_or_else(|| {
                rows.push(row.clone());
                rows.len() - 1
            });
            listed.push((Rack { row: RowId::at(at), ..rack.clone() }, 0));
        }
    }
    Ok((rows, listed))
}

/// The rules of a hall, wide and deep enough for these racks. Its cross-aisle trays stay: old routes stay what
/// they are.
pub(super) fn reaching(old: &HallRules, rows: &[Row], racks: &[Rack]) -> HallRules {
    let width = racks.iter().map(|rack| rack.x).max().unwrap_or_default();
    let depth = rows.iter().map(|row| row.y).max().unwrap_or_default();
    HallRules { width: old.width.max(width), depth: old.depth.max(depth), ..old.clone() }
}

/// More rows of a generated hall: "R3.07" is the seventh rack of row 3. Frames that are to be bought stay where they
/// are. `None`: the hall was not generated.
fn extended(old: &Hall, missing: usize) -> Option<(Vec<Row>, Vec<Rack>)> {
    let (mut rows, mut racks) = (old.rows().to_vec(), old.racks().to_vec());
    let is_frame = |rack: &&Rack| rack.role == RackRole::NewFrame;
    let of_frames: BTreeSet<RowId> = racks.iter().filter(is_frame).map(|rack| rack.row).collect();
    let mut with_tors: Vec<RowId> =
        (0..rows.len()).map(RowId::at).filter(|row| !of_frames.contains(row)).collect();
    let there: Vec<&Rack> = racks.iter().filter(|rack| !is_frame(rack)).collect();
    let first: Vec<Length> =
        there.iter().filter(|rack| rack.row == RowId(0)).map(|rack| rack.x).collect();
    let name = |row: usize, place: usize| format!("R{}.{:02}", row + 1, place + 1);
    let as_generated = |(i, rack): (usize, &&Rack)| {
        let (row, place) = (i / first.len(), i % first.len());
        rack.name.as_str() == name(row, place)
            && (Some(&rack.row), rack.x, rack.tor_unit) == (with_tors.get(row), first[place], None)
    };
    let named =
        |(i, row): (usize, &RowId)| rows[row.index()].name.as_str() == format!("R{}", i + 1);
    if first.is_empty()
        || !with_tors.iter().enumerate().all(named)
        || !there.iter().enumerate().all(as_generated)
    {
        return None;
    }
    let pitch = match with_tors.as_slice() {
        [a, b, ..] => rows[b.index()].y.abs_diff(rows[a.index()].y),
        // Half a pitch lies before the first row.
        [a] => rows[a.index()].y * 2,
        [] => return None,
    };
    let (count, units) = (there.len(), there.first()?.units);
    for i in count..count + missing {
        let (row, place) = (i / first.len(), i % first.len());
        if row == with_tors.len() {
            let last = rows.iter().map(|row| row.y).max()?;
            let y = Length::from_um(last.as_um().checked_add(pitch.as_um())?);
            with_tors.push(RowId::at(rows.len()));
            rows.push(Row { name: Name::new(&format!("R{}", row + 1)).ok()?, y, room: RoomId(0) });
        }
        racks.push(Rack {
            name: Name::new(&name(row, place)).ok()?,
            row: with_tors[row],
            x: first[place],
            units,
            tor_unit: None,
            role: RackRole::Tor,
        });
    }
    Some((rows, racks))
}
