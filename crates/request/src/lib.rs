//! Requests as data: settings with the line of each value, options of requests, and errors with their place.
//!
//! Each setting of a design is declared once, in [`setting`].
//!
//! This crate reads no files and computes nothing. It does not know flags or Python keywords beyond
//! `Words`.

pub mod choices;
mod error;
mod folder;
pub mod given;
pub mod key;
mod memory;
mod message;
mod said;
mod sections;
pub mod setting;
mod settings;
pub mod spelling;
mod texts;
mod typed;
pub mod unknown;
mod value;
mod words;

pub use error::{At, Complaints, Error, Field, InputError};
pub use folder::{Files, FolderError};
pub use given::Given;
pub use key::{Key, Takes, of};
pub use memory::Memory;
pub use message::Message;
pub use said::Said;
pub use settings::{Request, Settings};
pub use texts::Texts;
pub use typed::{Setting, SettingValue, read_option};
pub use value::Value;
pub use words::{Flags, Words};

pub use lightloom_watch::Stopped;

/// Largest number of threads that a request may ask for.
pub const MOST_THREADS: usize = 256;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
