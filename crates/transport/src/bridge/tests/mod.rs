//! A reference model, which keeps state for every receiver, and the laws that it is held against.

mod case;
mod draws;
mod hosts;
mod laws;
mod nodes;
mod rules;
mod tree;
mod world;
