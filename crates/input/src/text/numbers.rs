//! Reads numbers as spreadsheets write them: with a decimal comma, as `3.0`, as 3.5999999999999996.

use std::borrow::Cow;

use lightloom_request::InputError;

use crate::text::table::{Record, Table};

/// A decimal mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Point,
    Comma,
}

/// What a cell shows about the decimal mark of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Evidence {
    /// No mark, or no number at all.
    None,
    /// Decimals.
    Decimals(Mark),
    /// One to three digits, a mark, three digits: either decimals or a thousands separator.
    Doubtful(Mark),
    /// Several marks: grouped digits.
    Groups,
}

/// Reads the numbers of a table. All have the same decimal mark.
#[derive(Debug, Clone, Copy)]
pub struct Numbers {
    /// `None`: no cell shows the mark.
    mark: Option<Mark>,
}

impl Numbers {
    /// Finds the decimal mark from cells whose decimals cannot be thousands. If no cell shows a mark in a
    /// table with commas, the mark is the point.
    ///
    /// # Errors
    /// [`InputError`] if cells show both marks.
    pub fn of<'a>(
        table: &Table,
        records: impl Iterator<Item = Record<'a>>,
        columns: &[&str],
    ) -> Result<Self, InputError> {
        let mut first: Option<(Mark, &str, u64)> = None;
        for record in records {
            for column in columns {
                let cell = record.cell(column);
                let Evidence::Decimals(mark) = evidence(unit_off(cell).0) else { continue };
                match first {
                    None => first = Some((mark, cell, record.line())),
                    Some((other, seen, line)) if other != mark => {
                        let message = format!(
                            "found {cell:?}, but line {line} has {seen:?}; write all numbers of the file \
                             with a decimal point, or all with a decimal comma"
                        );
                        return Err(record.refuse(column, message));
                    }
                    Some(_) => {}
                }
            }
        }
        let usual = table.has_commas().then_some(Mark::Point);
        Ok(Self { mark: first.map(|(mark, ..)| mark).or(usual) })
    }

    /// The cell with a decimal point. A cell that is not a number is returned unchanged.
    pub fn plain<'a>(
        self,
        record: &Record<'_>,
        column: &str,
        cell: &'a str,
    ) -> Result<Cow<'a, str>, InputError> {
        let grouped = |why: &str| {
            let message =
                format!("found {cell:?}, {why}; write it without groups, with a decimal point");
            Err(record.refuse(column, message))
        };
        match (evidence(cell), self.mark) {
            (Evidence::Groups, _) => grouped("whose digits are in groups"),
            (Evidence::Doubtful(found), Some(mark)) if found != mark => {
                grouped("whose digits are in groups, by the other numbers of the file")
            }
            (Evidence::Doubtful(_), None) => {
                grouped("which may be a thousand and more or have three decimals")
            }
            (Evidence::Decimals(Mark::Comma) | Evidence::Doubtful(Mark::Comma), _) => {
                Ok(Cow::Owned(cell.replace(',', ".")))
            }
            _ => Ok(Cow::Borrowed(cell)),
        }
    }

    /// A whole number. `3.0` is accepted.
    pub fn whole<T: std::str::FromStr>(
        self,
        record: &Record<'_>,
        column: &str,
        cell: &str,
        expected: &str,
    ) -> Result<T, InputError> {
        let plain = self.plain(record, column, cell)?;
        let whole = match plain.split_once('.') {
            Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|b| b == b'0') => whole,
            _ => &plain,
        };
        whole.parse().map_err(|_| {
            let found = record.cell(column);
            record.refuse(column, format!("found {found:?}; expected {expected}"))
        })
    }
}

fn evidence(cell: &str) -> Evidence {
    let is_mark = |b: &u8| matches!(b, b'.' | b',');
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let marks = cell.bytes().filter(|b| is_mark(b)).count();
    if marks > 1 && cell.split(['.', ',']).all(digits) {
        return Evidence::Groups;
    }
    let Some((whole, decimals)) = cell.split_once(['.', ',']) else { return Evidence::None };
    if !digits(whole) || !digits(decimals) {
        return Evidence::None;
    }
    let mark = if cell.contains(',') { Mark::Comma } else { Mark::Point };
    if decimals.len() == 3 && whole.len() <= 3 && !whole.starts_with('0') {
        Evidence::Doubtful(mark)
    } else {
        Evidence::Decimals(mark)
    }
}

/// The cell without U or RU, and the position of that mark.
pub fn unit_off(cell: &str) -> (&str, Option<UnitMark>) {
    let number = |rest: &str| rest.trim().starts_with(|c: char| c.is_ascii_digit());
    for name in ["RU", "U"] {
        if let Some((first, rest)) = cut(cell, name.len())
            && first.eq_ignore_ascii_case(name)
            && number(rest)
        {
            return (rest, Some(UnitMark::Before));
        }
        if let Some((rest, last)) = cell.len().checked_sub(name.len()).and_then(|at| cut(cell, at))
            && last.eq_ignore_ascii_case(name)
            && number(rest)
        {
            return (rest, Some(UnitMark::After));
        }
    }
    (cell, None)
}

fn cut(text: &str, at: usize) -> Option<(&str, &str)> {
    text.split_at_checked(at).map(|(a, b)| (a.trim(), b.trim()))
}

/// Position of the mark of a rack unit. `U42` is a place in a rack; `42U` is a place or a height.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitMark {
    /// Before the number, as in `U42`.
    Before,
    /// After the number, as in `42U`.
    After,
}

/// Rounds a number of metres to the micrometre if it is within 10⁻⁹ m of one. This removes the rounding
/// errors of a spreadsheet's binary numbers. Other texts are returned unchanged.
pub fn rounded_to_um(number: &str) -> Cow<'_, str> {
    let Some((whole, decimals)) = number.split_once('.') else { return Cow::Borrowed(number) };
    let Some((kept, rest)) = decimals.split_at_checked(6) else { return Cow::Borrowed(number) };
    if !rest.bytes().chain(kept.bytes()).all(|b| b.is_ascii_digit()) {
        return Cow::Borrowed(number);
    }
    let um = || format!("{whole}{kept}").parse::<u64>().ok()?.checked_add(1);
    match rest.get(..3) {
        Some("000") => Cow::Owned(format!("{whole}.{kept}")),
        Some("999") => um().map_or(Cow::Borrowed(number), |um| {
            Cow::Owned(format!("{}.{:06}", um / 1_000_000, um % 1_000_000))
        }),
        _ => Cow::Borrowed(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_cannot_be_thousands_shows_the_mark() {
        for (cell, found) in [
            ("3", Evidence::None),
            ("x.5", Evidence::None),
            ("1e3", Evidence::None),
            ("3.", Evidence::None),
            ("1.5", Evidence::Decimals(Mark::Point)),
            ("0,600", Evidence::Decimals(Mark::Comma)),
            ("1234,567", Evidence::Decimals(Mark::Comma)),
            ("1.234", Evidence::Doubtful(Mark::Point)),
            ("12,000", Evidence::Doubtful(Mark::Comma)),
            ("1.234,5", Evidence::Groups),
            ("1,234,567", Evidence::Groups),
        ] {
            assert_eq!(evidence(cell), found, "{cell}");
        }
    }

    #[test]
    fn rounding_is_to_the_micrometre_and_within_a_nanometre() {
        for (text, rounded) in [
            ("3.5999999999999996", "3.600000"),
            ("0.30000000000000004", "0.300000"),
            ("0.9999999999999999", "1.000000"),
            ("1.0000001", "1.0000001"),
            ("1.0000019", "1.0000019"),
            ("2.7", "2.7"),
            ("x.0000000000", "x.000000"),
            ("1.23456é9999", "1.23456é9999"),
        ] {
            assert_eq!(rounded_to_um(text), rounded, "{text}");
        }
    }

    #[test]
    fn units_are_taken_off_numbers_only() {
        assert_eq!(unit_off("U42"), ("42", Some(UnitMark::Before)));
        assert_eq!(unit_off("47 u"), ("47", Some(UnitMark::After)));
        assert_eq!(unit_off("48RU"), ("48", Some(UnitMark::After)));
        for text in ["U", "", "ü", "42", "UR", "tall U", "µU"] {
            assert_eq!(unit_off(text).0, text);
        }
    }
}
