//! Everything that is written to a disk: single files, and folders of files.
//!
//! A reader sees what was there before or all that is new, never a part of it. New bytes are written to a temporary
//! beside their place, synchronised, and exchanged with it in one step of the file system.
//!
//! - [`mod@file`]: a single file, also a device, a pipe or an open descriptor, which are written and not replaced.
//! - [`folder`]: a folder, which is replaced as a whole.
//! - `place`: where a path leads, and why nothing may be written there.
//! - `beside`: temporaries, and what killed runs left of them.
//! - `mark`: the list of files with their hashes by which a folder is known as one of lightloom.
//! - [`kind`] and [`kinds`]: what is known of a folder before it is written.
//! - [`page`]: a page of HTML, which replaces only such a page.

mod beside;
pub mod file;
pub mod folder;
mod inputs;
pub mod kind;
pub mod kinds;
mod mark;
pub mod page;
mod place;
mod snapshot;

pub use inputs::Inputs;
pub use mark::MARK;
