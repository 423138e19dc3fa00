//! Answers of work on a thread. They can be waited for even after the call that began the work was stopped.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Result as Ended;
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors;

/// Time between two looks of a waiting thread for signals and progress.
pub(crate) const LOOK: Duration = Duration::from_millis(25);

/// The answer of a thread, when its work has ended.
pub(crate) struct Slot<T> {
    answer: Mutex<Option<Ended<T>>>,
    ready: Condvar,
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self { answer: Mutex::new(None), ready: Condvar::new() }
    }
}

impl<T> Slot<T> {
    /// Does work, and keeps its answer. A panic is a fault of lightloom. It ends only this call.
    pub(crate) fn fill(&self, work: impl FnOnce() -> T) {
        let ended = catch_unwind(AssertUnwindSafe(work));
        *self.held() = Some(ended);
        self.ready.notify_all();
    }

    /// Waits for at most `most`. Returns whether the answer is there.
    pub(crate) fn wait(&self, most: Duration) -> bool {
        let waited = self.ready.wait_timeout_while(self.held(), most, |answer| answer.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.is_some()
    }

    /// The answer, if it is there and was not taken before.
    pub(crate) fn take(&self) -> Option<Ended<T>> {
        self.held().take()
    }

    fn held(&self) -> MutexGuard<'_, Option<Ended<T>>> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer of the work; a panic becomes an exception.
pub(crate) fn unpanicked<T>(py: Python<'_>, ended: Ended<T>) -> PyResult<T> {
    ended.map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        errors::fault(py, &format!("a fault of lightloom: {text}; report it with what you called"))
    })
}

/// Work whose answer was not taken yet.
trait Pending: Send + Sync {
    fn wait(&self, most: Duration) -> bool;
    fn take(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;
}

/// The slot of an answer, and what makes the answer an object of Python.
struct Work<T, C> {
    slot: Arc<Slot<T>>,
    convert: Mutex<Option<C>>,
}

impl<T, C> Pending for Work<T, C>
where
    T: Send,
    C: FnOnce(Python<'_>, T) -> PyResult<Py<PyAny>> + Send,
{
    fn wait(&self, most: Duration) -> bool {
        self.slot.wait(most)
    }

    fn take(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let convert = self.convert.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (self.slot.take(), convert) {
            (Some(ended), Some(convert)) => convert(py, unpanicked(py, ended)?),
            _ => Err(errors::fault(py, "the part of a stopped call was taken twice")),
        }
    }
}

/// What the work of a stopped call returns when it ends. `lightloom.Interrupted` asks for it.
#[pyclass(frozen, module = "lightloom._lightloom")]
pub(crate) struct Part(Box<dyn Pending>);

impl Part {
    /// The part of a call whose answer is put into `slot`.
    pub(crate) fn new<T: Send + 'static>(
        slot: Arc<Slot<T>>,
        convert: impl FnOnce(Python<'_>, T) -> PyResult<Py<PyAny>> + Send + 'static,
    ) -> Self {
        Self(Box::new(Work { slot, convert: Mutex::new(Some(convert)) }))
    }
}

#[pymethods]
impl Part {
    /// Whether the work has ended.
    fn ready(&self) -> bool {
        self.0.wait(Duration::ZERO)
    }

    /// Waits for the end of the work. Returns its answer, once, or raises its error.
    fn wait(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        py.check_signals()?;
        while !py.detach(|| self.0.wait(LOOK)) {
            py.check_signals()?;
        }
        self.0.take(py)
    }
}
