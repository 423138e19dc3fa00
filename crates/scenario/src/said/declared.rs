//! What the declaration of a section and of a field says.

/// Kind of value that a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole number, 0 or more.
    Whole,
    /// The same, or a word in its place.
    WholeOr(&'static str),
    /// A decimal number.
    Number,
    /// True or false.
    Flag,
    /// A text.
    Text,
    /// The path of a file, relative to the folder of the scenario.
    Path,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A number with a unit, in quotes: its description, and the usual unit.
    Quantity(&'static str, &'static str),
    /// The same, or a word in its place.
    QuantityOr(&'static str, &'static str, &'static str),
    /// A node: a host's number or a node's name.
    Node,
    /// A list of nodes, or their number.
    Nodes,
    /// A list of nodes.
    NodeList,
    /// A list of nodes, or the word for all hosts.
    Members,
    /// The number of a flow or the name of a message to a group, or a list of these.
    Flows,
}

/// The default of fields of which one is required.
pub const ONE_OF: &str = "one of several";

/// The default of parameters: the value of the shipped catalogue.
pub const CATALOGUE: &str = "the catalogue";

/// A field of a section.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Name in the file.
    pub name: &'static str,
    /// Kind of its value.
    pub kind: Kind,
    /// Default value as text. Empty: the field is required. [`ONE_OF`]: it or another field is.
    pub default: &'static str,
    /// Help text: what the field means.
    pub help: &'static str,
    /// Kinds of networks or patterns that have this field. Empty: all kinds.
    pub only: &'static [&'static str],
}

/// A section of a scenario file.
#[derive(Debug, Clone, Copy)]
pub struct Section {
    /// Name in the file. Empty for the fields before all sections.
    pub name: &'static str,
    /// Help text: what the section describes.
    pub about: &'static str,
    /// Whether it is a list of tables, `[[name]]`.
    pub is_list: bool,
    /// Its fields.
    pub fields: &'static [Field],
}

impl Section {
    /// The names of all fields of the section.
    pub fn names(&self) -> Vec<&'static str> {
        self.fields.iter().map(|field| field.name).collect()
    }

    /// The field whose word decides which of the others apply. `None`: all apply.
    pub fn chosen_by(&self) -> Option<&'static Field> {
        let is_chosen = self.fields.iter().any(|field| !field.only.is_empty());
        self.fields.first().filter(|_| is_chosen)
    }

    /// The names of the fields that apply to a kind of network or pattern.
    pub fn names_of(&self, kind: &str) -> Vec<&'static str> {
        let fields = self.fields.iter();
        let fields = fields.filter(|field| field.only.is_empty() || field.only.contains(&kind));
        fields.map(|field| field.name).collect()
    }
}

/// The section as a file writes it: `[network]` or `[[flow]]`.
pub fn written(section: &Section) -> String {
    match section.is_list {
        true => format!("[[{}]]", section.name),
        false => format!("[{}]", section.name),
    }
}
