//! The window: it draws the panels, collects their commands, and lets the state carry them out.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Context, Key, KeyboardShortcut, Modifiers, Ui};
use egui_tiles::{Behavior, Container, Tile, TileId, Tiles, Tree, UiResponse};
use serde::{Deserialize, Serialize};

use crate::command::Command;
use crate::panel::Panel;
use crate::soft::Soft;
use crate::state::State;
use crate::state::looks::Looks;
use crate::state::unsaved::Unsaved;
use crate::views::{self, Emit};

/// The window.
pub struct Window {
    /// Everything that the window knows.
    pub state: State,
    panels: Tree<Panel>,
    title: String,
}

/// What a session keeps for the next one.
#[derive(Serialize, Deserialize)]
struct Kept {
    panels: Tree<Panel>,
    looks: Looks,
}

/// Size of a picture of a panel, in points.
const PICTURE: egui::Vec2 = egui::vec2(1600.0, 1000.0);

impl Window {
    /// A window that redraws on `ctx`. `unsaved` is the place for unsaved text.
    pub fn new(ctx: &Context, unsaved: Unsaved) -> Self {
        let ctx = ctx.clone();
        let state = State::new(Arc::new(move || ctx.request_repaint()), unsaved);
        Self { state, panels: first_layout(), title: String::new() }
    }

    /// Takes the layout and the looks of an earlier session.
    pub fn restore(&mut self, storage: &dyn eframe::Storage) {
        if let Some(kept) = eframe::get_value::<Kept>(storage, eframe::APP_KEY) {
            self.panels = kept.panels;
            self.state.looks = kept.looks;
        }
    }

    /// Opens a design, a plan or a scenario.
    pub fn open(&mut self, path: &Path) {
        self.state.apply(Command::OpenFile(path.to_path_buf()));
    }

    /// Draws a frame.
    pub fn show(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        ctx.set_theme(self.state.looks.theme);
        #[allow(clippy::cast_precision_loss, reason = "a percentage")]
        ctx.set_zoom_factor(self.state.looks.scale as f32 / 100.0);
        if std::mem::take(&mut self.state.looks.reset) {
            self.panels = first_layout();
        }
        if let Some(panel) = self.state.to_front.take() {
            self.bring_forward(panel);
        }
        let visible = self.visible();
        self.state.refresh(&visible);
        let mut commands = Vec::new();
        self.keys(&ctx, &mut commands);
        {
            let mut emit = Emit::new(ui, &mut commands);
            egui::Panel::top("menu").show(ui, |ui| views::menu(ui, &self.state, &mut emit));
            egui::Panel::bottom("status").show(ui, |ui| views::status(ui, &self.state, &mut emit));
            egui::CentralPanel::no_frame().show(ui, |ui| {
                let mut panes = Panes { state: &self.state, emit: &mut emit };
                match self.state.looks.only {
                    Some(mut panel) => {
                        // It cannot be dragged away: it is the only one.
                        let _ = panes.pane_ui(ui, TileId::from_u64(0), &mut panel);
                    }
                    None => self.panels.ui(&mut panes, ui),
                }
            });
            views::palette(&ctx, &self.state, &mut emit);
            views::questions(&ctx, &self.state, &mut emit);
        }
        self.state.looks.centre = false;
        if !commands.is_empty() {
            // What a command changes is drawn in the next frame.
            ctx.request_repaint();
        }
        for command in commands {
            self.state.apply(command);
        }
        for (panel, path) in std::mem::take(&mut self.state.pictures) {
            self.write_picture(panel, &path, ctx.theme());
        }
        self.close_or_ask(&ctx);
        self.name(&ctx);
    }

    /// Whether anything is at work.
    pub fn is_busy(&self) -> bool {
        self.state.answers.is_busy()
    }

    fn keys(&self, ctx: &Context, commands: &mut Vec<Command>) {
        let shift = Modifiers::COMMAND.plus(Modifiers::SHIFT);
        let keys = [
            (shift, Key::S, Command::SaveAs),
            (Modifiers::COMMAND, Key::S, Command::Save),
            (Modifiers::COMMAND, Key::O, Command::Open),
            (Modifiers::COMMAND, Key::Q, Command::Quit),
            (shift, Key::Z, Command::Redo),
            (Modifiers::COMMAND, Key::Z, Command::Undo),
            (Modifiers::COMMAND, Key::Y, Command::Redo),
            (Modifiers::COMMAND, Key::P, Command::Palette(!self.state.looks.palette)),
            (Modifiers::COMMAND, Key::Plus, Command::Scale(self.state.looks.scale + 10)),
            (
                Modifiers::COMMAND,
                Key::Minus,
                Command::Scale(self.state.looks.scale.saturating_sub(10)),
            ),
        ];
        ctx.input_mut(|input| {
            for (modifiers, key, command) in keys {
                if input.consume_shortcut(&KeyboardShortcut::new(modifiers, key)) {
                    commands.push(command);
                }
            }
        });
    }

    /// The panels that are in front.
    fn visible(&self) -> Vec<Panel> {
        if let Some(panel) = self.state.looks.only {
            return vec![panel];
        }
        let active = self.panels.active_tiles();
        let pane = |id: &TileId| match self.panels.tiles.get(*id) {
            Some(Tile::Pane(panel)) => Some(*panel),
            _ => None,
        };
        active.iter().filter_map(pane).collect()
    }

    fn bring_forward(&mut self, panel: Panel) {
        let there = self.panels.make_active(|_, tile| matches!(tile, Tile::Pane(p) if *p == panel));
        if !there {
            let tile = self.panels.tiles.insert_pane(panel);
            match self.panels.root.and_then(|root| self.panels.tiles.get_mut(root)) {
                Some(Tile::Container(container)) => container.add_child(tile),
                _ => self.panels.root = Some(tile),
            }
        }
    }

    /// Closes the window, unless something has to be asked first.
    fn close_or_ask(&mut self, ctx: &Context) {
        if ctx.input(|input| input.viewport().close_requested()) && !self.state.quits {
            self.state.apply(Command::Quit);
            if !self.state.quits {
                ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            }
        }
        if self.state.quits {
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }

    fn name(&mut self, ctx: &Context) {
        let file = self.state.file.shown();
        let changed = if self.state.is_changed() { "*" } else { "" };
        let title = format!("{changed}{} - lightloom", file.display());
        if title != self.title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    fn write_picture(&mut self, panel: Panel, path: &Path, theme: egui::Theme) {
        let written = picture(panel, &self.state, PICTURE, theme)
            .and_then(|png| lightloom::replace_file(path, &png).map_err(|error| error.to_string()));
        match written {
            Ok(()) => self.state.tell(format!("wrote {}", path.display())),
            Err(error) => self.state.tell(format!("{}: {error}", path.display())),
        }
    }
}

/// A picture of one panel, as PNG.
///
/// # Errors
/// A message if it cannot be drawn.
pub fn picture(
    panel: Panel,
    state: &State,
    size: egui::Vec2,
    theme: egui::Theme,
) -> Result<Vec<u8>, String> {
    let ctx = Context::default();
    ctx.set_theme(theme);
    let mut soft = Soft::default();
    let input = || egui::RawInput {
        screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size)),
        ..egui::RawInput::default()
    };
    // Tables and dense layers need a few frames to settle.
    let mut output = None;
    for _ in 0..6 {
        let mut nothing = Vec::new();
        let mut drawn = ctx.run_ui(input(), |ui| {
            let mut emit = Emit::new(ui, &mut nothing);
            egui::Frame::central_panel(ui.style())
                .show(ui, |ui| views::show(panel, ui, state, &mut emit));
        });
        soft.take_textures(&mut drawn.textures_delta);
        output = Some(drawn);
        std::thread::sleep(std::time::Duration::from_millis(40));
    }
    let output = output.ok_or("nothing was drawn")?;
    soft.draw(&ctx, &output, size)?.png()
}

struct Panes<'a, 'b> {
    state: &'a State,
    emit: &'a mut Emit<'b>,
}

impl Behavior<Panel> for Panes<'_, '_> {
    fn pane_ui(&mut self, ui: &mut Ui, _tile: TileId, panel: &mut Panel) -> UiResponse {
        egui::Frame::central_panel(ui.style())
            .show(ui, |ui| views::show(*panel, ui, self.state, self.emit));
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, panel: &Panel) -> egui::WidgetText {
        panel.title().into()
    }

    fn is_tab_closable(&self, _tiles: &Tiles<Panel>, _tile: TileId) -> bool {
        true
    }

    fn simplification_options(&self) -> egui_tiles::SimplificationOptions {
        egui_tiles::SimplificationOptions { all_panes_must_have_tabs: true, ..Default::default() }
    }
}

/// The panels as a first start has them: settings left, drawings in the middle, tables below.
fn first_layout() -> Tree<Panel> {
    let mut tiles = Tiles::default();
    let mut tabs = |panels: &[Panel]| {
        let panes: Vec<_> = panels.iter().map(|&panel| tiles.insert_pane(panel)).collect();
        tiles.insert_tab_tile(panes)
    };
    let left = tabs(&[Panel::Design, Panel::Text]);
    let middle = tabs(&[Panel::Fabric, Panel::Hall, Panel::Twin]);
    let right = tabs(&[Panel::Failures, Panel::Rules, Panel::Problems]);
    let below = tabs(&[Panel::Light, Panel::Trace, Panel::Money, Panel::Explore, Panel::Log]);
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
    Tree::new(egui::Id::unique("panels"), root, tiles)
}

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        let kept = Kept { panels: self.panels.clone(), looks: self.state.looks.clone() };
        eframe::set_value(storage, eframe::APP_KEY, &kept);
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.state.close();
    }
}

/// The file for unsaved text. `None`: the system names no folder for it.
pub fn unsaved_place() -> Option<PathBuf> {
    let folder = eframe::storage_dir("lightloom")?;
    // The folder is made by the first start; without it nothing is kept.
    let _ = std::fs::create_dir_all(&folder);
    Some(folder.join("unsaved.json"))
}
