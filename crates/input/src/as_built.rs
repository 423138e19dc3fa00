//! Reads what crews return: a sheet with a row for each cable that is otherwise than planned, or that was measured.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use lightloom_design::optics::DesignOptics;
use lightloom_plan::acceptance::branches;
use lightloom_plan::as_built::index::Index;
use lightloom_plan::as_built::marks::{AsBuilt, Mark, Measured};
use lightloom_plan::as_built::resolve::MarkFault;
use lightloom_plant::end_labels::port_label;
use lightloom_plant::{CableEnd, Plant};
use lightloom_power_cost::Spread;
use lightloom_request::{Complaints, InputError, Texts};
use lightloom_units::{Db, Length};

use crate::text::{Column, Numbers, Record, Table, column};

/// Columns that crews fill in, and columns of the form that are compared or only read by people.
const COLUMNS: [Column; 11] = [
    column("label"),
    column("near_at"),
    column("far_at"),
    column("length_m"),
    column("measured_db"),
    column("note"),
    column("near_label"),
    column("far_label"),
    column("stock_m"),
    column("least_db"),
    column("most_db"),
];

/// A returned sheet.
#[derive(Debug, Clone)]
pub struct Returned {
    /// What it tells, in the order of its rows.
    pub told: AsBuilt,
    file: PathBuf,
    /// The line of each mark.
    lines: Vec<u64>,
    /// Cells that the form fills in.
    shown: Vec<Shown>,
}

/// A cell that the form fills in, and that crews leave as it is.
#[derive(Debug, Clone)]
struct Shown {
    line: u64,
    label: String,
    column: &'static str,
    /// The cell. A number has a decimal point.
    cell: String,
}

/// The columns of numbers.
const NUMBERS: [&str; 5] = ["length_m", "measured_db", "stock_m", "least_db", "most_db"];
/// The columns that the form fills in.
const SHOWN: [&str; 5] = ["near_label", "far_label", "stock_m", "least_db", "most_db"];

/// Reads a returned sheet.
///
/// # Errors
/// [`InputError`] if the file is no such sheet, at the first wrong cells.
pub fn read(file: &Path, texts: &Texts) -> Result<Returned, InputError> {
    let table = Table::read(file, texts, &COLUMNS)?;
    table.require(file, &["label"])?;
    let known = |name: &str| COLUMNS.iter().any(|column| column.name == name);
    if let Some((_, title)) = table.columns().find(|(name, _)| !known(name)) {
        let names: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
        let message = format!(
            "found a column {title:?}; the columns are {}, and remarks belong into note",
            names.join(", ")
        );
        return Err(table.at_header(file, message));
    }
    let numbers = Numbers::of(&table, table.records(file), &NUMBERS)?;
    let mut complaints = Complaints::default();
    let mut returned = Returned {
        told: AsBuilt::default(),
        file: file.to_owned(),
        lines: Vec::new(),
        shown: Vec::new(),
    };
    for record in table.records(file) {
        let Some(mark) = complaints.take(mark(&record, numbers)) else { continue };
        for column in SHOWN.into_iter().filter(|column| !record.cell(column).is_empty()) {
            let cell = record.cell(column);
            let plain = match NUMBERS.contains(&column) {
                true => complaints.take(numbers.plain(&record, column, cell)),
                false => Some(cell.into()),
            };
            let (line, label) = (record.line(), mark.label.clone());
            let shown = |cell: Cow<'_, str>| Shown { line, label, column, cell: cell.into_owned() };
            returned.shown.extend(plain.map(shown));
        }
        if !mark.is_empty() {
            returned.told.marks.push(mark);
            returned.lines.push(record.line());
        }
    }
    complaints.end()?;
    if returned.told.is_empty() {
        let message =
            "tells nothing; fill in measured_db, length_m, near_at, far_at or note of a row";
        return Err(InputError::new(message).in_file(file));
    }
    Ok(returned)
}

fn mark(record: &Record<'_>, numbers: Numbers) -> Result<Mark, InputError> {
    let label = record.cell("label");
    if label.is_empty() {
        return Err(record.refuse("label", "is empty; name the cable"));
    }
    let text =
        |column: &str| Some(record.cell(column)).filter(|cell| !cell.is_empty()).map(str::to_owned);
    let length = match text("length_m") {
        None => None,
        Some(cell) => {
            let plain = numbers.plain(record, "length_m", &cell)?;
            let length = Length::parse_metres(&plain);
            Some(length.map_err(|_| {
                record.refuse("length_m", format!("found {cell:?}; give metres, as in 12.5"))
            })?)
        }
    };
    let measured = match text("measured_db") {
        None => None,
        Some(cell) => {
            let plain = numbers.plain(record, "measured_db", &cell)?;
            let measured = Measured::from_str(&plain);
            Some(measured.map_err(|message| record.refuse("measured_db", message))?)
        }
    };
    let note = text("note");
    if note.as_ref().is_some_and(|note| note.chars().any(char::is_control)) {
        return Err(
            record.refuse("note", "has a line break or another control character; write one line")
        );
    }
    Ok(Mark {
        label: label.to_owned(),
        near_at: text("near_at"),
        far_at: text("far_at"),
        length,
        measured,
        note,
    })
}

impl Returned {
    /// Puts the error of a mark in its place.
    pub fn place(&self, fault: &MarkFault) -> InputError {
        let column = match fault.column {
            "length" => "length_m",
            "measured" => "measured_db",
            column => column,
        };
        let line = self.lines.get(fault.mark).copied().unwrap_or(1);
        InputError::new(&fault.message).in_file(&self.file).at_line(line).in_field(column)
    }

    /// Whether the cells that the form fills in are those of this plan.
    ///
    /// # Errors
    /// [`InputError`] with the first cell that is not.
    pub fn is_of(&self, plant: &Plant, optics: Option<&DesignOptics>) -> Result<(), InputError> {
        let index = Index::new(plant);
        let mut limits = BTreeMap::new();
        if self.shown.iter().any(|shown| shown.column.ends_with("_db")) {
            limits.extend(branches(plant, optics).map(|found| (found.branch.0, found.limits)));
        }
        for Shown { line, label, column, cell } in &self.shown {
            let port = |end| {
                let plug = index.plugs(label, end)?.first().copied()?;
                Some(port_label(plant, plant.socket(plug)))
            };
            let limit = |of: fn(&Spread) -> Db| {
                let limits = limits.get(&index.branch(label)?)?.as_ref()?;
                Some(format!("{:.2}", of(&limits.loss).get()))
            };
            let planned = match *column {
                "near_label" => port(CableEnd::Near),
                "far_label" => port(CableEnd::Far),
                "least_db" => limit(|loss| loss.least),
                "most_db" => limit(|loss| loss.most),
                _ => index.cable(label).map(|id| plant.cable(id).stock.to_metres_string()),
            };
            if index.plugs(label, CableEnd::Near).is_none() {
                // A label that no cable has is refused with its mark.
                continue;
            }
            let planned = planned.unwrap_or_default();
            let number = |text: &str| text.parse::<f64>().ok();
            let same = match NUMBERS.contains(column) {
                true => number(cell).is_some() && number(cell) == number(&planned),
                false => planned == *cell,
            };
            if !same {
                let message = format!(
                    "found {cell:?}, and the plan says {planned:?}. Either the sheet is of another plan, or somebody \
                     changed this cell: other sockets belong into near_at and far_at, lengths into length_m, and \
                     losses into measured_db"
                );
                let error = InputError::new(message).in_file(&self.file).at_line(*line);
                return Err(error.in_field(*column));
            }
        }
        Ok(())
    }
}
