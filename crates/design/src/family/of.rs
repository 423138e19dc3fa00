//! What a family of fabrics is.

use lightloom_request::{InputError, Key, Value, setting};
use lightloom_topology::Fabric;
use lightloom_topology::family::{CustomError, Shufflecast};

use super::asked::Asked;

/// A fabric of one family.
pub(super) trait FamilyFabric {
    /// Fan-out of the splitters.
    fn p(&self) -> u32;

    /// The number of ToRs, where it is known before the fabric is built. `None`: an edge list says it.
    fn tors(&self) -> Option<u32>;

    /// The number of ToRs, or that of the entries that describe them.
    fn described_tors(&self) -> u64 {
        self.tors().map_or(0, u64::from)
    }

    /// The columns and rows that its ToRs stand in. `None`: it is no Shufflecast.
    fn shape(&self) -> Option<Shufflecast> {
        None
    }

    /// The setting that says how many ToRs it has.
    fn size(&self) -> &'static Key;

    /// The setting that is wrong if the fabric cannot be built.
    fn blamed(&self) -> &'static Key {
        &setting::fabric::TORS
    }

    /// The settings that define it, beside family and fan-out.
    fn settings(&self) -> Vec<(Key, Value)>;

    /// What a design file says about it. It states no number that follows from a setting: whoever changes the setting
    /// keeps the comment.
    fn comment(&self) -> &'static str;

    /// Builds it.
    ///
    /// # Errors
    /// [`CustomError`] if an edge list is not a valid fabric, or if numbers give none.
    fn build(&self) -> Result<Fabric, CustomError>;
}

/// A family of fabrics.
pub(super) trait FabricFamily: FamilyFabric + Sized {
    /// Settings of fabrics that have no meaning in it.
    fn unused() -> Vec<&'static Key>;

    /// Reads its fabric from the settings. Values that are not given are chosen.
    ///
    /// # Errors
    /// [`InputError`] names the setting that is missing or wrong.
    fn read(asked: &Asked<'_>) -> Result<Self, InputError>;

    /// Its fabric of a number of ToRs with a splitter, or why there is none. `None`: numbers alone do not define one.
    fn with_tors(_p: u32, _tors: u32) -> Option<Result<Self, String>> {
        None
    }
}
