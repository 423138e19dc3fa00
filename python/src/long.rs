//! Long calls: the work runs on a thread of its own without the interpreter's lock, while the thread that
//! called waits, tells progress, and listens for Ctrl-C.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use lightloom::Watch;
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::errors;

/// How often the waiting thread looks for signals and tells progress.
const LOOK: Duration = Duration::from_millis(25);
/// How long, after a stop, it waits for what the work has so far.
const GRACE: Duration = Duration::from_millis(150);

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
}

/// The answer of a thread, once it is there.
struct Slot<T> {
    answer: Mutex<Option<std::thread::Result<T>>>,
    ready: Condvar,
}

impl<T> Slot<T> {
    fn put(&self, answer: std::thread::Result<T>) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        self.ready.notify_all();
    }

    fn wait(&self, most: Duration) -> Option<std::thread::Result<T>> {
        let answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.ready.wait_timeout_while(answer, most, |answer| answer.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.take()
    }
}

/// How a long call ended.
pub(crate) enum Ended<T> {
    /// With its answer.
    Done(T),
    /// With this exception, after a stop; and with the answer that the work gave all the same.
    Stopped(PyErr, Option<T>),
}

/// Does work on a thread. `progress`, where it is something, is called with (done, of).
pub(crate) fn long<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Watch<'_>) -> T + Send + 'static,
) -> PyResult<Ended<T>> {
    let watch = Arc::new(State::default());
    let slot = Arc::new(Slot { answer: Mutex::new(None), ready: Condvar::new() });
    let (of_worker, answer) = (Arc::clone(&watch), Arc::clone(&slot));
    let worker = std::thread::Builder::new().name("lightloom".into()).spawn(move || {
        // A panic is a fault of lightloom; it ends this call with an exception, and nothing else.
        answer.put(catch_unwind(AssertUnwindSafe(|| {
            let tell = |done, of| of_worker.tell(done, of);
            work(Watch::quiet().stopped_by(&of_worker.stop).on_progress(&tell))
        })));
    });
    worker.map_err(|error| errors::fault(py, &format!("no thread can be started: {error}")))?;
    let mut told = (0, 0);
    loop {
        let answer = py.detach(|| slot.wait(LOOK));
        let looked = py.check_signals().and_then(|()| tell(progress, &watch, &mut told));
        match (answer, looked) {
            (Some(answer), Ok(())) => return answer.map(Ended::Done).map_err(|p| panicked(py, p)),
            (None, Ok(())) => {}
            (answer, Err(error)) => {
                watch.stop.store(true, Ordering::Relaxed);
                let answer = answer.or_else(|| py.detach(|| slot.wait(GRACE)));
                return Ok(Ended::Stopped(error, answer.and_then(Result::ok)));
            }
        }
    }
}

/// Calls `progress` where there is news.
fn tell(progress: Option<&Bound<'_, PyAny>>, watch: &State, told: &mut (u64, u64)) -> PyResult<()> {
    let news = (watch.done.load(Ordering::Relaxed), watch.of.load(Ordering::Relaxed));
    if let Some(progress) = progress.filter(|_| news != *told && news.1 > 0) {
        *told = news;
        progress.call1(news)?;
    }
    Ok(())
}

fn panicked(py: Python<'_>, panic: Box<dyn std::any::Any + Send>) -> PyErr {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    errors::fault(py, &format!("a fault of lightloom: {text}; report it with what you called"))
}

impl<T> Ended<T> {
    /// The answer of a call that has nothing to show when it is stopped.
    pub(crate) fn into_python_plain(self, py: Python<'_>) -> PyResult<T> {
        match self {
            Self::Done(answer) => Ok(answer),
            Self::Stopped(error, _) if !error.is_instance_of::<PyKeyboardInterrupt>(py) => {
                Err(error)
            }
            Self::Stopped(..) => Err(errors::interrupted(py, None)),
        }
    }

    /// The answer as Python has it; a stop by Ctrl-C is `Interrupted`, with the answer as its result.
    pub(crate) fn into_python<'py, A: IntoPyObject<'py>>(
        self,
        py: Python<'py>,
        convert: impl FnOnce(T) -> PyResult<A>,
    ) -> PyResult<A> {
        match self {
            Self::Done(answer) => convert(answer),
            Self::Stopped(error, _) if !error.is_instance_of::<PyKeyboardInterrupt>(py) => {
                Err(error)
            }
            Self::Stopped(_, answer) => {
                let result = match answer.map(convert) {
                    Some(Ok(answer)) => Some(answer.into_py_any(py)?),
                    _ => None,
                };
                Err(errors::interrupted(py, result))
            }
        }
    }
}

impl<A, E> Ended<Result<A, E>> {
    /// After a stop, what was kept stands in for an answer that is not there.
    pub(crate) fn or_kept(self, kept: impl FnOnce() -> Option<Result<A, E>>) -> Self {
        match self {
            Self::Stopped(error, None | Some(Err(_))) => Self::Stopped(error, kept()),
            answered => answered,
        }
    }
}

/// Does short work without the interpreter's lock; a panic in it becomes an exception too.
pub(crate) fn short<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work))).map_err(|panic| panicked(py, panic))
}
