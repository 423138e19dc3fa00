//! The validated form of a request: a design without illegal values.

use std::path::PathBuf;

use lightloom_plant::{PlantError, Scheme};
use lightloom_request::choices::RouterName;
use lightloom_request::setting;
use lightloom_request::{InputError, Setting, Settings};
use lightloom_topology::hall::{Housing, Shuffle};
use lightloom_units::Length;

use crate::fabric_spec::FabricSpec;
use crate::inventory::Inventory;
use crate::spec_asked::{ReadEdges, read_spec};

/// Choice of the router.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouterChoice {
    /// The router of the Shufflecast paper, for a Shufflecast only.
    Algorithm1,
    /// Fewest hops with an even load, for every fabric.
    Arborescence,
    /// Each cassette may be one hop late, for a more even load.
    OneMoreHop,
}

impl RouterChoice {
    /// Name in files.
    pub fn name(self) -> RouterName {
        match self {
            Self::Algorithm1 => RouterName::Algorithm1,
            Self::Arborescence | Self::OneMoreHop => RouterName::Arborescence,
        }
    }

    /// Hops that a ToR may be farther away than necessary.
    pub fn extra_hops(self) -> u32 {
        u32::from(self == Self::OneMoreHop)
    }
}

/// Geometry of the hall. `None`: the value follows from the racks.
#[derive(Debug, Clone, Default)]
pub struct Geometry {
    /// Number of racks per row of a generated hall.
    pub racks_per_row: Option<u32>,
    /// Distance between the middles of neighbouring racks in a row.
    pub rack_pitch: Option<Length>,
    /// Distance between rows.
    pub row_pitch: Option<Length>,
    /// Extent of the hall along the rows.
    pub width: Option<Length>,
    /// Extent of the hall across the rows.
    pub depth: Option<Length>,
    /// Distances along the rows of the cross-aisle trays.
    pub cross_aisles: Option<Vec<Length>>,
    /// Height of the trays above the floor.
    pub tray_height: Option<Length>,
    /// Inner width of a tray.
    pub tray_width: Option<Length>,
    /// Usable height of a tray.
    pub tray_depth: Option<Length>,
    /// Outer diameter of a fibre's jacket.
    pub fibre_diameter: Option<Length>,
    /// Distance from the port to the riser, at each end.
    pub rack_entry: Option<Length>,
    /// Length of the service loop of a fibre that leaves its rack.
    pub slack: Option<Length>,
}

/// A design: all settings, checked.
#[derive(Debug, Clone)]
pub struct Design {
    /// The fabric.
    pub fabric: FabricSpec,
    /// The router.
    pub router: RouterChoice,
    /// Where the splitters sit, and how fibres run to them.
    pub scheme: Scheme,
    /// Names of the racks that are frames. `None`: frames are added to the hall where a zone needs them.
    pub frames: Option<Vec<String>>,
    /// Height of added frames, in rack units.
    pub frame_units: u16,
    /// Spares, in percent of each quantity.
    pub spares_percent: u32,
    /// Geometry of the hall.
    pub geometry: Geometry,
    /// The inventory of racks. `None`: a hall is generated.
    pub inventory: Option<Inventory>,
    /// Path of the placement file.
    pub placement: Option<PathBuf>,
    /// Folder of the old plan whose placement is kept.
    pub keep: Option<PathBuf>,
    /// The settings. Needed for errors that show only in the whole design.
    pub settings: Settings,
}

impl Design {
    /// Checks settings. `inventory` is the inventory that they name. `edges` reads the edge list that they
    /// name, for a fan-out.
    ///
    /// # Errors
    /// [`InputError`] at the first wrong value.
    pub fn new(
        settings: Settings,
        inventory: Option<Inventory>,
        edges: ReadEdges<'_>,
    ) -> Result<Self, InputError> {
        let fabric = read_spec(&settings, inventory.as_ref(), edges)?;
        let placement = settings.path(&setting::hall::PLACEMENT)?;
        let keep = settings.path(&setting::hall::KEEP)?;
        if placement.is_some() && keep.is_some() {
            let message = "a placement file and an old plan to keep were both given; give one";
            return Err(settings.refuse(&setting::hall::PLACEMENT, message));
        }
        Ok(Self {
            router: router(&settings, &fabric)?,
            scheme: scheme(&settings)?,
            frames: frames(&settings)?,
            frame_units: u16::try_from(settings.value(&setting::splitters::FRAME_UNITS)?)
                .unwrap_or(u16::MAX),
            spares_percent: settings.value(&setting::order::SPARES_PERCENT)?,
            geometry: geometry(&settings)?,
            fabric,
            inventory,
            placement,
            keep,
            settings,
        })
    }
}

fn scheme(settings: &Settings) -> Result<Scheme, InputError> {
    use setting::splitters as s;
    let scheme = Scheme {
        housing: settings.value(&s::HOUSING)?,
        cabling: settings.value(&s::CABLING)?,
        shuffle: settings.value(&s::SHUFFLE)?,
        splitter_polish: settings.value(&s::POLISH)?,
        spare_percent: settings.value(&s::SPARE_POSITIONS)?,
    };
    // What only trunks have is left out elsewhere, so that equal plants have equal schemes.
    if !scheme.is_trunked() {
        let bare = Scheme { spare_percent: 0, shuffle: Shuffle::Jumpers, ..scheme };
        return match scheme.shuffle {
            Shuffle::Jumpers => Ok(bare),
            Shuffle::Modules => {
                let message =
                    "modules join splitters to trunks; take cabling = \"trunked\" with them";
                Err(settings.refuse(&s::SHUFFLE, message))
            }
        };
    }
    if scheme.housing != Housing::Zone {
        return Err(settings.refuse(&s::CABLING, trunks_need_frames()));
    }
    Ok(scheme)
}

/// Why trunks between racks gain nothing.
fn trunks_need_frames() -> String {
    format!("{}; take housing = \"zone\" with trunks", PlantError::TrunksWithoutFrames)
}

/// The racks that the settings name as frames.
fn frames(settings: &Settings) -> Result<Option<Vec<String>>, InputError> {
    use setting::splitters::{FRAMES, HOUSING};
    let frames = settings.get(&FRAMES)?;
    if frames.is_some() && settings.value(&HOUSING)? != Housing::Zone {
        let message = "names frames, but the splitters are not in frames; take housing = \"zone\"";
        return Err(settings.refuse(&FRAMES, message));
    }
    Ok(frames)
}

fn router(settings: &Settings, fabric: &FabricSpec) -> Result<RouterChoice, InputError> {
    use setting::routing::{EXTRA_HOPS, ROUTER};
    let is_shufflecast = matches!(fabric, FabricSpec::Shufflecast(_));
    let extra = settings.value(&EXTRA_HOPS)?;
    let router = match settings.get(&ROUTER)? {
        None if is_shufflecast && extra == 0 => RouterChoice::Algorithm1,
        None | Some(RouterName::Arborescence) => RouterChoice::Arborescence,
        Some(RouterName::Algorithm1) if is_shufflecast => RouterChoice::Algorithm1,
        Some(RouterName::Algorithm1) => {
            let message = "algorithm1 routes only a shufflecast; take arborescence";
            return Err(settings.refuse(&ROUTER, message));
        }
    };
    match (router, extra) {
        (router, 0) => Ok(router),
        (RouterChoice::Algorithm1, _) => Err(settings
            .refuse(&EXTRA_HOPS, "algorithm1 takes no extra hops; take the arborescence router")),
        _ => Ok(RouterChoice::OneMoreHop),
    }
}

fn geometry(settings: &Settings) -> Result<Geometry, InputError> {
    use setting::hall as h;
    let positive = |setting: &Setting<Length>| match settings.get(setting)? {
        Some(Length::ZERO) => Err(settings.refuse(setting, "found 0 m; expected more")),
        length => Ok(length),
    };
    Ok(Geometry {
        racks_per_row: settings.get(&h::RACKS_PER_ROW)?,
        rack_pitch: positive(&h::RACK_PITCH)?,
        row_pitch: positive(&h::ROW_PITCH)?,
        width: positive(&h::WIDTH)?,
        depth: positive(&h::DEPTH)?,
        cross_aisles: settings.get(&h::CROSS_AISLES)?,
        tray_height: settings.get(&h::TRAY_HEIGHT)?,
        tray_width: positive(&h::TRAY_WIDTH)?,
        tray_depth: positive(&h::TRAY_DEPTH)?,
        fibre_diameter: positive(&h::FIBRE_DIAMETER)?,
        rack_entry: settings.get(&h::RACK_ENTRY)?,
        slack: settings.get(&h::SLACK)?,
    })
}
