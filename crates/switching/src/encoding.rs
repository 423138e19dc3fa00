//! How switches match the ToR that sent a packet.

use lightloom_plan::project::Project;
use lightloom_routing::switch::{Codes, Matching};
use lightloom_units::named_enum;

use crate::address::CodeField;

named_enum! {
    /// How entries of the first stage match the ToR that sent a packet.
    #[derive(schemars::JsonSchema)]
    pub enum Encoding {
        /// One entry for each source and receive port kind.
        Literal = "literal",
        /// Few entries with a mask on the source address.
        Masked = "masked",
        /// Few entries with a mask on the destination address, for switches that match only that with a mask.
        MaskedDestination = "masked-destination",
        /// Few entries with a mask on the source address, and one tree for all ToRs that transmit into the same
        /// cassette.
        Roots = "roots",
    }
}

impl Encoding {
    /// How sources are matched.
    pub fn matching(self) -> Matching {
        match self {
            Self::Literal => Matching::Literal,
            Self::Masked | Self::MaskedDestination | Self::Roots => Matching::Masked,
        }
    }

    /// The address with the code of the sending ToR.
    pub fn field(self) -> CodeField {
        match self {
            Self::MaskedDestination => CodeField::Destination,
            Self::Literal | Self::Masked | Self::Roots => CodeField::Source,
        }
    }

    /// The codes of the ToRs of a project.
    pub fn codes(self, project: &Project) -> Codes {
        match (self, project.design().fabric.shape()) {
            (Self::Roots, _) => Codes::by_root(project.fabric()),
            (_, Some(shape)) => Codes::of_shufflecast(shape),
            (_, None) => Codes::numbers(u32::try_from(project.fabric().tors()).unwrap_or(u32::MAX)),
        }
    }
}
