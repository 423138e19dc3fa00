//! How panels look at the design. It is kept for the next session; it is not undone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lightloom::configs::{Dialect, Encoding};
use lightloom::light::Case;
use serde::{Deserialize, Serialize};

use crate::command::{CablingTable, Command, FabricLayout, HallColour, Sorted};
use crate::draw::camera::Camera;
use crate::export::ExportOptions;
use crate::layers::{Collapsed, Layer, Layers, Shown};
use crate::panel::Panel;

/// How panels look at the design.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Looks {
    /// Cameras of the drawings. A drawing without a camera shows everything.
    pub cameras: BTreeMap<Panel, Camera>,
    /// The panel with the fabric.
    pub fabric: FabricLook,
    /// The colour of trays.
    pub hall_colour: HallColour,
    /// Layers of the drawings.
    pub layers: Layers,
    /// Groups that are drawn as one mark.
    #[serde(skip)]
    pub collapsed: Collapsed,
    /// Texts that filter the rows of tables.
    pub filters: BTreeMap<Panel, String>,
    /// Orders of tables.
    pub sorted: BTreeMap<Panel, Sorted>,
    /// The case of the light.
    #[serde(skip)]
    pub case: Option<Case>,
    /// The dialect of the rules, and their encoding.
    #[serde(skip)]
    pub dialect: (Option<Dialect>, Option<Encoding>),
    /// Light or dark.
    pub theme: egui::ThemePreference,
    /// Size of all text and symbols, in percent.
    pub scale: u32,
    /// The only panel that is shown. `None`: all of them.
    #[serde(skip)]
    pub only: Option<Panel>,
    /// Whether the list of commands is open.
    #[serde(skip)]
    pub palette: bool,
    /// Whether drawings centre on the selection at the next frame.
    #[serde(skip)]
    pub centre: bool,
    /// Whether the panels go back to where they were at first.
    #[serde(skip)]
    pub reset: bool,
    /// The table of cables that is shown.
    pub cabling: CablingTable,
    /// Options of what is written.
    #[serde(skip)]
    pub exports: ExportOptions,
    /// Files that were opened or saved, the last one first.
    pub recent: Vec<PathBuf>,
    /// Scenarios that were opened or saved, the last one first.
    pub recent_scenarios: Vec<PathBuf>,
}

/// How the fabric is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FabricLook {
    /// The layout.
    pub layout: FabricLayout,
    /// Whether the fibres of all sources are drawn. `None`: where there are few of them.
    pub all_fibres: Option<bool>,
    /// Whether the tree is animated.
    #[serde(skip)]
    pub animated: bool,
    /// The tree is shown up to this hop. `None`: all of it.
    #[serde(skip)]
    pub hop: Option<u32>,
}

/// Number of recent files.
const RECENT: usize = 8;
/// Smallest and largest size of text, in percent.
pub const SCALES: (u32, u32) = (50, 300);

impl Default for Looks {
    fn default() -> Self {
        Self {
            cameras: BTreeMap::new(),
            fabric: FabricLook::default(),
            hall_colour: HallColour::default(),
            layers: Layers::default(),
            collapsed: Collapsed::new(),
            filters: BTreeMap::new(),
            sorted: BTreeMap::new(),
            case: None,
            dialect: (None, None),
            theme: egui::ThemePreference::System,
            scale: 100,
            only: None,
            palette: false,
            centre: false,
            reset: false,
            cabling: CablingTable::default(),
            exports: ExportOptions::default(),
            recent: Vec::new(),
            recent_scenarios: Vec::new(),
        }
    }
}

impl Looks {
    /// Carries out a command about looks.
    pub(super) fn apply(&mut self, command: Command) {
        match command {
            Command::Look(panel, camera) => {
                self.cameras.insert(panel, camera);
            }
            Command::Fit(panel) => {
                self.cameras.remove(&panel);
            }
            Command::LayOut(layout) => {
                self.fabric.layout = layout;
                self.cameras.remove(&Panel::Fabric);
            }
            Command::AllFibres(shown) => {
                self.fabric.all_fibres = Some(shown);
                if shown && !self.layers.has(Layer::Fibres) {
                    self.layers.set(Layer::Fibres, Shown::Shown);
                }
            }
            Command::SetLayer(layer, shown) => {
                self.layers.set(layer, shown);
                if layer == Layer::Fibres {
                    self.fabric.all_fibres = Some(shown != Shown::Hidden);
                }
            }
            Command::Isolate(layer) => {
                self.layers.alone = layer;
                if layer == Some(Layer::Fibres) {
                    self.fabric.all_fibres = Some(true);
                }
            }
            Command::Collapse(group) => {
                self.collapsed.insert(group);
            }
            Command::Expand(group) => {
                self.collapsed.remove(&group);
            }
            Command::ExpandAll => self.collapsed.clear(),
            Command::Only(panel) => self.only = panel,
            Command::Animate(animated) => self.fabric.animated = animated,
            Command::Hop(hop) => self.fabric.hop = hop,
            Command::ColourBy(colour) => self.hall_colour = colour,
            Command::Filter(panel, text) => {
                self.filters.insert(panel, text);
            }
            Command::Sort(panel, sorted) => {
                self.sorted.insert(panel, sorted);
            }
            Command::LightCase(case) => self.case = Some(case),
            Command::Theme(theme) => self.theme = theme,
            Command::Scale(percent) => self.scale = percent.clamp(SCALES.0, SCALES.1),
            Command::Palette(open) => self.palette = open,
            Command::ResetLayout => self.reset = true,
            Command::CablingTable(table) => self.show_cables(table),
            Command::ExportWith(option) => self.exports.change(option),
            Command::ShowDialect(dialect) => self.dialect.0 = Some(dialect),
            Command::ShowEncoding(encoding) => self.dialect.1 = Some(encoding),
            _ => {}
        }
    }

    /// Shows a table of cables. A filter and an order are about the columns of the table before, so they end.
    pub(super) fn show_cables(&mut self, table: CablingTable) {
        if self.cabling != table {
            self.filters.remove(&Panel::Cabling);
            self.sorted.remove(&Panel::Cabling);
        }
        self.cabling = table;
    }

    /// Checks looks that were read.
    ///
    /// # Errors
    /// What cannot be drawn.
    pub(crate) fn check(&self) -> Result<(), String> {
        let (least, most) = SCALES;
        if !(least..=most).contains(&self.scale) {
            return Err(format!("its scale is {} %; expected {least} % to {most} %", self.scale));
        }
        match self.cameras.iter().find(|(_, camera)| !camera.is_sound()) {
            Some((panel, _)) => Err(format!("the camera of {} is nowhere", panel.title())),
            None => Ok(()),
        }
    }

    /// Puts a file in front of the recent ones.
    pub(super) fn remember(&mut self, path: &Path) {
        self.recent.retain(|recent| recent != path);
        self.recent.insert(0, path.to_path_buf());
        self.recent.truncate(RECENT);
    }

    /// Puts a scenario in front of the recent ones.
    pub(super) fn remember_scenario(&mut self, path: &Path) {
        self.recent_scenarios.retain(|recent| recent != path);
        self.recent_scenarios.insert(0, path.to_path_buf());
        self.recent_scenarios.truncate(RECENT);
    }

    /// Another design has other places.
    pub(crate) fn forget_places(&mut self) {
        self.cameras.clear();
        self.collapsed.clear();
    }

    /// The text that filters a table.
    pub fn filter(&self, panel: Panel) -> &str {
        self.filters.get(&panel).map_or("", String::as_str)
    }
}
