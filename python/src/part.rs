//! Answers of work on a thread. They are waited for, also after the call that began the work was stopped.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Result as Came;
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors;

/// How often a waiting thread looks for signals and tells progress.
pub(crate) const LOOK: Duration = Duration::from_millis(25);

/// The answer of a thread, once it is there.
pub(crate) struct Slot<T> {
    answer: Mutex<Option<Came<T>>>,
    ready: Condvar,
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self { answer: Mutex::new(None), ready: Condvar::new() }
    }
}

impl<T> Slot<T> {
    /// Does work, and keeps its answer. A panic is a fault of lightloom. It ends this call, and nothing else.
    pub(crate) fn fill(&self, work: impl FnOnce() -> T) {
        let came = catch_unwind(AssertUnwindSafe(work));
        *self.held() = Some(came);
        self.ready.notify_all();
    }

    /// Waits at most so long; answers whether the answer is there.
    pub(crate) fn wait(&self, most: Duration) -> bool {
        let waited = self.ready.wait_timeout_while(self.held(), most, |answer| answer.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.is_some()
    }

    /// The answer, where it is there and nobody has taken it.
    pub(crate) fn take(&self) -> Option<Came<T>> {
        self.held().take()
    }

    fn held(&self) -> MutexGuard<'_, Option<Came<T>>> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes a panic of the work an exception.
pub(crate) fn unpanicked<T>(py: Python<'_>, came: Came<T>) -> PyResult<T> {
    came.map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        errors::fault(py, &format!("a fault of lightloom: {text}; report it with what you called"))
    })
}

/// Work that has not been asked for its answer yet.
trait Pending: Send + Sync {
    fn wait(&self, most: Duration) -> bool;
    fn take(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;
}

/// An answer, and how it becomes an object of Python.
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
            (Some(came), Some(convert)) => convert(py, unpanicked(py, came)?),
            _ => Err(errors::fault(py, "the part of a stopped call was taken twice")),
        }
    }
}

/// The part that a stopped call has by its end. `lightloom.Interrupted` asks for it.
#[pyclass(frozen, module = "lightloom._lightloom")]
pub(crate) struct Part(Box<dyn Pending>);

impl Part {
    /// The part of a call whose answer comes into `slot`.
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

    /// Waits for the end of the work. Its answer, once; its error is raised.
    fn wait(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        py.check_signals()?;
        while !py.detach(|| self.0.wait(LOOK)) {
            py.check_signals()?;
        }
        self.0.take(py)
    }
}
