//! Seats of ToRs at cassettes, and the numbers on their labels.
//!
//! A new fabric seats ToRs in the order of their numbers. A fabric that grew keeps the seats and labels of
//! what was there before, so its seats are given.

use crate::id::TorId;

/// The seats of one ToR, and the numbers on its labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seat {
    /// The place of the ToR's splitter in the cassette that it transmits into. It is also the port of all
    /// receivers of that cassette at which its light arrives. Slots of ToRs that left stay empty.
    pub slot: u32,
    /// The output of the splitters of the cassette that feeds the ToR.
    pub branch: u32,
    /// The number on the labels of the splitter that the ToR feeds.
    pub splitter: u32,
    /// The number on the labels of the ToR.
    pub number: u32,
}

/// Why given seats do not fit a fabric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SeatError {
    /// Not one seat per ToR.
    #[error("found {found} seats for {tors} ToRs; give each ToR one seat")]
    Count {
        /// Number of seats.
        found: usize,
        /// Number of ToRs.
        tors: usize,
    },
    /// Two transmitters of a cassette share a slot, or the cassette lacks it.
    #[error(
        "ToR {tor} has slot {slot} of its cassette; slots are 0 to {last}, and each is used once"
    )]
    Slot {
        /// The ToR.
        tor: TorId,
        /// Its slot.
        slot: u32,
        /// The last slot of a cassette.
        last: u32,
    },
    /// Two receivers of a cassette share an output, or the splitters lack it.
    #[error("ToR {tor} has output {branch} of its splitters, which is taken or not there")]
    Branch {
        /// The ToR.
        tor: TorId,
        /// Its output.
        branch: u32,
    },
    /// Two ToRs or two splitters share a number.
    #[error("ToR {tor} has number {number} on a label that another one has")]
    Number {
        /// The ToR.
        tor: TorId,
        /// The number.
        number: u32,
    },
}

/// Given seats, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seating {
    pub(crate) seats: Vec<Seat>,
}

impl Seating {
    /// Checks seats against the transmitters and receivers of each cassette. Orders the transmitters by slot.
    pub(crate) fn new<'a>(
        fan_out: u32,
        seats: &[Seat],
        transmitters: impl Iterator<Item = &'a mut [TorId]>,
        receivers: impl Iterator<Item = &'a [TorId]>,
    ) -> Result<Self, SeatError> {
        for group in transmitters {
            group.sort_by_key(|tor| seats[tor.index()].slot);
            let mut next = 0;
            for &tor in &*group {
                let slot = seats[tor.index()].slot;
                if !(next..fan_out).contains(&slot) {
                    return Err(SeatError::Slot { tor, slot, last: fan_out - 1 });
                }
                next = slot + 1;
            }
        }
        for group in receivers {
            let mut taken = vec![false; fan_out as usize];
            for &tor in group {
                let branch = seats[tor.index()].branch;
                match taken.get_mut(branch as usize) {
                    Some(taken) if !*taken => *taken = true,
                    _ => return Err(SeatError::Branch { tor, branch }),
                }
            }
        }
        for of in [|seat: &Seat| seat.splitter, |seat: &Seat| seat.number] {
            let mut numbers: Vec<(u32, usize)> =
                seats.iter().enumerate().map(|(tor, seat)| (of(seat), tor)).collect();
            numbers.sort_unstable();
            if let Some(pair) = numbers.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Err(SeatError::Number { tor: TorId::at(pair[1].1), number: pair[1].0 });
            }
        }
        Ok(Self { seats: seats.to_vec() })
    }
}
