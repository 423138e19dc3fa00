//! Laws of plans: designs that are opened without files, laid, proved, damaged, repaired and grown.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod damaged;
mod given;
mod grown;
mod laid;
mod named;
mod sound;
