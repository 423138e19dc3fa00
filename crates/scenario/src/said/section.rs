//! The declaration of a section: each of its fields once.

use lightloom_request::{InputError, Said};

use crate::said::declared::Section;
use crate::said::place::Place;
use crate::said::value::{Amount, FieldValue};

/// A row that somebody has said: of a file, of a mapping, or of whatever else names fields and values.
pub trait Source {
    /// The value of a field. `None`: the row lacks it.
    fn said(&self, field: &'static str) -> Option<Said<'_>>;

    /// An error about a field, at the place of the row.
    fn refuse(&self, field: &'static str, message: String) -> InputError;
}

/// What a row of a section says, with types. A field that is `None` is not said.
pub trait Row: Sized + Default {
    /// The declaration of the section.
    const SECTION: Section;

    /// Reads the fields of a row, in the order of their declarations. Other fields of the row are ignored.
    ///
    /// # Errors
    /// [`InputError`] at the first field whose value has another type.
    fn read(source: &impl Source) -> Result<Self, InputError>;

    /// Whether the row says a field.
    fn has(&self, field: &str) -> bool;

    /// Refuses a value outside the range of its field.
    ///
    /// # Errors
    /// [`InputError`] at the first such field.
    fn check(&self, place: Place) -> Result<(), InputError>;

    /// The place of the only row of a section that is no list.
    fn place() -> Place {
        Place { section: Self::SECTION.name, number: None }
    }

    /// The place of a row of a list.
    fn place_of(number: usize) -> Place {
        Place::in_list(Self::SECTION.name, number)
    }
}

/// Reads a field of a row.
pub(super) fn read<T: FieldValue>(
    source: &impl Source,
    section: &Section,
    field: &'static str,
) -> Result<Option<T>, InputError> {
    let Some(said) = source.said(field) else { return Ok(None) };
    let declared = section.fields.iter().find(|declared| declared.name == field);
    let kind = declared.map_or(T::KIND, |declared| declared.kind);
    T::read(&said, kind).map(Some).map_err(|message| source.refuse(field, message))
}

/// Refuses an amount outside a range.
pub(super) fn within<T, V>(
    place: Place,
    field: &'static str,
    found: Option<&V>,
    range: (T, T),
) -> Result<(), InputError>
where
    T: PartialOrd + std::fmt::Display,
    V: Amount<T>,
{
    match found.and_then(Amount::amount) {
        Some(found) => place.within(field, found, range).map(drop),
        None => Ok(()),
    }
}

/// Declares a section and the type of its rows. A field has its help, name, type, unit, default, the kinds that have
/// it, and its range:
///
/// ```ignore
/// section! {
///     /// A message from one host to another.
///     pub struct FlowRow = "flow", list {
///         /// Payload.
///         size: DataSize ["kB"] = "", from DataSize::from_bytes(1), to LARGEST_FLOW;
///     }
/// }
/// ```
///
/// `list` is a list of tables, `single` one table, and `parameters` a table whose values reports show. From the
/// declaration come the type of the row, its reader, the check of ranges, the reference page, the schema and the form
/// of the window.
macro_rules! section {
    (
        $(#[doc = $about:literal])+
        pub struct $row:ident = $name:literal, $shape:ident {
            $(
                $(#[doc = $help:literal])+
                $field:ident: $type:ty $([$unit:literal $(, or $word:literal)?])? = $default:expr
                $(, only [$($only:literal),+])?
                $(, from $least:expr, to $most:expr)?;
            )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $row {
            $(
                $(#[doc = $help])+
                pub $field: Option<$type>,
            )+
        }

        impl $crate::said::section::Row for $row {
            const SECTION: $crate::said::declared::Section = $crate::said::declared::Section {
                name: $name,
                about: concat!($($about),+).trim_ascii_start(),
                is_list: $crate::said::section::section!(@is_list $shape),
                fields: &[$(
                    $crate::said::declared::Field {
                        name: stringify!($field),
                        kind: $crate::said::value::kind(
                            <$type as $crate::said::value::FieldValue>::KIND,
                            concat!($($unit)?),
                            concat!($($($word)?)?),
                        ),
                        default: $default,
                        help: concat!($($help),+).trim_ascii_start(),
                        only: &[$($($only),+)?],
                    },
                )+],
            };

            fn read(
                source: &impl $crate::said::section::Source,
            ) -> Result<Self, lightloom_request::InputError> {
                Ok(Self {
                    $($field: $crate::said::section::read(source, &Self::SECTION, stringify!($field))?,)+
                })
            }

            fn has(&self, field: &str) -> bool {
                match field {
                    $(stringify!($field) => self.$field.is_some(),)+
                    _ => false,
                }
            }

            #[allow(unused_variables, reason = "not every section has ranges")]
            fn check(
                &self,
                place: $crate::said::place::Place,
            ) -> Result<(), lightloom_request::InputError> {
                $($(
                    let field = stringify!($field);
                    let range = ($least, $most);
                    $crate::said::section::within(place, field, self.$field.as_ref(), range)?;
                )?)+
                Ok(())
            }
        }

        $crate::said::section::section! { @shown $shape $row { $($field)+ } }
    };
    (@is_list list) => { true };
    (@is_list $other:ident) => { false };
    (@shown parameters $row:ident { $($field:ident)+ }) => {
        impl $row {
            /// Every value that is said, as reports show it, by the name of its field.
            pub(crate) fn shown(&self) -> Vec<(&'static str, String)> {
                let mut fields = <Self as $crate::said::section::Row>::SECTION.fields.iter();
                let mut shown = Vec::new();
                $(
                    if let (Some(declared), Some(value)) = (fields.next(), &self.$field) {
                        let value = $crate::said::value::Shown::shown(value, declared.kind);
                        shown.push((stringify!($field), value));
                    }
                )+
                shown
            }
        }
    };
    (@shown $other:ident $row:ident { $($field:ident)+ }) => {};
}

pub(crate) use section;
