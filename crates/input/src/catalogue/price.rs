//! Prices of rows, and which of them count.

use std::collections::BTreeMap;

use lightloom_design::catalogue::Catalogue;
use lightloom_power_cost::price::{Price, PriceBasis, PriceCase, PriceRange, PriceRank};
use lightloom_request::{InputError, Message, Settings, setting};
use lightloom_units::{Currency, Money};

use crate::rows::Row;

/// Fields of rows that are prices.
const FIELDS: [&str; 2] = ["price", "price_per_m"];

/// Prices of the user's file, by the path of their row: each field with its currency and place.
#[derive(Debug, Default)]
pub(super) struct OwnPrices(BTreeMap<String, Vec<(Money, InputError)>>);

/// Reads a price: one amount, or the lowest, the usual and the highest with their source or the rule by which they are
/// assumed. A row that omits it inherits the whole price of the earlier row of its name, and the word `"unknown"`
/// removes that.
pub(super) fn price(
    row: &Row<'_>,
    field: &'static str,
    old: Option<&Price>,
) -> Result<Option<Price>, InputError> {
    row.inherited(field, old.cloned(), |row, _| read(row, field))
}

/// The price that a row has.
fn read(row: &Row<'_>, field: &'static str) -> Result<Option<Price>, InputError> {
    if !row.has_table(field) {
        return Ok(row.quantity::<Money>(field)?.map(Price::from));
    }
    let Some(range) = row.table(field, field)? else { return Ok(None) };
    range.only_these(&["low", "typical", "high", "source", "assumed"])?;
    let amount = |field| range.required::<Money>(field, "\"150 USD\"");
    let (low, typical, high) = (amount("low")?, amount("typical")?, amount("high")?);
    let (source, rule) = (range.text("source")?, range.text("assumed")?);
    let (rank, source) = match (source, rule) {
        (Some(_), Some(_)) => {
            let message =
                "has a source too; a price has a source, or a rule by which it is assumed";
            return Err(range.refuse("assumed", message));
        }
        (None, Some(rule)) => (PriceRank::Assumed, Some(rule.to_owned())),
        (source, None) => (PriceRank::Sourced, source.map(str::to_owned)),
    };
    let range = PriceRange::new(low, typical, high).ok_or_else(|| {
        let message = format!(
            "found {low}, {typical} and {high}; expected low, typical and high in one currency, ascending"
        );
        row.refuse(field, message)
    })?;
    Ok(Some(Price { range, rank, case: PriceCase::Typical, source }))
}

impl OwnPrices {
    /// Notes the prices of a row of the user's file.
    pub fn note(&mut self, row: &Row<'_>) -> Result<(), InputError> {
        for field in FIELDS {
            // Only the currency and the place matter, so the older row does not.
            if let Some(found) = price(row, field, None)? {
                let place = row.refuse(field, "");
                self.0.entry(row.path()).or_default().push((found.range.typical(), place));
            }
        }
        Ok(())
    }

    /// The currency of the user's prices. `None`: the user gives none.
    fn currency(&self) -> Result<Option<Currency>, InputError> {
        let mut all =
            self.0.iter().flat_map(|(row, found)| found.iter().map(move |one| (row, one)));
        let Some((first, (amount, _))) = all.next() else { return Ok(None) };
        let currency = amount.currency();
        match all.find(|(_, (amount, _))| amount.currency() != currency) {
            None => Ok(Some(currency)),
            Some((_, (found, place))) => {
                let message = format!(
                    "found {found}, but {first} is priced in {currency}, and there is no exchange rate; state every \
                     price in one currency"
                );
                Err(InputError { message: Message::new(message), ..place.clone() })
            }
        }
    }
}

/// Keeps the prices that count: those in the user's currency, of the ranks that the settings ask for, each with the
/// case that counts. The name of the catalogue says what was left out.
pub(super) fn settle(
    catalogue: &mut Catalogue,
    settings: &Settings,
    own: &OwnPrices,
) -> Result<(), InputError> {
    let case = settings.value(&setting::cost::PRICE_CASE)?;
    let basis = settings.value(&setting::cost::PRICES)?;
    if let Some(currency) = own.currency()? {
        catalogue.currency = currency;
    }
    let currency = catalogue.currency;
    let (mut foreign, mut assumed) = (false, false);
    catalogue.reprice(&mut |_, price| {
        let Some(found) = price else { return };
        let is_foreign = found.range.currency() != currency;
        let is_out = basis == PriceBasis::Sourced && found.rank == PriceRank::Assumed;
        foreign |= is_foreign;
        assumed |= is_out;
        if is_foreign || is_out {
            *price = None;
        } else {
            found.case = case;
        }
    });
    let left_out = [
        foreign.then(|| format!("prices in {currency} only")),
        assumed.then(|| "sourced prices only".to_owned()),
    ];
    let left_out: Vec<String> = left_out.into_iter().flatten().collect();
    if !left_out.is_empty() {
        catalogue.name += &format!(" ({})", left_out.join(", "));
    }
    Ok(())
}
