//! What is asked: settings and where each was said, refusals with their place, options of questions.
//!
//! This crate reads no file and computes nothing. A setting is declared once, in [`settings::KEYS`].

mod error;
mod folder;
pub mod settings;
pub mod spelling;
mod takes;
mod texts;

pub use error::{Complaints, Error, InputError};
pub use folder::{Files, FolderError};
/// The most threads that can be asked for.
pub const MOST_THREADS: usize = 256;

pub use lightloom_watch::{Progress, Stopped, quiet};
pub use settings::{Request, Settings, Value, unknown_key};
pub use takes::{Takes, of};
pub use texts::Texts;
