//! Named views: how everything looked at some time, kept under a name.

use std::collections::{BTreeMap, BTreeSet};

use egui_tiles::{Tile, Tree};
use lightloom::{Case, Dialect, Encoding};
use serde::{Deserialize, Serialize};

use crate::command::Selection;
use crate::panel::Panel;
use crate::state::looks::Looks;

/// How everything looks: the layout of panels, cameras, layers, filters, orders and the selection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NamedView {
    /// The layout of panels.
    pub panels: Tree<Panel>,
    /// How panels look at the design.
    pub looks: Looks,
    /// What is selected.
    pub selection: Selection,
    /// The only panel that is shown.
    pub only: Option<Panel>,
    /// The case of the light.
    pub case: Option<Case>,
    /// The dialect of the rules, and their encoding.
    pub dialect: (Option<Dialect>, Option<Encoding>),
}

impl NamedView {
    /// How everything looks now.
    pub fn new(panels: &Tree<Panel>, looks: &Looks, selection: Selection) -> Self {
        let (only, case, dialect) = (looks.only, looks.case, looks.dialect);
        Self { panels: panels.clone(), looks: looks.clone(), selection, only, case, dialect }
    }

    /// The looks of this view. What belongs to the whole window and not to a view stays as it is now.
    pub fn looks(&self, now: &Looks) -> Looks {
        let mut looks = self.looks.clone();
        (looks.theme, looks.scale) = (now.theme, now.scale);
        looks.recent.clone_from(&now.recent);
        looks.exports.clone_from(&now.exports);
        (looks.only, looks.case, looks.dialect) = (self.only, self.case, self.dialect);
        (looks.palette, looks.centre, looks.reset) = (false, false, false);
        looks
    }

    /// Whether the layout has a root, and each panel at most once. A layout that was edited may have neither.
    fn is_sound(&self) -> bool {
        let tiles = &self.panels.tiles;
        let root = self.panels.root.is_some_and(|root| tiles.get(root).is_some());
        let (mut panels, mut children) = (BTreeSet::new(), BTreeSet::new());
        let once = tiles.tiles().all(|tile| match tile {
            Tile::Pane(panel) => panels.insert(*panel),
            Tile::Container(container) => container
                .children_vec()
                .into_iter()
                .all(|child| Some(child) != self.panels.root && children.insert(child.0)),
        });
        root && once
    }
}

/// Something to do with a view, for which the layout of the window is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ViewWork {
    /// Keep what is there under this name.
    Save(String),
    /// Go to the view of this name.
    Go(String),
}

/// All named views.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NamedViews {
    views: BTreeMap<String, NamedView>,
    /// What waits for the window.
    pub(super) work: Vec<ViewWork>,
}

/// Longest name of a view, in characters.
const LONGEST: usize = 80;

impl NamedViews {
    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.views.keys()
    }

    /// The view of a name.
    pub fn get(&self, name: &str) -> Option<&NamedView> {
        self.views.get(name)
    }

    /// What waits for the window.
    pub fn take_work(&mut self) -> Vec<ViewWork> {
        std::mem::take(&mut self.work)
    }

    /// Keeps a view. One of the same name is replaced.
    pub fn keep(&mut self, name: String, view: NamedView) {
        self.views.insert(name, view);
    }

    /// Gives a view another name, unless another view has it. `false`: nothing was renamed.
    pub(super) fn rename(&mut self, from: &str, to: &str) -> bool {
        if self.views.contains_key(to) {
            return from == to;
        }
        let Some(view) = self.views.remove(from) else { return false };
        self.views.insert(to.to_owned(), view);
        true
    }

    /// Forgets a view. `false`: there was none.
    pub(super) fn forget(&mut self, name: &str) -> bool {
        self.views.remove(name).is_some()
    }

    /// A name as it is kept. `None`: it is empty, or too long.
    pub(super) fn named(name: &str) -> Option<String> {
        let name = name.trim();
        let is_name = !name.is_empty() && name.chars().count() <= LONGEST;
        (is_name && !name.chars().any(char::is_control)).then(|| name.to_owned())
    }

    /// All views as a text, for the next session.
    pub fn text(&self) -> String {
        // A view has texts and numbers, and its maps have names or numbers as keys.
        // A value has its keys in order.
        serde_json::to_value(&self.views).map(|views| views.to_string()).unwrap_or_default()
    }

    /// Reads views of an earlier session. Returns them, and what there is to tell about views that are not usable.
    pub fn read(text: &str) -> (Self, Vec<String>) {
        let mut told = Vec::new();
        let mut views = BTreeMap::new();
        let stored: BTreeMap<String, serde_json::Value> = match serde_json::from_str(text) {
            Ok(stored) => stored,
            Err(error) => {
                return (Self::default(), vec![format!("the stored views are dropped: {error}")]);
            }
        };
        for (name, value) in stored {
            let view =
                serde_json::from_value::<NamedView>(value).map_err(|error| error.to_string());
            let view = view.and_then(|view| {
                if view.is_sound() { Ok(view) } else { Err("its layout is broken".to_owned()) }
            });
            match (Self::named(&name), view) {
                (Some(name), Ok(view)) => drop(views.insert(name, view)),
                (None, _) => told.push("a stored view without a name is dropped".to_owned()),
                (_, Err(why)) => told.push(format!("the stored view {name} is dropped: {why}")),
            }
        }
        (Self { views, work: Vec::new() }, told)
    }
}
