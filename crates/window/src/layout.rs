//! The layout of the panels: as a first start has it, and as an earlier session kept it.
//!
//! A kept layout is a text that a full disk, another version or an editor may have damaged. The tiles follow it as it
//! is: a tile among its own children overflows the stack, and a scale of 0 never ends. So it is checked as it is read.

use std::collections::BTreeSet;

use egui_tiles::{Container, Tile, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};

use crate::panel::{Area, Panel};
use crate::state::looks::Looks;

/// Longest text of a layout, in bytes. One with every panel has about 3 kB, and one of many recent files 10 kB.
const LONGEST: usize = 1 << 20;
/// Most tiles. There are fewer than 20 panels, each at most once.
const MOST_TILES: usize = 256;
/// Most containers within each other.
const DEEPEST: usize = 32;
/// Largest number of a tile. A tile gets a number that is larger by 1 than all others.
const LARGEST_ID: u64 = 1 << 53;
/// Smallest and largest share of a tile. Shares are about 1: tiles of one container are compared by them.
const SHARES: (f32, f32) = (1e-6, 1e6);

/// The layout of the panels, and how they look at things.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    /// The panels.
    pub panels: Tree<Panel>,
    /// How they look at things.
    pub looks: Looks,
}

impl Layout {
    /// Reads and checks a kept layout.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        if text.len() > LONGEST {
            return Err(format!("it has {} bytes; expected at most {LONGEST}", text.len()));
        }
        let Self { panels, looks } =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        looks.check()?;
        Ok(Self { panels: sound(panels)?, looks })
    }

    /// The text that [`Layout::read`] reads.
    pub fn text(&self) -> String {
        // Its keys are texts and numbers, which JSON can write.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The panels of a tree that can be drawn. Its size and identity are those of a new one.
///
/// A child that is not there is no fault: a tab that was closed is one until the next frame.
///
/// # Errors
/// What is wrong with the tree.
pub fn sound(tree: Tree<Panel>) -> Result<Tree<Panel>, String> {
    let Tree { root, mut tiles, .. } = tree;
    let Some(root) = root else {
        let is_empty = tiles.is_empty();
        let empty = || Tree::empty(egui::Id::unique(TREE));
        return is_empty.then(empty).ok_or_else(|| "its tiles have no root".into());
    };
    if tiles.len() > MOST_TILES {
        return Err(format!("it has {} tiles; expected at most {MOST_TILES}", tiles.len()));
    }
    if tiles.get(root).is_none() {
        return Err("its root is not there".into());
    }
    let reached = reached(&tiles, root)?;
    if reached.len() != tiles.len() {
        let lost = tiles.len() - reached.len();
        return Err(format!("{lost} of its tiles cannot be reached from the root"));
    }
    for id in reached {
        // A panel that is hidden could not be brought back.
        tiles.set_visible(TileId::from_u64(id), true);
    }
    tiles.recompute_next_tile_id();
    Ok(Tree::new(egui::Id::unique(TREE), root, tiles))
}

/// The tiles that are reached from the root: each by one way, none of them odd.
fn reached(tiles: &Tiles<Panel>, root: TileId) -> Result<BTreeSet<u64>, String> {
    let (mut reached, mut panels) = (BTreeSet::new(), BTreeSet::new());
    let mut rest = vec![(root, 0)];
    while let Some((id, depth)) = rest.pop() {
        let Some(tile) = tiles.get(id) else { continue };
        if !reached.insert(id.0) {
            return Err(format!("its tile {} has two parents, or is its own", id.0));
        }
        if id.0 > LARGEST_ID {
            return Err(format!("its tile {} has too large a number", id.0));
        }
        if depth > DEEPEST {
            return Err(format!("it has more than {DEEPEST} tiles within each other"));
        }
        match tile {
            Tile::Pane(panel) if !panels.insert(*panel) => {
                return Err(format!("it has the panel {} twice", panel.title()));
            }
            Tile::Pane(_) => {}
            Tile::Container(container) => {
                check_shares(container)?;
                let children = container.children_vec();
                let mut once = BTreeSet::new();
                if let Some(twice) = children.iter().find(|child| !once.insert(child.0)) {
                    return Err(format!("its tile {} is twice in tile {}", twice.0, id.0));
                }
                rest.extend(children.into_iter().map(|child| (child, depth + 1)));
            }
        }
    }
    Ok(reached)
}

fn check_shares(container: &Container) -> Result<(), String> {
    match container {
        Container::Tabs(_) => Ok(()),
        Container::Linear(linear) => {
            let (least, most) = SHARES;
            // Not a number is in no range.
            match linear.shares.iter().find(|(_, share)| !(least..=most).contains(*share)) {
                Some((id, share)) => Err(format!(
                    "its tile {} has a share of {share}; expected {least} to {most}",
                    id.0
                )),
                None => Ok(()),
            }
        }
        // Dragging a panel makes tabs, rows and columns.
        Container::Grid(_) => Err("it has a grid, which the window never makes".into()),
    }
}

/// What the identity of the tree is made from.
const TREE: &str = "panels";

/// The panels as a first start has them: settings left, drawings in the middle, tables below.
pub fn first() -> Tree<Panel> {
    let mut tiles = Tiles::default();
    let mut tabs = |panels: &[Panel]| {
        let panes: Vec<_> = panels.iter().map(|&panel| tiles.insert_pane(panel)).collect();
        tiles.insert_tab_tile(panes)
    };
    let [left, middle, right, below] =
        [Area::Left, Area::Middle, Area::Right, Area::Below].map(|area| {
            let mut panels: Vec<Panel> =
                Panel::ALL.into_iter().filter(|panel| panel.area() == area).collect();
            // The log comes last.
            panels.sort_by_key(|panel| *panel == Panel::Log);
            tabs(&panels)
        });
    let upper = tiles.insert_horizontal_tile(vec![middle, right]);
    let drawings = tiles.insert_vertical_tile(vec![upper, below]);
    let root = tiles.insert_horizontal_tile(vec![left, drawings]);
    let shares = [
        (root, left, 0.28),
        (root, drawings, 0.72),
        (upper, middle, 0.68),
        (upper, right, 0.32),
        (drawings, upper, 0.62),
        (drawings, below, 0.38),
    ];
    for (parent, child, share) in shares {
        if let Some(Tile::Container(Container::Linear(linear))) = tiles.get_mut(parent) {
            linear.shares.set_share(child, share);
        }
    }
    Tree::new(egui::Id::unique(TREE), root, tiles)
}

#[cfg(test)]
mod tests;
