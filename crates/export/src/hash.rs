//! SHA-256 of files, in hexadecimal digits.

#[cfg(feature = "folders")]
use std::io::{self, Read};

use sha2::{Digest as _, Sha256};

/// The hash of bytes.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    digits(&Sha256::digest(bytes))
}

/// The hash of all that can be read.
#[cfg(feature = "folders")]
pub(crate) fn sha256_of(mut from: impl Read) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok(digits(&hash.finalize())),
            read => hash.update(&buffer[..read]),
        }
    }
}

fn digits(hash: &[u8]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
