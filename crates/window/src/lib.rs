//! The window of lightloom: a design, its fabric and hall, what breaks and how it is repaired, and the twin's runs.
//!
//! State, commands and views are three things. A view reads the [`state::State`] and emits [`command::Command`]s. The
//! state carries them out, and asks the door ([`lightloom`]) on threads of their own. No view computes what the door
//! computes, so every number on the screen is that of the command line.

pub mod colours;
pub mod command;
pub mod draw;
pub mod export;
pub mod focus;
pub mod layers;
pub mod layout;
pub mod live;
pub mod panel;
pub mod picture;
pub mod place;
pub mod placing;
pub mod search;
pub mod slot;
pub mod state;
pub mod twin;
pub mod views;
pub mod window;
pub mod words;

pub use window::Window;
