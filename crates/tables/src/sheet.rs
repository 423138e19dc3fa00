//! CSV that spreadsheets open as data, not as formulas.

use std::borrow::Cow;

use lightloom_units::text::FORMULA_STARTS;

/// A CSV file in memory.
pub struct Sheet {
    writer: csv::Writer<Vec<u8>>,
}

impl Sheet {
    /// With a header.
    pub fn new<'a>(header: impl IntoIterator<Item = &'a str>) -> Self {
        let mut sheet = Self { writer: csv::Writer::from_writer(Vec::new()) };
        sheet.row(header.into_iter().map(Cow::Borrowed));
        sheet
    }

    /// Adds a row. Cells that a spreadsheet would evaluate are neutralised.
    pub fn row<'a>(&mut self, cells: impl IntoIterator<Item = Cow<'a, str>>) {
        let cells = cells.into_iter().map(|cell| neutralised(&cell).into_owned());
        // All rows have the same length, and memory accepts all bytes.
        self.writer.write_record(cells).expect("writing CSV to memory does not fail");
    }

    /// The bytes of the file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.writer.into_inner().expect("flushing CSV to memory does not fail")
    }
}

/// Neutralises a cell. A cell that starts with `=`, `+`, `-`, `@` or a full-width form of them would be a
/// formula, so it gets an apostrophe in front (OWASP, CSV injection).
pub fn neutralised(cell: &str) -> Cow<'_, str> {
    if cell.starts_with(FORMULA_STARTS) {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}
