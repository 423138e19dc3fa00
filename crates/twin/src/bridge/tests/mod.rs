//! A reference model, which keeps state for every receiver, and the laws that it is held against.

mod case;
mod groups;
mod hosts;
mod laws;
mod leading;
mod rules;
mod world;
