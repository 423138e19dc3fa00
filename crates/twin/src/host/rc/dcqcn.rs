//! The reaction point of DCQCN (Zhu et al., SIGCOMM 2015, section 5 and figure 7).
//!
//! Its timers are not events: what they would have done is done when the rate is next asked for, in
//! the order in which they would have fired. The gap after a packet is that of the rate when the
//! packet was sent.

use lightloom_units::{BitRate, Instant, Span};

use crate::params::Dcqcn;

/// The rate of one queue pair.
#[derive(Debug, Clone)]
pub(crate) struct Rate {
    line: f64,
    /// R_C, in bits per second.
    current: f64,
    /// R_T.
    target: f64,
    alpha: f64,
    alpha_at: Instant,
    step_at: Instant,
    timer_steps: u32,
    byte_steps: u32,
    bytes: u64,
    /// Whether the rate is below the line rate, so that timers matter.
    reduced: bool,
}

impl Rate {
    /// At line rate, as the paper starts.
    pub(crate) fn new(line: BitRate) -> Self {
        let line = line.as_bps() as f64;
        // No timer runs before the first notification.
        let never = Instant::from_ps(u64::MAX);
        Self {
            line,
            current: line,
            target: line,
            alpha: 1.0,
            alpha_at: never,
            step_at: never,
            timer_steps: 0,
            byte_steps: 0,
            bytes: 0,
            reduced: false,
        }
    }

    /// A notification has come.
    pub(crate) fn notified(&mut self, now: Instant, params: &Dcqcn) {
        self.catch_up(now, params);
        let least = (params.least.as_bps() as f64).min(self.line);
        self.target = self.current;
        self.current = (self.current * (1.0 - self.alpha / 2.0)).max(least);
        self.alpha = (1.0 - params.g) * self.alpha + params.g;
        self.alpha_at = now + params.alpha_timer;
        self.step_at = now + params.increase_timer;
        (self.timer_steps, self.byte_steps, self.bytes) = (0, 0, 0);
        self.reduced = true;
    }

    /// Bytes go out: the time until the next packet of this queue pair may.
    pub(crate) fn sent(&mut self, now: Instant, bytes: u32, params: &Dcqcn) -> Span {
        if self.reduced {
            self.catch_up(now, params);
            self.bytes += u64::from(bytes);
            let every = params.byte_counter.as_bytes().max(1);
            while self.bytes >= every {
                self.bytes -= every;
                self.byte_steps += 1;
                self.increase(params);
            }
        }
        let ps = f64::from(bytes) * 8e12 / self.current;
        // Rates are positive and packets short: far below what 64 bits hold.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let ps = ps.ceil() as u64;
        Span::from_ps(ps)
    }

    /// Does what timers would have done by now.
    fn catch_up(&mut self, now: Instant, params: &Dcqcn) {
        while self.reduced && self.step_at <= now {
            self.step_at = self.step_at + params.increase_timer;
            self.timer_steps += 1;
            self.increase(params);
        }
        // α goes on decaying at line rate: it is what the next notification starts from.
        while self.alpha_at <= now && self.alpha > 1e-9 {
            self.alpha_at = self.alpha_at + params.alpha_timer;
            self.alpha *= 1.0 - params.g;
        }
        if self.alpha_at <= now {
            self.alpha_at = now + params.alpha_timer;
        }
    }

    /// One step up.
    fn increase(&mut self, params: &Dcqcn) {
        let (most, least) =
            (self.timer_steps.max(self.byte_steps), self.timer_steps.min(self.byte_steps));
        if least > params.fast_steps {
            let steps = f64::from(least - params.fast_steps);
            self.target += steps * params.hyper.as_bps() as f64;
        } else if most > params.fast_steps {
            self.target += params.additive.as_bps() as f64;
        }
        self.target = self.target.min(self.line);
        self.current = (f64::midpoint(self.target, self.current)).min(self.line);
        // Within a bit a second of the line rate it is the line rate.
        if self.line - self.current < 1.0 && self.target >= self.line {
            self.current = self.line;
            self.reduced = false;
        }
    }
}
