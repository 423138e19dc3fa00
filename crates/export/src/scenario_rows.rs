//! The text of a scenario file from rows that a form holds: what is typed becomes values, and never TOML of its own.

use std::collections::BTreeMap;

use lightloom_request::scenario::{Field, Kind, SECTIONS, Section, written};
use toml_edit::{Array, Value};

/// A section of a scenario, or one table of a list, with its values as they were typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScenarioRow {
    /// Name of the section. Empty for the fields before all sections.
    pub section: String,
    /// Values by the name of their field. A value without any text is not written.
    pub values: BTreeMap<String, String>,
}

/// The text of a scenario file, and which value each line has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScenarioText {
    /// The text.
    pub text: String,
    /// Index of the row and name of the field, by line from 1. The line of a section has no name.
    pub places: BTreeMap<u64, (usize, String)>,
}

/// Writes rows in the order of sections in a file. Sections and fields that do not exist are left out.
pub fn scenario_text(rows: &[ScenarioRow]) -> ScenarioText {
    let mut made = ScenarioText::default();
    let mut line = 0;
    let mut add = |made: &mut ScenarioText, text: &str, place: Option<(usize, &str)>| {
        line += 1;
        made.text += text;
        made.text.push('\n');
        if let Some((row, field)) = place {
            made.places.insert(line, (row, field.to_owned()));
        }
    };
    for section in SECTIONS {
        let own = rows.iter().enumerate().filter(|(_, row)| row.section == section.name);
        for (index, row) in own {
            if !section.name.is_empty() {
                add(&mut made, "", None);
                add(&mut made, &written(section), Some((index, "")));
            }
            for (field, value) in values(section, row) {
                let text = format!("{} = {value}", field.name);
                add(&mut made, &text, Some((index, field.name)));
            }
        }
    }
    made
}

/// The values of a row, in the order of the fields.
fn values<'a>(
    section: &'a Section,
    row: &'a ScenarioRow,
) -> impl Iterator<Item = (&'a Field, Value)> {
    section.fields.iter().filter_map(|field| {
        let typed = row.values.get(field.name)?;
        // A control character would be a line of its own.
        let typed: String = typed.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let typed = typed.trim();
        (!typed.is_empty()).then(|| (field, value(field.kind, typed)))
    })
}

/// A value as its field takes it. What is of another kind is written as a text, and the reader refuses it.
fn value(kind: Kind, typed: &str) -> Value {
    let whole = || typed.parse::<i64>().ok().map(Value::from);
    let number = || typed.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from);
    let found = match kind {
        Kind::Whole | Kind::WholeOr(_) | Kind::Node => whole(),
        Kind::Number => number(),
        Kind::Flag => typed.parse::<bool>().ok().map(Value::from),
        Kind::Nodes | Kind::Members | Kind::Flows => whole().or_else(|| list(typed)),
        Kind::Text | Kind::Path | Kind::Word(_) | Kind::Quantity(..) | Kind::QuantityOr(..) => None,
    };
    found.unwrap_or_else(|| typed.into())
}

/// A list, if there is a comma. Whole numbers stay numbers.
fn list(typed: &str) -> Option<Value> {
    let one = |item: &str| item.parse::<i64>().map_or_else(|_| item.into(), Value::from);
    let items = typed.split(',').map(str::trim).filter(|item| !item.is_empty());
    typed.contains(',').then(|| Value::from(items.map(one).collect::<Array>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(section: &str, values: &[(&str, &str)]) -> ScenarioRow {
        let values = values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        ScenarioRow { section: section.to_owned(), values: values.collect() }
    }

    #[test]
    fn what_is_typed_is_a_value() {
        let rows = [
            row("flow", &[("from", "0"), ("to", "host 3"), ("size", "1 kB\"\n[network]\nx = 1")]),
            row("", &[("version", "1"), ("until", " 1 ms "), ("seed", "x"), ("wrong", "1")]),
            row("loss", &[("link", "host 0, leaf 0"), ("rate", "1e-5"), ("corrupt", "true")]),
            row("no section", &[("a", "b")]),
        ];
        let made = scenario_text(&rows);
        let expected = "version = 1\nseed = \"x\"\nuntil = \"1 ms\"\n\n[[flow]]\nfrom = 0\nto = \"host 3\"\n\
                        size = '1 kB\" [network] x = 1'\n\n[[loss]]\nlink = [\"host 0\", \"leaf 0\"]\nrate = 0.00001\n\
                        corrupt = true\n";
        assert_eq!(made.text, expected);
        assert_eq!(made.places[&2], (1, "seed".to_owned()));
        assert_eq!(made.places[&7], (0, "to".to_owned()));
        assert!(!made.places.contains_key(&4));
        assert_eq!(made.places[&5], (0, String::new()));
    }
}
