//! Names of devices, and what NetBox refuses as a name.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use lightloom_plant::end_labels::{module_label, shelf_label};
use lightloom_plant::{End, Plant, ThingId, ThingKind};
use lightloom_request::InputError;
use lightloom_topology::RackId;
use lightloom_units::text::{FORMULA_STARTS, is_hidden};

use crate::hash::sha256;
use crate::netbox::options::{NetboxOptions, Origin};
use crate::netbox::ports::component;

/// Most characters of the name of a device or of an interface (`Device.name`, `ComponentModel.name`).
const MOST_OF_DEVICE: usize = 64;
/// Most characters of the name of a site, a location or a rack.
const MOST_OF_PLACE: usize = 100;

/// Names of the devices of a plant. All of them are names that NetBox accepts.
pub(super) struct Names {
    things: Vec<String>,
    /// The racks that hold a thing, with their sites.
    pub racks: BTreeMap<RackId, String>,
    /// The shelves, by rack and top unit.
    pub shelves: BTreeMap<(RackId, u16), Shelf>,
}

/// A shelf.
pub(super) struct Shelf {
    /// Name of its device.
    pub name: String,
    /// Lowest rack unit.
    pub lowest: u16,
    /// Height in rack units.
    pub units: u16,
}

impl Names {
    pub fn new(plant: &Plant, options: &NetboxOptions) -> Result<Self, InputError> {
        if let Some(site) = &options.site {
            place("site", site).map_err(|error| error.in_option("site"))?;
        }
        if let Some(location) = &options.location {
            place("location", location).map_err(|error| error.in_option("location"))?;
        }
        let racks = racks(plant, options)?;
        let all = (0..).map(ThingId).take(plant.things().len());
        let things = all.map(|id| device(plant, id, options, &racks)).collect();
        let shelves = shelves(plant, &racks);
        let names = Self { things, racks, shelves };
        names.check_devices(plant)?;
        names.check_interfaces(plant)?;
        Ok(names)
    }

    /// Name of the device of a thing.
    pub fn thing(&self, id: ThingId) -> &str {
        &self.things[id.index()]
    }

    /// The site of a rack that holds a thing.
    pub fn site(&self, rack: RackId) -> &str {
        self.racks.get(&rack).map_or("", String::as_str)
    }

    /// The sites of all racks.
    pub fn sites(&self) -> BTreeSet<&str> {
        self.racks.values().map(String::as_str).collect()
    }

    /// Refuses device names that are too long, that have a comma, or of which two differ only in case.
    fn check_devices(&self, plant: &Plant) -> Result<(), InputError> {
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        let shelves = self.shelves.values().map(|shelf| &shelf.name);
        let things = (0..).map(ThingId).zip(&self.things);
        let things = things.filter(|(id, _)| plant.is_hardware(*id)).map(|(_, name)| name);
        for name in things.chain(shelves) {
            component_name("device", name)?;
            if let Some(other) = seen.insert(name.to_lowercase(), name) {
                let message = format!(
                    "devices {other:?} and {name:?} would have one name in NetBox, which ignores case; rename a rack \
                        or a switch"
                );
                return Err(InputError::new(message));
            }
        }
        Ok(())
    }

    fn check_interfaces(&self, plant: &Plant) -> Result<(), InputError> {
        for end in switch_ends(plant) {
            component_name("interface", &component(plant, end).name)?;
        }
        Ok(())
    }
}

/// Name of the device of a thing: as the inventory has it, or the label of its place. A switch that the files create
/// also has its site in its name.
fn device(
    plant: &Plant,
    id: ThingId,
    options: &NetboxOptions,
    racks: &BTreeMap<RackId, String>,
) -> String {
    let thing = plant.thing(id);
    let label = module_label(plant, id);
    match thing.kind {
        ThingKind::Switch(tor) => {
            match plant.site().ports.as_ref().and_then(|ports| ports.device(tor)) {
                Some(named) => named.to_owned(),
                None if options.switches == Origin::Imported => {
                    in_site(&label, &racks[&thing.rack])
                }
                None => label,
            }
        }
        _ => label,
    }
}

/// A name that no other site has. NetBox's imports of interfaces and of devices in bays find a device by its name
/// alone.
///
/// A site whose name does not fit, or has a comma, is named by a hash.
fn in_site(label: &str, site: &str) -> String {
    let named = format!("{label} ({site})");
    if named.chars().count() <= MOST_OF_DEVICE && !site.contains(',') {
        return named;
    }
    format!("{label} ({})", &sha256(site.as_bytes())[..8])
}

/// The racks that hold a thing, with their sites.
fn racks(plant: &Plant, options: &NetboxOptions) -> Result<BTreeMap<RackId, String>, InputError> {
    let hall = &plant.site().hall;
    let used: BTreeSet<RackId> = plant.things().iter().map(|thing| thing.rack).collect();
    let mut racks = BTreeMap::new();
    for id in used {
        let name = &hall.rack(id).name;
        place("rack", name.as_str())?;
        // The description of a rack is its row, with its room in a building of several.
        written("row", &hall.row_name(hall.rack(id).row))?;
        let of_room = &hall.building().room(hall.room_of(id)).address.site;
        let site = match (&options.site, of_room) {
            (Some(site), _) => site.clone(),
            (None, Some(site)) => site.to_string(),
            (None, None) => {
                let message =
                    format!("is missing: the plan does not say in which site rack \"{name}\" is");
                return Err(InputError::new(message).in_option("site"));
            }
        };
        place("site", &site)?;
        racks.insert(id, site);
    }
    Ok(racks)
}

/// The ends of cables at switches: by switch, transmitters first.
pub(super) fn switch_ends(plant: &Plant) -> Vec<End> {
    let is_switch = |end: &End| matches!(plant.thing(end.thing).kind, ThingKind::Switch(_));
    let ends = plant.cables().iter().flat_map(|cable| cable.ends);
    let mut ends: Vec<End> = ends.filter(is_switch).collect();
    ends.sort_unstable();
    ends.dedup();
    ends
}

/// The shelves, by rack and top unit.
fn shelves(plant: &Plant, racks: &BTreeMap<RackId, String>) -> BTreeMap<(RackId, u16), Shelf> {
    let shelf = |((rack, top), span): (_, RangeInclusive<u16>)| {
        let name = in_site(&shelf_label(plant, rack, top), &racks[&rack]);
        ((rack, top), Shelf { name, lowest: *span.start(), units: top - span.start() + 1 })
    };
    plant.shelf_spans().into_iter().map(shelf).collect()
}

/// Refuses a name that a device or interface cannot have.
fn component_name(what: &str, name: &str) -> Result<(), InputError> {
    let length = name.chars().count();
    if length > MOST_OF_DEVICE {
        let message = format!(
            "{what} {name:?} has {length} characters; NetBox takes {MOST_OF_DEVICE}. Shorten the name of the rack or \
                the switch"
        );
        return Err(InputError::new(message));
    }
    if name.contains(',') {
        let message = format!(
            "{what} {name:?} has a comma, at which NetBox divides the ends of a cable; rename the rack or the switch"
        );
        return Err(InputError::new(message));
    }
    written(what, name)
}

/// Refuses a name that a site, location or rack cannot have.
fn place(what: &str, name: &str) -> Result<(), InputError> {
    let length = name.chars().count();
    let message = if name.trim() != name || name.is_empty() {
        format!("{what} has the name {name:?}; expected text without spaces around it")
    } else if length > MOST_OF_PLACE {
        format!("{what} {name:?} has {length} characters; NetBox takes {MOST_OF_PLACE}")
    } else {
        return written(what, name);
    };
    Err(InputError::new(message))
}

/// Refuses a name that is not written into a file for NetBox: the file has each name as it is.
///
/// Spreadsheets do not look at spaces before a formula.
fn written(what: &str, name: &str) -> Result<(), InputError> {
    let message = if name.chars().any(is_hidden) {
        format!("{what} has the name {name:?}; remove line breaks, tabs and control characters")
    } else if name.trim_start().starts_with(FORMULA_STARTS) {
        format!(
            "{what} {name:?} starts with a character that spreadsheets read as a formula, and NetBox needs the name as \
             it is; rename it"
        )
    } else {
        return Ok(());
    };
    Err(InputError::new(message))
}

/// A slug: lower-case letters, digits and hyphens.
pub(super) fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for c in name.chars() {
        match c.is_ascii_alphanumeric() {
            true => slug.push(c.to_ascii_lowercase()),
            false if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            false => {}
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "lightloom".into() } else { slug.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_have_letters_digits_and_hyphens() {
        assert_eq!(slug("Harbor Hall / 2. floor"), "harbor-hall-2-floor");
        assert_eq!(slug("Münster"), "m-nster");
        assert_eq!(slug("東京"), "lightloom");
    }

    #[test]
    fn names_with_a_site_fit() {
        assert_eq!(in_site("R1.01-42", "Harbor Hall"), "R1.01-42 (Harbor Hall)");
        // The hash is that of `printf 'Berlin, Mitte' | sha256sum`.
        assert_eq!(in_site("R1.01-42", "Berlin, Mitte"), "R1.01-42 (bb596b24)");
        let long = in_site("R1.01-42", &"H".repeat(100));
        assert!(
            component_name("device", &long).is_ok() && long.starts_with("R1.01-42 ("),
            "{long}"
        );
        assert_ne!(long, in_site("R1.01-42", &"H".repeat(99)));
    }

    #[test]
    fn names_that_netbox_or_a_spreadsheet_would_not_take_are_refused() {
        for name in ["", " R1", "R\t1", "=R1", "-1", &"R".repeat(101)] {
            assert!(place("rack", name).is_err(), "{name:?}");
        }
        for name in
            ["=R1", "+R1", "-R1", "@R1", "＝R1", "＋R1", "－R1", "＠R1", "R\u{202e}1", "R\u{fffe}"]
        {
            assert!(place("rack", name).is_err(), "{name:?}");
            assert!(component_name("device", name).is_err(), "{name:?}");
            assert!(component_name("device", &format!(" {name}")).is_err(), "{name:?}");
        }
        assert!(place("rack", "R, \"1\"; =2").is_ok());
        for name in ["A,1-40.2", &"R".repeat(65)] {
            assert!(component_name("device", name).is_err(), "{name:?}");
        }
        assert!(component_name("device", &"é".repeat(64)).is_ok());
    }
}
