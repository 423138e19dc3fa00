//! The optics that a design names, or those that are assumed where it names none.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use lightloom_power_cost::parts::{
    Fibre, Inline, Joint, Provenance, Shelf, Splitter, SwitchPort, Transceiver,
};
use lightloom_power_cost::{Case, Fittings, Lookup, Optics, Sampling, named};
use lightloom_units::{BitRate, Db, Money};
use serde::{Deserialize, Serialize};

use crate::InputError;
use crate::catalogue::Catalogue;
use crate::settings::Settings;

/// The line rate of designs that name none.
pub(crate) const DEFAULT_RATE: BitRate = BitRate::from_gbps(10);
/// Margin below which a branch that closes is a warning; assumed.
const COMFORTABLE: f64 = 1.0;
/// Most splices, panels or other parts on one fibre.
const MOST_FITTINGS: u32 = 64;
/// Most draws of a Monte Carlo budget.
const MOST_SAMPLES: u32 = 10_000_000;

/// Optics with what is asked of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DesignOptics {
    /// The catalogue's name.
    pub(crate) catalogue: String,
    pub(crate) optics: Optics,
    /// The switch port that the transceiver sits in.
    pub(crate) switch_port: Option<SwitchPort>,
    /// What the splitters sit in.
    pub(crate) shelves: Vec<Shelf>,
    /// Where the price of fibre is from.
    pub(crate) fibre_price_of: Option<Provenance>,
    /// The splitter whose price this one takes.
    pub(crate) priced_as: Option<String>,
    /// The case that decides where the worst one does not close.
    pub(crate) accept: Option<Case>,
    pub(crate) sampling: Draws,
}

/// How a Monte Carlo budget is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Draws {
    pub(crate) samples: NonZeroUsize,
    pub(crate) seed: u64,
    /// Of the draws that are worse than what is reported, in percent.
    pub(crate) percentile: f64,
}

impl Draws {
    pub(crate) fn on(self, threads: NonZeroUsize) -> Sampling {
        let Self { samples, seed, percentile } = self;
        Sampling { samples, seed, percentile, threads }
    }
}

/// As many threads as there are processors.
pub(crate) fn all_threads() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

impl DesignOptics {
    /// What no design says but a plan.json could: numbers out of bounds.
    pub(crate) fn check(&self) -> Result<(), InputError> {
        let within = |fittings: &Fittings| {
            let counts = [fittings.splices, fittings.panels];
            counts.iter().all(|&count| count <= MOST_FITTINGS)
                && fittings.inline.len() <= MOST_FITTINGS as usize
        };
        let draws = &self.sampling;
        let good = within(&self.optics.feed)
            && within(&self.optics.branch)
            && self.optics.transceiver.fibres == 1
            && draws.samples.get() <= MOST_SAMPLES as usize
            && draws.percentile > 0.0
            && draws.percentile <= 50.0;
        if good { Ok(()) } else { Err(InputError::new("has a number that no design can have")) }
    }

    /// The optics that a design names; none where it has nothing to say of them.
    pub(crate) fn read(
        settings: &Settings,
        catalogue: &Catalogue,
        fan_out: u32,
    ) -> Result<Option<Self>, InputError> {
        if settings.has("optics.transceiver") || settings.has("optics.rate") {
            Self::assumed(settings, catalogue, fan_out).map(Some)
        } else {
            Ok(None)
        }
    }

    /// The optics that a design names, and the only transceiver at [`DEFAULT_RATE`] where it names
    /// none.
    pub(crate) fn assumed(
        settings: &Settings,
        catalogue: &Catalogue,
        fan_out: u32,
    ) -> Result<Self, InputError> {
        let transceiver = named_transceiver(settings, catalogue)?;
        let splitter = splitter(settings, catalogue, fan_out)?;
        let setup = Setup::read(settings, catalogue)?;
        Self::with(&setup, catalogue, transceiver, splitter)
    }

    /// These settings with a transceiver and a splitter.
    pub(crate) fn with(
        setup: &Setup,
        catalogue: &Catalogue,
        transceiver: &Transceiver,
        splitter: Splitter,
    ) -> Result<Self, InputError> {
        let parts = &catalogue.parts;
        let stand_in = parts.price_stand_in(splitter.fan_out);
        let chosen = Self {
            catalogue: catalogue.name.clone(),
            switch_port: parts.switch_port(transceiver.rate).cloned(),
            shelves: parts.shelves.values().cloned().collect(),
            fibre_price_of: catalogue.price_of.clone(),
            priced_as: stand_in.map(|splitter| splitter.name.clone()),
            optics: setup.optics(transceiver.clone(), splitter),
            accept: setup.accept,
            sampling: setup.sampling,
        };
        for (row, price) in chosen.prices() {
            catalogue.check_currency(&row, price)?;
        }
        Ok(chosen)
    }

    /// The rows in use that have prices.
    fn prices(&self) -> Vec<(String, Option<Money>)> {
        let optics = &self.optics;
        let splitter = self.priced_as.as_ref().unwrap_or(&optics.splitter.name);
        let mut prices = vec![
            (format!("transceiver.{}", optics.transceiver.name), optics.transceiver.price),
            (format!("splitter.{splitter}"), optics.splitter.price),
        ];
        let port = self.switch_port.iter();
        prices.extend(port.map(|port| (format!("switch_port.{}", port.name), port.price)));
        let shelves = self.shelves.iter();
        prices.extend(shelves.map(|shelf| (format!("shelf.{}", shelf.name), shelf.price)));
        for (kind, joint) in [("splice", &optics.splice), ("panel", &optics.panel)] {
            prices.extend(joint.iter().map(|row| (format!("{kind}.{}", row.name), row.price)));
        }
        let inline = optics.feed.inline.iter().chain(&optics.branch.inline);
        prices.extend(inline.map(|part| (format!("inline.{}", part.name), part.price)));
        prices
    }
}

/// All that settings say of optics but the transceiver and the splitter.
pub(crate) struct Setup {
    fibre: Option<Fibre>,
    connector: Option<Joint>,
    splice: Option<Joint>,
    panel: Option<Joint>,
    feed: Fittings,
    branch: Fittings,
    penalty: Db,
    ageing: Db,
    comfortable: Db,
    accept: Option<Case>,
    sampling: Draws,
}

impl Setup {
    pub(crate) fn read(settings: &Settings, catalogue: &Catalogue) -> Result<Self, InputError> {
        let parts = &catalogue.parts;
        let joint = |name, kind, rows, usual| row(settings, name, kind, rows, usual);
        let setup = Self {
            fibre: row(settings, "optics.fibre", "fibre", &parts.fibres, "g652d")?,
            connector: joint("optics.connector", "connector", &parts.connectors, "lc")?,
            splice: joint("optics.splice", "splice", &parts.splices, "fusion")?,
            panel: joint("optics.panel", "panel", &parts.panels, "lc")?,
            feed: fittings(settings, catalogue, FEED)?,
            branch: fittings(settings, catalogue, BRANCH)?,
            penalty: reserve(settings, "optics.penalty", 0.0)?,
            ageing: reserve(settings, "optics.ageing", 0.0)?,
            comfortable: reserve(settings, "optics.comfortable_margin", COMFORTABLE)?,
            accept: accept(settings)?,
            sampling: draws(settings)?,
        };
        for (field, lacks, needs) in [
            ("optics.splice", setup.splice.is_none(), setup.feed.splices + setup.branch.splices),
            ("optics.panel", setup.panel.is_none(), setup.feed.panels + setup.branch.panels),
        ] {
            if lacks && needs > 0 {
                let message = "is missing: the design has them, but the catalogue has no such row";
                return Err(settings.refuse(field, message));
            }
        }
        Ok(setup)
    }

    fn optics(&self, transceiver: Transceiver, splitter: Splitter) -> Optics {
        Optics {
            transceiver,
            splitter,
            fibre: self.fibre.clone(),
            connector: self.connector.clone(),
            splice: self.splice.clone(),
            panel: self.panel.clone(),
            feed: self.feed.clone(),
            branch: self.branch.clone(),
            penalty: self.penalty,
            ageing: self.ageing,
            comfortable: self.comfortable,
        }
    }
}

/// The row that a key names, or the usual one.
fn row<T: Clone>(
    settings: &Settings,
    key: &str,
    kind: &'static str,
    rows: &BTreeMap<String, T>,
    usual: &str,
) -> Result<Option<T>, InputError> {
    let found = named(rows, kind, settings.text(key)?, usual);
    found.map(Option::<&T>::cloned).map_err(|error| settings.refuse(key, error))
}

/// The transceiver that settings name, or the only one of their rate.
pub(crate) fn named_transceiver<'a>(
    settings: &Settings,
    catalogue: &'a Catalogue,
) -> Result<&'a Transceiver, InputError> {
    let said_rate = settings.quantity::<BitRate>("optics.rate")?;
    let name = settings.text("optics.transceiver")?;
    let blamed = if name.is_some() { "optics.transceiver" } else { "optics.rate" };
    let rate = said_rate.unwrap_or(DEFAULT_RATE);
    let transceiver = catalogue.parts.transceiver(name, rate).map_err(|error| match error {
        Lookup::Several { asked, names } => settings.refuse(
            "optics.transceiver",
            format!("is missing; {asked} could be any of {}; name one", names.join(", ")),
        ),
        other => settings.refuse(blamed, other),
    })?;
    if let Some(said) = said_rate.filter(|&said| said != transceiver.rate) {
        let message =
            format!("found {said}, but {} runs at {}", transceiver.name, transceiver.rate);
        return Err(settings.refuse("optics.rate", message));
    }
    if let Some(message) = side_by_side(transceiver) {
        return Err(settings.refuse(blamed, message));
    }
    Ok(transceiver)
}

/// Why a transceiver cannot drive a splitter, if it cannot.
pub(crate) fn side_by_side(transceiver: &Transceiver) -> Option<String> {
    (transceiver.fibres != 1).then(|| {
        format!(
            "{} sends on {} fibres side by side; a splitter takes one, so name a transceiver that sends \
             on a single fibre",
            transceiver.name, transceiver.fibres
        )
    })
}

/// The splitter of a fan-out, by the name that settings give or the only one.
pub(crate) fn splitter(
    settings: &Settings,
    catalogue: &Catalogue,
    fan_out: u32,
) -> Result<Splitter, InputError> {
    let name = settings.text("optics.splitter")?;
    let found = catalogue.parts.splitter(fan_out, name);
    found.map_err(|error| settings.refuse("optics.splitter", error))
}

/// The keys that say what lies on one kind of fibre: splices, panels, anything else.
pub(crate) type FittingKeys = [&'static str; 3];
pub(crate) const FEED: FittingKeys =
    ["optics.feed_splices", "optics.feed_panels", "optics.feed_inline"];
pub(crate) const BRANCH: FittingKeys =
    ["optics.branch_splices", "optics.branch_panels", "optics.branch_inline"];

fn fittings(
    settings: &Settings,
    catalogue: &Catalogue,
    [splices, panels, inline]: FittingKeys,
) -> Result<Fittings, InputError> {
    let count = |name: &str| {
        let expected = format!("0 to {MOST_FITTINGS}");
        match settings.number::<u32>(name, &expected)?.unwrap_or(0) {
            count @ 0..=MOST_FITTINGS => Ok(count),
            found => Err(settings.refuse(name, format!("found {found}; expected {expected}"))),
        }
    };
    let names = settings.list(inline)?.unwrap_or_default();
    if names.len() > MOST_FITTINGS as usize {
        let message = format!("found {} parts; expected at most {MOST_FITTINGS}", names.len());
        return Err(settings.refuse(inline, message));
    }
    let row = |name: &String| {
        let found = named(&catalogue.parts.inline, "inline part", Some(name), "");
        let found = found.map_err(|error| settings.refuse(inline, error))?;
        found.cloned().ok_or_else(|| settings.refuse(inline, "names no part"))
    };
    Ok(Fittings {
        splices: count(splices)?,
        panels: count(panels)?,
        inline: names.iter().map(row).collect::<Result<Vec<Inline>, InputError>>()?,
    })
}

/// A margin of 0 to 30 dB.
fn reserve(settings: &Settings, name: &str, usual: f64) -> Result<Db, InputError> {
    let usual = Db::new(usual).unwrap_or(Db::ZERO);
    let margin: Db = settings.quantity(name)?.unwrap_or(usual);
    if (0.0..=30.0).contains(&margin.get()) {
        Ok(margin)
    } else {
        Err(settings.refuse(name, format!("found {margin}; expected 0 dB to 30 dB")))
    }
}

fn accept(settings: &Settings) -> Result<Option<Case>, InputError> {
    let name = "optics.accept";
    let Some(text) = settings.text(name)? else { return Ok(None) };
    case(text).map(Some).map_err(|error| settings.refuse(name, error.message))
}

/// The case of a name.
pub(crate) fn case(text: &str) -> Result<Case, InputError> {
    Case::ALL.into_iter().find(|case| case.name() == text).ok_or_else(|| {
        InputError::new(format!("found {text:?}; expected one of worst, typical, monte-carlo"))
    })
}

fn draws(settings: &Settings) -> Result<Draws, InputError> {
    let name = "optics.samples";
    let expected = format!("1 to {MOST_SAMPLES}");
    let samples = settings.number::<u32>(name, &expected)?.unwrap_or(10_000);
    let refused = || settings.refuse(name, format!("found {samples}; expected {expected}"));
    let within = Some(samples as usize).filter(|_| samples <= MOST_SAMPLES);
    let samples = within.and_then(NonZeroUsize::new).ok_or_else(refused)?;
    let seed = settings.number::<u64>("optics.seed", "0 or more")?.unwrap_or(1);
    let name = "optics.percentile";
    let percentile = match settings.text(name)? {
        None => 1.0,
        Some(text) => {
            let number = text.trim().parse::<f64>().ok();
            number.filter(|number| *number > 0.0 && *number <= 50.0).ok_or_else(|| {
                let message = format!(
                    "found {text:?}; expected a number above 0 and at most 50: 1 reports the value that one \
                     draw in a hundred falls short of"
                );
                settings.refuse(name, message)
            })?
        }
    };
    Ok(Draws { samples, seed, percentile })
}
