//! How sums of power and money are told in words: in the commands, in the window, in the papers and in sentences.

use lightloom_power_cost::price::PriceCase;
use lightloom_units::Money;

use crate::bill::{AND_MORE, CostRange, MissingReport, TotalReport};
use crate::housings::HousingReport;

impl TotalReport {
    /// The power, as `135.0 W and more` if the power of a part is missing.
    pub fn power_text(&self) -> String {
        self.power_w.map_or_else(
            || "unknown".to_owned(),
            |watts| format!("{watts:.1} W{}", self.power_lacks()),
        )
    }

    /// The cost in hundredths with its bounds, as `3551.64 USD, 2800.00 to 9000.00, of it 61 % assumed`. If the price
    /// of a part is missing, `3551.64 USD and more, 2800.00 to open`.
    pub fn cost_text(&self) -> String {
        amount_text(self.cost, self.cost_lacks(), self.range.as_ref())
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

impl CostRange {
    /// The bounds and the assumed share behind a sum: `, 2800.00 to 9000.00, of it 61 % assumed`. Nothing behind a sum
    /// of exact prices with sources.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let of_case = match self.case {
            PriceCase::Typical => "",
            PriceCase::Low => " at the lowest prices",
            PriceCase::High => " at the highest prices",
        };
        text += of_case;
        if self.high != Some(self.low) {
            let high = self
                .high
                .map_or_else(|| "open".to_owned(), |high| high.to_hundredths().to_decimal());
            text += &format!(", {} to {high}", self.low.to_hundredths().to_decimal());
        }
        if let Some(percent) = self.assumed_percent.filter(|&percent| percent > 0.0) {
            // A share that is not nothing is never told as nothing, nor a part as all.
            let percent = if percent < 1.0 {
                "under 1".to_owned()
            } else if percent < 100.0 && percent > 99.0 {
                "over 99".to_owned()
            } else {
                format!("{percent:.0}")
            };
            text += &format!(", of it {percent} % assumed");
        }
        text
    }
}

/// An amount in hundredths with its bounds. `lacks` stands behind a sum that lacks values.
pub fn amount_text(cost: Option<Money>, lacks: &str, range: Option<&CostRange>) -> String {
    let Some(cost) = cost else { return "unknown".to_owned() };
    let bounds = range.map_or_else(String::new, CostRange::text);
    format!("{}{lacks}{bounds}", cost.to_hundredths())
}

impl HousingReport {
    /// The cost of the cords and trunks, with its bounds.
    pub fn stock_cost_text(&self) -> String {
        amount_text(self.stock_cost, "", self.stock_cost_range.as_ref())
    }
}

impl MissingReport {
    /// The missing value in a sentence.
    pub fn text(&self) -> String {
        let Self { value, part, quantity, reason } = self;
        format!("Not in the sums: the {value} of {quantity} × {part} ({reason}).")
    }
}
