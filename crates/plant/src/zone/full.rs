//! Frames that are too full for modules of a width.

use std::collections::BTreeMap;

/// For each width of modules in slots, the frames that have no room for one more. A frame that has none never has any
/// later, because slots are only taken.
pub(super) struct Full {
    frames: usize,
    /// By width, for each frame the next one that may have room: itself, or a later one. The number of frames: none.
    next: BTreeMap<u32, Vec<usize>>,
}

impl Full {
    /// No frame of this number is full.
    pub fn of(frames: usize) -> Self {
        Self { frames, next: BTreeMap::new() }
    }

    /// The frame `near`, or else the next one, or else the first one, that is not known to be full. `None`: all are.
    pub fn next(&mut self, slots: u32, near: usize) -> Option<usize> {
        let Some(next) = self.next.get_mut(&slots) else { return Some(near) };
        Some(open(next, near)).filter(|&at| at < self.frames).or_else(|| {
            let first = open(next, 0);
            (first < self.frames).then_some(first)
        })
    }

    /// Notes that a frame has no room for a module of a width.
    pub fn mark(&mut self, slots: u32, frame: usize) {
        let frames = self.frames;
        let next = self.next.entry(slots).or_insert_with(|| (0..=frames).collect());
        next[frame] = frame + 1;
    }
}

/// The first frame from `from` on that may have room. Halves the way for later calls.
fn open(next: &mut [usize], from: usize) -> usize {
    let mut at = from;
    while next[at] != at {
        next[at] = next[next[at]];
        at = next[at];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_found_around_the_end_until_all_are_full() {
        let mut full = Full::of(4);
        let mut order = Vec::new();
        while let Some(frame) = full.next(3, 2) {
            order.push(frame);
            full.mark(3, frame);
        }
        assert_eq!(order, [2, 3, 0, 1]);
        // Narrower modules may still have room.
        assert_eq!(full.next(1, 2), Some(2));
    }
}
