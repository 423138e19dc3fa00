//! Frames as a receiver sees them: it knows RoCE, and nothing of the twin.

use std::collections::BTreeMap;

/// A message that has arrived.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrived {
    /// By its payload, or else by its key; none of an empty SEND.
    pub flow: Option<u32>,
    pub bytes: u64,
    pub writes: bool,
}

/// Nodes that a registration packet lists, each eight bytes, and the bytes before them.
pub fn registered(bytes: &[u8]) -> (Vec<u8>, Vec<Vec<u8>>) {
    assert_eq!(number(&bytes[36..38]), 4792);
    let (metadata, nodes) = bytes[42..].split_at(8);
    assert_eq!(nodes.len() % 8, 0);
    (metadata.to_vec(), nodes.chunks(8).map(<[u8]>::to_vec).collect())
}

/// A frame of RoCE.
#[derive(Debug, Clone)]
pub struct Frame {
    pub to_mac: [u8; 6],
    pub from: [u8; 4],
    pub to: [u8; 4],
    pub opcode: u8,
    pub qp: u32,
    pub psn: u32,
    /// Whether its check sequence holds.
    pub is_good: bool,
    /// After the BTH, up to the check sequence.
    pub content: Vec<u8>,
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}

/// The check sequence of IEEE 802.3, bit by bit.
fn crc(bytes: impl IntoIterator<Item = u8>) -> u32 {
    let bit = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.into_iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(byte), bit))
}

impl Frame {
    /// Reads a frame; none of a pause and of what is for switches.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        if bytes[12..14] == [0x88, 0x08] {
            assert_eq!((bytes.len(), &bytes[..6]), (60, &[1, 0x80, 0xc2, 0, 0, 1][..]));
            assert_eq!(&bytes[14..16], [1, 1]);
            return None;
        }
        assert_eq!(bytes[12..14], [0x08, 0x00]);
        let (ip, udp, bth) = (&bytes[14..34], &bytes[34..42], &bytes[42..54]);
        assert_eq!(number(&ip[2..4]), bytes.len() as u64 - 14);
        assert_eq!(number(&udp[4..6]), bytes.len() as u64 - 34);
        let words = ip.chunks(2).map(number).sum::<u64>();
        assert_eq!((words & 0xffff) + (words >> 16), 0xffff, "the sum of an IPv4 header");
        if number(&udp[2..4]) == 4792 {
            return None;
        }
        assert_eq!(number(&udp[2..4]), 4791);
        let (packet, check) = bytes[14..].split_at(bytes.len() - 18);
        let masked = packet.iter().enumerate().map(|(place, &byte)| match place {
            // Type of service, time to live, checksums, marks.
            1 | 8 | 10 | 11 | 26 | 27 | 32 => 0xff,
            _ => byte,
        });
        let is_good = crc([0xff; 8].into_iter().chain(masked)).to_le_bytes() == check;
        Some(Self {
            to_mac: bytes[..6].try_into().unwrap(),
            from: ip[12..16].try_into().unwrap(),
            to: ip[16..].try_into().unwrap(),
            opcode: bth[0],
            qp: number(&bth[5..8]) as u32,
            psn: number(&bth[9..]) as u32,
            is_good,
            content: bytes[54..bytes.len() - 4].to_vec(),
        })
    }

    /// Whether it carries payload.
    pub fn is_data(&self) -> bool {
        self.opcode <= 0x0b || (0x20..=0x2b).contains(&self.opcode)
    }
}

/// A queue pair that receives: it takes packets in the order of their sequence numbers.
#[derive(Debug)]
pub struct Responder {
    expected: u32,
    mtu: usize,
    early: BTreeMap<u32, Frame>,
    /// The message at hand, and the length that it has announced.
    open: Option<(Arrived, Option<u64>)>,
    pub arrived: Vec<Arrived>,
    /// Whose packets it takes.
    from: Option<[u8; 4]>,
    /// Whether the address of the message at hand tells its flow.
    told: bool,
}

impl Responder {
    pub fn new(first_psn: u32, mtu: usize) -> Self {
        let (early, open, arrived) = (BTreeMap::new(), None, Vec::new());
        Self {
            expected: first_psn & 0x00ff_ffff,
            mtu,
            early,
            open,
            arrived,
            from: None,
            told: false,
        }
    }

    /// Takes a packet; bad ones are dropped.
    pub fn take(&mut self, frame: Frame) {
        assert_eq!(*self.from.get_or_insert(frame.from), frame.from, "one sender");
        if frame.is_good {
            self.early.insert(frame.psn, frame);
        }
        while let Some(frame) = self.early.remove(&self.expected) {
            self.expected = (self.expected + 1) & 0x00ff_ffff;
            self.next(&frame);
        }
    }

    fn next(&mut self, frame: &Frame) {
        let (kind, writes) = match frame.opcode & 0x1f {
            opcode @ 0..=4 => (opcode, false),
            opcode @ 6..=10 => (opcode - 6, true),
            opcode => panic!("opcode {opcode:#x}"),
        };
        let (begins, ends) = (matches!(kind, 0 | 4), matches!(kind, 2 | 4));
        let mut payload = &frame.content[..];
        if begins {
            assert!(self.open.is_none(), "a message begins within another");
            let mut said = None;
            let mut flow = None;
            self.told = false;
            if writes {
                said = Some(number(&payload[12..16]));
                let (address, key) = (number(&payload[..8]), number(&payload[8..12]) as u32);
                // Members of groups have one address for all messages.
                self.told = address >> 63 == 0;
                if self.told {
                    flow = Some(key);
                    assert_eq!(address, (u64::from(key) + 1) << 32);
                }
                payload = &payload[16..];
            }
            self.open = Some((Arrived { flow, bytes: 0, writes }, said));
        }
        let (message, said) = self.open.as_mut().expect("a packet of no message");
        assert_eq!(message.writes, writes);
        assert!(ends || payload.len() == self.mtu, "only last packets are short");
        assert!(payload.len() <= self.mtu);
        for &byte in payload {
            let place = message.bytes % 8;
            if place < 4 {
                // The word begins with its flow; a SEND is known by its first one.
                let shift = 24 - 8 * place;
                match message.flow {
                    Some(flow) if self.told || message.bytes >= 4 => {
                        assert_eq!(byte, (flow >> shift) as u8, "at {}", message.bytes);
                    }
                    flow => {
                        let so_far = flow.unwrap_or(0) & !(0xff << shift);
                        message.flow = Some(so_far | u32::from(byte) << shift);
                    }
                }
            } else {
                let word = message.bytes - place;
                assert_eq!(byte, (word >> (56 - 8 * place)) as u8, "at {}", message.bytes);
            }
            message.bytes += 1;
        }
        if ends {
            assert!(said.is_none_or(|said| said == message.bytes), "{said:?} {message:?}");
            self.arrived.extend(self.open.take().map(|(message, _)| message));
        }
    }
}
