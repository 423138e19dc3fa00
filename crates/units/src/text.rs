//! Shows text that came from outside: names, cells, file names, values of flags.
//!
//! A terminal obeys some characters, and a reader does not see others. Both are replaced by their escapes, such as
//! `\u{1b}` and `\u{202e}`. A line that quotes the text can then neither move the cursor nor change how the rest of
//! the line reads.

use std::fmt::{self, Write as _};
use std::path::Path;

/// Characters that spreadsheets read as the start of a formula: the ASCII ones, and the full-width forms that some
/// of them read in the same way (OWASP, CSV injection).
pub const FORMULA_STARTS: [char; 10] =
    ['=', '+', '-', '@', '\t', '\r', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// Whether a character breaks a line, is invisible, changes the direction of writing, or is none (a noncharacter).
///
/// These are the control characters C0, DEL and C1, the separators of lines and paragraphs, the format characters
/// that show nothing, and the noncharacters of Unicode. XML has neither most of the first nor U+FFFE and U+FFFF.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e007f}'
                | '\u{fdd0}'..='\u{fdef}'
        )
        || u32::from(c) & 0xfffe == 0xfffe
}

/// A text with its hidden characters made visible. It is one line.
pub fn shown(text: &str) -> Shown<'_> {
    Shown { text, keeps: &[] }
}

/// A text of several lines with its hidden characters made visible, line feeds excepted.
pub fn shown_lines(text: &str) -> Shown<'_> {
    Shown { text, keeps: &['\n'] }
}

/// A path with its hidden characters made visible. A byte that is no text is shown as `\xff`.
pub fn shown_path(path: &Path) -> String {
    let mut path_shown = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        // Writing to a string does not fail.
        let _ = write!(path_shown, "{}", shown(chunk.valid()));
        for byte in chunk.invalid() {
            let _ = write!(path_shown, "\\x{byte:02x}");
        }
    }
    path_shown
}

/// A JSON text with the hidden characters of its strings as escapes of JSON. It is the same document.
pub fn shown_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        // Between strings JSON has no other control characters than these, and within them it has none.
        if is_hidden(c) && !matches!(c, '\n' | '\r' | '\t') {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(shown, "\\u{unit:04x}");
            }
        } else {
            shown.push(c);
        }
    }
    shown
}

/// A text that is displayed with its hidden characters made visible.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    text: &'a str,
    /// Hidden characters that stay.
    keeps: &'static [char],
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_shown = |c: char| is_hidden(c) && !self.keeps.contains(&c);
        let mut rest = self.text;
        while let Some(at) = rest.find(is_shown) {
            f.write_str(&rest[..at])?;
            let mut after = rest[at..].chars();
            for c in after.next().into_iter().flat_map(char::escape_default) {
                f.write_char(c)?;
            }
            rest = after.as_str();
        }
        f.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters of every kind that is hidden.
    const HIDDEN: &str = "\0\t\n\r\u{1b}\u{7f}\u{80}\u{9b}\u{9f}\u{ad}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\
        \u{2028}\u{2029}\u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{206f}\u{feff}\u{fff9}\u{fdd0}\u{fffe}\u{ffff}\
        \u{1fffe}\u{10ffff}\u{e0041}";

    #[test]
    fn every_hidden_character_is_shown_as_ascii() {
        for c in HIDDEN.chars() {
            let text = shown(&format!("a{c}b")).to_string();
            assert!(text.is_ascii() && text.starts_with("a\\") && text.ends_with('b'), "{text:?}");
        }
        assert_eq!(shown("\u{1b}[2J\u{202e}\n").to_string(), r"\u{1b}[2J\u{202e}\n");
        assert_eq!(shown_lines("a\n\u{9b}b\r\n").to_string(), "a\n\\u{9b}b\\r\n");
    }

    #[test]
    fn what_readers_see_stays_as_it_is() {
        let seen = "R1.01-42 \"x\" 'y' \\ Zürich 東京 עברית 🦀 e\u{301} \u{fffd} \u{a0}";
        assert_eq!(shown(seen).to_string(), seen);
        assert_eq!(shown_json(seen), seen);
    }

    #[cfg(unix)]
    #[test]
    fn paths_show_what_is_no_text() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;
        let path = Path::new(OsStr::from_bytes(b"a/\xff\x1b[2Jb\n\xe2\x80\xae"));
        assert_eq!(shown_path(path), r"a/\xff\u{1b}[2Jb\n\u{202e}");
        assert_eq!(shown_path(Path::new("plan/Zürich.csv")), "plan/Zürich.csv");
    }

    #[test]
    fn json_says_the_same_with_escapes_of_its_own() {
        assert_eq!(
            shown_json("{\"a\":\n\t\"x\u{7f}\u{9b}\u{202e}\u{10ffff}\"}"),
            "{\"a\":\n\t\"x\\u007f\\u009b\\u202e\\udbff\\udfff\"}"
        );
    }
}
