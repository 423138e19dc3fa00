//! How many sources can send at line rate at once.
//!
//! A source spends its own splitter on its own stream, so sources F run in parallel iff the other
//! ToRs carry |F| edge-disjoint spanning arborescences, one rooted at each source's cassette. By
//! Edmonds (1973) these exist iff every non-empty proper set X of cassettes has
//! in(X) + |F inside X| ≥ |F|, where F inside X are the sources with both ends in X.
//!
//! [`trees_for`] decides that for given sources and builds the trees; [`parallel_sources`] finds the
//! most sources that any choice of F allows; [`installed_sources`] does so for installed tables.

mod flow;
mod installed;
mod most;
mod pack;

pub use installed::{Installed, installed_sources};
pub use most::{
    Limit, ParallelSources, count_parallel_sources_among, parallel_sources, parallel_sources_among,
};
pub use pack::{Forbidden, trees_for};
