//! The files of the ranks of a trace: `NAME.0.et`, `NAME.1.et`, and so on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lightloom_request::InputError;

use crate::text;

/// The files of all ranks beside that of rank 0, in the order of the ranks.
///
/// # Errors
/// [`InputError`] if the file is not that of rank 0, or a rank between others has none.
pub(super) fn of(path: &Path) -> Result<Vec<PathBuf>, InputError> {
    let fail = |message: String| InputError::new(message).in_file(path);
    let name = path.file_name().and_then(|name| name.to_str());
    let Some((prefix, 0)) = name.and_then(of_rank) else {
        let message = "is not the file of rank 0; a trace of Chakra has a file for each rank, NAME.0.et, NAME.1.et and \
                       so on, and the first of them names it";
        return Err(fail(message.to_owned()));
    };
    // What is not there is told where it is read.
    let mut ranks: BTreeMap<u32, PathBuf> = BTreeMap::from([(0, path.to_path_buf())]);
    for found in text::beside(path) {
        if let Some((other, rank)) = found.to_str().and_then(of_rank)
            && other == prefix
        {
            ranks.insert(rank, path.with_file_name(&found));
        }
    }
    match (0..).zip(ranks.keys()).find(|(expected, found)| expected != *found) {
        Some((expected, found)) => Err(fail(format!(
            "has a file of rank {found} beside it, and none of rank {expected}; give each rank its file"
        ))),
        None => Ok(ranks.into_values().collect()),
    }
}

/// The name of a trace and the rank, from the name of a file.
fn of_rank(name: &str) -> Option<(&str, u32)> {
    let (prefix, number) = name.strip_suffix(".et")?.rsplit_once('.')?;
    let rank: u32 = number.parse().ok()?;
    // One file of each rank: no "007", no "+7".
    (rank.to_string() == number).then_some((prefix, rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_a_rank_before_their_ending() {
        assert_eq!(of_rank("step.v2.17.et"), Some(("step.v2", 17)));
        for other in ["step.et", "step.07.et", "step.+7.et", "17.et", "step.1.goal", "step.-1.et"] {
            assert_eq!(of_rank(other), None, "{other}");
        }
    }
}
