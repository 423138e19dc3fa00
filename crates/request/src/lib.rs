//! What is asked: settings and where each was said, refusals with their place, options of questions.
//!
//! This crate reads no file and computes nothing. A setting is declared once, in [`settings::KEYS`].

mod error;
pub mod settings;
pub mod spelling;
mod takes;
mod texts;

pub use error::{Complaints, Error, FolderError, InputError};
pub use lightloom_watch::{Progress, Stopped, quiet};
pub use settings::{Request, Settings, Value, unknown_key};
pub use takes::{Takes, of};
pub use texts::Texts;
