//! SONiC: what changes in settings of ports, as a JSON patch (RFC 6902) for `config apply-patch`.
//!
//! Rows of `PORT` belong to the platform, which gave them `lanes`. So a patch sets and removes their fields, and never
//! a whole row.

use lightloom_request::InputError;
use lightloom_switching::delta::Delta;
use lightloom_switching::fabric::Configs;
use lightloom_topology::TorId;
use serde_json::{Map, Value, json};

use super::class;
use super::files::tables;

/// What stands behind the files.
pub(super) const PROOF: &str = "written from RFC 6902 and SONiC's published YANG models, and never run; the library \
                                jsonpatch applies the patches to the old files and finds the new ones";

/// The table whose rows belong to the platform.
const PORT: &str = "PORT";
/// Fields of a port that is not used any more that stay: a platform has them for each port.
const KEPT: [&str; 3] = ["admin_status", "mtu", "speed"];

/// The patch of a phase on a switch. `None`: nothing changes there, or the switch has no rules before and needs its
/// whole `config_db.json`.
///
/// # Errors
/// [`InputError`] as for configurations.
pub(super) fn changes(
    [old, new]: [&Configs<'_>; 2],
    delta: &Delta,
) -> Result<Option<String>, InputError> {
    if delta.before.has_no_rules() {
        return Ok(None);
    }
    let (before, after) = (tables(old, &delta.before)?, tables(new, &delta.after)?);
    let mut patch = Patch::default();
    patch.ports(&rows(&before, PORT), &rows(&after, PORT));
    if !delta.after.has_no_rules() {
        for table in ["LLDP_PORT", "PORT_STORM_CONTROL"] {
            patch.rows(table, &rows(&before, table), &rows(&after, table));
        }
        patch.class(delta.after.tor, &before, &after)?;
    }
    if patch.0.is_empty() {
        return Ok(None);
    }
    let text = serde_json::to_string_pretty(&patch.0).expect("its keys are texts");
    Ok(Some(text + "\n"))
}

fn rows(tables: &Value, table: &str) -> Map<String, Value> {
    tables[table].as_object().cloned().unwrap_or_default()
}

#[derive(Default)]
struct Patch(Vec<Value>);

impl Patch {
    fn add(&mut self, path: &[&str], value: &Value) {
        self.0.push(json!({ "op": "add", "path": pointer(path), "value": value }));
    }

    fn remove(&mut self, path: &[&str]) {
        self.0.push(json!({ "op": "remove", "path": pointer(path) }));
    }

    /// Fields of rows of the platform. A port that is not used any more is shut down.
    fn ports(&mut self, before: &Map<String, Value>, after: &Map<String, Value>) {
        let none = Map::new();
        let fields = |rows: &Map<String, Value>, name: &str| -> Map<String, Value> {
            rows.get(name).and_then(Value::as_object).unwrap_or(&none).clone()
        };
        for name in after.keys() {
            let (had, has) = (fields(before, name), fields(after, name));
            for field in had.keys().filter(|field| !has.contains_key(*field)) {
                self.remove(&[PORT, name, field]);
            }
            for (field, value) in has.iter().filter(|(field, value)| had.get(*field) != Some(value))
            {
                self.add(&[PORT, name, field], value);
            }
        }
        for name in before.keys().filter(|name| !after.contains_key(*name)) {
            self.add(&[PORT, name, "admin_status"], &"down".into());
            let had = fields(before, name);
            for field in had.keys().filter(|field| !KEPT.contains(&field.as_str())) {
                self.remove(&[PORT, name, field]);
            }
        }
    }

    /// The tables of the lossless class. A patch cannot add a row to a table that may not be there.
    fn class(&mut self, tor: TorId, before: &Value, after: &Value) -> Result<(), InputError> {
        let has = |tables: &Value| tables.get(class::MARKS).is_some();
        if !has(before) && has(after) {
            return Err(InputError::new(format!(
                "ToR {tor} gets a lossless class that it did not have, and a patch cannot add its tables; load the \
                 files of configs with the old plan and the new file of groups first, and give that file as \
                 --old-groups, too"
            )));
        }
        for table in class::OWN.into_iter().chain([class::MARKS]) {
            self.rows(table, &rows(before, table), &rows(after, table));
        }
        let lengths = |tables: &Value| rows(&tables[class::CABLES], class::LENGTHS);
        let (had, has) = (lengths(before), lengths(after));
        for name in had.keys().filter(|name| !has.contains_key(*name)) {
            self.remove(&[class::CABLES, class::LENGTHS, name]);
        }
        for (name, length) in has.iter().filter(|(name, length)| had.get(*name) != Some(length)) {
            self.add(&[class::CABLES, class::LENGTHS, name], length);
        }
        Ok(())
    }

    /// Whole rows of our own.
    fn rows(&mut self, table: &str, before: &Map<String, Value>, after: &Map<String, Value>) {
        for name in before.keys().filter(|name| !after.contains_key(*name)) {
            self.remove(&[table, name]);
        }
        for (name, row) in after.iter().filter(|(name, row)| before.get(*name) != Some(row)) {
            self.add(&[table, name], row);
        }
    }
}

/// The path of a value, by RFC 6901.
fn pointer(path: &[&str]) -> String {
    path.iter().map(|key| format!("/{}", key.replace('~', "~0").replace('/', "~1"))).collect()
}
