//! Datagrams to groups: unreliable, at line rate, without any answer.
//!
//! A host has one such endpoint for each group that it sends to or is a member of.

use std::collections::BTreeMap;

use lightloom_setup::params::Params;
use lightloom_setup::{Cast, Service};
use lightloom_topology::electrical::NodeId;
use lightloom_transport::messages::Waiter;
use lightloom_transport::receiver::Application;
use lightloom_units::{Instant, Span};

use super::applicant::{Applicant, Applications, Heard, Wanted, slower};
use super::desk::Desk;
use super::transport::{Arrived, Event, Handed, Hosts, Open, Transport};
use crate::outcome::{Outcome, ReceiverOutcome};
use crate::packet::{Class, Dest, Ecn, FlowId, GroupId, Kind, Life, Packet, Psn};
use crate::random::entropy;
use crate::simulation::Simulation;

/// The endpoint of a group at a host.
#[derive(Debug)]
pub(crate) struct Datagrams {
    group: Dest,
    /// What the host sends to the group, in order.
    out: Vec<OutCast>,
    /// The first message that is not all out.
    at: usize,
    eligible: Instant,
    /// What the host receives as a member: all messages to the group; empty where it is none.
    into: Vec<InCast>,
    /// Where its messages must be admitted.
    applicant: Option<Box<Applicant>>,
}

/// A message to the group.
#[derive(Debug)]
struct OutCast {
    flow: FlowId,
    /// Its place among the messages to the group.
    place: u32,
    bytes: u64,
    packets: u64,
    class: Class,
    entropy: u16,
    asked: Option<Instant>,
    ready: Instant,
    /// From when its group may be sent to.
    opens: Instant,
    /// Messages that it waits for.
    missing: u32,
    sent: u64,
    /// Bytes of those packets, without preamble and gap.
    sent_bytes: u64,
    /// Time from the begin of its last packet until all copies have arrived, where it must be admitted.
    drain: Span,
}

impl OutCast {
    /// A message, by its place among those to the group, with its bytes and packets.
    fn new(
        flow: FlowId,
        place: u32,
        (bytes, packets): (u64, u64),
        class: Class,
        entropy: u16,
    ) -> Self {
        let (asked, missing, sent, sent_bytes) = (None, 0, 0, 0);
        let (ready, opens, drain) = (Instant::ZERO, Instant::ZERO, Span::ZERO);
        Self {
            flow,
            place,
            bytes,
            packets,
            class,
            entropy,
            asked,
            ready,
            opens,
            missing,
            sent,
            sent_bytes,
            drain,
        }
    }

    /// The same message, which waits for `missing` others and then for the time `earliest`.
    fn waits_for(self, missing: usize, earliest: Instant) -> Self {
        Self { missing: u32::try_from(missing).unwrap_or(u32::MAX), ready: earliest, ..self }
    }
}

/// A message to the group as a member receives it.
#[derive(Debug)]
struct InCast {
    flow: FlowId,
    bytes: u64,
    packets: u64,
    /// Packets that arrived, copies included.
    delivered: u64,
    /// Their bytes, without preamble and gap.
    delivered_bytes: u64,
    /// Of those, packets that had arrived before.
    copies: u64,
    /// Payload that has arrived, in bytes.
    had: u64,
    /// When the last of it has.
    last: Option<Instant>,
    /// When the application had all of it.
    done: Option<Instant>,
    /// Messages of the same host that wait for it.
    then: Vec<Waiter>,
    /// Payload that has arrived, by interval, where that is recorded.
    goodput: Vec<u64>,
    /// A bit for each packet that has arrived.
    arrived: Vec<u64>,
}

impl InCast {
    fn new(flow: FlowId, bytes: u64, packets: u64) -> Self {
        let words = usize::try_from(packets.div_ceil(u64::BITS.into())).unwrap_or(0);
        let (then, goodput, arrived) = (Vec::new(), Vec::new(), vec![0; words]);
        let (delivered, delivered_bytes, copies, had) = (0, 0, 0, 0);
        let (last, done) = (None, None);
        Self {
            flow,
            bytes,
            packets,
            delivered,
            delivered_bytes,
            copies,
            had,
            last,
            done,
            then,
            goodput,
            arrived,
        }
    }

    /// Notes that a packet of `bytes` bytes has arrived. Returns whether it is the first copy.
    fn is_new(&mut self, packet: u32, bytes: u16) -> Option<bool> {
        let (word, bit) = (packet / u64::BITS, 1 << (packet % u64::BITS));
        let word = self.arrived.get_mut(word as usize)?;
        let is_new = *word & bit == 0;
        *word |= bit;
        self.delivered += 1;
        self.delivered_bytes += u64::from(bytes);
        self.copies += u64::from(!is_new);
        Some(is_new)
    }
}

impl Datagrams {
    fn new(group: Dest) -> Self {
        let eligible = Instant::from_ps(0);
        Self { group, out: Vec::new(), at: 0, eligible, into: Vec::new(), applicant: None }
    }

    /// One of the messages that a message waits for has arrived. After the last, the earliest time at which it is asked
    /// for.
    fn one_less(&mut self, place: u32) -> Option<Instant> {
        let message = self.out.get_mut(place as usize)?;
        message.missing = message.missing.checked_sub(1)?;
        (message.missing == 0).then_some(message.ready)
    }
}

/// Payload of a packet of a message.
fn payload(bytes: u64, packet: u64, mtu: u16) -> u64 {
    bytes.saturating_sub(packet * u64::from(mtu)).min(mtu.into())
}

impl Transport for Datagrams {
    fn arrive(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Arrived {
        if packet.kind != Kind::Data {
            let Some(applicant) = &mut self.applicant else { return Arrived::Stray };
            if let Heard::Granted(_) = applicant.heard(now, packet, desk) {
                desk.progress = now;
            }
            return Arrived::Sending;
        }
        let message = self.into.get_mut(packet.seen.get() as usize);
        let Some(message) = message else { return Arrived::Stray };
        let number = packet.psn.get();
        let Some(is_new) = message.is_new(number, packet.bytes) else { return Arrived::Stray };
        if is_new {
            let payload = payload(message.bytes, number.into(), desk.params.wire.mtu);
            message.had += payload;
            message.last = Some(now);
            desk.deliver(now, payload, &mut message.goodput);
            if message.delivered - message.copies == message.packets {
                let takes = desk.params.stack.to_receive(message.bytes, desk.params.wire.mtu);
                message.done = Some(now + takes);
                desk.handed.append(&mut message.then);
                return Arrived::Complete;
            }
        }
        Arrived::Noted
    }

    fn next(&mut self, _: &Desk<'_>) -> Option<Instant> {
        let message = self.out.get(self.at).filter(|message| message.asked.is_some())?;
        if let Some(applicant) = &self.applicant {
            let (wanted, _) = applicant.holds()?;
            (wanted.message as usize == self.at).then_some(())?;
        }
        Some(self.eligible.max(message.ready))
    }

    fn take(&mut self, now: Instant, desk: &mut Desk<'_>) -> Packet {
        let wire = &desk.params.wire;
        let message = self.out.get_mut(self.at).expect("only what sends has a next packet");
        let number = message.sent;
        let payload = payload(message.bytes, number, wire.mtu);
        let bytes = u16::try_from(payload + u64::from(wire.header)).unwrap_or(u16::MAX);
        let packet = Packet {
            to: self.group,
            qp: desk.host.0,
            psn: Psn::of(Psn::new(0), number),
            seen: Psn::new(message.place),
            bytes,
            entropy: message.entropy,
            port: 0,
            kind: Kind::Data,
            ecn: Ecn::Not,
            class: message.class,
            life: Life::default(),
        };
        message.sent += 1;
        message.sent_bytes += u64::from(bytes);
        let on_wire = u32::from(wire.preamble) + u32::from(bytes) + u32::from(wire.gap);
        let admitted = self.applicant.as_ref().and_then(|applicant| applicant.holds());
        let pace = admitted.map(|(_, pace)| pace);
        self.eligible = now + slower(desk.pace.time(on_wire), pace, on_wire);
        if message.sent == message.packets {
            self.at += 1;
            if let Some(applicant) = &mut self.applicant {
                applicant.over(now + message.drain, now, desk);
            }
        }
        desk.progress = now;
        packet
    }

    fn timer(&self) -> Option<Instant> {
        self.applicant.as_ref()?.deadline()
    }

    fn fire(&mut self, now: Instant, desk: &mut Desk<'_>) {
        if let Some(applicant) = &mut self.applicant {
            applicant.fire(now, desk);
        }
    }

    fn ask(&mut self, message: u32, _: Instant, (at, takes): (Instant, Span), _: &Desk<'_>) {
        if let Some(out) = self.out.get_mut(message as usize) {
            (out.asked, out.ready) = (Some(at), at.max(out.opens) + takes);
            if let Some(applicant) = &mut self.applicant {
                applicant.may_begin(message, (at, out.ready));
            }
        }
    }

    fn handed(&mut self, message: u32, _: Instant, _: &mut Desk<'_>) -> Handed {
        let bytes = self.out.get(message as usize).map_or(0, |message| message.bytes);
        self.one_less(message).map_or(Handed::Noted, |earliest| Handed::Ask(earliest, bytes))
    }

    fn completed(&self) -> usize {
        self.into.iter().filter(|message| message.done.is_some()).count()
    }

    fn owner(&self, kind: Kind, message: u32) -> Option<FlowId> {
        let message = self.into.get(message as usize).filter(|_| kind == Kind::Data)?;
        Some(message.flow)
    }

    fn group(&self) -> Option<GroupId> {
        self.group.as_group()
    }

    fn sends(&self, message: FlowId) -> Option<u32> {
        let place = self.out.iter().position(|sent| sent.flow == message)?;
        u32::try_from(place).ok()
    }

    fn receives(&self, message: FlowId) -> Option<u32> {
        let place = self.into.iter().position(|came| came.flow == message)?;
        u32::try_from(place).ok()
    }

    /// Nothing acknowledges datagrams.
    fn then(&mut self, event: Event, waiter: Waiter) -> bool {
        let Event::Arrived(place) = event else { return false };
        let message = self.into.get_mut(place as usize);
        message.map(|message| message.then.push(waiter)).is_some()
    }

    fn apply_for(&mut self, applications: &mut Applications<'_>) -> bool {
        let mut applicant = applications.applicant();
        let drain = applications.drain(self.group.as_group());
        let mut is_any = false;
        for (out, message) in self.out.iter_mut().zip(0..) {
            let Some(cast) = applications.message(out.flow) else { continue };
            let at = out.asked.unwrap_or(out.ready);
            let at = if out.missing > 0 { Instant::NEVER } else { at };
            applicant.want(Wanted { cast, message, at, ready: out.ready });
            (out.drain, is_any) = (drain, true);
        }
        self.applicant = is_any.then_some(applicant);
        true
    }

    fn report(&self, host: NodeId, params: &Params, outcome: &mut Outcome) {
        if let Some(applicant) = &self.applicant {
            applicant.report(outcome);
        }
        for message in &self.out {
            let flow = outcome.of(message.flow);
            (flow.asked, flow.sent) = (message.asked, message.sent);
            (flow.bytes.first, flow.bytes.sent) = (message.sent_bytes, message.sent_bytes);
            let headers = message.packets * u64::from(params.wire.header);
            flow.bytes.asked = message.bytes + headers;
        }
        for message in &self.into {
            let got = ReceiverOutcome {
                host,
                received: message.done,
                delivered: message.delivered,
                delivered_bytes: message.delivered_bytes,
                spurious: message.copies,
                in_order: message.had,
                last: message.last,
                causes: None,
            };
            outcome.add_receiver(message.flow, got, &message.goodput);
        }
    }
}

impl Open for Datagrams {
    type Opens = Self;

    /// An endpoint for each group of datagrams at each host that sends to it or is a member.
    fn open(simulation: &Simulation<'_>, hosts: &mut impl Hosts<Self>) {
        let setup = simulation.setup();
        let first = u32::try_from(setup.flows.len()).unwrap_or(u32::MAX);
        // Messages to each group so far.
        let mut places: BTreeMap<GroupId, u32> = BTreeMap::new();
        for number in setup.multicast.in_turn() {
            let (flow, cast) = (FlowId(first + number), &setup.multicast.casts[number as usize]);
            let group = &setup.multicast.groups[cast.to.0 as usize];
            if group.service != Service::Datagrams {
                continue;
            }
            let place = places.entry(cast.to).or_default();
            let bytes = cast.size.as_bytes();
            let packets = bytes.div_ceil(setup.params.wire.mtu.into()).max(1);
            for &member in &group.members {
                let number = listening(hosts, member, cast);
                hosts.endpoint(member, number).into.push(InCast::new(flow, bytes, packets));
            }
            let entropy = entropy(setup.seed, flow.0);
            let mut message = OutCast::new(flow, *place, (bytes, packets), cast.class, entropy);
            if let Some(&opens) = setup.multicast.opens.get(&cast.to) {
                message.opens = opens;
            }
            let number = listening(hosts, cast.from, cast);
            let out = &mut hosts.endpoint(cast.from, number).out;
            out.push(message.waits_for(cast.after.len(), cast.start));
            let message = u32::try_from(out.len() - 1).unwrap_or(u32::MAX);
            if cast.after.is_empty() {
                hosts.ask(cast.from, Waiter { endpoint: number, message }, (cast.start, bytes));
            }
            *place += 1;
        }
    }
}

/// The endpoint of the group of a message at a host, opened where there is none yet.
fn listening(hosts: &mut impl Hosts<Datagrams>, at: NodeId, cast: &Cast) -> u32 {
    if let Some(number) = hosts.listens(at, cast.to) {
        return number;
    }
    let number = hosts.open(at, Datagrams::new(Dest::group(cast.to)), cast.class);
    hosts.listen(at, cast.to, number);
    number
}
