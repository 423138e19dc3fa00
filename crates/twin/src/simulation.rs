//! A checked simulation, and the door to running it.

use std::ops::Deref;
use std::sync::atomic::AtomicBool;

use lightloom_units::{Instant, Span};

use crate::build::Cut;
use crate::check::{self, SetupError};
use crate::engine::{Control, first_overflow, run};
use crate::link::Pace;
use crate::outcome::{self, Outcome};
use crate::params::HEADER;
use crate::setup::Setup;
use crate::wires::Wires;

/// A setup that can be run: all that it names exists, and no sum of its times leaves the clock.
#[derive(Debug, Clone)]
pub struct Simulation<'a> {
    setup: Setup<'a>,
    wires: Wires<'a>,
}

impl<'a> Simulation<'a> {
    /// Checks a setup.
    ///
    /// # Errors
    /// [`SetupError`] says what does not fit together, by its place in the setup.
    pub fn new(setup: Setup<'a>) -> Result<Self, SetupError> {
        let wires = check::check(&setup)?;
        Ok(Self { setup, wires })
    }

    /// What was checked.
    pub fn setup(&self) -> &Setup<'a> {
        &self.setup
    }

    /// Links and splitters.
    pub(crate) fn wires(&self) -> &Wires<'a> {
        &self.wires
    }
}

impl<'a> Deref for Simulation<'a> {
    type Target = Setup<'a>;

    fn deref(&self) -> &Setup<'a> {
        &self.setup
    }
}

/// Runs a simulation. `stop` ends it early when set; `told` hears the simulated time.
pub fn simulate(
    simulation: &Simulation<'_>,
    stop: &AtomicBool,
    told: &(dyn Fn(Instant) + Sync),
) -> Outcome {
    let cut = Cut::new(simulation.network, simulation.threads);
    let mut parts = cut.parts(simulation);
    let (until, patience) = (simulation.until, simulation.patience);
    let control = Control { stop, told, until, patience, busy_until: scheduled_until(simulation) };
    let ended = run(&mut parts, simulation.threads, lookahead(simulation), &control);
    let fatal = first_overflow(&parts);
    outcome::collect(simulation, &cut, parts, ended, fatal)
}

/// Time of the last scheduled event: a start of a message, a return of a link, or an end of a storm.
fn scheduled_until(simulation: &Setup<'_>) -> Instant {
    let starts = simulation.flows.iter().map(|flow| flow.start);
    let casts = simulation.multicast.casts.iter().map(|cast| cast.start);
    let returns = simulation.dead.iter().map(|dead| dead.to);
    let relit = simulation.multicast.dead.iter().map(|dead| dead.to);
    let calms = simulation.storms.iter().map(|storm| storm.to);
    let ends = returns.chain(relit).chain(calms).filter(|&to| to < simulation.until);
    starts.chain(casts).chain(ends).max().unwrap_or(Instant::from_ps(0))
}

/// Length of a window: no packet arrives sooner after it starts, over any link or branch.
pub(crate) fn lookahead(simulation: &Simulation<'_>) -> Span {
    let wire = &simulation.params.wire;
    // What the other end waits for: at least this of a frame, or its header, which is longer.
    let least = wire.control.min(wire.pause).min(wire.header).min(HEADER.into());
    let bytes = u32::from(wire.preamble) + u32::from(least);
    let takes = simulation.wires().ways().map(|(rate, delay)| Pace::of(rate).time(bytes) + delay);
    takes.min().unwrap_or(simulation.network.shortest_delay())
}
