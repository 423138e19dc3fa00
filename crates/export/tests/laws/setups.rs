//! Parameters and runs to capture.

use lightloom_topology::electrical::Network;
use lightloom_twin::params::{
    Alpha, Buffering, Clamp, Dcqcn, Forwarding, GroupParams, Notices, Overflows, Params, Recovery,
    Reserves, Stack, Stages, SwitchParams, Transport, Wire,
};
use lightloom_twin::{Multicast, Setup};
use lightloom_units::{BitRate, DataSize, Instant, Span};

/// Lossless, with congestion control, every packet acknowledged.
pub fn params() -> Params {
    Params {
        wire: Wire { mtu: 4096, header: 62, control: 66, pause: 64, preamble: 8, gap: 12 },
        switch: SwitchParams {
            buffer: DataSize::ZERO,
            buffer_per_port: DataSize::from_bytes(1_000_000),
            reserves: Reserves::Beside,
            headroom_per_port: DataSize::from_bytes(100_000),
            headroom_delays: 0.0,
            minimum_per_port: DataSize::ZERO,
            overflow: Overflows::End,
            pause_share: 0.125,
            drop_share: 1.0,
            resume_offset: DataSize::from_bytes(8_192),
            pfc: true,
            ecn: None,
            forwarding: Forwarding::StoreAndForward,
            latency: Span::ZERO,
        },
        transport: Transport {
            recovery: Recovery::GoBackN,
            ack_every: 1,
            timeout: Span::from_us(200),
            first_psn: 0,
        },
        dcqcn: Some(Dcqcn {
            g: 1.0 / 256.0,
            alpha: Alpha::Notified,
            alpha_timer: Span::from_us(55),
            first_share: 1.0,
            cut_interval: Span::ZERO,
            clamp: Clamp::Always,
            increase_timer: Span::from_us(55),
            byte_counter: Some(DataSize::from_bytes(10_000_000)),
            fast_steps: 5,
            stages: Stages::Both,
            additive: BitRate::from_bps(40_000_000),
            hyper: BitRate::from_bps(200_000_000),
            at: None,
            least: BitRate::from_bps(100_000_000),
            cnp_interval: Span::from_us(50),
            notices: Notices::Packets,
        }),
        groups: GroupParams {
            repeat_interval: Span::from_us(10),
            notification_window: Span::from_us(50),
            register_timeout: Span::from_ms(1),
            register_tries: 10,
            synchronisation: Span::from_us(5),
            fan_out: None,
            memory: DataSize::from_bytes(1 << 20),
            buffering: Buffering::Shared,
        },
        stack: Stack { send: Span::ZERO, receive: Span::ZERO, forward: Span::ZERO },
    }
}

/// No traffic yet.
pub fn setup(network: &Network, params: Params) -> Setup<'_> {
    Setup {
        network,
        params,
        flows: Vec::new(),
        losses: Vec::new(),
        dead: Vec::new(),
        storms: Vec::new(),
        multicast: Multicast::default(),
        patience: Span::from_ms(100),
        traced: false,
        seed: 1,
        until: Instant::from_s(1),
        interval: Span::from_ms(1),
        by_flow: false,
        threads: 1,
    }
}
