//! Named views: how everything looked at some time, kept under a name.

use std::collections::BTreeMap;
use std::path::PathBuf;

use egui_tiles::Tree;
use lightloom::configs::{Dialect, Encoding};
use lightloom::light::Case;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::command::Selection;
use crate::layout;
use crate::panel::Panel;
use crate::state::looks::Looks;
use crate::state::view_file::{self, Stored, Then};

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
        looks.recent_scenarios.clone_from(&now.recent_scenarios);
        looks.exports.clone_from(&now.exports);
        (looks.only, looks.case, looks.dialect) = (self.only, self.case, self.dialect);
        (looks.palette, looks.centre, looks.reset) = (false, false, false);
        looks
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
    /// The file that has them. `None`: they last as long as the window.
    place: Option<PathBuf>,
    /// What waits for the window.
    pub(super) work: Vec<ViewWork>,
    /// What there is to tell.
    pub(super) told: Vec<String>,
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

    /// Takes the views of a file, and keeps all views there from now on. If it has none, the views of `before` are
    /// moved into it: earlier versions kept them elsewhere, as a text.
    pub(super) fn share(&mut self, place: PathBuf, before: &str) {
        self.place = Some(place.clone());
        let mut wrong = None;
        let stored = self.store(|stored| {
            if before.is_empty() || place.exists() {
                return Then::Leave;
            }
            match serde_json::from_str(before) {
                Ok(before) => *stored = before,
                Err(error) => wrong = Some(format!("the stored views are left out: {error}")),
            }
            Then::Write
        });
        self.told.extend(wrong);
        for (name, view) in stored {
            match read(&name, view) {
                Ok((name, view)) => drop(self.views.insert(name, view)),
                Err(why) => self.told.push(why),
            }
        }
    }

    /// Keeps a view. One of the same name is replaced, if this window has it. `false`: the file has one that this
    /// window did not have, and nothing is kept.
    pub(super) fn keep(&mut self, name: String, view: NamedView) -> bool {
        let is_known = self.views.contains_key(&name);
        let mut is_free = true;
        self.write(|stored| {
            is_free = is_known || !stored.contains_key(&name);
            if !is_free {
                return Then::Leave;
            }
            stored.insert(name.clone(), value(&view));
            Then::Write
        });
        if is_free {
            self.views.insert(name, view);
        }
        is_free
    }

    /// Gives a view another name, unless another view has it. `false`: nothing was renamed.
    pub(super) fn rename(&mut self, from: &str, to: &str) -> bool {
        let Some(view) = self.views.get(from).cloned() else { return false };
        if from == to || self.views.contains_key(to) {
            return from == to;
        }
        let mut is_free = true;
        self.write(|stored| {
            // Another window may have kept a view of this name.
            is_free = !stored.contains_key(to);
            if !is_free {
                return Then::Leave;
            }
            stored.remove(from);
            stored.insert(to.to_owned(), value(&view));
            Then::Write
        });
        if is_free {
            self.views.remove(from);
            self.views.insert(to.to_owned(), view);
        }
        is_free
    }

    /// Forgets a view. `false`: there was none.
    pub(super) fn forget(&mut self, name: &str) -> bool {
        if self.views.remove(name).is_none() {
            return false;
        }
        self.write(|stored| match stored.remove(name) {
            Some(_) => Then::Write,
            None => Then::Leave,
        });
        true
    }

    /// A name as it is kept. `None`: it is empty, or too long.
    pub(super) fn named(name: &str) -> Option<String> {
        let name = name.trim();
        let is_name = !name.is_empty() && name.chars().count() <= LONGEST;
        (is_name && !name.chars().any(char::is_control)).then(|| name.to_owned())
    }

    /// Changes the file, and takes the views that other windows have kept there. What cannot be read was told by the
    /// start.
    fn write(&mut self, change: impl FnOnce(&mut Stored) -> Then) {
        let stored = self.store(change);
        self.views.extend(stored.into_iter().filter_map(|(name, view)| read(&name, view).ok()));
    }

    /// Changes the file. Returns what it has then.
    fn store(&mut self, change: impl FnOnce(&mut Stored) -> Then) -> Stored {
        let Some(place) = &self.place else { return Stored::new() };
        match view_file::change(place, change) {
            Ok(shared) => {
                self.told.extend(shared.told);
                shared.stored
            }
            Err(error) => {
                let place = place.display();
                self.told.push(format!("{place}: named views are not kept there: {error}"));
                Stored::new()
            }
        }
    }
}

/// A view as it is stored.
fn value(view: &NamedView) -> Value {
    // It has texts and numbers, and its maps have names or numbers as keys.
    serde_json::to_value(view).unwrap_or_default()
}

/// Reads a stored view.
///
/// # Errors
/// What there is to tell about a view that is not usable.
fn read(name: &str, view: Value) -> Result<(String, NamedView), String> {
    let named = NamedViews::named(name)
        .ok_or_else(|| "a stored view without a usable name is left out".to_owned())?;
    let left_out = |why: String| format!("the stored view {name} is left out: {why}");
    let view: NamedView =
        serde_json::from_value(view).map_err(|error| left_out(error.to_string()))?;
    view.looks.check().map_err(left_out)?;
    let panels = layout::sound(view.panels).map_err(left_out)?;
    Ok((named, NamedView { panels, ..view }))
}
