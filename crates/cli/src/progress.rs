//! A progress bar for long work: on standard error, and only when that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar that appears once there is something to tell, and goes when dropped.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    pub(crate) fn new(what: &'static str) -> Self {
        // indicatif draws nothing where standard error is not a terminal.
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{msg} {bar:40} {pos}/{len} sources, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(what);
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    pub(crate) fn update(&mut self) -> impl FnMut(u64, u64) {
        let bar = self.0.clone();
        move |done, of| {
            bar.set_length(of);
            bar.set_position(done);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
