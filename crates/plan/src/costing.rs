//! How costs are counted: the length of a fibre in comparisons, and years of energy.

use lightloom_request::{InputError, Settings};
use lightloom_units::{Length, Money};

/// The longest time that costs are summed over.
const MOST_YEARS: u32 = 100;

/// How costs are counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Costing {
    /// Every fibre between racks, in comparisons.
    pub fibre_length: Length,
    /// Years, and the price of a kilowatt-hour.
    pub years: Option<(u32, Money)>,
}

impl Default for Costing {
    /// 100 m, as in the paper's example, and no energy.
    fn default() -> Self {
        Self { fibre_length: Length::from_m(100), years: None }
    }
}

impl Costing {
    pub fn read(settings: &Settings) -> Result<Self, InputError> {
        Ok(Self { fibre_length: fibre_length(settings)?, years: years(settings)? })
    }
}

fn fibre_length(settings: &Settings) -> Result<Length, InputError> {
    let name = "cost.fibre_length";
    let length = settings.quantity(name)?.unwrap_or(Costing::default().fibre_length);
    if length == Length::ZERO || length > Length::from_m(100_000) {
        let message = format!("found {length}; expected more than 0 m and at most 100 km");
        return Err(settings.refuse(name, message));
    }
    Ok(length)
}

fn years(settings: &Settings) -> Result<Option<(u32, Money)>, InputError> {
    let (years, price) = ("cost.years", "cost.energy_price");
    let expected = format!("1 to {MOST_YEARS}");
    let said = settings.number::<u32>(years, &expected)?;
    match (said, settings.quantity::<Money>(price)?) {
        (None, None) => Ok(None),
        (Some(found), _) if !(1..=MOST_YEARS).contains(&found) => {
            Err(settings.refuse(years, format!("found {found}; expected {expected}")))
        }
        (_, Some(found)) if !(0..=1_000_000_000).contains(&found.as_micros()) => {
            Err(settings
                .refuse(price, format!("found {found}; expected 0 to 1000 a kilowatt-hour")))
        }
        (Some(years), Some(price)) => Ok(Some((years, price))),
        (Some(_), None) => {
            let message = "is missing; give the price of a kilowatt-hour, such as \"0.12 USD\"";
            Err(settings.refuse(price, message))
        }
        (None, Some(_)) => {
            Err(settings.refuse(years, "is missing; give a number of years, such as 5"))
        }
    }
}
