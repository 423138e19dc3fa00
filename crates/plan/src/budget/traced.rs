//! The light of chosen branches, element by element.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use lightloom_design::optics::DesignOptics;
use lightloom_plant::{Far, Plant};
use lightloom_power_cost::mend::Alternatives;
use lightloom_power_cost::{Case, Fan, Verdict};
use lightloom_topology::TorId;
use lightloom_watch::{Stopped, Watch};

use crate::budget::branch::BranchReport;
use crate::budget::lights::{Lights, Lit, lights};
use crate::budget::report::{ElementReport, elements};

/// The light of a branch.
pub struct TracedLight {
    /// Its row of the budget.
    pub row: BranchReport,
    /// The elements on its way.
    pub elements: Vec<ElementReport>,
}

/// How branches are assessed.
pub struct Asked<'a> {
    /// The optics whose light is followed.
    pub chosen: &'a DesignOptics,
    /// Optics that are compared with them.
    pub alternatives: &'a Alternatives,
    /// The case that decides.
    pub case: Case,
    /// Threads that draw losses.
    pub threads: NonZeroUsize,
}

/// Assesses branches of a wiring plan, which all exist, in their order. Random draws depend on all branches, so a
/// Monte Carlo budget draws them all.
pub fn traced(
    wires: &Plant,
    wanted: &[(TorId, TorId)],
    asked: &Asked<'_>,
    watch: Watch<'_>,
) -> Result<Vec<TracedLight>, Stopped> {
    let optics = &asked.chosen.optics;
    let all = match asked.case {
        Case::MonteCarlo => lights(wires, asked.chosen, asked.case, asked.threads, watch)?.branches,
        Case::Worst | Case::Typical | Case::Best => of_senders(wires, wanted, asked)?,
    };
    let by_ends: BTreeMap<(TorId, TorId), &Lit> = all.iter().map(|lit| (lit.ends, lit)).collect();
    let found = wanted.iter().filter_map(|ends| by_ends.get(ends));
    Ok(found
        .map(|lit| {
            let mends = if lit.light.verdict >= Verdict::Unknown {
                // Random draws allow no promises, only bounds do.
                let case = if asked.case == Case::MonteCarlo { Case::Worst } else { asked.case };
                asked.alternatives.mends(optics, lit.feed, lit.branch, case)
            } else {
                Vec::new()
            };
            TracedLight {
                row: BranchReport::new(lit, optics, mends),
                elements: elements(lit, optics),
            }
        })
        .collect())
}

/// The branches of the senders of the wanted ones.
fn of_senders(
    wires: &Plant,
    wanted: &[(TorId, TorId)],
    asked: &Asked<'_>,
) -> Result<Vec<Lit>, Stopped> {
    let mut senders: Vec<TorId> = wanted.iter().map(|(from, _)| *from).collect();
    senders.sort_unstable();
    senders.dedup();
    let (mut fans, mut ends) = (Vec::new(), Vec::new());
    for from in senders {
        let first = wires.first_fibre(from).index();
        let feed = wires.fibres()[first].length;
        let mut fan = Fan { feed, branches: Vec::new() };
        for fibre in wires.fibres()[first + 1..].iter().take_while(|fibre| fibre.from == from) {
            if let Far::Receiver { tor, .. } = fibre.far {
                fan.branches.push(fibre.length);
                ends.push((from, tor));
            }
        }
        fans.push(fan);
    }
    let sampling = asked.chosen.sampling.on(asked.threads);
    let mut on = |_| true;
    Lights::new(&asked.chosen.optics, &fans, &ends, asked.case, sampling, &mut on)
        .map(|lights| lights.branches)
        .ok_or(Stopped)
}
