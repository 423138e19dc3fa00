//! The chain of cables of each fibre.

use lightloom_power_cost::Mated;
use lightloom_topology::TorId;
use lightloom_topology::hall::TrayRun;

use crate::cable::{Cable, CableId, CableKind, End, Link, Port};
use crate::connector::Connector;
use crate::fibre::FibreId;
use crate::plant::Plant;

impl Plant {
    /// The feed of a ToR. Its branches follow, by number.
    pub fn first_fibre(&self, tor: TorId) -> FibreId {
        FibreId(self.first_fibre[tor.index()])
    }

    /// The cables on the way of a fibre, in the direction of the light.
    pub fn chain(&self, fibre: FibreId) -> Vec<Link> {
        let at = fibre.index();
        match self.first_link.get(at) {
            None => vec![Link { cable: CableId(fibre.0), strand: 0 }],
            Some(&first) => {
                let end = self.first_link.get(at + 1).map_or(self.links.len(), |&end| end as usize);
                self.links[first as usize..end].to_vec()
            }
        }
    }

    /// The two ends of one link of a fibre, in the direction of the light.
    pub fn link_ends(&self, fibre: FibreId, link: Link) -> [End; 2] {
        let cable = self.cable(link.cable);
        let CableKind::Trunk(number) = cable.kind else { return cable.ends };
        let leg =
            &self.trunks[number as usize].legs[usize::from(link.strand / Connector::MPO_FIBRES)];
        let [row, frame] = leg.ends;
        if self.fibres[fibre.index()].is_feed() { [row, frame] } else { [frame, row] }
    }

    /// The first and the last end of a fibre's chain.
    pub fn chain_ends(&self, fibre: FibreId) -> [End; 2] {
        let ends: Vec<[End; 2]> =
            self.chain(fibre).into_iter().map(|link| self.link_ends(fibre, link)).collect();
        [ends[0][0], ends[ends.len() - 1][1]]
    }

    /// Whether each cable of a fibre's chain starts behind the port where the one before ends.
    pub fn is_joined(&self, fibre: FibreId) -> bool {
        let chain = self.chain(fibre);
        chain.windows(2).all(|pair| {
            let (one, next) =
                (self.link_ends(fibre, pair[0])[1], self.link_ends(fibre, pair[1])[0]);
            one.thing == next.thing
                && Self::behind(one, pair[0].strand) == Self::behind(next, pair[1].strand)
        })
    }

    /// The front port of a panel that a port with a strand of a trunk belongs to.
    fn behind(end: End, strand: u16) -> Port {
        match end.port {
            Port::Rear(_) => Self::across(end, strand % Connector::MPO_FIBRES).0.port,
            port => port,
        }
    }

    /// The port on the other side of a panel, and the position there, for a position (from 0) of a port.
    pub(crate) fn across(end: End, position: u16) -> (End, u16) {
        let (port, position) = match end.port {
            Port::Rear(port) => (Port::Front((port - 1) * Connector::MPO_FIBRES + position + 1), 0),
            Port::Front(port) => {
                let before = port - 1;
                (Port::Rear(before / Connector::MPO_FIBRES + 1), before % Connector::MPO_FIBRES)
            }
            port => (port, position),
        };
        (End { port, ..end }, position)
    }

    /// The stretches of trays along a cable, from its first end.
    pub fn cable_runs(&self, cable: &Cable) -> Vec<TrayRun> {
        let [near, far] = cable.ends.map(|end| self.place(end.thing));
        self.site.hall.route(near, far).runs
    }

    /// The stretches of trays along a fibre, in the direction of the light.
    pub fn runs(&self, fibre: FibreId) -> Vec<TrayRun> {
        let mut runs = Vec::new();
        for link in self.chain(fibre) {
            let cable = self.cable(link.cable);
            let mut of_cable = self.cable_runs(cable);
            let is_trunk = matches!(cable.kind, CableKind::Trunk(_));
            if is_trunk && !self.fibres[fibre.index()].is_feed() {
                of_cable.reverse();
            }
            runs.append(&mut of_cable);
        }
        runs
    }

    /// The connector pairs on the way of a fibre, counted along its chain.
    pub fn mated(&self, fibre: FibreId) -> Mated {
        let mut mated = Mated { lc: 0, mpo: 0 };
        for link in self.chain(fibre) {
            for end in self.cable(link.cable).ends {
                match end.port {
                    Port::Tx(_) | Port::Rx(_) => {}
                    Port::Front(_) => mated.lc += 1,
                    Port::Rear(_) => mated.mpo += 1,
                }
            }
        }
        mated
    }
}
