//! Enumerations whose variants have one word each: in files, in reports and in messages.

/// Declares an enumeration together with the word of each variant. The word is what serde, `Display` and a
/// JSON Schema show. The schema's derive is the caller's to add.
///
/// ```
/// lightloom_units::named_enum! {
///     /// Where the splitters sit.
///     #[derive(PartialOrd, Ord)]
///     pub enum Housing {
///         /// At the sender.
///         Sender = "sender",
///         /// At the receivers.
///         Receiver = "receiver",
///     }
/// }
/// assert_eq!(Housing::Receiver.name(), "receiver");
/// assert_eq!(Housing::named("sender"), Some(Housing::Sender));
/// assert_eq!(Housing::named("nowhere"), None);
/// assert_eq!(Housing::choices()[0], ("sender", "At the sender."));
/// ```
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$about:meta])*
        pub enum $name:ident {
            $($(#[doc = $variant_about:literal])+ $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[doc = $variant_about])+ #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// All of them, in the order of their declaration.
            pub const ALL: [Self; [$(Self::$variant),+].len()] = [$(Self::$variant),+];

            /// The word in files, reports and messages.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// All words, in the same order.
            pub fn names() -> Vec<&'static str> {
                Self::ALL.iter().map(|one| one.name()).collect()
            }

            /// All words with their meanings, in the same order.
            pub fn choices() -> Vec<(&'static str, &'static str)> {
                vec![$(($word, concat!($($variant_about),+).trim()),)+]
            }

            /// The variant of a word.
            pub fn named(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}
