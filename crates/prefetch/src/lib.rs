//! A hint that memory will be read soon: what `core::hint::prefetch_read` will be once it is stable.

/// Asks the processor to have the cache line at `place` ready. It changes nothing but time, and `place` may
/// be any pointer, since nothing is read through it. On processors other than x86-64 it does nothing.
#[inline(always)]
pub fn prefetch_read<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction does not access memory as far as the program can tell: for no address
        // does it fault or change a value (AMD64 Architecture Programmer's Manual, volume 3, PREFETCHlevel),
        // and every x86-64 processor has it.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(place.cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
