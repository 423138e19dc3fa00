//! What a design is built from: parts, stock lengths and the price of fibre.

use std::collections::BTreeMap;

use lightloom_power_cost::parts::Provenance;
use lightloom_power_cost::{FibrePrice, PartLists, StockLengths};
use lightloom_request::{InputError, Message};
use lightloom_units::{Length, Money};

/// No fibre is sold in longer pieces; sums over a plan stay far below what a length can hold.
pub const LONGEST_STOCK: Length = Length::from_m(100_000);

/// What a design is built from.
#[derive(Debug, Clone)]
pub struct Catalogue {
    /// What it is made of: a shipped catalogue, then the user's file.
    pub name: String,
    /// The lengths in which fibre is sold.
    pub stock: Option<StockLengths>,
    /// What fibre costs.
    pub price: Option<FibrePrice>,
    /// Where the price of fibre is from; not known of a plan that was read back.
    pub price_of: Option<Provenance>,
    /// Its rows.
    pub parts: PartLists,
    /// Where prices were said, by `section.name`: a complaint at each, to be filled in.
    pub prices: BTreeMap<String, InputError>,
}

impl Catalogue {
    /// A catalogue of this stock and price of fibre alone.
    pub fn of_fibre(stock: StockLengths, price: FibrePrice) -> Self {
        Self {
            name: String::new(),
            stock: Some(stock),
            price: Some(price),
            price_of: None,
            parts: PartLists::default(),
            prices: BTreeMap::new(),
        }
    }

    /// Checks that the price of a row in use is in the currency of all.
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

    /// The lengths in which fibre is sold.
    pub fn stock(&self) -> &StockLengths {
        self.stock.as_ref().expect("every catalogue is read over catalogue/fibre.toml")
    }

    /// What fibre costs.
    pub fn price(&self) -> &FibrePrice {
        self.price.as_ref().expect("every catalogue is read over catalogue/fibre.toml")
    }
}
