//! The validated form of a request: a design that cannot be illegal.

use std::path::{Path, PathBuf};

use lightloom_export::Housing;
use lightloom_topology::family::{CustomError, Shufflecast, custom, kautz};
use lightloom_topology::{CassetteId, Fabric, FabricError, TorId};
use lightloom_units::Length;

use crate::inventory::{Filters, Inventory};
use crate::settings::{Settings, Value};
use crate::text::Table;
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

/// Which router.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouterChoice {
    /// The paper's, for Shufflecast.
    Algorithm1,
    /// Fewest hops with even load, for every fabric.
    Arborescence,
    /// Each cassette up to one hop late, for more even load still.
    OneMoreHop,
}

impl RouterChoice {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Algorithm1 => "algorithm1",
            Self::Arborescence | Self::OneMoreHop => "arborescence",
        }
    }

    /// Hops that a ToR may be farther than it must.
    pub fn extra_hops(self) -> u32 {
        u32::from(self == Self::OneMoreHop)
    }
}

/// Geometry that a design may give; what it leaves open follows from the racks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Geometry {
    pub(crate) racks_per_row: Option<u32>,
    pub(crate) rack_pitch: Option<Length>,
    pub(crate) row_pitch: Option<Length>,
    pub(crate) width: Option<Length>,
    pub(crate) depth: Option<Length>,
    pub(crate) cross_aisles: Option<Vec<Length>>,
    pub(crate) tray_height: Option<Length>,
    pub(crate) tray_width: Option<Length>,
    pub(crate) tray_depth: Option<Length>,
    pub(crate) fibre_diameter: Option<Length>,
    pub(crate) rack_entry: Option<Length>,
    pub(crate) slack: Option<Length>,
}

/// A design: everything that is asked for, checked.
#[derive(Debug, Clone)]
pub struct Design {
    /// Which fabric.
    pub fabric: FabricSpec,
    /// Which router.
    pub router: RouterChoice,
    /// Where the splitters sit.
    pub housing: Housing,
    /// Spares, in percent of each quantity.
    pub spares_percent: u32,
    pub(crate) geometry: Geometry,
    pub(crate) inventory: Option<Inventory>,
    pub(crate) placement: Option<PathBuf>,
    pub(crate) keep: Option<PathBuf>,
    /// For messages about values that only the whole shows to be wrong.
    pub(crate) settings: Settings,
}

impl Design {
    /// Checks settings, and reads the files that they name.
    ///
    /// # Errors
    /// [`InputError`] at the first value that is wrong.
    pub fn new(settings: Settings) -> Result<Self, InputError> {
        let inventory = read_inventory(&settings)?;
        let fabric = fabric_spec(&settings, inventory.as_ref())?;
        let placement = settings.path("hall.placement")?;
        let keep = settings.path("hall.keep")?;
        if placement.is_some() && keep.is_some() {
            let message = "a placement file and an old plan to keep were both given; give one";
            return Err(settings.refuse("hall.placement", message));
        }
        Ok(Self {
            router: router(&settings, &fabric)?,
            housing: housing(&settings)?,
            spares_percent: spares(&settings)?,
            geometry: geometry(&settings)?,
            fabric,
            inventory,
            placement,
            keep,
            settings,
        })
    }
}

fn read_inventory(settings: &Settings) -> Result<Option<Inventory>, InputError> {
    let filters = Filters {
        site: settings.list("hall.site")?.map(<[String]>::to_vec),
        location: settings.list("hall.location")?.map(<[String]>::to_vec),
        status: settings.list("hall.status")?.map(<[String]>::to_vec),
    };
    match settings.path("hall.inventory")? {
        Some(path) => Inventory::read(&path, &filters).map(Some),
        None => {
            let filter = ["hall.site", "hall.location", "hall.status"];
            match filter.into_iter().find(|name| settings.has(name)) {
                Some(name) => Err(settings.refuse(name, "filters an inventory, but none was given")),
                None => Ok(None),
            }
        }
    }
}

fn fabric_spec(
    settings: &Settings,
    inventory: Option<&Inventory>,
) -> Result<FabricSpec, InputError> {
    let whole = "a whole number from 0 to 4294967295";
    let p: Option<u32> = settings.number("fabric.p", whole)?;
    let k: Option<u32> = settings.number("fabric.k", whole)?;
    let said_tors: Option<u32> = settings.number("fabric.tors", whole)?;
    let racks = inventory.map(|i| u32::try_from(i.racks.len()).unwrap_or(u32::MAX));
    let tors = said_tors.or(racks);
    let refuse = |name: &str, error: FabricError| settings.refuse(name, error);
    let family = settings.text("fabric.family")?;
    let unused: &[&str] = match family {
        Some("shufflecast") => &["fabric.edges"],
        Some("kautz") => &["fabric.k", "fabric.edges"],
        Some("custom") => &["fabric.k", "fabric.tors"],
        None => &["fabric.edges"],
        Some(other) => {
            let message = format!("found {other:?}; expected shufflecast, kautz or custom");
            return Err(settings.refuse("fabric.family", message));
        }
    };
    if let Some(name) = unused.iter().find(|name| settings.has(name)) {
        let family = family.unwrap_or("open");
        return Err(settings.refuse(name, format!("has no meaning when the family is {family}")));
    }
    let need_p = || p.ok_or_else(|| settings.refuse("fabric.p", "is missing; give the splitter's fan-out, such as 4"));
    let need_tors = || tors.ok_or_else(|| settings.refuse("fabric.tors", "is missing; give the number of ToRs, or an inventory"));
    match family {
        Some("custom") => {
            let p = need_p()?;
            let path = settings.path("fabric.edges")?.ok_or_else(|| {
                settings.refuse("fabric.edges", "is missing; name a CSV file with columns tor,from_cassette,to_cassette")
            })?;
            read_edges(&path, p).map(|edges| FabricSpec::Custom { p, edges })
        }
        Some("kautz") => {
            let tors = need_tors()?;
            let p = p.unwrap_or_else(|| choose::fan_out_for(tors));
            Ok(FabricSpec::Kautz { p, tors })
        }
        Some(_) => shufflecast(settings, p, k, tors, said_tors),
        None if k.is_some() => {
            let shape = Shufflecast::new(need_p()?, k.unwrap_or(0));
            Ok(FabricSpec::Shufflecast(shape.map_err(|e| refuse(blame(&e), e))?))
        }
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
            let message = format!("found {said}, but a {p},{k}-Shufflecast has {} ToRs", shape.tors());
            return Err(settings.refuse("fabric.tors", message));
        }
        return Ok(FabricSpec::Shufflecast(shape));
    }
    let Some(tors) = tors else {
        let missing = if p.is_none() { "fabric.p" } else { "fabric.k" };
        return Err(settings.refuse(missing, "is missing; a Shufflecast needs p and k, such as 4 and 4"));
    };
    let shape = match (p, k) {
        (Some(p), _) => Shufflecast::with_tors(p, tors),
        (None, Some(k)) => (2..=1024).filter_map(|p| Shufflecast::new(p, k).ok()).find(|s| s.tors() == tors),
        (None, None) => match choose::fabric_for(tors, None) {
            FabricSpec::Shufflecast(shape) => Some(shape),
            _ => None,
        },
    };
    shape.map(FabricSpec::Shufflecast).ok_or_else(|| {
        let message = format!("{tors} ToRs fit no such Shufflecast (k p^k); take the kautz family, which fits any number");
        settings.refuse("fabric.family", message)
    })
}

fn router(settings: &Settings, fabric: &FabricSpec) -> Result<RouterChoice, InputError> {
    let is_shufflecast = matches!(fabric, FabricSpec::Shufflecast(_));
    let extra: u32 = settings.number("routing.extra_hops", "0 or 1")?.unwrap_or(0);
    let router = match settings.text("routing.router")? {
        None if is_shufflecast && extra == 0 => RouterChoice::Algorithm1,
        None | Some("arborescence") => RouterChoice::Arborescence,
        Some("algorithm1") if is_shufflecast => RouterChoice::Algorithm1,
        Some("algorithm1") => {
            let message = "algorithm1 routes only a shufflecast; take arborescence";
            return Err(settings.refuse("routing.router", message));
        }
        Some(other) => {
            let message = format!("found {other:?}; expected algorithm1 or arborescence");
            return Err(settings.refuse("routing.router", message));
        }
    };
    match (router, extra) {
        (router, 0) => Ok(router),
        (RouterChoice::Arborescence, 1) => Ok(RouterChoice::OneMoreHop),
        (RouterChoice::Algorithm1, _) => Err(settings.refuse(
            "routing.extra_hops",
            "algorithm1 takes no extra hops; take the arborescence router",
        )),
        (_, found) => {
            Err(settings.refuse("routing.extra_hops", format!("found {found}; expected 0 or 1")))
        }
    }
}

fn housing(settings: &Settings) -> Result<Housing, InputError> {
    match settings.text("splitters.housing")? {
        None | Some("sender") => Ok(Housing::Sender),
        Some("receiver") => Ok(Housing::Receiver),
        Some(other) => {
            let message = format!("found {other:?}; expected \"sender\" or \"receiver\"");
            Err(settings.refuse("splitters.housing", message))
        }
    }
}

fn spares(settings: &Settings) -> Result<u32, InputError> {
    let name = "order.spares_percent";
    match settings.number::<u32>(name, "0 to 1000")?.unwrap_or(5) {
        percent @ 0..=1000 => Ok(percent),
        found => Err(settings.refuse(name, format!("found {found}; expected 0 to 1000"))),
    }
}

fn geometry(settings: &Settings) -> Result<Geometry, InputError> {
    let racks_per_row = settings.number("hall.racks_per_row", "1 or more")?;
    if racks_per_row == Some(0) {
        return Err(settings.refuse("hall.racks_per_row", "found 0; expected 1 or more"));
    }
    let positive = |name: &str| match settings.quantity::<Length>(name)? {
        Some(Length::ZERO) => Err(settings.refuse(name, "found 0 m; expected more")),
        length => Ok(length),
    };
    let cross_aisles = settings.list("hall.cross_aisles")?.map(|list| {
        let parsed = list.iter().map(|text| text.parse()).collect::<Result<Vec<Length>, _>>();
        parsed.map_err(|error| settings.refuse("hall.cross_aisles", error))
    });
    Ok(Geometry {
        racks_per_row,
        rack_pitch: positive("hall.rack_pitch")?,
        row_pitch: positive("hall.row_pitch")?,
        width: positive("hall.width")?,
        depth: positive("hall.depth")?,
        cross_aisles: cross_aisles.transpose()?,
        tray_height: settings.quantity("hall.tray_height")?,
        tray_width: positive("hall.tray_width")?,
        tray_depth: positive("hall.tray_depth")?,
        fibre_diameter: positive("hall.fibre_diameter")?,
        rack_entry: settings.quantity("hall.rack_entry")?,
        slack: settings.quantity("hall.slack")?,
    })
}

/// Reads a custom edge list and checks that it is a fabric, so that a fault names its line.
fn read_edges(path: &Path, p: u32) -> Result<Vec<(TorId, CassetteId, CassetteId)>, InputError> {
    const COLUMNS: [&str; 3] = ["tor", "from_cassette", "to_cassette"];
    let table = Table::read(path)?;
    table.require(path, &COLUMNS)?;
    let mut edges = Vec::new();
    let mut lines = Vec::new();
    for record in table.records(path) {
        let number = |column: &str| record.number::<u32>(column, "a number from 0");
        let [tor, from, to] = COLUMNS;
        edges.push((TorId(number(tor)?), CassetteId(number(from)?), CassetteId(number(to)?)));
        lines.push(record.line());
    }
    let Err(error) = custom(p, &edges) else { return Ok(edges) };
    let refused = InputError::new(&error).in_file(path);
    let line_of = |tor: TorId| edges.iter().position(|e| e.0 == tor).map(|i| lines[i]);
    let (line, field) = match &error {
        CustomError::Twice { entry, .. } | CustomError::Gap { entry, .. } => {
            (lines.get(*entry).copied(), "tor")
        }
        CustomError::Fabric(error) => match error {
            FabricError::TooManyTransmitters { tor, .. } => (line_of(*tor), "to_cassette"),
            FabricError::TooManyReceivers { tor, .. } => (line_of(*tor), "from_cassette"),
            FabricError::NoSuchCassette { tor, cassette, .. } => {
                let feeds = edges.iter().any(|e| e.0 == *tor && e.1 == *cassette);
                (line_of(*tor), if feeds { "from_cassette" } else { "to_cassette" })
            }
            FabricError::FanOut(_) => return Err(InputError::new(error).in_field("--p")),
            FabricError::Disconnected { to, .. } => {
                (edges.iter().position(|e| e.1 == *to || e.2 == *to).map(|i| lines[i]), "to_cassette")
            }
            _ => (None, "tor"),
        },
    };
    let refused = refused.in_field(field);
    Err(line.map_or(refused.clone(), |line| refused.at_line(line)))
}

/// The settings that say which fabric a design has.
pub(crate) fn fabric_settings(spec: &FabricSpec) -> Vec<(&'static str, Value)> {
    let number = |n: u32| Value::Integer(n.into());
    let mut said = vec![
        ("fabric.family", Value::Text(spec.family().into())),
        ("fabric.p", number(spec.p())),
    ];
    match spec {
        FabricSpec::Shufflecast(shape) => said.push(("fabric.k", number(shape.k()))),
        FabricSpec::Kautz { tors, .. } => said.push(("fabric.tors", number(*tors))),
        FabricSpec::Custom { .. } => {}
    }
    said
}
