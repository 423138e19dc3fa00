//! Codes of ToRs in addresses.

use lightloom_topology::family::Shufflecast;
use lightloom_topology::{Fabric, TorId};

use crate::switch::cover::cover;
use crate::switch::ternary::Ternary;

/// The code of each ToR: a number in a field of bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Codes {
    bits: u32,
    codes: Vec<u32>,
    none: Vec<u32>,
    unused: Vec<Ternary>,
}

impl Codes {
    /// Codes of a Shufflecast: the column, then the digits of the row, the highest first, each in a field of its own.
    /// A field has as many bits as its largest value needs, so p need not be a power of two.
    pub fn of_shufflecast(shape: Shufflecast) -> Self {
        let digit = width(shape.p());
        let code = |tor| {
            let digits = (0..shape.k()).rev().map(|i| shape.digit(tor, i));
            digits.fold(shape.column(tor), |code, value| code << digit | value)
        };
        let codes = (0..shape.tors()).map(|tor| code(TorId(tor))).collect();
        Self::new(width(shape.k()) + shape.k() * digit, codes)
    }

    /// Codes that are the numbers of the ToRs.
    pub fn numbers(tors: u32) -> Self {
        Self::new(width(tors), (0..tors).collect())
    }

    /// Codes that start with the cassette that a ToR transmits into, its *root*. The seat in it follows.
    pub fn by_root(fabric: &Fabric) -> Self {
        let seat = width(fabric.fan_out());
        let mut codes = vec![0; fabric.tors()];
        for cassette in fabric.cassette_ids() {
            for (place, tor) in (0..).zip(fabric.transmitters(cassette)) {
                codes[tor.index()] = cassette.0 << seat | place;
            }
        }
        let cassettes = u32::try_from(fabric.cassettes()).unwrap_or(u32::MAX);
        Self::new(width(cassettes) + seat, codes)
    }

    fn new(bits: u32, codes: Vec<u32>) -> Self {
        let mut is_used = vec![false; 1 << bits];
        codes.iter().for_each(|&code| is_used[code as usize] = true);
        let rest = (0..).zip(&is_used).filter(|(_, is_used)| !**is_used);
        let none: Vec<u32> = rest.map(|(code, _)| code).collect();
        let unused = cover(&none, &codes, bits).matches;
        Self { bits, codes, none, unused }
    }

    /// Number of bits of the field.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The code of a ToR.
    ///
    /// # Panics
    /// If the ToR has no code.
    pub fn of(&self, tor: TorId) -> u32 {
        self.codes[tor.index()]
    }

    /// The codes of all ToRs, ToR 0 first.
    pub fn all(&self) -> &[u32] {
        &self.codes
    }

    /// The codes of the field that stand for no ToR, ascending.
    pub fn none(&self) -> &[u32] {
        &self.none
    }

    /// Matches for the codes of the field that stand for no ToR.
    pub fn unused(&self) -> &[Ternary] {
        &self.unused
    }
}

/// Number of bits of the values below `count`.
fn width(count: u32) -> u32 {
    count.saturating_sub(1).checked_ilog2().map_or(0, |bits| bits + 1)
}
