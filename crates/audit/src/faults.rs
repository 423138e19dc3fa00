//! Faults of a plan folder.

/// Faults that are told one by one; the rest is counted.
const TOLD: usize = 20;

/// Faults found so far.
#[derive(Default)]
pub(crate) struct Faults {
    pub(crate) count: usize,
    pub(crate) first: Vec<String>,
}

impl Faults {
    /// Adds a fault; only the first ones are worded.
    pub(crate) fn add(&mut self, fault: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < TOLD {
            self.first.push(fault());
        }
    }
}
