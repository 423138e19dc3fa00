//! Units of racks that devices occupy.

use std::collections::BTreeMap;

use crate::hall::UNITS;
use crate::inventory::Inventory;
use lightloom_plant::TakenUnits;
use lightloom_request::{Complaints, InputError};
use lightloom_topology::RackId;
use lightloom_topology::hall::{Hall, Name};
use serde::{Deserialize, Serialize};

use crate::devices::device::{Device, DeviceList, Face};

/// Units of a rack that a device occupies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occupied {
    /// The rack.
    pub rack: RackId,
    /// Lowest unit, counted from 1.
    pub unit: u16,
    /// Number of units, wholly or by half.
    pub height: u16,
    /// Side of the rack. `None`: both.
    pub face: Option<Face>,
    /// Name of the device. `None`: it has none.
    pub device: Option<Name>,
}

/// The occupied units of a hall, by rack and unit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OccupiedUnits(Vec<Occupied>);

impl OccupiedUnits {
    fn new(mut occupied: Vec<Occupied>) -> Self {
        occupied.sort_by(|a, b| {
            (a.rack, a.unit, a.face, &a.device).cmp(&(b.rack, b.unit, b.face, &b.device))
        });
        Self(occupied)
    }

    /// The units but for some.
    #[must_use]
    pub fn without(mut self, is_left_out: impl Fn(&Occupied) -> bool) -> Self {
        self.0.retain(|found| !is_left_out(found));
        self
    }

    /// The same units where racks have other numbers.
    pub fn in_hall(&self, rack: impl Fn(RackId) -> RackId) -> Self {
        let there = |found: &Occupied| Occupied { rack: rack(found.rack), ..found.clone() };
        // A new inventory may lack a spare rack of the plan.
        Self::new(self.0.iter().map(there).filter(|found| found.rack.0 != u32::MAX).collect())
    }
}

impl std::ops::Deref for OccupiedUnits {
    type Target = [Occupied];

    fn deref(&self) -> &[Occupied] {
        &self.0
    }
}

impl TakenUnits for OccupiedUnits {
    fn is_taken(&self, rack: RackId, unit: u16) -> bool {
        let first = self.0.partition_point(|found| found.rack < rack);
        let of_rack = self.0[first..].iter().take_while(|found| found.rack == rack);
        of_rack.into_iter().any(|found| (found.unit..found.unit + found.height).contains(&unit))
    }
}

/// Checks that the devices fit the racks, and that no two need the same space.
///
/// # Errors
/// All errors of the file, each at its line.
pub fn check(list: &DeviceList, inventory: &Inventory) -> Result<(), InputError> {
    let units: BTreeMap<&Name, u32> = inventory
        .racks
        .iter()
        .map(|rack| (&rack.name, u32::from(rack.units.unwrap_or(UNITS))))
        .collect();
    let mut complaints = Complaints::default();
    let mut by_rack: BTreeMap<&Name, Vec<&Device>> = BTreeMap::new();
    for device in list.devices.iter().filter(|device| device.mount.is_some()) {
        by_rack.entry(&device.rack).or_default().push(device);
    }
    for (rack, mut devices) in by_rack {
        let most = units.get(rack).copied().unwrap_or_default();
        for device in &devices {
            let Some(mount) = device.mount else { continue };
            if mount.bottom + mount.height > 2 * most {
                let last = mount.lowest_unit() + mount.units().max(1) - 1;
                let message = format!(
                    "device {} reaches unit {last}, but rack \"{rack}\" has {most} units",
                    device.shown()
                );
                complaints.add(refuse(list, device, "position", message));
            }
        }
        devices.sort_by_key(|device| {
            (device.mount.map(|mount| (mount.bottom, mount.height)), device.line)
        });
        for (i, device) in devices.iter().enumerate() {
            let Some(mount) = device.mount else { continue };
            let above = devices[i + 1..]
                .iter()
                .take_while(|other| {
                    other.mount.is_some_and(|o| o.bottom < mount.bottom + mount.height)
                })
                .filter(|other| other.mount.is_some_and(|other| other.collides(&mount)));
            for other in above {
                let (first, second) =
                    if device.line < other.line { (device, other) } else { (other, device) };
                let message = format!(
                    "devices {} (line {}) and {} are both in unit {} of rack \"{rack}\"",
                    first.shown(),
                    first.line,
                    second.shown(),
                    other.mount.map_or(0, |other| other.lowest_unit()),
                );
                complaints.add(refuse(list, second, "position", message));
            }
        }
    }
    complaints.end()
}

fn refuse(list: &DeviceList, device: &Device, field: &str, message: String) -> InputError {
    InputError::new(message).in_file(&list.file).at_line(device.line).in_field(field)
}

/// The occupied units of a hall, by rack and unit.
pub fn of_hall(list: &DeviceList, hall: &Hall) -> OccupiedUnits {
    let racks: BTreeMap<&Name, RackId> =
        hall.racks().iter().enumerate().map(|(i, rack)| (&rack.name, RackId::at(i))).collect();
    let place = |device: &Device| {
        let mount = device.mount.filter(|mount| mount.height > 0)?;
        Some(Occupied {
            rack: *racks.get(&device.rack)?,
            unit: u16::try_from(mount.lowest_unit()).ok()?,
            height: u16::try_from(mount.units()).ok()?,
            face: mount.face,
            device: device.name.clone(),
        })
    };
    OccupiedUnits::new(list.devices.iter().filter_map(place).collect())
}

/// Occupied units in `plan.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OccupiedPart {
    rack: String,
    unit: u16,
    height: u16,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    face: Option<Face>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    device: Option<String>,
}

impl OccupiedPart {
    /// The occupied units of a hall, for `plan.json`.
    pub fn list(occupied: &[Occupied], hall: &Hall) -> Vec<Self> {
        let part = |found: &Occupied| Self {
            rack: hall.rack(found.rack).name.to_string(),
            unit: found.unit,
            height: found.height,
            face: found.face,
            device: found.device.as_ref().map(ToString::to_string),
        };
        occupied.iter().map(part).collect()
    }

    /// Restores and checks the list.
    ///
    /// # Errors
    /// The message about the first wrong entry.
    pub fn restore(list: &[Self], hall: &Hall) -> Result<OccupiedUnits, String> {
        let racks: BTreeMap<&str, RackId> = hall
            .racks()
            .iter()
            .enumerate()
            .map(|(i, rack)| (rack.name.as_str(), RackId::at(i)))
            .collect();
        let restore = |part: &Self| {
            let rack = *racks
                .get(part.rack.as_str())
                .ok_or_else(|| format!("found {:?}, which is no rack of the hall", part.rack))?;
            let units = u32::from(hall.rack(rack).units);
            let last = u32::from(part.unit) + u32::from(part.height);
            if part.unit == 0 || part.height == 0 || last > units + 1 {
                return Err(format!(
                    "found {} unit(s) from unit {} on in rack {:?}, which has {units}",
                    part.height, part.unit, part.rack
                ));
            }
            let name = |text: &String| Name::new(text).map_err(|error| error.to_string());
            let device = part.device.as_ref().map(name).transpose()?;
            Ok(Occupied { rack, unit: part.unit, height: part.height, face: part.face, device })
        };
        Ok(OccupiedUnits::new(list.iter().map(restore).collect::<Result<_, String>>()?))
    }
}
