//! Partial answers of long work.

use std::sync::{Arc, Mutex, PoisonError};

use lightloom::Error;
use serde::Serialize;

use crate::asking::json;

/// The last partial answer of the work.
pub(crate) struct Kept<T>(Arc<Mutex<Option<T>>>);

impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Serialize> Kept<T> {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(None)))
    }

    /// Keeps a partial answer instead of the one before.
    pub(crate) fn keep(&self, part: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(part);
    }

    /// The answer, or the last partial answer if the work was stopped without one.
    pub(crate) fn or(self, answer: Result<String, Error>) -> Result<String, Error> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        match answer {
            Err(Error::Stopped(stopped)) => kept().map_or(Err(stopped.into()), |part| json(&part)),
            answer => answer,
        }
    }
}
