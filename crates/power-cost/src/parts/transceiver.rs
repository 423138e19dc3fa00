//! Transceivers.

use lightloom_units::{BitRate, Db, Dbm, Length, Money, Power as Watts, Wavelength};
use serde::{Deserialize, Serialize};

use crate::parts::row::{Provenance, RowError, ascending, fair_power, fair_price, not_negative};

/// How bits become light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Modulation {
    /// Two levels.
    Nrz,
    /// Four levels.
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

/// What a catalogue says of a transceiver. Levels are average power, for each lane.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransceiverRow {
    /// Its name in the catalogue.
    pub name: String,
    /// Line rate.
    pub rate: BitRate,
    /// How bits become light.
    pub modulation: Modulation,
    /// Fibres that it sends on. A splitter takes one.
    pub fibres: u32,
    /// Rated reach.
    pub reach: Option<Length>,
    /// Nominal wavelength.
    pub wavelength: Option<Wavelength>,
    /// Least launch power.
    pub launch_min: Option<Dbm>,
    /// Typical launch power.
    pub launch_typ: Option<Dbm>,
    /// Greatest launch power.
    pub launch_max: Option<Dbm>,
    /// Least launch power as outer optical modulation amplitude minus TDECQ (PAM4).
    pub oma_minus_tdecq_min: Option<Dbm>,
    /// Receiver sensitivity: the least power at which `ber` is kept.
    pub sensitivity: Option<Dbm>,
    /// Receiver sensitivity as outer optical modulation amplitude minus SECQ (PAM4).
    pub sensitivity_oma_minus_secq: Option<Dbm>,
    /// The greatest power at which `ber` is kept.
    pub overload: Option<Dbm>,
    /// The power beyond which the receiver breaks.
    pub damage: Option<Dbm>,
    /// Greatest launch power minus sensitivity, where only their difference is known.
    pub best_case_budget: Option<Db>,
    /// What dispersion, reflections and the like take of the budget at most.
    pub penalty: Option<Db>,
    /// Forward error correction of the link.
    pub fec: Fec,
    /// The bit error ratio, before correction, at the sensitivity.
    pub ber: Option<f64>,
    /// Electrical power.
    pub power: Option<Watts>,
    /// Price of one.
    pub price: Option<Money>,
    /// Where this is from.
    pub provenance: Provenance,
}

checked_form! {
    /// A transceiver whose values do not contradict each other.
    Transceiver from TransceiverRow as "TransceiverRow"
}

/// What is known of launch and reception.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Power {
    /// Levels.
    Levels(Levels),
    /// Only the greatest launch power minus the sensitivity.
    BestCase(BestCaseBudget),
}

/// Only the greatest launch power minus the sensitivity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestCaseBudget(pub Db);

/// Launch power and sensitivity, both known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Levels {
    /// Least launch power.
    pub launch_min: Dbm,
    /// Typical launch power; the middle of least and greatest where the row has none, the least
    /// where it has no greatest either.
    pub launch_typ: Dbm,
    /// Greatest launch power.
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

    /// The most that may arrive: what blinds the receiver, or what breaks it where only that is known.
    pub fn ceiling(&self) -> Option<Dbm> {
        self.overload.or(self.damage)
    }

    /// Launch power and sensitivity, as far as the row tells; the error says what is missing.
    ///
    /// # Errors
    /// The name of the missing field.
    pub fn levels(&self) -> Result<Power, &'static str> {
        match (self.launch_min, self.sensitivity, self.best_case_budget) {
            (Some(launch_min), Some(sensitivity), _) => {
                let middle = |max: Dbm| launch_min + (max - launch_min) * 0.5;
                let launch_typ =
                    self.launch_typ.or(self.launch_max.map(middle)).unwrap_or(launch_min);
                let launch_max = self.launch_max;
                Ok(Power::Levels(Levels { launch_min, launch_typ, launch_max, sensitivity }))
            }
            (_, _, Some(budget)) => Ok(Power::BestCase(BestCaseBudget(budget))),
            (None, _, None) => Err("launch_min"),
            (Some(_), None, None) => Err("sensitivity"),
        }
    }
}

/// No transceiver launches or receives more, or hears less.
const MOST_DBM: f64 = 60.0;
