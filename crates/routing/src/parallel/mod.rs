//! Number of sources that can send at line rate at the same time.
//!
//! A source uses its own splitter for its own stream. So sources F can run in parallel iff the other ToRs
//! carry |F| edge-disjoint spanning arborescences, one rooted at each source's cassette. By Edmonds (1973)
//! these exist iff every non-empty proper set X of cassettes has in(X) + |F inside X| ≥ |F|, where F inside X
//! are the sources with both ends in X.
//!
//! [`trees_for`] decides this for given sources and builds the trees. [`parallel_sources`] finds the largest
//! F over all choices. [`installed_sources`] finds the largest F for installed tables.

mod flow;
mod installed;
mod most;
mod pack;
mod search;

pub use installed::{Installed, installed_sources, installed_sources_of};
pub use most::{
    Limit, ParallelSources, count_parallel_sources_among, count_parallel_sources_over,
    parallel_sources, parallel_sources_among, parallel_sources_watched,
};
pub use pack::{Forbidden, trees_for, trees_for_watched};
pub use search::SoFar;
