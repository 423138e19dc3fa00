//! Rows of a scenario file for a form, and changes of single values in its text. Everything else stays as it is,
//! comments included. What is typed becomes values, and never TOML of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lightloom_request::InputError;
use lightloom_scenario::said::{Field, Kind, SECTIONS, Section, written};
use lightloom_scenario::scenario::NetworkKind;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use crate::design_edit::{parsed, set};

/// A section of a scenario, or one table of a list.
#[derive(Debug, Clone)]
pub struct ScenarioRow {
    /// Its section. The fields before all sections are the section without a name.
    pub section: &'static Section,
    /// Index of the table in its list, 0 where the section is no list.
    pub at: usize,
    /// The line that it begins in, counted from 1.
    pub line: u64,
    /// Values by the name of their field.
    pub values: BTreeMap<String, ScenarioValue>,
}

/// A value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioValue {
    /// The value as it is typed: a text without its quotes, a list with commas.
    pub typed: String,
    /// The line of the field, counted from 1.
    pub line: u64,
}

/// A change of a scenario. Rows are named by their index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScenarioChange<'a> {
    /// Gives a field a value. An empty one takes the field away.
    Set {
        /// Index of the row.
        row: usize,
        /// Name of the field.
        field: &'a str,
        /// The value, as it is typed.
        typed: &'a str,
    },
    /// Adds a section, or a table to a list. A section that is no list is added once.
    Add(&'a str),
    /// Removes a row. The fields before all sections and the network stay.
    Remove(usize),
}

impl ScenarioRow {
    /// The fields that apply to the kind of network or the pattern of the row.
    pub fn fields(&self) -> Vec<&'static Field> {
        let kind = self.section.chosen_by().and_then(|field| self.values.get(field.name));
        let names = self.section.names_of(kind.map_or("", |kind| &kind.typed));
        self.section.fields.iter().filter(|field| names.contains(&field.name)).collect()
    }

    /// Whether it can be removed.
    pub fn can_go(&self) -> bool {
        !matches!(self.section.name, "" | "network")
    }
}

/// The rows of a scenario file, in the order of [`SECTIONS`]. Tables that are no section of scenarios are left out.
///
/// # Errors
/// [`InputError`] at the line if the text is not TOML.
pub fn scenario_rows(text: &str, file: &Path) -> Result<Vec<ScenarioRow>, InputError> {
    let document = parsed(text, file)?;
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let line = |at: usize| 1 + ends.partition_point(|&end| end < at) as u64;
    let mut rows = Vec::new();
    for section in SECTIONS {
        for (at, (begins, table)) in tables(document.as_item(), section).into_iter().enumerate() {
            let values = table.iter().filter(|(name, _)| !is_section(section, name));
            let values = values.filter_map(|(name, item)| {
                let key = table.key(name).and_then(toml_edit::Key::span);
                let at = key.or(item.span()).map_or(begins, |span| span.start);
                Some((name.to_owned(), ScenarioValue { typed: typed(item)?, line: line(at) }))
            });
            rows.push(ScenarioRow { section, at, line: line(begins), values: values.collect() });
        }
    }
    Ok(rows)
}

/// The design, or the folder or `plan.json` of a plan, whose racks a scenario joins. The path is the one by which the
/// file is read: that of the scenario with what its text says. `None`: its network is of another kind.
pub fn scenario_design(rows: &[ScenarioRow], file: &Path) -> Option<PathBuf> {
    let network = rows.iter().find(|row| row.section.name == "network")?;
    let typed = |name: &str| network.values.get(name).map(|value| value.typed.as_str());
    typed("kind").filter(|kind| *kind == NetworkKind::Design.name())?;
    Some(file.parent().unwrap_or(Path::new("")).join(typed("file")?))
}

/// The tables of a section with the places where they begin.
fn tables<'a>(root: &'a Item, section: &Section) -> Vec<(usize, &'a dyn TableLike)> {
    let mut item = root;
    if !section.name.is_empty() {
        for name in section.name.split('.') {
            let Some(inner) = item.get(name) else { return Vec::new() };
            item = inner;
        }
    }
    let begin = |span: Option<std::ops::Range<usize>>| span.map_or(0, |span| span.start);
    match item {
        Item::Table(table) => {
            let is_written = section.name.is_empty() || !(table.is_implicit() || table.is_dotted());
            let is_row = is_written || has_values(table);
            is_row.then_some((begin(table.span()), table as &dyn TableLike)).into_iter().collect()
        }
        Item::Value(Value::InlineTable(table)) => {
            let is_row = table.is_empty() || has_values(table);
            is_row.then_some((begin(table.span()), table as &dyn TableLike)).into_iter().collect()
        }
        Item::ArrayOfTables(list) => {
            list.iter().map(|table| (begin(table.span()), table as &dyn TableLike)).collect()
        }
        Item::Value(Value::Array(list)) => {
            let table = |value: &'a Value| Some((begin(value.span()), value.as_inline_table()?));
            list.iter().filter_map(table).map(|(at, table)| (at, table as &dyn TableLike)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a field of a section is a section itself, as in `flow = [{from = 0}]`.
fn is_section(section: &Section, field: &str) -> bool {
    let is_it = |inner: &Section| match section.name {
        "" => inner.name == field,
        outer => {
            inner.name.strip_prefix(outer).and_then(|rest| rest.strip_prefix('.')) == Some(field)
        }
    };
    SECTIONS.iter().any(is_it)
}

/// Whether a table has values of its own, and not only those of inner sections.
fn has_values(table: &dyn TableLike) -> bool {
    table.iter().any(|(_, item)| !item.is_table_like())
}

/// A value as it is typed. `None`: it is a table.
fn typed(item: &Item) -> Option<String> {
    let one = |value: &Value| match value {
        Value::String(text) => text.value().clone(),
        other => other.clone().decorated("", "").to_string(),
    };
    match item.as_value()? {
        Value::InlineTable(_) => None,
        // A list of one node is no number of nodes.
        Value::Array(list) if list.len() < 2 => {
            Some(list.iter().map(one).collect::<String>() + ",")
        }
        Value::Array(list) => Some(list.iter().map(one).collect::<Vec<_>>().join(", ")),
        value => Some(one(value)),
    }
}

/// The text of a scenario after a change. What does not exist or must stay is not changed.
///
/// # Errors
/// [`InputError`] if the text is not TOML, or if something else stands in place of a section.
pub fn change_scenario(
    text: &str,
    file: &Path,
    change: ScenarioChange<'_>,
) -> Result<String, InputError> {
    let rows = scenario_rows(text, file)?;
    let mut document = parsed(text, file)?.into_mut();
    match change {
        ScenarioChange::Set { row, field, typed } => {
            let declared = rows.get(row).and_then(|row| {
                let field = row.section.fields.iter().find(|known| known.name == field)?;
                Some((row, field))
            });
            if let Some((row, field)) = declared {
                give(&mut document, row, field, typed);
            }
        }
        ScenarioChange::Add(name) => {
            let section = SECTIONS.iter().find(|section| section.name == name);
            if let Some(section) = section.filter(|section| !section.name.is_empty()) {
                let is_there = rows.iter().any(|row| row.section.name == name);
                if section.is_list || !is_there {
                    add(document.as_table_mut(), section).map_err(|error| error.in_file(file))?;
                }
            }
        }
        ScenarioChange::Remove(row) => {
            if let Some(row) = rows.get(row).filter(|row| row.can_go()) {
                remove(&mut document, row);
            }
        }
    }
    Ok(document.to_string())
}

/// The item that holds the last name of a section, and that name. `None`: it is not there.
fn holder<'a, 'b>(
    document: &'a mut DocumentMut,
    section: &'b Section,
) -> Option<(&'a mut dyn TableLike, &'b str)> {
    let (outer, last) = section.name.rsplit_once('.').unwrap_or(("", section.name));
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for name in outer.split('.').filter(|name| !name.is_empty()) {
        table = table.get_mut(name)?.as_table_like_mut()?;
    }
    Some((table, last))
}

/// The table of a row.
fn table_of<'a>(document: &'a mut DocumentMut, row: &ScenarioRow) -> Option<&'a mut dyn TableLike> {
    if row.section.name.is_empty() {
        return Some(document.as_table_mut());
    }
    let (table, name) = holder(document, row.section)?;
    match table.get_mut(name)? {
        Item::ArrayOfTables(list) => Some(list.get_mut(row.at)?),
        Item::Value(Value::Array(list)) => {
            let mut tables = list.iter_mut().filter_map(Value::as_inline_table_mut);
            Some(tables.nth(row.at)?)
        }
        item => item.as_table_like_mut(),
    }
}

/// Gives a field of a row a value. With another kind of network or another pattern, fields that do not apply go.
fn give(document: &mut DocumentMut, row: &ScenarioRow, field: &Field, typed: &str) {
    let Some(table) = table_of(document, row) else { return };
    // A control character would be a line of its own.
    let typed: String = typed.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let typed = typed.trim();
    if typed.is_empty() {
        table.remove(field.name);
    } else {
        set(table, field.name, value(field.kind, typed));
    }
    if row.section.chosen_by().is_some_and(|chosen| chosen.name == field.name) {
        let names = row.section.names_of(typed);
        let others = row.section.fields.iter().filter(|other| !names.contains(&other.name));
        others.for_each(|other| {
            table.remove(other.name);
        });
    }
}

/// Adds a section, or a table to a list.
fn add(mut table: &mut dyn TableLike, section: &Section) -> Result<(), InputError> {
    let no_section = |name: &str| {
        let written = written(section);
        InputError::new(format!("`{name}` is no section; write {written} in its place"))
    };
    let mut new = Table::new();
    new.decor_mut().set_prefix("\n");
    let (outer, last) = section.name.rsplit_once('.').unwrap_or(("", section.name));
    for name in outer.split('.').filter(|name| !name.is_empty()) {
        let mut implicit = Table::new();
        implicit.set_implicit(true);
        let inner = table.entry(name).or_insert(Item::Table(implicit));
        table = inner.as_table_like_mut().ok_or_else(|| no_section(name))?;
    }
    if !section.is_list {
        match table.get_mut(last) {
            // `[parameters.wire]` without `[parameters]` has made it.
            Some(Item::Table(there)) if there.is_implicit() => there.set_implicit(false),
            Some(_) => return Err(no_section(last)),
            None => {
                table.insert(last, Item::Table(new));
            }
        }
        return Ok(());
    }
    match table.entry(last).or_insert(Item::ArrayOfTables(ArrayOfTables::new())) {
        Item::ArrayOfTables(list) => list.push(new),
        Item::Value(Value::Array(list)) => list.push(InlineTable::new()),
        _ => return Err(no_section(last)),
    }
    Ok(())
}

/// Removes a row. An empty list goes with its last table. Inner sections stay.
fn remove(document: &mut DocumentMut, row: &ScenarioRow) {
    let Some((table, name)) = holder(document, row.section) else { return };
    let goes = match table.get_mut(name) {
        Some(Item::ArrayOfTables(list)) => {
            list.remove(row.at);
            list.is_empty()
        }
        Some(Item::Value(Value::Array(list))) => {
            let is_table = |at: &usize| list.get(*at).is_some_and(Value::is_inline_table);
            let found = (0..list.len()).filter(is_table).nth(row.at);
            found.map(|at| list.remove(at));
            list.is_empty()
        }
        Some(Item::Table(own)) => {
            own.retain(|_, item| item.is_table_like());
            own.set_implicit(true);
            own.is_empty()
        }
        Some(Item::Value(Value::InlineTable(own))) => {
            own.retain(|_, value| value.is_inline_table());
            own.is_empty()
        }
        _ => false,
    };
    if goes {
        table.remove(name);
    }
}

/// A value as its field takes it. What is of another kind is written as a text, and the reader refuses it.
fn value(kind: Kind, typed: &str) -> Value {
    let whole = || typed.parse::<i64>().ok().map(Value::from);
    let number = || typed.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from);
    let found = match kind {
        Kind::Whole | Kind::WholeOr(_) | Kind::Node => whole(),
        Kind::Number => number(),
        Kind::Flag => typed.parse::<bool>().ok().map(Value::from),
        Kind::Nodes | Kind::Members | Kind::Flows => {
            whole().or_else(|| typed.contains(',').then(|| list(typed)))
        }
        Kind::NodeList => Some(list(typed)),
        Kind::Text | Kind::Path | Kind::Word(_) | Kind::Quantity(..) | Kind::QuantityOr(..) => None,
    };
    found.unwrap_or_else(|| typed.into())
}

/// A list, with commas between its items. Whole numbers stay numbers.
fn list(typed: &str) -> Value {
    let one = |item: &str| item.parse::<i64>().map_or_else(|_| item.into(), Value::from);
    let items = typed.split(',').map(str::trim).filter(|item| !item.is_empty());
    Value::from(items.map(one).collect::<Array>())
}
