//! Sizes that are asked about.

use std::ops::RangeInclusive;

use lightloom_units::DataSize;

/// Most sizes of a question.
pub const MOST: usize = 64;
/// Smallest and largest size of data, and of slices.
pub const LIMITS: RangeInclusive<DataSize> =
    DataSize::from_bytes(1)..=DataSize::from_bytes(1_000_000_000_000);

/// Reads a list of sizes and ranges, such as `64kB..16MB` or `8 kB, 512 kB`. A range has its first size, each twice as
/// large as the one before, and its last. The sizes are in order, each once.
///
/// # Errors
/// What was found and what is expected.
///
/// # Examples
/// ```
/// use lightloom_advice::sizes::read;
/// use lightloom_units::DataSize;
///
/// let kilobytes = |sizes: &[u64]| sizes.iter().map(|kb| DataSize::from_bytes(kb * 1000)).collect();
/// assert_eq!(read("64 kB..300 kB"), Ok(kilobytes(&[64, 128, 256, 300])));
/// assert_eq!(read("1 MB, 8 kB"), Ok(kilobytes(&[8, 1000])));
/// assert!(read("2 MB..1 MB").is_err());
/// ```
pub fn read(text: &str) -> Result<Vec<DataSize>, String> {
    let mut sizes = Vec::new();
    for part in text.split(',') {
        let Some((first, last)) = part.split_once("..") else {
            sizes.push(one(part)?);
            continue;
        };
        let (first, last) = (one(first)?, one(last)?);
        if first > last {
            return Err(format!(
                "found {first} to {last}; the first size of a range is the smaller one"
            ));
        }
        let doubled = std::iter::successors(Some(first.as_bytes()), |bytes| bytes.checked_mul(2));
        let below = doubled.map(DataSize::from_bytes).take_while(|size| *size < last);
        sizes.extend(below.chain([last]));
    }
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.len() > MOST {
        return Err(format!("found {} sizes; ask about {MOST} at most", sizes.len()));
    }
    Ok(sizes)
}

fn one(text: &str) -> Result<DataSize, String> {
    let size: DataSize = text.parse().map_err(|error| format!("{error}"))?;
    if !LIMITS.contains(&size) {
        return Err(format!("found {size}; expected {} to {}", LIMITS.start(), LIMITS.end()));
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_list_of_sizes_is_refused() {
        for (text, told) in [
            ("", "found \"\""),
            ("64kB..", "found \"\""),
            ("0 B", "found 0 B; expected 1 B to 1 TB"),
            ("2 TB", "found 2 TB; expected 1 B to 1 TB"),
            ("2 MB..1 MB", "found 2 MB to 1 MB; "),
            ("1 B..1 TB, 3 B..1 TB", "found 80 sizes; ask about 64 at most"),
        ] {
            let found = read(text).unwrap_err();
            assert!(found.contains(told), "{text:?}: {found}");
        }
        assert_eq!(read("1MB..1MB").unwrap().len(), 1);
    }
}
