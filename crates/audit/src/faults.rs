//! Collects the errors of a plan folder.

/// Number of errors that are listed. Further errors are only counted.
const TOLD: usize = 20;

/// Errors found so far.
#[derive(Default)]
pub(crate) struct Faults {
    pub(crate) count: usize,
    pub(crate) first: Vec<String>,
}

impl Faults {
    /// Adds an error. Only the first [`TOLD`] errors become texts.
    pub(crate) fn add(&mut self, fault: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < TOLD {
            self.first.push(fault());
        }
    }
}
