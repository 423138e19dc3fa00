//! How long work says how far it is, hands out what has finished so far, and is stopped.
//!
//! A [`Watch`] is passed down by value to all that works long. It may be used from several threads.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// Long work was stopped by its watch. Nothing was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped before it was done; nothing was written")]
pub struct Stopped;

/// Receives progress as `(done, of)`.
pub type OnProgress<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// Receives what has finished so far, again and again; each is the whole so far.
pub type OnPart<'a, T> = &'a (dyn Fn(T) + Sync);

/// Whether what has finished so far is wanted, by how much is done.
pub type Wants<'a> = &'a (dyn Fn(u64) -> bool + Sync);

/// Watches a long piece of work. `T` is what the work can hand out before it is done.
pub struct Watch<'a, T = ()> {
    stop: Option<&'a AtomicBool>,
    on_progress: Option<OnProgress<'a>>,
    on_part: Option<OnPart<'a, T>>,
    wants: Option<Wants<'a>>,
}

impl<T> Clone for Watch<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Watch<'_, T> {}

impl<T> fmt::Debug for Watch<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("stopped", &self.is_stopped()).finish_non_exhaustive()
    }
}

impl<T> Default for Watch<'_, T> {
    fn default() -> Self {
        Self::quiet()
    }
}

impl<'a, T> Watch<'a, T> {
    /// A watch that hears nothing and never stops the work.
    pub const fn quiet() -> Self {
        Self { stop: None, on_progress: None, on_part: None, wants: None }
    }

    /// The same watch, which stops the work once the flag is set.
    #[must_use]
    pub const fn stopped_by(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// The same watch, which passes progress on.
    #[must_use]
    pub const fn on_progress(self, hear: OnProgress<'a>) -> Self {
        Self { on_progress: Some(hear), ..self }
    }

    /// The same watch, which receives what has finished so far.
    #[must_use]
    pub const fn on_part(self, hear: OnPart<'a, T>) -> Self {
        Self { on_part: Some(hear), ..self }
    }

    /// The same watch, which receives what has finished only when it wants it. It is asked with how much is done.
    #[must_use]
    pub const fn parts_when(self, wants: Wants<'a>) -> Self {
        Self { wants: Some(wants), ..self }
    }

    /// The same watch for a step of the work that hands out nothing, or something else.
    pub const fn step<U>(self) -> Watch<'a, U> {
        Watch { stop: self.stop, on_progress: self.on_progress, on_part: None, wants: None }
    }

    /// The same watch for a step that does not report progress. It can still be stopped.
    pub const fn silent<U>(self) -> Watch<'a, U> {
        Watch { stop: self.stop, on_progress: None, on_part: None, wants: None }
    }

    /// The flag that stops the work, where there is one.
    pub const fn flag(self) -> Option<&'a AtomicBool> {
        self.stop
    }

    /// Whether the work is to end.
    pub fn is_stopped(self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Checks whether the work is to end.
    ///
    /// # Errors
    /// [`Stopped`] when it is.
    pub fn check(self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }

    /// Passes progress on, and checks whether the work is to end.
    ///
    /// # Errors
    /// [`Stopped`] when it is.
    pub fn progress(self, done: u64, of: u64) -> Result<(), Stopped> {
        if let Some(hear) = self.on_progress {
            hear(done, of);
        }
        self.check()
    }

    /// Hands out what has finished so far, where anybody wants it when so much is done.
    pub fn so_far_at(self, done: u64, part: impl FnOnce() -> T) {
        if self.wants.is_none_or(|wants| wants(done)) {
            self.so_far(part);
        }
    }

    /// Hands out what has finished so far, where anybody wants it.
    pub fn so_far(self, part: impl FnOnce() -> T) {
        if let Some(hear) = self.on_part {
            hear(part());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn a_watch_hears_progress_and_parts_and_stops() {
        let (stop, heard) = (AtomicBool::new(false), Mutex::new(Vec::new()));
        let (progress, part) = (
            |done, of| heard.lock().unwrap().push(format!("{done} of {of}")),
            |part: u8| heard.lock().unwrap().push(format!("part {part}")),
        );
        let watch = Watch::quiet().stopped_by(&stop).on_progress(&progress).on_part(&part);
        let late = |done: u64| done > 4;
        watch.parts_when(&late).so_far_at(4, || panic!("it is not wanted yet"));
        watch.parts_when(&late).so_far_at(5, || 5);
        assert_eq!(watch.progress(1, 3), Ok(()));
        watch.so_far(|| 7);
        watch.step::<()>().so_far(|| panic!("a step hands out nothing"));
        assert_eq!(watch.step::<()>().progress(2, 3), Ok(()));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(watch.silent::<()>().progress(3, 3), Err(Stopped));
        assert_eq!(watch.check(), Err(Stopped));
        assert_eq!(*heard.lock().unwrap(), ["part 5", "1 of 3", "part 7", "2 of 3"]);
    }

    #[test]
    fn a_quiet_watch_never_stops() {
        assert_eq!(Watch::<()>::quiet().progress(1, 1), Ok(()));
        Watch::<u8>::quiet().so_far(|| panic!("nobody wants it"));
    }
}

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
