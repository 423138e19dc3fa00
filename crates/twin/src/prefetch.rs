//! x
#[inline(always)]
pub(crate) fn prefetch<T>(of: &T) {
    #[cfg(target_arch = "x86_64")]
    unsafe { core::arch::x86_64::_mm_prefetch::<{core::arch::x86_64::_MM_HINT_T0}>((of as *const T).cast()) }
}
#[inline(always)]
pub(crate) fn prefetch_at<T>(of: *const T) {
    #[cfg(target_arch = "x86_64")]
    unsafe { core::arch::x86_64::_mm_prefetch::<{core::arch::x86_64::_MM_HINT_T0}>(of.cast()) }
}
