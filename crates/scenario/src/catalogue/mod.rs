//! Catalogues: those that come with lightloom, and the user's own file over them.

mod nested;
pub(crate) mod reader;
mod rows;

use std::collections::BTreeMap;
use std::path::Path;

use lightloom_catalogue::Shipped;
use lightloom_export::{Accounting, FibrePrice, StockLengths};
use lightloom_power_cost::Catalogue as Parts;
use lightloom_power_cost::parts::Provenance;
use lightloom_units::{Length, Money};

use crate::InputError;
use crate::settings::Settings;
use reader::Document;

/// Stock lengths and fibre, and switch models: part of every catalogue.
const COMMON: [Shipped; 2] = [lightloom_catalogue::FIBRE, lightloom_catalogue::SWITCHES];

/// The catalogues that come with lightloom, by name.
const SHIPPED: [(&str, Shipped); 2] = [
    (DEFAULT, lightloom_catalogue::SHUFFLECAST_2022),
    ("datasheets-2026", lightloom_catalogue::DATASHEETS_2026),
];

/// The catalogue of designs that name none.
pub(crate) const DEFAULT: &str = "shufflecast-2022";

/// No fibre is sold in longer pieces; sums over a plan stay far below what a length can hold.
pub(crate) const LONGEST_STOCK: Length = Length::from_m(100_000);

/// What a design is built from.
#[derive(Debug, Clone)]
pub(crate) struct Catalogue {
    /// What it is made of: a shipped catalogue, then the user's file.
    pub(crate) name: String,
    stock: Option<StockLengths>,
    price: Option<FibrePrice>,
    /// Where the price of fibre is from; not known of a plan that was read back.
    pub(crate) price_of: Option<Provenance>,
    pub(crate) parts: Parts,
    /// Where prices were said, by `section.name`: a complaint at each, to be filled in.
    prices: BTreeMap<String, InputError>,
}

impl Catalogue {
    /// The catalogue that settings name, with the user's file over it.
    ///
    /// # Errors
    /// [`InputError`] at the first row that is wrong.
    pub(crate) fn read(settings: &Settings) -> Result<Self, InputError> {
        let name = settings.text("optics.catalogue")?.unwrap_or(DEFAULT);
        let (_, Shipped { path, text }) = SHIPPED.iter().find(|(shipped, _)| *shipped == name).ok_or_else(|| {
            let known = SHIPPED.map(|(name, _)| name).join(", ");
            let message = format!(
                "found {name:?}; expected one of {known} (a file of your own goes into parts, --parts)"
            );
            settings.refuse("optics.catalogue", message)
        })?;
        let mut catalogue = Self::common(name)?;
        catalogue.add(Path::new(path), text)?;
        if let Some(path) = settings.path("optics.parts")? {
            catalogue.add(&path, &settings.texts.read_up_to(&path, 16 << 20)?)?;
            let own = path.file_name().unwrap_or_default().to_string_lossy();
            let own = own.replace(char::is_control, "?");
            catalogue.name = format!("{name} + {own}");
        }
        let accounting = "cost.fibre_accounting";
        if let Some(said) = settings.text(accounting)? {
            let price = catalogue.price.as_mut().expect("catalogue/fibre.toml has a price");
            price.accounting = Accounting::named(said).ok_or_else(|| {
                let message = format!("found {said:?}; expected one of half, whole");
                settings.refuse(accounting, message)
            })?;
        }
        Ok(catalogue)
    }

    /// A catalogue of this stock and price of fibre alone.
    pub(crate) fn of_fibre(stock: StockLengths, price: FibrePrice) -> Self {
        Self {
            name: String::new(),
            stock: Some(stock),
            price: Some(price),
            price_of: None,
            parts: Parts::default(),
            prices: BTreeMap::new(),
        }
    }

    fn common(name: &str) -> Result<Self, InputError> {
        let mut catalogue = Self {
            name: name.into(),
            stock: None,
            price: None,
            price_of: None,
            parts: Parts::default(),
            prices: BTreeMap::new(),
        };
        for Shipped { path, text } in COMMON {
            catalogue.add(Path::new(path), text)?;
        }
        Ok(catalogue)
    }

    /// Puts the rows of a file over those that are there.
    fn add(&mut self, file: &Path, text: &str) -> Result<(), InputError> {
        let document = Document::parse(file, text)?;
        for row in document.rows(|section| rows::SINGLE.contains(&section))? {
            rows::put(&row, self)?;
            self.prices.insert(row.path(), row.refuse("price", ""));
        }
        Ok(())
    }

    /// Checks that the price of a row in use is in the currency of all.
    pub(crate) fn check_currency(&self, row: &str, price: Option<Money>) -> Result<(), InputError> {
        let of_fibre = self.price().price.currency();
        let Some(found) = price.filter(|price| price.currency() != of_fibre) else { return Ok(()) };
        let message = format!(
            "found {found}, but fibre is priced in {of_fibre}, and there is no exchange rate; state \
             every price in one currency"
        );
        let place = self.prices.get(row).cloned();
        Err(InputError { message, ..place.unwrap_or_else(|| InputError::new("").in_field(row)) })
    }

    /// The lengths in which fibre is sold.
    pub(crate) fn stock(&self) -> &StockLengths {
        self.stock.as_ref().expect("every catalogue is read over catalogue/fibre.toml")
    }

    /// What fibre costs.
    pub(crate) fn price(&self) -> &FibrePrice {
        self.price.as_ref().expect("every catalogue is read over catalogue/fibre.toml")
    }
}
