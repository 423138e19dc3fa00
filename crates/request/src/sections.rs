//! The macro behind the declarations of settings.

/// What declarations of settings name.
pub(crate) mod types {
    pub use std::path::PathBuf;

    pub use lightloom_power_cost::parts::{FaultSignalling, PadPlace, Polish};
    pub use lightloom_power_cost::price::{PriceBasis, PriceCase};
    pub use lightloom_power_cost::{Accounting, Case};
    pub use lightloom_topology::TransmitPort;
    pub use lightloom_topology::hall::{Cabling, Housing, Shuffle};
    pub use lightloom_units::{BitRate, DataSize, Db, Length, Money};

    pub use crate::choices::{CatalogueName, Family, RouterName, RowsFrom};
    pub use crate::key::{Default, Key, PER_SHIFT, Takes, U32, Written, of};
    pub use crate::typed::Setting;
}

/// Declares the settings of some sections, and lists both.
macro_rules! sections {
    ($($(#[doc = $about:literal])+ $section:ident { $($name:ident: $type:ty = $key:expr;)* })*) => {
        $(
            $(#[doc = $about])+
            pub mod $section {
                use crate::sections::types::*;

                $(
                    #[doc = concat!("`", stringify!($section), ".", stringify!($name), "`: see its help.")]
                    pub static $name: Setting<$type> = Setting::new($key);
                )*
            }
        )*

        /// The settings, section by section.
        pub(super) fn all() -> Vec<crate::key::Key> {
            vec![$($(*$section::$name,)*)*]
        }

        /// The sections in the order of a design file: name and help text.
        pub(super) const SECTIONS: &[(&str, &str)] =
            &[$((stringify!($section), concat!($($about),+)),)*];
    };
}

pub(crate) use sections;
