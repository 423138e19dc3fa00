//! Why the dialogs of the desktop fail. The library that opens them answers the same to a dialog that is closed and to
//! one that cannot be opened; it tells the difference only in its log.

use std::sync::{Mutex, PoisonError};

use log::{Level, LevelFilter, Log, Metadata, Record};

/// The part of the library that logs an error when its last way to a dialog has failed.
const LAST_WAY: &str = "rfd::backend::xdg_desktop_portal";

/// Keeps the last error of that part.
struct Errors(Mutex<Option<String>>);

static ERRORS: Errors = Errors(Mutex::new(None));

impl Log for Errors {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() == Level::Error && metadata.target() == LAST_WAY
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            self.set(Some(record.args().to_string()));
        }
    }

    fn flush(&self) {}
}

impl Errors {
    fn set(&self, error: Option<String>) -> Option<String> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut kept, error)
    }
}

/// Listens to the log from now on. Another logger of the process stays, and then nothing is heard.
pub(crate) fn listen() {
    if log::set_logger(&ERRORS).is_ok() {
        log::set_max_level(LevelFilter::Error);
    }
}

/// Forgets what failed before.
pub(crate) fn forget() {
    ERRORS.set(None);
}

/// Why the last dialog could not be opened. `None`: it was.
pub(crate) fn failed() -> Option<String> {
    ERRORS.set(None)
}
