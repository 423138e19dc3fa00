//! The macro behind the declarations of settings.

/// Declares the settings of the sections, and the list of all settings. The types of settings are imported
/// here.
macro_rules! sections {
    ($($(#[doc = $about:literal])+ $section:ident { $($name:ident: $type:ty = $key:expr;)* })*) => {
        $(
            $(#[doc = $about])+
            pub mod $section {
                #![allow(unused_imports, reason = "no section uses all types")]

                use std::path::PathBuf;

                use lightloom_power_cost::{Accounting, Case};
                use lightloom_topology::hall::Housing;
                use lightloom_units::{BitRate, Db, Length, Money};

                use crate::choices::{CatalogueName, Family, RouterName, RowsFrom};
                use crate::key::{Default, Key, Takes, U32, Written, of};
                use crate::typed::Setting;

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
