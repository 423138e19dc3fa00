//! Optical budgets of a wiring plan.

use std::num::NonZeroUsize;

use lightloom_design::optics::DesignOptics;
use lightloom_plant::{Far, Plant};
use lightloom_power_cost::{Case, Fan};
use lightloom_topology::TorId;
use lightloom_watch::{Stopped, Watch};

/// Optical budget of a branch from the first ToR to the second.
pub type Lit = lightloom_power_cost::Lit<(TorId, TorId)>;
/// Optical budgets of all branches.
pub type Lights = lightloom_power_cost::Lights<(TorId, TorId)>;

/// The branches of a wiring plan, splitter by splitter.
struct Branches {
    fans: Vec<Fan>,
    ends: Vec<(TorId, TorId)>,
}

impl Branches {
    fn of(wires: &Plant) -> Self {
        let mut branches = Self { fans: Vec::new(), ends: Vec::new() };
        for cable in wires.fibres() {
            match (cable.far, branches.fans.last_mut()) {
                // A plan lists each feed before its branches.
                (Far::SplitterInput, _) | (Far::Receiver { .. }, None) => {
                    branches.fans.push(Fan { feed: cable.length, branches: Vec::new() });
                }
                (Far::Receiver { tor, .. }, Some(fan)) => {
                    fan.branches.push(cable.length);
                    branches.ends.push((cable.from, tor));
                }
            }
        }
        branches
    }
}

/// Lengths of the fibres of a wiring plan, splitter by splitter.
pub fn fans(wires: &Plant) -> Vec<Fan> {
    Branches::of(wires).fans
}

/// Assesses every branch of a wiring plan.
pub fn lights(
    wires: &Plant,
    chosen: &DesignOptics,
    case: Case,
    threads: NonZeroUsize,
    watch: Watch<'_>,
) -> Result<Lights, Stopped> {
    let Branches { fans, ends } = Branches::of(wires);
    let of = fans.len() as u64;
    let mut told = |done: usize| watch.progress(done as u64, of).is_ok();
    let sampling = chosen.sampling.on(threads);
    Lights::new(&chosen.optics, &fans, &ends, case, sampling, &mut told).ok_or(Stopped)
}
