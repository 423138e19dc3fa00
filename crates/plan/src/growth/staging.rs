//! The stages of a change: which rules and which cords, in which order.

use std::collections::BTreeMap;

use lightloom_request::{Error, InputError};
use lightloom_routing::RelayRows;
use lightloom_routing::growth::{self, Change, StageError, StageKind};
use lightloom_routing::verify::Via;
use lightloom_topology::TorId;
use lightloom_units::Span;
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::growth::before::Common;
use crate::impact::too_large;
use crate::laid::Laid;
use crate::project::Project;
use crate::recover::hop_delay;

/// The content of `stages.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Staging {
    /// `grow` or `shrink`.
    pub kind: String,
    /// The stages in order. ToRs have their numbers of the larger plan: of this one if it grew, of the one before
    /// if it shrank.
    pub stages: Vec<StageReport>,
    /// After a shrinking: the new number of each ToR that stays, where it differs. The last step renames those
    /// sources.
    pub renumbered: BTreeMap<TorId, TorId>,
}

/// Cords that move together. Before the first stage, all new splitters and cords are built and tested dark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StageReport {
    /// Number of the stage, from 1.
    pub stage: usize,
    /// Rules that take all packets off the moving cords.
    pub drain: UpdateReport,
    /// ToRs that leave service before cords move.
    pub leave: Vec<TorId>,
    /// ToRs that go to another cassette: their transmit cord moves, or their branches do if the splitters are at the
    /// senders.
    pub moves: Vec<TorId>,
    /// New ToRs whose transmit cord takes a splitter that became free, or whose branches take receivers that did.
    pub plug: Vec<TorId>,
    /// ToRs that enter service with the new rules.
    pub enter: Vec<TorId>,
    /// Rules of the fabric with the moved cords.
    pub restore: UpdateReport,
    /// Largest number of sources at line rate at the same time, if trees are planned for them.
    pub parallel_sources: ParallelReport,
    /// What was replayed.
    pub replayed: ReplayedReport,
}

/// A change of rules: pause the sources, delete, wait for all switches and then for the time, add, wait for all
/// switches, resume. Rules of different sources are independent: sources may be paused and changed one at a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UpdateReport {
    /// Sources that send nothing while their rules change.
    pub pause: Vec<TorId>,
    /// Rules to delete: sources by ToR.
    pub delete: BTreeMap<TorId, Vec<TorId>>,
    /// Time until the last packet under the old rules has arrived.
    pub wait: Span,
    /// Rules to add: sources by ToR.
    pub add: BTreeMap<TorId, Vec<TorId>>,
    /// All stand-ins afterwards: the ToR that transmits first for a source whose cord is out.
    pub via: Via,
}

/// Largest number of sources at line rate at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ParallelReport {
    /// Before the stage.
    pub before: usize,
    /// While the cords move.
    pub during: usize,
    /// After the stage.
    pub after: usize,
}

/// What was replayed: every source in service in every state. Each ToR in service got exactly one copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayedReport {
    /// Number of states.
    pub states: usize,
    /// Number of sources, over all states.
    pub sources: usize,
    /// Number of copies, over all states.
    pub copies: u64,
}

impl Staging {
    /// The stage in which cords of a ToR are moved or plugged, by its number in the new plan. 0: none.
    pub fn stage_of(&self, tor: TorId) -> usize {
        let old = self.renumbered.iter().find(|(_, new)| **new == tor).map_or(tor, |(old, _)| *old);
        self.stage_touching(old).unwrap_or(0)
    }

    /// The stage in which cords of a ToR are moved, plugged or taken out, by its number in the larger plan.
    pub fn stage_touching(&self, tor: TorId) -> Option<usize> {
        let touches = |stage: &&StageReport| {
            [&stage.moves, &stage.plug, &stage.leave].into_iter().any(|tors| tors.contains(&tor))
        };
        self.stages.iter().find(touches).map(|stage| stage.stage)
    }
}

/// The stages between a plan and the one that it grew or shrank from.
///
/// # Errors
/// [`Error`] if no order keeps all ToRs in service, or because `watch` stopped the work.
pub fn staging(
    (before_laid, after_laid): (&Laid, &Laid),
    common: &Common,
    watch: Watch<'_>,
) -> Result<Staging, Error> {
    let (before, after) = (before_laid.project(), after_laid.project());
    let tables = |project: &Project| match project.relay_rows() {
        Ok(RelayRows::Listed(tables)) => Ok(tables),
        Ok(RelayRows::Each(_)) => Err(too_large()),
        Err(error) => Err(error),
    };
    let change = Change {
        kind: common.kind,
        before: &before.fabric,
        tables: tables(before)?,
        after: &after.fabric,
        new_tables: tables(after)?,
        tors: &common.tors,
        moved: &common.moved,
        hop_delay: hop_delay(before_laid).max(hop_delay(after_laid)),
    };
    let stages = growth::stages(&change, watch).map_err(|error| match error {
        StageError::Stopped(stopped) => stopped.into(),
        other => Error::from(InputError::new(other)),
    })?;
    let grows = common.kind == StageKind::Grow;
    let renumbered =
        common.tors.iter().enumerate().filter(|(new, old)| !grows && old.index() != *new);
    Ok(Staging {
        kind: if grows { "grow" } else { "shrink" }.into(),
        renumbered: renumbered.map(|(new, &old)| (old, TorId::at(new))).collect(),
        stages: (1..).zip(stages).map(|(number, stage)| report(number, stage)).collect(),
    })
}

fn report(number: usize, stage: growth::Stage) -> StageReport {
    let update = |update: growth::Update| UpdateReport {
        pause: update.paused,
        delete: update.delete,
        wait: update.wait,
        add: update.add,
        via: update.via,
    };
    StageReport {
        stage: number,
        drain: update(stage.drain),
        leave: stage.leave,
        moves: stage.moves,
        plug: stage.plugged,
        enter: stage.enter,
        restore: update(stage.restore),
        parallel_sources: ParallelReport {
            before: stage.parallel_before,
            during: stage.parallel_during,
            after: stage.parallel_after,
        },
        replayed: ReplayedReport {
            states: stage.proved.states,
            sources: stage.proved.sources,
            copies: stage.proved.copies,
        },
    }
}
