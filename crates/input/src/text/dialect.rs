//! Detects the separator of a table and unclosed quotes.
//!
//! Only the header line decides, so the result does not depend on the rows.

/// Possible separators: comma, semicolon, tab.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// The separator of a table, and the byte offset of its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) separator: u8,
    pub(super) start: usize,
}

impl Dialect {
    /// The dialect of tables that lightloom writes.
    pub(super) const OWN: Self = Self { separator: b',', start: 0 };

    /// Detects the dialect from a first line `sep=;`, or else from the header line. If the header has one
    /// separator outside quotes, that one is used. If it has several, the one that yields a known column is
    /// used. `None`: undecided.
    pub(super) fn of(text: &str, is_known: impl Fn(&str) -> bool) -> Option<Self> {
        let first = text.split(['\r', '\n']).next().unwrap_or_default();
        if let [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', separator] =
            *first.trim_end_matches(' ').as_bytes()
            && SEPARATORS.contains(&separator)
        {
            return Some(Self { separator, start: first.len() });
        }
        let header = header_line(text);
        let of = |separator| Self { separator, start: 0 };
        let cells = SEPARATORS.map(|separator| (separator, cells(header, separator)));
        let mut there = cells.iter().filter(|(_, cells)| cells.len() > 1);
        match (there.next(), there.next()) {
            (None, _) => Some(Self::OWN),
            (Some((separator, _)), None) => Some(of(*separator)),
            (Some(_), Some(_)) => {
                let known = |cells: &[&str]| cells.iter().any(|cell| is_known(cell));
                let mut known = cells.iter().filter(|(_, cells)| known(cells));
                let decided = known.next().map(|(separator, _)| of(*separator));
                decided.filter(|_| known.next().is_none())
            }
        }
    }
}

/// The first line that is not empty. A line break within quotes does not end it.
fn header_line(text: &str) -> &str {
    let text = text.trim_start_matches(['\r', '\n']);
    let mut quoted = false;
    let end = text.bytes().position(|byte| {
        quoted ^= byte == b'"';
        !quoted && matches!(byte, b'\r' | b'\n')
    });
    &text[..end.unwrap_or(text.len())]
}

/// The cells of a line, without their quotes.
fn cells(line: &str, separator: u8) -> Vec<&str> {
    let mut quoted = false;
    let split = line.split(|c: char| {
        quoted ^= c == '"';
        !quoted && c == char::from(separator)
    });
    split.map(|cell| cell.trim().trim_matches('"')).collect()
}

/// Byte offset of the first quote that is never closed. All text after it would be one cell.
pub(super) fn unclosed_quote(text: &str, separator: u8) -> Option<usize> {
    let mut opened = None;
    let mut at_start = true;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if opened.is_some() {
            if byte == b'"' && bytes.get(at + 1) == Some(&b'"') {
                at += 1;
            } else if byte == b'"' {
                opened = None;
            }
        } else if at_start && byte == b'"' {
            opened = Some(at);
        }
        at_start = opened.is_none() && (byte == separator || matches!(byte, b'\r' | b'\n'));
        at += 1;
    }
    opened
}
