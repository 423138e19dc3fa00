//! Delays that plans are computed with. The catalogue holds each value with its source; a law holds these
//! constants equal to its rows.

use lightloom_units::Span;

/// Light in one metre of fibre: `[fibre] delay_per_m` of `catalogue/twin.toml`.
pub const FIBRE_PER_METRE: Span = Span::from_ps(4_900);
/// A ToR that stores a frame and sends it on: `[relay] delay` of `catalogue/recovery.toml`.
pub const RELAY: Span = Span::from_us(2);
