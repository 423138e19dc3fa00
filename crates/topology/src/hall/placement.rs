//! The rack of each ToR.

use std::collections::{BTreeMap, BTreeSet};

use crate::fabric::Fabric;
use crate::hall::given::{GivenModule, GivenTrunks};
use crate::id::{CassetteId, RackId, TorId};

/// One rack per switch. A switch is one ToR, or several logical ToRs (shufflecast:V.logical).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    rack_of: Vec<RackId>,
    /// Most ToRs of a switch.
    per_switch: u32,
    /// The place of each ToR among those of its switch.
    slot_of: Vec<u32>,
    /// The racks of the first cassettes, where they are given.
    shelves: Vec<RackId>,
    /// The modules in frames whose places are given.
    modules: Vec<GivenModule>,
    /// The panels and trunks that are there.
    trunks: GivenTrunks,
}

/// The reason why ToRs do not fit the racks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// Not enough racks.
    #[error("found {racks} racks for {tors} ToRs; give at least as many racks as ToRs")]
    TooFewRacks {
        /// Available racks.
        racks: usize,
        /// ToRs to place.
        tors: usize,
    },
    /// A rack has two ToRs.
    #[error("rack {rack} is given to two ToRs, {first} and {second}")]
    RackTwice {
        /// The rack.
        rack: RackId,
        /// One ToR.
        first: TorId,
        /// The other one.
        second: TorId,
    },
    /// A rack has more logical ToRs than a switch is.
    #[error(
        "rack {rack} is given to ToR {tor}, too, and its switch is at most {most} logical ToRs"
    )]
    RackFull {
        /// The rack.
        rack: RackId,
        /// The ToR that is one too many.
        tor: TorId,
        /// Most ToRs of a switch.
        most: u32,
    },
    /// A ToR is given a rack that holds no ToR.
    #[error("ToR {tor} is given rack {rack}, which is a frame")]
    NoTorRack {
        /// The rack.
        rack: RackId,
        /// The ToR.
        tor: TorId,
    },
}

impl Placement {
    /// Places the ToRs of `fixed` on the racks that it gives, and all others on the remaining ones of
    /// `racks`, in order. ToRs are numbered cassette by cassette (column by column in a Shufflecast:
    /// shufflecast:IV-B.placement), so receivers of one cassette are side by side.
    ///
    /// # Errors
    /// [`PlacementError`] if a rack is given twice, if a given rack is not one of `racks`, or if there are too
    /// few racks.
    pub fn new(
        tors: usize,
        racks: &[RackId],
        fixed: &[Option<RackId>],
    ) -> Result<Self, PlacementError> {
        let (found, racks) = (racks.len(), racks.iter().map(|&rack| (rack, None)));
        let mut holder: BTreeMap<RackId, Option<TorId>> = racks.collect();
        if found < tors {
            return Err(PlacementError::TooFewRacks { racks: found, tors });
        }
        for (tor, rack) in fixed.iter().enumerate() {
            let (Some(rack), second) = (*rack, TorId::at(tor)) else { continue };
            let Some(slot) = holder.get_mut(&rack) else {
                return Err(PlacementError::NoTorRack { rack, tor: second });
            };
            if let Some(first) = slot.replace(second) {
                return Err(PlacementError::RackTwice { rack, first, second });
            }
        }
        let mut free = holder.iter().filter(|(_, tor)| tor.is_none()).map(|(&rack, _)| rack);
        let rack_of: Option<Vec<RackId>> = (0..tors)
            .map(|tor| fixed.get(tor).copied().flatten().or_else(|| free.next()))
            .collect();
        let rack_of = rack_of.ok_or(PlacementError::TooFewRacks { racks: found, tors })?;
        Ok(Self::of_racks(rack_of, 1))
    }

    /// Places logical ToRs, of which a switch is up to `per_switch`: those of `fixed` on the racks that it gives, the
    /// others on as few of `racks` as hold them. Mirrored relays (shufflecast:III-C1.mirrors) go to different switches
    /// where there are as many switches as mirrors.
    ///
    /// # Errors
    /// [`PlacementError`] as of [`Self::new`], and if a rack is given to more ToRs than a switch is.
    pub fn shared(
        fabric: &Fabric,
        per_switch: u32,
        racks: &[RackId],
        fixed: &[Option<RackId>],
    ) -> Result<Self, PlacementError> {
        if per_switch == 1 {
            return Self::new(fabric.tors(), racks, fixed);
        }
        let (tors, most) = (fabric.tors(), per_switch as usize);
        let fixed = |tor: TorId| fixed.get(tor.index()).copied().flatten();
        let mut held: BTreeMap<RackId, Vec<TorId>> =
            racks.iter().map(|&rack| (rack, Vec::new())).collect();
        for tor in fabric.tor_ids() {
            let Some(rack) = fixed(tor) else { continue };
            let on = held.get_mut(&rack).ok_or(PlacementError::NoTorRack { rack, tor })?;
            if on.len() == most {
                return Err(PlacementError::RackFull { rack, tor, most: per_switch });
            }
            on.push(tor);
        }
        // Racks that hold a ToR already, and then as few others as take the rest.
        let mut open: Vec<TorId> = fabric.tor_ids().filter(|&tor| fixed(tor).is_none()).collect();
        let room: usize = held.values().filter(|on| !on.is_empty()).map(|on| most - on.len()).sum();
        let new = open.len().saturating_sub(room).div_ceil(most);
        let is_new = |(_, on): &(&RackId, &Vec<TorId>)| on.is_empty();
        let left_out: Vec<RackId> =
            held.iter().filter(is_new).map(|(&rack, _)| rack).skip(new).collect();
        held.retain(|rack, _| !left_out.contains(rack));
        // One cassette after another: its mirrors go to different switches while the others fill evenly.
        open.sort_by_key(|&tor| (fabric.transmits_into(tor), tor));
        for tor in open {
            let mirrors = |on: &[TorId]| {
                let into = fabric.transmits_into(tor);
                on.iter().filter(|&&other| fabric.transmits_into(other) == into).count()
            };
            let with_room = held.values_mut().filter(|on| on.len() < most);
            let best = with_room.min_by_key(|on| (mirrors(on), on.len()));
            let too_few = PlacementError::TooFewRacks { racks: racks.len(), tors };
            best.ok_or(too_few)?.push(tor);
        }
        let mut rack_of = vec![RackId(0); tors];
        for (rack, on) in held {
            for tor in on {
                rack_of[tor.index()] = rack;
            }
        }
        Ok(Self::of_racks(rack_of, per_switch))
    }

    fn of_racks(rack_of: Vec<RackId>, per_switch: u32) -> Self {
        let mut next: BTreeMap<RackId, u32> = BTreeMap::new();
        let slot_of = rack_of.iter().map(|&rack| {
            let next = next.entry(rack).or_default();
            *next += 1;
            *next - 1
        });
        let slot_of = slot_of.collect();
        let (shelves, modules, trunks) = (Vec::new(), Vec::new(), GivenTrunks::default());
        Self { rack_of, per_switch, slot_of, shelves, modules, trunks }
    }

    /// The number of a ToR's port among the fabric ports of its switch, from 0.
    pub fn switch_port(&self, fabric: &Fabric, tor: TorId, port: u32) -> u32 {
        self.slot(tor) * fabric.most_ports() + port
    }

    /// Most logical ToRs of a switch. 1: each ToR is a switch of its own.
    pub fn per_switch(&self) -> u32 {
        self.per_switch
    }

    /// The place of a ToR among those of its switch, from 0.
    pub fn slot(&self, tor: TorId) -> u32 {
        self.slot_of[tor.index()]
    }

    /// The ToRs of the switch in a rack, ascending.
    pub fn tors_in(&self, rack: RackId) -> impl Iterator<Item = TorId> {
        let all = self.rack_of.iter().enumerate();
        all.filter(move |&(_, &of)| of == rack).map(|(tor, _)| TorId::at(tor))
    }

    /// The ToRs of the switch of a ToR, ascending.
    pub fn beside(&self, tor: TorId) -> impl Iterator<Item = TorId> {
        let is_alone = self.per_switch == 1;
        let several = (!is_alone).then(|| self.tors_in(self.rack(tor)));
        is_alone.then_some(tor).into_iter().chain(several.into_iter().flatten())
    }

    /// The racks with a switch, ascending.
    pub fn switches(&self) -> BTreeSet<RackId> {
        self.rack_of.iter().copied().collect()
    }

    /// The same placement with given racks of the first cassettes, cassette 0 first.
    #[must_use]
    pub fn with_shelves(self, shelves: Vec<RackId>) -> Self {
        Self { shelves, ..self }
    }

    /// The same placement with given places of modules in frames.
    #[must_use]
    pub fn with_modules(self, modules: Vec<GivenModule>) -> Self {
        Self { modules, ..self }
    }

    /// The same placement with panels and trunks that are there.
    #[must_use]
    pub fn with_trunks(self, trunks: GivenTrunks) -> Self {
        Self { trunks, ..self }
    }

    /// The panels and trunks that are there.
    pub fn trunks(&self) -> &GivenTrunks {
        &self.trunks
    }

    /// The modules in frames whose places are given.
    pub fn modules(&self) -> &[GivenModule] {
        &self.modules
    }

    /// The given rack of a cassette. `None`: the rack among its receivers that is nearest to all of them.
    pub fn shelf(&self, cassette: CassetteId) -> Option<RackId> {
        self.shelves.get(cassette.index()).copied()
    }

    /// The given racks of the first cassettes.
    pub fn shelves(&self) -> &[RackId] {
        &self.shelves
    }

    /// The rack of a ToR.
    pub fn rack(&self, tor: TorId) -> RackId {
        self.rack_of[tor.index()]
    }

    /// The rack of each ToR, by ToR.
    pub fn racks(&self) -> &[RackId] {
        &self.rack_of
    }
}
