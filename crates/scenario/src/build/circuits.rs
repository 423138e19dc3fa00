//! `[circuits]`: when the links between ToRs carry light. A rotor, or rows of circuits.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::params::{Params, RETH, Recovery};
use lightloom_twin::{CircuitHops, Circuits, Opening};
use lightloom_units::{DataSize, Span};

use crate::build::nodes::Nodes;
use crate::said::{CircuitRow, CircuitsRow, Place, Row as _};

/// The rows that say it.
#[derive(Debug, Clone, Default)]
pub(super) struct CircuitRows {
    schedule: Option<CircuitsRow>,
    listed: Vec<CircuitRow>,
}

/// The times at which a pair of ToRs has a circuit, within the period: from, until before, and the row.
type Times = BTreeMap<(usize, usize), Vec<(u64, u64, Place)>>;

impl CircuitRows {
    pub(super) fn set(&mut self, row: CircuitsRow) {
        self.schedule = Some(row);
    }

    pub(super) fn add(&mut self, row: CircuitRow) {
        self.listed.push(row);
    }

    /// The schedule. `None`: the links between switches are always there.
    pub(super) fn schedule(
        &self,
        nodes: &Nodes,
        params: &Params,
        patience: Span,
    ) -> Result<Option<Circuits>, InputError> {
        let place = CircuitsRow::place();
        let network = &nodes.network;
        let Some(switches) = network.circuits() else {
            return match (&self.schedule, self.listed.first()) {
                (None, None) => Ok(None),
                (Some(_), _) => Err(place.refuse("hops", NO_CORE)),
                (None, Some(_)) => Err(CircuitRow::place_of(0).refuse("from", NO_CORE)),
            };
        };
        let Some(row) = &self.schedule else {
            return Err(Place::ROOT.refuse("circuits", MISSING));
        };
        row.check(place)?;
        let core = Core { network, tors: network.switches(), switches: switches.into() };
        let guard = guard(row, &core, params)?;
        let (period, times) = match (row.slot, row.period) {
            (Some(slot), None) => {
                if !self.listed.is_empty() {
                    let message =
                        "is for a rotor, and there are rows of circuit; give period in its place";
                    return Err(place.refuse("slot", message));
                }
                rotor(row, slot, guard, &core)?
            }
            (None, Some(period)) => (period, self.listed(row, period, nodes, &core)?),
            (Some(_), Some(_)) => {
                return Err(
                    place.refuse("period", "is given together with slot; give one of the two")
                );
            }
            (None, None) => return Err(place.missing("slot", "\"100 us\"")),
        };
        if patience <= period {
            let message = format!(
                "found {patience}; packets wait for their circuits for up to {period}, and would be taken for a \
                 standstill; give more"
            );
            return Err(Place::ROOT.refuse("patience", message));
        }
        let openings = core.openings(times, period, guard)?;
        let hops = row.hops.unwrap_or(CircuitHops::Direct);
        Ok(Some(Circuits { period, openings, hops }))
    }

    /// The times of listed circuits.
    fn listed(
        &self,
        row: &CircuitsRow,
        period: Span,
        nodes: &Nodes,
        core: &Core<'_>,
    ) -> Result<Times, InputError> {
        if row.reconfiguration.is_some() {
            let message = "is for a rotor; rows of circuit say when each is there";
            return Err(CircuitsRow::place().refuse("reconfiguration", message));
        }
        let mut times = Times::new();
        for (number, row) in self.listed.iter().enumerate() {
            let place = CircuitRow::place_of(number);
            row.check(place)?;
            let tor = |field, said: &Option<_>| -> Result<usize, InputError> {
                let said = said.as_ref().ok_or_else(|| place.missing(field, "\"ToR 0\""))?;
                let node = nodes.node(place, field, said)?;
                node.index().checked_sub(core.network.hosts()).ok_or_else(|| {
                    let name = core.network.name(node);
                    place.refuse(field, format!("found the host {name:?}; circuits join ToRs"))
                })
            };
            let (from, to) = (tor("from", &row.from)?, tor("to", &row.to)?);
            if from == to {
                return Err(place.refuse("to", "is the same ToR as from; name another one"));
            }
            let begins = row.begins.unwrap_or(Span::ZERO);
            let ends = row.ends.unwrap_or(period);
            if ends > period {
                return Err(
                    place.refuse("ends", format!("found {ends}, after the period of {period}"))
                );
            }
            if begins >= ends {
                return Err(
                    place.refuse("begins", format!("found {begins}, not before its end at {ends}"))
                );
            }
            let mut enter = |pair| {
                times.entry(pair).or_default().push((begins.as_ps(), ends.as_ps(), place));
            };
            enter((from, to));
            if !row.one_way.unwrap_or(false) {
                enter((to, from));
            }
        }
        core.check_ports(&times)?;
        Ok(times)
    }
}

const NO_CORE: &str =
    "is for a network of circuits; give kind = \"circuits\", or circuit_switches for a design";
const MISSING: &str =
    "is missing: the network has circuits; give [circuits] with slot = \"100 us\"";

/// Which way a circuit of a ToR goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Out,
    In,
}

/// When a circuit begins, or ends, and its row.
type Turn = (u64, bool, Place);

/// A core of circuit switches.
struct Core<'a> {
    network: &'a Network,
    tors: usize,
    switches: usize,
}

/// The time before the end of a circuit in which no frame begins.
fn guard(row: &CircuitsRow, core: &Core<'_>, params: &Params) -> Result<Span, InputError> {
    let wire = &params.wire;
    let data = u64::from(wire.mtu) + u64::from(wire.header) + u64::from(RETH);
    let longest = data.max(wire.control.into()).max(wire.pause.into());
    let bytes = u64::from(wire.preamble) + longest + u64::from(wire.gap);
    let tor = NodeId::at(core.network.hosts());
    let ports = core.network.ports(tor).iter().enumerate();
    let rate = ports
        .filter(|(port, _)| core.network.is_circuit(tor, *port))
        .map(|(_, port)| port.rate)
        .min();
    let frame = rate.and_then(|rate| DataSize::from_bytes(bytes).serialization_time(rate));
    let frame = frame.unwrap_or(Span::ZERO);
    match row.guard {
        Some(said) if said < frame => {
            let message =
                format!("found {said}; the longest frame takes {frame}, and would be cut");
            Err(CircuitsRow::place().refuse("guard", message))
        }
        said => Ok(said.unwrap_or(frame)),
    }
}

/// A rotor: in slot s, circuit switch q joins ToR i to ToR i + 1 + q + s u, with u circuit switches.
fn rotor(
    row: &CircuitsRow,
    slot: Span,
    guard: Span,
    core: &Core<'_>,
) -> Result<(Span, Times), InputError> {
    let place = CircuitsRow::place();
    let dark = row.reconfiguration.unwrap_or(Span::ZERO);
    let (tors, slots) = (core.tors, (core.tors - 1).div_ceil(core.switches));
    let period = slot.as_ps().checked_mul(slots as u64).map(Span::from_ps);
    let period = period.filter(|&period| period <= crate::said::limits::LONGEST_SPAN);
    let Some(period) = period else {
        return Err(place.refuse("slot", format!("found {slot}; {slots} of them are too long")));
    };
    if slots > 1 && dark + guard >= slot {
        let message = format!(
            "found {slot}; {dark} of it are dark, and no frame begins in the last {guard}, so that none would go out"
        );
        return Err(place.refuse("slot", message));
    }
    let mut times = Times::new();
    for (from, shift) in (0..tors).flat_map(|from| (1..tors).map(move |shift| (from, shift))) {
        let begins = slot.as_ps() * ((shift - 1) / core.switches) as u64;
        // A switch with one setting is never set again.
        let lit = if slots > 1 {
            (begins + dark.as_ps(), begins + slot.as_ps())
        } else {
            (0, slot.as_ps())
        };
        times.insert((from, (from + shift) % tors), vec![(lit.0, lit.1, place)]);
    }
    Ok((period, times))
}

impl Core<'_> {
    /// Checks that no pair has two circuits at a time, and that no ToR has more than circuit switches, each way.
    fn check_ports(&self, times: &Times) -> Result<(), InputError> {
        let mut ends: BTreeMap<(usize, Way), Vec<Turn>> = BTreeMap::new();
        for (&(from, to), all) in times {
            let mut sorted: Vec<_> = all.iter().collect();
            sorted.sort_by_key(|time| (time.0, time.1));
            if let Some(pair) = sorted.windows(2).find(|pair| pair[1].0 < pair[0].1) {
                let message = "is a circuit between two ToRs that have one at that time already";
                return Err(pair[1].2.refuse("begins", message));
            }
            for &(begins, ends_at, place) in all {
                for end in [(from, Way::Out), (to, Way::In)] {
                    let of_tor = ends.entry(end).or_default();
                    // What ends at a time makes room for what begins then.
                    of_tor.extend([(begins, true, place), (ends_at, false, place)]);
                }
            }
        }
        ends.into_iter().try_for_each(|(end, turns)| self.check_end(end, turns))
    }

    /// Checks that a ToR has no more circuits at a time than circuit switches, one way.
    fn check_end(&self, (tor, way): (usize, Way), mut turns: Vec<Turn>) -> Result<(), InputError> {
        turns.sort_by_key(|&(at, begins, _)| (at, begins));
        let mut now = 0_usize;
        for (_, begins, place) in turns {
            now = if begins { now + 1 } else { now - 1 };
            if now > self.switches {
                let name = self.network.name(NodeId::at(self.network.hosts() + tor));
                let does = match way {
                    Way::Out => "sends into",
                    Way::In => "receives from",
                };
                let message = format!(
                    "is one circuit too many: {name} {does} {now} at a time, and the network has {} circuit switches",
                    self.switches
                );
                return Err(place.refuse("begins", message));
            }
        }
        Ok(())
    }

    /// When each ToR may begin frames to each other one.
    fn openings(
        &self,
        mut times: Times,
        period: Span,
        guard: Span,
    ) -> Result<Vec<Opening>, InputError> {
        let hosts = self.network.hosts();
        let mut openings = Vec::with_capacity(self.tors * self.tors.saturating_sub(1));
        for from in 0..self.tors {
            let node = NodeId::at(hosts + from);
            let ports = self.network.ports(node).iter().enumerate();
            for (port, link) in ports.filter(|(port, _)| self.network.is_circuit(node, *port)) {
                let to = link.peer.index() - hosts;
                let names = || [node, link.peer].map(|node| self.network.name(node));
                let Some(own) = times.remove(&(from, to)) else {
                    let [from, to] = names();
                    let message =
                        format!("is missing for {from} to {to}: packets would wait for ever");
                    return Err(Place::ROOT.refuse("circuit", message));
                };
                let place = own.first().map_or(CircuitsRow::place(), |time| time.2);
                let times = guarded(own, period.as_ps(), guard.as_ps());
                if times.is_empty() {
                    let [from, to] = names();
                    let message = format!(
                        "of {from} to {to} is no longer than {guard}, in which no frame begins: none would go out"
                    );
                    let field = if place == CircuitsRow::place() { "slot" } else { "ends" };
                    return Err(place.refuse(field, message));
                }
                // A port has 16 bits.
                let port = u16::try_from(port).unwrap_or(u16::MAX);
                openings.push(Opening { from: node, port, times });
            }
        }
        Ok(openings)
    }
}

/// When frames may begin: circuits that follow each other at once are one, and no frame begins in the guard time before
/// the end of one.
fn guarded(mut times: Vec<(u64, u64, Place)>, period: u64, guard: u64) -> Vec<(Span, Span)> {
    times.sort_by_key(|time| time.0);
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (begins, ends, _) in times {
        match merged.last_mut() {
            Some(last) if last.1 == begins => last.1 = ends,
            _ => merged.push((begins, ends)),
        }
    }
    // The last one goes on in the next period where the first one begins with it.
    let goes_on = merged.first().is_some_and(|first| first.0 == 0)
        && merged.last().is_some_and(|last| last.1 == period);
    let count = merged.len();
    let cut = |(number, (begins, ends)): (usize, (u64, u64))| {
        let stays = goes_on && number + 1 == count;
        let ends = if stays { ends } else { ends.saturating_sub(guard) };
        (begins < ends).then(|| (Span::from_ps(begins), Span::from_ps(ends)))
    };
    merged.into_iter().enumerate().filter_map(cut).collect()
}

/// Warnings about circuits: transports that take packets that pass each other for lost ones, and timeouts that end
/// before a circuit is there again.
pub(super) fn warnings(circuits: Option<&Circuits>, params: &Params) -> Vec<String> {
    let Some(circuits) = circuits else { return Vec::new() };
    let mut found = Vec::new();
    let recovery = &params.transport.recovery;
    if circuits.hops == CircuitHops::Two && matches!(recovery, Recovery::GoBackN) {
        found.push(
            "packets that take two circuits pass each other, and go-back-n takes that for losses; give \
             [parameters.transport] recovery = \"selective-repeat\", or hops = \"direct\""
                .to_owned(),
        );
    }
    let timeout = params.transport.timeout;
    if timeout < circuits.period {
        found.push(format!(
            "a packet can wait for its circuit for up to {}, and [parameters.transport] timeout = \"{timeout}\" ends \
             before that: packets are repeated that only wait; give a longer one",
            circuits.period
        ));
    }
    found
}
