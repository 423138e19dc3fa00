//! Laws of plants: random fabrics in random halls, with every housing and cabling.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod given;
mod modules;
mod plants;
mod refusals;
