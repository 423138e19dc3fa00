//! The reaction point of DCQCN (Zhu et al., SIGCOMM 2015, section 5 and figure 7), and where simulators differ
//! from it that of theirs (`docs/model.md` names them).
//!
//! Its timers are not events: what they would have done is done when the rate is next asked for, in
//! the order in which they would have fired. The gap after a packet is that of the rate when the
//! packet was sent.

use lightloom_units::{BitRate, Instant, Span};

use crate::params::{Alpha, Clamp, Dcqcn, Stages};

/// The rate of one queue pair.
#[derive(Debug, Clone)]
pub struct Rate {
    line: f64,
    /// R_C, in bits per second.
    current: f64,
    /// R_T.
    target: f64,
    alpha: f64,
    alpha_at: Instant,
    step_at: Instant,
    /// When a notification cuts the rate that has not yet; the end of time where there is none.
    cut_at: Instant,
    /// The first notification.
    first: Option<Instant>,
    timer_steps: u32,
    byte_steps: u32,
    bytes: u64,
    /// Whether the rate is below the line rate, so that timers matter.
    reduced: bool,
    /// Whether a notification has come since α last changed, where it changes periodically.
    noticed: bool,
}

impl Rate {
    /// At line rate, as the paper starts.
    pub fn new(line: BitRate) -> Self {
        let line = line.as_bps() as f64;
        Self {
            line,
            current: line,
            target: line,
            alpha: 1.0,
            // No timer runs before the first notification.
            alpha_at: Instant::NEVER,
            step_at: Instant::NEVER,
            cut_at: Instant::NEVER,
            first: None,
            timer_steps: 0,
            byte_steps: 0,
            bytes: 0,
            reduced: false,
            noticed: false,
        }
    }

    /// A notification has come.
    pub fn notified(&mut self, now: Instant, params: &Dcqcn) {
        self.catch_up(now, params);
        // Timers are not events. They are made up for when the rate is needed, so a queue pair that idles costs
        // nothing.
        let is_first = self.first.is_none();
        let first = *self.first.get_or_insert(now);
        if is_first {
            self.slow_to(self.current * params.first_share, params);
            self.target = self.current;
            self.reduced = self.current < self.line;
            self.alpha_at = now + params.alpha_timer;
        }
        if params.cut_interval == Span::ZERO {
            self.cut(now, params);
        } else if self.cut_at == Instant::NEVER {
            // Cuts are made at multiples of the interval after the first notification, at most one each: what came
            // within an interval is cut for at its end.
            let looks = (now - first).as_ps() / params.cut_interval.as_ps() + 1;
            self.cut_at = first + Span::from_ps(looks * params.cut_interval.as_ps());
        }
        match params.alpha {
            Alpha::Notified => {
                self.alpha = (1.0 - params.g) * self.alpha + params.g;
                self.alpha_at = now + params.alpha_timer;
            }
            // α begins at 1 with the first.
            Alpha::Periodic => self.noticed = !is_first,
        }
    }

    /// Lowers the rate, not below the least.
    fn slow_to(&mut self, rate: f64, params: &Dcqcn) {
        let least = (params.least.as_bps() as f64).min(self.line);
        self.current = rate.max(least);
    }

    /// The rate is cut.
    fn cut(&mut self, at: Instant, params: &Dcqcn) {
        // Two variants of devices: the target follows every cut, or only the first after the rate has risen.
        let keeps = params.clamp == Clamp::AfterIncrease && self.timer_steps + self.byte_steps == 0;
        if !keeps {
            self.target = self.current;
        }
        self.slow_to(self.current * (1.0 - self.alpha / 2.0), params);
        self.step_at = at + params.increase_timer;
        // Recovery begins anew: fast steps halve the way back to the target before anything is added to it.
        (self.timer_steps, self.byte_steps, self.bytes) = (0, 0, 0);
        self.reduced = true;
    }

    /// Bytes go out: the time until the next packet of this queue pair may.
    #[inline]
    pub fn sent(&mut self, now: Instant, bytes: u32, params: &Dcqcn) -> Span {
        // At line rate no timer changes anything, so most packets end here.
        if self.reduced || self.cut_at <= now {
            self.catch_up(now, params);
            if let Some(every) = params.byte_counter {
                self.bytes += u64::from(bytes);
                let every = every.as_bytes().max(1);
                while self.bytes >= every {
                    self.bytes -= every;
                    self.byte_steps += 1;
                    self.increase(params);
                }
            }
        }
        // Rounded up: a rate is never exceeded by rounding.
        let ps = f64::from(bytes) * 8e12 / self.current;
        // Rates are positive and packets short: far below what 64 bits hold.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let ps = ps.ceil() as u64;
        Span::from_ps(ps)
    }

    /// Does what timers would have done by now.
    fn catch_up(&mut self, now: Instant, params: &Dcqcn) {
        if self.cut_at <= now {
            let at = std::mem::replace(&mut self.cut_at, Instant::NEVER);
            // Of what is due at the same time the cut comes last.
            self.run_timers(at, params);
            self.cut(at, params);
        }
        self.run_timers(now, params);
    }

    /// Does what the timers of α and of steps up do by a time.
    fn run_timers(&mut self, by: Instant, params: &Dcqcn) {
        while self.reduced && self.step_at <= by {
            // One step for each period that has passed, as if the timer had fired.
            self.step_at = self.step_at + params.increase_timer;
            self.timer_steps += 1;
            self.increase(params);
        }
        // α goes on decaying at line rate: it is what the next notification starts from.
        while self.alpha_at <= by && (self.noticed || self.alpha > 1e-9) {
            self.alpha_at = self.alpha_at + params.alpha_timer;
            let observed = if self.noticed { params.g } else { 0.0 };
            self.alpha = (1.0 - params.g) * self.alpha + observed;
            self.noticed = false;
        }
        // Nothing is left to decay: the periods are passed over at once, in phase with those that were made up.
        if self.alpha_at <= by {
            let (every, late) = (params.alpha_timer.as_ps(), (by - self.alpha_at).as_ps());
            self.alpha_at = self.alpha_at + Span::from_ps((late / every + 1) * every);
        }
    }

    /// One step up.
    fn increase(&mut self, params: &Dcqcn) {
        let (most, least) =
            (self.timer_steps.max(self.byte_steps), self.timer_steps.min(self.byte_steps));
        // Steps are given for one rate, and grow with the line rate.
        let scale = params.at.map_or(1.0, |at| self.line / at.as_bps() as f64);
        let [additive, hyper] =
            [params.additive, params.hyper].map(|rate| rate.as_bps() as f64 * scale);
        self.target += match params.stages {
            Stages::Both if least > params.fast_steps => {
                f64::from(least - params.fast_steps) * hyper
            }
            Stages::Ahead if most > params.fast_steps + 1 => hyper,
            _ if most > params.fast_steps => additive,
            _ => 0.0,
        };
        self.target = self.target.min(self.line);
        self.current = (f64::midpoint(self.target, self.current)).min(self.line);
        // Within a bit a second of the line rate it is the line rate.
        if self.line - self.current < 1.0 && self.target >= self.line {
            self.current = self.line;
            self.reduced = false;
        }
    }
}
