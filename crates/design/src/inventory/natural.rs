//! Natural order: "Row 2" before "Row 10".

/// A sort key that orders numbers in texts by value. The text itself breaks ties.
pub fn natural_key(text: &str) -> (Vec<Piece>, String) {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_digit = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        pieces.push(if is_digit {
            let digits = piece.trim_start_matches('0');
            Piece::Number(digits.len(), digits.to_owned())
        } else {
            Piece::Text(piece.to_lowercase())
        });
        rest = after;
    }
    (pieces, text.to_owned())
}

/// A run of digits or of other characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Piece {
    /// Digits without leading zeros: their number, then the digits. More digits are larger.
    Number(usize, String),
    /// Other characters, in lower case.
    Text(String),
}
