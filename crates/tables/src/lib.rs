//! Tables that leave the program: sheets of text whose cells no spreadsheet evaluates, and tables for people.
//!
//! What the columns of a table are is decided by who writes it.

pub mod sheet;
pub mod shown;
pub mod table;
