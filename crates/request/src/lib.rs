//! What is asked: settings and where each was said, refusals with their place, options of questions.
//!
//! This crate reads no file and computes nothing. A setting is declared once, in [`setting`].

pub mod choices;
mod error;
mod folder;
pub mod key;
mod message;
pub mod scenario;
pub mod setting;
mod settings;
pub mod spelling;
mod texts;
mod typed;
pub mod unknown;
mod value;
mod words;

pub use error::{Complaints, Error, Field, InputError};
pub use folder::{Files, FolderError};
pub use key::{Key, Takes, of};
pub use message::Message;
pub use settings::{Request, Settings};
pub use texts::Texts;
pub use typed::{Setting, SettingValue, read_option};
pub use value::Value;
pub use words::{Flags, Words};

pub use lightloom_watch::Stopped;

/// The most threads that can be asked for.
pub const MOST_THREADS: usize = 256;
