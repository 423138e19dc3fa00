//! The catalogue of a design: parts, stock lengths and the price of fibre.

use lightloom_plant::Hardware;
use lightloom_power_cost::parts::Provenance;
use lightloom_power_cost::price::Price;
use lightloom_power_cost::{FibrePrice, PartLists, StockLengths};
use lightloom_units::{Currency, Length};

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
    /// Currency of all prices.
    pub currency: Currency,
}

impl Catalogue {
    /// A catalogue with only stock lengths and a price of fibre.
    pub fn of_fibre(stock: StockLengths, price: FibrePrice, currency: Currency) -> Self {
        Self {
            name: String::new(),
            trunk_stock: Some(stock.clone()),
            stock: Some(stock),
            hardware: Hardware::default(),
            price: Some(price),
            price_of: None,
            parts: PartLists::default(),
            currency,
        }
    }

    /// Changes every price, given with the path of its row, such as `transceiver.10gbase-lr` or `fibre_price`.
    pub fn reprice(&mut self, change: &mut dyn FnMut(&str, &mut Option<Price>)) {
        self.parts.reprice(change);
        if let Some(fibre) = &mut self.price {
            change("fibre_price", &mut fibre.price);
        }
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
