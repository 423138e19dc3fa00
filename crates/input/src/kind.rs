//! What a TOML file is, by its keys. A file with an error has a kind too, so that its own error is told.

use lightloom_request::setting;
use lightloom_scenario::said::{Row as _, RunRow, SECTIONS};
use toml::de::{DeTable, DeValue};

/// Kind of a TOML file that is opened by its path alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A design.
    Design,
    /// A scenario of a run.
    Scenario,
}

impl FileKind {
    /// The kind of a text. Each key before all sections and each section is a vote for the kind that alone knows it.
    /// Without a majority it is a design. A text that is not TOML has the keys that can be read of it.
    ///
    /// # Examples
    /// ```
    /// # use lightloom_input::kind::FileKind;
    /// let text = "version = 1\nuntil = \"1 ms\"\n[netwrok]\nkind = \"fat-tree\"\n[[flow]]\nfrom = 0\n";
    /// assert_eq!(FileKind::of(text), FileKind::Scenario);
    /// assert_eq!(FileKind::of("version = 1\n[fabric]\np = \"four\"\n"), FileKind::Design);
    /// ```
    pub fn of(text: &str) -> Self {
        let (table, _) = DeTable::parse_recoverable(text);
        let (mut designs, mut scenarios) = (0, 0);
        for (key, value) in table.get_ref() {
            let (key, is_section) = (key.get_ref().as_ref(), is_section(value.get_ref()));
            let (of_design, of_scenario) =
                (is_of_design(key, is_section), is_of_scenario(key, is_section));
            designs += u32::from(of_design && !of_scenario);
            scenarios += u32::from(of_scenario && !of_design);
        }
        if scenarios > designs { Self::Scenario } else { Self::Design }
    }
}

/// Whether a value is a table, or a list of tables.
fn is_section(value: &DeValue<'_>) -> bool {
    match value {
        DeValue::Table(_) => true,
        DeValue::Array(items) => {
            items.iter().any(|item| matches!(item.get_ref(), DeValue::Table(_)))
        }
        _ => false,
    }
}

fn is_of_design(key: &str, is_section: bool) -> bool {
    if is_section {
        setting::sections().any(|(name, _)| name == key)
    } else {
        setting::all().iter().any(|setting| setting.name == key)
    }
}

fn is_of_scenario(key: &str, is_section: bool) -> bool {
    if is_section {
        SECTIONS.iter().any(|section| section.name == key)
    } else {
        RunRow::SECTION.fields.iter().any(|field| field.name == key)
    }
}
