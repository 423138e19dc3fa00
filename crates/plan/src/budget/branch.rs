//! Reports of branches.

use std::collections::BTreeMap;

use lightloom_power_cost::mend::Mend;
use lightloom_power_cost::parts::{FittedPad, Incomparable, LightLevels, PadPlace};
use lightloom_power_cost::{Optics, Verdict, error_rate};
use lightloom_topology::TorId;
use lightloom_units::{Db, Dbm, named_enum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::budget::lights::{Lights, Lit};

named_enum! {
    /// The fields of a branch that can be null, by name.
    #[derive(PartialOrd, Ord, JsonSchema)]
    pub enum BranchField {
        /// Frames lost after correction.
        FrameLoss = "frame_loss",
        /// Distance from the overload.
        HeadroomDb = "headroom_db",
        /// Margin.
        MarginDb = "margin_db",
        /// Bit errors before correction.
        PreFecBer = "pre_fec_ber",
        /// Quality factor.
        Q = "q",
        /// Smallest received power.
        RxDbm = "rx_dbm",
        /// Largest received power.
        RxMaxDbm = "rx_max_dbm",
    }
}

/// Optical budget of one branch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BranchReport {
    /// The ToR whose light the branch carries.
    pub from_tor: TorId,
    /// The receiving ToR.
    pub to_tor: TorId,
    /// Loss from transmitter to receiver, in dB.
    pub loss_db: f64,
    /// Smallest received power of the case, in dBm.
    pub rx_dbm: Option<f64>,
    /// Received power above the sensitivity, minus penalties and ageing, in dB.
    pub margin_db: Option<f64>,
    /// Largest received power of the case, in dBm.
    pub rx_max_dbm: Option<f64>,
    /// Distance of the largest received power from the overload, in dB.
    pub headroom_db: Option<f64>,
    /// Quality factor at that margin. Null if the receiver is overloaded. At least this, if
    /// `pre_fec_ber_is_bound`.
    pub q: Option<f64>,
    /// Bit error ratio before correction. It is never below 1e-15.
    pub pre_fec_ber: Option<f64>,
    /// Whether the bit error ratio is at most that: less is not known, or is below 1e-15.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub pre_fec_ber_is_bound: bool,
    /// Share of frames of 1,518 bytes that are lost after correction. It is never below 1e-15.
    pub frame_loss: Option<f64>,
    /// Whether that share is at most that: less is not known, or is below 1e-15.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub frame_loss_is_bound: bool,
    /// Mean number of such frames in a row that are lost together.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub frames_at_once: Option<f64>,
    /// Share of draws that do not close.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub failing_share: Option<f64>,
    /// The verdict.
    pub verdict: Verdict,
    /// Changes that would make the branch close. Only for the thousand worst failing branches. In a Monte
    /// Carlo budget they are computed for the worst case.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub mend: Vec<MendReport>,
}

/// A change that makes a branch close.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum MendReport {
    /// Another transceiver at both ends.
    Transceiver {
        /// Name of the transceiver.
        name: String,
        /// Name of the pad that it needs.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        pad: Option<String>,
        /// Margin after the change, in dB.
        margin_db: Option<f64>,
        /// Headroom after the change, in dB.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        headroom_db: Option<f64>,
    },
    /// A splitter with fewer outputs. It needs another fabric.
    Splitter {
        /// Number of outputs.
        fan_out: u32,
        /// Name of the pad that it needs.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        pad: Option<String>,
        /// Margin after the change, in dB.
        margin_db: Option<f64>,
    },
    /// A shorter way.
    ShorterRoute {
        /// Length to remove, at least, in metres.
        by_m: f64,
    },
    /// A fixed attenuator.
    Pad {
        /// Name of the pad.
        name: String,
        /// Its place.
        at: PadPlace,
        /// Margin after the change, in dB.
        margin_db: Option<f64>,
        /// Headroom after the change, in dB.
        headroom_db: Option<f64>,
    },
}

impl BranchReport {
    pub(super) fn new(lit: &Lit, optics: &Optics, mends: Vec<Mend>) -> Self {
        let (light, transceiver) = (&lit.light, &optics.transceiver);
        // An overloaded receiver makes errors for other reasons than noise.
        let blinded = light.headroom.is_some_and(|headroom| headroom < Db::ZERO);
        let margin = light.margin.filter(|_| !blinded);
        let errors = margin.and_then(|margin| error_rate::of_part(transceiver, margin));
        Self {
            from_tor: lit.ends.0,
            to_tor: lit.ends.1,
            loss_db: db(light.loss),
            rx_dbm: light.received.map(dbm),
            margin_db: light.margin.map(db),
            rx_max_dbm: light.strongest.map(dbm),
            headroom_db: light.headroom.map(db),
            q: errors.map(|errors| errors.q),
            pre_fec_ber: errors.map(|errors| errors.pre_fec_ber),
            pre_fec_ber_is_bound: errors.is_some_and(|errors| errors.pre_fec_ber_is_bound),
            frame_loss: errors.map(|errors| errors.frame_loss),
            frame_loss_is_bound: errors.is_some_and(|errors| errors.frame_loss_is_bound),
            frames_at_once: errors
                .map(|errors| errors.frames_at_once)
                .filter(|&at_once| at_once > 1.0),
            failing_share: lit.failing,
            verdict: light.verdict,
            mend: mends.into_iter().map(MendReport::from).collect(),
        }
    }
}

impl From<Mend> for MendReport {
    fn from(mend: Mend) -> Self {
        match mend {
            Mend::Optic { name, pad, margin, headroom } => Self::Transceiver {
                name,
                pad,
                margin_db: margin.map(db),
                headroom_db: headroom.map(db),
            },
            Mend::Splitter { fan_out, pad, margin } => {
                Self::Splitter { fan_out, pad, margin_db: margin.map(db) }
            }
            Mend::Shorter { by } => Self::ShorterRoute { by_m: by.as_m() },
            Mend::Pad { name, at, margin, headroom } => {
                Self::Pad { name, at, margin_db: margin.map(db), headroom_db: headroom.map(db) }
            }
        }
    }
}

/// Reasons why fields of the branches are null, by field.
pub(super) fn unknown(lights: &Lights, optics: &Optics) -> BTreeMap<BranchField, String> {
    use BranchField as Field;
    let row = &optics.transceiver;
    let mut unknown = BTreeMap::new();
    let lacks = |what: &str| format!("{} has no {what} in the catalogue", row.name);
    match row.levels() {
        Ok(LightLevels::Pairs { average, .. }) => {
            if average.is_none() {
                unknown.insert(Field::RxDbm, lacks("launch_min"));
            }
            if row.launch_max.is_none() {
                unknown.insert(Field::RxMaxDbm, lacks("launch_max"));
            }
            if row.ceiling().is_none() {
                unknown.insert(Field::HeadroomDb, lacks("overload"));
            } else if row.launch_max.is_none() {
                unknown.insert(Field::HeadroomDb, lacks("launch_max"));
            }
        }
        Ok(LightLevels::BestCase(_)) => {
            for field in [Field::RxDbm, Field::RxMaxDbm, Field::HeadroomDb] {
                unknown.insert(field, lacks("launch power, only a best-case budget"));
            }
        }
        Err(reason) => {
            let why = match reason {
                Incomparable::Missing(field) => lacks(field),
                Incomparable::Kinds { .. } => format!("{}: {reason}", row.name),
            };
            for null in [Field::RxDbm, Field::MarginDb, Field::RxMaxDbm, Field::HeadroomDb] {
                unknown.insert(null, why.clone());
            }
        }
    }
    if row.ber.is_none() || unknown.contains_key(&Field::MarginDb) {
        let why = if row.ber.is_none() { lacks("ber") } else { lacks("level to start from") };
        for field in [Field::Q, Field::PreFecBer, Field::FrameLoss] {
            unknown.insert(field, why.clone());
        }
    }
    if lights.least(|light| light.headroom).is_some_and(|headroom| headroom < Db::ZERO) {
        let name = &row.name;
        let why = format!(
            "where the receiver of {name} is blinded, it errs for other reasons than noise"
        );
        for field in [Field::Q, Field::PreFecBer, Field::FrameLoss] {
            unknown.entry(field).or_insert_with(|| why.clone());
        }
    }
    unknown
}

/// The pad of a design with its place.
pub fn pad_text(optics: &Optics) -> Option<String> {
    optics.pad.as_ref().map(padded_text)
}

/// A pad with its place.
pub fn padded_text(fitted: &FittedPad) -> String {
    format!("{} at the {}", fitted.pad.name, fitted.at.name())
}

/// Decibels rounded to a millionth, so that sums of decimals print as decimals.
pub fn db(value: Db) -> f64 {
    millionths(value.get())
}

pub(super) fn dbm(value: Dbm) -> f64 {
    millionths(value.get())
}

fn millionths(value: f64) -> f64 {
    (value * 1e6).round() / 1e6 + 0.0
}
