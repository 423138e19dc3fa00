//! Where splitters sit, how fibres run to them, and which connector pairs follow from it.

use lightloom_power_cost::Mated;
use lightloom_power_cost::parts::Polish;
use lightloom_topology::hall::{Cabling, Housing, Shuffle};
use serde::{Deserialize, Serialize};

/// Where splitters sit and how fibres run to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scheme {
    /// Place of the splitters.
    pub housing: Housing,
    /// How fibres run between racks and splitters.
    pub cabling: Cabling,
    /// How outputs come to the trunks of their receivers. Only with trunks.
    pub shuffle: Shuffle,
    /// Polish of the splitters' connectors. Transceivers are LC/UPC.
    pub splitter_polish: Polish,
    /// Share of positions that stay free in the trunks of a row, in percent, rounded up.
    pub spare_percent: u32,
}

impl Scheme {
    /// Largest share of positions to spare, in percent of the used ones.
    pub const MOST_SPARE_PERCENT: u32 = 300;

    /// One cord from port to port.
    pub fn point_to_point(housing: Housing) -> Self {
        Self {
            housing,
            cabling: Cabling::PointToPoint,
            shuffle: Shuffle::Jumpers,
            splitter_polish: Polish::Upc,
            spare_percent: 0,
        }
    }

    /// Whether fibres run in trunks.
    pub fn is_trunked(&self) -> bool {
        self.cabling == Cabling::Trunked
    }

    /// Pairs on each feed.
    pub fn mated_on_feeds(&self) -> Mated {
        match self.cabling {
            // The splitter's input.
            Cabling::PointToPoint => Mated::AT_SPLITTER,
            // Row panel in front, the trunk's two ends, frame panel in front, the splitter's input.
            Cabling::Trunked => Mated { lc: 3, mpo: 2 },
        }
    }

    /// Pairs on each branch.
    pub fn mated_on_branches(&self) -> Mated {
        match (self.cabling, self.shuffle) {
            (Cabling::PointToPoint, _) => Mated::AT_SPLITTER,
            (Cabling::Trunked, Shuffle::Jumpers) => Mated { lc: 3, mpo: 2 },
            // The module's output, the trunk's far end, the row panel in front.
            (Cabling::Trunked, Shuffle::Modules) => Mated { lc: 1, mpo: 2 },
        }
    }
}
