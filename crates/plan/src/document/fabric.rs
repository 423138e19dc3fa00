//! Fabrics and routers in `plan.json`.

use lightloom_design::design::RouterChoice;
use lightloom_design::family::{Custom, FabricSpec, Kautz};
use lightloom_request::choices::RouterName;
use lightloom_topology::family::Shufflecast;
use lightloom_topology::seat::Seat;
use lightloom_topology::{CassetteId, FabricError, TorId};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum FabricPart {
    Shufflecast {
        p: u32,
        k: u32,
    },
    Kautz {
        p: u32,
        tors: u32,
    },
    Custom {
        p: u32,
        edges: Vec<(TorId, CassetteId, CassetteId)>,
        /// Slot, branch, number of the splitter and number of the ToR, ToR 0 first.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        seats: Vec<[u32; 4]>,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RouterPart {
    name: String,
    extra_hops: u32,
}

impl From<&FabricSpec> for FabricPart {
    fn from(spec: &FabricSpec) -> Self {
        match spec {
            FabricSpec::Shufflecast(shape) => Self::Shufflecast { p: shape.p(), k: shape.k() },
            FabricSpec::Kautz(Kautz { p, tors }) => Self::Kautz { p: *p, tors: *tors },
            FabricSpec::Custom(Custom { p, edges, seats }) => {
                let seat = |seat: &Seat| [seat.slot, seat.branch, seat.splitter, seat.number];
                let seats = seats.iter().map(seat).collect();
                Self::Custom { p: *p, edges: edges.clone(), seats }
            }
        }
    }
}

impl FabricPart {
    pub(super) fn restore(&self) -> Result<FabricSpec, FabricError> {
        Ok(match self {
            Self::Shufflecast { p, k } => FabricSpec::Shufflecast(Shufflecast::new(*p, *k)?),
            Self::Kautz { p, tors } => FabricSpec::Kautz(Kautz { p: *p, tors: *tors }),
            Self::Custom { p, edges, seats } => {
                let seat = |&[slot, branch, splitter, number]: &[u32; 4]| Seat {
                    slot,
                    branch,
                    splitter,
                    number,
                };
                let seats = seats.iter().map(seat).collect();
                FabricSpec::Custom(Custom { p: *p, edges: edges.clone(), seats })
            }
        })
    }
}

impl From<RouterChoice> for RouterPart {
    fn from(router: RouterChoice) -> Self {
        Self { name: router.name().to_string(), extra_hops: router.extra_hops() }
    }
}

impl RouterPart {
    /// The router. `None`: it is no router of this fabric.
    pub(super) fn restore(&self, fabric: &FabricSpec) -> Option<RouterChoice> {
        match (RouterName::named(&self.name)?, self.extra_hops, fabric) {
            (RouterName::Algorithm1, 0, _) if fabric.shape().is_some() => {
                Some(RouterChoice::Algorithm1)
            }
            (RouterName::Arborescence, 0, _) => Some(RouterChoice::Arborescence),
            (RouterName::Arborescence, 1, _) => Some(RouterChoice::OneMoreHop),
            _ => None,
        }
    }
}
