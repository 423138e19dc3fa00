//! Totals with their bounds, and the table that reconciles them.

use lightloom_plan::bill::TotalReport;
use lightloom_plan::totals::{OneTotal, PartGroup};
use maud::{Markup, html};

use crate::report::Report;

/// Shown for a total that is not known.
const UNKNOWN: &str = "unknown";

impl Report<'_> {
    /// A cost with its bounds, the share that is assumed, and whether prices are missing from it.
    pub(super) fn cost(&self, answer: &str, at: &str, total: &TotalReport) -> Markup {
        let a = &self.answers;
        let Some(range) = &total.range else { return html! { (UNKNOWN) } };
        let of = |key: &str| a.money(answer, &format!("{at}/{key}"));
        html! {
            (of("cost")) (total.cost_lacks())
            @if range.high != Some(range.low) {
                ", " (of("range/low")) " to "
                @if range.high.is_some() { (of("range/high")) } @else { "open" }
            }
            @if range.assumed_percent.is_some_and(|percent| percent > 0.0) {
                ", of it " (a.real(answer, &format!("{at}/range/assumed_percent"), 1)) " % assumed"
            }
        }
    }

    /// A total of the plan.
    pub(super) fn total(&self, at: &str, total: Option<&TotalReport>) -> Markup {
        total.map_or_else(|| html! { (UNKNOWN) }, |total| self.cost("plan", at, total))
    }

    /// The power of the plan.
    pub(super) fn power(&self, at: &str, total: Option<&TotalReport>) -> Markup {
        match total.filter(|total| total.power_w.is_some()) {
            None => html! { (UNKNOWN) },
            Some(total) => html! {
                (self.answers.real("plan", &format!("{at}/power_w"), 0)) " W" (total.power_lacks())
            },
        }
    }

    /// All totals beside each other: what is in each, and what is missing from it.
    pub(super) fn totals(&self, answer: &str, totals: &[OneTotal]) -> Markup {
        let cell = |number: usize, total: &OneTotal, of: PartGroup| {
            let Some(place) = total.groups.iter().position(|group| group.of == of) else {
                return html! { "–" };
            };
            let group = &total.groups[place];
            let at = format!("/totals/{number}/groups/{place}/cost");
            match group.cost {
                None => html! { (UNKNOWN) },
                Some(_) => html! {
                    (self.answers.money(answer, &at)) @if group.lacks { (lightloom_plan::bill::AND_MORE) }
                },
            }
        };
        let used = |of: &PartGroup| {
            totals.iter().any(|total| total.groups.iter().any(|group| group.of == *of))
        };
        html! {
            table {
                thead { tr { th { "Cost" } @for total in totals { th.n { (total.name) } } } }
                tbody {
                    @for of in PartGroup::ALL.into_iter().filter(used) {
                        tr {
                            td { (of) }
                            @for (number, total) in totals.iter().enumerate() { td.n { (cell(number, total, of)) } }
                        }
                    }
                    tr {
                        td { strong { "Sum" } }
                        @for (number, total) in totals.iter().enumerate() {
                            td.n { (self.cost(answer, &format!("/totals/{number}"), &total.total)) }
                        }
                    }
                }
            }
            ul { @for total in totals { li { strong { (total.name) } ": " (total.says) } } }
        }
    }
}
