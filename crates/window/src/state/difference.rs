//! How the text of the design differs from its file. It is worked out when one of them changes, not in each frame.

use std::sync::Arc;

use crate::state::file::{DesignFile, LONGEST_EDITED};

/// The most changed lines that are listed.
const MOST: usize = 200;
/// The most characters of a line that are listed.
const LONGEST_LINE: usize = 200;

/// What a save changes in the file. Without a file it changes nothing.
#[derive(Debug, Default)]
pub struct Difference {
    /// The text of the file, and the text of the design.
    of: Option<(Option<Arc<str>>, Arc<str>)>,
    /// Number of lines that a save removes.
    pub removed: usize,
    /// Number of lines that a save adds.
    pub added: usize,
    /// The first of these lines: whether a save adds it, and the line. In the order of the texts; of long texts, those
    /// that go come first.
    pub first: Vec<(bool, String)>,
}

impl Difference {
    /// Number of lines that a save adds or removes.
    pub fn lines(&self) -> usize {
        self.removed + self.added
    }

    /// Works out what changes, unless these are the texts of the last time.
    pub(super) fn follow(&mut self, file: &DesignFile, text: &Arc<str>) {
        let on_disk = &file.on_disk;
        let is_same = |(there, of): &(Option<Arc<str>>, Arc<str>)| {
            let is_there = match (there, on_disk) {
                (Some(there), Some(on_disk)) => Arc::ptr_eq(there, on_disk),
                (there, on_disk) => there.is_none() && on_disk.is_none(),
            };
            is_there && Arc::ptr_eq(of, text)
        };
        if self.of.as_ref().is_some_and(is_same) {
            return;
        }
        *self = match on_disk {
            Some(before) if file.differs(text) => Self::between(before, text),
            _ => Self::default(),
        };
        self.of = Some((on_disk.clone(), text.clone()));
    }

    fn between(before: &str, after: &str) -> Self {
        // The order of lines takes time with the square of their number.
        if before.len().max(after.len()) > LONGEST_EDITED {
            let lines = lightloom::edit::changed_lines(before, after);
            let gone = lines.first_removed.into_iter().map(|line| (false, line));
            let first = gone.chain(lines.first_added.into_iter().map(|line| (true, line)));
            let (removed, added) = (lines.removed, lines.added);
            return Self { of: None, removed, added, first: first.collect() };
        }
        let mut found = Self::default();
        for change in similar::TextDiff::from_lines(before, after).iter_all_changes() {
            let is_new = match change.tag() {
                similar::ChangeTag::Equal => continue,
                similar::ChangeTag::Insert => true,
                similar::ChangeTag::Delete => false,
            };
            *(if is_new { &mut found.added } else { &mut found.removed }) += 1;
            if found.first.len() < MOST {
                let line = change.value().trim_end().chars().take(LONGEST_LINE).collect();
                found.first.push((is_new, line));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::sync::Arc;

    use super::{Difference, MOST};
    use crate::state::file::{DesignFile, LONGEST_EDITED};

    fn numbered(lines: usize, more: &str) -> Arc<str> {
        let mut text = String::new();
        for line in 0..lines {
            let _ = writeln!(text, "line {line}{more}");
        }
        text.into()
    }

    #[test]
    fn it_is_worked_out_once_and_lists_few_lines() {
        for lines in [1_000, LONGEST_EDITED / 8] {
            let (before, after) = (numbered(lines, ""), numbered(lines, " and more"));
            let file = DesignFile { on_disk: Some(before.clone()), ..DesignFile::default() };
            let mut found = Difference::default();
            found.follow(&file, &after);
            assert_eq!((found.removed, found.added), (lines, lines));
            assert!(!found.first.is_empty() && found.first.len() <= MOST);
            let listed = found.first.as_ptr();
            found.follow(&file, &after);
            assert_eq!(found.first.as_ptr(), listed, "nothing is worked out again");
            found.follow(&file, &before);
            assert_eq!(found.lines(), 0);
            found.follow(&DesignFile::default(), &after);
            assert_eq!(found.lines(), 0, "there is no file");
        }
    }
}
