//! The reference page of design and scenario files, made from the declarations of settings and fields.

use std::fmt::Write as _;

use lightloom_request::key::Default;
use lightloom_request::{Takes, Value, setting};
use lightloom_scenario::said::{self, Kind, written};

/// The page as Markdown.
pub fn page() -> String {
    let mut text = String::from(
        "# Settings\n\n\
         This page is made from the declarations of the settings (`crates/request/src/setting.rs` and\n\
         `crates/scenario/src/said`). A test fails if they differ. It writes the page if `UPDATE_SCHEMAS=1` is set.\n\n\
         ## Design files\n\n\
         A design file is TOML and begins with `version = 1`. A flag of the command line, or a keyword argument in\n\
         Python, overrides the file. The JSON Schema: `lightloom schema design`.\n",
    );
    for (section, about) in setting::sections() {
        let _ = write!(text, "\n### `[{section}]`\n\n{}\n\n", about.trim());
        text.push_str(
            "| key | flag | keyword | takes | default | meaning |\n|---|---|---|---|---|---|\n",
        );
        for key in setting::all().iter().filter(|key| key.section() == section) {
            let flag = key.flag.map_or_else(String::new, |flag| format!("`{flag}`"));
            let default = match key.default {
                Default::Value(value) => format!("`{}`", plain(&value.into())),
                Default::Depends(words, _) => words.to_owned(),
            };
            let (field, keyword, takes) = (key.field(), key.keyword(), takes(key.takes));
            let cells = [format!("`{field}`"), flag, format!("`{keyword}`"), takes, default];
            let _ = writeln!(text, "| {} | {} |", cells.join(" | "), key.help);
        }
    }
    text.push_str(
        "\n## Scenario files\n\nA scenario is TOML and begins with `version = 1`. The JSON Schema:\n\
         `lightloom schema scenario`.\n",
    );
    for section in said::SECTIONS {
        let title = match section.name {
            "" => "Before all sections".to_owned(),
            _ => format!("`{}`", written(section)),
        };
        let _ = write!(text, "\n### {title}\n\n{}\n\n", section.about);
        text.push_str("| field | takes | default | meaning |\n|---|---|---|---|\n");
        for field in section.fields {
            let only = match field.only {
                [] => String::new(),
                only => format!(" Only of {}.", only.join(", ")),
            };
            let default = if field.default.is_empty() { "required" } else { field.default };
            let takes = kind(field.kind);
            let _ =
                writeln!(text, "| `{}` | {takes} | {default} | {}{only} |", field.name, field.help);
        }
    }
    text
}

fn plain(value: &Value) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Text(text) => format!("\"{text}\""),
        Value::List(list) => format!("{list:?}"),
    }
}

fn takes(takes: Takes) -> String {
    match takes {
        Takes::Whole { least, most } if most < i64::from(u32::MAX) => {
            format!("whole number, {least} to {most}")
        }
        Takes::Whole { .. } => "whole number".into(),
        Takes::Number => "number in quotes".into(),
        Takes::Text => "text".into(),
        Takes::Choice(_) => takes.words().join(", "),
        Takes::Path => "path".into(),
        Takes::Texts { .. } => "list of texts".into(),
        Takes::Quantity(what, _) => format!("{}, in quotes", what()),
        Takes::Quantities(what, _) => format!("list of {}, in quotes", what()),
    }
}

fn kind(kind: Kind) -> String {
    match kind {
        Kind::Whole => "whole number".into(),
        Kind::WholeOr(word) => format!("whole number, or \"{word}\""),
        Kind::Number => "number".into(),
        Kind::Flag => "true or false".into(),
        Kind::Text => "text".into(),
        Kind::Path => "path".into(),
        Kind::Word(words) => words.join(", "),
        Kind::Quantity(what, unit) => format!("{what} in quotes, such as \"1 {unit}\""),
        Kind::QuantityOr(what, unit, word) => {
            format!("{what} in quotes, such as \"1 {unit}\", or \"{word}\"")
        }
        Kind::Node => "number or name of a node".into(),
        Kind::Nodes => "list of nodes, or a number".into(),
        Kind::NodeList => "list of nodes".into(),
        Kind::Members => "list of hosts, or \"all\"".into(),
        Kind::Flows => "number of a flow or name of a [[multicast]], or a list of these".into(),
    }
}
