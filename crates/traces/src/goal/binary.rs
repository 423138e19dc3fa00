//! GOAL's binary forms, which are told and not read.

use crate::error::TraceError;

/// What both layouts begin with, as an unsigned number of 64 bits, least byte first; the second in a file that
/// LogGOPSim has run.
const COOKIES: [[u8; 8]; 2] = [4223_u64.to_le_bytes(), 2342_u64.to_le_bytes()];

/// The refusal of a file in a binary form of GOAL; none where it is none.
pub fn refusal(bytes: &[u8]) -> Option<TraceError> {
    COOKIES.iter().any(|cookie| bytes.starts_with(cookie)).then(|| {
        TraceError::new(
            "is GOAL in a binary form (it begins with the number 4223 or 2342), of which there are two layouts that \
             do not tell themselves apart; give the text that it was made from",
        )
    })
}
