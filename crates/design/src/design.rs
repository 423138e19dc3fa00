//! The validated form of a request: a design without illegal values.

use std::collections::BTreeSet;
use std::path::PathBuf;

use lightloom_plant::{PlantError, Scheme};
use lightloom_request::choices::RouterName;
use lightloom_request::setting;
use lightloom_request::{InputError, Memory, Settings};
use lightloom_topology::hall::{Housing, Shuffle};

use crate::building::ListedBuilding;
use crate::family::{FabricSpec, ReadEdges};
use crate::geometry::Geometry;
use crate::inventory::Inventory;
use crate::work::Work;

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

    /// The router of a fabric, unless another one is asked for.
    pub fn usual(fabric: &FabricSpec) -> Self {
        if fabric.shape().is_some() { Self::Algorithm1 } else { Self::Arborescence }
    }

    /// Hops that a ToR may be farther away than necessary.
    pub fn extra_hops(self) -> u32 {
        u32::from(self == Self::OneMoreHop)
    }
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
    /// Crews, and what each does in a shift.
    pub work: Work,
    /// Geometry of the hall.
    pub geometry: Geometry,
    /// The inventory of racks. `None`: a hall is generated.
    pub inventory: Option<Inventory>,
    /// The rooms of the racks and the ways between them. `None`: the hall is one room.
    pub building: Option<ListedBuilding>,
    /// Path of the placement file.
    pub placement: Option<PathBuf>,
    /// Folder of the old plan whose placement is kept.
    pub keep: Option<PathBuf>,
    /// Memory that work on the design may take.
    pub memory: Memory,
    /// The settings. Needed for errors that show only in the whole design.
    pub settings: Settings,
}

impl Design {
    /// Checks settings. `inventory` and `building` are the files that they name. `edges` reads the edge list
    /// that they name, for a fan-out.
    ///
    /// # Errors
    /// [`InputError`] at the first wrong value.
    pub fn new(
        settings: Settings,
        inventory: Option<Inventory>,
        building: Option<ListedBuilding>,
        edges: ReadEdges<'_>,
    ) -> Result<Self, InputError> {
        let fabric = FabricSpec::asked(&settings, inventory.as_ref(), edges)?;
        let placement = settings.path(&setting::hall::PLACEMENT)?;
        let keep = settings.path(&setting::hall::KEEP)?;
        if placement.is_some() && keep.is_some() {
            let message = "a placement file and an old plan to keep were both given; give one";
            return Err(settings.refuse(&setting::hall::PLACEMENT, message));
        }
        Ok(Self {
            router: router(&settings, &fabric)?,
            scheme: scheme(&settings)?,
            frames: frames(&settings, inventory.as_ref())?,
            frame_units: u16::try_from(settings.value(&setting::splitters::FRAME_UNITS)?)
                .unwrap_or(u16::MAX),
            spares_percent: settings.value(&setting::order::SPARES_PERCENT)?,
            work: Work::read(&settings)?,
            geometry: Geometry::read(&settings)?,
            memory: Memory::read(&settings)?,
            fabric,
            inventory,
            building,
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
        if settings.differs(&s::SPARE_POSITIONS)? {
            let message = "only trunks have positions to spare; take cabling = \"trunked\" with it";
            return Err(settings.refuse(&s::SPARE_POSITIONS, message));
        }
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
fn frames(
    settings: &Settings,
    inventory: Option<&Inventory>,
) -> Result<Option<Vec<String>>, InputError> {
    use setting::splitters::{FRAME_UNITS, FRAMES, HOUSING};
    let frames = settings.get(&FRAMES)?;
    let is_zone = settings.value(&HOUSING)? == Housing::Zone;
    if settings.differs(&FRAME_UNITS)? && (!is_zone || frames.is_some()) {
        let message = "is the height of frames that no inventory lists; take housing = \"zone\" with it, and name no \
                       frames";
        return Err(settings.refuse(&FRAME_UNITS, message));
    }
    let Some(names) = &frames else { return Ok(None) };
    if !is_zone {
        let message = "names frames, but the splitters are not in frames; take housing = \"zone\"";
        return Err(settings.refuse(&FRAMES, message));
    }
    if inventory.is_none() {
        let message = "names racks of an inventory, and there is none; give one, or name no frames";
        return Err(settings.refuse(&FRAMES, message));
    }
    let mut seen = BTreeSet::new();
    if let Some(twice) = names.iter().find(|name| !seen.insert(name.trim())) {
        return Err(settings.refuse(&FRAMES, format!("names {twice:?} twice")));
    }
    Ok(frames)
}

fn router(settings: &Settings, fabric: &FabricSpec) -> Result<RouterChoice, InputError> {
    use setting::routing::{EXTRA_HOPS, ROUTER};
    let is_shufflecast = fabric.shape().is_some();
    let extra = settings.value(&EXTRA_HOPS)?;
    let router = match settings.get(&ROUTER)? {
        None if extra == 0 => RouterChoice::usual(fabric),
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
