//! Opens the window ([`lightloom_window`]) on a desktop, with its dialogs for files and its memory between sessions.
//!
//! All that needs a display is here, so that the tests of the window need none.

use std::path::{Path, PathBuf};

use eframe::{App, CreationContext, Frame, Storage};
use egui::Ui;
use lightloom_window::Window;
use lightloom_window::command::Export;
use lightloom_window::state::questions::PathFor;
use lightloom_window::state::unsaved::Unsaved;

/// The window on a desktop.
pub struct Desktop(pub Window);

impl Desktop {
    /// A window with the layout of the last session.
    pub fn new(created: &CreationContext<'_>) -> Self {
        let unsaved = unsaved_place().map_or_else(Unsaved::default, Unsaved::at);
        let mut window = Window::new(&created.egui_ctx, unsaved);
        window.state.browse = Some(browse);
        if let Some(kept) = created.storage.and_then(|storage| storage.get_string(eframe::APP_KEY))
        {
            window.restore(&kept);
        }
        Self(window)
    }

    /// The same window with a file opened: a design, the folder of a plan, or a scenario.
    #[must_use]
    pub fn with(mut self, file: Option<&Path>) -> Self {
        if let Some(file) = file {
            self.0.open(file);
        }
        self
    }
}

impl App for Desktop {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut Frame) {
        self.0.show(ui);
    }

    fn save(&mut self, storage: &mut dyn Storage) {
        storage.set_string(eframe::APP_KEY, self.0.kept());
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.0.state.close();
    }
}

/// The dialog of the desktop.
fn browse(purpose: PathFor) -> Option<PathBuf> {
    let dialog = rfd::FileDialog::new().set_title(purpose.title());
    match purpose {
        PathFor::Open | PathFor::Scenario => dialog.add_filter("TOML", &["toml"]).pick_file(),
        PathFor::SaveAs | PathFor::Export(Export::Picture(_)) => dialog.save_file(),
        PathFor::Export(_) => dialog.pick_folder(),
    }
}

/// The file for unsaved text. `None`: the system names no folder for it.
fn unsaved_place() -> Option<PathBuf> {
    let folder = eframe::storage_dir("lightloom")?;
    // The folder is made by the first start; without it nothing is kept.
    let _ = std::fs::create_dir_all(&folder);
    Some(folder.join("unsaved.json"))
}
