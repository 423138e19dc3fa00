//! How to accept the installation.

use lightloom_plan::acceptance::{branches, pad_test};
use maud::{Markup, html};

use crate::report::{Report, WORST_BRANCHES};

impl Report<'_> {
    pub(super) fn acceptance(&self) -> Markup {
        let optics = self.contents.laid.project().optics();
        let limits =
            || branches(self.contents.laid.plant(), optics).filter_map(|branch| branch.limits);
        let least = limits().map(|limits| limits.loss.least.get()).reduce(f64::min);
        let most = limits().map(|limits| limits.loss.most.get()).reduce(f64::max);
        let not_shown = || limits().filter_map(|limits| limits.pad).filter(|pad| !pad.is_told);
        let figure = |at: &str, value: f64| {
            html! { span data-of="acceptance.csv" data-at=(at) { (format!("{value:.2}")) } }
        };
        html! {
            section {
                h2 { "How to accept it" }
                ul {
                    li { "Inspect and clean every connector before it is plugged in." }
                    li { "Put a light source in place of the transmitter and a power meter in place of the receiver, \
                        at the wavelength of the "
                         "transceiver. Take the reference with one cord." }
                    li { "Measure every branch in the direction of the light. `acceptance.csv` has a row for each, \
                        with both ends and "
                         "both limits." }
                    @if let Some((least, most)) = least.zip(most) {
                        li { "The loss lies between the two limits of its row: over all rows, between \
                            " (figure("min/least_db", least)) " dB and "
                             (figure("max/most_db", most)) " dB." }
                    } @else {
                        li { "The design names no optics, so the sheet has no limits." }
                    }
                    li { "More loss than the upper limit: clean, look for bends, and measure again. Less than the \
                        lower limit: a pad is missing, or "
                         "the fibre goes elsewhere." }
                    @if let Some(check) = not_shown().next() {
                        li {
                            "The limits of " (not_shown().count()) " of " (limits().count()) " branches do not show \
                                whether the pad is in: "
                            "a branch can pass without it, because the losses of its other parts spread by more than \
                                its attenuation. For "
                            "those branches: " (pad_test(check)) "."
                        }
                    }
                    li { "A reflectometer looks from the receiver towards the splitter." }
                    li { "Do not accept a fabric of which a branch was not measured." }
                }
                (self.as_built())
            }
        }
    }

    /// What crews told of the plan.
    fn as_built(&self) -> Markup {
        let Some(built) = &self.contents.plan.as_built else {
            return html! { p { "Nothing was returned of what was built and measured." } };
        };
        let a = &self.answers;
        let failed = built.failed.iter().enumerate();
        html! {
            h3 { "As built" }
            p {
                "Measured branches: " (a.plain("plan", "/as_built/measured")) " of "
                (a.plain("plan", "/as_built/branches")) ", of which " (built.failed.len()) " do not pass. "
                "Plugs in other sockets than planned: " (built.moved.len()) ". Cords with another label: "
                (built.relabelled.len()) ". Cables of other lengths: " (built.lengths.len())
                ". The file `as-built.csv` lists them."
                @if built.pads_not_shown > 0 {
                    " Branches that pass by limits that do not show their pad: "
                    (a.plain("plan", "/as_built/pads_not_shown")) "."
                }
            }
            @if !built.failed.is_empty() {
                table {
                    thead { tr { th { "branch" } th { "verdict" } th { "measured dB" } } }
                    tbody {
                        @for (at, branch) in failed.take(WORST_BRANCHES) {
                            tr {
                                td { (branch.label) }
                                td { (branch.verdict) }
                                td {
                                    @if branch.measured_db.is_some() {
                                        (a.real("plan", &format!("/as_built/failed/{at}/measured_db"), 2))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
