//! The racks of a hall with what cords between them cost.

use std::sync::Arc;

use lightloom_plan::bill::cord_price;
use lightloom_plan::project::Project;
use lightloom_power_cost::StockLengths;
use lightloom_power_cost::price::UnitPrice;
use lightloom_qap::Costs;
use lightloom_request::InputError;
use lightloom_topology::RackId;
use lightloom_topology::hall::{Place, unit_height};
use lightloom_units::Length;

use crate::deal::{deal, shares};
use crate::place::report::PlaceObjective;

/// What stands for a cord that cannot be laid: more than all cords of a plan cost.
pub(super) const IMPOSSIBLE: i64 = 1 << 40;

/// The racks where ToRs may stand, and the cost of a cord between a shelf of splitters in one and the ToR in another.
#[derive(Debug)]
pub(super) struct Ground {
    /// The racks; their positions are the locations of the search.
    pub(super) racks: Vec<RackId>,
    /// What is counted.
    pub(super) objective: PlaceObjective,
    /// The cost of a cord, by the rack of the shelf and the rack of the ToR. A rack without room for a shelf has
    /// [`IMPOSSIBLE`] costs.
    pub(super) costs: Arc<Costs>,
}

impl Ground {
    /// The racks of a project. Each shelf has this number of splitters.
    ///
    /// # Errors
    /// [`InputError`] if a price is too large.
    pub(super) fn new(
        project: &Project,
        racks: Vec<RackId>,
        splitters: usize,
    ) -> Result<Self, InputError> {
        let (site, hall) = (project.site(), project.hall());
        let hardware = &project.catalogue().hardware;
        let units = hardware.shelf_units(splitters, project.fabric().fan_out());
        let shelf = |rack: RackId| {
            let unit = site.free_units(rack, units)?;
            Some(Place { rack, height: unit_height(unit) })
        };
        let tor = |rack: RackId| Place { rack, height: hall.tor_height(rack) };
        let numbers = Numbers(project.catalogue().stock());
        let row = |rack: RackId| -> Vec<u16> {
            let Some(shelf) = shelf(rack) else { return vec![NO_ROOM; racks.len()] };
            let length = |&other: &RackId| hall.route(shelf, tor(other)).length;
            racks.iter().map(|rack| numbers.of(length(rack))).collect()
        };
        let rows = deal(&shares(racks.len()), 1, &mut |_, _| Ok(()), |share| {
            racks[share.clone()].iter().flat_map(|&rack| row(rack)).collect::<Vec<u16>>()
        });
        // Its watch never stops this work.
        let mut pairs = rows.unwrap_or_default().concat();
        let most = pairs.iter().copied().filter(|&number| number != NO_ROOM).max().unwrap_or(0);
        let (objective, mut entries) = priced(project, (0..=most).map(|at| numbers.stock(at)))?;
        entries.push(IMPOSSIBLE);
        pairs.iter_mut().filter(|number| **number == NO_ROOM).for_each(|number| *number = most + 1);
        let costs = Costs::of_entries(racks.len(), pairs, entries);
        let costs = costs.ok_or_else(|| InputError::new("has too many stock lengths to search"))?;
        Ok(Self { racks, objective, costs: Arc::new(costs) })
    }
}

/// The number of a rack without room for a shelf.
const NO_ROOM: u16 = u16::MAX;

/// Numbers of stock lengths: those of the list first, and then multiples of the step.
pub(super) struct Numbers<'a>(pub(super) &'a StockLengths);

impl Numbers<'_> {
    /// The number of the stock length for a cord. Cords of more than 65,000 steps have the highest one.
    pub(super) fn of(&self, length: Length) -> u16 {
        let (stock, listed) = (self.0.round_up(length), self.0.lengths());
        let number = match listed.binary_search(&stock) {
            Ok(at) => at as u64,
            Err(_) => listed.len() as u64 + stock.as_um() / self.0.step().as_um(),
        };
        u16::try_from(number).unwrap_or(NO_ROOM).min(NO_ROOM - 2)
    }

    /// The stock length of a number.
    pub(super) fn stock(&self, number: u16) -> Length {
        let (at, listed) = (usize::from(number), self.0.lengths());
        listed.get(at).copied().unwrap_or_else(|| {
            let steps = (at - listed.len()) as u64;
            Length::from_um(self.0.step().as_um().saturating_mul(steps.max(1)))
        })
    }
}

/// The cost of each stock length: its price, or its length in micrometres if a price is unknown.
pub(super) fn priced(
    project: &Project,
    stocks: impl Iterator<Item = Length> + Clone,
) -> Result<(PlaceObjective, Vec<i64>), InputError> {
    let prices = stocks.clone().map(|stock| cord_price(project.catalogue(), stock));
    let prices: Option<Vec<UnitPrice>> = prices.collect::<Result<_, _>>()?;
    if let Some(prices) = prices.filter(|prices| !prices.is_empty()) {
        let currency = prices[0].amount().currency().to_string();
        let costs = prices.iter().map(|price| price.amount().as_micros()).collect();
        return Ok((PlaceObjective::Money(currency), costs));
    }
    Ok(by_length(stocks))
}

/// The length of each stock length in micrometres, as its cost.
pub(super) fn by_length(stocks: impl Iterator<Item = Length>) -> (PlaceObjective, Vec<i64>) {
    let length = |stock: Length| i64::try_from(stock.as_um()).unwrap_or(IMPOSSIBLE);
    (PlaceObjective::StockMetres, stocks.map(length).collect())
}
