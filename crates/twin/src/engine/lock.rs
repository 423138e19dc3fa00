//! Locks of the engine.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex that no thread leaves half done: one that panics ends the run.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
