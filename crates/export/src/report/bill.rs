//! What it costs: one tree's share and all that is built, beside the packet core; and the parts to order.

use lightloom_plan::bill::{MissingReport, TotalReport};
use lightloom_plan::bom::BomItem;
use lightloom_studies::compare::CompareReport;
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
                    h3 { "All totals beside each other" }
                    @match &self.contents.compare {
                        Ok(compare) => (self.totals("compare", &compare.totals)),
                        Err(_) => (self.totals("plan", &self.contents.plan.totals)),
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
        html! {
            p { "The packet core has switches of " (self.answers.plain("compare", "/core_ports")) " ports." }
            h3 { "All that is built" }
            (self.sides("/whole_fabric", all.map(|side| &side.total)))
            h3 { "All that is built, for each source that can send at line rate at once" }
            (self.at_line_rate())
            h3 { "One tree's share: the parts that one multicast uses" }
            (self.sides("", one.map(|side| &side.total)))
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
    fn sides(&self, under: &str, totals: [&TotalReport; 3]) -> Markup {
        type Beside<'a> = &'a dyn Fn(&str, &TotalReport) -> Markup;
        let a = &self.answers;
        let cells = |key: &str, form: Form, beside: Beside<'_>| -> [Markup; 3] {
            std::array::from_fn(|way| {
                let (side, total) = (SIDES[way], totals[way]);
                html! { (a.figure("compare", &format!("{under}/{side}/{key}"), form)) (beside(side, total)) }
            })
        };
        let alone = |key: &str| cells(key, Form::Plain, &|_, _| html! {});
        let fibre = |side: &str, _: &TotalReport| {
            html! { " " (a.plain("compare", &format!("{under}/{side}/fibre"))) "s" }
        };
        let more_power = |_: &str, total: &TotalReport| {
            html! { (total.power_lacks()) }
        };
        let costs: [Markup; 3] = std::array::from_fn(|way| {
            self.cost("compare", &format!("{under}/{}", SIDES[way]), totals[way])
        });
        let ratios = |of: &str| {
            let ratio = |side: &str| a.real("compare", &format!("{under}/ratios/{of}_{side}"), 3);
            [html! { "1" }, ratio(SIDES[1]), ratio(SIDES[2])]
        };
        let ends = |end: &str| {
            let of = |side: &str| {
                a.real("compare", &format!("{under}/ratios/cost_range_{side}/{end}"), 3)
            };
            [html! { "1" }, of(SIDES[1]), of(SIDES[2])]
        };
        let dearer =
            |side: &str| a.plain("compare", &format!("{under}/ratios/cost_range_{side}/dearer"));
        ways([
            ("switch ports", alone("ports")),
            ("transceivers", alone("transceivers")),
            ("splitters", alone("splitters")),
            ("fibres between racks", cells("fibres", Form::Plain, &fibre)),
            ("power, W", cells("power_w", Form::Real(1), &more_power)),
            ("cost", costs),
            ("power, times that of the splitter fabric", ratios("power")),
            ("cost, times that of the splitter fabric", ratios("cost")),
            ("at least, with one price for each part", ends("low")),
            ("at most, with one price for each part", ends("high")),
            (
                "dearer: this, the splitter fabric (other), or open",
                [html! { "" }, dearer(SIDES[1]), dearer(SIDES[2])],
            ),
        ])
    }

    fn at_line_rate(&self) -> Markup {
        let figures = |key, form| {
            SIDES.map(|side| {
                self.answers.figure("compare", &format!("/at_line_rate/{side}/{key}"), form)
            })
        };
        ways([
            ("sources at line rate", figures("sources", Form::Plain)),
            ("power of each, W", figures("power_w", Form::Real(1))),
            ("cost of each", figures("cost", Form::Money)),
            ("at least", figures("range/low", Form::Money)),
            ("at most", figures("range/high", Form::Money)),
        ])
    }

    /// The bill of materials, as `bom.csv` has it.
    pub(super) fn materials(&self) -> Markup {
        let percent = self.contents.laid.project().design().spares_percent;
        html! {
            section.page {
                h2 { "Bill of materials" }
                p { "Spares are " (percent) " % of each line, rounded up. Switch ports exist already and are not \
                    ordered." }
                table {
                    thead {
                        tr {
                            th { "Item" } th { "Variant" } th.n { "Length, m" } th.n { "Built \
                                in" } th.n { "Spares" } th.n { "Order" }
                            th { "Part" } th.n { "Price a piece" }
                        }
                    }
                    tbody {
                        @for (number, line) in self.contents.lines.iter().enumerate() {
                            @let cell = |column: &str, text: &str| html! {
                                span data-of="bom.csv" data-at=(format!("/{number}/{column}")) { (text) }
                            };
                            @let ordered = line.item != BomItem::SwitchPort;
                            @let spare = line.spares(percent);
                            @let order = if ordered { line.quantity + spare } else { 0 };
                            tr {
                                td { (cell("item", line.item.name())) }
                                td { (cell("variant", &line.variant)) }
                                @let stock = line.stock.map(Length::to_metres_string).unwrap_or_default();
                                td.n { (cell("stock_m", &stock)) }
                                td.n { (cell("quantity", &line.quantity.to_string())) }
                                td.n { (cell("spares", &spare.to_string())) }
                                td.n { (cell("order", &order.to_string())) }
                                td { (cell("part", &line.part)) }
                                td.n { @if let Some(price) = &line.unit_price { (money(&price.amount().to_string())) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A table with a column for each way.
fn ways<const N: usize>(rows: [(&str, [Markup; 3]); N]) -> Markup {
    html! {
        table {
            thead { tr { th {} th.n { "splitter fabric" } th.n { "packet core" } th.n { "peer-to-peer chain" } } }
            tbody {
                @for (name, cells) in rows {
                    tr { td { (name) } @for cell in cells { td.n { (cell) } } }
                }
            }
        }
    }
}

/// Values that sums lack, each part once with all its pieces.
pub(super) fn lacking<'a>(missing: impl IntoIterator<Item = &'a MissingReport>) -> Markup {
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
                li {
                    "Not in the sums: the " (part.value) " of " (part.quantity) " × " (part.part)
                    " (" (part.reason) ")."
                }
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
