//! The catalogue of a design: parts, stock lengths and the price of fibre.

use std::collections::BTreeMap;

use lightloom_plant::Hardware;
use lightloom_power_cost::parts::Provenance;
use lightloom_power_cost::{FibrePrice, PartLists, StockLengths};
use lightloom_request::{InputError, Message};
use lightloom_units::{Length, Money};

/// Longest stock length. It keeps sums over a plan far below the range of a length.
pub const LONGEST_STOCK: Length = Length::from_m(100_000);

/// The catalogue of a design.
#[derive(Debug, Clone)]
pub struct Catalogue {
    /// Name: the built-in catalogue, then the user's file.
    pub name: String,
    /// Stock lengths of fibre.
    pub stock: Option<StockLengths>,
    /// Stock lengths of trunks. `None` for a plan that was read back and has none.
    pub trunk_stock: Option<StockLengths>,
    /// Sizes of shelves, modules and trunks.
    pub hardware: Hardware,
    /// Price of fibre.
    pub price: Option<FibrePrice>,
    /// Source of the price of fibre. `None` for a plan that was read back.
    pub price_of: Option<Provenance>,
    /// The parts.
    pub parts: PartLists,
    /// For each price in the user's files, by `section.name`: an error at its place, without a message.
    pub prices: BTreeMap<String, InputError>,
}

impl Catalogue {
    /// A catalogue with only stock lengths and a price of fibre.
    pub fn of_fibre(stock: StockLengths, price: FibrePrice) -> Self {
        Self {
            name: String::new(),
            trunk_stock: Some(stock.clone()),
            stock: Some(stock),
            hardware: Hardware::default(),
            price: Some(price),
            price_of: None,
            parts: PartLists::default(),
            prices: BTreeMap::new(),
        }
    }

    /// Checks that the price of a row in use has the common currency.
    pub fn check_currency(&self, row: &str, price: Option<Money>) -> Result<(), InputError> {
        let of_fibre = self.price().price.currency();
        let Some(found) = price.filter(|price| price.currency() != of_fibre) else { return Ok(()) };
        let message = format!(
            "found {found}, but fibre is priced in {of_fibre}, and there is no exchange rate; state \
             every price in one currency"
        );
        let place = self.prices.get(row).cloned();
        let message = Message::new(message);
        Err(InputError { message, ..place.unwrap_or_else(|| InputError::new("").in_field(row)) })
    }

    /// Stock lengths of fibre.
    pub fn stock(&self) -> &StockLengths {
        self.stock.as_ref().expect("every catalogue is read over catalogue/fibre.toml")
    }

    /// Stock lengths of trunks; those of cords if the catalogue has none.
    pub fn trunk_stock(&self) -> &StockLengths {
        self.trunk_stock.as_ref().unwrap_or_else(|| self.stock())
    }

    /// Price of fibre.
    pub fn price(&self) -> &FibrePrice {
        self.price.as_ref().expect("every catalogue is read over catalogue/fibre.toml")
    }
}
