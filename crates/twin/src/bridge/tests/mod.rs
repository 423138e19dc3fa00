//! A reference model, which keeps state for every receiver, and the laws that it is held against.

mod case;
mod hosts;
mod laws;
mod rules;
mod world;
