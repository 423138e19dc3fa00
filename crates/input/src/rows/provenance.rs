//! Where the values of a row are from.

use lightloom_power_cost::parts::Provenance;
use lightloom_request::InputError;
use lightloom_topology::hall::Name;

use crate::rows::Row;

impl Row<'_> {
    /// The provenance of a row that overrides an earlier one. Omitted fields are inherited.
    pub fn provenance_over(&self, old: Option<&Provenance>) -> Result<Provenance, InputError> {
        let new = self.provenance()?;
        let whole = |old: &&Provenance| old.source != new.source;
        Ok(match old.filter(whole) {
            None => new,
            Some(old) => Provenance {
                source: format!("{}; the rest: {} ({})", new.source, old.source, old.date),
                date: new.date,
                part_number: self.inherited("part_number", old.part_number.clone(), |_, _| {
                    Ok(new.part_number)
                })?,
            },
        })
    }

    /// The provenance of the row's values. It is required.
    pub fn provenance(&self) -> Result<Provenance, InputError> {
        let said = |field, example| {
            let text = self.text(field)?.filter(|text| !text.trim().is_empty());
            text.map(str::to_owned).ok_or_else(|| self.missing(field, example))
        };
        let date = said("date", "\"2026-11\"")?;
        if !is_date(&date) {
            let message = format!("found {date:?}; expected a year and month such as \"2026-11\"");
            return Err(self.refuse("date", message));
        }
        let source = said("source", "\"data sheet XYZ, table 3\"")?;
        Ok(Provenance { source, date, part_number: self.part_number()? })
    }

    /// The maker's part number. It stands on orders, so it is one line of text.
    fn part_number(&self) -> Result<Option<String>, InputError> {
        const LONGEST: usize = 64;
        let said = self.text("part_number")?.filter(|_| !self.is_unknown("part_number"));
        let Some(text) = said else { return Ok(None) };
        let found = Name::new(text).map_err(|_| {
            let message = format!("found {text:?}; expected one line of letters, digits and signs");
            self.refuse("part_number", message)
        })?;
        if found.as_str().chars().count() > LONGEST {
            let message = format!("is longer than {LONGEST} characters");
            return Err(self.refuse("part_number", message));
        }
        Ok(Some(found.as_str().to_owned()))
    }
}

/// Whether a text is a year, a year and month, or a day.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let digits =
        |part: &str, count| part.len() == count && part.bytes().all(|b| b.is_ascii_digit());
    let within = |part: &str, most: u8| part.parse().is_ok_and(|n: u8| (1..=most).contains(&n));
    match parts.as_slice() {
        [year, rest @ ..] if digits(year, 4) && rest.len() <= 2 => {
            rest.iter().zip([12, 31]).all(|(part, most)| digits(part, 2) && within(part, most))
        }
        _ => false,
    }
}
