//! Where the network of a scenario is drawn: ToRs with splitters on a circle, other networks in layers by tier.

use std::collections::BTreeMap;
use std::f32::consts::TAU;

use egui::{Pos2, Rect, Vec2, pos2};
use lightloom::twin::{DrawnNetwork, DrawnWay, NodeKind};

/// Places in the units of the drawing: 1 is about the distance between neighbours.
#[derive(Debug, Clone)]
pub struct TwinPlaces {
    /// The extent of everything.
    pub bounds: Rect,
    /// The place of each node.
    pub nodes: Vec<Pos2>,
    /// The place of each splitter, by its number.
    pub splitters: BTreeMap<u32, Pos2>,
}

impl Default for TwinPlaces {
    fn default() -> Self {
        let bounds = Rect::from_center_size(Pos2::ZERO, Vec2::splat(1.0));
        Self { bounds, nodes: Vec::new(), splitters: BTreeMap::new() }
    }
}

impl TwinPlaces {
    /// Lays out a network.
    pub fn new(network: &DrawnNetwork) -> Self {
        let has_splitters = network.ways.iter().any(|way| way.splitter.is_some());
        let nodes = if has_splitters { around(network) } else { layers(network) };
        let splitters = splitters(network, &nodes);
        let all: Vec<Pos2> = nodes.iter().chain(splitters.values()).copied().collect();
        if all.is_empty() {
            return Self::default();
        }
        Self { bounds: Rect::from_points(&all).expand(1.0), nodes, splitters }
    }

    /// The line of a way: from node to node, through its splitter if it has one. `None`: it is not drawn.
    pub fn line(&self, way: &DrawnWay) -> Option<[Pos2; 3]> {
        let from = *self.nodes.get(usize::try_from(way.from).ok()?)?;
        let to = *self.nodes.get(usize::try_from(way.to).ok()?)?;
        let between = way.splitter.and_then(|splitter| self.splitters.get(&splitter));
        Some([from, between.copied().unwrap_or(from), to])
    }

    /// The place on the line of a way after a share of it.
    pub fn along(line: [Pos2; 3], share: f32) -> Pos2 {
        let [from, between, to] = line;
        let (first, second) = (from.distance(between), between.distance(to));
        let gone = share.clamp(0.0, 1.0) * (first + second);
        if gone < first {
            from + (between - from) * (gone / first)
        } else {
            between + (to - between) * ((gone - first) / second.max(1e-6)).min(1.0)
        }
    }

    /// The node that is drawn nearest to a point, within `reach`.
    pub fn nearest(&self, at: Pos2, reach: f32) -> Option<usize> {
        let near = |(index, place): (usize, &Pos2)| (place.distance_sq(at), index);
        let all = self.nodes.iter().enumerate().map(near);
        let (distance, index) = all.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (distance <= reach * reach).then_some(index)
    }
}

/// ToRs on a circle, their hosts outside of it, all other switches inside.
fn around(network: &DrawnNetwork) -> Vec<Pos2> {
    let is_tor = |node: usize| network.nodes[node].tor.is_some();
    let tors: Vec<usize> = (0..network.nodes.len()).filter(|&node| is_tor(node)).collect();
    let mut hosts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for way in &network.ways {
        let ends = (usize::try_from(way.from), usize::try_from(way.to));
        let (Ok(from), Ok(to)) = ends else { continue };
        if network.nodes[from].kind == NodeKind::Host {
            hosts.entry(to).or_default().push(from);
        }
    }
    let most = hosts.values().map(Vec::len).max().unwrap_or(0).max(1);
    // Each host has a unit of the circle outside, each ToR two units of its own.
    let width = real(most).max(2.0);
    let radius = (real(tors.len()) * width / TAU).max(2.0);
    let mut places = vec![Pos2::ZERO; network.nodes.len()];
    for (number, &tor) in tors.iter().enumerate() {
        let step = TAU / real(tors.len());
        let angle = step * real(number) - TAU / 4.0;
        places[tor] = (Vec2::angled(angle) * radius).to_pos2();
        let own = hosts.remove(&tor).unwrap_or_default();
        for (place, &host) in own.iter().enumerate() {
            let aside = (real(place) + 0.5) / real(own.len()) - 0.5;
            let angle = angle + step * 0.8 * aside;
            places[host] = (Vec2::angled(angle) * (radius + width * 0.9)).to_pos2();
        }
    }
    let is_other = |node: &usize| !is_tor(*node) && network.nodes[*node].kind == NodeKind::Switch;
    let others: Vec<usize> = (0..network.nodes.len()).filter(is_other).collect();
    for (number, &node) in others.iter().enumerate() {
        let aside = (real(number) + 0.5) / real(others.len()) - 0.5;
        places[node] = pos2(aside * radius, 0.0);
    }
    places
}

/// Hosts at the bottom, and above them a layer for each tier.
fn layers(network: &DrawnNetwork) -> Vec<Pos2> {
    let mut tiers: BTreeMap<u8, Vec<usize>> = BTreeMap::new();
    for (number, node) in network.nodes.iter().enumerate() {
        tiers.entry(node.tier).or_default().push(number);
    }
    let widest = real(tiers.values().map(Vec::len).max().unwrap_or(1));
    let layer = (widest * 0.6 / real(tiers.len())).max(1.5);
    let mut places = vec![Pos2::ZERO; network.nodes.len()];
    for (level, nodes) in tiers.values().enumerate() {
        for (number, &node) in nodes.iter().enumerate() {
            let share = (real(number) + 0.5) / real(nodes.len());
            places[node] = pos2(share * widest, -layer * real(level));
        }
    }
    places
}

/// Each splitter a little inside of its ToR.
fn splitters(network: &DrawnNetwork, nodes: &[Pos2]) -> BTreeMap<u32, Pos2> {
    let place = |way: &DrawnWay| {
        let from = nodes.get(usize::try_from(way.from).ok()?)?;
        Some((way.splitter?, (from.to_vec2() * 0.88).to_pos2()))
    };
    network.ways.iter().filter_map(place).collect()
}

#[allow(clippy::cast_precision_loss, reason = "places of a drawing")]
fn real(number: usize) -> f32 {
    number as f32
}
