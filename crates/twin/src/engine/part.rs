//! A part of the network: nodes that run together, on one thread at a time.

use lightloom_units::Instant;

use super::agenda::Agenda;
use super::mailbox::{Arrival, Mail, Window};
use super::recording::{Full, Recording};
use crate::drops::Drop;
use crate::overflow::FatalOverflow;
use crate::packet::Kind;
use crate::sample::Sample;

/// Where a node lives: its part, and its place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) local: u32,
    pub(crate) part: u16,
}

/// What runs: a host or a switch.
pub(crate) trait Node {
    /// These packets arrive in this window, and it runs soon: it finds out where each goes, and has the
    /// memory that they will touch brought into the cache.
    fn prepare(&mut self, arrivals: &[Arrival]);
    /// A packet arrives on a port; `place` is its place among those that were prepared.
    fn arrive(&mut self, now: Instant, place: usize, arrival: &Arrival, out: &mut Out<'_>);
    /// The time of the next timer.
    fn next_timer(&self) -> Option<Instant>;
    /// That timer fires.
    fn fire(&mut self, now: Instant, out: &mut Out<'_>);
    /// When it last got something done.
    fn progress(&self) -> Instant;
    /// Adds what it has done so far.
    fn sample(&self, _sample: &mut Sample) {}
    /// Whether the way of an arrival was dead then, so that the node did not have it.
    fn is_lost(&self, _arrival: &Arrival) -> bool {
        false
    }
    /// Hands out the drops since the last time, where they are recorded.
    fn take_drops(&mut self, _to: &mut dyn FnMut(Drop)) {}
}

/// Where a node's packets go, and what ends the run.
pub(crate) struct Out<'a> {
    /// Of the parts from this number on; what goes to others is sent as a letter.
    inboxes: &'a mut [Inbox],
    first: u16,
    others: &'a mut Others,
    window: Window,
    pub(crate) fatal: &'a mut Option<FatalOverflow>,
    data_hops: &'a mut u64,
}

impl Out<'_> {
    /// Sends a packet; it arrives in a later window.
    #[inline(always)]
    pub(crate) fn send(&mut self, to: Address, arrival: Arrival) {
        debug_assert!(arrival.at >= self.window.end(), "no link is faster than the window");
        // A number below the first wraps around to a large one, which is no place either: one comparison in place of
        // two.
        let place = usize::from(to.part.wrapping_sub(self.first));
        if let Some(inbox) = self.inboxes.get_mut(place) {
            inbox.put(to.local as usize, &self.window, arrival);
        } else {
            self.others.first = self.others.first.min(arrival.at);
            self.others.sent[usize::from(to.part)].push((to.local, arrival));
        }
    }

    /// Counts a packet that goes out on a link, or its copies on branches.
    #[inline(always)]
    pub(crate) fn count(&mut self, kind: Kind, copies: u64) {
        *self.data_hops += u64::from(kind == Kind::Data) * copies;
    }

    /// Notes an overflow that ends the run; the earliest counts.
    pub(crate) fn fail(&mut self, overflow: FatalOverflow) {
        if self.fatal.as_ref().is_none_or(|first| overflow.order() < first.order()) {
            *self.fatal = Some(overflow);
        }
    }
}

/// What arrives at the nodes of a part, and when they have something to do.
#[derive(Default)]
pub(crate) struct Inbox {
    mail: Mail,
    agenda: Agenda,
}

impl Inbox {
    #[inline(always)]
    fn put(&mut self, local: usize, window: &Window, arrival: Arrival) {
        self.mail.put(local, window, arrival);
        self.agenda.add(local, arrival.at);
    }
}

/// What goes to nodes of other parts.
pub(crate) struct Others {
    /// Receivers and packets, by part.
    pub(crate) sent: Vec<Vec<(u32, Arrival)>>,
    /// When the first of them arrives.
    pub(crate) first: Instant,
}

/// Nodes that run together. No two parts share a cache line, nor a pair of lines that is fetched
/// together.
#[repr(align(128))]
pub(crate) struct Part<N> {
    pub(crate) nodes: Vec<N>,
    inbox: Inbox,
    pub(crate) others: Others,
    number: u16,
    order: Vec<u64>,
    /// The nodes that have something to do in the window.
    due: Vec<usize>,
    pub(crate) fatal: Option<FatalOverflow>,
    /// Arrivals and timers so far.
    pub(crate) events: u64,
    /// Data packets put on links so far.
    pub(crate) data_hops: u64,
    /// When a node last got something done.
    pub(crate) progress: Instant,
    /// What has arrived, where it is recorded.
    pub(crate) recording: Option<Recording>,
    /// What was not recorded any more when the window began.
    full: Full,
}

impl<N: Node> Part<N> {
    /// Nodes of a part, at which most arrives within `usual` windows.
    pub(crate) fn new(number: u16, parts: usize, nodes: Vec<N>, usual: u64) -> Self {
        let timers = nodes.iter().map(|node| node.next_timer().unwrap_or(Instant::NEVER));
        let agenda = Agenda::new(timers.collect());
        let inbox = Inbox { mail: Mail::new(nodes.len(), usual), agenda };
        let others =
            Others { sent: (0..parts).map(|_| Vec::new()).collect(), first: Instant::NEVER };
        let (order, due) = (Vec::new(), Vec::new());
        let (progress, recording, full) = (Instant::from_ps(0), None, Full::default());
        let (fatal, events, data_hops) = (None, 0, 0);
        Self {
            nodes,
            inbox,
            others,
            number,
            order,
            due,
            fatal,
            events,
            data_hops,
            progress,
            recording,
            full,
        }
    }

    /// A time that nothing waits before; [`Instant::NEVER`] where nothing waits.
    pub(crate) fn next(&self) -> Instant {
        self.inbox.agenda.next().min(self.inbox.mail.next_far().unwrap_or(Instant::NEVER))
    }

    /// Takes what another part has sent.
    pub(crate) fn receive(&mut self, window: &Window, sent: &mut Vec<(u32, Arrival)>) {
        for (local, arrival) in sent.drain(..) {
            self.inbox.put(local as usize, window, arrival);
        }
    }

    /// Runs every node that has something to do in a window, before `until`.
    pub(crate) fn run(&mut self, window: Window, until: Instant) {
        // The inbox leaves the part while it runs, so that a node may be borrowed and the mail of its neighbours
        // written.
        let mut inbox = [std::mem::take(&mut self.inbox)];
        self.run_with(&mut inbox, self.number, window, until);
        [self.inbox] = inbox;
    }

    /// The same for all parts, from number 0 on: what one sends to another is put where it arrives, and
    /// no letter is written.
    pub(crate) fn run_all(parts: &mut [&mut Self], window: Window, until: Instant) {
        let take = |part: &mut &mut Self| std::mem::take(&mut part.inbox);
        let mut inboxes: Vec<Inbox> = parts.iter_mut().map(take).collect();
        for part in parts.iter_mut() {
            part.run_with(&mut inboxes, 0, window, until);
        }
        for (part, inbox) in parts.iter_mut().zip(inboxes) {
            part.inbox = inbox;
        }
    }

    /// Runs a window with the inboxes of parts from number `first` on, among them this part's.
    fn run_with(&mut self, inboxes: &mut [Inbox], first: u16, window: Window, until: Instant) {
        let end = window.end().min(until);
        self.full = self.recording.as_ref().map_or(Full::default(), Recording::is_full);
        let own = usize::from(self.number - first);
        let inbox = &mut inboxes[own];
        // The ring of windows has moved on: what lay beyond it may now have a place in it.
        while let Some((local, arrival)) = inbox.mail.take_far(&window) {
            inbox.put(local, &window, arrival);
        }
        let mut due = std::mem::take(&mut self.due);
        // Nodes are taken in the order of memory. Nothing that one does in this window reaches another before the next,
        // so any order gives the same bytes, and this one is the kindest to the cache.
        inbox.agenda.take(end, &mut due);
        // In step: the arrivals of one node come into the cache, the next node is prepared, the one
        // before it runs.
        let mut prepared: Option<(usize, Vec<Arrival>)> = None;
        // A pipeline of three stages over the nodes that are due. One round of the loop for each, and one more to run
        // the last.
        for place in 0..=due.len() {
            let mail = &mut inboxes[own].mail;
            if let Some(&later) = due.get(place + 1) {
                mail.prefetch(later, &window);
            }
            let next = due.get(place).map(|&i| (i, self.prepare(mail, i, &window, end)));
            if let Some(ready) = std::mem::replace(&mut prepared, next) {
                self.run_node(ready, (&mut *inboxes, first), window, end);
            }
        }
        self.due = due;
    }

    /// Takes the arrivals of a node before the end, and prepares it for them.
    fn prepare(
        &mut self,
        mail: &mut Mail,
        i: usize,
        window: &Window,
        end: Instant,
    ) -> Vec<Arrival> {
        // The window that holds the end of the run is cut there.
        let mut arrivals = mail.take(i, window);
        if end < window.end() {
            // What comes after the end stays on the way.
            for arrival in arrivals.extract_if(.., |arrival| arrival.at >= end) {
                mail.put(i, window, arrival);
            }
        }
        self.nodes[i].prepare(&arrivals);
        arrivals
    }

    fn run_node(
        &mut self,
        (i, arrivals): (usize, Vec<Arrival>),
        (inboxes, first): (&mut [Inbox], u16),
        window: Window,
        end: Instant,
    ) {
        sort(&mut self.order, &arrivals, &window);
        let mut out = Out {
            inboxes: &mut *inboxes,
            first,
            others: &mut self.others,
            window,
            fatal: &mut self.fatal,
            data_hops: &mut self.data_hops,
        };
        let node = &mut self.nodes[i];
        self.events += run_node(node, &arrivals, &self.order, end, &mut out);
        // From here on the node is only asked: all that it does in this window is done.
        let timer = node.next_timer();
        self.progress = self.progress.max(node.progress());
        if let Some(recording) = &mut self.recording {
            let mut drops = Vec::new();
            node.take_drops(&mut |drop| drops.push(drop));
            let is_lost = |arrival: &Arrival| node.is_lost(arrival);
            recording.note(i, &arrivals, self.full, is_lost, drops);
        }
        let Inbox { mail, agenda } = &mut inboxes[usize::from(self.number - first)];
        // The vector goes back while it is still in the cache; the next node that gets mail has it.
        mail.give_back(i, arrivals);
        // What others sent to this node has added itself to the agenda. Its own timers, and mail of later windows, are
        // added here, since the agenda forgot the node when it was taken.
        if let Some(next) = timer.into_iter().chain(mail.next(i, &window)).min() {
            agenda.add(i, next);
        }
    }

    /// Adds what its nodes have done so far.
    pub(super) fn sample(&self, sample: &mut Sample) {
        self.nodes.iter().for_each(|node| node.sample(sample));
    }

    /// All packets on the way to nodes of this part, with the node.
    pub(crate) fn on_the_way(&self) -> impl Iterator<Item = (usize, &Arrival)> {
        self.inbox.mail.waiting()
    }
}

/// Bits of an order key that name the arrival, and those that name its port.
const PLACE_BITS: u32 = 16;
const PORT_BITS: u32 = 16;

/// The order of arrivals: by time within the window, then by port. Two arrivals never share both.
fn sort(order: &mut Vec<u64>, arrivals: &[Arrival], window: &Window) {
    order.clear();
    // Time, port and place in one integer: 32 + 16 + 16 bits. Sorting integers is several times faster than sorting by
    // a key that is looked up, and nearly all windows fit. The others are sorted by the same order.
    let fits = arrivals.len() <= 1 << PLACE_BITS && window.length.as_ps() < 1 << 32;
    if fits {
        let key = |(place, arrival): (u64, &Arrival)| {
            let since = (arrival.at - window.start).as_ps();
            since << (PORT_BITS + PLACE_BITS) | u64::from(arrival.packet.port) << PLACE_BITS | place
        };
        order.extend((0..).zip(arrivals).map(key));
        order.sort_unstable();
        for key in order.iter_mut() {
            *key &= (1 << PLACE_BITS) - 1;
        }
    } else {
        order.extend(0..arrivals.len() as u64);
        let of = |place: u64| usize::try_from(place).map_or(0, |place| place);
        order.sort_unstable_by_key(|&place| {
            (arrivals[of(place)].at, arrivals[of(place)].packet.port)
        });
    }
}

/// Arrivals and timers of one node in one window, in order.
fn run_node<N: Node>(
    node: &mut N,
    arrivals: &[Arrival],
    order: &[u64],
    end: Instant,
    out: &mut Out<'_>,
) -> u64 {
    let mut events = 0;
    let mut last = Instant::from_ps(0);
    let mut order = order.iter();
    let mut take = || {
        let place = usize::try_from(*order.next()?).ok()?;
        Some((place, &arrivals[place]))
    };
    let mut next = take();
    loop {
        let timer = node.next_timer().unwrap_or(Instant::NEVER);
        match next {
            // At one time a packet comes before a timer: a repetition that is due is not sent if its answer is there.
            Some((place, arrival)) if arrival.at <= timer => {
                assert!(arrival.at >= last, "time never goes back");
                last = arrival.at;
                node.arrive(last, place, arrival, out);
                next = take();
            }
            _ if timer < end => {
                assert!(timer >= last, "time never goes back");
                last = timer;
                node.fire(timer, out);
            }
            _ => return events,
        }
        events += 1;
    }
}
