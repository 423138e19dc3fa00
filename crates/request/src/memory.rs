//! How much memory work may take. It is estimated from the counts of the input before the work begins, and more is
//! refused.
//!
//! Answers do not depend on it. Only the refusal does.

use lightloom_units::DataSize;

use crate::error::InputError;
use crate::message::Message;
use crate::setting::machine::MEMORY;
use crate::settings::Settings;

/// Memory that work may take.
#[derive(Debug, Clone, Copy, Default)]
pub enum Memory {
    /// Nobody has said it, and nothing is known of the machine. Everything is tried.
    #[default]
    Unknown,
    /// What the user allows.
    Allowed(DataSize),
    /// What the machine has left when the work begins. `None`: it does not tell.
    Left(fn() -> Option<DataSize>),
}

/// How a request says how much memory work may take.
#[derive(Debug, Clone, Copy)]
enum Said {
    /// By the setting of a design.
    Setting,
    /// By an option of its own.
    Option,
}

impl Memory {
    /// What settings allow. [`Memory::Unknown`] if they do not say it.
    ///
    /// # Errors
    /// [`InputError`] if the value is no amount of data.
    pub fn read(settings: &Settings) -> Result<Self, InputError> {
        Ok(settings.get(&MEMORY)?.map_or(Self::Unknown, Self::Allowed))
    }

    /// This, or `other` if nothing is known.
    #[must_use]
    pub fn or(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Unknown => other(),
            known => known,
        }
    }

    /// Refuses work on a design that needs more. `work` is the subject of a sentence, such as "the plan".
    ///
    /// # Errors
    /// [`InputError`] with the estimate, what there is, and the setting to change.
    pub fn check(
        self,
        settings: &Settings,
        work: &str,
        needed: DataSize,
    ) -> Result<(), InputError> {
        match self.refusal(work, needed, Said::Setting) {
            Some(message) => Err(settings.refuse_mentioning(&MEMORY, message)),
            None => Ok(()),
        }
    }

    /// Refuses work that no design has, as [`Self::check`] does.
    ///
    /// # Errors
    /// [`InputError`] with the estimate, what there is, and the option to change.
    pub fn check_option(self, work: &str, needed: DataSize) -> Result<(), InputError> {
        match self.refusal(work, needed, Said::Option) {
            Some(message) => Err(InputError::mentioning(message).in_option("memory")),
            None => Ok(()),
        }
    }

    fn refusal(self, work: &str, needed: DataSize, said: Said) -> Option<Message> {
        let (there, has) = match self {
            Self::Unknown => return None,
            Self::Allowed(most) => (most, format!("{most} is allowed")),
            Self::Left(left) => {
                let left = left()?;
                (left, format!("the machine has {} left", rounded(left)))
            }
        };
        if needed <= there {
            return None;
        }
        let enough = rounded(needed);
        let message = Message::new(format!("{work} needs about {enough} of memory, and {has}"));
        let message = message.text("; ask for something smaller, or allow it with ");
        // Without a blank, so that a shell needs no quotes.
        let example = Some(enough.to_string().replace(' ', ""));
        Some(match said {
            Said::Setting => message.setting(&MEMORY, example),
            Said::Option => message.option("memory", example),
        })
    }
}

/// An amount with two digits, rounded up.
fn rounded(amount: DataSize) -> DataSize {
    let bytes = amount.as_bytes();
    let digits = bytes.checked_ilog10().unwrap_or(0);
    let step = 10_u64.pow(digits.saturating_sub(1));
    DataSize::from_bytes(bytes.div_ceil(step).saturating_mul(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_figure_and_what_to_change() {
        let size = |text: &str| text.parse::<DataSize>().unwrap();
        let told = |memory: Memory| {
            let settings = Settings::default();
            memory.check(&settings, "the plan", size("1234567890 B")).map_err(|e| e.to_string())
        };
        let allowed = told(Memory::Allowed(size("1 GB"))).unwrap_err();
        let expected = "--memory: the plan needs about 1.3 GB of memory, and 1 GB is allowed; \
                        ask for something smaller, or allow it with --memory 1.3GB";
        assert_eq!(allowed, expected);
        let left = told(Memory::Left(|| Some(DataSize::from_bytes(999_000_000)))).unwrap_err();
        assert!(left.contains("the machine has 1 GB left"), "{left}");
        assert_eq!(told(Memory::Allowed(size("1.3GB"))), Ok(()));
        for unknown in [Memory::Unknown, Memory::Left(|| None)] {
            assert_eq!(told(unknown), Ok(()));
        }
    }
}
