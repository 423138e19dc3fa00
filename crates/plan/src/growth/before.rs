//! A plan beside the one that it grew or shrank from.

use std::collections::BTreeMap;
use std::sync::Arc;

use lightloom_design::design::Design;
use lightloom_request::InputError;
use lightloom_routing::growth::StageKind;
use lightloom_topology::hall::Placement;
use lightloom_topology::{CassetteId, Fabric, RackId, TorId};

use crate::as_built::marks::AsBuilt;
use crate::growth::origin::Origin;
use crate::interfaces::ports::PortPlan;
use crate::project::Project;

impl Origin {
    /// Describes a project, with its racks in another hall.
    pub fn of(project: &Project, rack: impl Fn(RackId) -> RackId) -> Self {
        Self {
            fabric: project.design.fabric.clone(),
            router: project.design.router,
            racks: project.placement.racks().iter().map(|&old| rack(old)).collect(),
            shelves: project
                .fabric
                .cassette_ids()
                .map(|c| rack(project.cassette_rack(c)))
                .collect(),
            ports: project.ports.as_ref().map_or_else(Vec::new, |ports| ports.tors().to_vec()),
        }
    }
}

/// The ToRs of two plans side by side.
#[derive(Debug, Clone)]
pub struct Common {
    /// Which way it went.
    pub kind: StageKind,
    /// The number in the larger fabric of each ToR of the smaller one.
    pub tors: Vec<TorId>,
    /// The ToRs of both whose transmit cord moves, in the numbers of the larger fabric, ascending.
    pub moved: Vec<TorId>,
}

impl Project {
    /// The plan that this one grew or shrank from, in the hall of this one. `None`: it is a plan of its own.
    ///
    /// # Errors
    /// [`InputError`] if the fabric of that plan is not one, or if its racks do not fit it.
    pub fn before(&self) -> Result<Option<Self>, InputError> {
        let Some(origin) = &self.origin else { return Ok(None) };
        let refuse = |error: &dyn std::fmt::Display| InputError::new(error).in_field("growth");
        let fabric = origin.fabric.build().map_err(|error| refuse(&error))?;
        let (racks, shelves) = (origin.racks.len(), origin.shelves.len());
        if racks != fabric.tors() || shelves != fabric.cassettes() {
            let message = format!(
                "found {racks} racks and {shelves} shelves; the fabric before has {} ToRs and {} cassettes",
                fabric.tors(),
                fabric.cassettes()
            );
            return Err(refuse(&message));
        }
        let fixed: Vec<_> = origin.racks.iter().copied().map(Some).collect();
        let placement = Placement::new(fabric.tors(), &self.hall.racks_for_tors(), &fixed)
            .map_err(|error| refuse(&error))?
            .with_shelves(origin.shelves.clone())
            .with_modules(self.placement.modules().to_vec())
            .with_trunks(self.placement.trunks().clone());
        let beside = self.platform.accelerator_ports();
        let named = (!origin.ports.is_empty())
            .then(|| PortPlan::new(&fabric, &placement, beside, origin.ports.clone()))
            .transpose()
            .map_err(|error| refuse(&error))?;
        let design = Design {
            fabric: origin.fabric.clone(),
            router: origin.router,
            ..Design::clone(&self.design)
        };
        Ok(Some(Self {
            design: Arc::new(design),
            fabric: Arc::new(fabric),
            placement: Arc::new(placement),
            ports: named.map(Arc::new),
            origin: None,
            // Marks name cables of this plan.
            as_built: AsBuilt::default(),
            tables: std::sync::OnceLock::new(),
            ..self.clone()
        }))
    }

    /// This plan's ToRs beside those of the plan before it: a ToR is known by its rack.
    ///
    /// # Errors
    /// [`InputError`] if the ToRs of neither plan are all in the other.
    pub fn common(&self, before: &Self) -> Result<Common, InputError> {
        let grows = self.fabric.tors() > before.fabric.tors();
        let (small, large) = if grows { (before, self) } else { (self, before) };
        let by_rack: BTreeMap<RackId, TorId> =
            large.fabric.tor_ids().map(|tor| (large.placement.rack(tor), tor)).collect();
        let found = small.placement.racks().iter().map(|rack| by_rack.get(rack).copied());
        let tors: Option<Vec<TorId>> = found.collect();
        let refuse = |message: &str| InputError::new(message).in_field("growth");
        let tors = tors.ok_or_else(|| refuse("some racks hold a ToR only in the smaller plan"))?;
        let kind = if grows { StageKind::Grow } else { StageKind::Shrink };
        if grows && tors.iter().enumerate().any(|(i, tor)| tor.index() != i) {
            return Err(refuse("the ToRs of the plan before have other numbers"));
        }
        let pairs: Vec<(TorId, TorId)> = tors
            .iter()
            .enumerate()
            .map(|(i, &large)| if grows { (TorId::at(i), large) } else { (large, TorId::at(i)) })
            .collect();
        let moved = moved(&before.fabric, &self.fabric, &pairs);
        let mut moved: Vec<TorId> =
            moved.into_iter().map(|(old, new)| if grows { new } else { old }).collect();
        moved.sort_unstable();
        Ok(Common { kind, tors, moved })
    }
}

/// The ToRs whose transmit cord moves, by their numbers before and after. A cassette is known by the ToRs that it
/// feeds.
fn moved(before: &Fabric, after: &Fabric, pairs: &[(TorId, TorId)]) -> Vec<(TorId, TorId)> {
    let feeds =
        |&(old, new): &(TorId, TorId)| (before.receives_from(old), after.receives_from(new));
    let now: BTreeMap<CassetteId, CassetteId> = pairs.iter().map(feeds).collect();
    let moves = |&&(old, new): &&(TorId, TorId)| {
        let stays = now.get(&before.transmits_into(old)) == Some(&after.transmits_into(new));
        !stays || before.receive_port(old) != after.receive_port(new)
    };
    pairs.iter().filter(moves).copied().collect()
}
