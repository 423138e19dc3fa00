//! Few ternary matches for a set of codes.

use crate::switch::ternary::{Ternary, ones};

/// Matches for a set of codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    /// The matches. Each wanted code fits one of them at least, and no unwanted code fits any.
    pub matches: Vec<Ternary>,
    /// No set of matches has fewer: this many wanted codes have pairwise no match in common.
    pub least: usize,
}

/// Covers `wanted` codes of this many bits with few matches, none of which fits an `unwanted` code. Codes in neither
/// list may fit. The search is greedy: from each code that is still open it drops bits, in as many orders as there are
/// bits, and takes the match that fits most open codes. [`Cover::least`] says how far from the best it can be.
///
/// It takes 3^`bits` bytes. A code must not be in both lists.
pub fn cover(wanted: &[u32], unwanted: &[u32], bits: u32) -> Cover {
    let forbidden = Forbidden::new(unwanted, bits);
    let mut open: Vec<u32> = wanted.to_vec();
    let mut matches = Vec::new();
    let mut apart: Vec<u32> = Vec::new();
    while let Some(&code) = open.first() {
        let mut tried: Vec<Ternary> =
            (0..bits.max(1)).map(|first| forbidden.widened(code, first)).collect();
        tried.dedup();
        let rest = |found: &Ternary| open.iter().filter(|&&code| !found.matches(code)).count();
        let best = tried.into_iter().min_by_key(rest).unwrap_or(Ternary::exact(code, bits));
        // Codes that no match joins with any code before them.
        if apart.iter().all(|&other| !forbidden.allows(code, code ^ other)) {
            apart.push(code);
        }
        open.retain(|&code| !best.matches(code));
        matches.push(best);
    }
    let least = apart.len();
    Cover { matches: needed(matches, wanted), least }
}

/// Which matches fit an unwanted code, for all 3^bits matches.
struct Forbidden {
    bits: u32,
    /// By the index of a match: a digit of base 3 for each bit: 0, 1, or 2 for a bit that may be either.
    fits: Vec<bool>,
    /// The index of the exact match of each code.
    exact: Vec<usize>,
}

impl Forbidden {
    fn new(unwanted: &[u32], bits: u32) -> Self {
        let exact: Vec<usize> = (0..1_u32 << bits)
            .map(|code| {
                (0..bits).filter(|bit| code >> bit & 1 == 1).map(|bit| 3_usize.pow(bit)).sum()
            })
            .collect();
        let mut fits = vec![false; 3_usize.pow(bits)];
        unwanted.iter().for_each(|&code| fits[exact[code as usize]] = true);
        for bit in 0..bits {
            let step = 3_usize.pow(bit);
            for block in fits.chunks_exact_mut(3 * step) {
                let (fixed, either) = block.split_at_mut(2 * step);
                let (zeros, ones) = fixed.split_at(step);
                for ((either, zero), one) in either.iter_mut().zip(zeros).zip(ones) {
                    *either = *zero | *one;
                }
            }
        }
        Self { bits, fits, exact }
    }

    /// Whether a match of a code that leaves these bits open fits no unwanted code.
    fn allows(&self, code: u32, open: u32) -> bool {
        !self.fits[self.exact[(code & !open) as usize] + 2 * self.exact[open as usize]]
    }

    /// A match of a code from which no bit can be dropped, tried from the bit `first` on.
    fn widened(&self, code: u32, first: u32) -> Ternary {
        let mut open = 0;
        for step in 0..self.bits {
            let bit = 1 << ((first + step) % self.bits);
            if self.allows(code, open | bit) {
                open |= bit;
            }
        }
        Ternary::new(code, ones(self.bits) & !open)
    }
}

/// The matches without those whose codes others fit too.
fn needed(matches: Vec<Ternary>, wanted: &[u32]) -> Vec<Ternary> {
    let mut fitting: Vec<u32> = wanted
        .iter()
        .map(|&code| matches.iter().map(|found| u32::from(found.matches(code))).sum())
        .collect();
    let mut kept = Vec::with_capacity(matches.len());
    for found in matches.into_iter().rev() {
        let of = || wanted.iter().zip(&fitting).filter(|(code, _)| found.matches(**code));
        if of().any(|(_, &fitting)| fitting == 1) {
            kept.push(found);
            continue;
        }
        for (&code, fitting) in wanted.iter().zip(&mut fitting) {
            *fitting -= u32::from(found.matches(code));
        }
    }
    kept.reverse();
    kept
}
