//! What long work hands out before it is done.

use std::sync::{Arc, Mutex, PoisonError};

use lightloom::Error;
use serde::Serialize;

use crate::asking::json;

/// The last of what the work handed out.
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

    /// Takes the place of what was kept before.
    pub(crate) fn keep(&self, part: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(part);
    }

    /// The answer. Where the work was stopped and has none, what was kept stands in for it.
    pub(crate) fn or(self, answer: Result<String, Error>) -> Result<String, Error> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        match answer {
            Err(Error::Stopped(stopped)) => kept().map_or(Err(stopped.into()), |part| json(&part)),
            answer => answer,
        }
    }
}
