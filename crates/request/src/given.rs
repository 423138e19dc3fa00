//! Values that a program gives in place of a file.

use std::fmt::{self, Write as _};

/// A value that a program gives in place of the text of a file. A number is kept as it is written, so that messages can
/// quote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// A text.
    Text(String),
    /// A whole number in decimal digits.
    Whole(String),
    /// A number with a fraction or an exponent.
    Number(String),
    /// True or false.
    Flag(bool),
    /// A list of values, or of tables.
    List(Vec<Given>),
    /// A table: names with their values, each name once.
    Table(Fields),
}

/// The fields of a table, in the order in which the program gives them.
pub type Fields = Vec<(String, Given)>;

/// What a program gives in place of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contents {
    /// The fields of a file in TOML.
    Fields(Fields),
    /// The cells of a file in CSV.
    Sheet {
        /// Titles of the columns.
        columns: Vec<String>,
        /// A cell for each column, row by row.
        rows: Vec<Vec<String>>,
    },
}

impl Given {
    fn is_tables(&self) -> bool {
        matches!(self, Self::List(items) if !items.is_empty() && items.iter().all(Self::is_table))
    }

    fn is_table(&self) -> bool {
        matches!(self, Self::Table(_))
    }
}

impl fmt::Display for Given {
    /// As TOML: values of one line. A table is inline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::Whole(number) | Self::Number(number) => f.write_str(number),
            Self::Flag(said) => write!(f, "{said}"),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(Self::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Self::Table(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(name, value)| format!("{} = {value}", key(name))).collect();
                write!(f, "{{ {} }}", fields.join(", "))
            }
        }
    }
}

/// The TOML file that says the same as the fields of its root. It is the record of what a program gave: the results of
/// a run name the hash of its text, and a run of that file gives the same results.
pub fn record(fields: &Fields) -> String {
    let mut text = String::new();
    write(&mut text, fields, &[]);
    text
}

/// Writes a table: its own values first, then the tables within it, each under its header.
fn write(text: &mut String, fields: &Fields, path: &[&str]) {
    let is_inner = |value: &Given| value.is_table() || value.is_tables();
    for (name, value) in fields.iter().filter(|(_, value)| !is_inner(value)) {
        let _ = writeln!(text, "{} = {value}", key(name));
    }
    for (name, value) in fields.iter().filter(|(_, value)| is_inner(value)) {
        let path: Vec<&str> = path.iter().copied().chain([name.as_str()]).collect();
        let header = path.iter().map(|name| key(name)).collect::<Vec<_>>().join(".");
        match value {
            Given::Table(inner) => {
                let _ = writeln!(text, "[{header}]");
                write(text, inner, &path);
            }
            Given::List(items) => {
                for item in items {
                    let Given::Table(inner) = item else { continue };
                    let _ = writeln!(text, "[[{header}]]");
                    write(text, inner, &path);
                }
            }
            _ => {}
        }
    }
}

fn key(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.is_empty() && name.chars().all(is_plain) { name.to_owned() } else { quoted(name) }
}

/// A text in quotes, with the escapes of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            c if u32::from(c) < 0x20 || c == '\u{7f}' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
