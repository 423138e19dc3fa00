//! Progress of long work, and its stop.

/// The caller has stopped the work; there is no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped before it was done; nothing was written")]
pub struct Stopped;

/// Progress callback `(done, total)`; return [`Stopped`] to cancel. Work that reports to nobody takes
/// [`quiet`].
pub type Progress<'a> = &'a mut dyn FnMut(u64, u64) -> Result<(), Stopped>;

/// A [`Progress`] that reports to nobody and never stops the work.
pub fn quiet() -> impl FnMut(u64, u64) -> Result<(), Stopped> {
    |_, _| Ok(())
}
