//! Plans as they were built: what crews found and did otherwise, and a plan that follows it.
//!
//! A *mark* is what a crew tells of one cable: where its plugs really are, how long it is, and which loss was measured.
//! Marks name cables by the labels of the plan before anything was built otherwise, so `plan.json` stays the plan with
//! its marks.

pub mod index;
pub mod marks;
pub mod report;
pub mod resolve;
pub mod taking;
