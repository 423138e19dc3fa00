//! Where splitters sit.

use lightloom_units::Choice;

/// Where the splitters sit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Housing {
    /// Each in the rack of the ToR that transmits into it, as in the paper: p long fibres a ToR.
    Sender,
    /// The splitters of a cassette together, in the rack among its receivers that is nearest to
    /// all of them: one long fibre a ToR and p short ones.
    Receiver,
}

impl Choice for Housing {
    const ALL: &'static [Self] = &[Self::Sender, Self::Receiver];

    fn name(self) -> &'static str {
        match self {
            Self::Sender => "sender",
            Self::Receiver => "receiver",
        }
    }
}
