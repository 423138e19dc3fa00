//! Parameters and runs to capture.

use lightloom_topology::electrical::Network;
use lightloom_twin::params::{Dcqcn, Params};
use lightloom_twin::{Multicast, Setup};
use lightloom_units::{Instant, Span};

/// Lossless, with congestion control, every packet acknowledged.
pub fn params() -> Params {
    let mut params = Params { dcqcn: Some(Dcqcn::default()), ..Params::default() };
    params.transport.timeout = Span::from_us(200);
    params
}

/// No traffic yet.
pub fn setup(network: &Network, params: Params) -> Setup<'_> {
    Setup {
        network,
        params,
        flows: Vec::new(),
        losses: Vec::new(),
        dead: Vec::new(),
        reroutes: Vec::new(),
        restarts: Vec::new(),
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
