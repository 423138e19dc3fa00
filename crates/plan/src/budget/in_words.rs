//! How light is told in words: in the command and in the window.

use lightloom_power_cost::{Case, ShareIs, error_rate};

use crate::budget::branch::{BranchReport, MendReport};
use crate::budget::report::{BudgetReport, ElementReport, MarginFrom};

impl BudgetReport {
    /// The smallest margin with its start, as `10.90 dB of a best-case budget: …`.
    pub fn worst_margin_text(&self) -> String {
        let of = match self.margin_from {
            MarginFrom::LaunchPower => "",
            MarginFrom::BestCase => " of a best-case budget: the greatest launch power is assumed",
            MarginFrom::ChannelLoss => " of the channel loss of the class",
        };
        format!("{}{of}", decibels(self.worst_margin_db))
    }

    /// The pairs of launch power and sensitivity that are compared. `None`: the catalogue has none.
    pub fn compared_text(&self) -> Option<String> {
        let pairs = self.compared.iter().map(|pair| {
            let (launch, sensitivity) = (pair.launch.name(), pair.sensitivity.name());
            format!("{launch} launch over {sensitivity} sensitivity ({:.2} dB)", pair.budget_db)
        });
        let pairs = pairs.collect::<Vec<_>>().join("; ");
        (!pairs.is_empty()).then(|| format!("Compared: {pairs}."))
    }

    /// The draws of a Monte Carlo budget and what came of them. `None`: it is no such budget.
    pub fn draws_text(&self) -> Option<String> {
        let drawn = self.monte_carlo?;
        let (samples, seed) = (drawn.samples, drawn.seed);
        let worse = format!(
            "{samples} draws, seed {seed}: {} % of them are worse than what is shown",
            drawn.percentile
        );
        let (Some(share), Some(swaps)) = (drawn.all_close_share, drawn.expected_swaps) else {
            return Some(format!("{worse}; how many of them close is unknown."));
        };
        let (share_is, swaps_are) = match drawn.all_close_share_is {
            None | Some(ShareIs::Exact) => ("", ""),
            Some(ShareIs::AtLeast) => ("at least ", "at most "),
            Some(ShareIs::AtMost) => ("at most ", "at least "),
        };
        let share = 100.0 * share;
        Some(format!(
            "{worse}; every branch closes in {share_is}{share:.2} %; {swaps_are}{swaps:.2} modules to swap are \
                expected."
        ))
    }

    /// Why fields of branches are unknown, a sentence for each field.
    pub fn unknown_texts(&self) -> impl Iterator<Item = String> {
        self.unknown.iter().map(|(field, reason)| format!("Unknown: {field}: {reason}."))
    }
}

impl BranchReport {
    /// What would make the branch close. `None`: it closes, or nothing is known that would.
    pub fn mend_text(&self) -> Option<String> {
        let ways = self.mend.iter().map(MendReport::text).collect::<Vec<_>>().join("; ");
        let (from, to) = (self.from_tor, self.to_tor);
        (!ways.is_empty()).then(|| format!("What would mend {from} to {to}: {ways}."))
    }

    /// The bit error ratio before correction. `None`: it is unknown.
    pub fn pre_fec_ber_text(&self) -> Option<String> {
        Some(error_rate::text(self.pre_fec_ber?, self.pre_fec_ber_is_bound))
    }

    /// The share of frames that are lost after correction. `None`: it is unknown.
    pub fn frame_loss_text(&self) -> Option<String> {
        Some(error_rate::text(self.frame_loss?, self.frame_loss_is_bound))
    }
}

impl MendReport {
    /// The change, with margin and headroom after it.
    pub fn text(&self) -> String {
        let with_pad = |pad: &Option<String>| {
            pad.as_ref().map_or_else(String::new, |pad| format!(" with pad {pad}"))
        };
        match self {
            Self::Transceiver { name, pad, margin_db, .. } => {
                format!("{name}{} (margin {})", with_pad(pad), decibels(*margin_db))
            }
            Self::Splitter { fan_out, pad, margin_db } => {
                format!("splitters 1:{fan_out}{} (margin {})", with_pad(pad), decibels(*margin_db))
            }
            Self::ShorterRoute { by_m } => format!("a way that is {by_m:.0} m shorter"),
            Self::Pad { name, at, margin_db, headroom_db } => {
                let (margin, headroom) = (decibels(*margin_db), decibels(*headroom_db));
                format!(
                    "pad {name} at the {} (margin {margin}, below overload {headroom})",
                    at.name()
                )
            }
        }
    }
}

impl ElementReport {
    /// The loss that a budget of this case subtracts, in dB. A Monte Carlo budget draws a loss up to the largest one,
    /// which is given here.
    pub fn counted_db(&self, case: Case) -> f64 {
        match case {
            Case::Typical => self.typical_db,
            Case::Worst | Case::MonteCarlo | Case::Best => self.most_db,
        }
    }

    /// Which losses [`Self::counted_db`] gives.
    pub fn counted_text(case: Case) -> &'static str {
        match case {
            Case::Typical => "typical losses",
            Case::Worst | Case::Best => "worst-case losses",
            Case::MonteCarlo => "worst-case losses; a draw loses less",
        }
    }
}

fn decibels(value: Option<f64>) -> String {
    value.map_or_else(|| "unknown".to_owned(), |value| format!("{value:.2} dB"))
}
