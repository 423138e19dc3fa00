//! The scenario of the twin: its text, which a form and a field of text change, and its file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lightloom::InputError;
use lightloom::edit::{ScenarioChange, ScenarioRow};

use crate::state::unsaved::UnsavedText;

/// The text of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The number of the scenario among those of this session: the index of its file.
    pub number: usize,
    /// The text.
    pub text: Arc<str>,
}

/// The file of a scenario.
#[derive(Debug, Clone, Default)]
pub struct DraftFile {
    /// Where it is. `None`: it was not saved.
    pub path: Option<PathBuf>,
    /// Its text when it was read or written last.
    pub on_disk: Option<Arc<str>>,
}

/// The scenarios of this session, and the rows of the present one.
#[derive(Debug, Default)]
pub struct Drafts {
    /// Files by the number of their scenario.
    pub files: Vec<DraftFile>,
    /// The rows of the present text.
    pub rows: Arc<Vec<ScenarioRow>>,
    /// Why the present text has no rows.
    pub refused: Option<InputError>,
    /// The page of these rows that was asked for.
    page: usize,
    /// The text of these rows.
    of: Option<Draft>,
}

/// The most rows on a page.
pub const ON_PAGE: usize = 200;

impl Drafts {
    /// A new scenario with its file.
    pub fn start(&mut self, text: Arc<str>, file: DraftFile) -> Draft {
        self.files.push(file);
        Draft { number: self.files.len() - 1, text }
    }

    /// The path for messages, and for finding the files that a scenario names.
    pub fn shown(&self, draft: &Draft) -> PathBuf {
        let path = self.files.get(draft.number).and_then(|file| file.path.clone());
        path.unwrap_or_else(|| PathBuf::from("unsaved-scenario.toml"))
    }

    /// Whether a text differs from its file.
    pub fn is_changed(&self, draft: &Draft) -> bool {
        let on_disk = self.files.get(draft.number).and_then(|file| file.on_disk.as_ref());
        on_disk != Some(&draft.text)
    }

    /// What is to be kept of a text for a later session. `None`: it is saved.
    pub fn unsaved(&self, draft: &Draft) -> Option<UnsavedText> {
        let DraftFile { path, on_disk } =
            self.files.get(draft.number).filter(|_| self.is_changed(draft))?.clone();
        Some(UnsavedText { file: path, on_disk, text: draft.text.clone() })
    }

    /// Reads the rows of this text, unless they were read before.
    pub fn follow(&mut self, draft: Option<&Draft>) {
        if self.of.as_ref() == draft {
            return;
        }
        self.of = draft.cloned();
        (self.rows, self.refused) = (Arc::default(), None);
        let Some(draft) = draft else { return };
        match lightloom::edit::scenario_rows(&draft.text, &self.shown(draft)) {
            Ok(rows) => self.rows = rows.into(),
            Err(error) => self.refused = Some(error),
        }
    }

    /// Turns to a page.
    pub fn turn_to(&mut self, page: usize) {
        self.page = page;
    }

    /// The page that is shown, and the last one.
    pub fn pages(&self) -> (usize, usize) {
        let last = self.rows.len().saturating_sub(1) / ON_PAGE;
        (self.page.min(last), last)
    }

    /// The row and the field of a line. The field is empty in the line of a section.
    pub fn place(&self, line: u64) -> Option<(usize, &str)> {
        let rows = self.rows.iter().enumerate();
        let lines = rows.flat_map(|(number, row)| {
            let fields =
                row.values.iter().map(move |(name, value)| (value.line, number, name.as_str()));
            std::iter::once((row.line, number, "")).chain(fields)
        });
        let before = lines.filter(|(at, ..)| *at <= line).max_by_key(|(at, ..)| *at);
        before.map(|(_, row, field)| (row, field))
    }
}

/// A message to all hosts over the racks of a design.
pub fn of_design(file: &Path) -> Arc<str> {
    let file = file.display().to_string();
    text(&[
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
pub fn electrical() -> Arc<str> {
    text(&[
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

/// The text of a scenario with these values.
fn text(rows: &[(&str, &[(&str, &str)])]) -> Arc<str> {
    let file = Path::new("");
    let mut text = String::new();
    // What is written here is TOML.
    let mut change = |change: ScenarioChange<'_>| {
        if let Ok(changed) = lightloom::edit::change_scenario(&text, file, change) {
            text = changed;
        }
    };
    for (row, (section, values)) in rows.iter().enumerate() {
        change(ScenarioChange::Add(section));
        for (field, typed) in *values {
            change(ScenarioChange::Set { row, field, typed });
        }
    }
    text.into()
}
