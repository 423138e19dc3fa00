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
pub mod unknown;
mod words;

pub use error::{Complaints, Error, Field, InputError};
pub use folder::{Files, FolderError};
pub use key::{Key, Setting, SettingValue, Takes, of, read_option};
pub use message::Message;
pub use settings::{Request, Settings, Value};
pub use texts::Texts;
pub use words::{Flags, Words};

pub use lightloom_watch::Stopped;

/// The most threads that can be asked for.
pub const MOST_THREADS: usize = 256;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
