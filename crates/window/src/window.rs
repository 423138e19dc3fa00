//! The window: it draws the panels, collects their commands, and lets the state carry them out.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Context, Key, KeyboardShortcut, Modifiers, Ui};
use egui_tiles::{Behavior, Tile, TileId, Tiles, Tree, UiResponse};
use lightloom::units::text::{shown, shown_path};

use crate::colours;
use crate::command::{Command, Way};
use crate::export::Export;
use crate::focus::{self, Places};
use crate::layout::{self, Layout};
use crate::panel::Panel;
use crate::picture;
use crate::state::aside::keep_aside;
use crate::state::named::{NamedView, ViewWork};
use crate::state::unsaved::Unsaved;
use crate::state::{Among, State};
use crate::views::{self, Emit};

/// The window.
pub struct Window {
    /// Everything that the window knows.
    pub state: State,
    panels: Tree<Panel>,
    title: String,
    /// Where the panels in sight are.
    places: Places,
}

impl Window {
    /// A window that redraws on `ctx`. `unsaved` is the place for unsaved text.
    pub fn new(ctx: &Context, unsaved: Unsaved) -> Self {
        colours::set(ctx);
        let ctx = ctx.clone();
        let state = State::new(Arc::new(move || ctx.request_repaint()), unsaved, views::asks);
        Self { state, panels: layout::first(), title: String::new(), places: Places::default() }
    }

    /// Takes the layout of the panels that an earlier session kept, and how they look at things. One that cannot be
    /// used is not taken: it is put aside as a file of `folder`, and that is told in the log.
    pub fn restore(&mut self, kept: &str, folder: Option<&Path>) {
        if kept.is_empty() {
            return;
        }
        match Layout::read(kept) {
            Ok(Layout { panels, looks }) => {
                self.panels = panels;
                self.state.looks = looks;
                // The design of the last session is not open any more.
                self.state.looks.forget_places();
            }
            Err(why) => {
                let aside = folder.map(|folder| keep_aside(&folder.join("layout"), kept));
                let where_to = match aside {
                    None => "it is dropped".to_owned(),
                    Some(Ok(aside)) => format!("it is kept as {}", shown_path(&aside)),
                    Some(Err(error)) => {
                        format!("it is dropped, since it cannot be put aside ({error})")
                    }
                };
                self.state.tell(format!(
                    "the layout of the last session cannot be used ({}); {where_to}, and the panels are where they \
                        were at first",
                    shown(&why)
                ));
            }
        }
    }

    /// The layout that the next session takes.
    pub fn kept(&self) -> String {
        Layout { panels: self.panels.clone(), looks: self.state.looks.clone() }.text()
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
            self.panels = layout::first();
        }
        if let Some(panel) = self.state.to_front.take() {
            self.bring_forward(panel);
        }
        let mut asking = self.visible();
        asking.extend(self.state.pictured());
        self.state.refresh(&asking);
        if asking.contains(&Panel::Problems) {
            self.state.refusals = views::refusals(&self.state);
        }
        // What is asked for in this frame has no answers yet.
        let pictures = self.state.take_ready_pictures(views::is_at_work);
        self.places.clear();
        let (mut commands, mut keys) = (Vec::new(), Vec::new());
        self.keys(&ctx, &mut keys);
        // A desktop clears the window with a colour of its own, which is nearly black. Not all panels cover it.
        ui.painter().rect_filled(ui.max_rect(), 0.0, ui.visuals().panel_fill);
        let typing = focus::leave_field(&ctx, &keys);
        {
            let mut emit = Emit::new(ui, &mut commands);
            egui::Panel::top("menu").show(ui, |ui| views::menu(ui, &self.state, &mut emit));
            egui::Panel::bottom("status").show(ui, |ui| views::status(ui, &self.state, &mut emit));
            egui::CentralPanel::no_frame().show(ui, |ui| {
                let places = &mut self.places;
                let mut panes = Panes { state: &self.state, emit: &mut emit, places };
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
        // Fields that were left come first: a save has what was typed in them.
        commands.append(&mut keys);
        if let Some(field) = typing {
            ctx.memory_mut(|memory| memory.request_focus(field));
        }
        self.state.looks.centre = false;
        if !commands.is_empty() {
            // What a command changes is drawn in the next frame.
            ctx.request_repaint();
        }
        for (export, path) in pictures {
            self.offer_picture(export, path, ctx.theme());
        }
        for command in commands {
            self.state.apply(command);
        }
        for work in self.state.named.take_work() {
            self.view(work);
        }
        if let Some((way, among)) = self.state.moves.take() {
            self.move_focus(&ctx, way, among);
        }
        if let Some(text) = self.state.copied.take() {
            ctx.copy_text(text);
        }
        self.close_or_ask(&ctx);
        self.name(&ctx);
    }

    /// Whether anything is at work.
    pub fn is_busy(&self) -> bool {
        self.state.is_busy()
    }

    /// Whether a picture of many lines is on its way. What is on the screen is then that of before.
    pub fn is_drawing(&self, ctx: &Context) -> bool {
        views::is_drawing(ctx)
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
            (Modifiers::NONE, Key::F5, Command::ReadAgain),
            (Modifiers::COMMAND, Key::P, Command::Palette(!self.state.looks.palette)),
            (Modifiers::COMMAND, Key::Plus, Command::Scale(self.state.looks.scale + 10)),
            (
                Modifiers::COMMAND,
                Key::Minus,
                Command::Scale(self.state.looks.scale.saturating_sub(10)),
            ),
            (Modifiers::SHIFT, Key::F6, Command::NextPanel(Way::Back)),
            (Modifiers::NONE, Key::F6, Command::NextPanel(Way::Forward)),
            (Modifiers::CTRL.plus(Modifiers::SHIFT), Key::Tab, Command::NextTab(Way::Back)),
            (Modifiers::CTRL, Key::Tab, Command::NextTab(Way::Forward)),
        ];
        ctx.input_mut(|input| {
            // Another program may have changed files meanwhile.
            if input.events.contains(&egui::Event::WindowFocused(true)) {
                commands.push(Command::LookAgain);
            }
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
        let title = format!("{changed}{} - lightloom", shown_path(&file));
        if title != self.title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    /// Draws a picture, and offers it for writing.
    fn offer_picture(&mut self, export: Export, path: PathBuf, theme: egui::Theme) {
        let (state, size) = (&self.state, picture::SIZE);
        let drawn = match export {
            Export::Picture(panel) => picture::png(panel, state, size, theme),
            Export::Svg(panel) => {
                picture::svg_of(panel, state, size, theme).map(String::into_bytes)
            }
            _ => return,
        };
        match drawn {
            Ok(bytes) => self.state.offer(export, path, bytes),
            Err(error) => self.state.tell(format!("{}: {error}", path.display())),
        }
    }

    /// Keeps a view, or goes to one.
    fn view(&mut self, work: ViewWork) {
        match work {
            ViewWork::Save(name) => {
                let view = NamedView::new(&self.panels, &self.state.looks, self.state.selection);
                self.state.keep_view(name, view);
            }
            ViewWork::Go(name) => {
                if let Some(view) = self.state.named.get(&name) {
                    self.panels = view.panels.clone();
                }
                self.state.look_as(&name);
            }
        }
    }

    /// Moves the focus to another panel.
    fn move_focus(&mut self, ctx: &Context, way: Way, among: Among) {
        let panel = match among {
            Among::InSight => self.places.next(ctx, way),
            Among::All => {
                let there: Vec<Panel> =
                    Panel::ALL.into_iter().filter(|panel| self.has(*panel)).collect();
                self.places.current(ctx).and_then(|now| focus::after(&there, now, way))
            }
        };
        let Some(panel) = panel else { return };
        if among == Among::All {
            self.state.looks.only = self.state.looks.only.and(Some(panel));
            self.bring_forward(panel);
        }
        focus::focus(ctx, panel);
    }

    /// Whether the layout has a panel.
    fn has(&self, panel: Panel) -> bool {
        self.panels.tiles.tiles().any(|tile| matches!(tile, Tile::Pane(there) if *there == panel))
    }
}

struct Panes<'a, 'b> {
    state: &'a State,
    emit: &'a mut Emit<'b>,
    places: &'a mut Places,
}

impl Behavior<Panel> for Panes<'_, '_> {
    fn pane_ui(&mut self, ui: &mut Ui, _tile: TileId, panel: &mut Panel) -> UiResponse {
        egui::Frame::central_panel(ui.style()).show(ui, |ui| {
            self.places.mark(ui, *panel);
            views::show(*panel, ui, self.state, self.emit);
        });
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, panel: &Panel) -> egui::WidgetText {
        panel.title().into()
    }

    fn on_tab_button(
        &mut self,
        _tiles: &mut Tiles<Panel>,
        _tile: TileId,
        response: egui::Response,
    ) -> egui::Response {
        // The tiles mark no tab that has the focus of the keyboard.
        if response.has_focus() {
            let stroke = egui::Stroke::new(2.0, self.emit.colours.selected);
            response.ctx.layer_painter(response.layer_id).rect_stroke(
                response.rect.shrink(1.0),
                2.0,
                stroke,
                egui::StrokeKind::Inside,
            );
        }
        response
    }

    fn is_tab_closable(&self, _tiles: &Tiles<Panel>, _tile: TileId) -> bool {
        true
    }

    fn simplification_options(&self) -> egui_tiles::SimplificationOptions {
        egui_tiles::SimplificationOptions { all_panes_must_have_tabs: true, ..Default::default() }
    }
}
