//! The validated form of a request: a design that cannot be illegal.

use std::path::PathBuf;

use lightloom_export::Housing;
use lightloom_units::Length;

use crate::InputError;
use crate::fabric_spec::{FabricSpec, read_spec};
use crate::inventory::{Filters, Inventory, RowsFrom};
use crate::settings::Settings;

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
        let fabric = read_spec(&settings, inventory.as_ref())?;
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
    let filters = Filters::read(settings)?;
    let rows_from = RowsFrom::read(settings)?;
    match (settings.path("hall.inventory")?, Filters::first_key(settings)) {
        (Some(path), _) => Inventory::read(&path, &filters, rows_from, &settings.texts).map(Some),
        (None, Some(key)) => Err(settings.refuse(key, "filters an inventory, but none was given")),
        (None, None) if rows_from.is_some() => {
            let message = "names a column of an inventory, but none was given";
            Err(settings.refuse(RowsFrom::KEY, message))
        }
        (None, None) => Ok(None),
    }
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
            let message = format!("found {other:?}; expected one of algorithm1, arborescence");
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
    let Some(name) = settings.text("splitters.housing")? else { return Ok(Housing::Sender) };
    Housing::named(name).ok_or_else(|| {
        let message = format!("found {name:?}; expected one of sender, receiver");
        settings.refuse("splitters.housing", message)
    })
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
