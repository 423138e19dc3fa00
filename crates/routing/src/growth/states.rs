//! States of a fabric while its cords move.

use std::collections::BTreeMap;

use lightloom_topology::{CassetteId, Fabric, FabricError, TorId};

use crate::growth::change::StageError;
use crate::growth::joined::parallel_among;
use crate::tables::RelayTables;
use crate::verify::{Delivered, Hardware, InstalledRules, LightMap, Replay, Via};

/// Which cords are plugged, and which ToRs are in service. ToRs have the numbers of the larger fabric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    /// The cassette that feeds each ToR.
    pub(super) tails: Vec<CassetteId>,
    /// The cassette that each ToR transmits into. `None`: its transmit cord is not plugged.
    pub(super) heads: Vec<Option<CassetteId>>,
    /// The ToRs in service.
    pub(super) serves: Vec<bool>,
}

/// The ToRs in service whose cord is plugged, as a fabric of its own.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// The fabric, with ToRs and cassettes numbered without gaps.
    pub(super) fabric: Fabric,
    /// The number of each of its ToRs in the larger fabric.
    pub(super) tors: Vec<TorId>,
}

impl State {
    /// The fabric of the ToRs in service.
    pub(super) fn part(&self, fan_out: u32) -> Result<Part, FabricError> {
        let mut numbers: BTreeMap<CassetteId, CassetteId> = BTreeMap::new();
        let lit = |tor: &usize| self.serves[*tor] && self.heads[*tor].is_some();
        let tors: Vec<TorId> = (0..self.tails.len()).filter(lit).map(TorId::at).collect();
        let ends = |tor: &TorId| Some((self.tails[tor.index()], self.heads[tor.index()]?));
        for (tail, head) in tors.iter().filter_map(ends) {
            numbers.insert(tail, tail);
            numbers.insert(head, head);
        }
        for (number, dense) in numbers.values_mut().enumerate() {
            *dense = CassetteId::at(number);
        }
        let edges: Vec<_> = tors
            .iter()
            .filter_map(ends)
            .map(|(tail, head)| (numbers[&tail], numbers[&head]))
            .collect();
        let fabric =
            Fabric::new(fan_out, u32::try_from(numbers.len()).unwrap_or(u32::MAX), &edges)?;
        Ok(Part { fabric, tors })
    }

    /// Number of parallel sources while these ToRs do not transmit. 0: some source cannot reach all ToRs.
    pub(super) fn parallel_without(&self, part: &Part, silent: &[TorId]) -> usize {
        let silent = |tor: TorId| silent.binary_search(&part.tors[tor.index()]).is_ok();
        parallel_among(&part.fabric, |tor| !silent(tor))
    }

    /// The receivers that each plugged splitter lights.
    pub(super) fn light(&self) -> LightMap {
        let cassettes = self.tails.iter().chain(self.heads.iter().flatten());
        let cassettes = cassettes.map(|c| c.index() + 1).max().unwrap_or(0);
        let mut receivers = vec![Vec::new(); cassettes];
        for (tor, tail) in self.tails.iter().enumerate() {
            receivers[tail.index()].push(TorId::at(tor));
        }
        let heads = self.heads.iter().enumerate();
        let plugged = heads.filter_map(|(tor, head)| Some((TorId::at(tor), (*head)?)));
        let fibres = plugged.flat_map(|(tor, head)| {
            receivers[head.index()].iter().map(move |&to| (tor, to)).collect::<Vec<_>>()
        });
        LightMap::new(self.tails.len(), fibres)
    }
}

impl Part {
    /// Tables of this part as lists of sources by relay, in the numbers of the larger fabric of `all` ToRs.
    pub(super) fn lists(&self, tables: &RelayTables, all: usize) -> Vec<Vec<TorId>> {
        self.widen(&tables.sources_by_relay(&self.fabric), all)
    }

    /// Lists of this part in the numbers of the larger fabric. The numbers of a part ascend with those.
    pub(super) fn widen(&self, lists: &[Vec<TorId>], all: usize) -> Vec<Vec<TorId>> {
        let mut wide = vec![Vec::new(); all];
        for (tor, sources) in self.tors.iter().zip(lists) {
            wide[tor.index()] = sources.iter().map(|source| self.tors[source.index()]).collect();
        }
        wide
    }
}

/// The rules of all switches in one state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) lists: Vec<Vec<TorId>>,
    pub(super) via: Via,
}

struct Sound<'a> {
    rules: &'a InstalledRules,
    source: TorId,
}

impl Hardware for Sound<'_> {
    fn has_rule(&self, tor: TorId) -> bool {
        self.rules.relays(self.source, tor)
    }
}

/// Replays every source in service except the paused ones: every ToR in service gets exactly one copy. Returns
/// the number of sources, and the deliveries of all of them.
pub(super) fn replay(
    state: &State,
    rules: &Rules,
    paused: &[TorId],
) -> Result<(usize, Delivered), StageError> {
    let light = state.light();
    let installed = InstalledRules::of_lists(&rules.lists).with(BTreeMap::new(), rules.via.clone());
    let mut replay = Replay::new(&light);
    let (mut sources, mut all) = (0, Delivered::default());
    for source in light.tor_ids() {
        if !state.serves[source.index()] || paused.binary_search(&source).is_ok() {
            continue;
        }
        let hardware = Sound { rules: &installed, source };
        let serves = |tor: TorId| state.serves[tor.index()];
        let root = installed.root(source);
        let one = replay.deliver(source, root, &hardware, serves, None)?;
        all.copies += one.copies;
        all.max_hops = all.max_hops.max(one.max_hops);
        sources += 1;
    }
    Ok((sources, all))
}
