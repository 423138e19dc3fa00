//! Opens the window ([`lightloom_window`]) on a desktop, with its dialogs for files and its memory between sessions.
//!
//! All that needs a display is here, so that the tests of the window need none.

mod dialogs;

use std::path::{Path, PathBuf};

use eframe::{App, CreationContext, Frame, Storage};
use egui::Ui;
use lightloom::InputError;
use lightloom_window::Window;
use lightloom_window::export::Written;
use lightloom_window::state::questions::PathFor;
use lightloom_window::state::unsaved::Unsaved;

/// The key of the layout that a session keeps.
const LAYOUT: &str = "layout";
/// The key of named views that earlier versions kept. They have a file of their own now, because each window writes all
/// keys when it is closed.
const VIEWS: &str = "views";

/// The window on a desktop.
pub struct Desktop(pub Window);

impl Desktop {
    /// A window with the layout of the last session.
    pub fn new(created: &CreationContext<'_>) -> Self {
        let folder = folder();
        let unsaved = folder.as_deref().map_or_else(Unsaved::default, Unsaved::in_folder);
        let mut window = Window::new(&created.egui_ctx, unsaved);
        dialogs::listen();
        window.state.browse = Some(browse);
        let kept = |key| created.storage.and_then(|storage| storage.get_string(key));
        window.restore(&kept(LAYOUT).unwrap_or_default(), folder.as_deref());
        if let Some(folder) = folder {
            let before = kept(VIEWS).unwrap_or_default();
            window.state.share_views(folder.join("views.json"), &before);
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
    /// What no panel covers has the ground of panels.
    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut Frame) {
        self.0.show(ui);
    }

    fn save(&mut self, storage: &mut dyn Storage) {
        storage.set_string(LAYOUT, self.0.kept());
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.0.state.close();
    }
}

/// The dialog of the desktop. It is called on a thread of its own.
fn browse(purpose: PathFor) -> Result<Option<PathBuf>, InputError> {
    dialogs::forget();
    let dialog = rfd::FileDialog::new().set_title(purpose.title());
    let path = match purpose {
        PathFor::Open | PathFor::Scenario => dialog.add_filter("TOML", &["toml"]).pick_file(),
        PathFor::Returned => dialog.add_filter("CSV", &["csv"]).pick_file(),
        PathFor::SaveAs | PathFor::SaveScenario => dialog.save_file(),
        PathFor::Export(export) => match export.written() {
            Written::File => dialog.set_file_name(export.proposed()).save_file(),
            Written::Folder => dialog.pick_folder(),
        },
    };
    match dialogs::failed().filter(|_| path.is_none()) {
        None => Ok(path),
        Some(why) => Err(InputError::new(format!(
            "the desktop has no dialog for files ({why}); type the path, or install a file portal \
             (xdg-desktop-portal) or zenity"
        ))),
    }
}

/// The folder for unsaved texts and named views. `None`: the system names none.
fn folder() -> Option<PathBuf> {
    let folder = eframe::storage_dir("lightloom")?;
    // The folder is made by the first start; without it nothing is kept.
    let _ = std::fs::create_dir_all(&folder);
    Some(folder)
}
