//! The family for any number of ToRs in the fewest hops.

use lightloom_request::setting::fabric::{EDGES, K, P, TORS};
use lightloom_request::{InputError, Key, Value};
use lightloom_topology::Fabric;
use lightloom_topology::family::{CustomError, kautz};

use super::asked::Asked;
use super::of::{FabricFamily, FamilyFabric};
use crate::choose;

/// The numbers of a Kautz fabric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kautz {
    /// Fan-out of the splitters.
    pub p: u32,
    /// Number of ToRs.
    pub tors: u32,
}

impl FamilyFabric for Kautz {
    fn p(&self) -> u32 {
        self.p
    }

    fn tors(&self) -> Option<u32> {
        Some(self.tors)
    }

    fn size(&self) -> &'static Key {
        &TORS
    }

    fn blamed(&self) -> &'static Key {
        if (2..=1024).contains(&self.p) { &TORS } else { &P }
    }

    fn settings(&self) -> Vec<(Key, Value)> {
        vec![(*TORS, Value::Integer(self.tors.into()))]
    }

    fn comment(&self) -> &'static str {
        "Any number of ToRs at the best possible depth. A cassette has p ToRs, the last ones may have fewer."
    }

    fn build(&self) -> Result<Fabric, CustomError> {
        Ok(kautz(self.p, self.tors)?)
    }
}

impl FabricFamily for Kautz {
    fn unused() -> Vec<&'static Key> {
        vec![&K, &EDGES]
    }

    fn read(asked: &Asked<'_>) -> Result<Self, InputError> {
        let tors = asked.need_tors()?;
        Ok(Self { p: asked.p.unwrap_or_else(|| choose::fan_out_for(tors)), tors })
    }

    fn with_tors(p: u32, tors: u32) -> Option<Result<Self, String>> {
        Some(Ok(Self { p, tors }))
    }
}
