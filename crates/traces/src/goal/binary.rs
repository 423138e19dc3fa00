//! GOAL's binary forms, which are told and not read.

use crate::error::TraceError;

/// What both layouts begin with, as an unsigned number of 64 bits, least byte first.
const COOKIE: [u8; 8] = 4223_u64.to_le_bytes();

/// The refusal of a file in a binary form of GOAL; none where it is none.
pub fn refusal(bytes: &[u8]) -> Option<TraceError> {
    bytes.starts_with(&COOKIE).then(|| {
        TraceError::new(
            "is GOAL in a binary form (it begins with the number 4223), of which there are two layouts that do not \
             tell themselves apart; give the text that it was made from",
        )
    })
}
