//! What is worst: parts that fail together, and pairs of relays whose loss cuts somebody off.

use std::collections::{BTreeMap, VecDeque};

use lightloom_request::{Error, InputError};
use lightloom_routing::failure::{Damage, Failure};
use lightloom_routing::recovery::{Objective, replan};
use lightloom_routing::verify::Replay;
use lightloom_topology::{CassetteId, Fabric, TorId};
use lightloom_watch::Progress;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::facts::SAMPLE_SEED;
use crate::impact::{installed, lost, rejected, too_large, wiring};
use crate::project::Project;
use crate::routes::LISTED_TORS;
use crate::verify::Broken;
use crate::wiring::{Far, Housing, WiringPlan};

/// Up to this many ToRs every pair of relays is tried.
const ALL_PAIRS_TORS: usize = 400;
/// Pairs that are drawn beyond it.
const DRAWN_PAIRS: usize = 20_000;
/// Pairs that are listed.
const LISTED_PAIRS: usize = 100;

/// Groups of parts that fail together, the worst first, and pairs of relays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RiskReport {
    /// Parts that share a tray, a row of racks or a housing.
    pub groups: Vec<GroupReport>,
    /// Pairs of failed relays.
    pub pairs: PairReport,
}

/// Parts that fail together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GroupReport {
    /// `tray …`, `racks of …` or `housing …`.
    pub group: String,
    /// Fibres, ToRs or splitters in it.
    pub parts: usize,
    /// Pairs of a source and another ToR, both with power, that no rules can join any more.
    pub cut_off: usize,
    /// Sources that can still transmit and lose another ToR with power, until they are repaired.
    pub sources_hit: usize,
    /// Sources that can no longer transmit themselves; they are not among those hit.
    pub failed_sources: usize,
}

/// Pairs of relays whose loss cuts somebody off for good.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PairReport {
    /// Pairs tried.
    pub tried: usize,
    /// Whether that was all of them; otherwise they were drawn with a fixed seed.
    pub exhaustive: bool,
    /// Pairs that cut somebody off.
    pub cutting: usize,
    /// The first of them.
    pub listed: Vec<(TorId, TorId)>,
}

impl Project {
    /// Ranks what is worst.
    ///
    /// # Errors
    /// [`InputError`] when tables are too large to be listed.
    pub fn risk(&self, progress: Progress<'_>) -> Result<RiskReport, Error> {
        if self.fabric.tors() > LISTED_TORS {
            return Err(too_large().into());
        }
        let routes = self.routes()?;
        let tables = routes.tables().ok_or_else(too_large)?;
        let rules = installed(&self.fabric, &tables.sources_by_relay(&self.fabric));
        let wiring = wiring(&self.fabric);
        let mut replay = Replay::new(&wiring);
        let groups = self.groups();
        let mut reports = Vec::with_capacity(groups.len());
        for (done, (group, failures)) in groups.iter().enumerate() {
            progress(done as u64, groups.len() as u64)?;
            let damage = Damage::new(&self.fabric, failures).map_err(InputError::new)?;
            let repairs = replan(&damage, tables, Objective::FewestHops);
            let powered = |tors: &[TorId]| tors.iter().filter(|&&t| damage.has_power(t)).count();
            let sources = repairs.iter().filter(|repair| damage.has_power(repair.source));
            let mut sources_hit = 0;
            // A source that needs no repair loses nobody with power.
            for source in repairs.iter().map(|repair| repair.source).filter(|&s| damage.sends(s)) {
                let parts = Broken { damage: &damage, rules: &rules, source };
                replay.follow(source, source, &parts).map_err(rejected)?;
                let lost = lost(&replay, &self.fabric, source, source);
                sources_hit += usize::from(powered(&lost) > 0);
            }
            reports.push(GroupReport {
                group: group.clone(),
                parts: failures.len(),
                cut_off: sources.map(|repair| powered(&repair.unreachable)).sum(),
                sources_hit,
                failed_sources: self.fabric.tor_ids().filter(|&tor| !damage.sends(tor)).count(),
            });
        }
        reports.sort_by_key(|group| {
            std::cmp::Reverse((group.cut_off, group.sources_hit, group.parts))
        });
        Ok(RiskReport { groups: reports, pairs: pairs(&self.fabric) })
    }

    /// Parts that share a tray, a row of racks or a housing, in that order.
    fn groups(&self) -> Vec<(String, Vec<Failure>)> {
        let wires = WiringPlan::new(self.site(), self.design.housing, self.catalogue.stock());
        let mut trays: BTreeMap<_, Vec<Failure>> = BTreeMap::new();
        for cable in wires.cables() {
            let failure = match cable.far {
                Far::SplitterInput => Failure::Transmitter(cable.from),
                Far::Receiver { tor, .. } => Failure::Branch { from: cable.from, to: tor },
            };
            for &tray in cable.trays.iter().flatten() {
                trays.entry(tray).or_default().push(failure);
            }
        }
        let mut groups: Vec<(String, Vec<Failure>)> = trays
            .into_iter()
            .map(|(tray, failures)| (format!("tray {}", wires.tray_name(tray)), failures))
            .collect();
        let mut rows: BTreeMap<_, Vec<Failure>> = BTreeMap::new();
        for tor in self.fabric.tor_ids() {
            let rack = self.hall.rack(self.placement.rack(tor));
            rows.entry(rack.row).or_default().push(Failure::Tor(tor));
        }
        let named = |(row, failures)| (format!("racks of {}", self.hall.row(row).name), failures);
        groups.extend(rows.into_iter().map(named));
        // At the senders every splitter has a housing of its own, and is no group.
        if self.design.housing == Housing::Receiver {
            groups.extend(self.fabric.cassette_ids().map(|cassette| {
                (format!("housing of cassette {cassette}"), vec![Failure::Cassette(cassette)])
            }));
        }
        groups
    }
}

fn pairs(fabric: &Fabric) -> PairReport {
    let tors = fabric.tors();
    let exhaustive = tors <= ALL_PAIRS_TORS;
    let mut tried = 0;
    let mut cutting = Vec::new();
    let mut reach = PairSearch::new(fabric);
    let mut attempt = |a: TorId, b: TorId| {
        tried += 1;
        if reach.is_cut_by(a, b) {
            cutting.push((a, b));
        }
    };
    if exhaustive {
        for a in fabric.tor_ids() {
            for b in (a.index() + 1..tors).map(TorId::at) {
                attempt(a, b);
            }
        }
    } else {
        let mut random = ChaCha8Rng::seed_from_u64(SAMPLE_SEED);
        for _ in 0..DRAWN_PAIRS {
            let a = random.random_range(0..tors);
            let b = (a + random.random_range(1..tors)) % tors;
            attempt(TorId::at(a.min(b)), TorId::at(a.max(b)));
        }
        cutting.sort_unstable();
        cutting.dedup();
    }
    let count = cutting.len();
    cutting.truncate(LISTED_PAIRS);
    PairReport { tried, exhaustive, cutting: count, listed: cutting }
}

/// Whether all cassettes still reach each other without two of the ToRs.
struct PairSearch<'a> {
    fabric: &'a Fabric,
    seen: Vec<bool>,
    queue: VecDeque<CassetteId>,
}

impl<'a> PairSearch<'a> {
    fn new(fabric: &'a Fabric) -> Self {
        Self { fabric, seen: vec![false; fabric.cassettes()], queue: VecDeque::new() }
    }

    fn is_cut_by(&mut self, a: TorId, b: TorId) -> bool {
        let fabric = self.fabric;
        let with_light =
            |at: CassetteId| fabric.receivers(at).iter().map(|&t| (t, fabric.transmits_into(t)));
        let against =
            |at: CassetteId| fabric.transmitters(at).iter().map(|&t| (t, fabric.receives_from(t)));
        // A fabric of one cassette is cut when nobody is left to transmit.
        let nobody = fabric.cassettes() == 1 && fabric.tors() <= 2;
        nobody || !self.reaches_all(a, b, with_light) || !self.reaches_all(a, b, against)
    }

    fn reaches_all<I: Iterator<Item = (TorId, CassetteId)>>(
        &mut self,
        a: TorId,
        b: TorId,
        next: impl Fn(CassetteId) -> I,
    ) -> bool {
        self.seen.fill(false);
        self.seen[0] = true;
        self.queue.clear();
        self.queue.push_back(CassetteId(0));
        let mut count = 1;
        while let Some(at) = self.queue.pop_front() {
            for (tor, to) in next(at) {
                if tor != a && tor != b && !std::mem::replace(&mut self.seen[to.index()], true) {
                    count += 1;
                    self.queue.push_back(to);
                }
            }
        }
        count == self.seen.len()
    }
}
