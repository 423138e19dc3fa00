//! Fabrics from edge lists.

use lightloom_request::setting::fabric::{EDGES, K, TORS};
use lightloom_request::{InputError, Key, Value};
use lightloom_topology::Fabric;
use lightloom_topology::family::{CustomError, custom};
use lightloom_topology::seat::Seat;

use super::asked::{Asked, Edges};
use super::of::{FabricFamily, FamilyFabric};

/// The edges of a fabric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Custom {
    /// Fan-out of the splitters.
    pub p: u32,
    /// The edges: (ToR, cassette that feeds it, cassette that it transmits into).
    pub edges: Edges,
    /// The seats of a fabric that grew, ToR 0 first. Empty: ToRs are seated in the order of their numbers.
    pub seats: Vec<Seat>,
}

impl FamilyFabric for Custom {
    fn p(&self) -> u32 {
        self.p
    }

    fn tors(&self) -> Option<u32> {
        None
    }

    fn described_tors(&self) -> u64 {
        self.edges.len() as u64
    }

    fn size(&self) -> &'static Key {
        &EDGES
    }

    fn settings(&self) -> Vec<(Key, Value)> {
        Vec::new()
    }

    fn comment(&self) -> &'static str {
        "The ToRs are those of an edge list."
    }

    fn build(&self) -> Result<Fabric, CustomError> {
        let fabric = custom(self.p, &self.edges)?;
        if self.seats.is_empty() { Ok(fabric) } else { Ok(fabric.seated(&self.seats)?) }
    }
}

impl FabricFamily for Custom {
    fn unused() -> Vec<&'static Key> {
        vec![&K, &TORS]
    }

    fn read(asked: &Asked<'_>) -> Result<Self, InputError> {
        let p = asked.need_p()?;
        let path = asked.settings.path(&EDGES)?.ok_or_else(|| {
            let message = "is missing; name a CSV file with columns tor,from_cassette,to_cassette";
            asked.settings.refuse(&EDGES, message)
        })?;
        Ok(Self { p, edges: (asked.read_edges)(&path, p)?, seats: Vec::new() })
    }
}
