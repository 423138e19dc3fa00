//! What a plan that goes around failures brings, beside what it would bring without them.

use lightloom_plan::recover::RecoverReport;
use maud::{Markup, html};

use crate::report::Report;

/// Number of sources whose losses are listed.
const SOURCES: usize = 100;

impl Report<'_> {
    /// How far every switch is from every other one, as a clause.
    pub(super) fn reach_clause(&self) -> Markup {
        let (a, plan) = (&self.answers, self.contents.plan);
        let Some(recovery) = &plan.recovery else {
            return html! {
                "every switch reaches every other one in at most " (a.plain("plan", "/max_hops")) " hops"
            };
        };
        let failed = recovery.failed.join(", ");
        html! {
            "around the failures " (failed) ", "
            @if plan.verification.cut_off.is_empty() {
                "every switch reaches every other one in at most " (a.plain("plan", "/max_hops")) " hops"
            } @else {
                (a.plain("plan", "/verification/pairs_cut_off")) " pairs of a source and another switch are cut off, \
                    and every "
                "other pair is joined in at most " (a.plain("plan", "/max_hops")) " hops"
            }
            " (" (a.plain("plan", "/without_failures/max_hops")) " without failures)"
        }
    }

    /// What is proved of wires and rules, as a sentence for the verdict.
    pub(super) fn proved_sentence(&self) -> String {
        let plan = self.contents.plan;
        let Some(recovery) = &plan.recovery else {
            return "Wires and rules are proved.".to_owned();
        };
        let failed = recovery.failed.join(", ");
        match plan.verification.cut_off_text() {
            None => format!("Wires and rules are proved, around the failures {failed}."),
            Some(cut_off) if plan.restored() => format!(
                "Wires and rules are proved, around the failures {failed}. Sources without a transmitter are given up: \
                 {cut_off}."
            ),
            Some(cut_off) => format!(
                "The failures {failed} leave {cut_off}. All that light can still reach gets exactly one copy."
            ),
        }
    }

    /// Rows of the key figures: name and value.
    pub(super) fn rows_of_failures(&self) -> Vec<(&'static str, Markup)> {
        let (a, plan) = (&self.answers, self.contents.plan);
        if plan.recovery.is_none() {
            return Vec::new();
        }
        let mut rows = Vec::new();
        if !plan.verification.cut_off.is_empty() {
            let pairs = a.plain("plan", "/verification/pairs_cut_off");
            rows.push(("Pairs of a source and another switch that are cut off", pairs));
        }
        rows.push((
            "Hops to the farthest switch, without failures",
            a.plain("plan", "/without_failures/max_hops"),
        ));
        rows.push((
            "Mean number of hops, without failures",
            a.real("plan", "/without_failures/mean_hops", 2),
        ));
        rows
    }

    /// The loads without failures, as a sentence.
    pub(super) fn loads_without_failures(&self) -> Markup {
        let a = &self.answers;
        html! {
            @if self.contents.plan.without_failures.is_some() {
                " Without failures it would relay " (a.plain("plan", "/without_failures/relay_load/min")) " to "
                (a.plain("plan", "/without_failures/relay_load/max")) " sources, "
                (a.real("plan", "/without_failures/relay_load/mean", 1)) " on average."
            }
        }
    }

    /// The recovery, and whom it does not reach.
    pub(super) fn recovery(&self, recovery: &RecoverReport) -> Markup {
        let (a, plan) = (&self.answers, self.contents.plan);
        let figures = recovery.figures();
        html! {
            h3 { "Recovery" }
            p {
                "The plan goes around failures: " (recovery.failed.join(", ")) ". "
                (figures.rules_to_add) " rules are added and " (figures.rules_to_delete) " deleted, in "
                (recovery.phases.len()) " steps. With trees that are planned for them, "
                (a.plain("plan", "/recovery/parallel_sources")) " sources can send at line rate at the same time, and "
                (a.plain("plan", "/without_failures/parallel_sources")) " without failures. Bill and comparison are of \
                    the whole fabric, without failures. "
                @if plan.verification.cut_off.is_empty() { "Every source reaches every other switch." }
                @else {
                    (a.plain("plan", "/verification/pairs_cut_off")) " pairs of a source and another switch are cut \
                        off:"
                }
            }
            @if !plan.verification.cut_off.is_empty() { (self.cut_off()) }
        }
    }

    fn cut_off(&self) -> Markup {
        let cut_off = &self.contents.plan.verification.cut_off;
        html! {
            table {
                thead { tr { th.n { "Source" } th.n { "Switches" } th { "Not reached" } } }
                tbody {
                    @for (source, tors) in cut_off.iter().take(SOURCES) {
                        tr data-cut-off=(source) {
                            td.n { (source) }
                            td.n { (tors.len()) }
                            td { (tors.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")) }
                        }
                    }
                }
            }
            @if cut_off.len() > SOURCES {
                p { (cut_off.len() - SOURCES) " further sources are in plan.json (verification.cut_off)." }
            }
        }
    }

    /// What the replay delivered, as sentences.
    pub(super) fn delivered(&self) -> Markup {
        let (a, plan) = (&self.answers, self.contents.plan);
        html! {
            "Every other switch" @if plan.recovery.is_some() { " that light can reach" }
            " gets exactly one copy, after at most " (a.plain("plan", "/verification/max_hops")) " hops."
            @if let Some(told) = plan.verification.cut_off_text() {
                " The failures leave " (told) "; they are listed under Recovery."
            }
            @if plan.without_failures.is_some() {
                " Without failures there would be " (a.plain("plan", "/without_failures/verification/copies"))
                " copies, after at most " (a.plain("plan", "/without_failures/verification/max_hops")) " hops."
            }
        }
    }
}
