//! What is planned, what is assumed, what is proved, the trays and the switches.

use maud::{Markup, html};

use crate::report::{Report, listed, sentence};

/// Number of trays that a report lists.
const TRAYS: usize = 60;

impl Report<'_> {
    pub(super) fn planned(&self) -> Markup {
        let (a, plan) = (&self.answers, self.contents.plan);
        html! {
            section.page {
                h2 { "What is planned" }
                p {
                    "The fabric has " (a.plain("plan", "/cassettes")) " cassettes: groups of splitters that feed the \
                        same "
                    "switches. " (a.plain("plan", "/spare_racks")) " racks hold no switch of this fabric. Relays are \
                        chosen by the router "
                    (a.plain("plan", "/router")) "."
                }
                p {
                    "A switch relays " (a.plain("plan", "/relay_load/min")) " to " (a.plain("plan", "/relay_load/max"))
                    " sources, " (a.real("plan", "/relay_load/mean", 1)) " on average, its own included."
                    (self.loads_without_failures())
                }
                h3 { "Place of the splitters and way of the fibres: what is gained or lost" }
                p { "The first row is the plan. Below it are the same fabric with its splitters elsewhere or its \
                    fibres laid "
                    "otherwise. Small figures are differences from the plan." }
                (self.housings(&HOUSING))
                (self.housings(&CABLES))
                @for other in &self.contents.plan.no_housings {
                    p { "Splitters at the " (other.housing) " do not fit: " (other.why) "." }
                }
                @if let Some(recovery) = &plan.recovery {
                    (self.recovery(recovery))
                }
                @if !plan.warnings.is_empty() {
                    h3 { "Warnings" }
                    ul {
                        @for number in 0..plan.warnings.len().min(TRAYS) {
                            li { (a.plain("plan", &format!("/warnings/{number}/message"))) }
                        }
                    }
                }
                @if !plan.unplaced.is_empty() {
                    h3 { "Counted, but without a place" }
                    ul {
                        @for (number, part) in plan.unplaced.iter().enumerate() {
                            @let quantity = a.plain("plan", &format!("/unplaced/{number}/quantity"));
                            li { (quantity) " × " (part.item.name()) " " (part.part) }
                        }
                    }
                }
            }
        }
    }

    /// A table of the ways to house the splitters: title, key and decimals of each column.
    fn housings(&self, columns: &[(&str, &str, usize)]) -> Markup {
        let a = &self.answers;
        html! {
            table {
                thead {
                    tr { th { "Splitters at the" } @for (title, ..) in columns { th.n { (title) } } }
                }
                tbody {
                    @for number in 0..self.contents.plan.housings.len() {
                        @let at = |key: &str| format!("/housings/{number}/{key}");
                        tr {
                            td {
                                (a.plain("plan", &at("housing"))) ", " (a.plain("plan", &at("cabling")))
                                @if number == 0 { " (this plan)" }
                            }
                            @for &(_, key, decimals) in columns {
                                td.n {
                                    (a.real("plan", &at(key), decimals))
                                    @if number > 0 {
                                        (a.more("plan", &at(key), &format!("/housings/0/{key}"), decimals))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    pub(super) fn assumptions(&self) -> Markup {
        let assumed = &self.contents.assumed;
        html! {
            section {
                h2 { "Assumptions" }
                @if assumed.are_assumed {
                    p { "Nothing gave these values, so the plan assumes them. The last column has the setting or the \
                        column of "
                        "the inventory that gives the value." }
                } @else {
                    p { "The plan rests on these values. Its files do not say which of them were given and which were \
                        assumed: "
                        "check each of them, or make the report with the design file (--design)." }
                }
                @if assumed.values.is_empty() { p { "None." } } @else {
                    table {
                        thead { tr { th { "What" } th { "Value" } th.n { "Racks" } th { "Given by" } } }
                        tbody {
                            @for assumption in &assumed.values {
                                tr data-assumed=(assumption.what.name()) {
                                    td { (assumption.what.name()) }
                                    td { (assumption.value) }
                                    td.n { @if let Some(racks) = assumption.racks { (racks) } }
                                    td { (assumption.said_by.join(", ")) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    pub(super) fn proof(&self) -> Markup {
        let (a, (faults, first)) = (&self.answers, self.contents.faults);
        let sampled = self.contents.plan.verification.sample.is_some();
        html! {
            section {
                h2 { "Proof" }
                p {
                    "All " (a.plain("plan", "/verification/fibres_checked")) " fibres were checked. Packets of "
                    (a.plain("plan", "/verification/sources_checked")) " of " (a.plain("plan", "/verification/sources"))
                    " sources were followed copy by copy over the listed fibres with the listed rules: "
                    (a.plain("plan", "/verification/copies")) " copies. " (self.delivered())
                }
                @if sampled {
                    p { "The sources are a sample, drawn with seed " (a.plain("plan", "/verification/sample/seed")) "; \
                        plan.json lists them." }
                } @else {
                    p { "These are all sources." }
                }
                @if faults == 0 {
                    p { "For this report the plan was made and proved again, and every file of the folder agrees with \
                        it." }
                } @else {
                    p {
                        strong { "For this report the plan was made again, and " (faults) " errors were found. " }
                        "The first ones:"
                    }
                    (listed(first))
                }
            }
        }
    }

    pub(super) fn trays(&self) -> Markup {
        let (a, all) = (&self.answers, self.contents.plan.trays.len());
        html! {
            section {
                h2 { "Trays and their fill" }
                p { "Plan for at most 25 % of a tray's cross-section (TIA-569); above 100 % the cables do not fit." }
                table {
                    thead { tr { th { "Tray" } th.n { "Cables" } th.n { "Fill, %" } th.n { "From, m" } th.n { "To, \
                        m" } } }
                    tbody {
                        @for number in 0..all.min(TRAYS) {
                            @let at = |key: &str| format!("/trays/{number}/{key}");
                            tr {
                                td { (a.plain("plan", &at("tray"))) }
                                td.n { (a.plain("plan", &at("fibres"))) }
                                td.n { (a.real("plan", &at("fill_percent"), 2)) }
                                td.n { (a.real("plan", &at("from_m"), 2)) }
                                td.n { (a.real("plan", &at("to_m"), 2)) }
                            }
                        }
                    }
                }
                @if all > TRAYS { p { (all - TRAYS) " further trays are no fuller; plan.json lists them." } }
            }
        }
    }

    pub(super) fn platform(&self) -> Markup {
        let (a, platform) = (&self.answers, &self.contents.plan.platform);
        html! {
            section {
                h2 { "Settings of the switches" }
                p {
                    "Switch model: "
                    @if platform.model.is_some() { (a.plain("plan", "/platform/model")) } @else { "not named" }
                    ". The light goes one way. Switch off on every fabric port:"
                }
                (listed(&platform.switch_off))
                p { (sentence(&platform.message)) }
                @if platform.accelerators.is_some() {
                    p { "Accelerators: " (a.plain("plan", "/platform/accelerators/message")) "." }
                }
                @if platform.command.is_some() { p { "Command: " code { (a.plain("plan", "/platform/command")) } } }
                @if platform.source.is_some() { p { "Source: " (a.plain("plan", "/platform/source")) "." } }
                p { "With link fault signalling on, a single dead transmitter would silence up to "
                    (a.plain("plan", "/platform/most_silenced")) " other switches." }
            }
        }
    }
}

/// Fibres and money: title, key and decimals.
const HOUSING: [(&str, &str, usize); 6] = [
    ("fibres", "fibres", 0),
    ("long runs", "long_runs", 0),
    ("long runs, m", "long_m", 0),
    ("all, m", "length_m", 0),
    ("to order, m", "stock_m", 0),
    ("rack units", "rack_units", 0),
];

/// Cables, room and light.
const CABLES: [(&str, &str, usize); 6] = [
    ("cables between rows", "cables_beyond_rows", 0),
    ("cables in rows", "cables_within_rows", 0),
    ("fullest tray, %", "fullest_tray_percent", 1),
    ("connector pairs", "connector_pairs", 0),
    ("margin, dB", "worst_margin_db", 2),
    ("headroom, dB", "worst_headroom_db", 2),
];
