//! Writes files, one export after the other: they are made on a thread, compared with what is there, asked about, and
//! written on a thread.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use lightloom::edit::{Bundle, ReplacedReport};
use lightloom::{Error, InputError, Watch};

use crate::export::Export;
use crate::panel::Panel;
use crate::place::{Line, Place};
use crate::slot::{HowFar, Slot, Wake};
use crate::state::answers::Of;
use crate::state::questions::Question;
use crate::words;

/// Makes the files of an export.
type Work = Box<dyn FnOnce(Watch<'_>) -> Result<Bundle, Error> + Send>;

/// An export that waits for its turn.
struct Wanted {
    export: Export,
    path: PathBuf,
    work: Work,
}

/// Files that are ready to be written.
#[derive(Debug)]
pub struct Prepared {
    path: PathBuf,
    bundle: Bundle,
    replaced: Arc<ReplacedReport>,
}

/// What is being written.
#[derive(Default)]
pub struct Exporting {
    /// What was asked for meanwhile, oldest first.
    waiting: VecDeque<Wanted>,
    /// The export at work, until it is written or given up.
    current: Option<Export>,
    /// Its question, until it is answered.
    asks: Option<Question>,
    prepared: Slot<u64, Prepared>,
    written: Slot<u64, PathBuf>,
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
    /// The export is at its place now, and something to tell of it.
    There(Export, PathBuf, Line),
    /// The files are ready, and nothing that is there is lost.
    Write,
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

    /// The names of what is not written yet.
    pub(super) fn unwritten(&self) -> Vec<String> {
        let waiting = self.waiting.iter().map(|wanted| wanted.export);
        self.current.into_iter().chain(waiting).map(Export::name).collect()
    }

    /// Stops the work. What waits is dropped. Nothing is written.
    pub(super) fn stop(&mut self) {
        self.waiting.clear();
        self.give_up();
    }

    /// Stops the work and waits for it.
    pub fn close(&mut self) {
        self.waiting.clear();
        self.prepared.close();
        self.written.close();
    }

    /// Puts an export behind those that were asked for before. Returns the one at work, which is written first.
    pub(super) fn ask(&mut self, export: Export, path: PathBuf, work: Work) -> Option<Export> {
        self.waiting.push_back(Wanted { export, path, work });
        self.current
    }

    /// Starts with the next export, unless one is at work or waits for an answer: its files are made on a thread, and
    /// compared with what is there.
    pub(super) fn start(&mut self, wake: &Wake) {
        if self.current.is_some() || self.asks.is_some() {
            return;
        }
        let Some(Wanted { export, path, work }) = self.waiting.pop_front() else { return };
        self.current = Some(export);
        self.asked += 1;
        self.prepared.ask(self.asked, wake, move |watch| {
            let bundle = work(watch)?;
            let replaced = Arc::new(bundle.compare(&path)?);
            Ok(Prepared { path, bundle, replaced })
        });
    }

    /// Writes what was prepared.
    pub(super) fn write(&mut self, wake: &Wake) {
        let Some(prepared) = self.prepared.last().cloned() else { return };
        self.asks = None;
        self.asked += 1;
        self.written.ask(self.asked, wake, move |watch| {
            let Prepared { path, bundle, replaced } = &*prepared;
            if !bundle.write(path, replaced, watch)? {
                let message = "was changed by somebody else meanwhile; export again";
                return Err(InputError::new(message).in_file(path).into());
            }
            Ok(path.clone())
        });
    }

    /// Gives up what was prepared. Nothing of it is written.
    pub(super) fn give_up(&mut self) {
        self.written.stop();
        self.end();
        self.asks = None;
    }

    /// The question that waits for its turn. One about files stays until they are written or given up.
    pub(super) fn question(&mut self) -> Option<Question> {
        match &self.asks {
            Some(Question::Replace { .. }) => self.asks.clone(),
            _ => self.asks.take(),
        }
    }

    /// Takes what came of the work.
    pub(super) fn poll(&mut self) -> Came {
        if self.written.poll() {
            let export = self.current;
            self.end();
            return match (self.written.refused(), self.written.last(), export) {
                (Some(error), ..) => {
                    Came::Told(Line::refused(format!("export: {}", words::text_of(error)), error))
                }
                (None, Some(path), Some(export)) => {
                    let text = format!("wrote {}", path.display());
                    let line = Line::at(text, Place::File(PathBuf::clone(path)));
                    Came::There(export, PathBuf::clone(path), line)
                }
                _ => Came::Nothing,
            };
        }
        if !self.prepared.poll() {
            return Came::Nothing;
        }
        let came = match (self.current, self.prepared.refused(), self.prepared.last()) {
            (_, Some(error), _) => {
                let (title, message) = ("Export".to_owned(), words::text_of(error));
                let line = format!("{title}: {message}");
                self.asks = Some(Question::Told { title, message });
                Came::Told(line.into())
            }
            (Some(export), None, Some(made)) if made.replaced.is_nothing() => {
                let text = format!("{}: nothing changes", made.path.display());
                let line = Line::at(text, Place::File(made.path.clone()));
                Came::There(export, made.path.clone(), line)
            }
            (Some(export), None, Some(made)) if made.replaced.loses() => {
                let (path, replaced) = (made.path.clone(), made.replaced.clone());
                self.asks = Some(Question::Replace { export, path, replaced });
                return Came::Nothing;
            }
            (Some(_), None, Some(_)) => return Came::Write,
            _ => Came::Nothing,
        };
        self.end();
        came
    }

    /// Makes room for the next export. Large plans are not kept in memory longer than needed.
    fn end(&mut self) {
        self.current = None;
        self.prepared.clear();
    }
}
