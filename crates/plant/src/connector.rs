//! Connectors, and what mates with what.

use lightloom_power_cost::parts::Polish;
use lightloom_units::named_enum;

named_enum! {
    /// Whether an MPO connector has guide pins. A pair needs one of each.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Gender {
        /// With pins. Connectors inside modules have them.
        Male = "male",
        /// Without pins. Connectors of trunks have none.
        Female = "female",
    }
}

/// A connector at the end of a cable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connector {
    /// LC: one fibre.
    Lc(Polish),
    /// MPO: twelve fibres in a line. Single-mode ones are polished at an angle, so two of them meet in an adapter
    /// with one key up and one key down.
    Mpo(Gender),
}

impl Connector {
    /// Number of fibres.
    pub const MPO_FIBRES: u16 = 12;

    /// The polish.
    pub fn polish(self) -> Polish {
        match self {
            Self::Lc(polish) => polish,
            Self::Mpo(_) => Polish::Apc,
        }
    }

    /// Whether it is polished at an angle.
    pub fn is_angled(self) -> bool {
        self.polish() == Polish::Apc
    }

    /// The gender of an MPO connector.
    pub fn gender(self) -> Option<Gender> {
        match self {
            Self::Lc(_) => None,
            Self::Mpo(gender) => Some(gender),
        }
    }

    /// Name in tables: `LC/UPC`, `MPO-12/APC`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lc(Polish::Upc) => "LC/UPC",
            Self::Lc(Polish::Apc) => "LC/APC",
            Self::Mpo(_) => "MPO-12/APC",
        }
    }

    /// Colour of the connector (TIA-568.3-D): blue is single-mode UPC, green is single-mode APC.
    pub fn colour(self) -> &'static str {
        match self.polish() {
            Polish::Upc => "blue",
            Polish::Apc => "green",
        }
    }
}
