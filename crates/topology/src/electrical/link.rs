//! Links as they are listed.

use lightloom_units::{BitRate, Span};

/// A link: its two nodes, counted over hosts and then switches, the rate of each direction, and the
/// propagation delay.
pub type Link = (usize, usize, BitRate, Span);
