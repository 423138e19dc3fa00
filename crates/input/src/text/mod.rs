//! Reads users' text files safely.
//!
//! Encodings and sizes are in `files`, lines in `lines`. Tables are in `dialect` (separators), `numbers` and
//! `table` (columns). The meaning of a table is not known here.

mod dialect;
mod files;
mod lines;
mod numbers;
mod table;

pub use files::{beside, bytes_up_to, head, read, read_up_to, read_up_to_setting, size_on_disk};
pub use lines::line_at;
pub use numbers::{Numbers, UnitMark, rounded_to_um, unit_off};
pub use table::{Column, Record, Table, column, fold};
