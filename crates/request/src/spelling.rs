//! Suggestions for misspelt names.

/// Message about an unknown name: the suggestion if there is one, and all known names. `kind` is the kind of
/// name, such as "field".
pub fn unknown(kind: &str, meant: Option<&str>, known: &[&str]) -> String {
    let known = known.join(", ");
    match meant {
        Some(meant) => format!("unknown {kind}; did you mean {meant}? known here: {known}"),
        None => format!("unknown {kind}; known here: {known}"),
    }
}

/// The known name that is nearest to `said`. `None` if more than a third of the letters differ. Case and
/// punctuation do not count, so `[[flow]]` equals `flow`. Ties go to the first known name.
pub fn nearest<'a>(said: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Longer names have no suggestion. The time for the distance grows with the product of both lengths.
    const LONGEST: usize = 60;
    let said = letters(said);
    if said.chars().count() > LONGEST {
        return None;
    }
    let near = known.into_iter().filter_map(|name| {
        let plain = letters(name);
        let longest = said.chars().count().max(plain.chars().count());
        let distance = strsim::osa_distance(&said, &plain);
        (distance <= longest / 3).then_some((distance, name))
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// The letters and digits of a name, in lower case.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_find_the_name_that_was_meant() {
        let known = ["version", "[network]", "[[flow]]", "[[traffic]]", "rack_pitch", "p", "k"];
        for (said, meant) in [
            ("flows", Some("[[flow]]")),
            ("netwrok", Some("[network]")),
            ("Network", Some("[network]")),
            ("rack-pitch", Some("rack_pitch")),
            ("rackpitch", Some("rack_pitch")),
            ("P", Some("p")),
            ("q", None),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(said, known), meant, "{said:?}");
        }
        assert_eq!(nearest(&"flow".repeat(1 << 20), known), None);
    }
}
