//! The unicast ports of a ToR and what they take of its buffer.

use lightloom_design::devices::name::InterfaceName;
use lightloom_topology::TorId;
use lightloom_units::DataSize;

use crate::fabric::Configs;
use crate::lossless::{Headroom, Lossless, UnicastLink};
use crate::server::ServerId;

/// Whose port it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// A server's.
    Server(ServerId),
    /// The unicast network's.
    Network,
}

/// A unicast port of a ToR.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnicastPort<'a> {
    /// The ToR.
    pub tor: TorId,
    /// Whose port it is.
    pub whose: Whose,
    /// Its interface. `None`: the design names none.
    pub interface: Option<&'a InterfaceName>,
    /// Its link. `None`: rate or cable are not known.
    pub link: Option<UnicastLink>,
    /// The headroom that it needs. `None`: not known.
    pub headroom: Option<Headroom>,
}

/// The unicast ports of a ToR: those of its servers by number, then those to the unicast network in the order of the
/// file. None where no lossless class is asked for.
pub fn ports<'a>(configs: &'a Configs<'_>, tor: TorId) -> Vec<UnicastPort<'a>> {
    let Some(lossless) = &configs.lossless else { return Vec::new() };
    let port = |whose, interface, link: Option<UnicastLink>| UnicastPort {
        tor,
        whose,
        interface,
        link,
        headroom: link.and_then(|link| lossless.headroom(link)),
    };
    let servers = configs.servers.of_tor(tor).map(|(id, server)| {
        port(Whose::Server(id), server.interface.as_ref(), lossless.links.get(&id).copied())
    });
    let uplinks = lossless.uplinks.iter().filter(|uplink| uplink.tor == tor);
    let uplinks = uplinks.map(|up| port(Whose::Network, Some(&up.interface), up.link));
    servers.chain(uplinks).collect()
}

/// How the buffer of a ToR is shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferShares {
    /// What ports have for themselves: headroom, and what they keep before their senders go on.
    pub reserved: DataSize,
    /// What all share. `None`: ports have more than there is.
    pub shared: Option<DataSize>,
}

impl BufferShares {
    /// The shares of some ports.
    pub fn of(lossless: &Lossless, ports: &[UnicastPort<'_>]) -> Self {
        let resume = lossless.resume().as_bytes();
        let each = ports.iter().filter_map(|port| port.headroom);
        let each = each.map(|headroom| headroom.size.as_bytes().saturating_add(resume));
        let reserved = each.fold(0, u64::saturating_add);
        let shared = lossless.buffer.size.as_bytes().checked_sub(reserved);
        Self { reserved: DataSize::from_bytes(reserved), shared: shared.map(DataSize::from_bytes) }
    }
}

/// The fill at which a priority group pauses its sender while no other group holds any of the shared buffer: with
/// s = 2^exponent it holds s times of what is free, so s / (1 + s) of the shared buffer. With more groups it is less.
pub fn pauses_at(shared: DataSize, exponent: i8) -> DataSize {
    let shared = u128::from(shared.as_bytes());
    let power = 1_u128 << exponent.unsigned_abs().min(16);
    let bytes = if exponent < 0 { shared / (1 + power) } else { shared * power / (1 + power) };
    DataSize::from_bytes(u64::try_from(bytes).unwrap_or(u64::MAX))
}
