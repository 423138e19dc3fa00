//! Light: verdict, worst branches, sources of the values, and what would mend it.

use lightloom_plan::budget::{BudgetReport, MendReport};
use maud::{Markup, html};

use crate::report::{Report, WORST_BRANCHES, listed};

impl Report<'_> {
    pub(super) fn light(&self) -> Markup {
        let Some(budget) = &self.contents.budget else {
            return html! {
                section.page {
                    h2 { "Light" }
                    p { "The design names no optics. Whether the light arrives is not assessed." }
                }
            };
        };
        let a = &self.answers;
        html! {
            section.page {
                h2 { "Light" }
                p {
                    "Verdict: " strong { (a.plain("plan", "/light/verdict")) } ", decided by the case "
                    (a.plain("plan", "/light/decided_by")) ". Transceiver: " (a.plain("plan", "/light/transceiver"))
                    ". Splitter: " (a.plain("plan", "/light/splitter")) ". Pad: "
                    @if self.contents.plan.light.as_ref().is_some_and(|light| light.pad.is_some()) {
                        (a.plain("plan", "/light/pad"))
                    } @else { "none" }
                    ". The policy asks for a margin of " (a.real("plan", "/light/least_margin_db", 2))
                    " dB and a headroom of " (a.real("plan", "/light/least_headroom_db", 2)) " dB."
                }
                (self.cases())
                (self.branches(budget))
                (self.worst(budget))
                (self.mends(budget))
                @if !budget.hazards.is_empty() { h3 { "Hazards" } (listed(&budget.hazards)) }
                h3 { "Values that the catalogue lacks" }
                @if budget.gaps.is_empty() { p { "None." } } @else { (listed(&budget.gaps)) }
                (self.sources())
            }
        }
    }

    /// The budget of all branches in the worst case, and in the case that the design accepts.
    fn cases(&self) -> Markup {
        let a = &self.answers;
        let accepted =
            self.contents.plan.light.as_ref().is_some_and(|light| light.accepted.is_some());
        let cases = [("/light/worst", "worst")]
            .into_iter()
            .chain(accepted.then_some(("/light/accepted", "accepted")));
        html! {
            table {
                thead {
                    tr {
                        th { "Case" } th { "Verdict" } th.n { "Margin, dB" } th.n { "Headroom, dB" }
                        @for name in VERDICTS { th.n { (name) } }
                    }
                }
                tbody {
                    @for (case, name) in cases {
                        tr {
                            td { (name) }
                            td { (a.plain("plan", &format!("{case}/verdict"))) }
                            td.n { (a.real("plan", &format!("{case}/worst_margin_db"), 2)) }
                            td.n { (a.real("plan", &format!("{case}/worst_headroom_db"), 2)) }
                            @for name in VERDICTS { td.n { (a.plain("plan", &format!("{case}/branches/{name}"))) } }
                        }
                    }
                }
            }
        }
    }

    fn branches(&self, budget: &BudgetReport) -> Markup {
        let a = &self.answers;
        html! {
            h3 { "The worst branches" }
            p { "Case: " (a.plain("budget", "/case")) ". `lightloom budget` lists all branches." }
            table {
                thead {
                    tr {
                        th.n { "From ToR" } th.n { "To ToR" } th.n { "Loss, dB" } th.n { "Received, \
                            dBm" } th.n { "Margin, dB" }
                        th.n { "Headroom, dB" } th { "Verdict" }
                    }
                }
                tbody {
                    @for number in 0..budget.branches.len().min(WORST_BRANCHES) {
                        @let at = |key: &str| format!("/branches/{number}/{key}");
                        tr {
                            td.n { (a.plain("budget", &at("from_tor"))) }
                            td.n { (a.plain("budget", &at("to_tor"))) }
                            @for key in ["loss_db", "rx_dbm", "margin_db", "headroom_db"] {
                                td.n { (a.real("budget", &at(key), 2)) }
                            }
                            td { (a.plain("budget", &at("verdict"))) }
                        }
                    }
                }
            }
        }
    }

    /// The worst branch, element by element.
    fn worst(&self, budget: &BudgetReport) -> Markup {
        let Some(worst) = &budget.worst else { return Markup::default() };
        let a = &self.answers;
        html! {
            h3 { "The worst branch on its way" }
            table {
                thead { tr { th { "Element" } th.n { "Least, dB" } th.n { "Typical, dB" } th.n { "Most, dB" } } }
                tbody {
                    @for number in 0..worst.elements.len() {
                        @let at = |key: &str| format!("/worst/elements/{number}/{key}");
                        tr {
                            td { (a.plain("budget", &at("element"))) }
                            @for key in ["least_db", "typical_db", "most_db"] {
                                td.n { (a.real("budget", &at(key), 2)) }
                            }
                        }
                    }
                }
            }
        }
    }

    /// What would make the worst branch close.
    fn mends(&self, budget: &BudgetReport) -> Markup {
        let Some(branch) = budget.branches.first().filter(|_| !budget.verdict.closes()) else {
            return Markup::default();
        };
        let a = &self.answers;
        html! {
            h3 { "What would mend it" }
            @if branch.mend.is_empty() {
                p { "No transceiver, splitter or pad of the catalogue makes the worst branch close." }
            } @else {
                p { "Each of these changes alone makes the worst branch close. Assess all branches with it before you \
                    order." }
                table {
                    thead { tr { th { "Change" } th.n { "Margin, dB" } th.n { "Headroom, dB" } } }
                    tbody {
                        @for (number, mend) in branch.mend.iter().enumerate() {
                            @let at = |key: &str| format!("/branches/0/mend/{number}/{key}");
                            tr {
                                td { (change(mend)) }
                                td.n { (a.real("budget", &at("margin_db"), 2)) }
                                td.n { (a.real("budget", &at("headroom_db"), 2)) }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The catalogue rows in use.
    fn sources(&self) -> Markup {
        let Some(catalogue) = &self.contents.plan.catalogue else { return Markup::default() };
        let a = &self.answers;
        html! {
            h3 { "Sources of the values" }
            p { "Catalogue: " (a.plain("plan", "/catalogue/name")) "." }
            table {
                thead {
                    tr {
                        th { "Kind" } th { "Part" } th { "Source" } th { "Date" }
                        th.n { "Price" } th.n { "Lowest" } th.n { "Highest" } th { "Price is" }
                    }
                }
                tbody {
                    @for number in 0..catalogue.rows.len() {
                        @let at = |key: &str| format!("/catalogue/rows/{number}/{key}");
                        tr {
                            @for key in ["kind", "name", "source", "date"] { td { (a.plain("plan", &at(key))) } }
                            @for end in ["typical", "low", "high"] {
                                td.n { (a.money("plan", &at(&format!("price/{end}")))) }
                            }
                            td { (a.plain("plan", &at("price/rank"))) }
                        }
                    }
                }
            }
        }
    }
}

/// The verdicts, as they are counted.
const VERDICTS: [&str; 5] = ["pass", "warn", "marginal", "unknown", "fail"];

fn change(mend: &MendReport) -> String {
    let with = |pad: &Option<String>| {
        pad.as_ref().map_or_else(String::new, |pad| format!(", with the pad {pad}"))
    };
    match mend {
        MendReport::Transceiver { name, pad, .. } => {
            format!("transceiver {name} at both ends{}", with(pad))
        }
        MendReport::Splitter { fan_out, pad, .. } => {
            format!("splitters 1:{fan_out}, which need another fabric{}", with(pad))
        }
        MendReport::ShorterRoute { by_m } => format!("a way that is {by_m:.1} m shorter"),
        MendReport::Pad { name, at, .. } => format!("pad {name} at the {}", at.name()),
    }
}
