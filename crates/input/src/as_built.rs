//! Reads what crews return: a sheet with a row for each cable that is otherwise than planned, or that was measured.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lightloom_plan::as_built::index::Index;
use lightloom_plan::as_built::marks::{AsBuilt, Mark, Measured};
use lightloom_plan::as_built::resolve::MarkFault;
use lightloom_plan::end_labels::port_label;
use lightloom_plant::{CableEnd, Plant};
use lightloom_request::{Complaints, InputError, Texts};
use lightloom_units::Length;

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
    /// Labels of ports in the form.
    ports: Vec<PortLabel>,
}

/// A label of a port in the form.
#[derive(Debug, Clone)]
struct PortLabel {
    line: u64,
    label: String,
    end: CableEnd,
    port: String,
}

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
    let numbers = Numbers::of(&table, table.records(file), &["length_m", "measured_db"])?;
    let mut complaints = Complaints::default();
    let mut returned = Returned {
        told: AsBuilt::default(),
        file: file.to_owned(),
        lines: Vec::new(),
        ports: Vec::new(),
    };
    for record in table.records(file) {
        let Some(mark) = complaints.take(mark(&record, numbers)) else { continue };
        for (end, column) in [(CableEnd::Near, "near_label"), (CableEnd::Far, "far_label")] {
            let port = record.cell(column);
            if !port.is_empty() {
                let (label, port) = (mark.label.clone(), port.to_owned());
                returned.ports.push(PortLabel { line: record.line(), label, end, port });
            }
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

    /// Whether the labels of ports in the form are those of this plan.
    ///
    /// # Errors
    /// [`InputError`] with the first label that is not.
    pub fn is_of(&self, plant: &Plant<'_>) -> Result<(), InputError> {
        let index = Index::new(plant);
        for PortLabel { line, label, end, port } in &self.ports {
            let plug = index.plugs(label, *end).and_then(|plugs| plugs.first().copied());
            // A label that no cable has is refused with its mark.
            let Some(plug) = plug else { continue };
            let planned = port_label(plant, plant.socket(plug));
            if planned != *port {
                let column = if *end == CableEnd::Near { "near_label" } else { "far_label" };
                let message = format!(
                    "found {port:?}, and the plan says {planned:?}; the sheet is of another plan. If the plug sits \
                     elsewhere, say so in near_at or far_at"
                );
                return Err(InputError::new(message)
                    .in_file(&self.file)
                    .at_line(*line)
                    .in_field(column));
            }
        }
        Ok(())
    }
}
