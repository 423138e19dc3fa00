//! Checks of plans after they were written: today from the files of a plan folder alone.
//!
//! What was built is compared with what was planned. Files are read through `input`, and plans are made
//! again by `plan`. Nothing here changes a plan or writes a file.

mod agreement;
mod class;
mod faults;
mod folder;
mod labels;
mod rules;
mod switches;

pub use agreement::check_agreement;
pub use class::read_class;
pub use folder::{Examined, VerifyReport, examine_texts, verify_texts};
#[cfg(feature = "folders")]
pub use folder::{examine_folder, verify_folder};
pub use switches::{ReadBackOptions, SwitchesReport, verify_switches};

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
