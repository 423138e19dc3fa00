//! What a P4 pipeline declares: tables, actions, and its packet replication engine.

use std::fmt;

/// What a value of a pipeline is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    /// A number of this many bits.
    Bits(u32),
    /// A name that the switch translates.
    Name,
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bits(bits) => write!(f, "a number of {bits} bits"),
            Self::Name => write!(f, "a name"),
        }
    }
}

/// How a field of a table is matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Exact,
    Ternary,
    Optional,
}

/// A field of a table.
#[derive(Debug)]
pub(super) struct Field {
    pub id: u32,
    pub name: &'static str,
    pub kind: Kind,
    pub is: Type,
}

/// A match field.
pub(super) const fn field(id: u32, name: &'static str, kind: Kind, is: Type) -> Field {
    Field { id, name, kind, is }
}

/// A table of a pipeline.
#[derive(Debug)]
pub(super) struct Table {
    pub id: u32,
    pub name: &'static str,
    pub fields: &'static [Field],
    /// The number of entries that it holds.
    pub size: usize,
    /// Tables with a lower turn are filled before, and emptied after. Multicast groups have turn 1.
    pub turn: u8,
}

/// An action of a pipeline. Its parameters are numbered from 1.
#[derive(Debug)]
pub(super) struct Action {
    pub id: u32,
    pub name: &'static str,
    pub parameters: &'static [(&'static str, Type)],
}

/// The packet replication engine of a pipeline.
#[derive(Debug)]
pub(super) struct Engine {
    /// The type of ports.
    pub port: Type,
    /// The number of multicast groups that it holds.
    pub groups: usize,
    /// The number of replicas of all groups.
    pub replicas: usize,
    /// The number of replicas of a group.
    pub replicas_of_group: usize,
}
