//! How sums of power and money are told in words: in the commands, in the window, in the papers and in sentences.

use crate::bill::{MissingReport, TotalReport};

/// Stands behind a sum that lacks values.
const AND_MORE: &str = " and more";

impl TotalReport {
    /// The power, as `135.0 W and more` if the power of a part is missing.
    pub fn power_told(&self) -> String {
        self.power_w.map_or_else(
            || "unknown".to_owned(),
            |watts| format!("{watts:.1} W{}", self.power_lacks()),
        )
    }

    /// The cost in hundredths, as `3551.64 USD and more` if the price of a part is missing.
    pub fn cost_told(&self) -> String {
        self.cost.map_or_else(
            || "unknown".to_owned(),
            |cost| format!("{}{}", cost.to_hundredths(), self.cost_lacks()),
        )
    }

    /// What stands behind the power: nothing, or that it lacks values.
    pub fn power_lacks(&self) -> &'static str {
        if self.power_w.is_none() || self.all_powered() { "" } else { AND_MORE }
    }

    /// What stands behind the cost: nothing, or that it lacks values.
    pub fn cost_lacks(&self) -> &'static str {
        if self.cost.is_none() || self.all_priced() { "" } else { AND_MORE }
    }
}

impl MissingReport {
    /// The missing value in a sentence.
    pub fn told(&self) -> String {
        let Self { value, part, quantity, reason } = self;
        format!("Not in the sums: the {value} of {quantity} × {part} ({reason}).")
    }
}
