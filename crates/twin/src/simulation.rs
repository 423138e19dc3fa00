//! A checked simulation.

use std::ops::Deref;

use lightloom_setup::Setup;
use lightloom_setup::params::{Forwarding, HEADER};
use lightloom_topology::electrical::NodeId;
use lightloom_transport::admission::Demands;
use lightloom_units::{BitRate, Instant, Span};

use crate::check::{self, SetupError};
use crate::demands::demands;
use crate::link::Pace;
use crate::packet::Kind;
use crate::wires::{Place, Source, Wires};

/// A setup that can be run: all that it names exists, and no sum of its times leaves the clock.
#[derive(Debug, Clone)]
pub struct Simulation<'a> {
    setup: Setup<'a>,
    wires: Wires<'a>,
    /// Receiving ports whose arrivals are recorded though not all are.
    watched: Vec<Place>,
    /// Whether answers of reliable groups are checked.
    checks_answers: bool,
    /// Whether copies of messages to groups are counted by link and branch.
    counts_copies: bool,
    /// The most arrivals, and the most drops, of a recording with both.
    records: Option<usize>,
}

/// One way between two nodes: one direction of a link, or a branch of a splitter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Way {
    /// The node that transmits.
    pub from: NodeId,
    /// Its port.
    pub out: u16,
    /// The node that receives.
    pub to: NodeId,
    /// Its port, as [`Hop::port`](crate::Hop::port) numbers receiving ports.
    pub port: u16,
    /// The splitter, by its place in [`Multicast::splitters`](crate::Multicast::splitters); none of a link.
    pub splitter: Option<u32>,
}

impl<'a> Simulation<'a> {
    /// Checks a setup.
    ///
    /// # Errors
    /// [`SetupError`] says what does not fit together, by its place in the setup.
    pub fn new(setup: Setup<'a>) -> Result<Self, SetupError> {
        let wires = check::check(&setup)?;
        let (watched, checks_answers, counts_copies) = (Vec::new(), false, false);
        Ok(Self { setup, wires, watched, checks_answers, counts_copies, records: None })
    }

    /// What was checked.
    pub fn setup(&self) -> &Setup<'a> {
        &self.setup
    }

    /// The ways that end at a node, by receiving port.
    ///
    /// # Panics
    /// If the node is not in the network.
    pub fn ways_into(&self, to: NodeId) -> impl Iterator<Item = Way> {
        (0..self.wires.receivers(to)).map(move |port| self.way_into((to, port)))
    }

    /// The way that ends at a receiving port.
    pub(crate) fn way_into(&self, (to, port): Place) -> Way {
        match self.wires.source((to, port)) {
            Source::Link((from, out)) => Way { from, out, to, port, splitter: None },
            Source::Branch { splitter, .. } => {
                let (from, out) = self.wires.transmitter(splitter);
                Way { from, out, to, port, splitter: Some(splitter) }
            }
        }
    }

    /// The line rate of a way.
    ///
    /// # Panics
    /// If the way is not one of this simulation.
    pub fn rate(&self, way: &Way) -> BitRate {
        self.wires.rate_out((way.from, way.out))
    }

    /// Records what arrives over a way, in [`Outcome::trace`](crate::Outcome::trace). Where nothing is watched and
    /// [`Setup::traced`] is off, nothing is recorded.
    pub fn watch(&mut self, way: &Way) {
        let place = (way.to, way.port);
        if way.to.index() < self.setup.network.nodes() && !self.watched.contains(&place) {
            self.watched.push(place);
        }
    }

    /// Holds every answer to a sender of a reliable group against the receivers that it speaks for, in
    /// [`Outcome::answers`](crate::Outcome::answers). Each receiver notes when its packets arrived, so memory grows
    /// with packets times receivers.
    pub fn check_answers(&mut self) {
        self.checks_answers = true;
    }

    /// What each message to a group uses of transmitters that other messages use, as admission sees it; nothing where
    /// the message lights no splitter.
    pub fn demands(&self) -> Demands {
        demands(&self.setup, &self.wires)
    }

    /// Whether answers of reliable groups are checked.
    pub(crate) fn checks_answers(&self) -> bool {
        self.checks_answers
    }

    /// Counts the copies of each message to a group over each link and each branch, in
    /// [`Outcome::copies`](crate::Outcome::copies). Every arrival of data is looked up, so the run is slower, and
    /// memory grows with messages and flows times the links that they cross.
    pub fn count_copies(&mut self) {
        self.counts_copies = true;
    }

    /// Records every arrival and every drop, in [`Outcome::trace`](crate::Outcome::trace) and
    /// [`Outcome::dropped`](crate::Outcome::dropped), until there are more than `most` of either. The recording is
    /// whole up to that time, and [`Outcome::cut`](crate::Outcome::cut) names it. With [`Setup::traced`] it has
    /// everything.
    pub fn record(&mut self, most: usize) {
        self.records = Some(most);
    }

    /// The time at which the first bit of a packet left its transmitter. The packet is of this kind and
    /// has `bytes`, and arrived at this receiving port at `at`, when the node acts on it.
    ///
    /// # Panics
    /// If the port is not one of this simulation.
    pub fn left(
        &self,
        (node, port): (NodeId, u16),
        (kind, bytes): (Kind, u16),
        at: Instant,
    ) -> Instant {
        let place = (node, port);
        let wire = &self.params.wire;
        let is_switch = !self.network.is_host(node);
        let cuts_through = is_switch && self.params.switch.forwarding == Forwarding::CutThrough;
        let needed = if cuts_through { bytes.min(HEADER.into()) } else { bytes };
        let through = if is_switch { self.params.switch.latency } else { Span::ZERO };
        let on_wire =
            Pace::of(self.wires.rate_in(place)).time(u32::from(wire.preamble) + u32::from(needed));
        let response = match kind {
            Kind::Pause => self.params.switch.pause_response,
            _ => Span::ZERO,
        };
        let takes = on_wire + self.wires.delay_in(place) + through + response;
        Instant::from_ps(at.as_ps().saturating_sub(takes.as_ps()))
    }

    /// The most arrivals of a recording with drops.
    pub(crate) fn records(&self) -> Option<usize> {
        self.records
    }

    /// Whether copies are counted.
    pub(crate) fn counts_copies(&self) -> bool {
        self.counts_copies
    }

    /// The receiving ports that are watched.
    pub(crate) fn watched(&self) -> &[Place] {
        &self.watched
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
