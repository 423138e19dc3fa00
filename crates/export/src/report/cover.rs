//! The first page, and the page that is signed.

use lightloom_plan::prove::Optical;
use maud::{Markup, html};

use crate::report::Report;
use crate::report::bill::lacking;

/// Who signs.
const SIGNERS: [&str; 3] = ["Architect", "Installer", "Manager"];

impl Report<'_> {
    pub(super) fn cover(&self, title: &str) -> Markup {
        let (a, plan) = (&self.answers, self.contents.plan);
        html! {
            section {
                h1 { (title) }
                @if let Some(date) = self.contents.date { p { "Date: " (date) } }
                p.lead {
                    (a.plain("plan", "/tors")) " ToR switches are joined by as many passive splitters 1:"
                    (a.plain("plan", "/p")) ", one for each switch, into a multicast fabric of the family "
                    (a.plain("plan", "/family")) "; " (self.reach_clause()) "."
                }
                p.lead {
                    "The splitters are at the " (a.plain("plan", "/housings/0/housing")) ", and "
                    (a.plain("plan", "/housings/0/fibres")) " fibres of "
                    (a.real("plan", "/housings/0/length_m", 0)) " m in all run "
                    (a.plain("plan", "/housings/0/cabling")) "; the fullest tray is filled to "
                    (a.real("plan", "/housings/0/fullest_tray_percent", 1)) " %."
                }
                p.lead {
                    @if let Some(order) = &plan.to_order {
                        "What must be ordered costs " (self.cost("plan", "/to_order", order))
                        ", spares included; " (self.light_clause()) "."
                    } @else {
                        "The design names no optics, so light and cost of the plan are not assessed."
                    }
                }
                (self.verdict())
                (self.key_figures())
            }
        }
    }

    fn light_clause(&self) -> &'static str {
        match self.contents.plan.lit() {
            true => "the light arrives at every receiver in the case that decides",
            false => "the light is not known to arrive at every receiver",
        }
    }

    /// The verdict in a box.
    fn verdict(&self) -> Markup {
        let (faults, plan) = (self.contents.faults.0, self.contents.plan);
        let light = match (plan.lit(), plan.optical.name()) {
            (true, "pass") => "The light arrives, with the margin of the policy.",
            (true, _) if plan.optical == Optical::NotAssessed => "The light is not assessed.",
            (true, _) => "The light arrives, with warnings.",
            (false, "unknown") => "It is not known whether the light arrives: values are missing.",
            (false, _) => "The light does not arrive everywhere. Do not build this.",
        };
        let text = if plan.lit() && faults > 0 {
            "The files of the folder are not those of the plan. Do not build from them.".to_owned()
        } else {
            format!("{} {light}", self.proved_sentence())
        };
        let is_bad = !plan.lit() || faults > 0 || !plan.restored();
        html! {
            p.verdict.bad[is_bad] {
                strong { "Verdict: " } (text) " Light: " (self.answers.plain("plan", "/optical")) "."
            }
        }
    }

    fn key_figures(&self) -> Markup {
        let (a, plan) = (&self.answers, self.contents.plan);
        let rows = [
            ("ToR switches", a.plain("plan", "/tors")),
            ("Splitters", html! { (a.plain("plan", "/tors")) " of 1:" (a.plain("plan", "/p")) }),
            ("Hops to the farthest switch", a.plain("plan", "/max_hops")),
            ("Mean number of hops", a.real("plan", "/mean_hops", 2)),
            ("Fibres", a.plain("plan", "/housings/0/fibres")),
            ("Cables between rows", a.plain("plan", "/housings/0/cables_beyond_rows")),
            (
                "Fullest tray",
                html! { (a.real("plan", "/housings/0/fullest_tray_percent", 1)) " %" },
            ),
            ("Rack units of shelves", a.plain("plan", "/housings/0/rack_units")),
            (
                "Smallest margin of light, worst case",
                html! { (a.real("plan", "/light/worst/worst_margin_db", 2)) " dB" },
            ),
            (
                "Smallest distance from overload",
                html! { (a.real("plan", "/light/worst/worst_headroom_db", 2)) " dB" },
            ),
            ("Cost of the plan, with switch ports", self.total("/bill", plan.bill.as_ref())),
            ("Cost of the order, with spares", self.total("/to_order", plan.to_order.as_ref())),
            ("Power", self.power("/bill", plan.bill.as_ref())),
        ];
        html! {
            h3 { "Key figures" }
            table {
                tbody {
                    @for (name, value) in rows.into_iter().chain(self.rows_of_failures()) {
                        tr { td { (name) } td.n { (value) } }
                    }
                }
            }
            @if let Some(bill) = &plan.bill { (lacking(&bill.missing)) }
        }
    }

    /// The page that is signed, with the hash of each file.
    pub(super) fn approval(&self) -> Markup {
        html! {
            section.page {
                h2 { "Approval" }
                p {
                    "The signatures are for the plan in the files below and for nothing else. A file that changes has "
                    "another hash (SHA-256). `lightloom verify` makes the files again and compares."
                }
                table.sign {
                    thead { tr { th { "Role" } th { "Name" } th { "Date" } th { "Signature" } } }
                    tbody {
                        @for role in SIGNERS {
                            tr { td { (role) } td {} td { (self.contents.date.unwrap_or_default()) } td {} }
                        }
                    }
                }
                p { "Approved: ☐ as it is   ☐ with the conditions noted here   ☐ not" }
                table.sign { tbody { tr { td { "Conditions" br; br; br; } } } }
                @if let Some(bill) = &self.contents.plan.bill {
                    h3 { "What it costs" }
                    (self.totals("plan", &self.contents.plan.totals))
                    (lacking(&bill.missing))
                }
                h3 { "Files" }
                table {
                    thead { tr { th { "File" } th.n { "Bytes" } th { "SHA-256" } } }
                    tbody {
                        @for file in &self.contents.files {
                            tr {
                                td { (file.name) }
                                td.n { (file.bytes) }
                                td.hash data-file=(file.name) { (file.sha256) }
                            }
                        }
                    }
                }
            }
        }
    }
}
