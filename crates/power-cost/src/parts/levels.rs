//! Kinds of launch power and sensitivity, and pairs of them that can be compared.
//!
//! A data sheet states powers as an average, as optical modulation amplitude (OMA), or as OMA minus a penalty.
//! Only values of the same kind can be subtracted. An average becomes an OMA by the extinction ratio:
//! OMA = 2 P (r - 1) / (r + 1) (IEEE 802.3, 52.9.5; r is a plain ratio).

use lightloom_units::{Db, Dbm, named_enum};

use crate::parts::transceiver::{Modulation, TransceiverRow};

named_enum! {
    /// Kind of a launch power.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum LaunchKind {
        /// Average power.
        Average = "average",
        /// Optical modulation amplitude.
        Oma = "OMA",
        /// Optical modulation amplitude minus TDP or TDECQ.
        OmaMinusPenalty = "OMA minus penalty",
    }
}

named_enum! {
    /// Kind of a sensitivity.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum SensitivityKind {
        /// Average power at which the receiver keeps its bit error ratio, as its maker measures it.
        Average = "average",
        /// Least average receive power of the link class: its least launch power minus its channel loss. It
        /// is informative and says nothing about the receiver beyond that channel loss.
        AverageMinimum = "average minimum",
        /// OMA without a stressed signal.
        Oma = "unstressed OMA",
        /// A power whose kind the sheet does not print. It is read as OMA without a stressed signal.
        Unprinted = "unprinted (read as OMA)",
        /// OMA with a stressed signal.
        StressedOma = "stressed OMA",
        /// OMA minus SECQ (PAM4).
        OmaMinusSecq = "OMA minus SECQ",
    }
}

impl SensitivityKind {
    /// What would make a launch power comparable with it.
    fn lacks(self) -> &'static str {
        match self {
            Self::Average | Self::AverageMinimum | Self::Oma | Self::Unprinted => {
                "the extinction ratio that relates them is unknown"
            }
            Self::StressedOma => "the penalty of the stressed signal is unknown",
            Self::OmaMinusSecq => "the launch power as OMA minus TDECQ is unknown",
        }
    }
}

/// A launch power and a sensitivity of the same kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// Kind of the launch power.
    pub launch: LaunchKind,
    /// Smallest launch power.
    pub launch_min: Dbm,
    /// Kind of the sensitivity.
    pub receive: SensitivityKind,
    /// Sensitivity.
    pub sensitivity: Dbm,
    /// Whether the launch power follows from the smallest average power and the smallest extinction ratio. It
    /// is a lower bound then, which proves that a branch closes and never that it does not.
    pub is_derived: bool,
}

impl Pair {
    /// Launch power minus sensitivity.
    pub fn budget(&self) -> Db {
        self.launch_min - self.sensitivity
    }

    /// Whether the pair already includes the transmitter's penalty.
    pub fn includes_penalty(&self) -> bool {
        self.launch == LaunchKind::OmaMinusPenalty
            || self.receive == SensitivityKind::AverageMinimum
    }
}

/// Average launch power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AverageLaunch {
    /// Smallest power.
    pub min: Dbm,
    /// Typical power. If the row has none: the middle of smallest and largest, or the smallest if there is
    /// no largest.
    pub typ: Dbm,
    /// Largest power.
    pub max: Option<Dbm>,
}

/// Known values of launch power and sensitivity.
#[derive(Debug, Clone, PartialEq)]
pub enum LightLevels {
    /// At least one launch power and sensitivity can be compared.
    Pairs {
        /// All pairs. A branch closes if it closes by each of them.
        pairs: Vec<Pair>,
        /// Average launch power. The received power follows from it.
        average: Option<AverageLaunch>,
    },
    /// Only the largest launch power minus the sensitivity is known.
    BestCase(Db),
}

/// Why no launch power can be compared with a sensitivity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Incomparable {
    /// A value is missing.
    #[error("{0} is unknown")]
    Missing(&'static str),
    /// Both are known in different kinds only.
    #[error("the launch power is {launch} and the sensitivity {sensitivity}; {}", .sensitivity.lacks())]
    Kinds {
        /// Kind of the launch power.
        launch: LaunchKind,
        /// Kind of the sensitivity.
        sensitivity: SensitivityKind,
    },
}

impl TransceiverRow {
    /// All sensitivities with their kinds.
    fn sensitivities(&self) -> [(SensitivityKind, Option<Dbm>); 6] {
        [
            (SensitivityKind::Average, self.sensitivity),
            (SensitivityKind::AverageMinimum, self.receive_min),
            (SensitivityKind::Oma, self.sensitivity_oma),
            (SensitivityKind::Unprinted, self.sensitivity_unprinted),
            (SensitivityKind::StressedOma, self.stressed_sensitivity_oma),
            (SensitivityKind::OmaMinusSecq, self.sensitivity_oma_minus_secq),
        ]
    }

    /// Smallest launch powers with their kinds.
    fn launches(&self) -> [(LaunchKind, Option<Dbm>); 3] {
        [
            (LaunchKind::Average, self.launch_min),
            (LaunchKind::Oma, self.launch_oma_min),
            (LaunchKind::OmaMinusPenalty, self.oma_minus_tdecq_min.or(self.oma_minus_tdp_min)),
        ]
    }

    /// A launch power in OMA by the extinction ratio, and the sensitivity of its kind.
    fn derived(&self) -> Option<Pair> {
        let (receive, sensitivity) = match self.sensitivity_oma {
            Some(printed) => (SensitivityKind::Oma, printed),
            None => (SensitivityKind::Unprinted, self.sensitivity_unprinted?),
        };
        let launch_min = self.oma_by_extinction()?;
        Some(Pair { launch: LaunchKind::Oma, launch_min, receive, sensitivity, is_derived: true })
    }

    /// Smallest OMA by the smallest average power and the smallest extinction ratio.
    pub(super) fn oma_by_extinction(&self) -> Option<Dbm> {
        let ratio = 10_f64.powf(self.extinction_ratio_min?.get() / 10.0);
        let factor = 10.0 * (2.0 * (ratio - 1.0) / (ratio + 1.0)).log10();
        Some(self.launch_min? + Db::new(factor).ok()?)
    }

    /// Average launch power, if its smallest value is known.
    pub fn average_launch(&self) -> Option<AverageLaunch> {
        let (min, max) = (self.launch_min?, self.launch_max);
        let middle = |max: Dbm| min + (max - min) * 0.5;
        let typ = self.launch_typ.or(max.map(middle)).unwrap_or(min);
        Some(AverageLaunch { min, typ, max })
    }

    /// Launch powers and sensitivities that can be compared. The average minimum of the class is used only
    /// if no other pair is known, and a launch power by the extinction ratio only if no pair is.
    ///
    /// # Errors
    /// [`Incomparable`] if there is no pair.
    pub fn levels(&self) -> Result<LightLevels, Incomparable> {
        let (launches, sensitivities) = (self.launches(), self.sensitivities());
        let known = launches.iter().filter_map(|&(kind, power)| Some((kind, power?)));
        let all = known.flat_map(|(launch, launch_min)| {
            sensitivities.iter().filter_map(move |&(receive, sensitivity)| {
                let sensitivity = sensitivity.filter(|_| self.alike(launch, receive))?;
                Some(Pair { launch, launch_min, receive, sensitivity, is_derived: false })
            })
        });
        let all: Vec<Pair> = all.collect();
        let of_class = |pair: &Pair| pair.receive == SensitivityKind::AverageMinimum;
        let better = all.iter().any(|pair| !of_class(pair));
        let mut pairs: Vec<Pair> =
            all.into_iter().filter(|pair| !(better && of_class(pair))).collect();
        if pairs.is_empty() {
            pairs.extend(self.derived());
        }
        if !pairs.is_empty() {
            return Ok(LightLevels::Pairs { pairs, average: self.average_launch() });
        }
        if let Some(budget) = self.best_case_budget {
            return Ok(LightLevels::BestCase(budget));
        }
        let launch = launches.iter().find(|(_, power)| power.is_some());
        let sensitivity = sensitivities.iter().find(|(_, power)| power.is_some());
        Err(match (launch, sensitivity) {
            (None, _) => Incomparable::Missing("launch_min"),
            (_, None) => Incomparable::Missing("sensitivity"),
            (Some(&(launch, _)), Some(&(sensitivity, _))) => {
                Incomparable::Kinds { launch, sensitivity }
            }
        })
    }

    /// Whether margins come from the average minimum of the class, so that a branch is allowed the channel
    /// loss of the class and no more.
    pub fn is_of_class_only(&self) -> bool {
        matches!(self.levels(), Ok(LightLevels::Pairs { pairs, .. })
            if pairs.iter().all(|pair| pair.receive == SensitivityKind::AverageMinimum))
    }

    /// Whether a launch power and a sensitivity are of the same kind. A stressed sensitivity includes the
    /// penalty of the stressed signal, which data sheets rarely state, so it is comparable with no launch
    /// power. The OMA sensitivity of PAM4 holds at a TDECQ, so a launch power without TDECQ belongs to it.
    fn alike(&self, launch: LaunchKind, receive: SensitivityKind) -> bool {
        use SensitivityKind as Receive;
        match launch {
            LaunchKind::Average => matches!(receive, Receive::Average | Receive::AverageMinimum),
            LaunchKind::Oma => matches!(receive, Receive::Oma | Receive::Unprinted),
            LaunchKind::OmaMinusPenalty => match receive {
                Receive::Oma | Receive::Unprinted => self.modulation != Modulation::Pam4,
                other => other == Receive::OmaMinusSecq,
            },
        }
    }
}
