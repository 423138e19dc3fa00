//! A plan that goes around failures as it stands: what its rules bring over what still works. Its figures without
//! failures stand beside them.

use lightloom_request::{Error, InputError};
use lightloom_routing::failure::Damage;
use lightloom_routing::impact::light_map;
use lightloom_routing::parallel::installed_sources_of;
use lightloom_routing::verify::{
    Demand, InstalledRules, LightMap, Proved, Replay, RulesOverDamage, Unproved, Violation,
    verify_all,
};
use lightloom_topology::TorId;
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::facts::{FabricFacts, InfoReport, LoadReport};
use crate::impact::rejected;
use crate::project::Project;
use crate::recover::Recovered;
use crate::trees::TreeReport;
use crate::verify::{Verification, cut_off_text, unproved};

/// The damage of a plan, and the rules that go around it.
#[derive(Debug)]
pub struct Standing<'a> {
    /// What still works.
    pub damage: Damage<'a>,
    /// The recovery, with the rules of all ToRs.
    pub recovered: Recovered,
    /// Whether the method gives up sources without a working transmitter.
    gives_up: bool,
}

/// Figures of a plan without its failures: what the router of the plan makes of an undamaged fabric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WithoutFailures {
    /// Relay load over all ToRs. `None`: too large to compute.
    pub relay_load: Option<LoadReport>,
    /// Hops to the farthest ToR.
    pub max_hops: u32,
    /// Mean number of hops.
    pub mean_hops: f64,
    /// Largest number of sources at line rate at the same time if trees are planned for them.
    pub parallel_sources: Option<usize>,
    /// What was proved.
    pub verification: Verification,
}

/// Whom the rules of a plan reach, with its failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reach {
    /// Number of pairs of a source and another ToR that the failures of the plan cut off.
    pub pairs_cut_off: usize,
    /// Number of sources with such a pair.
    pub sources_cut_off: usize,
    /// Whether every source reaches every other ToR, but for those that the method of the recovery gives up.
    pub restored: bool,
}

impl Reach {
    /// What is cut off, as a clause without a period. `None`: nothing is.
    pub fn cut_off_text(&self) -> Option<String> {
        cut_off_text(self.pairs_cut_off, self.sources_cut_off)
    }
}

impl Project {
    /// Whom the rules of the plan reach, with its failures.
    ///
    /// # Errors
    /// [`Error`] if the recovery is not possible, or if the work was stopped.
    pub fn reach(&self, watch: Watch<'_>) -> Result<Reach, Error> {
        let Some(standing) = self.standing()? else {
            return Ok(Reach { pairs_cut_off: 0, sources_cut_off: 0, restored: true });
        };
        let cut_off =
            standing.prove(&light_map(&self.fabric), self.fabric.fan_out(), watch)?.cut_off;
        let given_up = &standing.recovered.report.not_counted;
        Ok(Reach {
            pairs_cut_off: cut_off.values().map(Vec::len).sum(),
            sources_cut_off: cut_off.len(),
            restored: cut_off.keys().all(|source| given_up.contains(source)),
        })
    }

    /// The plan as it stands, if it goes around failures.
    ///
    /// # Errors
    /// [`Error`] if the recovery is not possible.
    pub fn standing(&self) -> Result<Option<Standing<'_>>, Error> {
        let Some((failed, method)) = &self.recovery else { return Ok(None) };
        Ok(Some(Standing {
            damage: self.damage(failed)?,
            recovered: self.recovered(&self.recovery_base()?, failed, *method)?,
            gives_up: method.gives_up(),
        }))
    }

    /// Refuses a question that only an undamaged fabric answers: the answer would be about the rules that the plan had
    /// before.
    ///
    /// # Errors
    /// [`InputError`] if the plan goes around failures.
    pub fn refuse_repaired(&self) -> Result<(), InputError> {
        let Some((failed, _)) = &self.recovery else { return Ok(()) };
        let message = format!(
            "is a plan around failures ({}); ask its design, or the plan without failures, and name these failures \
             with any others",
            failed.names().join(", ")
        );
        Err(InputError::new(message).in_field("recovery"))
    }
}

impl Standing<'_> {
    /// The facts of the plan as it stands, from those without its failures.
    ///
    /// # Errors
    /// As [`Self::prove`].
    pub fn info(
        &self,
        project: &Project,
        sound: InfoReport,
        watch: Watch<'_>,
    ) -> Result<InfoReport, Error> {
        let light = light_map(&project.fabric);
        let proved = self.prove(&light, project.fabric.fan_out(), watch)?;
        let (report, lists) = (&self.recovered.report, &self.recovered.lists);
        let load = self.relay_load();
        // As for planned trees, only sources count that reach every ToR with power.
        let misses = |source: &TorId| {
            let missed = proved.cut_off.get(source);
            missed.is_some_and(|missed| missed.iter().any(|&tor| self.damage.has_power(tor)))
        };
        let complete: Vec<TorId> =
            project.fabric.tor_ids().filter(|source| !misses(source)).collect();
        let installed = installed_sources_of(lists, &complete);
        let relays = project.fabric.tor_ids().map(|source| self.relays_of(source).len());
        let fabric = FabricFacts {
            relays_per_source: relays.max().unwrap_or(0),
            rules_per_relay: Some(load.max),
            relay_load: Some(load),
            max_hops: proved.delivered.max_hops,
            mean_hops: proved.mean_hops(),
            parallel_sources: Some(report.parallel_sources),
            ..sound.fabric.clone()
        };
        Ok(InfoReport {
            fabric,
            failed: report.failed.clone(),
            pairs_cut_off: Some(proved.cut_off.values().map(Vec::len).sum()),
            without_failures: Some(sound.fabric),
            parallel_sources_installed: installed.sources.len(),
            parallel_sources_installed_at_most: installed.at_most,
            parallel_sources_installed_example: installed.sources,
            // It is what the router would make of an undamaged fabric.
            one_more_hop: None,
            ..sound
        })
    }

    /// The tree of a source.
    ///
    /// # Errors
    /// [`Error::PlanRejected`] if a ToR gets a second copy.
    pub fn tree(&self, source: TorId) -> Result<TreeReport, Error> {
        let (damage, rules) = (&self.damage, &self.rules());
        let (fabric, root) = (damage.fabric(), rules.root(source));
        let light = light_map(fabric);
        let mut replay = Replay::new(&light);
        match replay.follow(source, root, &RulesOverDamage { damage, rules, source }) {
            // A source that cannot transmit sends no copies.
            Ok(()) | Err(Violation::NotAdmitted(_)) => {}
            Err(violation) => return Err(rejected(violation)),
        }
        let via = Some(root).filter(|&root| root != source);
        let path = |tor: TorId| {
            let mut path = vec![tor];
            while let Some(at) = path.last().copied().filter(|&at| at != root) {
                path.push(replay.sent_by(at)?);
            }
            path.extend(via.map(|_| source));
            path.reverse();
            Some((tor, path))
        };
        let others = fabric.tor_ids().filter(|&tor| tor != source);
        let lit = others.clone().filter(|&tor| tor != root).filter_map(|tor| replay.hops(tor));
        Ok(TreeReport {
            source,
            relays: self.relays_of(source),
            max_hops: lit.max().unwrap_or(0),
            paths: others.filter_map(path).collect(),
            via,
            cut_off: replay.missed(source, root),
        })
    }

    /// The rules of all switches.
    pub fn rules(&self) -> InstalledRules {
        let report = &self.recovered.report;
        InstalledRules::of_lists(&self.recovered.lists)
            .with(report.accept.clone(), report.via.clone())
    }

    /// Proves the rules as the files of the plan list them: every ToR that light can still reach gets exactly one copy.
    /// This proof is independent of the proofs that the recovery itself made.
    ///
    /// # Errors
    /// [`Error`] if the proof fails or the work is stopped.
    pub fn prove(&self, lit: &LightMap, fan_out: u32, watch: Watch<'_>) -> Result<Proved, Error> {
        let demand = Demand { damage: &self.damage, bound: None, gives_up: self.gives_up };
        match verify_all(lit, fan_out, &self.rules(), &demand, watch) {
            // Algorithm 2 promises nothing for several failures.
            Err(Unproved::Violation(fault)) if self.gives_up => Err(Error::PlanRejected(format!(
                "{fault}; method algorithm2 leaves it so, replan does not"
            ))),
            proved => proved.map_err(unproved),
        }
    }

    /// The relay load over all ToRs.
    pub fn relay_load(&self) -> LoadReport {
        LoadReport::of_lists(&self.recovered.lists)
    }

    /// The ToRs with a rule for a source, ascending.
    pub fn relays_of(&self, source: TorId) -> Vec<TorId> {
        let lists = self.recovered.lists.iter().enumerate();
        let relays = lists.filter(|(_, sources)| sources.binary_search(&source).is_ok());
        relays.map(|(relay, _)| TorId::at(relay)).collect()
    }
}
