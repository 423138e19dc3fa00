//! Every key refuses a value of another kind, and says which kind it takes: the table of keys and what
//! reads them agree.

use lightloom::Value;
use lightloom::light::{BudgetOptions, Case};
use lightloom::{Request, Takes, Watch, setting};

use crate::place::key;

/// The refusal of a 4,2-Shufflecast, or a fabric that reads the key, with this value of a key.
fn refusal(name: &'static str, value: &Value) -> Option<String> {
    let base = [
        (
            "fabric.family",
            Value::Text(if name == "fabric.edges" { "custom" } else { "shufflecast" }.into()),
        ),
        ("fabric.p", Value::Integer(4)),
        ("fabric.k", Value::Integer(2)),
        ("cost.years", Value::Integer(3)),
        ("optics.transceiver", Value::Text("10g-l40".into())),
    ];
    let mut flags: Vec<_> = base.into_iter().filter(|(key, _)| *key != name).collect();
    if name == "fabric.edges" {
        flags.retain(|(key, _)| *key != "fabric.k");
    }
    // A price alone is not read; years without one are refused for it.
    if name != "cost.energy_price" {
        flags.push(("cost.energy_price", Value::Text("0.1 USD".into())));
    }
    // A filter is read with an inventory only.
    flags.push((name, value.clone()));
    let flags = flags.into_iter().map(|(name, value)| (key(name), value)).collect();
    let project = match lightloom::open(&Request { flags, ..Request::default() }) {
        Ok(project) => project,
        Err(error) => return Some(error.to_string()),
    };
    let options = BudgetOptions { case: Some(Case::MonteCarlo), threads: None };
    project.budget(&options, Watch::quiet()).err().map(|error| error.to_string())
}

#[test]
fn a_value_of_another_kind_is_refused_with_what_is_taken() {
    let integer = Value::Integer(7);
    let text = Value::Text("seven".into());
    let list = Value::List(vec!["seven".into()]);
    for key in setting::all().iter().filter(|key| key.name != "version") {
        let others = match key.takes.kind() {
            "whole" => [&text, &list],
            "list" => [&integer, &text],
            _ => [&integer, &list],
        };
        for value in others {
            let told =
                refusal(key.name, value).unwrap_or_else(|| panic!("{} takes {value}", key.name));
            let expected = format!("found {value}; expected {}", key.takes);
            assert!(told.ends_with(&expected), "{}: {told}", key.name);
        }
    }
}

#[test]
fn a_quantity_without_its_unit_is_refused_by_the_type_that_the_table_names() {
    for key in setting::all() {
        if let Takes::Quantity(of, _) = key.takes {
            let told = refusal(key.name, &Value::Text("0.6".into()));
            let told = told.unwrap_or_else(|| panic!("{} takes 0.6", key.name));
            assert!(told.ends_with(&format!("found \"0.6\"; expected {}", of())), "{told}");
        }
    }
}
