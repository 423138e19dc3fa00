//! Which device of a rack is its ToR.

use std::collections::BTreeMap;

use crate::inventory::Inventory;
use lightloom_request::{Complaints, InputError};
use lightloom_topology::hall::Name;
use lightloom_units::text::shown_path;

use crate::devices::device::{Device, DeviceList};

/// The ToRs of the racks, by rack. A rack without an entry has no device that could be one.
#[derive(Debug, Clone, Default)]
pub struct TorDevices(BTreeMap<Name, Candidates>);

/// Devices of a rack that could be its ToR.
#[derive(Debug, Clone)]
enum Candidates {
    One(usize),
    Several(Vec<usize>),
}

/// What makes a device a ToR.
#[derive(Debug, Clone)]
pub enum TorRule {
    /// It has this role. Case, `-`, `_` and spaces do not count.
    Role(String),
    /// It has at least this number of interfaces that take LC transceivers.
    Interfaces(usize),
}

impl TorRule {
    fn is_met(&self, device: &Device) -> bool {
        match self {
            Self::Role(role) => folded(&device.role) == folded(role),
            Self::Interfaces(least) => {
                device.interfaces.iter().filter(|found| found.plug.takes_lc()).count() >= *least
            }
        }
    }
}

fn folded(role: &str) -> String {
    let plain = role.to_lowercase().replace(['-', '_'], " ");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl TorDevices {
    /// Finds the ToR of each rack. If several devices of a rack could be it, the unit of the ToR in the rack
    /// inventory chooses among them.
    pub fn find(list: &DeviceList, inventory: &Inventory, rule: &TorRule) -> Self {
        let mut found: BTreeMap<Name, Vec<usize>> = BTreeMap::new();
        for (i, device) in list.devices.iter().enumerate() {
            if device.name.is_some() && rule.is_met(device) {
                found.entry(device.rack.clone()).or_default().push(i);
            }
        }
        let units: BTreeMap<&Name, u16> =
            inventory.racks.iter().filter_map(|rack| Some((&rack.name, rack.tor_unit?))).collect();
        let choose = |(rack, devices): (Name, Vec<usize>)| {
            let in_unit = |&&i: &&usize| {
                let unit = list.devices[i].mount.map(|mount| mount.lowest_unit());
                unit.is_some() && unit == units.get(&rack).copied().map(u32::from)
            };
            let there: Vec<usize> = devices.iter().filter(in_unit).copied().collect();
            let chosen = match (&devices[..], &there[..]) {
                (&[one], _) | (_, &[one]) => Candidates::One(one),
                _ => Candidates::Several(devices),
            };
            (rack, chosen)
        };
        Self(found.into_iter().map(choose).collect())
    }

    /// Gives the racks the units of their ToRs.
    ///
    /// # Errors
    /// [`InputError`] if the rack inventory says another unit.
    pub fn place(&self, list: &DeviceList, inventory: &mut Inventory) -> Result<(), InputError> {
        let mut complaints = Complaints::default();
        for rack in &mut inventory.racks {
            let Some(Candidates::One(i)) = self.0.get(&rack.name) else { continue };
            let device = &list.devices[*i];
            let unit = device.mount.and_then(|mount| u16::try_from(mount.lowest_unit()).ok());
            match (unit, rack.tor_unit) {
                (Some(unit), Some(said)) if unit != said => {
                    let message = format!(
                        "found {said}, but {} of line {} in {} is in unit {unit}; correct one of them",
                        device.shown(),
                        device.line,
                        shown_path(&list.file)
                    );
                    let refused = InputError::new(message).in_file(&inventory.file);
                    complaints.add(refused.at_line(rack.line).in_field("unit"));
                }
                (Some(unit), None) => rack.tor_unit = Some(unit),
                _ => {}
            }
        }
        complaints.end()
    }

    /// The ToR of a rack.
    ///
    /// # Errors
    /// The message if there is none, or if there are several.
    pub fn of_rack<'a>(
        &self,
        list: &'a DeviceList,
        rack: &Name,
        rule: &TorRule,
    ) -> Result<&'a Device, String> {
        match self.0.get(rack) {
            Some(Candidates::One(i)) => Ok(&list.devices[*i]),
            Some(Candidates::Several(several)) => {
                let shown = several.iter().map(|&i| {
                    let device = &list.devices[i];
                    let role = match device.role.as_str() {
                        "" => String::new(),
                        role => format!(" ({role})"),
                    };
                    format!("{}{role}", device.shown())
                });
                let shown: Vec<String> = shown.collect();
                Err(format!(
                    "rack \"{rack}\" has several devices that could be its ToR: {}; name the role of the \
                     ToR, or its unit in the rack inventory",
                    shown.join(", ")
                ))
            }
            None => {
                let lacks = match rule {
                    TorRule::Role(role) => format!("no device with the role {role:?}"),
                    TorRule::Interfaces(least) => {
                        format!("no device with {least} interfaces that take LC transceivers")
                    }
                };
                Err(format!("rack \"{rack}\" is to have a ToR, but {lacks} is in it"))
            }
        }
    }
}
