//! Long calls: the work runs on a thread of its own without the interpreter's lock. The calling thread waits, reports
//! progress, and listens for Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lightloom::{Error, Watch};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::errors;
use crate::part::{LOOK, Part, Slot, unpanicked};

/// How long a stopped call waits for the end of its work. With one look before it, and with a busy machine, a call
/// ends within 200 ms.
const GRACE: Duration = Duration::from_millis(120);

/// An object of Python, or the exception of a refusal.
pub(crate) type Answer = PyResult<Py<PyAny>>;

/// The progress callback of a call: a callable of (done, of), or None.
pub(crate) type Progress<'py> = Bound<'py, PyAny>;

/// The progress callback of a call that reports none.
pub(crate) fn quiet(py: Python<'_>) -> Progress<'_> {
    py.None().into_bound(py)
}

/// How far the work of a call is, and whether it is to end.
#[derive(Default)]
struct State {
    stop: AtomicBool,
    done: AtomicU64,
    of: AtomicU64,
}

impl State {
    fn set(&self, done: u64, of: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.of.store(of, Ordering::Relaxed);
    }

    fn progress(&self) -> (u64, u64) {
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

/// The answer of work on a thread, made an object of Python. After Ctrl-C the work is stopped. The exception is
/// `Interrupted` then, which has what the work still returns.
pub(crate) fn long<T: Send + 'static>(
    progress: &Progress<'_>,
    work: impl FnOnce(Watch<'_>) -> T + Send + 'static,
    convert: impl FnOnce(Python<'_>, T) -> Answer + Send + 'static,
) -> Answer {
    let py = progress.py();
    match watched(progress, work)? {
        Ended::Done(answer) => convert(py, answer),
        Ended::Stopped(slot, done) => {
            Err(errors::interrupted(py, Some(Part::new(slot, convert)), done))
        }
    }
}

/// The answer of work on a thread that has no answer when it is stopped.
pub(crate) fn plain<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(Watch<'_>) -> T + Send + 'static,
) -> PyResult<T> {
    match watched(&quiet(py), work)? {
        Ended::Done(answer) => Ok(answer),
        Ended::Stopped(_, done) => Err(errors::interrupted(py, None::<Part>, done)),
    }
}

/// As `plain`, for work of planning that may be refused.
pub(crate) fn planning<T: Send + 'static, E: Into<Error>>(
    py: Python<'_>,
    work: impl FnOnce(Watch<'_>) -> Result<T, E> + Send + 'static,
) -> PyResult<T> {
    let answer = plain(py, move |watch| work(watch).map_err(Into::into))?;
    answer.map_err(|error| errors::planning(py, &error))
}

fn watched<T: Send + 'static>(
    progress: &Progress<'_>,
    work: impl FnOnce(Watch<'_>) -> T + Send + 'static,
) -> PyResult<Ended<T>> {
    let py = progress.py();
    let state = Arc::new(State::default());
    let slot = Arc::new(Slot::default());
    let (of_worker, answer) = (Arc::clone(&state), Arc::clone(&slot));
    let worker = std::thread::Builder::new().name("lightloom".into()).spawn(move || {
        let on_progress = |done, of| of_worker.set(done, of);
        let watch = Watch::quiet().stopped_by(&of_worker.stop).on_progress(&on_progress);
        answer.fill(|| work(watch));
    });
    worker.map_err(|error| errors::fault(py, &format!("no thread can be started: {error}")))?;
    let mut reported = (0, 0);
    loop {
        let ready = py.detach(|| slot.wait(LOOK));
        let looked = py.check_signals().and_then(|()| report(progress, &state, &mut reported));
        if let Err(error) = looked {
            state.stop.store(true, Ordering::Relaxed);
            wait_for_end(py, &slot)?;
            if !error.is_instance_of::<PyKeyboardInterrupt>(py) {
                return Err(error);
            }
            return Ok(Ended::Stopped(slot, state.progress()));
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

/// Calls `progress` if more is done than it was called with before.
fn report(progress: &Progress<'_>, state: &State, reported: &mut (u64, u64)) -> PyResult<()> {
    let now = state.progress();
    if now != *reported && now.1 > 0 && !progress.is_none() {
        *reported = now;
        progress.call1(now)?;
    }
    Ok(())
}
