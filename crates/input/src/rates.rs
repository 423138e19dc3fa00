//! Reads a file of failure rates: a section for each kind of part, and the time of a recovery.

use std::path::Path;

use lightloom_design::rates::{PartKind, Rate, Rates};
use lightloom_request::{InputError, Texts};
use lightloom_units::{FailureRate, RepairTime, Span};

use crate::rows::{Document, Row};
use crate::text;

/// The section with the time of a recovery.
const RECOVERY: &str = "recovery";

/// Reads the failure rates of a file.
///
/// # Errors
/// [`InputError`] with file, line and field if the file cannot be read, names a kind of part that there is not, or has
/// a rate that cannot be.
pub fn read(texts: &Texts, file: &Path) -> Result<Rates, InputError> {
    let content = text::read_up_to(texts, file, 1 << 20)?;
    let document = Document::parse(file, &content)?;
    let mut rates = Rates::default();
    for row in document.rows(|_| true)? {
        if row.section == RECOVERY {
            row.only(&["time"])?;
            let time: Span = row.required("time", "\"600 ms\"")?;
            if time > Span::from_s(24 * 3_600) {
                return Err(row.refuse("time", format!("found {time}; expected at most a day")));
            }
            rates.recovery = Some(time);
            continue;
        }
        let Some(kind) = PartKind::named(row.section) else {
            let message = format!(
                "is no kind of part; expected one of {}, {RECOVERY}",
                PartKind::names().join(", ")
            );
            return Err(row.refuse("", message));
        };
        rates.by_kind.insert(kind, rate(&row)?);
    }
    Ok(rates)
}

fn rate(row: &Row<'_>) -> Result<Rate, InputError> {
    row.only(&["rate", "repair", "source", "date"])?;
    let rate: FailureRate = row.required("rate", "\"150 FIT\"")?;
    if rate > FailureRate::HIGHEST {
        let message = format!("found {rate}; expected at most {}", FailureRate::HIGHEST);
        return Err(row.refuse("rate", message));
    }
    let repair: RepairTime = row.required("repair", "\"4 h\"")?;
    if repair > RepairTime::LONGEST {
        return Err(row.refuse("repair", format!("found {repair}; expected at most ten years")));
    }
    let provenance = row.provenance()?;
    Ok(Rate { rate, repair, source: format!("{} ({})", provenance.source, provenance.date) })
}
