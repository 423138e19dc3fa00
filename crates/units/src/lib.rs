//! Typed quantities: every number has its unit.
//!
//! This crate has the quantities, their arithmetic, and their text form (`"1.5 us"`, `"12.5 m"`,
//! `"-8.4 dBm"`), which serde uses too. Time, rate, size, length, power and money are integers.
//! They are read from and written to decimal text exactly. Only optical levels are floating point.
//! This crate has no fabric, component or file format. [`text`] shows text that came from outside.

pub mod attenuation;
pub mod data;
pub mod length;
pub mod money;
pub mod optical;
pub mod parse;
pub mod percent;
pub mod power;
pub mod rate;
pub mod reliability;
pub mod text;
pub mod time;
pub mod wavelength;
pub mod words;

mod print;
mod serde_text;
mod speed;

pub use attenuation::Attenuation;
pub use data::DataSize;
pub use length::Length;
pub use money::{Currency, Money, MoneyError};
pub use optical::{Db, Dbm, NotFinite};
pub use parse::ParseError;
pub use percent::Percent;
pub use power::Power;
pub use rate::BitRate;
pub use reliability::{FailureRate, RepairTime};
pub use speed::Speed;
pub use time::{Instant, Span};
pub use wavelength::Wavelength;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
