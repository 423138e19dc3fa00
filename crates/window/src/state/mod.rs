//! What the window knows: the design with its past, the answers about it, and how they are looked at.
//!
//! Nothing here draws, and nothing here computes what the door computes.

pub mod answers;
pub(crate) mod aside;
pub mod asked;
pub mod asking;
pub mod asks;
mod building;
pub mod built;
mod built_apply;
pub mod cables;
pub mod checks;
mod checks_apply;
mod current;
pub mod difference;
pub mod draft;
mod export_apply;
pub mod exporting;
mod failing;
mod fibres;
pub mod file;
mod following;
pub mod given;
pub mod growth;
mod growth_apply;
pub mod history;
pub mod looks;
mod model;
pub mod named;
mod named_apply;
mod numbers;
mod open_save;
mod pictures;
mod places;
pub mod placing;
mod placing_apply;
pub mod playback;
pub mod questions;
mod refusals;
mod rows;
pub mod search;
mod search_apply;
mod taking;
mod theirs;
pub mod unsaved;
mod view_file;
pub mod work;

pub use model::{Among, Browse, State};
