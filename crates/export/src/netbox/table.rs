//! CSV that NetBox imports.

use csv::{QuoteStyle, Writer, WriterBuilder};

use crate::netbox::options::NetboxOptions;

/// A CSV file in memory. Every cell is quoted, so that a name is never anything but a name. Cells are not changed:
/// NetBox must find each name as it is. Names that a spreadsheet would evaluate are refused before.
pub(super) struct Table {
    writer: Writer<Vec<u8>>,
    /// Cells at the end of each row.
    ending: Vec<String>,
}

impl Table {
    pub fn new(header: &[&str]) -> Self {
        let writer = WriterBuilder::new().quote_style(QuoteStyle::Always).from_writer(Vec::new());
        let mut table = Self { writer, ending: Vec::new() };
        table.row(header);
        table
    }

    /// A table with a last column for the location, if there is one. Versions of NetBox differ in what an empty
    /// location means.
    pub fn located(header: &[&str], options: &NetboxOptions) -> Self {
        match &options.location {
            None => Self::new(header),
            Some(location) => {
                let mut table = Self::new(&[header, &["location"]].concat());
                table.ending.push(location.clone());
                table
            }
        }
    }

    /// Adds a row. All rows have the cells of the header.
    pub fn row(&mut self, cells: &[&str]) {
        let ending = self.ending.iter().map(String::as_str);
        // All rows have the same length, and memory accepts all bytes.
        self.writer
            .write_record(cells.iter().copied().chain(ending))
            .expect("writing CSV to memory does not fail");
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.writer.into_inner().expect("flushing CSV to memory does not fail")
    }
}
