//! Which fabric a design has.

use lightloom_topology::family::{CustomError, Shufflecast, custom, kautz};
use lightloom_topology::{CassetteId, Fabric, FabricError, TorId};

use crate::edges::read_edges;
use crate::inventory::Inventory;
use crate::settings::{Settings, Value};
use crate::{InputError, choose};

/// Which fabric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FabricSpec {
    /// A p,k-Shufflecast.
    Shufflecast(Shufflecast),
    /// The kautz family.
    Kautz {
        /// Splitter fan-out.
        p: u32,
        /// Number of ToRs.
        tors: u32,
    },
    /// An edge list: (ToR, cassette that feeds it, cassette that it transmits into).
    Custom {
        /// Splitter fan-out.
        p: u32,
        /// The edges.
        edges: Vec<(TorId, CassetteId, CassetteId)>,
    },
}

impl FabricSpec {
    /// The family's name.
    pub fn family(&self) -> &'static str {
        match self {
            Self::Shufflecast(_) => "shufflecast",
            Self::Kautz { .. } => "kautz",
            Self::Custom { .. } => "custom",
        }
    }

    /// Splitter fan-out.
    pub fn p(&self) -> u32 {
        match self {
            Self::Shufflecast(shape) => shape.p(),
            Self::Kautz { p, .. } | Self::Custom { p, .. } => *p,
        }
    }

    /// Columns of a Shufflecast.
    pub fn k(&self) -> Option<u32> {
        match self {
            Self::Shufflecast(shape) => Some(shape.k()),
            Self::Kautz { .. } | Self::Custom { .. } => None,
        }
    }

    /// Builds it.
    pub(crate) fn build(&self) -> Result<Fabric, CustomError> {
        Ok(match self {
            Self::Shufflecast(shape) => shape.fabric()?,
            Self::Kautz { p, tors } => kautz(*p, *tors)?,
            Self::Custom { p, edges } => custom(*p, edges)?,
        })
    }
}

/// The fabric that settings ask for; what they leave open is chosen.
pub(crate) fn read_spec(
    settings: &Settings,
    inventory: Option<&Inventory>,
) -> Result<FabricSpec, InputError> {
    let whole = "a whole number from 0 to 4294967295";
    let p: Option<u32> = settings.number("fabric.p", whole)?;
    let k: Option<u32> = settings.number("fabric.k", whole)?;
    let said_tors: Option<u32> = settings.number("fabric.tors", whole)?;
    let racks = inventory.map(|i| u32::try_from(i.racks.len()).unwrap_or(u32::MAX));
    let tors = said_tors.or(racks);
    let family = settings.text("fabric.family")?;
    let unused: &[&str] = match family {
        Some("shufflecast") => &["fabric.edges"],
        Some("kautz") => &["fabric.k", "fabric.edges"],
        Some("custom") => &["fabric.k", "fabric.tors"],
        None => &["fabric.edges"],
        Some(other) => {
            let message = format!("found {other:?}; expected one of shufflecast, kautz, custom");
            return Err(settings.refuse("fabric.family", message));
        }
    };
    if let Some(name) = unused.iter().find(|name| settings.has(name)) {
        let family = family.unwrap_or("open");
        return Err(settings.refuse(name, format!("has no meaning when the family is {family}")));
    }
    let need_p = || {
        p.ok_or_else(|| {
            settings.refuse("fabric.p", "is missing; give the splitter's fan-out, such as 4")
        })
    };
    let need_tors = || {
        tors.ok_or_else(|| {
            settings.refuse("fabric.tors", "is missing; give the number of ToRs, or an inventory")
        })
    };
    match family {
        Some("custom") => {
            let p = need_p()?;
            let path = settings.path("fabric.edges")?.ok_or_else(|| {
                settings.refuse(
                    "fabric.edges",
                    "is missing; name a CSV file with columns tor,from_cassette,to_cassette",
                )
            })?;
            read_edges(settings, &path, p).map(|edges| FabricSpec::Custom { p, edges })
        }
        Some("kautz") => {
            let tors = need_tors()?;
            let p = p.unwrap_or_else(|| choose::fan_out_for(tors));
            Ok(FabricSpec::Kautz { p, tors })
        }
        Some(_) => shufflecast(settings, p, k, tors, said_tors),
        None if k.is_some() => shufflecast(settings, p, k, tors, said_tors),
        None => Ok(choose::fabric_for(need_tors()?, p)),
    }
}

/// The setting that a shape's error is about.
fn blame(error: &FabricError) -> &'static str {
    match error {
        FabricError::FanOut(_) => "fabric.p",
        FabricError::Tors(_) => "fabric.tors",
        _ => "fabric.k",
    }
}

fn shufflecast(
    settings: &Settings,
    p: Option<u32>,
    k: Option<u32>,
    tors: Option<u32>,
    said_tors: Option<u32>,
) -> Result<FabricSpec, InputError> {
    if let (Some(p), Some(k)) = (p, k) {
        let shape = Shufflecast::new(p, k).map_err(|e| settings.refuse(blame(&e), e))?;
        if let Some(said) = said_tors.filter(|&said| said != shape.tors()) {
            let message =
                format!("found {said}, but a {p},{k}-Shufflecast has {} ToRs", shape.tors());
            return Err(settings.refuse("fabric.tors", message));
        }
        return Ok(FabricSpec::Shufflecast(shape));
    }
    let Some(tors) = tors else {
        let missing = if p.is_none() { "fabric.p" } else { "fabric.k" };
        return Err(
            settings.refuse(missing, "is missing; a Shufflecast needs p and k, such as 4 and 4")
        );
    };
    let shape = match (p, k) {
        (Some(p), _) => Shufflecast::with_tors(p, tors),
        (None, Some(k)) => {
            (2..=1024).filter_map(|p| Shufflecast::new(p, k).ok()).find(|s| s.tors() == tors)
        }
        (None, None) => match choose::fabric_for(tors, None) {
            FabricSpec::Shufflecast(shape) => Some(shape),
            // One column, where nothing better fits.
            _ => Shufflecast::new(tors, 1).ok(),
        },
    };
    shape.map(FabricSpec::Shufflecast).ok_or_else(|| {
        let message = format!("{tors} ToRs fit no such Shufflecast (k p^k); take the kautz family, which fits any number");
        settings.refuse("fabric.family", message)
    })
}

/// The settings that say which fabric a design has.
pub(crate) fn fabric_settings(spec: &FabricSpec) -> Vec<(&'static str, Value)> {
    let number = |n: u32| Value::Integer(n.into());
    let mut said =
        vec![("fabric.family", Value::Text(spec.family().into())), ("fabric.p", number(spec.p()))];
    match spec {
        FabricSpec::Shufflecast(shape) => said.push(("fabric.k", number(shape.k()))),
        FabricSpec::Kautz { tors, .. } => said.push(("fabric.tors", number(*tors))),
        FabricSpec::Custom { .. } => {}
    }
    said
}
