//! What every switch must be told, in no dialect: two stages of matches.
//!
//! The first stage says by receive port and source what becomes of a copy: its [`Kind`]. The second stage says by kind
//! and group where copies go. Both stages in one table would have as many entries as relays times groups.
//!
//! A source is a ToR. Its servers carry its *code* in their addresses ([`Codes`]). An entry of the first stage is a
//! ternary match on that code, so that few entries can stand for many sources.

mod codes;
mod cover;
mod roots;
mod table;
mod ternary;

pub use codes::Codes;
pub use cover::{Cover, cover};
pub use roots::rooted;
pub use table::{Entry, Kind, Matching, Purpose, SwitchTable, Told, Wrong};
pub use ternary::Ternary;
