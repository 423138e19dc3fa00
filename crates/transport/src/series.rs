//! Messages that are longer than a message may be (InfiniBand Architecture 1.4, 9.4; gleam:table1). Such a message goes
//! out as a series of messages of its queue pair, each with what its first packet has and with what announces it. It is
//! complete when all of them are.

/// The most bytes of a message.
pub const LONGEST: u64 = 1 << 31;

/// What is no longer than this is one message, whatever its packets carry.
pub(super) const ALONE: u64 = LONGEST - (1 << 16);

/// Full packets in each message of a series but the last.
fn of_one(mtu: u16) -> u64 {
    (LONGEST / u64::from(mtu.max(1))).max(1)
}

/// Number of messages that so much payload takes.
pub fn messages(bytes: u64, mtu: u16) -> u64 {
    bytes.div_ceil(of_one(mtu) * u64::from(mtu.max(1))).max(1)
}

/// The place of a packet within its message of a series, and the payload before that message. `lead` are the packets
/// that announce each message.
#[cold]
pub(super) fn place(place: u64, lead: u64, mtu: u16) -> (u64, u64) {
    let each = of_one(mtu);
    let (message, within) = (place / (each + lead), place % (each + lead));
    (within, message * each * u64::from(mtu))
}
