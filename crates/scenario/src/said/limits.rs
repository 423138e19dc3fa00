//! Limits of scenarios. They follow from the twin's integers and from memory.

use lightloom_units::{BitRate, DataSize, Instant, Span};

/// Largest number of flows. They take about 22 GB.
pub const MOST_FLOWS: u64 = 1 << 24;

/// Latest end of a run: half of the clock's range, 106 days, so that no timer overflows.
pub const LATEST: Instant = Instant::from_ps(1 << 63);

/// Longest delay, latency or timer.
pub const LONGEST_SPAN: Span = Span::from_s(1000);

/// Longest time of the software of a host for a packet.
pub const LONGEST_PACKET: Span = Span::from_ms(1);

/// Slowest link. Its longest pause, 65,535 quanta, lasts 34 s.
pub const LEAST_RATE: BitRate = BitRate::from_bps(1_000_000);

/// The fastest link.
pub const MOST_RATE: BitRate = BitRate::from_gbps(100_000);

/// Largest message.
pub const LARGEST_FLOW: DataSize = DataSize::from_bytes(1_000_000_000_000);

/// Largest number of intervals of a series. A series is written as text three times.
pub const MOST_INTERVALS: u64 = 1 << 20;

/// Largest number of entries of the throughput series over all hosts: 2 GB.
pub const MOST_SAMPLES: u64 = 1 << 28;

/// Largest number of groups.
pub const MOST_GROUPS: u64 = 1 << 20;

/// Largest number of members of all groups.
pub const MOST_MEMBERS: usize = 1 << 26;

/// The longest burst of losses.
pub const LONGEST_BURST: u32 = 1 << 20;

/// Largest buffer or table of a switch. The twin counts the bytes of a switch in 32 bits.
pub const MOST_BUFFER: DataSize = DataSize::from_bytes(1 << 32);

/// Largest number of packets under way.
pub const MOST_WINDOW: u32 = 1 << 22;

/// Most ports of a switch that a group may use.
pub const MOST_FAN_OUT: u32 = 65_534;
