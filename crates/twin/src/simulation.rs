//! A checked simulation.

use std::ops::Deref;

use lightloom_units::Span;

use crate::check::{self, SetupError};
use crate::link::Pace;
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

/// Length of a window: no packet arrives sooner after it starts, over any link or branch.
pub(crate) fn lookahead(simulation: &Simulation<'_>) -> Span {
    let wire = &simulation.params.wire;
    // What the other end waits for: at least this of a frame, or its header, which is longer.
    let least = wire.control.min(wire.pause).min(wire.header).min(HEADER.into());
    let bytes = u32::from(wire.preamble) + u32::from(least);
    let takes = simulation.wires().ways().map(|(rate, delay)| Pace::of(rate).time(bytes) + delay);
    takes.min().unwrap_or(simulation.network.shortest_delay())
}
