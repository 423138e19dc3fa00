//! Delays for planning. The catalogue holds each value with its source. A test checks that these constants
//! equal its rows.

use lightloom_units::Span;

/// Delay of light per metre of fibre: `[fibre] delay_per_m` of `catalogue/twin.toml`.
pub const FIBRE_PER_METRE: Span = Span::from_ps(4_900);
/// Delay of a ToR that stores and forwards a frame: `[relay] delay` of `catalogue/recovery.toml`.
pub const RELAY: Span = Span::from_us(2);
