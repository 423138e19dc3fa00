//! Transceivers.

use lightloom_units::{BitRate, Db, Dbm, Length, Power as Watts, Wavelength};
use serde::{Deserialize, Serialize};

use crate::parts::row::{Provenance, RowError, ascending, fair_power, fair_price, not_negative};
use crate::price::{Price, UnitPrice};

/// Modulation of the light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Modulation {
    /// Two levels (NRZ).
    Nrz,
    /// Four levels (PAM4).
    Pam4,
    /// Phase and amplitude of both polarisations, with a local oscillator at the receiver.
    Coherent,
}

/// Kind of a receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReceiverKind {
    /// PIN photodiode. Thermal noise limits it.
    Pin,
    /// Avalanche photodiode. Its noise grows with the light, and strong light destroys it.
    Apd,
    /// Coherent receiver. The noise of its local oscillator limits it.
    Coherent,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_one(lanes: &u32) -> bool {
    *lanes == 1
}

fn one() -> u32 {
    1
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
    /// Staircase code with an inner Hamming code (OIF-400ZR-01): no errors remain up to 1.25e-2.
    Cfec,
    /// Open FEC (OpenZR+ MSA): no errors remain up to 2.0e-2.
    Ofec,
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
    /// Smallest average launch power.
    pub launch_min: Option<Dbm>,
    /// Typical average launch power.
    pub launch_typ: Option<Dbm>,
    /// Largest average launch power.
    pub launch_max: Option<Dbm>,
    /// Smallest launch power as optical modulation amplitude (OMA).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch_oma_min: Option<Dbm>,
    /// Smallest launch power as OMA minus transmitter and dispersion penalty (TDP).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oma_minus_tdp_min: Option<Dbm>,
    /// Smallest launch power as outer OMA minus TDECQ (PAM4).
    pub oma_minus_tdecq_min: Option<Dbm>,
    /// Smallest extinction ratio of the transmitter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extinction_ratio_min: Option<Db>,
    /// Least average receive power of the link class, informative: least launch power minus channel loss.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receive_min: Option<Dbm>,
    /// Receiver sensitivity: smallest average power at which `ber` is kept, as the maker measures it.
    pub sensitivity: Option<Dbm>,
    /// Typical receiver sensitivity, in average power.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity_typ: Option<Dbm>,
    /// Receiver sensitivity of a sheet that does not print its kind of power. It is read as unstressed OMA, which
    /// is the kind that standards print; no sheet says so, hence no branch passes by it without a warning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity_unprinted: Option<Dbm>,
    /// Receiver sensitivity as unstressed OMA.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity_oma: Option<Dbm>,
    /// Receiver sensitivity as stressed OMA.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stressed_sensitivity_oma: Option<Dbm>,
    /// Receiver sensitivity as outer OMA minus SECQ (PAM4).
    pub sensitivity_oma_minus_secq: Option<Dbm>,
    /// Overload: largest average power at which `ber` is kept.
    pub overload: Option<Dbm>,
    /// Damage threshold: average power above which the receiver breaks.
    pub damage: Option<Dbm>,
    /// Largest average power at which the receiver may still report a loss of signal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal_detect: Option<Dbm>,
    /// Kind of the receiver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receiver: Option<ReceiverKind>,
    /// Number of lanes: wavelengths on the one fibre.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub lanes: u32,
    /// Largest difference in launch power between two lanes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lane_difference_launch: Option<Db>,
    /// Largest difference in receive power between two lanes that the receiver accepts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lane_difference_receive: Option<Db>,
    /// Largest launch power minus sensitivity, if only this difference is known.
    pub best_case_budget: Option<Db>,
    /// Largest penalty for dispersion, reflections and the like.
    pub penalty: Option<Db>,
    /// Forward error correction of the link.
    pub fec: Fec,
    /// Bit error ratio at the sensitivity, before correction.
    pub ber: Option<f64>,
    /// Error floor: no power gives a smaller bit error ratio before correction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ber_floor: Option<f64>,
    /// Electrical power.
    pub power: Option<Watts>,
    /// Price per piece.
    pub price: Option<Price>,
    /// Source of the values.
    pub provenance: Provenance,
}

checked_form! {
    /// A transceiver with consistent values.
    Transceiver from TransceiverRow as "TransceiverRow"
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
            ("launch_oma_min", self.launch_oma_min),
            ("oma_minus_tdp_min", self.oma_minus_tdp_min),
            ("oma_minus_tdecq_min", self.oma_minus_tdecq_min),
            ("receive_min", self.receive_min),
            ("sensitivity", self.sensitivity),
            ("sensitivity_typ", self.sensitivity_typ),
            ("sensitivity_unprinted", self.sensitivity_unprinted),
            ("sensitivity_oma", self.sensitivity_oma),
            ("stressed_sensitivity_oma", self.stressed_sensitivity_oma),
            ("sensitivity_oma_minus_secq", self.sensitivity_oma_minus_secq),
            ("overload", self.overload),
            ("damage", self.damage),
            ("signal_detect", self.signal_detect),
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
        ascending(
            "sensitivity_typ",
            self.sensitivity_typ,
            self.sensitivity,
            "greatest sensitivity",
        )?;
        for (field, level) in
            [("receive_min", self.receive_min), ("signal_detect", self.signal_detect)]
        {
            ascending(field, level, self.overload, "overload")?;
            ascending(field, level, self.damage, "damage threshold")?;
        }
        not_negative("best_case_budget", self.best_case_budget)?;
        not_negative("penalty", self.penalty)?;
        not_negative("lane_difference_launch", self.lane_difference_launch)?;
        not_negative("lane_difference_receive", self.lane_difference_receive)?;
        self.check_kinds()?;
        self.check_receiver()?;
        if let Some(ber) = self.ber.filter(|ber| !(*ber > 0.0 && *ber < 0.1)) {
            let message = format!("found {ber}; expected a ratio above 0 and below 0.1");
            return Err(RowError::new("ber", message));
        }
        fair_power(self.power)?;
        fair_price(self.price.as_ref())
    }

    /// Price of a piece. `None`: unknown.
    pub fn unit_price(&self) -> Option<UnitPrice> {
        let row = || format!("transceiver.{}", self.name);
        self.price.as_ref().map(|price| UnitPrice::of_row(row(), price))
    }

    /// Values of different kinds must not contradict each other.
    fn check_kinds(&self) -> Result<(), RowError> {
        let pam4 = self.modulation == Modulation::Pam4;
        let of_pam4 = [
            ("oma_minus_tdecq_min", self.oma_minus_tdecq_min),
            ("sensitivity_oma_minus_secq", self.sensitivity_oma_minus_secq),
        ];
        let of_nrz = [("oma_minus_tdp_min", self.oma_minus_tdp_min)];
        let foreign = if pam4 { &of_nrz[..] } else { &of_pam4 };
        if let Some((field, _)) = foreign.iter().find(|(_, level)| level.is_some()) {
            let (kind, use_of) = if pam4 { ("PAM4", "NRZ") } else { ("not PAM4", "PAM4") };
            let message =
                format!("contradicts the modulation, which is {kind}; it is a value of {use_of}");
            return Err(RowError::new(field, message));
        }
        if self.sensitivity_unprinted.is_some()
            && (self.sensitivity.is_some() || self.sensitivity_oma.is_some())
        {
            let message = "stands beside a sensitivity of a printed kind; leave it out, or write \
                           sensitivity = \"unknown\" to remove an inherited one";
            return Err(RowError::new("sensitivity_unprinted", message));
        }
        if let Some(found) =
            self.extinction_ratio_min.filter(|ratio| !(0.1..=40.0).contains(&ratio.get()))
        {
            let message = format!("found {found}; expected 0.1 dB to 40 dB");
            return Err(RowError::new("extinction_ratio_min", message));
        }
        ascending(
            "sensitivity_oma",
            self.sensitivity_oma,
            self.stressed_sensitivity_oma,
            "stressed sensitivity",
        )?;
        ascending(
            "oma_minus_tdp_min",
            self.oma_minus_tdp_min,
            self.launch_oma_min,
            "launch power in OMA",
        )?;
        ascending(
            "oma_minus_tdecq_min",
            self.oma_minus_tdecq_min,
            self.launch_oma_min,
            "launch power in OMA",
        )?;
        ascending(
            "sensitivity_oma_minus_secq",
            self.sensitivity_oma_minus_secq,
            self.stressed_sensitivity_oma,
            "stressed sensitivity",
        )?;
        ascending(
            "sensitivity",
            self.sensitivity,
            self.receive_min,
            "receive minimum of the class",
        )?;
        // The amplitude is at most twice the average power. Hundredths of a decibel, for the message.
        let twice = |average: Option<Dbm>| {
            let level = average?.get() + 10.0 * 2_f64.log10();
            Dbm::new((level * 100.0).round() / 100.0).ok()
        };
        ascending(
            "launch_oma_min",
            self.launch_oma_min,
            twice(self.launch_max),
            "amplitude at the greatest average launch power",
        )?;
        for (field, sensitivity) in [
            ("sensitivity_unprinted", self.sensitivity_unprinted),
            ("sensitivity_oma", self.sensitivity_oma),
            ("stressed_sensitivity_oma", self.stressed_sensitivity_oma),
        ] {
            ascending(field, sensitivity, twice(self.overload), "amplitude at the overload")?;
            ascending(field, sensitivity, twice(self.damage), "amplitude at the damage threshold")?;
        }
        Ok(())
    }

    fn check_receiver(&self) -> Result<(), RowError> {
        if !(1..=64).contains(&self.lanes) {
            return Err(RowError::new("lanes", format!("found {}; expected 1 to 64", self.lanes)));
        }
        let coherent = self.modulation == Modulation::Coherent;
        if let Some(receiver) =
            self.receiver.filter(|&receiver| (receiver == ReceiverKind::Coherent) != coherent)
        {
            let found = match receiver {
                ReceiverKind::Pin => "pin",
                ReceiverKind::Apd => "apd",
                ReceiverKind::Coherent => "coherent",
            };
            let message = format!(
                "found {found:?}, which contradicts the modulation; coherent light, and no other, has a \
                 coherent receiver"
            );
            return Err(RowError::new("receiver", message));
        }
        let most = self.ber.unwrap_or(0.1);
        if let Some(floor) = self.ber_floor.filter(|floor| !(*floor > 0.0 && *floor <= most)) {
            let message = format!(
                "found {floor}; expected a ratio above 0, and at most {most}, which the part keeps"
            );
            return Err(RowError::new("ber_floor", message));
        }
        Ok(())
    }

    /// Kind of the receiver. Coherent light has one kind only. `None`: unknown.
    pub fn receiver_kind(&self) -> Option<ReceiverKind> {
        let coherent = self.modulation == Modulation::Coherent;
        self.receiver.or(coherent.then_some(ReceiverKind::Coherent))
    }

    /// Largest allowed received power: the overload, or the damage threshold if the overload is unknown.
    pub fn ceiling(&self) -> Option<Dbm> {
        self.overload.or(self.damage)
    }
}

/// Bound for all launch and received powers, in dBm and -dBm.
const MOST_DBM: f64 = 60.0;
