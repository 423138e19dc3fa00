//! Base 64 (RFC 4648, 4): bytes of a picture within a text.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The text of these bytes.
pub(super) fn text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let at = |index: usize| u32::from(three.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            // A group of one or two bytes has two or three digits.
            if place > three.len() {
                text.push('=');
                continue;
            }
            let digit = (bits >> (18 - 6 * place)) & 63;
            text.push(char::from(DIGITS[digit as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_examples_of_the_standard() {
        let texts =
            ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|t| super::text(t.as_bytes()));
        let told = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        assert_eq!(texts, told);
    }
}
