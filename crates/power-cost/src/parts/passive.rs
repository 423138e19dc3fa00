//! Parts without power: splitters, fibre, joints; and whatever else stands in the light's way.

use lightloom_units::{Attenuation, Db, Money};
use serde::{Deserialize, Serialize};

use crate::parts::row::{MOST_DB, Provenance, RowError, ascending, fair_price, not_negative};
use crate::spread::Spread;

/// What a catalogue says of a 1:p splitter. Losses are from the input to any one output, the
/// division of the light included.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SplitterRow {
    /// Its name in the catalogue.
    pub name: String,
    /// Outputs.
    pub fan_out: u32,
    /// Typical loss.
    pub loss_typ: Option<Db>,
    /// Greatest loss.
    pub loss_max: Db,
    /// How far the losses of two outputs lie apart at most.
    pub uniformity: Option<Db>,
    /// Polarisation-dependent loss.
    pub pdl: Option<Db>,
    /// Light thrown back; negative.
    pub reflectance: Option<Db>,
    /// Price of one.
    pub price: Option<Money>,
    /// Where this is from.
    pub provenance: Provenance,
}

checked_form! {
    /// A splitter whose values do not contradict each other.
    Splitter from SplitterRow as "SplitterRow"
}

impl SplitterRow {
    fn check(&self) -> Result<(), RowError> {
        if !(2..=1024).contains(&self.fan_out) {
            let message = format!("found {}; expected 2 to 1024", self.fan_out);
            return Err(RowError::new("fan_out", message));
        }
        not_negative("loss_typ", self.loss_typ)?;
        not_negative("loss_max", Some(self.loss_max))?;
        not_negative("uniformity", self.uniformity)?;
        not_negative("pdl", self.pdl)?;
        ascending("loss_typ", self.loss_typ, Some(self.loss_max), "greatest loss")?;
        if let Some(found) = self.reflectance.filter(|&reflectance| reflectance >= Db::ZERO) {
            let message = format!("found {found}; expected less than 0 dB, such as \"-50 dB\"");
            return Err(RowError::new("reflectance", message));
        }
        // An even share is the most that the worst output, or the usual one, can get; a tenth of a decibel
        // for data sheets that round.
        let even = division(self.fan_out);
        for (field, loss) in [("loss_max", Some(self.loss_max)), ("loss_typ", self.loss_typ)] {
            if let Some(loss) = loss.filter(|loss| loss.get() < even.get() - 0.1) {
                let p = self.fan_out;
                let message = format!(
                    "found {loss}; 1:{p} divides the light by {p}, which alone takes {even:.2}"
                );
                return Err(RowError::new(field, message));
            }
        }
        fair_price(self.price)
    }

    /// The loss to any one output, were they all alike: at least the even division.
    pub fn even_loss(&self) -> Spread {
        let typical = self.loss_typ.unwrap_or(self.loss_max);
        Spread { least: division(self.fan_out).min(typical), typical, most: self.loss_max }
    }

    /// What one output may get beyond that: as much as the uniformity, but never all of the light.
    pub fn unevenness(&self) -> Option<Spread> {
        let most = self.uniformity?.min(division(self.fan_out));
        Some(Spread { least: -most, typical: Db::ZERO, most: Db::ZERO })
    }

    /// The loss to any one output.
    pub fn loss(&self) -> Spread {
        self.even_loss() + self.unevenness().unwrap_or_default()
    }
}

/// What an even division by `fan_out` takes: 10 log10 p.
fn division(fan_out: u32) -> Db {
    Db::new(10.0 * f64::from(fan_out).log10()).unwrap_or(Db::ZERO)
}

/// Loss of any splitter as base + slope × log2 p (Shufflecast: 0.8 + 3.4 log2 p dB).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SplitterFormulaRow {
    /// Loss of a 1:1.
    pub base: Db,
    /// Loss of each doubling.
    pub per_doubling: Db,
    /// Where this is from.
    pub provenance: Provenance,
}

checked_form! {
    /// A formula that gives every splitter a loss that it can have.
    SplitterFormula from SplitterFormulaRow as "SplitterFormulaRow"
}

impl SplitterFormulaRow {
    fn check(&self) -> Result<(), RowError> {
        not_negative("base", Some(self.base))?;
        if self.base.get() > 10.0 {
            return Err(RowError::new(
                "base",
                format!("found {}; expected at most 10 dB", self.base),
            ));
        }
        let halving = division(2);
        if self.per_doubling < halving || self.per_doubling.get() > 9.0 {
            let found = self.per_doubling;
            let message = format!(
                "found {found}; each doubling takes at least {halving:.2}, and at most 9 dB here"
            );
            return Err(RowError::new("per_doubling", message));
        }
        Ok(())
    }

    /// The loss from the input to any one output of a 1:`fan_out`.
    pub fn loss(&self, fan_out: u32) -> Db {
        self.base + self.per_doubling * f64::from(fan_out.max(1)).log2()
    }

    /// A splitter that the formula describes; typical and greatest loss are then the same.
    pub fn splitter(&self, fan_out: u32) -> Result<Splitter, RowError> {
        let loss = self.loss(fan_out);
        Splitter::try_from(SplitterRow {
            name: format!("1x{fan_out}-by-formula"),
            fan_out,
            loss_typ: Some(loss),
            loss_max: loss,
            uniformity: None,
            pdl: None,
            reflectance: None,
            price: None,
            provenance: self.provenance.clone(),
        })
    }
}

/// What a catalogue says of a kind of fibre.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FibreRow {
    /// Its name in the catalogue.
    pub name: String,
    /// Typical attenuation.
    pub attenuation_typ: Option<Attenuation>,
    /// Greatest attenuation.
    pub attenuation_max: Attenuation,
    /// Where this is from.
    pub provenance: Provenance,
}

checked_form! {
    /// A kind of fibre whose values do not contradict each other.
    Fibre from FibreRow as "FibreRow"
}

impl FibreRow {
    fn check(&self) -> Result<(), RowError> {
        not_negative("attenuation_typ", self.attenuation_typ.map(Attenuation::of_one_km))?;
        not_negative("attenuation_max", Some(self.attenuation_max.of_one_km()))?;
        ascending(
            "attenuation_typ",
            self.attenuation_typ,
            Some(self.attenuation_max),
            "greatest attenuation",
        )
    }
}

/// What a catalogue says of a joint between fibres: a pair of connectors, a splice, a patch panel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointRow {
    /// Its name in the catalogue.
    pub name: String,
    /// Typical loss.
    pub loss_typ: Option<Db>,
    /// Greatest loss.
    pub loss_max: Db,
    /// Price of one.
    pub price: Option<Money>,
    /// Where this is from.
    pub provenance: Provenance,
}

checked_form! {
    /// A joint whose values do not contradict each other.
    Joint from JointRow as "JointRow"
}

impl JointRow {
    fn check(&self) -> Result<(), RowError> {
        not_negative("loss_typ", self.loss_typ)?;
        not_negative("loss_max", Some(self.loss_max))?;
        ascending("loss_typ", self.loss_typ, Some(self.loss_max), "greatest loss")?;
        fair_price(self.price)
    }

    /// The loss; the least is none.
    pub fn loss(&self) -> Spread {
        Spread {
            least: Db::ZERO,
            typical: self.loss_typ.unwrap_or(self.loss_max),
            most: self.loss_max,
        }
    }
}

/// What a catalogue says of what splitters sit in: a shelf of one at its sender, or a cassette among
/// receivers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShelfRow {
    /// Its name in the catalogue: `sender` or `receiver`.
    pub name: String,
    /// Price of one.
    pub price: Option<Money>,
    /// Where this is from.
    pub provenance: Provenance,
}

checked_form! {
    /// A shelf whose price can be.
    Shelf from ShelfRow as "ShelfRow"
}

impl ShelfRow {
    fn check(&self) -> Result<(), RowError> {
        fair_price(self.price)
    }
}

/// What a catalogue says of anything else in the light's way: an attenuator, a filter of a wavelength
/// multiplex, an amplifier (whose loss is negative).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InlineRow {
    /// Its name in the catalogue.
    pub name: String,
    /// Least loss; negative is a gain.
    pub loss_min: Db,
    /// Typical loss.
    pub loss_typ: Option<Db>,
    /// Greatest loss.
    pub loss_max: Db,
    /// Electrical power.
    pub power: Option<lightloom_units::Power>,
    /// Price of one.
    pub price: Option<Money>,
    /// Where this is from.
    pub provenance: Provenance,
}

checked_form! {
    /// An inline part whose values do not contradict each other.
    Inline from InlineRow as "InlineRow"
}

impl InlineRow {
    fn check(&self) -> Result<(), RowError> {
        for (field, loss) in [("loss_min", self.loss_min), ("loss_max", self.loss_max)] {
            if loss.get().abs() > MOST_DB {
                let message = format!("found {loss}; expected -{MOST_DB} to {MOST_DB} dB");
                return Err(RowError::new(field, message));
            }
        }
        ascending("loss_min", Some(self.loss_min), Some(self.loss_max), "greatest loss")?;
        ascending("loss_min", Some(self.loss_min), self.loss_typ, "typical loss")?;
        ascending("loss_typ", self.loss_typ, Some(self.loss_max), "greatest loss")?;
        crate::parts::row::fair_power(self.power)?;
        fair_price(self.price)
    }

    /// The loss.
    pub fn loss(&self) -> Spread {
        let typical = self.loss_typ.unwrap_or(self.loss_max);
        Spread { least: self.loss_min, typical, most: self.loss_max }
    }
}
