//! What the leader of a reliable group (cepheus:III-A.leader) does: it registers the members of a run with the
//! switches, tells the sender to go, waits until all is acknowledged, and goes on with the next run
//! (gleam:3.5.sources).

use std::collections::BTreeSet;
use std::sync::Arc;

use lightloom_setup::params::{GroupParams, Params};
use lightloom_setup::{Data, Dialect, LightStop, LightTree, Reliable, Update, Updated};
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_units::{Instant, Span};

use super::renewal::{Renewal, Renews};
use crate::envelope::{Course, Known};
use crate::host::desk::Desk;
use crate::host::tell::control;
use crate::node::Step;
use crate::outcome::{Standing, Waiting, WaitsFor};
use crate::packet::{Dest, GroupId, Kind, Packet, Psn};
use crate::schedule::{Run, Schedule};

/// The leader's part of a group.
#[derive(Debug)]
pub(crate) struct Coordinator {
    pub(super) group: GroupId,
    pub(super) leader: NodeId,
    pub(super) dialect: Dialect,
    /// Whether switches are told where members want a WRITE.
    tells_addresses: bool,
    /// What members are told now.
    pub(super) step: Step,
    pub(super) course: Course,
    pub(super) trees: Vec<LightTree>,
    /// A host of each switch that light stops at, by switch: what is told to the switch goes its way.
    pub(super) vias: Vec<(NodeId, NodeId)>,
    /// Switches that light a tree for a sender, at any time: the sender, and the switch.
    pub(super) spares: BTreeSet<(NodeId, NodeId)>,
    pub(super) schedule: Arc<Schedule>,
    pub(super) params: GroupParams,
    /// The run at hand.
    pub(super) run: u32,
    pub(super) stage: Stage,
    /// Hosts that have not confirmed that they joined, and those that have not left.
    pub(super) joining: BTreeSet<NodeId>,
    pub(super) leaving: BTreeSet<NodeId>,
    /// All hosts that join, whether they have confirmed or not: a registration that is repeated names them all, as a
    /// switch may have lost its table since.
    pub(super) joins: BTreeSet<NodeId>,
    /// Whether its own switch must know the group.
    pub(super) known: Known,
    /// Hosts that had not confirmed when it was given up that all would.
    pub(super) unconfirmed: BTreeSet<NodeId>,
    /// Members that were taken out of the tree in this run.
    pub(super) dropped: BTreeSet<NodeId>,
    /// Whether this run could not be registered, so that its sender goes without the group.
    pub(super) falls_back: bool,
    pub(super) tries: u32,
    /// Registering all anew while a run is under way.
    pub(super) renewal: Renewal,
    /// When what was not answered is told again; also when the group begins.
    pub(super) deadline: Option<Instant>,
    /// When registration began, and how long it took in all.
    pub(super) began: Instant,
    pub(crate) registration: Span,
}

/// Where a group stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Nothing has begun.
    Waiting,
    /// Members are registered.
    Registering,
    /// The sender is told to go, and sends.
    Sending,
    /// All is sent.
    Over,
    /// A switch refused, a member never answered, or a sender is in the error state. What was entered is given back.
    Failed,
}

impl Coordinator {
    /// `updates` are those of the light of the group.
    pub(crate) fn new<'u>(
        (group, service): (GroupId, &Reliable),
        updates: impl Iterator<Item = &'u Update>,
        schedule: Arc<Schedule>,
        (network, renewal): (&Network, Renewal),
        params: &Params,
    ) -> Self {
        let (course, (trees, spares)) = match &service.data {
            Data::Electrons => (Course::Links, (Vec::new(), BTreeSet::new())),
            Data::Light { repair, trees } => (Course::Light(*repair), with_updated(trees, updates)),
        };
        let host = |at: NodeId| {
            network.ports(at).iter().map(|port| port.peer).find(|&peer| network.is_host(peer))
        };
        let stops = trees.iter().flat_map(|tree| &tree.stops);
        let stops: BTreeSet<NodeId> = stops.map(|stop| stop.at).collect();
        let vias = stops.into_iter().filter_map(|at| Some((at, host(at)?))).collect();
        Self {
            group,
            leader: service.leader,
            dialect: service.dialect,
            tells_addresses: service.dialect.asks().registers_addresses(service.verb),
            step: Step::Members,
            course,
            trees,
            vias,
            spares,
            deadline: (!schedule.runs.is_empty()).then_some(service.start),
            schedule,
            params: params.groups,
            run: 0,
            stage: Stage::Waiting,
            joining: BTreeSet::new(),
            leaving: BTreeSet::new(),
            joins: BTreeSet::new(),
            known: Known::Maybe,
            unconfirmed: BTreeSet::new(),
            dropped: BTreeSet::new(),
            falls_back: false,
            tries: 0,
            renewal,
            began: service.start,
            registration: Span::ZERO,
        }
    }

    /// Hosts that have not confirmed that they are registered, where that is still tried or was given up.
    pub(crate) fn silent(&self) -> impl Iterator<Item = NodeId> {
        let registers = self.joining.iter().filter(|_| self.stage == Stage::Registering);
        self.unconfirmed.iter().chain(registers).copied()
    }

    /// Where the group stands, for those who watch.
    pub(crate) fn standing(&self) -> Standing {
        match self.stage {
            Stage::Waiting | Stage::Registering => Standing::Registering,
            Stage::Sending => Standing::Sending,
            Stage::Over => Standing::Over,
            Stage::Failed => Standing::Failed,
        }
    }

    /// What the first message of the run at hand waits for.
    pub(crate) fn open(&self) -> Option<Waiting> {
        let message = self.schedule.casts.get(self.at_hand()?.casts.start as usize)?.flow;
        let what = match self.stage {
            Stage::Waiting | Stage::Registering => {
                let hosts = self.joining.union(&self.leaving).copied().collect();
                WaitsFor::Confirmation { hosts, since: self.began }
            }
            Stage::Sending => WaitsFor::Turn,
            Stage::Over | Stage::Failed => return None,
        };
        Some(Waiting { message, what })
    }

    /// When it has something to do.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.deadline.into_iter().chain(self.renewal.next_told()).min()
    }

    /// The run that the leader's own host is to send now, whether without the group, and how often all members were
    /// registered anew.
    pub(super) fn own_turn(&self) -> Option<(u32, bool, u16)> {
        let run = self.schedule.runs.get(self.run as usize)?;
        (self.stage == Stage::Sending && run.source == self.leader).then_some((
            self.run,
            self.falls_back,
            self.renewal.complete,
        ))
    }

    /// Does what is due by now. `acked` is the first packet of its own host that is not acknowledged.
    pub(super) fn fire(&mut self, now: Instant, acked: Psn, desk: &mut Desk<'_>) {
        if self.renewal.is_told(now) {
            if let Some(Renews::Registers(first)) = self.renewal.stage {
                self.register_anew(now, first, desk);
            } else {
                self.renew(now, acked, desk);
            }
        }
        if self.deadline.is_none_or(|at| at > now) {
            return;
        }
        match self.stage {
            Stage::Waiting => self.begin(now, desk),
            Stage::Registering if self.tries >= self.params.register_tries => {
                self.unconfirmed = self.joining.union(&self.leaving).copied().collect();
                self.fail(now, desk);
            }
            Stage::Registering => self.register(now, desk),
            Stage::Sending
                if self.renewal.stage.is_some() && self.tries < self.params.register_tries =>
            {
                match self.renewal.stage {
                    Some(Renews::Registers(_)) => self.register(now, desk),
                    _ => self.ask_source(now, desk),
                }
            }
            Stage::Sending => {
                self.renewal.gives_up();
                self.go(now, desk);
                if !self.leaving.is_empty() && self.tries < self.params.register_tries {
                    self.register(now, desk);
                }
            }
            // What was entered is given back until everybody has confirmed, or never answers.
            Stage::Failed if self.tries < self.params.register_tries => self.register(now, desk),
            Stage::Over | Stage::Failed => self.deadline = None,
        }
    }

    /// Somebody has confirmed, or a switch refuses. Data flow when all have (cepheus:III-C.confirm, gleam:A.confirm).
    pub(super) fn answered(&mut self, packet: &Packet, now: Instant, desk: &mut Desk<'_>) {
        if packet.seen != Psn::new(self.run) {
            return;
        }
        if packet.kind != Kind::Leave && packet.entropy != self.renewal.again {
            return;
        }
        let host = NodeId(packet.psn.get());
        match (self.stage, packet.kind) {
            (Stage::Registering, _) => {}
            (Stage::Sending, Kind::Leave) => return self.take_out(host, now, desk),
            (Stage::Sending | Stage::Failed, Kind::Confirm | Kind::Addressed) => {
                if self.leaving.remove(&host) && self.stage == Stage::Sending {
                    self.tell_left(host, desk);
                }
                let was_last = self.confirms(packet, host) && self.joining.is_empty();
                if was_last && self.stage == Stage::Sending {
                    self.confirmed(now, desk);
                }
                if self.stage == Stage::Failed && self.leaving.is_empty() {
                    self.deadline = None;
                }
                return;
            }
            _ => return,
        }
        if packet.kind == Kind::Refuse {
            self.fail(now, desk);
            return;
        }
        let is_new = self.confirms(packet, host) | self.leaving.remove(&host);
        if is_new && self.joining.is_empty() && self.leaving.is_empty() {
            self.confirmed(now, desk);
        }
    }

    /// Whether a packet confirms what a host was told, for the first time.
    fn confirms(&mut self, packet: &Packet, host: NodeId) -> bool {
        let of_members = packet.kind != Kind::Addressed;
        of_members == (self.step == Step::Members) && self.joining.remove(&host)
    }

    /// All have confirmed what they were told. Their addresses come next, where switches need them; else data flow.
    fn confirmed(&mut self, now: Instant, desk: &mut Desk<'_>) {
        if self.tells_addresses && self.step == Step::Members {
            self.joining = self.joins.difference(&self.dropped).copied().collect();
        }
        if self.joining.is_empty() {
            self.step = Step::Members;
            self.registered(now, desk);
            return;
        }
        (self.step, self.tries) = (Step::Addresses, 0);
        self.register(now, desk);
    }

    /// All messages of a run are acknowledged.
    pub(super) fn ended(&mut self, run: u32, now: Instant, desk: &mut Desk<'_>) {
        if self.stage != Stage::Sending || run != self.run {
            return;
        }
        self.run += 1;
        self.deadline = None;
        if (self.run as usize) < self.schedule.runs.len() {
            self.begin(now, desk);
        } else {
            self.stage = Stage::Over;
        }
    }

    /// The queue pair that sends a run is in the error state: the group is over.
    pub(super) fn broke(&mut self, run: u32, now: Instant, desk: &mut Desk<'_>) {
        if self.stage == Stage::Sending && run == self.run {
            self.fail(now, desk);
        }
    }

    pub(super) fn at_hand(&self) -> Option<&Run> {
        self.schedule.runs.get(self.run as usize)
    }

    /// A run begins: what changes is registered, and where nothing does the sender goes at once.
    fn begin(&mut self, now: Instant, desk: &mut Desk<'_>) {
        // Where some switches may not know all members, all are registered anew.
        let is_patchy = self.renewal.begins();
        let Some(run) = self.at_hand() else { return };
        let before = self.run.checked_sub(1).and_then(|at| self.schedule.runs.get(at as usize));
        // The trees of light, and the ways of answers beside it, are those of one sender.
        let is_other = before.is_none_or(|before| before.source != run.source);
        let is_new = before.is_none() || is_patchy || (is_other && self.course != Course::Links);
        let was = before.map(|before| {
            before.members.difference(&self.dropped).copied().collect::<BTreeSet<NodeId>>()
        });
        let was = was.as_ref();
        let joining =
            run.members.iter().filter(|host| is_new || was.is_none_or(|was| !was.contains(host)));
        let joining: BTreeSet<NodeId> = joining.copied().collect();
        // A member whose leaving is not confirmed may still be in some tables.
        let leaving = was.into_iter().flatten().chain(&self.leaving);
        let leaving = leaving.filter(|host| !run.members.contains(host));
        let leaving: BTreeSet<NodeId> = leaving.copied().collect();
        let is_known = !is_patchy && was.is_some_and(|was| !was.is_empty());
        self.known = if is_known { Known::Surely } else { Known::Maybe };
        (self.joins, self.joining, self.leaving) = (joining.clone(), joining, leaving);
        (self.tries, self.began) = (0, now);
        (self.dropped, self.falls_back) = (BTreeSet::new(), false);
        (self.stage, self.step) = (Stage::Registering, Step::Members);
        if self.joining.is_empty() && self.leaving.is_empty() {
            self.registered(now, desk);
        } else {
            self.register(now, desk);
        }
    }

    fn registered(&mut self, now: Instant, desk: &mut Desk<'_>) {
        self.registration = self.registration + (now - self.began);
        self.stage = Stage::Sending;
        (self.renewal.complete, self.renewal.stage) = (self.renewal.again, None);
        self.go(now, desk);
    }

    /// Tells the sender of the run to go. It is told again until all is sent.
    fn go(&mut self, now: Instant, desk: &mut Desk<'_>) {
        let Some(run) = self.at_hand() else { return };
        let source = run.source;
        if source == self.leader {
            self.deadline = None;
            return;
        }
        if let Some(&end) = self.schedule.ends.get(&source) {
            let about = Psn::new(desk.host.0);
            let packet = control((Dest::host(source), end), Kind::Go, self.run, desk);
            let entropy = self.renewal.complete << 1 | u16::from(self.falls_back);
            desk.control.push_back(Packet { psn: about, entropy, ..packet });
        }
        self.deadline = Some(now + self.params.register_timeout);
    }

    /// The group cannot be registered, or cannot go on: what was entered is taken out.
    fn fail(&mut self, now: Instant, desk: &mut Desk<'_>) {
        let Some(run) = self.at_hand() else { return };
        (self.joining, self.leaving) = (BTreeSet::new(), run.members.clone());
        self.joins.clear();
        (self.tries, self.stage, self.step) = (0, Stage::Failed, Step::Members);
        if self.params.safeguard.is_some() {
            // The sender reaches its members without the group, and the next run is registered anew.
            self.dropped.clone_from(&self.leaving);
            (self.falls_back, self.stage) = (true, Stage::Sending);
            self.go(now, desk);
        }
        self.register(now, desk);
    }
}

/// The trees with the switches that updates of a group name: these are registered too, so that an update finds a
/// table. A switch whose stop an update has changed keeps the changed one, whatever a registration says. With them all
/// switches that light a tree for a sender, at any time.
fn with_updated<'u>(
    trees: &[LightTree],
    updates: impl Iterator<Item = &'u Update>,
) -> (Vec<LightTree>, BTreeSet<(NodeId, NodeId)>) {
    let mut trees = trees.to_vec();
    let first = trees.iter().filter_map(|tree| Some((tree.source, tree.stand_in?)));
    let mut spares: BTreeSet<(NodeId, NodeId)> = first.collect();
    for update in updates {
        let (source, at) = match update.what {
            Updated::Light { source, stop, .. } => (source, stop.at),
            Updated::StandIn { source, stand_in: Some(at), .. } => {
                spares.insert((source, at));
                (source, at)
            }
            Updated::StandIn { .. } | Updated::Rule(_) => continue,
        };
        let Some(tree) = trees.iter_mut().find(|tree| tree.source == source) else { continue };
        if tree.stops.iter().all(|known| known.at != at) {
            tree.stops.push(LightStop { at, accept: None, relay: None });
        }
    }
    (trees, spares)
}
