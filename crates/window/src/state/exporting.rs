//! Writes files: they are made on a thread, compared with what is there, asked about, and written on a thread.

use std::path::PathBuf;
use std::sync::Arc;

use lightloom::{Bundle, Error, InputError, ReplacedReport, Watch};

use crate::export::Export;
use crate::panel::Panel;
use crate::place::{Line, Place};
use crate::slot::{HowFar, Slot, Wake};
use crate::state::answers::Of;
use crate::state::questions::Question;
use crate::words;

/// Files that are ready to be written.
#[derive(Debug)]
pub struct Prepared {
    export: Export,
    path: PathBuf,
    bundle: Bundle,
    replaced: Arc<ReplacedReport>,
}

/// What is being written.
#[derive(Debug, Default)]
pub struct Exporting {
    prepared: Slot<u64, Prepared>,
    written: Slot<u64, Line>,
    /// Numbers of what was asked: the same export can be asked for again.
    asked: u64,
    /// The rows of a table that wait for a path, and the design that they are of.
    pub(super) rows: Option<(Panel, Of, String)>,
}

/// What came of the work.
pub(super) enum Came {
    Nothing,
    /// Something to tell.
    Told(Line),
    /// The files are ready, and nothing that is there is lost.
    Write,
    /// Something is lost, or cannot be done.
    Ask(Question),
}

impl Exporting {
    /// How far the work is. `None`: nothing is at work.
    pub fn how_far(&self) -> Option<HowFar> {
        self.written.how_far().or_else(|| self.prepared.how_far())
    }

    /// The rows of a table that wait for a path.
    pub fn rows(&self) -> Option<(Panel, &str)> {
        self.rows.as_ref().map(|(panel, _, text)| (*panel, &**text))
    }

    /// Stops the work. Nothing is written.
    pub(super) fn stop(&mut self) {
        self.prepared.stop();
        self.written.stop();
    }

    /// Stops the work and waits for it.
    pub fn close(&mut self) {
        self.prepared.close();
        self.written.close();
    }

    /// Makes files on a thread, and compares them with what is there.
    pub(super) fn prepare(
        &mut self,
        (export, path): (Export, PathBuf),
        wake: &Wake,
        work: impl FnOnce(Watch<'_>) -> Result<Bundle, Error> + Send + 'static,
    ) {
        self.asked += 1;
        self.prepared.ask(self.asked, wake, move |watch| {
            let bundle = work(watch)?;
            let replaced = Arc::new(bundle.compare(&path)?);
            Ok(Prepared { export, path, bundle, replaced })
        });
    }

    /// Writes what was prepared.
    pub(super) fn write(&mut self, wake: &Wake) {
        let Some(prepared) = self.prepared.last().cloned() else { return };
        self.asked += 1;
        self.written.ask(self.asked, wake, move |watch| {
            let Prepared { path, bundle, replaced, .. } = &*prepared;
            if !bundle.write(path, replaced, watch)? {
                let message = "was changed by somebody else meanwhile; export again";
                return Err(InputError::new(message).in_file(path).into());
            }
            Ok(Line::at(format!("wrote {}", path.display()), Place::File(path.clone())))
        });
    }

    /// Takes what came of the work.
    pub(super) fn poll(&mut self) -> Came {
        if self.written.poll() {
            // Large plans are not kept in memory longer than needed.
            self.prepared.clear();
            return match (self.written.refused(), self.written.last()) {
                (Some(error), _) => {
                    Came::Told(Line::refused(format!("export: {}", words::told(error)), error))
                }
                (None, Some(line)) => Came::Told(Line::clone(line)),
                (None, None) => Came::Nothing,
            };
        }
        if !self.prepared.poll() {
            return Came::Nothing;
        }
        match (self.prepared.refused(), self.prepared.last()) {
            (Some(error), _) => Came::Ask(Question::Told {
                title: "Export".to_owned(),
                message: words::told(error),
            }),
            (None, Some(made)) if made.replaced.is_nothing() => {
                let text = format!("{}: nothing changes", made.path.display());
                Came::Told(Line::at(text, Place::File(made.path.clone())))
            }
            (None, Some(made)) if made.replaced.loses() => Came::Ask(Question::Replace {
                export: made.export,
                path: made.path.clone(),
                replaced: made.replaced.clone(),
            }),
            (None, Some(_)) => Came::Write,
            (None, None) => Came::Nothing,
        }
    }
}
