//! Reads distributions of flow sizes, in the two-column format of the RDMA forks of ns-3.

use std::path::{Path, PathBuf};

use lightloom_catalogue::Shipped;
use lightloom_request::InputError;
use lightloom_scenario::build::{Cdf, CdfPoints};
use lightloom_scenario::said::Distribution;

use crate::rows::Row;
use crate::scenario::files::Files;
use crate::text;

/// Reads the distribution in the file that the field `sizes` names, with a warning if its shares were scaled.
pub(super) fn read(
    row: &Row<'_>,
    path: &Path,
    files: &mut Files,
) -> Result<(Cdf, Option<String>), InputError> {
    let text = text::read_up_to(row.texts(), path, 16 << 20);
    let text = text.map_err(|error| row.of_file("sizes", path, error))?;
    let parsed = parse(path, &text)?;
    files.push((path.to_path_buf(), text));
    Ok(parsed)
}

/// A published distribution, whose file counts as one that the scenario is read from.
pub(super) fn shipped(distribution: Distribution, files: &mut Files) -> Result<Cdf, InputError> {
    let Shipped { path, text } = match distribution {
        Distribution::WebSearch => lightloom_catalogue::SIZES_WEB_SEARCH,
        Distribution::DataMining => lightloom_catalogue::SIZES_DATA_MINING,
        Distribution::Hadoop => lightloom_catalogue::SIZES_HADOOP,
        Distribution::AliStorage => lightloom_catalogue::SIZES_ALI_STORAGE,
    };
    let path = PathBuf::from(path);
    let (sizes, _) = parse(&path, text)?;
    if files.iter().all(|(known, _)| *known != path) {
        files.push((path, text.to_owned()));
    }
    Ok(sizes)
}

/// Parses lines of bytes and cumulative share.
fn parse(path: &Path, text: &str) -> Result<(Cdf, Option<String>), InputError> {
    let mut points = CdfPoints::default();
    let mut last_line = 1;
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        last_line = line;
        let (bytes, share) = point(content).map_err(|error| error.in_file(path).at_line(line))?;
        points.add(bytes, share).map_err(|error| error.in_file(path).at_line(line))?;
    }
    let ended = points.distribution();
    let (cdf, scaled) = ended.map_err(|error| error.in_file(path).at_line(last_line))?;
    let warning = scaled.map(|end| {
        // Only the file name, so that a report does not depend on the folder.
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        format!("{name}: the last value is {end}; all were divided by it")
    });
    Ok((cdf, warning))
}

/// The two numbers of a line.
fn point(content: &str) -> Result<(f64, f64), InputError> {
    let refuse = |field: &str, message: String| InputError::new(message).in_field(field);
    let cells: Vec<&str> = content.split_whitespace().collect();
    let [bytes, share] = cells.as_slice() else {
        let message = format!(
            "found {} columns; expected two, a size in bytes and the share of flows that are \
             not larger",
            cells.len()
        );
        return Err(refuse("line", message));
    };
    let bytes = number(bytes).ok_or_else(|| {
        refuse("bytes", format!("found {bytes:?}; expected a number of bytes from 0"))
    })?;
    let share = number(share).ok_or_else(|| {
        refuse("share", format!("found {share:?}; expected a number from 0 to 1 or to 100"))
    })?;
    Ok((bytes, share))
}

/// A decimal number, 0 or more.
fn number(text: &str) -> Option<f64> {
    let plain =
        text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'-' | b'+'));
    let number: f64 = text.parse().ok().filter(|_| plain)?;
    (number.is_finite() && number >= 0.0).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<(Cdf, Option<String>), InputError> {
        super::parse(Path::new("sizes.txt"), text)
    }

    #[test]
    fn fractions_and_percent_are_the_same_distribution() {
        let (fractions, none) = parse("0 0\n1000 0.5\n2000 1").unwrap();
        let (percent, also_none) = parse("0\t0 # bytes, percent\n\n1000  50\n2000 100\n").unwrap();
        assert_eq!((&none, &also_none), (&None, &None));
        assert_eq!(fractions, percent);
    }

    #[test]
    fn an_end_that_is_almost_1_or_100_is_stretched_with_a_warning() {
        for text in ["0 0\n10 0.9995", "0 0\n10 100.05", "0 0\n10 99.95"] {
            let (_, warning) = parse(text).unwrap();
            assert!(warning.unwrap().starts_with("sizes.txt: the last value is"), "{text}");
        }
    }

    #[test]
    fn what_is_no_distribution_is_refused_with_its_line() {
        for (text, line, message) in [
            ("", 1, "found no line"),
            ("0 0\n10 0.5", 2, "found 0.5 as the last value"),
            ("0 0\n10 99.8", 2, "found 99.8 as the last value"),
            ("0 0\n10 50\n5 100", 3, "sizes must not fall"),
            ("0 0\n10 60\n20 50\n30 100", 3, "shares must not fall"),
            ("0 0\n10", 2, "found 1 columns"),
            ("0 0\nten 100", 2, "found \"ten\""),
            ("0 0\n10 NaN", 2, "found \"NaN\""),
            ("0 0\n10 inf", 2, "found \"inf\""),
            ("-1 0\n10 100", 1, "found \"-1\""),
            ("0 0\n1e13 100", 2, "a flow has at most 1 TB"),
            ("0 0\n0 100", 2, "at least 1 byte"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.line, Some(line), "{text:?}: {error}");
            assert!(error.to_string().contains(message), "{text:?}: {error}");
        }
    }
}
