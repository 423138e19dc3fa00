//! Reading users' files without being hurt by them.
//!
//! The one home of encodings (`files`), of lines, and of tables: their separators (`dialect`), their numbers
//! (`numbers`) and their columns (`table`).

mod dialect;
mod files;
mod lines;
mod numbers;
mod table;

pub use files::{from_disk, read, read_up_to};
pub use lines::line_at;
pub use numbers::{Numbers, UnitMark, rounded_to_um, unit_off};
pub use table::{Column, Record, Table, column, fold};
