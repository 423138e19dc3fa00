//! The invariant check sequence of RoCEv2 (InfiniBand Architecture 1.4, annex A17.3.3). A switch that rewrites headers
//! makes it anew (cepheus:IV.icrc).

/// Bytes of a header that switches may change, by place from the start of the IPv4 header: type of service, time to
/// live, the two checksums, and the byte of the BTH with its congestion marks. They count as ones.
const MASKED: [usize; 7] = [1, 8, 10, 11, 26, 27, 32];

/// Bytes of IPv4, UDP and BTH.
const HEADERS: usize = 20 + 8 + 12;

/// The check sequence of a packet from its IPv4 header on, as it stands in the frame. Eight bytes of ones come
/// first, in place of the local header of InfiniBand.
pub(crate) fn icrc(packet: &[u8]) -> [u8; 4] {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&[0xff; 8]);
    let (headers, rest) = packet.split_at(packet.len().min(HEADERS));
    let mut headers = headers.to_vec();
    for place in MASKED {
        if let Some(byte) = headers.get_mut(place) {
            *byte = 0xff;
        }
    }
    crc.update(&headers);
    crc.update(rest);
    crc.finalize().to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A notification that a ConnectX-4 Lx sent, from its IPv4 header on; published with the tests of Scapy.
    const NOTIFICATION: &str = "45c2003c718c40004011916 10a0011010a001201 000012b700280000\
        8100ffff4000011800000000 00000000000000000000000000000000 82fd002a";

    #[test]
    fn hardware_computes_the_same() {
        let digits: Vec<u8> = NOTIFICATION.bytes().filter(u8::is_ascii_hexdigit).collect();
        let byte =
            |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        let bytes: Vec<u8> = digits.chunks(2).map(byte).collect();
        let (packet, sent) = bytes.split_at(bytes.len() - 4);
        assert_eq!(icrc(packet), sent);
    }
}
