//! The optics of a design: named in the settings, or assumed.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use lightloom_plant::Scheme;
use lightloom_power_cost::parts::{
    Fibre, FittedPad, Joint, PadPlace, Provenance, Shelf, Splitter, SwitchPort, Transceiver,
};
use lightloom_power_cost::{Case, Fittings, Lookup, Optics, Sampling, named};
use lightloom_request::setting;
use lightloom_request::{InputError, Key, Setting, Settings};
use lightloom_units::{BitRate, Db};
use serde::{Deserialize, Serialize};

use crate::catalogue::Catalogue;
use crate::fittings::{BRANCH, FEED, are_few, fittings};

/// Line rate of designs that do not give one.
pub const DEFAULT_RATE: BitRate = BitRate::from_gbps(10);
/// Largest number of draws of a Monte Carlo budget.
const MOST_SAMPLES: u32 = 10_000_000;

/// The optics of a design, and how its budget is judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DesignOptics {
    /// Name of the catalogue.
    pub catalogue: String,
    /// The parts along the light's way.
    pub optics: Optics,
    /// The switch port of the transceiver.
    pub switch_port: Option<SwitchPort>,
    /// The shelves of the splitters.
    pub shelves: Vec<Shelf>,
    /// Source of the price of fibre.
    pub fibre_price_of: Option<Provenance>,
    /// The splitter whose price is used, if this one has no price.
    pub priced_as: Option<String>,
    /// The case that decides if the worst case does not close.
    pub accept: Option<Case>,
    /// Parameters of a Monte Carlo budget.
    pub sampling: Draws,
    /// Place of pads that are chosen or offered.
    #[serde(skip, default = "at_transmitters")]
    pub pad_at: PadPlace,
    /// Whether the pad is chosen by the lengths of the fibres. No plan that was read back chooses again.
    #[serde(skip)]
    pub chooses_pad: bool,
}

fn at_transmitters() -> PadPlace {
    PadPlace::Transmitter
}

/// Parameters of a Monte Carlo budget.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draws {
    /// Number of draws.
    pub samples: NonZeroUsize,
    /// Seed of the draws.
    pub seed: u64,
    /// Tail percentile: this share of the draws, in percent, is worse than the reported value.
    pub percentile: f64,
}

impl Draws {
    /// The parameters of sampling on this number of threads.
    pub fn on(self, threads: NonZeroUsize) -> Sampling {
        let Self { samples, seed, percentile } = self;
        Sampling { samples, seed, percentile, threads }
    }
}

/// The number of processors.
pub fn all_threads() -> NonZeroUsize {
    if cfg!(not(feature = "threads")) {
        return NonZeroUsize::MIN;
    }
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

impl DesignOptics {
    /// Checks numbers that only an edited plan.json can have out of range.
    pub fn check(&self) -> Result<(), InputError> {
        let draws = &self.sampling;
        let good = are_few(&self.optics.feed)
            && are_few(&self.optics.branch)
            && self.optics.transceiver.fibres == 1
            && draws.samples.get() <= MOST_SAMPLES as usize
            && draws.percentile > 0.0
            && draws.percentile <= 50.0;
        if good { Ok(()) } else { Err(InputError::new("has a number that no design can have")) }
    }

    /// The optics of the settings. `None`: the settings name no optics.
    pub fn read(
        settings: &Settings,
        catalogue: &Catalogue,
        fan_out: u32,
        scheme: Scheme,
    ) -> Result<Option<Self>, InputError> {
        if settings.has(&setting::optics::TRANSCEIVER) || settings.has(&setting::optics::RATE) {
            let transceiver = named_transceiver(settings, catalogue)?;
            Self::of(settings, catalogue, transceiver, fan_out, scheme).map(Some)
        } else {
            Ok(None)
        }
    }

    /// The optics of the settings, with the usual transceiver at [`DEFAULT_RATE`]: of those that send on one
    /// fibre, the one that draws the least power, then the first by name.
    pub fn assumed(
        settings: &Settings,
        catalogue: &Catalogue,
        fan_out: u32,
        scheme: Scheme,
    ) -> Result<Self, InputError> {
        let fitting = catalogue.parts.transceivers_at(DEFAULT_RATE).filter(|row| row.fibres == 1);
        let usual = fitting.min_by_key(|row| (row.power.is_none(), row.power));
        let transceiver = match usual {
            Some(usual) => usual,
            None => named_transceiver(settings, catalogue)?,
        };
        Self::of(settings, catalogue, transceiver, fan_out, scheme)
    }

    /// The optics of the settings with a transceiver.
    fn of(
        settings: &Settings,
        catalogue: &Catalogue,
        transceiver: &Transceiver,
        fan_out: u32,
        scheme: Scheme,
    ) -> Result<Self, InputError> {
        let splitter = splitter(settings, catalogue, fan_out)?;
        let setup = Setup::read(settings, catalogue)?;
        Self::with(&setup, catalogue, transceiver, splitter, scheme)
    }

    /// The optics with a transceiver and a splitter. The connector pairs follow from the scheme.
    pub fn with(
        setup: &Setup,
        catalogue: &Catalogue,
        transceiver: &Transceiver,
        splitter: Splitter,
        scheme: Scheme,
    ) -> Result<Self, InputError> {
        let parts = &catalogue.parts;
        let stand_in = parts.price_stand_in(splitter.fan_out);
        let chosen = Self {
            catalogue: catalogue.name.clone(),
            switch_port: parts.switch_port(transceiver.rate).cloned(),
            shelves: parts.shelves.values().cloned().collect(),
            fibre_price_of: catalogue.price_of.clone(),
            priced_as: stand_in.map(|splitter| splitter.name.clone()),
            optics: setup.optics(transceiver.clone(), splitter, scheme),
            accept: setup.accept,
            sampling: setup.sampling,
            pad_at: setup.pad_at,
            chooses_pad: setup.chooses_pad,
        };
        Ok(chosen)
    }

    /// The same optics with the connector pairs of another scheme.
    #[must_use]
    pub fn with_scheme(mut self, scheme: Scheme) -> Self {
        self.optics.feed.mated = scheme.mated_on_feeds();
        self.optics.branch.mated = scheme.mated_on_branches();
        self
    }
}

/// All optics settings, except the transceiver and the splitter.
pub struct Setup {
    fibre: Option<Fibre>,
    connector: Option<Joint>,
    mpo: Option<Joint>,
    splice: Option<Joint>,
    panel: Option<Joint>,
    feed: Fittings,
    branch: Fittings,
    penalty: Db,
    ageing: Db,
    least_margin: Db,
    least_headroom: Db,
    pad: Option<FittedPad>,
    pad_at: PadPlace,
    chooses_pad: bool,
    accept: Option<Case>,
    sampling: Draws,
}

impl Setup {
    /// Reads the optics settings, and finds their rows in the catalogue.
    ///
    /// # Errors
    /// [`InputError`] at the first wrong value, or if the catalogue lacks a part.
    pub fn read(settings: &Settings, catalogue: &Catalogue) -> Result<Self, InputError> {
        let parts = &catalogue.parts;
        use setting::optics as o;
        let joint = |setting, kind, rows| row(settings, setting, kind, rows);
        let pad_at = settings.value(&o::PAD_AT)?;
        let (pad, chooses_pad) = match settings.value(&o::PAD)?.as_str() {
            "auto" => (None, true),
            "none" => (None, false),
            name => {
                let found = named(&parts.pads, "pad", Some(name), "");
                let found = found.map_err(|error| settings.refuse(&o::PAD, error))?;
                (found.map(|pad| FittedPad { pad: pad.clone(), at: pad_at }), false)
            }
        };
        let setup = Self {
            fibre: row(settings, &o::FIBRE, "fibre", &parts.fibres)?,
            connector: joint(&o::CONNECTOR, "connector", &parts.connectors)?,
            mpo: joint(&o::MPO, "MPO connector", &parts.mpo)?,
            splice: joint(&o::SPLICE, "splice", &parts.splices)?,
            panel: joint(&o::PANEL, "panel", &parts.panels)?,
            feed: fittings(settings, catalogue, FEED)?,
            branch: fittings(settings, catalogue, BRANCH)?,
            penalty: reserve(settings, &o::PENALTY)?,
            ageing: reserve(settings, &o::AGEING)?,
            least_margin: reserve(settings, &o::MARGIN)?,
            least_headroom: reserve(settings, &o::HEADROOM)?,
            pad,
            pad_at,
            chooses_pad,
            accept: settings.get(&o::ACCEPT)?,
            sampling: draws(settings)?,
        };
        for (field, lacks, needs) in [
            (&o::SPLICE, setup.splice.is_none(), setup.feed.splices + setup.branch.splices),
            (&o::PANEL, setup.panel.is_none(), setup.feed.panels + setup.branch.panels),
        ] {
            if lacks && needs > 0 {
                let message = "is missing: the design has them, but the catalogue has no such row";
                return Err(settings.refuse(field, message));
            }
        }
        Ok(setup)
    }

    fn optics(&self, transceiver: Transceiver, splitter: Splitter, scheme: Scheme) -> Optics {
        Optics {
            transceiver,
            splitter,
            fibre: self.fibre.clone(),
            connector: self.connector.clone(),
            splice: self.splice.clone(),
            panel: self.panel.clone(),
            mpo: self.mpo.clone(),
            feed: Fittings { mated: scheme.mated_on_feeds(), ..self.feed.clone() },
            branch: Fittings { mated: scheme.mated_on_branches(), ..self.branch.clone() },
            penalty: self.penalty,
            ageing: self.ageing,
            pad: self.pad.clone(),
            least_margin: self.least_margin,
            least_headroom: self.least_headroom,
        }
    }
}

/// The row that a setting names, or the usual row.
fn row<T: Clone>(
    settings: &Settings,
    setting: &Setting<String>,
    kind: &'static str,
    rows: &BTreeMap<String, T>,
) -> Result<Option<T>, InputError> {
    let (name, usual) = (settings.get(setting)?, setting.default_value());
    let found = named(rows, kind, name.as_deref(), &usual);
    found.map(Option::<&T>::cloned).map_err(|error| settings.refuse(setting, error))
}

/// The transceiver that the settings name, or the only one at their rate.
pub fn named_transceiver<'a>(
    settings: &Settings,
    catalogue: &'a Catalogue,
) -> Result<&'a Transceiver, InputError> {
    let said_rate = settings.get(&setting::optics::RATE)?;
    let name = settings.get(&setting::optics::TRANSCEIVER)?;
    let blamed: &Key =
        if name.is_some() { &setting::optics::TRANSCEIVER } else { &setting::optics::RATE };
    let rate = said_rate.unwrap_or(DEFAULT_RATE);
    let transceiver =
        catalogue.parts.transceiver(name.as_deref(), rate).map_err(|error| match error {
            Lookup::Several { asked, names } => settings.refuse(
                &setting::optics::TRANSCEIVER,
                format!(
                    "is missing; {asked} could be any of {}; name one, or let new or explore \
                    choose",
                    names.join(", ")
                ),
            ),
            other => settings.refuse(blamed, other),
        })?;
    if let Some(said) = said_rate.filter(|&said| said != transceiver.rate) {
        let message =
            format!("found {said}, but {} runs at {}", transceiver.name, transceiver.rate);
        return Err(settings.refuse(&setting::optics::RATE, message));
    }
    if let Some(message) = side_by_side(transceiver) {
        return Err(settings.refuse(blamed, message));
    }
    Ok(transceiver)
}

/// Why a transceiver cannot drive a splitter. `None`: it can.
pub fn side_by_side(transceiver: &Transceiver) -> Option<String> {
    (transceiver.fibres != 1).then(|| {
        format!(
            "{} sends on {} fibres side by side; a splitter takes one, so name a transceiver that sends \
             on a single fibre",
            transceiver.name, transceiver.fibres
        )
    })
}

/// The splitter with a fan-out: the one that the settings name, or the only one.
pub fn splitter(
    settings: &Settings,
    catalogue: &Catalogue,
    fan_out: u32,
) -> Result<Splitter, InputError> {
    let name = settings.get(&setting::optics::SPLITTER)?;
    let found = catalogue.parts.splitter(fan_out, name.as_deref());
    found.map_err(|error| settings.refuse(&setting::optics::SPLITTER, error))
}

/// Reads a margin of 0 to 30 dB.
fn reserve(settings: &Settings, setting: &Setting<Db>) -> Result<Db, InputError> {
    let margin = settings.value(setting)?;
    if (0.0..=30.0).contains(&margin.get()) {
        Ok(margin)
    } else {
        Err(settings.refuse(setting, format!("found {margin}; expected 0 dB to 30 dB")))
    }
}

fn draws(settings: &Settings) -> Result<Draws, InputError> {
    let samples = settings.value(&setting::optics::SAMPLES)?;
    // The setting accepts only 1 and more.
    let samples = NonZeroUsize::new(samples as usize).unwrap_or(NonZeroUsize::MIN);
    let percentile = &setting::optics::PERCENTILE;
    let text = settings.value(percentile)?;
    let number = text.trim().parse::<f64>().ok();
    let number = number.filter(|number| *number > 0.0 && *number <= 50.0).ok_or_else(|| {
        let message = format!(
            "found {text:?}; expected a number above 0 and at most 50: 1 reports the value that one \
             draw in a hundred falls short of"
        );
        settings.refuse(percentile, message)
    })?;
    Ok(Draws { samples, seed: settings.value(&setting::optics::SEED)?, percentile: number })
}
