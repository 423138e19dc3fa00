//! Flags of settings, made from their declarations.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use lightloom::{Key, Takes, Value, setting};

use crate::numbers::whole;

/// A parser that accepts these words and nothing else. Each word comes with its meaning, for the help.
pub(crate) fn one_of(choices: fn() -> Vec<(&'static str, &'static str)>) -> PossibleValuesParser {
    let value = |(word, about): (&'static str, &'static str)| {
        PossibleValue::new(word).help(about.trim_end_matches('.'))
    };
    choices().into_iter().map(value).collect::<Vec<_>>().into()
}

/// The flags of these sections of a design file, under one heading of the help.
trait Group {
    const HEADING: &str;
    const SECTIONS: &[&str];
}

/// The settings that flags give.
type Given = Vec<(Key, Value)>;

macro_rules! groups {
    ($($(#[$about:meta])* $name:ident: $heading:literal, $sections:expr;)*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Default)]
        pub(crate) struct $name(pub(crate) Given);

        impl Group for $name {
            const HEADING: &str = $heading;
            const SECTIONS: &[&str] = $sections;
        }

        impl Args for $name {
            fn augment_args(command: Command) -> Command {
                command.args(keys::<Self>().map(|key| argument(&key).help_heading(heading::<Self>(&key))))
            }

            fn augment_args_for_update(command: Command) -> Command {
                Self::augment_args(command)
            }
        }

        impl FromArgMatches for $name {
            fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
                Ok(Self(keys::<Self>().filter_map(|key| Some((key, given(&key, matches)?))).collect()))
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }
    )*};
}

groups! {
    /// Flags of the fabric, its router and its switches.
    FabricFlags: "Fabric", &["fabric", "routing", "tor"];
    /// Flags of racks, housings and the order.
    HallFlags: "Hall", &["hall", "splitters", "order", "machine"];
    /// Flags of light, power and money.
    OpticsFlags: "Optics and cost", &["optics", "cost"];
}

/// The heading of a flag of a group. Every command with a hall takes the settings of the machine too.
fn heading<G: Group>(key: &Key) -> &'static str {
    if key.section() == "machine" { "Machine" } else { G::HEADING }
}

/// The settings of a group that have flags.
fn keys<G: Group>() -> impl Iterator<Item = Key> {
    let all = setting::all().into_iter();
    all.filter(|key| key.flag.is_some() && G::SECTIONS.contains(&key.section()))
}

/// The name of a flag, without its hyphens.
fn name(key: &Key) -> &'static str {
    key.flag.unwrap_or(key.name).trim_start_matches('-')
}

/// The flag of a setting.
pub(crate) fn argument(key: &Key) -> Arg {
    let long = name(key);
    let arg = Arg::new(long).long(long).help(key.help.trim_end_matches('.'));
    let arg = match key.value_name {
        Some(name) => arg.value_name(name),
        None => arg.value_name(long.replace('-', "_").to_uppercase()),
    };
    let arg = match key.alias {
        Some(alias) => arg.visible_alias(alias.trim_start_matches('-')),
        None => arg,
    };
    match key.takes {
        Takes::Whole { .. } => arg.allow_negative_numbers(true).value_parser(whole::<i64>),
        Takes::Choice(choices) => arg.value_parser(one_of(choices)),
        Takes::Number | Takes::Quantity(..) => arg.allow_hyphen_values(true),
        Takes::Texts { commas: true } => arg.action(ArgAction::Append).value_delimiter(','),
        Takes::Texts { commas: false } => arg.action(ArgAction::Append),
        Takes::Quantities(..) => {
            arg.action(ArgAction::Append).value_delimiter(',').allow_hyphen_values(true)
        }
        Takes::Text | Takes::Path => arg,
    }
}

/// The value that a command line gives a setting.
pub(crate) fn given(key: &Key, matches: &ArgMatches) -> Option<Value> {
    let name = name(key);
    match key.takes {
        Takes::Whole { .. } => matches.get_one::<i64>(name).map(|&number| Value::Integer(number)),
        Takes::Texts { .. } | Takes::Quantities(..) => {
            let texts = matches.get_many::<String>(name)?;
            Some(Value::List(texts.cloned().collect()))
        }
        _ => matches.get_one::<String>(name).cloned().map(Value::Text),
    }
}
