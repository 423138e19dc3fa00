//! Moves plugs of a plant, and finds the chain of each fibre again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use lightloom_topology::TorId;
use lightloom_topology::hall::TrayFill;

use crate::as_built::trace::{Sockets, Way};
use crate::as_built::{Astray, Built, CableEnd, Misbuilt, Plug};
use crate::cable::{CableId, CableKind, End, Part, Port};
use crate::connector::Connector;
use crate::fibre::{Far, FibreId};
use crate::plant::Plant;
use crate::thing::ThingKind;

/// Where the light of a fibre enters its first cable, as planned.
struct Start {
    /// The port.
    from: End,
    /// The position of its connector, from 0.
    position: u16,
    /// Number of cables on its way.
    cables: usize,
}

/// The real ways of all fibres.
struct Traced {
    /// The ToR whose planned splitter each ToR's transmitter lights. `None`: it lights no splitter.
    fed: Vec<Option<TorId>>,
    /// The way that starts where each fibre was planned to start.
    ways: Vec<Way>,
}

impl Plant {
    /// The plant as it was built. Fibres keep their numbers, transmitters and receivers. Their cables, ports and
    /// lengths become those of the real way.
    ///
    /// # Errors
    /// [`Misbuilt`] if it cannot be built so, or if light arrives elsewhere than the fabric says.
    pub fn as_built(mut self, built: &Built) -> Result<Self, Misbuilt> {
        self.check_plugs(&built.moves)?;
        let inputs: BTreeMap<End, TorId> =
            self.site.fabric.tor_ids().map(|tor| self.input(tor)).collect();
        let starts: Vec<Start> = self.numbered().map(|(id, _)| self.start(id)).collect();
        let sockets = built.moves.iter().map(|(&plug, &of)| (plug, self.socket(of)));
        for (plug, socket) in sockets.collect::<Vec<_>>() {
            self.plug_in(plug, socket);
        }
        let sockets = Sockets::of(&self);
        let way = |start: &Start| sockets.way(&self, start.from, start.position);
        let ways: Vec<Way> = starts.iter().map(way).collect();
        let fed = self.site.fabric.tor_ids();
        let fed = fed.map(|tor| inputs.get(&ways[self.first_fibre(tor).index()].at).copied());
        let traced = Traced { fed: fed.collect(), ways };
        let astray = self.astray(&traced, &built.moves);
        if !astray.is_empty() {
            return Err(Misbuilt::Astray(astray));
        }
        self.check_ways(&starts, &traced)?;
        self.route_again(built)?;
        self.take(&traced);
        Ok(self)
    }

    /// Whether each socket has one plug, which fits.
    fn check_plugs(&self, moves: &BTreeMap<Plug, Plug>) -> Result<(), Misbuilt> {
        let mut taken: BTreeMap<Plug, Plug> = BTreeMap::new();
        for (&plug, &of) in moves {
            if let Some(&first) = taken.get(&of) {
                return Err(Misbuilt::TwoInOne([first, plug], of));
            }
            taken.insert(of, plug);
            if self.connector_of(plug) != self.connector_of(of) {
                return Err(Misbuilt::Unfit(plug, of));
            }
        }
        match taken.iter().find(|(of, _)| !moves.contains_key(of)) {
            None => Ok(()),
            Some((&of, &plug)) => Err(Misbuilt::TwoInOne([of, plug], of)),
        }
    }

    /// The input of the splitter of a ToR.
    fn input(&self, tor: TorId) -> (End, TorId) {
        (self.chain_ends(self.first_fibre(tor))[1], tor)
    }

    fn start(&self, fibre: FibreId) -> Start {
        let chain = self.chain(fibre);
        let from = self.link_ends(fibre, chain[0])[0];
        Start { from, position: chain[0].strand % Connector::MPO_FIBRES, cables: chain.len() }
    }

    /// Whether each way has as many cables as planned, in the planned direction.
    fn check_ways(&self, starts: &[Start], traced: &Traced) -> Result<(), Misbuilt> {
        for (((id, fibre), start), way) in self.numbered().zip(starts).zip(&traced.ways) {
            if way.links.len() != start.cables {
                return Err(Misbuilt::OtherChain(id));
            }
            for entered in way.plugs.iter().step_by(2) {
                let is_trunk = matches!(self.cable(entered.cable).kind, CableKind::Trunk(_));
                let planned = match is_trunk && !fibre.is_feed() {
                    true => CableEnd::Far,
                    false => CableEnd::Near,
                };
                if entered.end != planned {
                    return Err(Misbuilt::Reversed(entered.cable));
                }
            }
        }
        Ok(())
    }

    fn plug_in(&mut self, plug: Plug, socket: End) {
        let cable = &mut self.cables[plug.cable.index()];
        if let CableKind::Trunk(number) = cable.kind {
            let legs = &mut self.trunks[number as usize].legs;
            legs[usize::from(plug.connector)].ends[plug.side()] = socket;
            cable.ends = legs[0].ends;
        } else {
            cable.ends[plug.side()] = socket;
        }
    }

    /// Routes all cables again, and sets the lengths of those that have other ones.
    fn route_again(&mut self, built: &Built) -> Result<(), Misbuilt> {
        self.fill = TrayFill::default();
        let moved: BTreeSet<CableId> = built.moves.keys().map(|plug| plug.cable).collect();
        for at in 0..self.cables.len() {
            let (id, cable) = (CableId::at(at), self.cables[at]);
            let [near, far] = cable.ends.map(|end| self.place(end.thing));
            let route = self.site.hall.route(near, far);
            let diameter = self.diameter(&cable);
            self.fill.lay(&route.runs, diameter);
            let there = &mut self.cables[at];
            if let Some(&length) = built.lengths.get(&id) {
                (there.length, there.stock) = (length, length);
            } else if moved.contains(&id) {
                if route.length > cable.stock {
                    return Err(Misbuilt::TooShort(id, cable.stock, route.length));
                }
                there.length = route.length;
            }
        }
        Ok(())
    }

    /// The transmitters whose light arrives elsewhere than the fabric says.
    fn astray(&self, traced: &Traced, moves: &BTreeMap<Plug, Plug>) -> Vec<Astray> {
        let of = |from: TorId| {
            let fabric = &self.site.fabric;
            let mut lacking = fabric.receivers(fabric.transmits_into(from)).to_vec();
            lacking.sort_unstable();
            let (mut lit, mut past) = (Vec::new(), Vec::new());
            past.extend(&traced.ways[self.first_fibre(from).index()].plugs);
            for way in
                traced.fed[from.index()].into_iter().flat_map(|fed| self.branches(traced, fed))
            {
                past.extend(&way.plugs);
                let Some((tor, _)) = self.receiver(way.at) else { continue };
                match lacking.binary_search(&tor) {
                    Ok(at) => drop(lacking.remove(at)),
                    Err(_) => lit.push(tor),
                }
            }
            lit.sort_unstable();
            past.retain(|plug| moves.contains_key(plug));
            past.sort_unstable();
            past.dedup();
            Astray { from, lacking, lit, past }
        };
        let all = self.site.fabric.tor_ids().map(of);
        all.filter(|found| !found.lacking.is_empty() || !found.lit.is_empty()).collect()
    }

    /// The ways from the outputs of the splitter that was planned for a ToR.
    fn branches<'t>(&self, traced: &'t Traced, splitter: TorId) -> &'t [Way] {
        let fabric = &self.site.fabric;
        let count = fabric.receivers(fabric.transmits_into(splitter)).len();
        &traced.ways[self.first_fibre(splitter).index() + 1..][..count]
    }

    /// The ToR and the number of the port at the end of a way. `None`: it does not end at a receiver.
    fn receiver(&self, end: End) -> Option<(TorId, u16)> {
        match (self.thing(end.thing).kind, end.port) {
            (ThingKind::Switch(tor), Port::Rx(port)) => Some((tor, port)),
            _ => None,
        }
    }

    /// Takes the real ways, all of which arrive where they should, as the chains of the fibres.
    fn take(&mut self, traced: &Traced) {
        let module_of = self.module_of.clone();
        for trunk in &mut self.trunks {
            trunk.strands.fill(None);
        }
        (self.first_link, self.links) = (Vec::new(), Vec::new());
        for tor in self.site.fabric.tor_ids() {
            let fed = traced.fed[tor.index()].expect("no light is astray");
            let (module, place) = module_of[fed.index()];
            self.module_of[tor.index()] = (module, place);
            if let ThingKind::Splitters { first, .. } = self.thing(module).kind {
                self.splitters[first as usize + usize::from(place)] = Some(tor);
            }
            let first = self.first_fibre(tor);
            self.carry(first, &traced.ways[first.index()]);
            let ways = self.branches(traced, fed);
            for branch in 1..=u32::try_from(ways.len()).unwrap_or(u32::MAX) {
                let fibre = FibreId(first.0 + branch);
                let to = self.fibres[fibre.index()].tor();
                let arrives = |way: &&Way| self.receiver(way.at).is_some_and(|(tor, _)| tor == to);
                let way = ways.iter().find(arrives).expect("no light is astray");
                self.carry(fibre, way);
            }
        }
        self.maps = OnceLock::new();
    }

    /// Makes a way the chain of the next fibre.
    fn carry(&mut self, id: FibreId, way: &Way) {
        let is_feed = self.fibres[id.index()].is_feed();
        for (at, link) in way.links.iter().enumerate() {
            let at_switch = if is_feed { at == 0 } else { at + 1 == way.links.len() };
            let part = match (way.links.len(), at_switch) {
                (1, _) => Part::Whole,
                (_, true) => Part::Drop,
                (_, false) => Part::Jumper,
            };
            match &mut self.cables[link.cable.index()].kind {
                CableKind::Cord(fibre, of) => (*fibre, *of) = (id, part),
                CableKind::Trunk(number) => {
                    let trunk = &mut self.trunks[*number as usize];
                    trunk.strands[usize::from(link.strand)] = Some(id);
                }
            }
        }
        if let (Far::Receiver { port, .. }, Port::Rx(real)) =
            (&mut self.fibres[id.index()].far, way.at.port)
        {
            *port = real.into();
        }
        self.join(id, &way.links);
    }
}
