//! A scenario that is made with a form, and its file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lightloom::scenario::{self, SECTIONS, Section};
use lightloom::{ScenarioRow, ScenarioText};

/// A scenario that is made with a form.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Draft {
    /// Its rows in the order in which they were added.
    pub rows: Vec<ScenarioRow>,
    /// The file that it was saved to. `None`: it was not saved.
    pub file: Option<PathBuf>,
    /// The text of the file.
    pub on_disk: Option<String>,
}

impl Draft {
    /// A message to all hosts over the racks of a design.
    pub fn of_design(file: &Path) -> Self {
        let file = file.display().to_string();
        Self::of(&[
            ("", &[("version", "1"), ("seed", "1"), ("until", "10 ms")]),
            (
                "network",
                &[
                    ("kind", "design"),
                    ("file", &file),
                    ("hosts_per_tor", "2"),
                    ("spines", "2"),
                    ("rate", "100 Gb/s"),
                    ("length", "20 m"),
                ],
            ),
            ("group", &[("name", "all"), ("members", "all"), ("transport", "rc")]),
            ("multicast", &[("group", "all"), ("from", "0"), ("size", "1 MB")]),
        ])
    }

    /// A flow over leaves and spines.
    pub fn electrical() -> Self {
        Self::of(&[
            ("", &[("version", "1"), ("seed", "1"), ("until", "10 ms")]),
            (
                "network",
                &[
                    ("kind", "leaf-spine"),
                    ("leaves", "4"),
                    ("spines", "2"),
                    ("hosts_per_leaf", "4"),
                    ("rate", "100 Gb/s"),
                    ("length", "20 m"),
                ],
            ),
            ("flow", &[("from", "0"), ("to", "5"), ("size", "1 MB")]),
        ])
    }

    fn of(rows: &[(&str, &[(&str, &str)])]) -> Self {
        let row = |(section, values): &(&str, &[(&str, &str)])| ScenarioRow {
            section: (*section).to_owned(),
            values: values
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        };
        Self { rows: rows.iter().map(row).collect(), ..Self::default() }
    }

    /// The text of the file, and what each of its lines is.
    pub fn text(&self) -> ScenarioText {
        lightloom::scenario_text(&self.rows)
    }

    /// The file for messages, and for finding the files that the scenario names.
    pub fn shown(&self) -> PathBuf {
        self.file.clone().unwrap_or_else(|| PathBuf::from("unsaved-scenario.toml"))
    }

    /// Whether the form differs from the file.
    pub fn is_changed(&self) -> bool {
        self.on_disk.as_ref().is_none_or(|on_disk| *on_disk != self.text().text)
    }

    /// Gives a field of a row a value. An empty value takes it away.
    pub fn change(&mut self, row: usize, field: &str, value: String) {
        let Some(row) = self.rows.get_mut(row) else { return };
        if value.trim().is_empty() {
            row.values.remove(field);
        } else {
            row.values.insert(field.to_owned(), value);
        }
        if field == "kind" || field == "pattern" {
            row.forget_others();
        }
    }

    /// Adds a row. A section that is no list is added once.
    pub fn add(&mut self, section: &str) {
        let is_there = self.rows.iter().any(|row| row.section == section);
        let found = SECTIONS.iter().find(|known| known.name == section);
        if found.is_some_and(|known| known.is_list || !is_there) {
            self.rows.push(ScenarioRow { section: section.to_owned(), values: BTreeMap::new() });
        }
    }

    /// Removes a row. The fields before all sections and the network stay.
    pub fn remove(&mut self, row: usize) {
        let stays = |row: &ScenarioRow| matches!(row.section.as_str(), "" | "network");
        if self.rows.get(row).is_some_and(|row| !stays(row)) {
            self.rows.remove(row);
        }
    }
}

/// What a row knows of its section.
pub trait OfSection {
    /// The declaration of the section. `None`: there is none.
    fn declared(&self) -> Option<&'static Section>;
    /// The fields that apply to the kind of network or the pattern of the row.
    fn fields(&self) -> Vec<&'static scenario::Field>;
    /// Forgets the values of fields that do not apply.
    fn forget_others(&mut self);
}

impl OfSection for ScenarioRow {
    fn declared(&self) -> Option<&'static Section> {
        SECTIONS.iter().find(|section| section.name == self.section)
    }

    fn fields(&self) -> Vec<&'static scenario::Field> {
        let Some(section) = self.declared() else { return Vec::new() };
        let kind = self.values.get("kind").or_else(|| self.values.get("pattern"));
        let names = section.names_of(kind.map_or("", String::as_str));
        section.fields.iter().filter(|field| names.contains(&field.name)).collect()
    }

    fn forget_others(&mut self) {
        let names: Vec<&str> = self.fields().iter().map(|field| field.name).collect();
        self.values.retain(|name, _| names.contains(&name.as_str()));
    }
}
