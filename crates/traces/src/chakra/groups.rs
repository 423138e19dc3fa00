//! Process groups: which ranks make a collective operation together.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer as _};

use crate::error::TraceError;
use crate::program::{ProcessGroup, Rank};

/// Process groups by their names, as a file of ASTRA-sim lists them.
pub type NamedGroups = BTreeMap<String, Vec<u32>>;

/// The name of the group of all ranks in PyTorch.
const DEFAULT: &str = "0";

/// Reads process groups: a JSON object such as `{"1": [0, 1], "2": [2, 3]}`.
///
/// # Errors
/// [`TraceError`] with the line if it is something else.
pub fn named_groups(text: &str) -> Result<NamedGroups, TraceError> {
    let mut json = serde_json::Deserializer::from_str(text);
    let groups = json.deserialize_map(Once).and_then(|groups| json.end().map(|()| groups));
    groups.map_err(|error| {
        let line = u32::try_from(error.line()).unwrap_or(u32::MAX);
        let message = format!(
            "is no list of process groups such as {{\"1\": [0, 1], \"2\": [2, 3]}}: {error}"
        );
        TraceError::new(message).at_line(line)
    })
}

/// Reads an object whose names are there once each.
struct Once;

impl<'de> Visitor<'de> for Once {
    type Value = NamedGroups;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of names and lists of ranks")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<NamedGroups, M::Error> {
        let mut groups = NamedGroups::new();
        while let Some((name, ranks)) = map.next_entry::<String, Vec<u32>>()? {
            if groups.contains_key(&name) {
                return Err(M::Error::custom(format!("{name:?} is there twice")));
            }
            groups.insert(name, ranks);
        }
        Ok(groups)
    }
}

/// Checks that process groups name ranks of the trace, each once. `ranks` is their number.
///
/// # Errors
/// [`TraceError`] if one has a rank twice, or one that there is not.
pub fn check_groups(groups: &NamedGroups, ranks: usize) -> Result<(), TraceError> {
    let ranks = u32::try_from(ranks).unwrap_or(u32::MAX);
    groups.iter().try_for_each(|(name, listed)| checked(name, listed, ranks).map(drop))
}

/// The process groups of a trace.
#[derive(Debug)]
pub(super) struct Groups {
    /// All that collective operations name.
    pub(super) all: Vec<ProcessGroup>,
    places: BTreeMap<(String, Vec<Rank>), usize>,
    given: BTreeMap<String, Vec<Rank>>,
    ranks: u32,
}

/// The process groups that a rank knows.
#[derive(Debug, Default)]
pub(super) struct OfRank {
    /// Those of its own file.
    own: BTreeMap<String, Vec<Rank>>,
    /// The places of those that it has named.
    places: BTreeMap<String, usize>,
}

/// A process group as PyTorch writes it.
#[derive(Deserialize)]
struct Written {
    pg_name: String,
    ranks: Vec<u32>,
}

impl Groups {
    /// The groups that a file names, which are checked.
    pub(super) fn new(given: &NamedGroups, ranks: u32) -> Self {
        let given = given.iter().map(|(name, listed)| (name.clone(), ranks_of(listed, ranks)));
        Self { all: Vec::new(), places: BTreeMap::new(), given: given.collect(), ranks }
    }

    /// Takes the groups of a node that PyTorch writes: a JSON text, or a list of Python with one.
    pub(super) fn written(&self, values: &str, known: &mut OfRank) -> Result<(), TraceError> {
        let inner = values.trim();
        let quoted = ["'", "\""].into_iter().find_map(|quote| {
            let inner = inner.strip_prefix('[')?.strip_suffix(']')?.trim();
            inner.strip_prefix(quote)?.strip_suffix(quote)
        });
        let written: Vec<Written> =
            serde_json::from_str(quoted.unwrap_or(inner)).map_err(|error| {
                TraceError::new(format!("its values are no list of process groups: {error}"))
            })?;
        for Written { pg_name, ranks } in written {
            let ranks = checked(&pg_name, &ranks, self.ranks)?;
            let given = self.given.get(&pg_name).or(known.own.get(&pg_name));
            if given.is_some_and(|given| *given != ranks) {
                let message = format!(
                    "process group {pg_name:?} has other ranks here than before; give it one list of ranks"
                );
                return Err(TraceError::new(message));
            }
            known.own.insert(pg_name, ranks);
        }
        Ok(())
    }

    /// The place of the group of a name, for a rank.
    pub(super) fn place(
        &mut self,
        (rank, name): (Rank, &str),
        known: &mut OfRank,
    ) -> Result<usize, TraceError> {
        if let Some(&place) = known.places.get(name) {
            return Ok(place);
        }
        let ranks = known.own.get(name).or(self.given.get(name)).cloned();
        let is_all = name.is_empty() || name == DEFAULT;
        let ranks = ranks.or_else(|| is_all.then(|| (0..self.ranks).map(Rank).collect()));
        let Some(ranks) = ranks else {
            let message = format!(
                "names process group {name:?}, whose ranks nothing lists; list them in a JSON file, such as \
                 {{{name:?}: [0, 1]}}, and give it as process_groups"
            );
            return Err(TraceError::new(message));
        };
        if !ranks.contains(&rank) {
            let message = format!("process group {name:?} does not have this rank");
            return Err(TraceError::new(message));
        }
        let key = (name.to_owned(), ranks);
        let place = match self.places.get(&key) {
            Some(&place) => place,
            None => {
                self.all.push(ProcessGroup { name: key.0.clone(), ranks: key.1.clone() });
                self.places.insert(key, self.all.len() - 1);
                self.all.len() - 1
            }
        };
        known.places.insert(name.to_owned(), place);
        Ok(place)
    }
}

/// The ranks of a group; all of them where none is listed, as PyTorch writes it.
fn ranks_of(listed: &[u32], ranks: u32) -> Vec<Rank> {
    match listed {
        [] => (0..ranks).map(Rank).collect(),
        listed => listed.iter().copied().map(Rank).collect(),
    }
}

/// The same, checked.
fn checked(name: &str, listed: &[u32], ranks: u32) -> Result<Vec<Rank>, TraceError> {
    if let Some(over) = listed.iter().find(|rank| **rank >= ranks) {
        let message = format!(
            "process group {name:?} has rank {over}, and there are {ranks} files, of ranks from 0"
        );
        return Err(TraceError::new(message));
    }
    let mut seen = BTreeSet::new();
    if let Some(twice) = listed.iter().find(|rank| !seen.insert(**rank)) {
        return Err(TraceError::new(format!("process group {name:?} has rank {twice} twice")));
    }
    Ok(ranks_of(listed, ranks))
}
