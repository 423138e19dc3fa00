//! The fields of a row: of a TOML file, or as a program gives them.

use lightloom_request::given::Fields;
use lightloom_request::{Given, Said};
use toml::de::{DeTable, DeValue};

/// The fields of a row.
#[derive(Clone, Copy)]
pub(super) enum Table<'a> {
    /// Of a file.
    Toml(&'a DeTable<'a>),
    /// Of a program.
    Given(&'a Fields),
}

/// A field: its byte offset in the text of the file, 0 without a text, and its value.
pub(super) type Entry<'a> = (usize, Content<'a>);

/// The value of a field.
#[derive(Clone, Copy)]
pub(super) enum Content<'a> {
    /// Of a file.
    Toml(&'a DeValue<'a>),
    /// Of a program.
    Given(&'a Given),
}

impl<'a> Table<'a> {
    /// The fields, each with its name.
    pub(super) fn entries(self) -> Vec<(&'a str, Entry<'a>)> {
        match self {
            Self::Toml(table) => {
                let entry = |(key, value): (&'a toml::Spanned<_>, &'a toml::Spanned<_>)| {
                    let name: &std::borrow::Cow<'_, str> = key.get_ref();
                    (name.as_ref(), (key.span().start, Content::Toml(value.get_ref())))
                };
                table.iter().map(entry).collect()
            }
            Self::Given(fields) => fields
                .iter()
                .map(|(name, value)| (name.as_str(), (0, Content::Given(value))))
                .collect(),
        }
    }

    /// The field with a name.
    pub(super) fn find(self, field: &str) -> Option<Entry<'a>> {
        match self {
            Self::Toml(table) => {
                let said = table.iter().find(|(key, _)| key.get_ref().as_ref() == field);
                said.map(|(key, value)| (key.span().start, Content::Toml(value.get_ref())))
            }
            Self::Given(fields) => {
                let said = fields.iter().find(|(name, _)| name == field);
                said.map(|(_, value)| (0, Content::Given(value)))
            }
        }
    }
}

impl<'a> Content<'a> {
    /// The table that the value is.
    pub(super) fn table(self) -> Option<Table<'a>> {
        match self {
            Self::Toml(DeValue::Table(table)) => Some(Table::Toml(table)),
            Self::Given(Given::Table(fields)) => Some(Table::Given(fields)),
            _ => None,
        }
    }

    /// The items of the list that the value is.
    pub(super) fn items(self) -> Option<Vec<Entry<'a>>> {
        match self {
            Self::Toml(DeValue::Array(items)) => {
                let item = |item: &'a toml::Spanned<DeValue<'a>>| {
                    (item.span().start, Content::Toml(item.get_ref()))
                };
                Some(items.iter().map(item).collect())
            }
            Self::Given(Given::List(items)) => {
                Some(items.iter().map(|item| (0, Content::Given(item))).collect())
            }
            _ => None,
        }
    }

    /// The value itself.
    pub(super) fn said(self) -> Said<'a> {
        if let Some(items) = self.items() {
            return Said::List(items.into_iter().map(|(_, item)| item.said()).collect());
        }
        match self {
            Self::Toml(DeValue::String(text)) => Said::Text(text),
            Self::Toml(DeValue::Integer(number)) => {
                Said::Whole { digits: number.as_str(), radix: number.radix() }
            }
            Self::Toml(DeValue::Float(number)) => Said::Number(number.as_str()),
            Self::Toml(DeValue::Boolean(said)) => Said::Flag(*said),
            Self::Toml(other) => Said::Other(other.type_str()),
            Self::Given(Given::Text(text)) => Said::Text(text),
            Self::Given(Given::Whole(digits)) => Said::Whole { digits, radix: 10 },
            Self::Given(Given::Number(number)) => Said::Number(number),
            Self::Given(Given::Flag(said)) => Said::Flag(*said),
            Self::Given(_) => Said::Other("table"),
        }
    }
}
