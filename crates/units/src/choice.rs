//! Words that stand for one of a few things.

/// One of a few things, each with a word for it in files and answers.
pub trait Choice: Copy + PartialEq + 'static {
    /// All of them, in the order in which messages list them.
    const ALL: &'static [Self];

    /// The word for it.
    fn name(self) -> &'static str;

    /// The thing that a word stands for; none for any other word.
    fn named(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.name() == word)
    }

    /// All words, in the order of [`Choice::ALL`].
    fn names() -> Vec<&'static str> {
        Self::ALL.iter().map(|choice| choice.name()).collect()
    }
}
