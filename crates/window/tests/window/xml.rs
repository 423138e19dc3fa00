//! A small reader of XML, strict about what the window writes: declarations, elements, attributes and texts.

use std::collections::BTreeMap;

/// Reads a document. Returns its texts, and the number of elements of each name.
///
/// # Panics
/// Where it is not well formed.
pub fn read(document: &str) -> (String, BTreeMap<String, usize>) {
    let (mut texts, mut elements) = (String::new(), BTreeMap::new());
    let mut open: Vec<&str> = Vec::new();
    let mut rest =
        document.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("its head");
    while let Some((text, after)) = rest.split_once('<') {
        texts += &plain(text);
        let (tag, after) = after.split_once('>').expect("a tag ends");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "elements end in their order");
            continue;
        }
        let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(name.chars().all(|c| c.is_ascii_alphabetic()), "{name:?}");
        check(attributes);
        *elements.entry(name.to_owned()).or_default() += 1;
        if !is_empty {
            open.push(name);
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?}");
    (texts, elements)
}

/// Checks attributes: names, each once, and values in quotes.
fn check(attributes: &str) {
    let mut seen = BTreeMap::new();
    let mut rest = attributes.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"").expect("a name and a value");
        let (value, after) = after.split_once('"').expect("a value ends");
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "-:".contains(c)), "{name:?}");
        assert!(seen.insert(name, value).is_none(), "{name} twice");
        // The letters of a picture can be any.
        let is_picture = value.starts_with("data:image/png;base64,");
        let is_number = !plain(value).contains("NaN") && !value.contains("inf");
        assert!(is_picture || is_number, "{name} is {value}");
        rest = after.trim();
    }
}

/// A text without references. An ampersand begins one of the five names.
fn plain(text: &str) -> String {
    let names = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "\0")];
    let mut plain = text.to_owned();
    for (name, c) in names {
        plain = plain.replace(name, c);
    }
    assert!(!plain.contains('&'), "{text:?}");
    plain.replace('\0', "&")
}
