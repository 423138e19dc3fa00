//! The macro behind the declarations of settings.

/// Declares the settings of the sections, and the list of all settings.
macro_rules! sections {
    ($($(#[doc = $about:literal])+ $section:ident { $($name:ident: $type:ty = $key:expr;)* })*) => {
        $(
            $(#[doc = $about])+
            pub mod $section {
                use super::*;

                $(
                    #[doc = concat!("`", stringify!($section), ".", stringify!($name), "`: see its help.")]
                    pub static $name: Setting<$type> = Setting::new($key);
                )*
            }
        )*

        /// All settings, section by section.
        pub fn all() -> Vec<Key> {
            vec![*VERSION, $($(*$section::$name,)*)*]
        }

        /// The sections in the order of a design file: name and help text.
        pub const SECTIONS: &[(&str, &str)] =
            &[$((stringify!($section), concat!($($about),+)),)*];
    };
}

pub(crate) use sections;
