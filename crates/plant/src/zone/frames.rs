//! The slots of the frames.

use std::collections::BTreeSet;

use lightloom_topology::RackId;
use lightloom_topology::hall::Hall;

use crate::error::PlantError;
use crate::hardware::Hardware;
use crate::room::is_free;
use crate::site::Site;
use crate::zone::full::Full;

/// The frames with their free slots.
pub(super) struct Frames {
    slots_per_unit: u32,
    frames: Vec<Frame>,
    full: Full,
}

/// What the frames lack.
pub(super) enum Shortage {
    /// There is no frame.
    NoFrame,
    /// All frames together are too small.
    Small {
        /// Rack units that are needed.
        needed: u32,
        /// Number of frames.
        frames: usize,
        /// Free rack units of all frames.
        units: u32,
    },
    /// No frame has room for what must stay together.
    Scattered {
        /// Rack units that are needed in one frame.
        needed: u32,
        /// The frame with the most free rack units.
        frame: RackId,
        /// Its whole free rack units.
        most: u32,
    },
}

impl Shortage {
    /// The error with the names of a hall.
    pub fn into_error(self, hall: &Hall) -> PlantError {
        match self {
            Self::NoFrame => PlantError::NoFrame,
            Self::Small { needed, frames, units } => {
                PlantError::FramesTooSmall { needed, frames, units }
            }
            Self::Scattered { needed, frame, most } => {
                PlantError::NoRoomInFrame { needed, frame: hall.rack(frame).name.clone(), most }
            }
        }
    }
}

struct Frame {
    rack: RackId,
    /// Its free units, from the top.
    free: Vec<u16>,
    /// Number of slots that are taken, from the top.
    taken: u32,
    /// Slots of modules whose places are given, from the top.
    given: BTreeSet<u32>,
}

/// What a row takes in the frames.
pub(super) struct Share {
    /// Slots of its panel and its modules.
    pub slots: u32,
    /// Slots of its panel, which stay together.
    pub panel_slots: u32,
    /// The frame of the panel that it has already.
    pub there: Option<RackId>,
}

/// The frame of a row, and the slots of its panel there.
pub(super) struct Home {
    /// Position among the frames.
    pub frame: usize,
    /// Rack, unit and slot of each panel module.
    pub panel: Vec<(RackId, u16, u16)>,
}

impl Frames {
    /// The frames of a hall.
    pub fn new(site: &Site, hardware: &Hardware) -> Result<Self, Shortage> {
        let free = |rack: RackId| {
            let units = (1..=site.hall.rack(rack).units).rev();
            units.filter(|&unit| is_free(site, rack, unit)).collect()
        };
        Self::of(site.hall.frames().into_iter().map(|rack| (rack, free(rack))), hardware)
    }

    /// Frames with these free units, from the top.
    pub fn of(
        racks: impl Iterator<Item = (RackId, Vec<u16>)>,
        hardware: &Hardware,
    ) -> Result<Self, Shortage> {
        let frame = |(rack, free)| Frame { rack, free, taken: 0, given: BTreeSet::new() };
        let frames: Vec<Frame> = racks.map(frame).collect();
        if frames.is_empty() {
            return Err(Shortage::NoFrame);
        }
        let full = Full::of(frames.len());
        Ok(Self { slots_per_unit: hardware.slots_per_unit.into(), frames, full })
    }

    /// Takes the slots of a module whose place is given. Other modules come after all of these. Returns whether the
    /// slots are there and free.
    pub fn take_given(&mut self, (rack, unit, slot): (RackId, u16, u16), slots: u16) -> bool {
        let per_unit = self.slots_per_unit;
        let frame = self.frames.iter_mut().find(|frame| frame.rack == rack);
        let Some(frame) = frame else { return false };
        let Some(unit) = frame.free.iter().position(|&free| free == unit) else {
            return false;
        };
        let slot = u32::from(slot);
        if slot == 0 || slot > per_unit {
            return false;
        }
        let first = u32::try_from(unit).unwrap_or(u32::MAX).saturating_mul(per_unit) + slot - 1;
        let end = first + u32::from(slots);
        let fits = u64::from(end) <= frame.free.len() as u64 * u64::from(per_unit);
        frame.taken = frame.taken.max(end);
        fits && (first..end).all(|slot| frame.given.insert(slot))
    }

    /// Gives each row a frame and its panel slots there. The rows are spread over the frames in proportion.
    pub fn share(&mut self, rows: &[Share]) -> Result<Vec<Home>, Shortage> {
        let total: u64 = rows.iter().map(|row| u64::from(row.slots)).sum();
        let given: u64 = self.frames.iter().map(|frame| u64::from(frame.taken)).sum();
        let needed = (given + total).div_ceil(self.slots_per_unit.into());
        let capacity: Vec<u64> = self.frames.iter().map(|frame| frame.free.len() as u64).collect();
        let all: u64 = capacity.iter().sum();
        if needed > all {
            return Err(Shortage::Small {
                needed: small(needed),
                frames: self.frames.len(),
                units: small(all),
            });
        }
        let ends: Vec<u64> = capacity
            .iter()
            .scan(0, |end, units| {
                *end += units;
                Some(*end)
            })
            .collect();
        let mut before = 0;
        let mut homes = Vec::with_capacity(rows.len());
        for row in rows {
            // The middle of the row's share, in units of all frames.
            let middle = (before + u64::from(row.slots) / 2) * all / total.max(1);
            before += u64::from(row.slots);
            let near = ends.partition_point(|&end| end <= middle).min(self.frames.len() - 1);
            // A new panel comes beside the old one of the row.
            let there = row.there.and_then(|rack| self.frames.iter().position(|f| f.rack == rack));
            let near = there.unwrap_or(near);
            let scattered = |frames: &Self| frames.scattered(row.panel_slots);
            let frame = self.with_room(near, row.panel_slots).ok_or_else(|| scattered(self))?;
            let panel = (0..row.panel_slots).map(|_| self.take(frame, 1)).collect::<Option<_>>();
            homes.push(Home { frame, panel: panel.ok_or_else(|| scattered(self))? });
        }
        Ok(homes)
    }

    /// Takes slots side by side in a frame, or else in the next one with room: rack, unit and first slot.
    pub fn take_near(&mut self, near: usize, slots: u16) -> Result<(RackId, u16, u16), Shortage> {
        let slots = u32::from(slots);
        // Modules are many, and frames that have no room for one have none for a later one of its width.
        let mut frame = near;
        while let Some(open) = self.full.next(slots, frame) {
            if let Some(place) = self.take(open, slots) {
                return Ok(place);
            }
            self.full.mark(slots, open);
            frame = open;
        }
        Err(self.scattered(slots))
    }

    /// The frame, or else the next one, that has this number of free slots.
    fn with_room(&self, near: usize, slots: u32) -> Option<usize> {
        let has_room = |&frame: &usize| {
            let Frame { free, taken, .. } = &self.frames[frame];
            u64::from(taken + slots) <= free.len() as u64 * u64::from(self.slots_per_unit)
        };
        (near..self.frames.len()).chain(0..near).find(has_room)
    }

    /// Takes slots side by side. A module does not reach from one rack unit into the next one, unless it is wider
    /// than a unit; it then starts at a new unit.
    fn take(&mut self, frame: usize, slots: u32) -> Option<(RackId, u16, u16)> {
        let per_unit = self.slots_per_unit;
        let frame = &mut self.frames[frame];
        let mut first = frame.taken;
        if first % per_unit + slots > per_unit {
            first = first.next_multiple_of(per_unit);
        }
        if u64::from(first + slots) > frame.free.len() as u64 * u64::from(per_unit) {
            return None;
        }
        frame.taken = first + slots;
        let unit = frame.free[(first / per_unit) as usize];
        Some((frame.rack, unit, u16::try_from(first % per_unit + 1).ok()?))
    }

    /// The shortage of slots that must be in one frame.
    fn scattered(&self, slots: u32) -> Shortage {
        let left = |frame: &Frame| {
            let taken = frame.taken.div_ceil(self.slots_per_unit);
            small(frame.free.len() as u64).saturating_sub(taken)
        };
        // Of equal frames, the first.
        let pieces = self.frames.iter().rev().map(|frame| (left(frame), frame.rack));
        let roomiest = pieces.max_by_key(|&(most, _)| most);
        roomiest.map_or(Shortage::NoFrame, |(most, frame)| Shortage::Scattered {
            needed: slots.div_ceil(self.slots_per_unit),
            frame,
            most,
        })
    }
}

fn small(units: u64) -> u32 {
    u32::try_from(units).unwrap_or(u32::MAX)
}
