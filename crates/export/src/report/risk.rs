//! Parts that fail together.

use maud::{Markup, html};

use crate::report::Report;

/// Number of groups that a report lists.
const GROUPS: usize = 20;

impl Report<'_> {
    pub(super) fn risk(&self) -> Markup {
        let a = &self.answers;
        html! {
            section {
                h2 { "Risk" }
                @match &self.contents.risk {
                    Err(why) => p { "Not ranked: " (why) "." },
                    Ok(risk) => {
                        p {
                            "Groups of parts that share a tray, a row, a housing, a frame or a trunk, the worst first: \
                                the "
                            (risk.groups.len().min(GROUPS)) " worst of " (risk.groups.len()) ". Sources that lose a \
                                switch are repaired by new rules "
                            "(`lightloom recover`); pairs that are cut off are not."
                        }
                        table {
                            thead {
                                tr {
                                    th { "Group" } th.n { "Parts" } th.n { "Pairs cut off" } th.n { "Sources that lose \
                                        a switch" }
                                    th.n { "Sources that fall silent" }
                                }
                            }
                            tbody {
                                @for number in 0..risk.groups.len().min(GROUPS) {
                                    tr {
                                        td { (a.plain("risk", &format!("/groups/{number}/group"))) }
                                        @for key in ["parts", "cut_off", "sources_hit", "failed_sources"] {
                                            td.n { (a.plain("risk", &format!("/groups/{number}/{key}"))) }
                                        }
                                    }
                                }
                            }
                        }
                        p {
                            "Of " (a.plain("risk", "/pairs/tried")) " pairs of failed relays ("
                            (if risk.pairs.exhaustive { "all" } else { "a sample" }) "), "
                            (a.plain("risk", "/pairs/cutting")) " isolate a switch for good."
                        }
                    }
                }
            }
        }
    }
}
