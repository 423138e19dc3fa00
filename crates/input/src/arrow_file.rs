//! Reads the columns of an Arrow file, which a stranger may have made or a disk may have damaged.
//!
//! The reader of the `arrow-ipc` crate takes sizes from the file as they are: it asks for as much memory as they say,
//! and panics where they are wrong. Here every size is checked against the bytes that are there before anything is
//! taken from them. Of the crate only the accessors of verified flat buffers are used.
//!
//! No byte of the file is read twice, so the columns are at most a few times as large as the file.

mod column;

use std::ops::Range;
use std::panic::catch_unwind;

use arrow_ipc::{
    Block, Endianness, Footer, MessageHeader, MetadataVersion, Precision, RecordBatch, Type,
    root_as_footer, root_as_message,
};

use crate::arrow_file::column::{Builder, Kind, Part};

pub use column::Column;

/// What a file begins and ends with.
const MAGIC: &[u8] = b"ARROW1";
/// Bytes after the footer: its length, and the magic.
const TAIL: usize = 4 + MAGIC.len();
/// First byte of a block: the magic is padded to this.
const START: usize = 8;
/// Mark in front of the length of a message. Old files have none.
const CONTINUATION: &[u8] = &[0xff; 4];
/// Most columns. Results have fewer than 100.
const MOST_COLUMNS: usize = 4096;
/// Most bytes of the names of all columns.
const LONGEST_NAMES: usize = 1 << 20;

/// A column as the footer declares it.
#[derive(Debug, Clone)]
struct Declared {
    name: String,
    kind: Kind,
    nullable: bool,
}

/// Why a file is refused: the column, where it is about one, and a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Name of the column. `None`: the file as a whole.
    pub column: Option<String>,
    /// What is wrong.
    pub message: String,
}

impl Refused {
    fn of(message: impl Into<String>) -> Self {
        Self { column: None, message: message.into() }
    }
}

/// The columns of a file, with their names.
///
/// # Errors
/// [`Refused`] if the bytes are no Arrow file, are damaged, or have a column of a type that results do not use.
pub fn columns(bytes: &[u8]) -> Result<Vec<(String, Column)>, Refused> {
    // No check is known to be missing. If one is, the file is refused all the same.
    catch_unwind(|| read(bytes)).unwrap_or_else(|_| Err(damaged("its parts contradict each other")))
}

fn damaged(what: impl std::fmt::Display) -> Refused {
    Refused::of(format!("is a damaged Arrow file: {what}"))
}

fn read(bytes: &[u8]) -> Result<Vec<(String, Column)>, Refused> {
    let none = || Refused::of("is no Arrow file: it does not begin and end as one");
    let body = bytes.strip_suffix(MAGIC).filter(|_| bytes.starts_with(MAGIC)).ok_or_else(none)?;
    let (rest, length) = body.split_last_chunk::<4>().ok_or_else(none)?;
    let start = usize::try_from(i32::from_le_bytes(*length))
        .ok()
        .and_then(|length| rest.len().checked_sub(length))
        .filter(|&start| start >= START)
        .ok_or_else(|| {
            let (said, there) = (i32::from_le_bytes(*length), bytes.len().saturating_sub(TAIL));
            damaged(format!("its footer should have {said} bytes, of {there}"))
        })?;
    let footer = root_as_footer(&rest[start..])
        .map_err(|error| damaged(format!("its footer cannot be read ({error})")))?;
    let declared = declared(footer)?;
    if footer.dictionaries().is_some_and(|blocks| !blocks.is_empty()) {
        return Err(Refused::of("has dictionaries, which results do not use"));
    }
    let blocks = footer.recordBatches().ok_or_else(|| damaged("its footer lists no batches"))?;
    let mut builders: Vec<Builder> =
        declared.iter().map(|of| Builder::new(of.kind, of.nullable)).collect();
    let mut free = START;
    for block in blocks {
        let (metadata, body) = ranges(block, free, start)?;
        free = body.end;
        let batch = batch(&rest[metadata], footer.version())?;
        take(batch, &rest[body], &declared, &mut builders)?;
    }
    let names = declared.into_iter().map(|column| column.name);
    Ok(names.zip(builders.into_iter().map(Builder::column)).collect())
}

/// The columns that the footer declares.
fn declared(footer: Footer<'_>) -> Result<Vec<Declared>, Refused> {
    let schema = footer.schema().ok_or_else(|| damaged("its footer has no schema"))?;
    if schema.endianness() != Endianness::Little {
        return Err(Refused::of("has its numbers with the highest byte first; results do not"));
    }
    let fields = schema.fields().ok_or_else(|| damaged("its schema has no columns"))?;
    if fields.len() > MOST_COLUMNS {
        let found = fields.len();
        return Err(Refused::of(format!("has {found} columns; at most {MOST_COLUMNS} are read")));
    }
    let mut columns = Vec::new();
    let mut names = 0;
    for field in fields {
        let name = field.name().unwrap_or_default();
        // Parts of a flat buffer may be shared, so many columns may have one long name.
        names += name.len();
        if names > LONGEST_NAMES {
            return Err(Refused::of(format!(
                "has names of columns of more than {LONGEST_NAMES} bytes"
            )));
        }
        let kind = match field.type_type() {
            _ if field.dictionary().is_some() => None,
            Type::Int => field.type_as_int().and_then(|int| match int.bitWidth() {
                _ if int.is_signed() => None,
                32 => Some(Kind::U32),
                64 => Some(Kind::U64),
                _ => None,
            }),
            Type::FloatingPoint => field
                .type_as_floating_point()
                .filter(|float| float.precision() == Precision::DOUBLE)
                .map(|_| Kind::F64),
            Type::Utf8 => Some(Kind::Text),
            _ => None,
        };
        let Some(kind) = kind else {
            let kind = field.type_type().variant_name().unwrap_or("unknown");
            let message = format!("found a column of type {kind}, which results do not use");
            return Err(Refused { column: Some(name.to_owned()), message });
        };
        columns.push(Declared { name: name.to_owned(), kind, nullable: field.nullable() });
    }
    Ok(columns)
}

/// The bytes of a block: its metadata and its body. Blocks follow each other between `from` and `to`.
fn ranges(block: &Block, from: usize, to: usize) -> Result<(Range<usize>, Range<usize>), Refused> {
    let at = usize::try_from(block.offset()).ok().filter(|&at| at >= from);
    let middle = at.zip(usize::try_from(block.metaDataLength()).ok());
    let middle = middle.and_then(|(at, length)| at.checked_add(length));
    let end = middle.zip(usize::try_from(block.bodyLength()).ok());
    let end = end.and_then(|(middle, length)| middle.checked_add(length)).filter(|&end| end <= to);
    match (at, middle, end) {
        (Some(at), Some(middle), Some(end)) => Ok((at..middle, middle..end)),
        _ => Err(damaged(format!(
            "a batch at byte {} with {} + {} bytes is not between bytes {from} and {to}",
            block.offset(),
            block.metaDataLength(),
            block.bodyLength()
        ))),
    }
}

/// The batch that a message describes.
fn batch(message: &[u8], version: MetadataVersion) -> Result<RecordBatch<'_>, Refused> {
    let message = message.strip_prefix(CONTINUATION).unwrap_or(message);
    let (_, message) = message
        .split_first_chunk::<4>()
        .ok_or_else(|| damaged("the head of a batch has no room for its length"))?;
    let message = root_as_message(message)
        .map_err(|error| damaged(format!("the head of a batch cannot be read ({error})")))?;
    if version != MetadataVersion::V1 && message.version() != version {
        return Err(damaged("a batch has another version than the file"));
    }
    if message.header_type() != MessageHeader::RecordBatch {
        return Err(damaged("something else stands where a batch should be"));
    }
    let batch = message.header_as_record_batch().ok_or_else(|| damaged("a batch has no head"))?;
    if batch.compression().is_some() {
        return Err(Refused::of("is compressed; write it without compression"));
    }
    Ok(batch)
}

/// Adds the rows of a batch to the columns.
fn take(
    batch: RecordBatch<'_>,
    body: &[u8],
    declared: &[Declared],
    builders: &mut [Builder],
) -> Result<(), Refused> {
    let nodes = batch.nodes().ok_or_else(|| damaged("a batch has no columns"))?;
    let buffers = batch.buffers().ok_or_else(|| damaged("a batch has no buffers"))?;
    let texts = declared.iter().filter(|column| column.kind == Kind::Text).count();
    let (columns, expected) = (declared.len(), 2 * declared.len() + texts);
    if (nodes.len(), buffers.len()) != (columns, expected) {
        let found = (nodes.len(), buffers.len());
        return Err(damaged(format!(
            "a batch has {} columns in {} buffers; expected {columns} in {expected}",
            found.0, found.1
        )));
    }
    let mut free = 0;
    let mut next = buffers.iter().map(|buffer| {
        let at = usize::try_from(buffer.offset()).ok();
        let length = usize::try_from(buffer.length()).ok();
        let range = at.zip(length).and_then(|(at, length)| Some(at..at.checked_add(length)?));
        // Buffers follow each other. An empty one may have any offset within the body.
        let range = range.filter(|r| r.end <= body.len() && (r.is_empty() || r.start >= free));
        let range = range.ok_or_else(|| {
            let (at, length) = (buffer.offset(), buffer.length());
            let (first, last) = (free, body.len());
            damaged(format!(
                "a buffer at byte {at} with {length} bytes is not between bytes {first} and {last} of its batch"
            ))
        })?;
        free = free.max(range.end);
        Ok(&body[range])
    });
    let mut buffer = || next.next().unwrap_or_else(|| Err(damaged("a batch lacks a buffer")));
    for ((node, column), builder) in nodes.iter().zip(declared).zip(builders) {
        let (known, values) = (buffer()?, buffer()?);
        let texts = if column.kind == Kind::Text { buffer()? } else { &[] };
        let rows = usize::try_from(node.length()).ok().filter(|_| node.length() == batch.length());
        let unknown = usize::try_from(node.null_count()).ok();
        let (Some(rows), Some(unknown)) = (rows, unknown) else {
            return Err(damaged(format!(
                "a batch of {} rows has a column of {}, {} of them unknown",
                batch.length(),
                node.length(),
                node.null_count()
            )));
        };
        let part = Part { rows, unknown, known, values, texts };
        builder
            .take(part, column.nullable)
            .map_err(|what| Refused { column: Some(column.name.clone()), ..damaged(what) })?;
    }
    Ok(())
}
