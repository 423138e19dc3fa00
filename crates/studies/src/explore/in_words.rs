//! How explored designs are told in words: in the command and in the window.

use lightloom_power_cost::MissingValue;
use lightloom_request::choices::{Criterion, Family};
use lightloom_topology::hall::{Cabling, Housing};
use lightloom_units::Money;

use super::report::{DesignReport, ExploreReport};
use crate::compare::Dearer;

impl DesignReport {
    /// The cost in hundredths. A cost that lacks prices has a `+`.
    pub fn cost_text(&self) -> String {
        let Some(cost) = self.cost else { return "unknown".to_owned() };
        let lacks = self.missing.iter().any(|missing| missing.value == MissingValue::Price);
        let mark = if lacks { "+" } else { "" };
        format!("{}{mark}", cost.to_hundredths())
    }

    /// The bounds of the cost, as `2800.00 to 9000.00`, and whether it may exceed the limit of the search.
    pub fn bounds_text(&self) -> String {
        let Some(range) = &self.cost_range else { return "unknown".to_owned() };
        let end = |amount: Money| amount.to_hundredths().to_decimal();
        let high = range.high.map_or_else(|| "open".to_owned(), end);
        let exceeds = if self.may_exceed { ", may exceed" } else { "" };
        format!("{} to {high}{exceeds}", end(range.low))
    }

    /// Which design is dearer, this or the first one: `cheaper`, `as dear`, `dearer` or `open`. Empty for the first
    /// one.
    pub fn beside_first_text(&self) -> &'static str {
        match self.cost_over_first.map(|over| over.dearer) {
            None => "",
            Some(Dearer::This) => "dearer",
            Some(Dearer::Other) => "cheaper",
            Some(Dearer::Neither) => "as dear",
            Some(Dearer::Open) => "open",
        }
    }

    /// Whether the design is on the Pareto front: `yes`, `no`, or either with `open` where prices decide.
    pub fn front_text(&self) -> &'static str {
        match (self.pareto, self.pareto_open) {
            (true, false) => "yes",
            (true, true) => "yes, open",
            (false, true) => "no, open",
            (false, false) => "",
        }
    }

    /// Names of the parts without a price.
    pub fn unpriced(&self) -> impl Iterator<Item = &str> {
        let unpriced = self.missing.iter().filter(|missing| missing.value == MissingValue::Price);
        unpriced.map(|missing| missing.part.as_str())
    }
}

impl ExploreReport {
    /// Number of designs on the Pareto front.
    pub fn on_front(&self) -> usize {
        self.designs.iter().filter(|design| design.pareto).count()
    }

    /// The objectives of the Pareto front, by name.
    pub fn objectives_text(&self) -> String {
        self.objectives.iter().map(|of| of.name()).collect::<Vec<_>>().join(", ")
    }

    /// Rejected designs with the reasons. Those with the same reasons are together.
    pub fn rejections(&self) -> Vec<(String, String)> {
        let mut lines: Vec<(String, Vec<String>, String)> = Vec::new();
        for rejected in &self.rejected {
            let of = [
                rejected.family.map_or("", Family::name),
                rejected.housing.map_or("", |housing| match housing {
                    Housing::Sender => "at senders",
                    Housing::Receiver => "at receivers",
                    Housing::Zone => "in frames",
                }),
                rejected.cabling.map_or("", |cabling| match cabling {
                    Cabling::PointToPoint => "",
                    Cabling::Trunked => "with trunks",
                }),
                rejected.transceiver.as_deref().unwrap_or(""),
            ];
            let of = of.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
            let (p, why) = (rejected.p.map(|p| format!("1:{p}")), rejected.reasons.join("; "));
            match lines.iter_mut().find(|line| line.0 == of && line.2 == why) {
                Some(line) => line.1.extend(p),
                None => lines.push((of, p.into_iter().collect(), why)),
            }
        }
        let line = |(of, p, why): (String, Vec<String>, String)| match p.as_slice() {
            [] => (of, why),
            p => (format!("{of}, {}", p.join(" ")), why),
        };
        lines.into_iter().map(line).collect()
    }

    /// What costs of designs lack, in sentences.
    pub fn cost_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.designs.iter().any(|design| !design.cost_compares) {
            let note = "A cost with a + lacks prices. Without that of a splitter, optic, cable or port it ranks as \
                unknown.";
            notes.push(note.to_owned());
        }
        let is_open = |design: &DesignReport| {
            design.pareto_open
                || design.cost_over_first.is_some_and(|over| over.dearer == Dearer::Open)
        };
        if self.designs.iter().any(is_open) {
            let note = "Open: prices within their ranges decide which of two designs is dearer, or whether one is on \
                        the front. A price that both designs share is one price.";
            notes.push(note.to_owned());
        }
        if self.designs.iter().any(|design| design.may_exceed) {
            let note = "May exceed: the sum that counts is within the limit of cost, and dearer prices of the range \
                are not.";
            notes.push(note.to_owned());
        }
        let is_unranked = !self.designs.iter().any(|design| design.cost_compares);
        if is_unranked && self.ranked_by == Criterion::Cost && !self.designs.is_empty() {
            let note = "No design has a known cost, so the metres of fibre rank them; prices go into a file that \
                        parts names.";
            notes.push(note.to_owned());
        }
        notes
    }

    /// What is assumed and what is unknown, without full stops.
    pub fn notes(&self) -> Vec<String> {
        let sorted = |mut texts: Vec<String>| {
            texts.sort_unstable();
            texts.dedup();
            texts
        };
        let priced_as = |design: &DesignReport| {
            let listed = design.priced_as.as_ref()?;
            Some(format!("1:{} as {listed}", design.p))
        };
        let stand_ins = sorted(self.designs.iter().filter_map(priced_as).collect());
        let gaps = self.designs.iter().flat_map(|design| design.gaps.iter().cloned());
        let mut notes = Vec::new();
        if !stand_ins.is_empty() {
            let of = stand_ins.join(", ");
            notes.push(format!("splitters without a price of their own: {of}"));
        }
        notes.extend(self.assumed.iter().cloned());
        notes.extend(sorted(gaps.collect()));
        notes
    }
}
