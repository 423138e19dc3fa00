//! Growth and shrinking of the plan: what is typed, what was asked, and the answer.

use std::path::PathBuf;

use lightloom::InputError;
use lightloom::growth::{GrowOptions, GrownFiles, ShrinkOptions};

use crate::command::GrowthField;
use crate::slot::Slot;
use crate::state::answers::Of;
use crate::state::numbers::{number, whole};

/// The texts of the fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrowthFields {
    /// Number of ToRs afterwards.
    pub tors: String,
    /// Numbers of ToRs of this and later phases, separated by commas.
    pub phases: String,
    /// ToRs and ports whose cords must not move.
    pub pin: String,
    /// Largest number of ToRs whose cords may move.
    pub most_moves: String,
    /// The inventory with more racks.
    pub inventory: String,
    /// The ToRs that leave.
    pub racks: String,
}

/// What was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrowthQuestion {
    /// More ToRs; the file has their racks.
    Grow(GrowOptions, Option<PathBuf>),
    /// Fewer ToRs.
    Shrink(ShrinkOptions),
}

/// Growth and shrinking.
#[derive(Debug, Default)]
pub struct Growth {
    /// The texts of the fields.
    pub fields: GrowthFields,
    /// The answer.
    pub grown: Slot<(Of, GrowthQuestion, u64), GrownFiles>,
    /// How often it was asked: the inventory is read again each time.
    pub(super) asked: u64,
    /// Why the fields are no question.
    pub refused: Option<InputError>,
}

impl GrowthFields {
    /// The field of a name.
    pub fn get(&self, field: GrowthField) -> &str {
        match field {
            GrowthField::Tors => &self.tors,
            GrowthField::Phases => &self.phases,
            GrowthField::Pin => &self.pin,
            GrowthField::MostMoves => &self.most_moves,
            GrowthField::Inventory => &self.inventory,
            GrowthField::Racks => &self.racks,
        }
    }

    pub(super) fn set(&mut self, field: GrowthField, text: String) {
        match field {
            GrowthField::Tors => self.tors = text,
            GrowthField::Phases => self.phases = text,
            GrowthField::Pin => self.pin = text,
            GrowthField::MostMoves => self.most_moves = text,
            GrowthField::Inventory => self.inventory = text,
            GrowthField::Racks => self.racks = text,
        }
    }

    pub(super) fn to_grow(&self) -> Result<GrowthQuestion, InputError> {
        let phases = self.phases.split(',').filter(|text| !text.trim().is_empty());
        let options = GrowOptions {
            tors: number(&self.tors, "tors")?,
            phases: phases.map(|text| whole(text, "phases")).collect::<Result<_, _>>()?,
            pin: self.pin.trim().to_owned(),
            most_moves: number(&self.most_moves, "most_moves")?,
        };
        let inventory = Some(self.inventory.trim()).filter(|text| !text.is_empty());
        Ok(GrowthQuestion::Grow(options, inventory.map(PathBuf::from)))
    }

    pub(super) fn to_shrink(&self) -> Result<GrowthQuestion, InputError> {
        let racks = Some(self.racks.trim().to_owned()).filter(|text| !text.is_empty());
        let tors = if racks.is_some() { None } else { number(&self.tors, "tors")? };
        Ok(GrowthQuestion::Shrink(ShrinkOptions { tors, racks }))
    }
}
