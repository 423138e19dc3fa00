//! Typed quantities: a number never travels without its unit.
//!
//! Here live the quantities themselves, their arithmetic, and the text in which people write them
//! (`"1.5 us"`, `"12.5 m"`, `"-8.4 dBm"`), which is also what serde sees. Time, rate, size, length,
//! power and money are integers, read from and written to decimal text exactly; only optical
//! levels are floating point. Nothing here knows a fabric, a component or a file format.

pub mod attenuation;
pub mod data;
pub mod length;
pub mod money;
pub mod optical;
pub mod parse;
pub mod power;
pub mod rate;
pub mod time;
pub mod wavelength;
pub mod words;

mod print;
mod serde_text;

pub use attenuation::Attenuation;
pub use data::DataSize;
pub use length::Length;
pub use money::{Currency, Money, MoneyError};
pub use optical::{Db, Dbm, NotFinite};
pub use parse::ParseError;
pub use power::Power;
pub use rate::BitRate;
pub use time::{Instant, Span};
pub use wavelength::Wavelength;
