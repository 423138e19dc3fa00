//! CSV that NetBox imports.

use csv::{QuoteStyle, Writer, WriterBuilder};

/// A CSV file in memory. Every cell is quoted, so that a name is never anything but a name. Cells are not changed:
/// NetBox must find each name as it is. Names that a spreadsheet would evaluate are refused before.
pub(super) struct Table {
    writer: Writer<Vec<u8>>,
}

impl Table {
    pub fn new(header: &[&str]) -> Self {
        let writer = WriterBuilder::new().quote_style(QuoteStyle::Always).from_writer(Vec::new());
        let mut table = Self { writer };
        table.row(header);
        table
    }

    /// Adds a row. All rows have the cells of the header.
    pub fn row<T: AsRef<[u8]>>(&mut self, cells: &[T]) {
        // All rows have the same length, and memory accepts all bytes.
        self.writer.write_record(cells).expect("writing CSV to memory does not fail");
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.writer.into_inner().expect("flushing CSV to memory does not fail")
    }
}
