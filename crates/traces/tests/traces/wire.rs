//! Writes files of Chakra byte by byte, by nothing that the reader uses.

/// A node in the making.
#[derive(Clone, Default)]
pub struct Node {
    pub id: u64,
    pub name: &'static str,
    pub kind: u64,
    pub ctrl: Vec<u64>,
    pub data: Vec<u64>,
    pub micros: u64,
    pub values: String,
    pub attributes: Vec<(&'static str, Value)>,
}

/// The value of an attribute.
#[derive(Clone)]
pub enum Value {
    Int64(u64),
    Bool(bool),
    Text(String),
    /// A list of bools.
    Bools(Vec<bool>),
}

pub const COMPUTE: u64 = 4;
pub const SEND: u64 = 5;
pub const RECEIVE: u64 = 6;
pub const COLLECTIVE: u64 = 7;

impl Node {
    /// A node of a kind that waits for others.
    pub fn new(id: u64, kind: u64, data: &[u64]) -> Self {
        Self { id, name: "n", kind, data: data.to_vec(), ..Self::default() }
    }

    pub fn compute(id: u64, micros: u64, data: &[u64]) -> Self {
        Self { micros, ..Self::new(id, COMPUTE, data) }
    }

    /// A collective operation by its `comm_type`.
    pub fn collective(id: u64, comm_type: u64, bytes: u64, data: &[u64]) -> Self {
        Self::new(id, COLLECTIVE, data).with("comm_type", comm_type).with("comm_size", bytes)
    }

    pub fn send(id: u64, to: u64, bytes: u64, data: &[u64]) -> Self {
        Self::new(id, SEND, data).with("comm_dst", to).with("comm_size", bytes)
    }

    pub fn receive(id: u64, from: u64, bytes: u64, data: &[u64]) -> Self {
        Self::new(id, RECEIVE, data).with("comm_src", from).with("comm_size", bytes)
    }

    pub fn with(mut self, name: &'static str, value: u64) -> Self {
        self.attributes.push((name, Value::Int64(value)));
        self
    }

    pub fn said(mut self, name: &'static str, value: Value) -> Self {
        self.attributes.push((name, value));
        self
    }

    /// In a process group.
    pub fn of(self, group: &str) -> Self {
        self.said("pg_name", Value::Text(group.to_owned()))
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut out = number(1, self.id);
        out.extend(bytes(2, self.name.as_bytes()));
        out.extend(number(3, self.kind));
        self.ctrl.iter().for_each(|on| out.extend(number(4, *on)));
        // Packed, as writers of the third version write them.
        let packed: Vec<u8> = self.data.iter().flat_map(|on| varint(*on)).collect();
        out.extend(bytes(5, &packed));
        out.extend(number(7, self.micros));
        if !self.values.is_empty() {
            out.extend(bytes(8, &bytes(1, self.values.as_bytes())));
        }
        for (name, value) in &self.attributes {
            let mut one = bytes(1, name.as_bytes());
            one.extend(match value {
                Value::Int64(it) => number(9, *it),
                Value::Bool(it) => number(27, u64::from(*it)),
                Value::Text(it) => bytes(29, it.as_bytes()),
                Value::Bools(all) => {
                    let packed: Vec<u8> = all.iter().map(|it| u8::from(*it)).collect();
                    bytes(28, &bytes(1, &packed))
                }
            });
            out.extend(bytes(10, &one));
        }
        out
    }
}

/// The file of a rank.
pub fn file(nodes: &[Node]) -> Vec<u8> {
    let metadata = bytes(1, b"1.0.0");
    let nodes = nodes.iter().map(Node::bytes);
    std::iter::once(metadata).chain(nodes).flat_map(|record| prefixed(&record)).collect()
}

/// A record behind its length.
pub fn prefixed(record: &[u8]) -> Vec<u8> {
    [varint(record.len() as u64), record.to_vec()].concat()
}

/// A field with a number.
pub fn number(field: u64, value: u64) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

/// A field with bytes.
pub fn bytes(field: u64, value: &[u8]) -> Vec<u8> {
    [varint(field << 3 | 2), varint(value.len() as u64), value.to_vec()].concat()
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
    out
}
