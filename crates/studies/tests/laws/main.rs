//! Laws of studies: answers about a plan, beside packets that are followed here and ways that are searched here.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod damaged;
/// The projects of the laws of plans.
#[path = "../../../plan/tests/laws/given.rs"]
mod given;
mod many;
mod place;
mod sound;
