//! The records of a file and what is in them.

use prost::Message as _;
use prost::encoding::{DecodeContext, decode_key, decode_varint, skip_field};

use crate::at::At;
use crate::error::TraceError;

/// A node: `Node` of the schema. Its start is not read, since a run decides it.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Node {
    #[prost(uint64, tag = "1")]
    pub(super) id: u64,
    #[prost(string, tag = "2")]
    pub(super) name: String,
    #[prost(int32, tag = "3")]
    pub(super) kind: i32,
    #[prost(uint64, repeated, tag = "4")]
    pub(super) ctrl_deps: Vec<u64>,
    #[prost(uint64, repeated, tag = "5")]
    pub(super) data_deps: Vec<u64>,
    #[prost(uint64, tag = "7")]
    pub(super) duration_micros: u64,
    #[prost(message, optional, tag = "8")]
    pub(super) inputs: Option<IoInfo>,
    #[prost(message, repeated, tag = "10")]
    pub(super) attr: Vec<Attribute>,
}

/// The fields of a node that the schema has.
const NODE: std::ops::RangeInclusive<u32> = 1..=10;
/// The fields of metadata.
const METADATA: std::ops::RangeInclusive<u32> = 1..=2;

/// Inputs of a node: `IOInfo`.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct IoInfo {
    #[prost(string, tag = "1")]
    pub(super) values: String,
}

/// An attribute of a node: `AttributeProto`. Lists have no value here, but for those of bools.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Attribute {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(oneof = "Value", tags = "7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 28, 29")]
    pub(super) value: Option<Value>,
}

/// The value of an attribute.
#[derive(Clone, PartialEq, prost::Oneof)]
pub(super) enum Value {
    #[prost(int32, tag = "7")]
    Int32(i32),
    #[prost(int64, tag = "9")]
    Int64(i64),
    #[prost(uint32, tag = "11")]
    Uint32(u32),
    #[prost(uint64, tag = "13")]
    Uint64(u64),
    #[prost(sint32, tag = "15")]
    Sint32(i32),
    #[prost(sint64, tag = "17")]
    Sint64(i64),
    #[prost(fixed32, tag = "19")]
    Fixed32(u32),
    #[prost(fixed64, tag = "21")]
    Fixed64(u64),
    #[prost(sfixed32, tag = "23")]
    Sfixed32(i32),
    #[prost(sfixed64, tag = "25")]
    Sfixed64(i64),
    #[prost(bool, tag = "27")]
    Bool(bool),
    #[prost(message, tag = "28")]
    Bools(Bools),
    #[prost(string, tag = "29")]
    Text(String),
}

/// A list of bools.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Bools {
    #[prost(bool, repeated, tag = "1")]
    pub(super) values: Vec<bool>,
}

/// The nodes of a file, with the numbers of their records.
///
/// # Errors
/// [`TraceError`] at the record that is none.
pub(super) fn nodes(bytes: &[u8]) -> impl Iterator<Item = Result<(u32, Node), TraceError>> {
    let mut records = Records { rest: bytes, number: 0 };
    let first = match records.next() {
        None => Some(Err(TraceError::new(
            "the file is empty; a file of Chakra begins with a record of metadata",
        ))),
        Some(Err(error)) => Some(Err(error)),
        Some(Ok((number, bytes))) => {
            known_fields(number, bytes, (METADATA, "metadata")).err().map(Err)
        }
    };
    let nodes = records.map(|record| {
        let (number, bytes) = record?;
        known_fields(number, bytes, (NODE, "node"))?;
        let node = Node::decode(bytes).map_err(|error| no_chakra(number, &error.to_string()))?;
        Ok((number, node))
    });
    first.into_iter().chain(nodes)
}

/// The records of a file.
struct Records<'a> {
    rest: &'a [u8],
    number: u32,
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<(u32, &'a [u8]), TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        self.number = self.number.saturating_add(1);
        let at = At::Record(self.number);
        let Ok(length) = decode_varint(&mut self.rest) else {
            self.rest = &[];
            let message = "its length is no number; is the file truncated, or no trace of Chakra?";
            return Some(Err(TraceError::new(message).at(at)));
        };
        let there = self.rest.len();
        let split =
            usize::try_from(length).ok().and_then(|length| self.rest.split_at_checked(length));
        let Some((record, rest)) = split else {
            self.rest = &[];
            let message = format!(
                "has {length} bytes, and the file ends after {there} of them; is it truncated, or no trace of Chakra?"
            );
            return Some(Err(TraceError::new(message).at(at)));
        };
        self.rest = rest;
        Some(Ok((self.number, record)))
    }
}

/// Refuses a record with fields that the schema does not have.
fn known_fields(
    number: u32,
    mut bytes: &[u8],
    (known, what): (std::ops::RangeInclusive<u32>, &str),
) -> Result<(), TraceError> {
    while !bytes.is_empty() {
        let (field, kind) =
            decode_key(&mut bytes).map_err(|error| no_chakra(number, &error.to_string()))?;
        if !known.contains(&field) {
            let message = format!(
                "has a field {field}, which a {what} of Chakra does not have; this reads schema/protobuf/et_def.proto \
                 of Chakra 1.0"
            );
            return Err(TraceError::new(message).at(At::Record(number)));
        }
        skip_field(kind, field, &mut bytes, DecodeContext::default())
            .map_err(|error| no_chakra(number, &error.to_string()))?;
    }
    Ok(())
}

fn no_chakra(number: u32, why: &str) -> TraceError {
    TraceError::new(format!("is no record of Chakra: {why}")).at(At::Record(number))
}
