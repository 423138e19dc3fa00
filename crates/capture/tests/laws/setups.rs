//! Parameters and runs to capture.

use lightloom_topology::electrical::Network;
use lightloom_twin::Setup;
use lightloom_twin::params::{Dcqcn, Params};
use lightloom_units::Span;

/// Lossless, with congestion control, every packet acknowledged.
pub fn params() -> Params {
    let mut params = Params { dcqcn: Some(Dcqcn::default()), ..Params::default() };
    params.transport.timeout = Span::from_us(200);
    params
}

/// No traffic yet.
pub fn setup(network: &Network, params: Params) -> Setup<'_> {
    Setup::new(network, params)
}
