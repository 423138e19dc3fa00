//! Parts on fibres: splices, patch panels and others.

use lightloom_power_cost::parts::Inline;
use lightloom_power_cost::{Fittings, Mated, named};
use lightloom_request::setting;
use lightloom_request::{InputError, Setting, Settings};

use crate::catalogue::Catalogue;

/// Largest number of splices, panels or other parts on one fibre.
const MOST_FITTINGS: u32 = 64;

/// Whether the numbers of parts are within their bounds.
pub fn are_few(fittings: &Fittings) -> bool {
    let counts = [fittings.splices, fittings.panels];
    counts.iter().all(|&count| count <= MOST_FITTINGS)
        && fittings.inline.len() <= MOST_FITTINGS as usize
}

/// The settings for parts on one kind of fibre.
#[derive(Debug, Clone, Copy)]
pub struct FittingSettings {
    /// Number of splices.
    pub splices: &'static Setting<u32>,
    /// Number of patch panels.
    pub panels: &'static Setting<u32>,
    /// Other parts.
    pub inline: &'static Setting<Vec<String>>,
}

/// The settings for feeds.
pub const FEED: FittingSettings = FittingSettings {
    splices: &setting::optics::FEED_SPLICES,
    panels: &setting::optics::FEED_PANELS,
    inline: &setting::optics::FEED_INLINE,
};

/// The settings for branches.
pub const BRANCH: FittingSettings = FittingSettings {
    splices: &setting::optics::BRANCH_SPLICES,
    panels: &setting::optics::BRANCH_PANELS,
    inline: &setting::optics::BRANCH_INLINE,
};

/// Reads the parts on one kind of fibre.
///
/// # Errors
/// [`InputError`] if there are too many, or if the catalogue lacks one.
pub fn fittings(
    settings: &Settings,
    catalogue: &Catalogue,
    of: FittingSettings,
) -> Result<Fittings, InputError> {
    let names = settings.value(of.inline)?;
    let refuse = |message: String| settings.refuse(of.inline, message);
    if names.len() > MOST_FITTINGS as usize {
        let message = format!("found {} parts; expected at most {MOST_FITTINGS}", names.len());
        return Err(refuse(message));
    }
    let row = |name: &String| {
        let found = named(&catalogue.parts.inline, "inline part", Some(name), "");
        let found = found.map_err(|error| refuse(error.to_string()))?;
        found.cloned().ok_or_else(|| refuse("names no part".into()))
    };
    Ok(Fittings {
        mated: Mated::AT_SPLITTER,
        splices: settings.value(of.splices)?,
        panels: settings.value(of.panels)?,
        inline: names.iter().map(row).collect::<Result<Vec<Inline>, InputError>>()?,
    })
}
