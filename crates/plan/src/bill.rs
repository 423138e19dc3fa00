//! Bill of materials of a plan, with cost and power as far as they are known.

mod on_fibres;
mod report;

use lightloom_design::catalogue::Catalogue;
use lightloom_design::optics::DesignOptics;
use lightloom_power_cost::price::UnitPrice;
use lightloom_power_cost::{Draw, Line, Tally};
use lightloom_request::InputError;
use lightloom_units::Length;

use crate::bom::{self, BomItem, BomLine, CORD};
use crate::laid::Laid;
use crate::project::Project;

use on_fibres::fitted;
pub use on_fibres::{OnFibres, PadEnd, Passed, PassedPad, UnplacedReport, on_fibres, unplaced};
pub use report::{AND_MORE, CostRange, MissingReport, TotalReport, in_usd, refuse_sum, reported};

/// The lines of a plan with prices and powers.
pub fn lines(laid: &Laid, optics: Option<&DesignOptics>) -> Result<Vec<BomLine>, InputError> {
    let (project, wires) = (laid.project(), laid.plant());
    let mut lines = bom::lines(wires);
    for line in &mut lines {
        if let (BomItem::Cord, Some(stock)) = (line.item, line.stock) {
            line.unit_price = cord_price(&project.catalogue, stock)?;
        }
        let part = project.catalogue.parts.plant.get(&line.part);
        line.part = part.map_or_else(String::new, |part| part.name.clone());
        if let Some(part) = part {
            line.part_number.clone_from(&part.provenance.part_number);
        }
        let terms = part.map(|part| part.terms(line.stock)).unwrap_or_default();
        match (line.item, line.stock, optics) {
            (BomItem::Transceiver, _, Some(chosen)) => {
                let transceiver = &chosen.optics.transceiver;
                line.part.clone_from(&transceiver.name);
                line.part_number.clone_from(&transceiver.provenance.part_number);
                line.unit_power = transceiver.power;
                line.unit_price = transceiver.unit_price();
            }
            (BomItem::Splitter, _, Some(chosen)) => {
                let splitter = &chosen.optics.splitter;
                line.part.clone_from(&splitter.name);
                line.part_number.clone_from(&splitter.provenance.part_number);
                line.unit_price = splitter.unit_price();
            }
            (BomItem::Housing, _, Some(chosen)) => {
                let name = wires.housing().name();
                // A shelf of this place goes before any shelf.
                let shelf = chosen.shelves.iter().find(|shelf| shelf.name == name);
                let number = shelf.and_then(|shelf| shelf.provenance.part_number.clone());
                line.part_number = number.or(line.part_number.take());
                line.unit_price = shelf.and_then(|shelf| shelf.unit_price());
            }
            _ => {}
        }
        if line.unit_price.is_none() {
            line.unit_price = UnitPrice::of(terms).map_err(refuse_sum)?;
        }
    }
    if let Some(chosen) = optics {
        lines.push(port_line(chosen, project.transceivers()));
        lines.extend(fitted(chosen).into_iter().map(|part| part.line(project)));
    }
    lines.extend(accelerator_lines(project));
    Ok(lines)
}

/// The price of a cord of one fibre with its connectors. `None`: it is unknown.
///
/// # Errors
/// [`InputError`] if the price is too large.
pub fn cord_price(catalogue: &Catalogue, stock: Length) -> Result<Option<UnitPrice>, InputError> {
    let part = catalogue.parts.plant.get(CORD);
    let mut terms = part.map(|part| part.terms(Some(stock))).unwrap_or_default();
    // A price by length covers the fibre of a cord; one a piece only its connectors.
    if !part.is_some_and(|part| part.covers_fibre()) {
        terms.extend(catalogue.price().strand(stock));
    }
    UnitPrice::of(terms).map_err(refuse_sum)
}

fn port_line(chosen: &DesignOptics, quantity: u64) -> BomLine {
    let port = chosen.switch_port.as_ref();
    BomLine {
        item: BomItem::SwitchPort,
        variant: format!("{}, on the ToRs", chosen.optics.transceiver.rate),
        stock: None,
        quantity,
        part: port.map(|port| port.name.clone()).unwrap_or_default(),
        part_number: port.and_then(|port| port.provenance.part_number.clone()),
        unit_price: port.and_then(|port| port.unit_price()),
        unit_power: port.and_then(|port| port.power),
    }
}

/// The accelerators beside the switches, and the ports of the switches that they take. Empty: there are none.
pub fn accelerator_lines(project: &Project) -> Vec<BomLine> {
    let Some(part) = project.platform.accelerator() else { return Vec::new() };
    let count = project.placement.switches().len() as u64;
    let port = project.platform.accelerator_port();
    let accelerators = BomLine {
        item: BomItem::Accelerator,
        variant: format!("{} ports of {}, beside a switch", part.ports, part.port_rate),
        stock: None,
        quantity: count,
        part: part.name.clone(),
        part_number: part.provenance.part_number.clone(),
        unit_price: part.unit_price(),
        unit_power: part.power,
    };
    let ports = BomLine {
        item: BomItem::SwitchPort,
        variant: format!("{}, to accelerators", part.port_rate),
        stock: None,
        quantity: count * u64::from(part.ports),
        part: port.map(|port| port.name.clone()).unwrap_or_default(),
        part_number: port.and_then(|port| port.provenance.part_number.clone()),
        unit_price: port.and_then(|port| port.unit_price()),
        unit_power: port.and_then(|port| port.power),
    };
    vec![ports, accelerators]
}

/// Whether all prices are known, except those of what holds splitters and panels.
pub fn priced_but_housings(lines: &[BomLine]) -> bool {
    let holds = |line: &BomLine| {
        matches!(line.item, BomItem::Housing | BomItem::Frame | BomItem::Module | BomItem::Panel)
    };
    lines.iter().all(|line| line.unit_price.is_some() || holds(line))
}

/// What is ordered: everything with its spares. Switch ports already exist and are left out.
pub fn ordered(lines: &[BomLine], spares_percent: u32) -> Vec<BomLine> {
    let ordered = lines.iter().filter(|line| line.item != BomItem::SwitchPort).cloned();
    let with_spares =
        |line: BomLine| BomLine { quantity: line.quantity + line.spares(spares_percent), ..line };
    ordered.map(with_spares).collect()
}

/// The bill of everything that must be ordered, with spares. Switch ports already exist and are left out.
pub fn to_order(
    lines: &[BomLine],
    spares_percent: u32,
    catalogue: &str,
) -> Result<TotalReport, InputError> {
    total(&ordered(lines, spares_percent), catalogue)
}

/// The total of bill lines.
pub fn total(lines: &[BomLine], catalogue: &str) -> Result<TotalReport, InputError> {
    let tally = Tally::of(&priced(lines)).map_err(refuse_sum)?;
    Ok(reported(tally, catalogue))
}

/// Bill lines as lines of a sum.
pub fn priced(lines: &[BomLine]) -> Vec<Line> {
    let line = |line: &BomLine| {
        let kind = if line.part.is_empty() { &line.variant } else { &line.part };
        Line {
            part: format!("{} {kind}", line.item.name()),
            quantity: line.quantity,
            price: line.unit_price.clone(),
            power: match line.item {
                BomItem::Transceiver
                | BomItem::SwitchPort
                | BomItem::Accelerator
                | BomItem::Inline
                | BomItem::Splice
                | BomItem::Coupler => line.unit_power.into(),
                _ => Draw::Passive,
            },
        }
    };
    lines.iter().map(line).collect()
}
