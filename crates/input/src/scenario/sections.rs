//! Rows of sections from the rows of a file.

use lightloom_request::{InputError, Said};
use lightloom_scenario::said::{Kind, Row as SaidRow, Section, Source};

use crate::rows::Row;
use crate::scenario::placed::placed;

impl Source for Row<'_> {
    fn said(&self, field: &'static str) -> Option<Said<'_>> {
        Row::said(self, field)
    }

    fn refuse(&self, field: &'static str, message: String) -> InputError {
        Row::refuse(self, field, message)
    }
}

/// Reads a row of a section. Refuses fields that its section does not have, or not with its kind of network or pattern.
pub(super) fn read<R: SaidRow>(row: &Row<'_>) -> Result<R, InputError> {
    row.only_these(&known(row, &R::SECTION)?)?;
    R::read(row)
}

/// The names of the fields that a row may have.
fn known(row: &Row<'_>, section: &Section) -> Result<Vec<&'static str>, InputError> {
    let Some(field) = section.chosen_by() else { return Ok(section.names()) };
    let Kind::Word(words) = field.kind else { return Ok(section.names()) };
    let words: Vec<(&str, &str)> = words.iter().map(|&word| (word, word)).collect();
    let word = row.choice(field.name, &words)?;
    Ok(word.map_or_else(|| section.names(), |word| section.names_of(word)))
}

/// Reads a section that is no list. `None`: there is no such section.
pub(super) fn only<R: SaidRow>(root: &Row<'_>) -> Result<Option<R>, InputError> {
    let name = R::SECTION.name;
    root.table(name, name)?.map(|row| read(&row)).transpose()
}

/// Reads the rows of a list, and does something with each.
pub(super) fn each<R: SaidRow>(
    root: &Row<'_>,
    mut call: impl FnMut(&R) -> Result<(), InputError>,
) -> Result<(), InputError> {
    for row in root.tables(R::SECTION.name)? {
        call(&read(&row)?).map_err(|error| placed(root, error))?;
    }
    Ok(())
}
