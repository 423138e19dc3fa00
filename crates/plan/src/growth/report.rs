//! Reports of growth and shrinking.

use std::collections::BTreeSet;

use lightloom_request::{Error, InputError};
use lightloom_topology::family::{Shufflecast, kautz};
use lightloom_topology::{Fabric, TorId};
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::growth::asked::{names, shelves_without_tor};
use crate::growth::cords::{CordAction, CordKind, CordRow, cords, moved_receive_cords};
use crate::growth::staging::{ParallelReport, Staging, staging};
use crate::laid::Laid;
use crate::project::Project;
use crate::routes::relay_rows;

/// Stages and cords of a plan that grew or shrank.
#[derive(Debug, Clone)]
pub struct ProvedChange {
    /// Summary.
    pub summary: GrowthSummary,
    /// The stages.
    pub staging: Staging,
    /// The cords that differ.
    pub cords: Vec<CordRow>,
}

/// What a growth or a shrinking changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GrowthSummary {
    /// `grow` or `shrink`.
    pub kind: String,
    /// Number of ToRs before.
    pub tors_before: usize,
    /// Number of ToRs afterwards.
    pub tors: usize,
    /// Number of cassettes before.
    pub cassettes_before: usize,
    /// Number of cassettes afterwards.
    pub cassettes: usize,
    /// Racks of the ToRs whose transmit cord moves. With splitters at the senders their branches move instead.
    pub moved: Vec<String>,
    /// Number of moved transmit cords.
    pub moved_transmit_cords: usize,
    /// Number of moved receive cords: branches of splitters at the senders.
    pub moved_receive_cords: usize,
    /// Moved cords that are too short for their new way. A new cord replaces each.
    pub too_short: Vec<String>,
    /// Number of new cords, without those that replace others.
    pub new_cords: usize,
    /// Number of new trunks.
    pub new_trunks: usize,
    /// Number of cords that are taken out.
    pub removed_cords: usize,
    /// Racks that keep splitters although their ToR left.
    pub racks_with_splitters_only: Vec<String>,
    /// The stages.
    pub stages: Vec<StageSummary>,
}

/// One stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StageSummary {
    /// Number of transmit cords that move.
    pub moves: usize,
    /// Number of cords that are plugged into splitters that became free.
    pub plugged: usize,
    /// Number of sources that go through a stand-in while the cords move.
    pub stand_ins: usize,
    /// Number of sources that pause while their rules change before the moves. They may pause one at a time.
    pub pause_to_drain: usize,
    /// The same after the moves.
    pub pause_to_restore: usize,
    /// Largest number of sources at line rate at the same time.
    pub parallel_sources: ParallelReport,
    /// Number of states in which every source in service was replayed.
    pub states_replayed: usize,
}

/// Hops of a fabric with even loads.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HopsReport {
    /// Number of hops to the farthest ToR.
    pub max: u32,
    /// Mean number of hops.
    pub mean: f64,
}

/// A later phase, as planned now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseReport {
    /// Number of ToRs before.
    pub tors_before: usize,
    /// Number of ToRs afterwards.
    pub tors: usize,
    /// Number of transmit cords that move.
    pub moved_transmit_cords: usize,
    /// Hops afterwards.
    pub hops: HopsReport,
    /// Largest number of sources at line rate at the same time afterwards.
    pub parallel_sources: usize,
}

/// Re-wiring into the next larger Shufflecast.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PaperReport {
    /// Fan-out of the splitters.
    pub p: u32,
    /// Number of columns afterwards.
    pub k: u32,
    /// Number of ToRs afterwards.
    pub tors: u32,
    /// Number of branch fibres of the Shufflecast that is there.
    pub branch_fibres: usize,
    /// Number of them whose other end changes.
    pub moved_branch_fibres: usize,
    /// Hops afterwards.
    pub max_hops: u32,
}

/// Stages and cords of a plan that grew or shrank. `None`: it is a plan of its own.
///
/// # Errors
/// [`Error`] if a state is not safe, or because `watch` stopped the work.
pub fn prove_change(laid: &Laid, watch: Watch<'_>) -> Result<Option<ProvedChange>, Error> {
    let Some(before) = laid.project().before()? else { return Ok(None) };
    let (old, new) = (before.laid_as_planned()?, laid.as_planned()?);
    let (before, project) = (old.project(), new.project());
    let common = project.common(before)?;
    let staging = staging((&old, &new), &common, watch)?;
    let cords = cords(&old, &new, &staging)?;
    let larger = if project.fabric.tors() > before.fabric.tors() { project } else { before };
    let of = |action: CordAction| cords.iter().filter(move |row| row.action == action);
    let is_cord = |row: &&CordRow| row.kind != CordKind::Trunk;
    let rack_name = |rack| project.hall.rack(rack).name.to_string();
    let stage = |stage: &crate::growth::staging::StageReport| StageSummary {
        moves: stage.moves.len(),
        plugged: stage.plug.len(),
        stand_ins: stage.drain.via.len(),
        pause_to_drain: stage.drain.pause.len(),
        pause_to_restore: stage.restore.pause.len(),
        parallel_sources: stage.parallel_sources,
        states_replayed: stage.replayed.states,
    };
    let summary = GrowthSummary {
        kind: staging.kind.clone(),
        tors_before: before.fabric.tors(),
        tors: project.fabric.tors(),
        cassettes_before: before.fabric.cassettes(),
        cassettes: project.fabric.cassettes(),
        moved: names(larger, &common.moved),
        moved_transmit_cords: of(CordAction::Move).filter(|row| row.kind == CordKind::Feed).count(),
        moved_receive_cords: moved_receive_cords(&cords),
        too_short: cords.iter().filter(|row| row.is_too_short()).map(|r| r.label.clone()).collect(),
        new_cords: of(CordAction::Build).filter(is_cord).count() + of(CordAction::Plug).count(),
        new_trunks: of(CordAction::Build).filter(|row| !is_cord(row)).count(),
        removed_cords: of(CordAction::Remove).count(),
        racks_with_splitters_only: shelves_without_tor(project)
            .into_iter()
            .map(rack_name)
            .collect(),
        stages: staging.stages.iter().map(stage).collect(),
    };
    Ok(Some(ProvedChange { summary, staging, cords }))
}

/// A later phase of a project that grew.
///
/// # Errors
/// [`InputError`] if its trees cannot be made.
pub fn phase(before: &Project, after: &Project) -> Result<PhaseReport, InputError> {
    let fabric = &after.fabric;
    let moved = after.common(before)?.moved.len();
    Ok(PhaseReport {
        tors_before: before.fabric.tors(),
        tors: fabric.tors(),
        moved_transmit_cords: moved,
        hops: hops(after, fabric)?,
        parallel_sources: lightloom_routing::parallel::count_parallel_sources_among(fabric, |_| {
            true
        }),
    })
}

/// Hops of a fresh fabric of the family kautz with as many ToRs.
///
/// # Errors
/// [`InputError`] if there is no such fabric.
pub fn fresh(project: &Project) -> Result<HopsReport, InputError> {
    let tors = u32::try_from(project.fabric.tors()).unwrap_or(u32::MAX);
    hops(project, &kautz(project.fabric.fan_out(), tors).map_err(InputError::new)?)
}

fn hops(project: &Project, fabric: &Fabric) -> Result<HopsReport, InputError> {
    let rows = relay_rows(fabric, &project.design)?;
    let tables = rows.tables().ok_or_else(crate::impact::too_large)?;
    let hops = tables.hops(fabric).map_err(InputError::new)?;
    Ok(HopsReport { max: hops.max, mean: hops.mean(fabric.tors()) })
}

/// What the paper's way would move: the fabric becomes the next larger Shufflecast, and ToRs keep their column and
/// row. `None`: the fabric before is no Shufflecast.
pub fn paper(before: &Project, tors: usize) -> Option<PaperReport> {
    let spec = &before.design.fabric;
    let shape = spec.shape()?;
    let p = shape.p();
    let larger = (shape.k() + 1..).map_while(|k| Shufflecast::new(p, k).ok());
    let next = larger.into_iter().find(|next| next.tors() as usize >= tors)?;
    let pairs = |fabric: &Fabric| -> BTreeSet<(TorId, TorId)> {
        let branches = |from: TorId| {
            fabric.receivers(fabric.transmits_into(from)).iter().map(move |&to| (from, to))
        };
        fabric.tor_ids().flat_map(branches).collect()
    };
    let place = |tor: TorId| next.tor(shape.column(tor), shape.row(tor));
    let old: BTreeSet<(TorId, TorId)> =
        pairs(&before.fabric).into_iter().map(|(from, to)| (place(from), place(to))).collect();
    let new = pairs(&next.fabric().ok()?);
    Some(PaperReport {
        p,
        k: next.k(),
        tors: next.tors(),
        branch_fibres: old.len(),
        moved_branch_fibres: old.difference(&new).count(),
        max_hops: 2 * next.k() - 1,
    })
}
