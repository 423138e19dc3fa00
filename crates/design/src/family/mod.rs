//! The families of fabrics. Each is one file here and one line of `families!`.
//!
//! A family says how its fabric is read from the settings, what it is, and how it is built.

mod asked;
mod custom;
mod kautz;
mod of;
mod shufflecast;

use lightloom_request::choices::Family;
use lightloom_request::setting::fabric::{FAMILY, K, P, TORS};
use lightloom_request::{InputError, Key, Settings, Value, setting};
use lightloom_topology::Fabric;
use lightloom_topology::family::{CustomError, Shufflecast};
use lightloom_topology::seat::Seat;

use asked::Asked;
use of::{FabricFamily, FamilyFabric};

use crate::choose;
use crate::inventory::Inventory;

pub use asked::{Edges, ReadEdges};
pub use custom::Custom;
pub use kautz::Kautz;

/// Makes [`FabricSpec`] from the list of families. Each has the name that [`Family`] has.
macro_rules! families {
    ($($(#[doc = $about:literal])+ $family:ident,)+) => {
        /// The fabric of a design.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum FabricSpec {
            $($(#[doc = $about])+ $family($family),)+
        }

        impl FabricSpec {
            /// The family.
            pub fn family(&self) -> Family {
                match self {
                    $(Self::$family(_) => Family::$family,)+
                }
            }

            /// What it is in its family.
            fn fabric(&self) -> &dyn FamilyFabric {
                match self {
                    $(Self::$family(fabric) => fabric,)+
                }
            }

            /// Reads a fabric of a family.
            fn read(family: Family, asked: &Asked<'_>) -> Result<Self, InputError> {
                match family {
                    $(Family::$family => {
                        asked.refuse_unused(&$family::unused(), family.name())?;
                        $family::read(asked).map(Self::$family)
                    })+
                }
            }

            /// All fabrics of a number of ToRs with a splitter, and families without one, with the reason.
            pub fn with_tors(p: u32, tors: u32) -> Vec<Result<Self, (Family, String)>> {
                let found = [$(<$family as FabricFamily>::with_tors(p, tors).map(|found| {
                    found.map(Self::$family).map_err(|reason| (Family::$family, reason))
                }),)+];
                found.into_iter().flatten().collect()
            }
        }
    };
}

families! {
    /// A p,k-Shufflecast.
    Shufflecast,
    /// A Kautz fabric.
    Kautz,
    /// A fabric from an edge list.
    Custom,
}

impl FabricSpec {
    /// The fabric of the settings. Values that are not given are chosen.
    ///
    /// # Errors
    /// [`InputError`] names the setting that is missing or wrong.
    pub fn asked(
        settings: &Settings,
        inventory: Option<&Inventory>,
        read_edges: ReadEdges<'_>,
    ) -> Result<Self, InputError> {
        let p: Option<u32> = settings.get(&P)?;
        let k: Option<u32> = settings.get(&K)?;
        let said_tors: Option<u32> = settings.get(&TORS)?;
        let racks = inventory.map(|inventory| {
            let frames = settings.get(&setting::splitters::FRAMES).ok().flatten();
            let frames = frames.map_or(0, |named| named.len());
            u32::try_from(inventory.racks.len().saturating_sub(frames)).unwrap_or(u32::MAX)
        });
        let logical: u32 = settings.value(&setting::tor::LOGICAL)?;
        let racks = racks.map(|racks| racks.saturating_mul(logical));
        let tors = said_tors.or(racks);
        let asked = Asked { settings, p, k, tors, said_tors, read_edges };
        match settings.get(&FAMILY)? {
            Some(family) => Self::read(family, &asked),
            None => {
                asked.refuse_unused(&Shufflecast::unused(), "open")?;
                if k.is_some() {
                    Shufflecast::read(&asked).map(Self::Shufflecast)
                } else {
                    Ok(Self::for_tors(asked.need_tors()?, p))
                }
            }
        }
    }

    /// A Shufflecast if the number fits one with at least two columns, otherwise a Kautz fabric.
    pub fn for_tors(tors: u32, splitter: Option<u32>) -> Self {
        match choose::shape_for(tors, splitter) {
            Some(shape) => Self::Shufflecast(shape),
            None => {
                let p = splitter.unwrap_or_else(|| choose::fan_out_for(tors));
                Self::Kautz(Kautz { p, tors })
            }
        }
    }

    /// Describes a fabric by its edges and given seats.
    pub fn of(fabric: &Fabric) -> Self {
        let edge = |tor| (tor, fabric.receives_from(tor), fabric.transmits_into(tor));
        let seats = fabric.given_seats().map(<[Seat]>::to_vec).unwrap_or_default();
        let edges = fabric.tor_ids().map(edge).collect();
        Self::Custom(Custom { p: fabric.fan_out(), edges, seats })
    }

    /// Fan-out of the splitters.
    pub fn p(&self) -> u32 {
        self.fabric().p()
    }

    /// Number of columns of a Shufflecast.
    pub fn k(&self) -> Option<u32> {
        self.shape().map(|shape| shape.k())
    }

    /// The columns and rows that its ToRs stand in. `None`: it is no Shufflecast.
    pub fn shape(&self) -> Option<Shufflecast> {
        self.fabric().shape()
    }

    /// The number of ToRs, where it is known before the fabric is built. `None`: an edge list says it.
    pub fn tors(&self) -> Option<u32> {
        self.fabric().tors()
    }

    /// The number of ToRs, or that of the entries that describe them.
    pub fn described_tors(&self) -> u64 {
        self.fabric().described_tors()
    }

    /// The setting that says how many ToRs it has.
    pub fn size(&self) -> &'static Key {
        self.fabric().size()
    }

    /// The setting that is wrong if the fabric cannot be built.
    pub fn blamed(&self) -> &'static Key {
        self.fabric().blamed()
    }

    /// What a design file says about it.
    pub fn comment(&self) -> &'static str {
        self.fabric().comment()
    }

    /// The settings that define it, with their values.
    pub fn settings(&self) -> Vec<(Key, Value)> {
        let family = (*FAMILY, Value::from(self.family().name()));
        let mut said = vec![family, (*P, Value::Integer(self.p().into()))];
        said.extend(self.fabric().settings());
        said
    }

    /// Builds it.
    ///
    /// # Errors
    /// [`CustomError`] if an edge list is not a valid fabric, or if numbers give none.
    pub fn build(&self) -> Result<Fabric, CustomError> {
        self.fabric().build()
    }
}
