//! The pcapng file of a capture.
//!
//! Each direction of each link is an interface with its name and rate. Times are those of arrivals in nanoseconds,
//! rounded down.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Duration;

use lightloom_sim::capture::Tap;
use lightloom_twin::Hop;
use pcap_file::pcapng::PcapNgWriter;
use pcap_file::pcapng::blocks::enhanced_packet::EnhancedPacketBlock;
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption as Interface,
};
use pcap_file::{DataLink, Endianness, PcapError};

use crate::frames::{Frames, Registrations, Unframed};

/// Digits of a second in times.
const NANOSECONDS: u8 = 9;

/// Writes what arrived over the ways of a capture. `hops` are in the order of time. Equal runs give equal bytes on
/// every machine.
pub fn write(
    out: &mut impl Write,
    taps: &[Tap],
    (hops, registrations): (&[Hop], &Registrations),
    frames: &mut Frames,
) -> io::Result<Result<(), (Unframed, Hop)>> {
    let mut file = PcapNgWriter::with_endianness(out, Endianness::Little).map_err(plain)?;
    for tap in taps {
        let options = vec![
            Interface::IfName(Cow::Borrowed(&tap.name)),
            Interface::IfSpeed(tap.rate.as_bps()),
            Interface::IfTsResol(NANOSECONDS),
        ];
        let interface =
            InterfaceDescriptionBlock { linktype: DataLink::ETHERNET, snaplen: 0, options };
        file.write_pcapng_block(interface).map_err(plain)?;
    }
    // What is lost on a dead way reaches nobody.
    for hop in hops.iter().filter(|hop| !hop.is_lost) {
        let is_here = |tap: &Tap| (tap.way.to, tap.way.port) == (hop.node, hop.port);
        let Some((interface_id, tap)) = (0..).zip(taps).find(|(_, tap)| is_here(tap)) else {
            continue;
        };
        let frame = match frames.frame(hop, tap.way.from, registrations) {
            Ok(frame) => frame,
            Err(unframed) => return Ok(Err((unframed, *hop))),
        };
        let block = EnhancedPacketBlock {
            interface_id,
            timestamp: Duration::from_nanos(hop.at.as_ps() / 1_000),
            // A frame has fewer bytes than 16 bits count.
            original_len: u32::try_from(frame.len()).unwrap_or(u32::MAX),
            data: Cow::Owned(frame),
            options: Vec::new(),
        };
        file.write_pcapng_block(block).map_err(plain)?;
    }
    Ok(Ok(()))
}

/// Errors of the writer are those of the file beneath it.
fn plain(error: PcapError) -> io::Error {
    match error {
        PcapError::IoError(error) => error,
        other => io::Error::other(other),
    }
}
