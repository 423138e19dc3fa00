//! Crews, and what each of them does in a shift. The work packages of a plan are made from it.

use lightloom_request::setting::work as s;
use lightloom_request::{InputError, Setting, Settings, Takes};
use serde::{Deserialize, Serialize};

/// Crews, and the number of things that each does in a shift. None is 0.
///
/// The defaults are assumed: counts of experienced crews with pre-terminated parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// Number of crews that work at the same time.
    pub crews: u32,
    /// Shelves and modules that a crew mounts.
    pub modules_per_shift: u32,
    /// Trunks that a crew pulls.
    pub trunks_per_shift: u32,
    /// Cords to other rows that a crew pulls.
    pub cords_between_rows_per_shift: u32,
    /// Cords within a row that a crew lays.
    pub cords_within_row_per_shift: u32,
    /// Branches that a crew measures.
    pub measurements_per_shift: u32,
}

impl Work {
    /// The values that the settings give, and the defaults of the others.
    ///
    /// # Errors
    /// [`InputError`] at the first wrong value.
    pub fn read(settings: &Settings) -> Result<Self, InputError> {
        Ok(Self {
            crews: settings.value(&s::CREWS)?,
            modules_per_shift: settings.value(&s::MODULES)?,
            trunks_per_shift: settings.value(&s::TRUNKS)?,
            cords_between_rows_per_shift: settings.value(&s::CORDS_BETWEEN_ROWS)?,
            cords_within_row_per_shift: settings.value(&s::CORDS_WITHIN_ROW)?,
            measurements_per_shift: settings.value(&s::MEASUREMENTS)?,
        })
    }

    /// Each value with its setting, and the words for what is counted.
    pub fn listed(&self) -> [(&'static Setting<u32>, u32, &'static str); 6] {
        [
            (&s::CREWS, self.crews, "crews"),
            (&s::MODULES, self.modules_per_shift, "shelves and modules"),
            (&s::TRUNKS, self.trunks_per_shift, "trunks"),
            (&s::CORDS_BETWEEN_ROWS, self.cords_between_rows_per_shift, "cords between rows"),
            (&s::CORDS_WITHIN_ROW, self.cords_within_row_per_shift, "cords within a row"),
            (&s::MEASUREMENTS, self.measurements_per_shift, "measurements"),
        ]
    }

    /// Checks values that were read back from a plan.
    ///
    /// # Errors
    /// A message about the first value that its setting does not take.
    pub fn check(&self) -> Result<(), String> {
        for (setting, found, _) in self.listed() {
            let Takes::Whole { least, most } = setting.takes else { continue };
            if !(least..=most).contains(&found.into()) {
                let field = setting.field();
                return Err(format!("has {field} = {found}; expected {least} to {most}"));
            }
        }
        Ok(())
    }

    /// Whether all values are the defaults.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for Work {
    fn default() -> Self {
        Self::read(&Settings::default()).expect("the defaults are read by a test")
    }
}
