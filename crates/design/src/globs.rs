//! Globs of settings: compiled in one place, bounded, and without a panic.

use globset::{Glob, GlobSet, GlobSetBuilder};
use lightloom_request::{InputError, Setting, Settings};

/// Most characters of a glob. Names of locations and interfaces are shorter.
const LONGEST: usize = 256;
/// Most globs of a setting.
const MOST: usize = 1024;

/// The globs of a setting, in lower case. `None`: it was not given.
///
/// # Errors
/// [`InputError`] at the setting if there are too many globs, or if one is too long or is no glob.
pub fn read(
    settings: &Settings,
    setting: &Setting<Vec<String>>,
) -> Result<Option<GlobSet>, InputError> {
    let Some(texts) = settings.get(setting)? else { return Ok(None) };
    compiled(&texts).map(Some).map_err(|message| settings.refuse(setting, message))
}

/// Compiles globs. The error is a message.
fn compiled(texts: &[String]) -> Result<GlobSet, String> {
    if texts.len() > MOST {
        return Err(format!("has {} globs; at most {MOST} are read", texts.len()));
    }
    let mut set = GlobSetBuilder::new();
    for text in texts {
        let length = text.chars().count();
        if length > LONGEST {
            let start: String = text.chars().take(20).collect();
            return Err(format!(
                "found a glob of {length} characters, \"{start}…\"; a glob has at most {LONGEST}"
            ));
        }
        let glob = Glob::new(&text.trim().to_lowercase());
        set.add(glob.map_err(|error| format!("is no glob: {error}"))?);
    }
    // A single `Glob::compile_matcher` panics where an expression is too large; a set refuses it.
    set.build().map_err(|error| format!("is no glob: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_match_as_shells_have_them() {
        let set = compiled(&["Row *".into(), " eth[1-3]".into(), "{a,b}?".into()]);
        let set = set.expect("they are globs");
        for text in ["row 1", "row 1/2", "eth2", "ax"] {
            assert!(set.is_match(text), "{text}");
        }
        for text in ["row", "eth4", "a", ""] {
            assert!(!set.is_match(text), "{text}");
        }
    }

    #[test]
    fn globs_are_bounded() {
        let told = |texts: &[String]| compiled(texts).expect_err("it is too much");
        assert!(told(&["*".repeat(100_000)]).contains("100000 characters"));
        assert!(told(&vec!["*".to_owned(); 2_000]).contains("2000 globs"));
        assert!(told(&["[".to_owned()]).contains("is no glob"));
        compiled(&["*".repeat(LONGEST)]).expect("it is as long as may be");
        compiled(&["?*".repeat(LONGEST / 2)]).expect("it is as long as may be");
        compiled(&vec!["[a-é]?*{a,b}".repeat(20); MOST]).err();
    }
}
