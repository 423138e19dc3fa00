//! GOAL, the group operation assembly language, in the text form of LogGOPSim and ATLAHS
//! (T. Hoefler, C. Siebert, A. Lumsdaine, "Group Operation Assembly Language", ICPP 2009).
//!
//! `num_ranks N`, then a block `rank R { … }` for each rank. An operation takes a line, with a label before it if
//! others need it: `l1: send 4096b to 3 tag 7 cpu 0 nic 1`, `l2: recv 4096b from 3 tag 7`, `l3: calc 1500 cpu 0`. Sizes
//! are in bytes, computations in nanoseconds. `l3 requires l1` starts `l3` after `l1` has ended, `l3 irequires l1`
//! after `l1` has begun. `from -1` and `tag -1` match anything.

mod binary;
mod read;
mod tokens;
mod write;

pub use binary::refusal as refuse_binary;
pub use read::read;
pub use write::write;
