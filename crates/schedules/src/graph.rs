//! A graph of messages.

/// The number of a message in its graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MessageId(pub u32);

impl MessageId {
    /// Its place among all messages of the graph.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Blocks of the buffer that follow each other. After the last comes the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks {
    /// The first of them.
    pub first: u64,
    /// Number of blocks.
    pub count: u64,
}

impl Blocks {
    /// No block: a message without payload.
    pub const NONE: Self = Self { first: 0, count: 0 };

    /// A single block.
    pub fn one(first: u64) -> Self {
        Self { first, count: 1 }
    }
}

/// Who receives a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum To {
    /// One member.
    Member(u32),
    /// All members but the sender.
    Others,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The member that sends.
    pub from: u32,
    /// Who receives.
    pub to: To,
    /// What it carries.
    pub blocks: Blocks,
    /// Whether the receiver adds it to what it has. Otherwise it takes the place of what was there.
    pub adds: bool,
    /// Earlier messages that it waits for: until those to its sender have arrived, and those of its sender are
    /// acknowledged.
    pub after: Vec<MessageId>,
}

/// Messages, each after those that it waits for. Those from one member to another go in this order.
///
/// The buffer of each member is cut into blocks of equal size, to a byte. Blocks of a small buffer can be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    members: u32,
    bytes: u64,
    blocks: u64,
    messages: Vec<Message>,
    /// For each block, the members that need it; empty: all that it is sent to.
    needed: Vec<Vec<u32>>,
    /// Members with the messages that bring their first layers.
    firsts: Vec<(u32, MessageId)>,
}

impl Graph {
    /// A graph without messages. `bytes` is the size of the buffer of each member.
    pub(crate) fn new(members: u32, bytes: u64, blocks: u64) -> Self {
        Self {
            members,
            bytes,
            blocks,
            messages: Vec::new(),
            needed: Vec::new(),
            firsts: Vec::new(),
        }
    }

    /// Number of members.
    pub fn members(&self) -> u32 {
        self.members
    }

    /// Number of blocks of the buffer.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The messages.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// For each block, the members that need it. Empty: all that it is sent to.
    pub fn needed(&self) -> &[Vec<u32>] {
        &self.needed
    }

    /// Members of a fleet, each with the message that brings its first layer.
    pub fn firsts(&self) -> &[(u32, MessageId)] {
        &self.firsts
    }

    /// Payload that members receive and do not need, in bytes.
    pub fn filtered(&self) -> u64 {
        let others = u64::from(self.members.saturating_sub(1));
        let needed = |block| usize::try_from(block).ok().and_then(|block| self.needed.get(block));
        let unneeded = |block: u64| match needed(block) {
            Some(needed) => {
                (others - needed.len() as u64).saturating_mul(self.bytes(Blocks::one(block)))
            }
            None => 0,
        };
        let to_all = self.messages.iter().filter(|message| message.to == To::Others);
        let blocks =
            to_all.flat_map(|Message { blocks, .. }| blocks.first..blocks.first + blocks.count);
        blocks.map(unneeded).fold(0, u64::saturating_add)
    }

    /// Size of blocks, in bytes.
    pub fn bytes(&self, blocks: Blocks) -> u64 {
        if self.blocks == 0 || blocks.count == 0 {
            return 0;
        }
        let first = blocks.first % self.blocks;
        let end = first + blocks.count;
        match end.checked_sub(self.blocks) {
            None => self.start(end) - self.start(first),
            Some(over) => self.bytes - self.start(first) + self.start(over),
        }
    }

    /// Bytes of the buffer before a block.
    fn start(&self, block: u64) -> u64 {
        let start = u128::from(self.bytes) * u128::from(block) / u128::from(self.blocks);
        u64::try_from(start).unwrap_or(u64::MAX)
    }

    /// Adds a message from one member to another.
    pub(crate) fn send(
        &mut self,
        from: u32,
        to: u32,
        blocks: Blocks,
        after: impl IntoIterator<Item = MessageId>,
    ) -> MessageId {
        debug_assert!(from != to && from < self.members && to < self.members);
        self.add(Message { from, to: To::Member(to), blocks, adds: false, after: listed(after) })
    }

    /// The same; the receiver adds it to what it has.
    pub(crate) fn send_to_add(
        &mut self,
        from: u32,
        to: u32,
        blocks: Blocks,
        after: impl IntoIterator<Item = MessageId>,
    ) -> MessageId {
        let id = self.send(from, to, blocks, after);
        self.messages[id.index()].adds = true;
        id
    }

    /// Adds a message from a member to all others.
    pub(crate) fn multicast(
        &mut self,
        from: u32,
        blocks: Blocks,
        after: impl IntoIterator<Item = MessageId>,
    ) -> MessageId {
        self.add(Message { from, to: To::Others, blocks, adds: false, after: listed(after) })
    }

    /// Says which members need each block, in the order of blocks. The member that sends a block is none of them.
    pub(crate) fn needed_by(&mut self, members: impl Iterator<Item = Vec<u32>>) {
        self.needed = members.collect();
    }

    /// A message brings a layer to a member.
    pub(crate) fn begins_with(&mut self, layer: u32, member: u32, message: MessageId) {
        if layer == 0 {
            self.firsts.push((member, message));
        }
    }

    fn add(&mut self, message: Message) -> MessageId {
        let id = MessageId(u32::try_from(self.messages.len()).unwrap_or(u32::MAX));
        self.messages.push(message);
        id
    }
}

/// What a message waits for, each once.
fn listed(after: impl IntoIterator<Item = MessageId>) -> Vec<MessageId> {
    let mut after: Vec<MessageId> = after.into_iter().collect();
    after.sort_unstable();
    after.dedup();
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_equal_to_a_byte_and_go_round() {
        let graph = Graph::new(2, 10, 4);
        let sizes: Vec<u64> = (0..4).map(|block| graph.bytes(Blocks::one(block))).collect();
        assert_eq!(sizes, [2, 3, 2, 3]);
        assert_eq!(graph.bytes(Blocks { first: 3, count: 2 }), 5);
        assert_eq!(graph.bytes(Blocks { first: 1, count: 4 }), 10);
        assert_eq!(graph.bytes(Blocks::NONE), 0);
        assert_eq!(Graph::new(2, u64::MAX, 3).bytes(Blocks { first: 2, count: 3 }), u64::MAX);
    }
}
