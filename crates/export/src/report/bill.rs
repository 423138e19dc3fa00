//! What it costs: one tree's share and all that is built, beside the packet core; and the parts to order.

use lightloom_plan::bill::{MissingReport, TotalReport};
use lightloom_plan::bom::{BomItem, spares};
use lightloom_plan::compare::CompareReport;
use lightloom_units::Length;
use maud::{Markup, html};

use crate::report::Report;
use crate::report::figures::{Form, money};

/// The ways, by their key.
const SIDES: [&str; 3] = ["splitter_fabric", "ip_multicast", "peer_to_peer"];

impl Report<'_> {
    pub(super) fn bill(&self) -> Markup {
        html! {
            section.page {
                h2 { "Bill, both ways" }
                @match &self.contents.compare {
                    Ok(compare) => (self.compared(compare)),
                    Err(why) => p { "Not compared: " (why) "." },
                }
                @if let Some(bill) = &self.contents.plan.bill {
                    h3 { "The plan's own bill" }
                    p {
                        "With routed lengths and shelves: " (self.answers.money("plan", "/bill/cost")) " and "
                        (self.answers.real("plan", "/bill/power_w", 1)) " W, switch ports included. To order, with spares and "
                        "without switch ports: " (self.answers.money("plan", "/to_order/cost")) "."
                    }
                    (lacking(&bill.missing))
                }
            }
        }
    }

    fn compared(&self, compare: &CompareReport) -> Markup {
        let whole = &compare.whole_fabric;
        let (one, all) = (
            [&compare.splitter_fabric, &compare.ip_multicast, &compare.peer_to_peer],
            [&whole.splitter_fabric, &whole.ip_multicast, &whole.peer_to_peer],
        );
        let totals =
            |sides: [&lightloom_plan::compare::SideReport; 3]| sides.map(|side| side.total.clone());
        html! {
            p { "The packet core has switches of " (self.answers.plain("compare", "/core_ports")) " ports." }
            h3 { "All that is built" }
            (self.sides("/whole_fabric", &totals(all)))
            h3 { "All that is built, for each source that can send at line rate at once" }
            (self.at_line_rate())
            h3 { "One tree's share: the parts that one multicast uses" }
            (self.sides("", &totals(one)))
            h3 { "In sentences" }
            ul {
                @for number in 0..compare.summary.len() {
                    li { (self.answers.plain("compare", &format!("/summary/{number}"))) }
                }
            }
            h3 { "What these sums lack" }
            @let missing: Vec<&MissingReport> = all.iter().chain(&one).flat_map(|side| &side.total.missing).collect();
            @if missing.is_empty() { p { "Nothing." } } @else { (lacking(distinct(missing))) }
            @if !compare.assumed.is_empty() {
                h3 { "Assumed for the comparison" }
                (crate::report::listed(&compare.assumed))
            }
        }
    }

    /// Parts, power and cost of the three ways.
    fn sides(&self, under: &str, totals: &[TotalReport; 3]) -> Markup {
        let a = &self.answers;
        let rows: [(&str, &str, Form); 6] = [
            ("switch ports", "ports", Form::Plain),
            ("transceivers", "transceivers", Form::Plain),
            ("splitters", "splitters", Form::Plain),
            ("fibres between racks", "fibres", Form::Plain),
            ("power, W", "power_w", Form::Real(1)),
            ("cost", "cost", Form::Money),
        ];
        html! {
            table {
                (heads())
                tbody {
                    @for (name, key, form) in rows {
                        tr {
                            td { (name) }
                            @for (side, total) in SIDES.iter().zip(totals) {
                                td.n {
                                    (a.figure("compare", &format!("{under}/{side}/{key}"), form))
                                    @if key == "fibres" {
                                        " " (a.plain("compare", &format!("{under}/{side}/fibre"))) "s"
                                    }
                                    @if key == "cost" && total.cost.is_some() && !total.all_priced() { " and more" }
                                    @if key == "power_w" && total.power_w.is_some() && !total.all_powered() { " and more" }
                                }
                            }
                        }
                    }
                    @for (name, key) in [("power", "power"), ("cost", "cost")] {
                        tr {
                            td { (name) ", times that of the splitter fabric" }
                            td.n { "1" }
                            @for side in &SIDES[1..] {
                                td.n { (a.real("compare", &format!("{under}/ratios/{key}_{side}"), 3)) }
                            }
                        }
                    }
                }
            }
        }
    }

    fn at_line_rate(&self) -> Markup {
        let a = &self.answers;
        let rows: [(&str, &str, Form); 3] = [
            ("sources at line rate", "sources", Form::Plain),
            ("power of each, W", "power_w", Form::Real(1)),
            ("cost of each", "cost", Form::Money),
        ];
        html! {
            table {
                (heads())
                tbody {
                    @for (name, key, form) in rows {
                        tr {
                            td { (name) }
                            @for side in SIDES {
                                td.n { (a.figure("compare", &format!("/at_line_rate/{side}/{key}"), form)) }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The bill of materials, as `bom.csv` has it.
    pub(super) fn materials(&self) -> Markup {
        let percent = self.contents.project.design.spares_percent;
        html! {
            section.page {
                h2 { "Bill of materials" }
                p { "Spares are " (percent) " % of each line, rounded up. Switch ports exist already and are not ordered." }
                table {
                    thead {
                        tr {
                            th { "Item" } th { "Variant" } th.n { "Length, m" } th.n { "Built in" } th.n { "Spares" } th.n { "Order" }
                            th { "Part" } th.n { "Price a piece" }
                        }
                    }
                    tbody {
                        @for (number, line) in self.contents.lines.iter().enumerate() {
                            @let cell = |column: &str, text: &str| html! {
                                span data-of="bom.csv" data-at=(format!("/{number}/{column}")) { (text) }
                            };
                            @let ordered = line.item != BomItem::SwitchPort;
                            @let spare = if ordered { spares(line.quantity, percent) } else { 0 };
                            @let order = if ordered { line.quantity + spare } else { 0 };
                            tr {
                                td { (cell("item", line.item.name())) }
                                td { (cell("variant", &line.variant)) }
                                td.n { (cell("stock_m", &line.stock.map(Length::to_metres_string).unwrap_or_default())) }
                                td.n { (cell("quantity", &line.quantity.to_string())) }
                                td.n { (cell("spares", &spare.to_string())) }
                                td.n { (cell("order", &order.to_string())) }
                                td { (cell("part", &line.part)) }
                                td.n { @if let Some(price) = line.unit_price { (money(&price.to_string())) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn heads() -> Markup {
    html! {
        thead { tr { th {} th.n { "splitter fabric" } th.n { "packet core" } th.n { "peer-to-peer chain" } } }
    }
}

/// Values that sums lack, each part once with all its pieces.
fn lacking<'a>(missing: impl IntoIterator<Item = &'a MissingReport>) -> Markup {
    let mut parts: Vec<MissingReport> = Vec::new();
    for one in missing {
        let same = |part: &&mut MissingReport| {
            (part.value, &part.part, &part.reason) == (one.value, &one.part, &one.reason)
        };
        match parts.iter_mut().find(same) {
            Some(part) => part.quantity += one.quantity,
            None => parts.push(one.clone()),
        }
    }
    html! {
        ul {
            @for part in &parts {
                li { "Not in the sums: the " (part.value) " of " (part.quantity) " × " (part.part) " (" (part.reason) ")." }
            }
        }
    }
}

fn distinct(missing: Vec<&MissingReport>) -> Vec<&MissingReport> {
    let mut seen: Vec<&MissingReport> = Vec::new();
    for one in missing {
        if !seen.contains(&one) {
            seen.push(one);
        }
    }
    seen
}
