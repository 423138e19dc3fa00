//! The constants of the twin.

use lightloom_twin::params::{Forwarding, Multipath, Overflows, Reserves};
use lightloom_units::{BitRate, DataSize, Span};

use crate::said::choices::{LossRepair, ParameterSet};
use crate::said::declared::CATALOGUE;
use crate::said::limits::{
    LEAST_RATE, LONGEST_PACKET, LONGEST_SPAN, MOST_BUFFER, MOST_RATE, MOST_WINDOW,
};
use crate::said::section::section;
use crate::said::value::{FileName, OrWord};

section! {
    /// Constants that override those of the catalogue.
    pub struct ParametersRow = "parameters", single {
        /// Shipped set: ours; groups and DCQCN as their papers describe; or hosts and switches as in the RDMA forks of
        /// ns-3.
        set: ParameterSet = "lightloom";
        /// A file of parameters that overrides the shipped ones.
        file: FileName = "none";
    }
}

section! {
    /// Fibre.
    pub struct FibreRow = "parameters.fibre", parameters {
        /// Propagation delay of a metre of fibre.
        delay_per_m: Span ["ns"] = CATALOGUE, from Span::from_ps(1), to LONGEST_SPAN;
    }
}

section! {
    /// Sizes on the wire.
    pub struct WireRow = "parameters.wire", parameters {
        /// Largest payload of a packet.
        mtu: DataSize ["kB"] = CATALOGUE,
            from DataSize::from_bytes(64), to DataSize::from_bytes(64_000);
        /// Headers of a data packet.
        header: DataSize ["kB"] = CATALOGUE,
            from DataSize::from_bytes(14), to DataSize::from_bytes(1_000);
        /// Length of an acknowledgement or a notification.
        control: DataSize ["kB"] = CATALOGUE,
            from DataSize::from_bytes(1), to DataSize::from_bytes(1_500);
        /// Length of a pause frame.
        pause: DataSize ["kB"] = CATALOGUE,
            from DataSize::from_bytes(1), to DataSize::from_bytes(1_500);
        /// Preamble before each frame.
        preamble: DataSize ["kB"] = CATALOGUE,
            from DataSize::from_bytes(0), to DataSize::from_bytes(1_000);
        /// Gap after each frame.
        gap: DataSize ["kB"] = CATALOGUE,
            from DataSize::from_bytes(0), to DataSize::from_bytes(1_000);
    }
}

section! {
    /// Switches.
    pub struct SwitchRow = "parameters.switch", parameters {
        /// Buffer of a switch that all ports share, whatever their number.
        buffer: DataSize ["MB"] = CATALOGUE, from DataSize::ZERO, to MOST_BUFFER;
        /// Buffer beyond it that all ports share, for each port.
        buffer_per_port: DataSize ["kB"] = CATALOGUE, from DataSize::ZERO, to MOST_BUFFER;
        /// Whether headroom and minimum stand beside the buffer or are taken out of it.
        reserves: Reserves = CATALOGUE;
        /// Headroom of the lossless class of each port.
        headroom_per_port: DataSize ["kB"] = CATALOGUE, from DataSize::ZERO, to MOST_BUFFER;
        /// More headroom, as a multiple of the bytes that the port's link holds in its delay.
        headroom_delays: f64 = CATALOGUE, from 0.0, to 1000.0;
        /// Bytes of the lossless class of each port that come before any of the shared buffer.
        minimum_per_port: DataSize ["kB"] = CATALOGUE, from DataSize::ZERO, to MOST_BUFFER;
        /// What a lossless packet does that finds its headroom full: end the run, or be counted as dropped.
        overflow: Overflows = CATALOGUE;
        /// A lossless ingress queue pauses its sender above this share of the free buffer.
        pause_share: f64 = CATALOGUE, from 0.0, to 1000.0;
        /// A lossy egress queue drops above this share of the free buffer.
        drop_share: f64 = CATALOGUE, from 0.0, to 1000.0;
        /// A paused sender resumes this far below the threshold.
        resume_offset: DataSize ["kB"] = CATALOGUE, from DataSize::ZERO, to MOST_BUFFER;
        /// Whether switches pause senders (PFC).
        pfc: bool = CATALOGUE;
        /// From the arrival of a pause to the time from which its receiver begins no more frames. IEEE 802.3 (31B.3.7)
        /// allows 80, 394 and 905 times of 512 bits at 25, 100 and 400 Gb/s: 1.6384 us, 2.01728 us and 1.1584 us.
        pause_response: Span ["us"] = CATALOGUE, from Span::ZERO, to LONGEST_SPAN;
        /// How switches forward.
        forwarding: Forwarding = CATALOGUE;
        /// Which of several equal ways data take: one for each flow (ECMP), or one for each packet (spraying).
        multipath: Multipath = CATALOGUE;
        /// Latency of a switch.
        latency: Span ["us"] = CATALOGUE, from Span::ZERO, to LONGEST_SPAN;
    }
}

section! {
    /// Transport.
    pub struct TransportRow = "parameters.transport", parameters {
        /// How losses are repaired.
        recovery: LossRepair = CATALOGUE;
        /// Packets for each acknowledgement.
        ack_every: u32 = CATALOGUE, from 1, to MOST_WINDOW;
        /// Retransmission timeout.
        timeout: Span ["us"] = CATALOGUE, from Span::from_ns(1), to LONGEST_SPAN;
        /// Repetitions after timeouts without progress; the next timeout is an error of the queue pair. With none there
        /// is no limit.
        retries: OrWord<u32> ["", or "none"] = CATALOGUE, from 0, to 1_000_000;
        /// First packet sequence number.
        first_psn: u32 = CATALOGUE, from 0, to (1 << 24) - 1;
        /// Packets under way (selective repeat).
        window: u32 = CATALOGUE, from 1, to MOST_WINDOW;
        /// Timeout while few packets are under way (selective repeat).
        short_timeout: Span ["us"] = CATALOGUE, from Span::from_ns(1), to LONGEST_SPAN;
        /// Fewer packets than this are few (selective repeat).
        few: u32 = CATALOGUE, from 0, to MOST_WINDOW;
        /// Packets that may pass an earlier one before that counts as lost (selective repeat).
        reorder: u32 = CATALOGUE, from 0, to MOST_WINDOW;
    }
}

section! {
    /// Time in the hosts, for each message. Messages of a host take it beside each other.
    pub struct StackRow = "parameters.stack", parameters {
        /// Time of the sending stack.
        send: Span ["us"] = CATALOGUE, from Span::ZERO, to LONGEST_SPAN;
        /// Time of the receiving stack.
        receive: Span ["us"] = CATALOGUE, from Span::ZERO, to LONGEST_SPAN;
        /// Time from the last packet of a message to the first of a flow that hands it on.
        forward: Span ["us"] = CATALOGUE, from Span::ZERO, to LONGEST_SPAN;
        /// Time beside each of these for each packet of the message that is sent or received.
        packet: Span ["ns"] = CATALOGUE, from Span::ZERO, to LONGEST_PACKET;
        /// Rate at which the bytes of the message are copied then; none: copies take no time.
        copy_rate: OrWord<BitRate> ["Gb/s", or "none"] = CATALOGUE, from LEAST_RATE, to MOST_RATE;
    }
}
