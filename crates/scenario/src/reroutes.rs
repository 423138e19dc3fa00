//! Routes around dead links and switches: what the controller knows, computes and installs, and when.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lightloom_topology::electrical::{Detours, Network, NodeId};
use lightloom_twin::{Data, Group, GroupId, Reroute, Service};
use lightloom_units::Instant;

use crate::glass::detected;
use crate::glass::rollout::{Event, Happening, RecoveryTimes};

/// Links that die together, for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outage {
    /// What dies, as reports name it.
    pub parts: String,
    /// A port of each link.
    pub links: Vec<(NodeId, u16)>,
    /// The switch that loses its tables, where one dies.
    pub switch: Option<NodeId>,
    /// Simulated time at which they die.
    pub from: Instant,
    /// Simulated time from which they work again.
    pub to: Instant,
}

/// All that the controller does about links and switches in a run.
#[derive(Debug, Clone, Default)]
pub struct Rerouting {
    /// The changes of routes, by time.
    pub reroutes: Vec<Reroute>,
    /// What happens, by time.
    pub events: Vec<Event>,
    /// Whether the longest time of the run ends before the routes for all failures and returns are in force.
    pub is_cut: bool,
}

/// The failures and returns of links and switches before the end of the run, by time.
pub fn happenings(outages: &[Outage], until: Instant) -> Vec<Event> {
    events(&news(outages, until), outages)
}

/// What is told of failures and returns. Links that several outages take down fail when the first of them begins, and
/// return when the last is over.
fn events(news: &[(Instant, Happening, &Outage)], outages: &[Outage]) -> Vec<Event> {
    let is_told = |&&(at, what, one): &&(Instant, Happening, &Outage)| {
        let place = |of: &Outage| outages.iter().position(|other| std::ptr::eq(other, of));
        let others = outages.iter().filter(|other| !std::ptr::eq(*other, one));
        let mut others =
            others.filter(|other| one.links.iter().all(|link| other.links.contains(link)));
        !others.any(|other| match what {
            Happening::Failed => (other.from, place(other)) < (at, place(one)) && at <= other.to,
            _ => {
                let ends_last = at < other.to || (at == other.to && place(other) < place(one));
                ends_last && other.from <= at
            }
        })
    };
    news.iter().filter(is_told).map(|&(at, what, outage)| event(at, what, outage)).collect()
}

/// The course of all changes of routes. The controller handles what it knows of at once, and looks again when the
/// routes are installed. All switches have new routes at the same time.
pub fn reroutes(
    network: &Network,
    groups: &[Group],
    outages: &[Outage],
    times: RecoveryTimes,
    until: Instant,
) -> Rerouting {
    let happened = news(outages, until);
    let told = events(&happened, outages);
    let mut rerouting = Rerouting { events: told.clone(), ..Rerouting::default() };
    rerouting.events.extend(detected(&told, times.detection, until));
    let mut in_force = Arc::new(Detours::default());
    let mut free = Instant::ZERO;
    let mut news = happened.iter().peekable();
    while let Some(first) = news.next() {
        let mut batch = vec![first];
        let begins = free.max(first.0 + times.detection);
        while let Some(more) = news.next_if(|more| more.0 + times.detection <= begins) {
            batch.push(more);
        }
        let last = batch.last().copied().unwrap_or(first);
        if begins >= until {
            rerouting.is_cut = true;
            break;
        }
        let computed = begins + times.computation;
        let at = computed + times.installation;
        free = at;
        let lasting = outages.iter().filter(|one| one.from <= last.0 && last.0 < one.to);
        let detours = network.detours(lasting.flat_map(|one| one.links.iter().copied()));
        let returned = batch.iter().filter(|(_, what, _)| *what == Happening::Returned);
        let restarted = returned.filter_map(|(.., outage)| outage.switch).collect();
        let changed = Changed { network, old: &in_force, new: &detours, restarted: &restarted };
        let groups = (0..).map(GroupId).zip(groups);
        let groups = groups.filter(|(_, group)| changed.concerns(group)).map(|(group, _)| group);
        let groups: Vec<GroupId> = groups.collect();
        if detours == *in_force && groups.is_empty() {
            continue;
        }
        if at >= until {
            rerouting.is_cut = true;
            continue;
        }
        if begins > last.0 + times.detection {
            rerouting.events.push(event(begins, Happening::Begun, last.2));
        }
        rerouting.events.push(event(computed, Happening::Computed, last.2));
        rerouting.events.push(Event {
            rules: detours.changed_from(&in_force),
            switches: detours.switches_changed_from(&in_force),
            group_rules: groups.len(),
            cut_off: detours.cut_off().to_vec(),
            ..Event::new(at, Happening::Rerouted, String::new())
        });
        in_force = Arc::new(detours);
        rerouting.reroutes.push(Reroute { at, detours: Arc::clone(&in_force), groups });
    }
    rerouting.events.sort_by_key(|event| event.at);
    rerouting
}

/// Failures and returns before the end of the run, by time.
fn news(outages: &[Outage], until: Instant) -> Vec<(Instant, Happening, &Outage)> {
    let both = outages
        .iter()
        .flat_map(|one| [(one.from, Happening::Failed, one), (one.to, Happening::Returned, one)]);
    let mut news: Vec<_> = both.filter(|(at, ..)| *at < until).collect();
    news.sort_by_key(|(at, ..)| *at);
    news
}

fn event(at: Instant, what: Happening, outage: &Outage) -> Event {
    Event::new(at, what, outage.parts.clone())
}

/// What changes at once.
struct Changed<'a> {
    network: &'a Network,
    old: &'a Detours,
    new: &'a Detours,
    restarted: &'a BTreeSet<NodeId>,
}

impl Changed<'_> {
    /// Whether the leader of a group is to register again: a switch on a way that its registration may have taken has
    /// other next hops now, or has lost its tables.
    fn concerns(&self, group: &Group) -> bool {
        let Service::Reliable(service) = &group.service else { return false };
        let network = self.network;
        let rack = |host: NodeId| network.ports(host)[0].peer;
        let joined = service.changes.iter().map(|change| change.host);
        let mut ends: BTreeMap<NodeId, NodeId> =
            group.members.iter().copied().chain(joined).map(|host| (rack(host), host)).collect();
        if let Data::Light { trees, .. } = &service.data {
            // Switches that light passes are registered by the way to one of their hosts.
            for stop in trees.iter().flat_map(|tree| &tree.stops) {
                let mut peers = network.ports(stop.at).iter().map(|port| port.peer);
                ends.extend(peers.find(|&peer| network.is_host(peer)).map(|host| (stop.at, host)));
            }
        }
        ends.iter().any(|(&last, &host)| self.changes_way(rack(service.leader), last, host))
    }

    /// Whether this holds for a switch on any shortest way to a host of another.
    fn changes_way(&self, from: NodeId, last: NodeId, host: NodeId) -> bool {
        let mut seen = BTreeSet::from([from]);
        let mut next = vec![from];
        while let Some(at) = next.pop() {
            if self.restarted.contains(&at) || self.old.ports(at, last) != self.new.ports(at, last)
            {
                return true;
            }
            if at == last {
                continue;
            }
            let ports = self.network.routes_around(self.old, at, host);
            let peers = ports.iter().map(|port| self.network.ports(at)[port.index()].peer);
            next.extend(peers.filter(|&peer| seen.insert(peer)));
        }
        false
    }
}
