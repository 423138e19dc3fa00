//! How long work tells how far it is, and how it is stopped.

/// Whoever watches a long piece of work has stopped it. Nothing was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped before it was done; nothing was written")]
pub struct Stopped;

/// Progress callback `(done, of)`; it returns [`Stopped`] to stop the work.
pub type Progress<'a> = &'a mut dyn FnMut(u64, u64) -> Result<(), Stopped>;

/// A [`Progress`] that nobody watches.
pub fn quiet() -> impl FnMut(u64, u64) -> Result<(), Stopped> {
    |_, _| Ok(())
}
