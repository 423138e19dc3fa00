//! Next hops in any network: a row for each switch with hosts, a cell for each switch.

use crate::electrical::error::NetworkError;
use crate::electrical::id::{NodeId, PortId};
use crate::electrical::limits::MAX_TABLE;
use crate::electrical::next_hops::NextHops;
use crate::electrical::wiring::{Search, Wiring};

/// A table of next hops. Hosts of one switch share a row.
#[derive(Debug, Clone)]
pub(super) struct Table {
    /// The row of each host.
    rows: Vec<u32>,
    /// The cells of each row, one per switch.
    cells: Vec<Cell>,
    /// The ports that cells list.
    listed: Vec<u16>,
}

/// The ports of one switch toward another.
#[derive(Debug, Clone, Copy)]
enum Cell {
    Range { first: u16, count: u16 },
    List { start: u32, len: u16 },
}

impl Table {
    /// Searches from each switch with hosts.
    pub(super) fn new(wiring: &Wiring) -> Result<Self, NetworkError> {
        let (hosts, switches) = (wiring.hosts(), wiring.switches());
        let mut row_of = vec![None; switches];
        let mut targets = Vec::new();
        let mut rows = Vec::with_capacity(hosts);
        for host in (0..hosts).map(NodeId::at) {
            let target = wiring.host_port(host).peer;
            let row = row_of[target.index() - hosts].get_or_insert_with(|| {
                targets.push(target);
                narrow(targets.len() - 1)
            });
            rows.push(*row);
        }
        let too_large = NetworkError::Table { switches, targets: targets.len() };
        let cells = switches.saturating_mul(targets.len());
        if cells > MAX_TABLE {
            return Err(too_large);
        }
        let mut table = Self { rows, cells: Vec::with_capacity(cells), listed: Vec::new() };
        let mut search = Search::default();
        for target in targets {
            search.run(wiring, [target]);
            for at in (hosts..wiring.nodes()).map(NodeId::at) {
                table.push(wiring, &search.depth, at);
            }
            if cells + table.listed.len() > MAX_TABLE {
                return Err(too_large);
            }
        }
        Ok(table)
    }

    /// Adds the cell of a switch, given the distances to the target.
    fn push(&mut self, wiring: &Wiring, depth: &[u32], at: NodeId) {
        let nearer = |peer: NodeId| depth[peer.index()] < depth[at.index()];
        let ports = wiring.ports(at).iter().enumerate();
        let start = self.listed.len();
        self.listed.extend(ports.filter(|(_, p)| nearer(p.peer)).map(|(i, _)| PortId::at(i).0));
        let list = &self.listed[start..];
        let len = PortId::at(list.len()).0;
        let cell = match (list.first(), list.last()) {
            (Some(first), Some(last)) if last - first >= len => {
                Cell::List { start: narrow(start), len }
            }
            (first, _) => {
                let first = first.copied().unwrap_or(0);
                self.listed.truncate(start);
                Cell::Range { first, count: len }
            }
        };
        self.cells.push(cell);
    }

    /// The next hops of a switch toward a host.
    #[inline]
    pub(super) fn routes(&self, wiring: &Wiring, at: NodeId, to: NodeId) -> NextHops<'_> {
        let last = wiring.host_port(to);
        if last.peer == at {
            return NextHops::Range { first: last.peer_port.0, count: 1 };
        }
        let row = self.rows[to.index()] as usize * wiring.switches();
        match self.cells[row + at.index() - wiring.hosts()] {
            Cell::Range { first, count } => NextHops::Range { first, count },
            Cell::List { start, len } => {
                let start = start as usize;
                NextHops::List(&self.listed[start..start + usize::from(len)])
            }
        }
    }
}

/// A position among rows or listed ports.
fn narrow(position: usize) -> u32 {
    u32::try_from(position).expect("there are at most 2^20 rows, and 2^26 entries before a row")
}
