//! Lines of a text.

/// The line of a byte, counted from 1. A line ends with LF, CR LF or CR.
pub fn line_at(bytes: &[u8], at: usize) -> u64 {
    1 + line_ends(bytes, 0, at.min(bytes.len()))
}

/// Number of line ends in `from..to`.
pub(super) fn line_ends(bytes: &[u8], from: usize, to: usize) -> u64 {
    (from..to).filter(|&at| ends_line(bytes, at)).count() as u64
}

/// Whether this byte ends a line.
fn ends_line(bytes: &[u8], at: usize) -> bool {
    match bytes[at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    }
}
