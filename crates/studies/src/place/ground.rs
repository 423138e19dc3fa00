//! The racks of a hall with what cords between them cost.

use std::collections::BTreeMap;
use std::sync::Arc;

use lightloom_plan::bill::cord_price;
use lightloom_plan::project::Project;
use lightloom_qap::Costs;
use lightloom_request::InputError;
use lightloom_topology::RackId;
use lightloom_topology::hall::{Housing, Place, unit_height};
use lightloom_units::{Currency, Length};

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
    /// The racks of a project, for shelves of so many splitters.
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
        let stock = project.catalogue().stock();
        let row = |rack: RackId| -> Vec<Option<Length>> {
            let Some(shelf) = shelf(rack) else { return vec![None; racks.len()] };
            let length = |&other: &RackId| stock.round_up(hall.route(shelf, tor(other)).length);
            racks.iter().map(|rack| Some(length(rack))).collect()
        };
        let rows = deal(&shares(racks.len()), 1, &mut |_, _| Ok(()), |share| {
            racks[share.clone()].iter().map(|&rack| row(rack)).collect::<Vec<_>>()
        });
        // Nobody stops it.
        let rows: Vec<Vec<Option<Length>>> =
            rows.unwrap_or_default().into_iter().flatten().collect();
        let mut entry_of: BTreeMap<Option<Length>, u16> =
            rows.iter().flatten().map(|&stock| (stock, 0)).collect();
        let (objective, entries) = priced(project, entry_of.keys().copied())?;
        (0..).zip(entry_of.values_mut()).for_each(|(number, entry)| *entry = number);
        let pairs = rows.iter().flatten().map(|stock| entry_of[stock]).collect();
        let costs = Costs::of_entries(racks.len(), pairs, entries);
        let costs = costs.ok_or_else(|| InputError::new("has too many stock lengths to search"))?;
        Ok(Self { racks, objective, costs: Arc::new(costs) })
    }
}

/// The cost of each stock length: its price, or its length in micrometres if a price is unknown.
fn priced(
    project: &Project,
    stocks: impl Iterator<Item = Option<Length>> + Clone,
) -> Result<(PlaceObjective, Vec<i64>), InputError> {
    let mut currency: Option<Currency> = None;
    let mut prices = Some(Vec::new());
    for stock in stocks.clone() {
        let Some(stock) = stock else {
            prices.iter_mut().for_each(|prices| prices.push(IMPOSSIBLE));
            continue;
        };
        let price = cord_price(project.catalogue(), stock)?;
        currency = price.as_ref().map(|price| price.amount().currency()).or(currency);
        prices = prices.zip(price).map(|(mut prices, price)| {
            prices.push(price.amount().as_micros());
            prices
        });
    }
    if let Some((prices, currency)) = prices.zip(currency) {
        return Ok((PlaceObjective::Money(currency.to_string()), prices));
    }
    let length = |stock: Option<Length>| {
        stock.map_or(IMPOSSIBLE, |stock| i64::try_from(stock.as_um()).unwrap_or(IMPOSSIBLE))
    };
    Ok((PlaceObjective::StockMetres, stocks.map(length).collect()))
}

/// Whether a housing can be searched.
pub(super) fn is_searched(housing: Housing) -> bool {
    match housing {
        Housing::Sender | Housing::Receiver => true,
        Housing::Zone => false,
    }
}
