//! The words that each flag with a choice takes, each with its meaning: one list for the help, the
//! refusals, the completions and the man pages.

use clap::builder::{PossibleValue, PossibleValuesParser};

/// The words of one flag, with what each means.
pub(crate) type Choice = &'static [(&'static str, &'static str)];

pub(crate) const FAMILY: Choice = &[
    ("shufflecast", "The paper's fabric: k columns of p^k ToRs"),
    ("kautz", "Any number of ToRs in the fewest hops"),
    ("custom", "The edge list of --edges"),
];

pub(crate) const ROUTER: Choice = &[
    ("algorithm1", "The paper's router; only for a shufflecast, and its default"),
    ("arborescence", "Shortest trees with balanced relays; for every family"),
];

pub(crate) const ROWS_FROM: Choice = &[
    ("row", "The column `row`"),
    ("location", "The column `location`: each location is a row of one room"),
];

pub(crate) const HOUSING: Choice = &[
    ("sender", "Each splitter in its ToR's rack: p long fibres a ToR (the default)"),
    ("receiver", "The splitters of a cassette among its receivers: one long fibre a ToR"),
];

pub(crate) const METHOD: Choice = &[
    ("replan", "Exact: restores all that light can reach (the default)"),
    ("algorithm2", "The paper's; only for a shufflecast, and gives failed sources up"),
];

pub(crate) const OBJECTIVE: Choice = &[
    ("fewest-changes", "As few changed rules as possible (the default)"),
    ("fewest-hops", "As few hops as possible"),
];

pub(crate) const CASE: Choice = &[
    ("worst", "Every element at its worst value"),
    ("typical", "Every element at its typical value"),
    ("monte-carlo", "Values drawn at random; reports a percentile"),
];

pub(crate) const CATALOGUE: Choice = &[
    ("shufflecast-2022", "The parts and prices of the paper (the default)"),
    ("datasheets-2026", "Parts with losses and powers from data sheets"),
];

pub(crate) const FIBRE_ACCOUNTING: Choice = &[
    ("half", "A one-way strand costs half of a duplex pair"),
    ("whole", "A one-way strand costs a whole duplex pair"),
];

pub(crate) const RANK_BY: Choice = &[
    ("cost", "Lowest cost first (the default)"),
    ("fibre", "Least fibre first"),
    ("power", "Lowest power first"),
    ("hops", "Fewest hops first"),
    ("parallel-sources", "Most parallel sources first"),
    ("margin", "Greatest optical margin first"),
];

/// A parser that accepts these words and nothing else.
pub(crate) fn one_of(choice: Choice) -> PossibleValuesParser {
    choice.iter().map(|(word, meaning)| PossibleValue::new(*word).help(*meaning)).into()
}
