//! Long calls: the work runs on a thread of its own without the interpreter's lock, while the thread that
//! called waits, tells progress, and listens for Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lightloom::Watch;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::errors;
use crate::part::{LOOK, Part, Slot, unpanicked};

/// How long a stopped call waits for the end of its work. With one look before it, and with a busy machine, a call
/// ends within 200 ms.
const GRACE: Duration = Duration::from_millis(120);

/// How far the work of a call is, and whether it is to end.
#[derive(Default)]
struct State {
    stop: AtomicBool,
    done: AtomicU64,
    of: AtomicU64,
}

impl State {
    /// So much is done.
    fn tell(&self, done: u64, of: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.of.store(of, Ordering::Relaxed);
    }

    fn told(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.of.load(Ordering::Relaxed))
    }
}

/// How a long call ended.
enum Ended<T> {
    /// With its answer.
    Done(T),
    /// By Ctrl-C, when so much was done. The answer comes into the slot when the work ends.
    Stopped(Arc<Slot<T>>, (u64, u64)),
}

/// Does work on a thread, and makes its answer an object of Python. `progress`, where it is something, is called with
/// (done, of). After Ctrl-C the work is stopped, and the exception is `Interrupted`, which has what the work still gives.
pub(crate) fn long<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Watch<'_>) -> T + Send + 'static,
    convert: impl FnOnce(Python<'_>, T) -> PyResult<Py<PyAny>> + Send + 'static,
) -> PyResult<Py<PyAny>> {
    match watched(py, progress, work)? {
        Ended::Done(answer) => convert(py, answer),
        Ended::Stopped(slot, told) => {
            Err(errors::interrupted(py, Some(Part::new(slot, convert)), told))
        }
    }
}

/// Does work on a thread that has nothing to show when it is stopped.
pub(crate) fn plain<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(Watch<'_>) -> T + Send + 'static,
) -> PyResult<T> {
    match watched(py, None, work)? {
        Ended::Done(answer) => Ok(answer),
        Ended::Stopped(_, told) => Err(errors::interrupted(py, None::<Part>, told)),
    }
}

fn watched<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Watch<'_>) -> T + Send + 'static,
) -> PyResult<Ended<T>> {
    let state = Arc::new(State::default());
    let slot = Arc::new(Slot::default());
    let (of_worker, answer) = (Arc::clone(&state), Arc::clone(&slot));
    let worker = std::thread::Builder::new().name("lightloom".into()).spawn(move || {
        let tell = |done, of| of_worker.tell(done, of);
        answer.fill(|| work(Watch::quiet().stopped_by(&of_worker.stop).on_progress(&tell)));
    });
    worker.map_err(|error| errors::fault(py, &format!("no thread can be started: {error}")))?;
    let mut heard = (0, 0);
    loop {
        let ready = py.detach(|| slot.wait(LOOK));
        let looked = py.check_signals().and_then(|()| tell(progress, &state, &mut heard));
        if let Err(error) = looked {
            state.stop.store(true, Ordering::Relaxed);
            wait_for_end(py, &slot)?;
            if !error.is_instance_of::<PyKeyboardInterrupt>(py) {
                return Err(error);
            }
            return Ok(Ended::Stopped(slot, state.told()));
        }
        if let Some(answer) = ready.then(|| slot.take()).flatten() {
            return unpanicked(py, answer).map(Ended::Done);
        }
    }
}

/// Waits for the end of stopped work, and no longer than a stop may take. A second Ctrl-C is raised at once.
fn wait_for_end<T: Send>(py: Python<'_>, slot: &Slot<T>) -> PyResult<()> {
    let began = Instant::now();
    loop {
        // First, so that a second Ctrl-C never waits.
        py.check_signals()?;
        let left = GRACE.saturating_sub(began.elapsed());
        if py.detach(|| slot.wait(left.min(LOOK))) || left.is_zero() {
            return Ok(());
        }
    }
}

/// Calls `progress` where there is news.
fn tell(
    progress: Option<&Bound<'_, PyAny>>,
    state: &State,
    heard: &mut (u64, u64),
) -> PyResult<()> {
    let news = state.told();
    if let Some(progress) = progress.filter(|_| news != *heard && news.1 > 0) {
        *heard = news;
        progress.call1(news)?;
    }
    Ok(())
}
