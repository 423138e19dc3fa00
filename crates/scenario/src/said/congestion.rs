//! The constants of marking and of congestion control.

use lightloom_twin::params::{Alpha, Clamp, Marks, Notices, Stages};
use lightloom_units::{BitRate, DataSize, Span};

use crate::said::declared::CATALOGUE;
use crate::said::limits::{LARGEST_FLOW, LEAST_RATE, LONGEST_SPAN, MOST_BUFFER, MOST_RATE};
use crate::said::section::section;
use crate::said::value::OrWord;

section! {
    /// Marking.
    pub struct EcnRow = "parameters.ecn", parameters {
        /// Whether switches mark packets.
        enabled: bool = CATALOGUE;
        /// Port rate that the thresholds are for; they scale in proportion.
        at: BitRate ["Gb/s"] = CATALOGUE, from LEAST_RATE, to MOST_RATE;
        /// Queue at which marking begins.
        kmin: DataSize ["kB"] = CATALOGUE, from DataSize::ZERO, to MOST_BUFFER;
        /// Queue at which every packet is marked.
        kmax: DataSize ["kB"] = CATALOGUE, from DataSize::ZERO, to MOST_BUFFER;
        /// Share of packets that are marked just below kmax.
        pmax: f64 = CATALOGUE, from 0.0, to 1.0;
        /// A packet is marked when it joins a queue, by what is before it, or leaves it, by what is behind.
        when: Marks = CATALOGUE;
    }
}

section! {
    /// Congestion control.
    pub struct DcqcnRow = "parameters.dcqcn", parameters {
        /// Whether hosts slow down at notifications (DCQCN).
        enabled: bool = CATALOGUE;
        /// Gain of alpha.
        g: f64 = CATALOGUE, from 0.0, to 1.0;
        /// Alpha grows with each notification, or once for each interval that had one.
        alpha: Alpha = CATALOGUE;
        /// Share of its rate that a queue pair keeps at its first notification, before any cut.
        first_share: f64 = CATALOGUE, from 0.0, to 1.0;
        /// Interval at which notifications cut the rate; with 0 each does at once.
        cut_interval: Span ["us"] = CATALOGUE, from Span::ZERO, to LONGEST_SPAN;
        /// Whether a cut lowers the target rate to the rate where nothing has grown since the last cut.
        clamp: Clamp = CATALOGUE;
        /// Interval at which alpha decays.
        alpha_timer: Span ["us"] = CATALOGUE, from Span::from_ns(1), to LONGEST_SPAN;
        /// Interval at which the rate increases.
        increase_timer: Span ["us"] = CATALOGUE, from Span::from_ns(1), to LONGEST_SPAN;
        /// Bytes after which the rate increases.
        byte_counter: OrWord<DataSize> ["kB", or "none"] = CATALOGUE,
            from DataSize::from_bytes(1), to LARGEST_FLOW;
        /// Steps of fast recovery.
        fast_steps: u32 = CATALOGUE, from 0, to 1_000_000;
        /// Hyper increase once both counters have left fast recovery, or one step after either has.
        stages: Stages = CATALOGUE;
        /// Step of additive increase.
        additive: BitRate ["Gb/s"] = CATALOGUE, from BitRate::from_bps(1), to MOST_RATE;
        /// Step of hyper increase.
        hyper: BitRate ["Gb/s"] = CATALOGUE, from BitRate::from_bps(1), to MOST_RATE;
        /// Host link rate that additive and hyper are for; they scale in proportion.
        at: OrWord<BitRate> ["Gb/s", or "any"] = CATALOGUE, from LEAST_RATE, to MOST_RATE;
        /// Least rate.
        least: BitRate ["Gb/s"] = CATALOGUE, from LEAST_RATE, to MOST_RATE;
        /// Least interval between notifications of a flow.
        cnp_interval: Span ["us"] = CATALOGUE, from Span::ZERO, to LONGEST_SPAN;
        /// Notifications are packets of their own, or marks on the answers to marked packets.
        notices: Notices = CATALOGUE;
    }
}
