//! Transceivers.

use lightloom_units::{BitRate, Db, Dbm, Length, Money, Power as Watts, Wavelength};
use serde::{Deserialize, Serialize};

use crate::parts::row::{Provenance, RowError, ascending, fair_power, fair_price, not_negative};

/// Modulation of the light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Modulation {
    /// Two levels (NRZ).
    Nrz,
    /// Four levels (PAM4).
    Pam4,
}

/// Forward error correction of the link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fec {
    /// None: every bit error reaches the frame.
    None,
    /// RS(528,514) over 10-bit symbols, IEEE 802.3 clause 91 ("KR4").
    Rs528,
    /// RS(544,514) over 10-bit symbols, IEEE 802.3 clause 91 ("KP4").
    Rs544,
}

/// Catalogue values of a transceiver. Levels are average powers per lane.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransceiverRow {
    /// Name in the catalogue.
    pub name: String,
    /// Line rate.
    pub rate: BitRate,
    /// Modulation of the light.
    pub modulation: Modulation,
    /// Number of fibres that it sends on. With splitters it must be 1.
    pub fibres: u32,
    /// Rated reach.
    pub reach: Option<Length>,
    /// Nominal wavelength.
    pub wavelength: Option<Wavelength>,
    /// Smallest launch power.
    pub launch_min: Option<Dbm>,
    /// Typical launch power.
    pub launch_typ: Option<Dbm>,
    /// Largest launch power.
    pub launch_max: Option<Dbm>,
    /// Smallest launch power as outer optical modulation amplitude minus TDECQ (PAM4).
    pub oma_minus_tdecq_min: Option<Dbm>,
    /// Receiver sensitivity: smallest power at which `ber` is kept.
    pub sensitivity: Option<Dbm>,
    /// Receiver sensitivity as outer optical modulation amplitude minus SECQ (PAM4).
    pub sensitivity_oma_minus_secq: Option<Dbm>,
    /// Overload: largest power at which `ber` is kept.
    pub overload: Option<Dbm>,
    /// Damage threshold: power above which the receiver breaks.
    pub damage: Option<Dbm>,
    /// Largest launch power minus sensitivity, if only this difference is known.
    pub best_case_budget: Option<Db>,
    /// Largest penalty for dispersion, reflections and the like.
    pub penalty: Option<Db>,
    /// Forward error correction of the link.
    pub fec: Fec,
    /// Bit error ratio at the sensitivity, before correction.
    pub ber: Option<f64>,
    /// Electrical power.
    pub power: Option<Watts>,
    /// Price per piece.
    pub price: Option<Money>,
    /// Source of the values.
    pub provenance: Provenance,
}

checked_form! {
    /// A transceiver with consistent values.
    Transceiver from TransceiverRow as "TransceiverRow"
}

/// Known values of launch power and sensitivity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LightLevels {
    /// Both levels are known.
    Levels(Levels),
    /// Only the largest launch power minus the sensitivity is known.
    BestCase(BestCaseBudget),
}

/// Largest launch power minus sensitivity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestCaseBudget(pub Db);

/// Launch power and sensitivity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Levels {
    /// Smallest launch power.
    pub launch_min: Dbm,
    /// Typical launch power. If the row has none: the middle of smallest and largest, or the smallest if
    /// there is no largest.
    pub launch_typ: Dbm,
    /// Largest launch power.
    pub launch_max: Option<Dbm>,
    /// Receiver sensitivity.
    pub sensitivity: Dbm,
}

impl TransceiverRow {
    fn check(&self) -> Result<(), RowError> {
        if self.rate.as_bps() == 0 {
            return Err(RowError::new("rate", "found 0 bps; expected more"));
        }
        if !(1..=64).contains(&self.fibres) {
            let message = format!("found {}; expected 1 to 64", self.fibres);
            return Err(RowError::new("fibres", message));
        }
        let levels = [
            ("launch_min", self.launch_min),
            ("launch_typ", self.launch_typ),
            ("launch_max", self.launch_max),
            ("oma_minus_tdecq_min", self.oma_minus_tdecq_min),
            ("sensitivity", self.sensitivity),
            ("sensitivity_oma_minus_secq", self.sensitivity_oma_minus_secq),
            ("overload", self.overload),
            ("damage", self.damage),
        ];
        for (field, level) in levels {
            if let Some(level) = level.filter(|level| level.get().abs() > MOST_DBM) {
                let message = format!("found {level}; expected -{MOST_DBM} to {MOST_DBM} dBm");
                return Err(RowError::new(field, message));
            }
        }
        ascending("launch_min", self.launch_min, self.launch_typ, "typical launch power")?;
        ascending("launch_min", self.launch_min, self.launch_max, "greatest launch power")?;
        ascending("launch_typ", self.launch_typ, self.launch_max, "greatest launch power")?;
        ascending("sensitivity", self.sensitivity, self.overload, "overload")?;
        ascending("overload", self.overload, self.damage, "damage threshold")?;
        ascending("sensitivity", self.sensitivity, self.damage, "damage threshold")?;
        not_negative("best_case_budget", self.best_case_budget)?;
        not_negative("penalty", self.penalty)?;
        if let Some(ber) = self.ber.filter(|ber| !(*ber > 0.0 && *ber < 0.1)) {
            let message = format!("found {ber}; expected a ratio above 0 and below 0.1");
            return Err(RowError::new("ber", message));
        }
        fair_power(self.power)?;
        fair_price(self.price)
    }

    /// Largest allowed received power: the overload, or the damage threshold if the overload is unknown.
    pub fn ceiling(&self) -> Option<Dbm> {
        self.overload.or(self.damage)
    }

    /// Launch power and sensitivity, as far as the row has them.
    ///
    /// # Errors
    /// The name of the missing field.
    pub fn levels(&self) -> Result<LightLevels, &'static str> {
        match (self.launch_min, self.sensitivity, self.best_case_budget) {
            (Some(launch_min), Some(sensitivity), _) => {
                let middle = |max: Dbm| launch_min + (max - launch_min) * 0.5;
                let launch_typ =
                    self.launch_typ.or(self.launch_max.map(middle)).unwrap_or(launch_min);
                let launch_max = self.launch_max;
                Ok(LightLevels::Levels(Levels { launch_min, launch_typ, launch_max, sensitivity }))
            }
            (_, _, Some(budget)) => Ok(LightLevels::BestCase(BestCaseBudget(budget))),
            (None, _, None) => Err("launch_min"),
            (Some(_), None, None) => Err("sensitivity"),
        }
    }
}

/// Bound for all launch and received powers, in dBm and -dBm.
const MOST_DBM: f64 = 60.0;
