//! Parts without power: splitters, fibres, joints and other parts along the light's way.

use lightloom_units::{Attenuation, Db, named_enum};
use serde::{Deserialize, Serialize};

use crate::parts::row::{MOST_DB, Provenance, RowError, ascending, fair_price, not_negative};
use crate::price::{Price, UnitPrice};
use crate::spread::Spread;

named_enum! {
    /// How the end face of a connector is polished. Only equal ones may be mated.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Polish {
        /// Ultra physical contact: flat.
        Upc = "upc",
        /// Angled physical contact: 8 degrees, for the least reflection.
        Apc = "apc",
    }
}

/// Catalogue values of a 1:p splitter. Losses are from the input to any output, including the division of the
/// light.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SplitterRow {
    /// Name in the catalogue.
    pub name: String,
    /// Number of outputs.
    pub fan_out: u32,
    /// Typical loss.
    pub loss_typ: Option<Db>,
    /// Largest loss.
    pub loss_max: Db,
    /// Largest difference between the losses of two outputs.
    pub uniformity: Option<Db>,
    /// Polarisation-dependent loss.
    pub pdl: Option<Db>,
    /// Whether the largest loss includes the polarisation-dependent loss.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pdl_included: bool,
    /// Smallest excess loss: loss beyond the even division.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excess_min: Option<Db>,
    /// Largest difference of the loss between two wavelengths of the band.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wavelength_dependence: Option<Db>,
    /// Whether the loss is made by a formula, and not taken from a data sheet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_formula: bool,
    /// Reflectance; negative.
    pub reflectance: Option<Db>,
    /// Price per piece.
    pub price: Option<Price>,
    /// Source of the values.
    pub provenance: Provenance,
}

checked_form! {
    /// A splitter with consistent values.
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
        not_negative("excess_min", self.excess_min)?;
        not_negative("wavelength_dependence", self.wavelength_dependence)?;
        let least = self.excess_min.map(|excess| division(self.fan_out) + excess);
        ascending("excess_min", least, Some(self.loss_max), "greatest loss")?;
        ascending("excess_min", least, self.loss_typ, "typical loss")?;
        ascending("loss_typ", self.loss_typ, Some(self.loss_max), "greatest loss")?;
        reflects(self.reflectance)?;
        // The worst output, and the typical one, get at most an even share. A tenth of a decibel is allowed
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
        fair_price(self.price.as_ref())
    }

    /// Price of a piece. `None`: unknown.
    pub fn unit_price(&self) -> Option<UnitPrice> {
        let row = || format!("splitter.{}", self.name);
        self.price.as_ref().map(|price| UnitPrice::of_row(row(), price))
    }

    /// Loss to any output if all outputs were alike. At least the loss of an even division with the smallest
    /// excess loss.
    pub fn even_loss(&self) -> Spread {
        let typical = self.loss_typ.unwrap_or(self.loss_max);
        let least = division(self.fan_out) + self.excess_min.unwrap_or(Db::ZERO);
        Spread { least: least.min(typical), typical, most: self.loss_max }
    }

    /// Polarisation-dependent loss that comes on top of the largest loss.
    pub fn further_pdl(&self) -> Option<Db> {
        self.pdl.filter(|_| !self.pdl_included)
    }

    /// Loss or gain of one output relative to that: up to the uniformity, but never more than all of the
    /// light.
    pub fn unevenness(&self) -> Option<Spread> {
        let most = self.uniformity?.min(division(self.fan_out));
        Some(Spread { least: -most, typical: Db::ZERO, most: Db::ZERO })
    }

    /// Loss to any output.
    pub fn loss(&self) -> Spread {
        self.even_loss() + self.unevenness().unwrap_or_default()
    }
}

/// Checks a reflectance: light that comes back is less than all of it.
fn reflects(reflectance: Option<Db>) -> Result<(), RowError> {
    let Some(found) = reflectance.filter(|&found| found >= Db::ZERO) else { return Ok(()) };
    let message = format!("found {found}; expected less than 0 dB, such as \"-50 dB\"");
    Err(RowError::new("reflectance", message))
}

/// Loss of an even division by `fan_out`: 10 log10 p.
fn division(fan_out: u32) -> Db {
    Db::new(10.0 * f64::from(fan_out).log10()).unwrap_or(Db::ZERO)
}

/// Formula for the loss of any splitter: base + slope × log2 p (shufflecast:II-C.loss has 0.8 + 3.4 log2 p dB).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SplitterFormulaRow {
    /// Loss of a 1:1 splitter.
    pub base: Db,
    /// Loss per doubling of the fan-out.
    pub per_doubling: Db,
    /// Source of the values.
    pub provenance: Provenance,
}

checked_form! {
    /// A formula that gives every splitter a possible loss.
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

    /// Loss from the input to any output of a 1:`fan_out` splitter.
    pub fn loss(&self, fan_out: u32) -> Db {
        self.base + self.per_doubling * f64::from(fan_out.max(1)).log2()
    }

    /// A splitter made by the formula. Typical and largest loss are equal.
    ///
    /// # Errors
    /// [`RowError`] if the fan-out is out of range.
    pub fn splitter(&self, fan_out: u32) -> Result<Splitter, RowError> {
        let loss = self.loss(fan_out);
        Splitter::try_from(SplitterRow {
            name: format!("1x{fan_out}-by-formula"),
            fan_out,
            loss_typ: Some(loss),
            loss_max: loss,
            uniformity: None,
            pdl: None,
            pdl_included: false,
            excess_min: None,
            wavelength_dependence: None,
            by_formula: true,
            reflectance: None,
            price: None,
            provenance: self.provenance.clone(),
        })
    }
}

/// Catalogue values of a kind of fibre.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FibreRow {
    /// Name in the catalogue.
    pub name: String,
    /// Typical attenuation.
    pub attenuation_typ: Option<Attenuation>,
    /// Largest attenuation.
    pub attenuation_max: Attenuation,
    /// Source of the values.
    pub provenance: Provenance,
}

checked_form! {
    /// A kind of fibre with consistent values.
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

/// Catalogue values of a joint between fibres: a connector pair, a splice or a patch panel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointRow {
    /// Name in the catalogue.
    pub name: String,
    /// Typical loss.
    pub loss_typ: Option<Db>,
    /// Largest loss.
    pub loss_max: Db,
    /// Reflectance; negative.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reflectance: Option<Db>,
    /// Price per piece.
    pub price: Option<Price>,
    /// Source of the values.
    pub provenance: Provenance,
}

checked_form! {
    /// A joint with consistent values.
    Joint from JointRow as "JointRow"
}

impl JointRow {
    fn check(&self) -> Result<(), RowError> {
        not_negative("loss_typ", self.loss_typ)?;
        not_negative("loss_max", Some(self.loss_max))?;
        ascending("loss_typ", self.loss_typ, Some(self.loss_max), "greatest loss")?;
        reflects(self.reflectance)?;
        fair_price(self.price.as_ref())
    }

    /// The loss. The smallest loss is 0.
    pub fn loss(&self) -> Spread {
        Spread {
            least: Db::ZERO,
            typical: self.loss_typ.unwrap_or(self.loss_max),
            most: self.loss_max,
        }
    }
}

/// Catalogue values of another part along the light's way: an attenuator, a filter of a wavelength multiplex,
/// or an amplifier (negative loss).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InlineRow {
    /// Name in the catalogue.
    pub name: String,
    /// Smallest loss; negative for a gain.
    pub loss_min: Db,
    /// Typical loss.
    pub loss_typ: Option<Db>,
    /// Largest loss.
    pub loss_max: Db,
    /// Electrical power.
    pub power: Option<lightloom_units::Power>,
    /// Price per piece.
    pub price: Option<Price>,
    /// Source of the values.
    pub provenance: Provenance,
}

checked_form! {
    /// An inline part with consistent values.
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
        fair_price(self.price.as_ref())
    }

    /// Price of a piece. `None`: unknown.
    pub fn unit_price(&self) -> Option<UnitPrice> {
        let row = || format!("inline.{}", self.name);
        self.price.as_ref().map(|price| UnitPrice::of_row(row(), price))
    }

    /// The loss.
    pub fn loss(&self) -> Spread {
        let typical = self.loss_typ.unwrap_or(self.loss_max);
        Spread { least: self.loss_min, typical, most: self.loss_max }
    }
}
