//! Parameters of costs: the length of a fibre in comparisons, and years of energy.

use lightloom_request::setting::cost::{ENERGY_PRICE, FIBRE_LENGTH, YEARS};
use lightloom_request::{InputError, Settings};
use lightloom_units::{Length, Money};

/// Parameters of costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Costing {
    /// Length of every fibre between racks in comparisons.
    pub fibre_length: Length,
    /// Number of years, and price of a kilowatt-hour. `None`: no energy.
    pub years: Option<(u32, Money)>,
}

impl Default for Costing {
    /// Defaults of the settings: 100 m, as in the paper's example (shufflecast:VI-A.cost), and no energy.
    fn default() -> Self {
        Self { fibre_length: FIBRE_LENGTH.default_value(), years: None }
    }
}

impl Costing {
    /// Reads the settings.
    ///
    /// # Errors
    /// [`InputError`] at a value out of range, or if only one of years and energy price is given.
    pub fn read(settings: &Settings) -> Result<Self, InputError> {
        Ok(Self { fibre_length: fibre_length(settings)?, years: years(settings)? })
    }
}

fn fibre_length(settings: &Settings) -> Result<Length, InputError> {
    let length = settings.value(&FIBRE_LENGTH)?;
    if length == Length::ZERO || length > Length::from_m(100_000) {
        let message = format!("found {length}; expected more than 0 m and at most 100 km");
        return Err(settings.refuse(&FIBRE_LENGTH, message));
    }
    Ok(length)
}

fn years(settings: &Settings) -> Result<Option<(u32, Money)>, InputError> {
    match (settings.get(&YEARS)?, settings.get(&ENERGY_PRICE)?) {
        (None, None) => Ok(None),
        (_, Some(found)) if !(0..=1_000_000_000).contains(&found.as_micros()) => Err(settings
            .refuse(&ENERGY_PRICE, format!("found {found}; expected 0 to 1000 a kilowatt-hour"))),
        (Some(years), Some(price)) => Ok(Some((years, price))),
        (Some(_), None) => {
            let message = "is missing; give the price of a kilowatt-hour, such as \"0.12 USD\"";
            Err(settings.refuse(&ENERGY_PRICE, message))
        }
        (None, Some(_)) => {
            Err(settings.refuse(&YEARS, "is missing; give a number of years, such as 5"))
        }
    }
}
