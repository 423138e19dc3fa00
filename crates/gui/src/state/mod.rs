//! What the window knows: the design with its past, the answers about it, and how they are looked at.
//!
//! Nothing here draws, and nothing here computes what the door computes.

pub mod answers;
mod asking;
mod building;
pub mod draft;
pub mod file;
pub mod history;
pub mod looks;
mod model;
mod open_save;
pub mod playback;
pub mod questions;
pub mod unsaved;
pub mod work;

pub use model::State;
