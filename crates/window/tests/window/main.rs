//! Tests of the window. They drive the panels by their accessible names, without a display.

mod again;
mod arrivals;
mod contrast;
mod drawn;
mod drive;
mod exports;
mod fibres;
mod files;
mod growth;
mod lists;
mod numbers;
mod palette;
mod panels;
mod present;
mod questions;
mod reached;
mod scenario;
mod shell;
mod theirs;
mod told;
mod twin;
mod typed;
mod views;
mod words;
mod xml;
