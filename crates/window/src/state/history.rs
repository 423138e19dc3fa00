//! Undo and redo.

/// A value with its earlier and later versions.
#[derive(Debug, Clone)]
pub struct History<T> {
    past: Vec<T>,
    now: T,
    future: Vec<T>,
}

/// Most versions that are kept. Older ones are forgotten.
const MOST: usize = 1_000;

impl<T: Clone + PartialEq> History<T> {
    /// A value without a past.
    pub fn new(now: T) -> Self {
        Self { past: Vec::new(), now, future: Vec::new() }
    }

    /// The value.
    pub fn now(&self) -> &T {
        &self.now
    }

    /// Changes the value. A change can be undone, also back to the same value.
    pub fn change(&mut self, change: impl FnOnce(&mut T)) {
        let mut next = self.now.clone();
        change(&mut next);
        if next == self.now {
            return;
        }
        self.past.push(std::mem::replace(&mut self.now, next));
        if self.past.len() > MOST {
            self.past.remove(0);
        }
        self.future.clear();
    }

    /// Goes back to the version before. `false`: there is none.
    pub fn undo(&mut self) -> bool {
        let Some(before) = self.past.pop() else { return false };
        self.future.push(std::mem::replace(&mut self.now, before));
        true
    }

    /// Goes forward again. `false`: nothing was undone.
    pub fn redo(&mut self) -> bool {
        let Some(after) = self.future.pop() else { return false };
        self.past.push(std::mem::replace(&mut self.now, after));
        true
    }

    /// Whether there is a version before.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether something was undone.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::History;

    #[test]
    fn what_is_undone_comes_back_until_something_else_is_done() {
        let mut history = History::new(0);
        for value in 1..=3 {
            history.change(|now| *now = value);
        }
        assert!(history.undo() && history.undo());
        assert_eq!(*history.now(), 1);
        assert!(history.redo());
        assert_eq!(*history.now(), 2);
        history.change(|now| *now = 7);
        assert!(!history.can_redo() && !history.redo());
        assert!(history.undo() && history.undo() && history.undo() && !history.undo());
        assert_eq!(*history.now(), 0);
    }

    #[test]
    fn a_change_to_the_same_value_is_none() {
        let mut history = History::new(5);
        history.change(|now| *now = 5);
        assert!(!history.can_undo());
    }
}
