//! The reference page, and the JSON Schemas of design and scenario files, against the files that hold them.

use std::fs;
use std::path::Path;

use lightloom::{Request, design_schema, reference_page, scenario_schema, setting};

/// The variable that rewrites the files.
const UPDATE: &str = "UPDATE_SCHEMAS";

fn is_held(name: &str, made: &str) {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&place, made).expect("it is written");
    }
    let held = fs::read_to_string(&place).unwrap_or_default();
    assert!(held == made, "docs/{name} differs from the declarations. Rewrite it with {UPDATE}=1");
}

#[test]
fn the_reference_page_is_made_from_the_declarations() {
    is_held("settings.md", &reference_page());
}

#[test]
fn the_schemas_of_files_are_made_from_the_declarations() {
    let text = |schema| serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
    is_held("design.schema.json", &text(design_schema()));
    is_held("scenario.schema.json", &text(scenario_schema()));
}

/// A default that is written in a declaration is a value that the setting takes.
#[test]
fn a_default_can_be_said() {
    let mut count = 0;
    for key in setting::all() {
        let lightloom::key::Default::Value(value) = key.default else { continue };
        count += 1;
        let mut request = Request::default();
        request.flags.push((*setting::fabric::P, lightloom::Value::Integer(4)));
        request.flags.push((*setting::fabric::TORS, lightloom::Value::Integer(12)));
        request.flags.push((key, value.into()));
        if key.name != "version" {
            let opened = lightloom::open(&request);
            assert!(opened.is_ok(), "{}: {:?}", key.name, opened.err().map(|e| e.to_string()));
        }
    }
    assert!(count > 10, "{count}");
}
