//! What can still arrive at a port after it has decided to pause its sender.

use lightloom_power_cost::delays::FIBRE_PER_METRE;
use lightloom_units::{BitRate, DataSize, Length};

use crate::config::MTU;

/// Largest frame of a port: header, tag, [`MTU`] and check sequence.
pub const LARGEST_FRAME: DataSize = DataSize::from_bytes(MTU as u64 + 22);
/// Preamble before each frame and least gap after it, in bytes.
const BETWEEN: u64 = 20;
/// A pause frame, in bytes.
const PAUSE: u64 = 64;
/// Bytes of a quantum: 512 bits.
const QUANTUM: u64 = 64;
/// Micrometres of a metre.
const UM_PER_M: u128 = 1_000_000;
/// Bits times picoseconds that a byte at one bit a second takes.
const BYTE: u128 = 8_000_000_000_000;

/// The longest time between a pause and the last frame that its receiver begins, in quanta (IEEE 802.3, 31B.3.7, as
/// SONiC's scripts for headroom have it: sonic-swss, `cfgmgr/buffer_headroom_mellanox.lua`). It includes the PHY of the
/// receiver.
pub fn response_quanta(rate: BitRate) -> Option<u32> {
    Some(match rate.as_bps() / 1_000_000_000 {
        10 => 67,
        25 => 80,
        40 => 118,
        50 => 147,
        100 => 394,
        200 => 453,
        400 => 905,
        _ => return None,
    })
    .filter(|_| rate.as_bps().is_multiple_of(1_000_000_000))
}

/// A link of the unicast network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnicastLink {
    /// Its line rate.
    pub rate: BitRate,
    /// Length of its cable.
    pub cable: Length,
}

/// The headroom that a link needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Headroom {
    /// Bytes that can still arrive.
    pub needs: DataSize,
    /// Cells that they take.
    pub cells: u64,
    /// The headroom: all of these cells.
    pub size: DataSize,
}

impl Headroom {
    /// What arrives at a port after it has decided to pause its sender: the bytes of
    ///
    /// - the largest frame of our own, which has just begun and is in the way of the pause, and the pause itself;
    /// - the cable, there and back;
    /// - the response of the other end, and the largest frame that it has just begun;
    /// - the PHY of this end.
    ///
    /// Frames have preamble and gap. What arrives is taken to be largest frames, each in cells of its own.
    pub(super) fn of(link: UnicastLink, quanta: u32, phy: DataSize, cell: DataSize) -> Self {
        let delay = u128::from(link.cable.as_um()) * u128::from(FIBRE_PER_METRE.as_ps());
        let cable = 2 * delay.div_ceil(UM_PER_M) * u128::from(link.rate.as_bps());
        let cable = u64::try_from(cable.div_ceil(BYTE)).unwrap_or(u64::MAX);
        let frame = LARGEST_FRAME.as_bytes();
        let frames = 2 * (frame + BETWEEN) + PAUSE + BETWEEN;
        let needs = [cable, frames, QUANTUM * u64::from(quanta), phy.as_bytes()];
        let needs = needs.into_iter().fold(0, u64::saturating_add);
        let cells = needs.div_ceil(frame).saturating_mul(frame.div_ceil(cell.as_bytes()));
        let size = DataSize::from_bytes(cells.saturating_mul(cell.as_bytes()));
        Self { needs: DataSize::from_bytes(needs), cells, size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 18,284 bytes of two frames of 9,122 with 20 each, 84 of a pause, 64 a quantum, 820 of the PHY, and
    /// 9.8 ns a metre of cable both ways. Frames of 9,122 bytes take 36 cells of 256.
    #[test]
    fn headrooms_of_short_and_long_cables() {
        let cases = [
            // 25 Gb/s: 5,120 of the response. 1 m: 30.6 bytes.
            (25, 1, 18_284 + 84 + 5_120 + 820 + 31, 3),
            (25, 100, 18_284 + 84 + 5_120 + 820 + 3_063, 4),
            (25, 2_000, 18_284 + 84 + 5_120 + 820 + 61_250, 10),
            // 100 Gb/s: 25,216. 122.5 bytes a metre.
            (100, 1, 18_284 + 84 + 25_216 + 820 + 123, 5),
            (100, 100, 18_284 + 84 + 25_216 + 820 + 12_250, 7),
            (100, 2_000, 18_284 + 84 + 25_216 + 820 + 245_000, 32),
            // 400 Gb/s: 57,920. 490 bytes a metre.
            (400, 1, 18_284 + 84 + 57_920 + 820 + 490, 9),
            (400, 100, 18_284 + 84 + 57_920 + 820 + 49_000, 14),
            (400, 2_000, 18_284 + 84 + 57_920 + 820 + 980_000, 116),
        ];
        for (gbps, metres, needs, frames) in cases {
            let link =
                UnicastLink { rate: BitRate::from_gbps(gbps), cable: Length::from_m(metres) };
            let quanta = response_quanta(link.rate).expect("a rate of the standard");
            let [phy, cell] = [820, 256].map(DataSize::from_bytes);
            let headroom = Headroom::of(link, quanta, phy, cell);
            assert_eq!(headroom.needs.as_bytes(), needs, "{gbps} Gb/s, {metres} m");
            assert_eq!(headroom.cells, frames * 36, "{gbps} Gb/s, {metres} m");
            assert_eq!(headroom.size.as_bytes(), frames * 36 * 256);
        }
    }

    #[test]
    fn responses_of_other_rates_are_not_known() {
        for bps in [0, 800_000_000_000, 25_000_000_001, 56_000_000_000] {
            assert_eq!(response_quanta(BitRate::from_bps(bps)), None);
        }
    }
}
