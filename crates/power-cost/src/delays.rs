//! Delays for planning. The catalogue holds each value with its source. A test checks that these constants
//! equal its rows.

use lightloom_units::{BitRate, DataSize, Span};

/// Delay of light per metre of fibre: `[fibre] delay_per_m` of `catalogue/twin.toml`.
pub const FIBRE_PER_METRE: Span = Span::from_ps(4_900);
/// Delay of a ToR that stores and forwards a frame: `[relay] delay` of `catalogue/recovery.toml`.
pub const RELAY: Span = Span::from_us(2);
/// Buffer of a ToR that one queue may take: `[relay] buffer` of the same.
pub const BUFFER: DataSize = DataSize::from_bytes(64_000_000);
/// Longest frame: `[relay] frame` of the same.
pub const FRAME: DataSize = DataSize::from_bytes(9_216);
/// Rate of the light where a design names no optics: `[relay] light_rate` of the same.
pub const LIGHT_RATE: BitRate = BitRate::from_bps(100_000_000_000);
