//! Layers of drawings, and groups that are drawn as one mark.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// A layer of the drawings of fabric and hall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Layer {
    /// The fibres of all sources.
    Fibres,
    /// The tree of the selection, and its way through the hall.
    Tree,
    /// ToRs, cassettes and racks.
    Tors,
    /// Trays of the hall.
    Trays,
    /// Broken parts.
    Broken,
    /// Marks of ToRs that are cut off.
    CutOff,
    /// Names and numbers.
    Names,
}

impl Layer {
    /// All layers, in the order of menus.
    pub const ALL: [Self; 7] = [
        Self::Fibres,
        Self::Tree,
        Self::Tors,
        Self::Trays,
        Self::Broken,
        Self::CutOff,
        Self::Names,
    ];

    /// Name in menus.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fibres => "fibres of all sources",
            Self::Tree => "tree of the selection",
            Self::Tors => "ToRs and racks",
            Self::Trays => "trays",
            Self::Broken => "broken parts",
            Self::CutOff => "cut-off ToRs",
            Self::Names => "names",
        }
    }
}

/// How a layer is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Shown {
    /// As it is.
    #[default]
    Shown,
    /// Faintly.
    Dimmed,
    /// Not at all.
    Hidden,
}

impl Shown {
    /// All of them, with their names in menus.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Shown, "Show"), (Self::Dimmed, "Dim"), (Self::Hidden, "Hide")];
}

/// Strength of a dimmed layer.
const DIM: f32 = 0.3;

/// How layers are drawn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layers {
    each: BTreeMap<Layer, Shown>,
    /// The only layer that is drawn. `None`: all of them, each as it is set.
    pub alone: Option<Layer>,
}

impl Layers {
    /// Sets how a layer is drawn. No layer is alone afterwards.
    pub fn set(&mut self, layer: Layer, shown: Shown) {
        self.each.insert(layer, shown);
        self.alone = None;
    }

    /// How a layer is drawn.
    pub fn of(&self, layer: Layer) -> Shown {
        match self.alone {
            Some(alone) if alone == layer => Shown::Shown,
            Some(_) => Shown::Hidden,
            None => self.each.get(&layer).copied().unwrap_or_default(),
        }
    }

    /// Strength of a layer's colours: 1 as they are, 0 not drawn.
    pub fn strength(&self, layer: Layer) -> f32 {
        match self.of(layer) {
            Shown::Shown => 1.0,
            Shown::Dimmed => DIM,
            Shown::Hidden => 0.0,
        }
    }

    /// Whether a layer is drawn.
    pub fn has(&self, layer: Layer) -> bool {
        self.of(layer) != Shown::Hidden
    }
}

/// Things that are drawn as one mark with their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// A column of a Shufflecast.
    Column(u32),
    /// A row of a Shufflecast.
    Row(u32),
    /// A row of racks in the hall, by its index.
    Racks(u32),
}

impl Group {
    /// Name in menus. `rows` are the names of the rows of racks.
    pub fn name<'a>(self, rows: impl Fn(u32) -> Option<&'a str>) -> String {
        match self {
            Self::Column(column) => format!("column {column}"),
            Self::Row(row) => format!("row {row}"),
            Self::Racks(row) => format!("racks of row {}", rows(row).unwrap_or("?")),
        }
    }
}

/// Groups that are collapsed.
pub type Collapsed = BTreeSet<Group>;
