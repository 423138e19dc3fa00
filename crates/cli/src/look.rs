//! How the command speaks: in colour or not, with progress or not.

use std::ffi::OsString;
use std::io;

use anstream::AutoStream;
use clap::{ColorChoice, ValueEnum as _};

/// Red and bold, for refusals.
const RED: &str = "\u{1b}[1;31m";
/// Yellow and bold, for warnings.
const YELLOW: &str = "\u{1b}[1;33m";
const PLAIN: &str = "\u{1b}[0m";

/// What begins a line that is worth a colour.
const MARKS: [(&str, &str); 7] = [
    ("Warning:", YELLOW),
    ("Wrong:", RED),
    ("THE LIGHT DOES NOT ARRIVE", RED),
    ("NOT KNOWN TO ARRIVE", YELLOW),
    ("DEADLOCK", RED),
    ("STALLED", RED),
    ("UNACKNOWLEDGED", RED),
];

/// The value of `--color` before the arguments are read: refusals and help are coloured too. A wrong
/// value is refused later.
pub(crate) fn asked(args: &[OsString]) -> ColorChoice {
    let words: Vec<&str> = args
        .iter()
        .map(|arg| arg.to_str().unwrap_or_default())
        .take_while(|a| *a != "--")
        .collect();
    let said = (1..words.len()).rev().find_map(|i| match words[i].strip_prefix("--color") {
        Some("") => words.get(i + 1).copied(),
        Some(rest) => rest.strip_prefix('='),
        None => None,
    });
    said.and_then(|said| ColorChoice::from_str(said, false).ok()).unwrap_or(ColorChoice::Auto)
}

/// Whether a stream is written in colour. `auto` asks for a terminal and obeys `NO_COLOR`,
/// `CLICOLOR`, `CLICOLOR_FORCE` and `TERM=dumb`.
pub(crate) fn coloured(choice: ColorChoice, stream: &impl anstream::stream::RawStream) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => AutoStream::choice(stream) != anstream::ColorChoice::Never,
    }
}

/// A refusal as it is written to standard error.
pub(crate) fn refusal(choice: ColorChoice, message: &str) -> String {
    let (on, off) = if coloured(choice, &io::stderr()) { (RED, PLAIN) } else { ("", "") };
    format!("{on}lightloom:{off} {message}\n")
}

/// An answer with the colours of its marks.
pub(crate) fn painted(choice: ColorChoice, answer: String) -> String {
    if !coloured(choice, &io::stdout()) {
        return answer;
    }
    let paint = |line: &str| match MARKS.iter().find(|(mark, _)| line.starts_with(mark)) {
        Some((mark, colour)) => format!("{colour}{mark}{PLAIN}{}", &line[mark.len()..]),
        None => line.to_owned(),
    };
    answer.split_inclusive('\n').map(paint).collect()
}

#[test]
fn the_last_color_before_two_dashes_counts() {
    let of = |line: &str| asked(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
    assert_eq!(of("lightloom info"), ColorChoice::Auto);
    assert_eq!(of("lightloom info --color never"), ColorChoice::Never);
    assert_eq!(of("lightloom --color=always info"), ColorChoice::Always);
    assert_eq!(of("lightloom --color always info --color=never"), ColorChoice::Never);
    assert_eq!(of("lightloom info -- --color=always"), ColorChoice::Auto);
    assert_eq!(of("lightloom --color pink"), ColorChoice::Auto);
    assert_eq!(of("lightloom --color"), ColorChoice::Auto);
}
