//! How sums of money and ratios of a comparison are told in words.

use lightloom_plan::bill::TotalReport;
use lightloom_plan::in_words::amount_text;

use crate::compare::{Dearer, PerSourceReport, RatioBounds, YearsReport};

impl YearsReport {
    /// The cost over the years, with its bounds. `total` is that of the capital.
    pub fn cost_text(&self, total: &TotalReport) -> String {
        amount_text(self.cost, total.cost_lacks(), self.range.as_ref())
    }
}

impl PerSourceReport {
    /// The cost of a source, with its bounds.
    pub fn cost_text(&self) -> String {
        amount_text(self.cost, "", self.range.as_ref())
    }
}

impl RatioBounds {
    /// The bounds of a ratio behind it: ` (0.90 to 1.40, prices decide)`. Nothing behind an exact one.
    pub fn text(&self) -> String {
        let bounds = self.low.zip(self.high).filter(|(low, high)| high - low > 0.0005);
        let bounds = bounds.map(|(low, high)| format!("{low:.3} to {high:.3}"));
        let open = (self.dearer == Dearer::Open).then(|| "prices decide".to_owned());
        let told: Vec<String> = bounds.into_iter().chain(open).collect();
        if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) }
    }
}
