//! Tests of the window. They drive the panels by their accessible names, without a display.

mod drive;
mod files;
mod numbers;
mod panels;
mod twin;
