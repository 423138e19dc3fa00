//! Reads results of runs from a folder or an Arrow file.

#[cfg(feature = "folders")]
use std::fs::File;
use std::io::Cursor;
#[cfg(feature = "folders")]
use std::io::Read as _;
use std::path::Path;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::FileReader;
use arrow_schema::DataType;
#[cfg(feature = "folders")]
use lightloom_request::Files;
use lightloom_request::InputError;
#[cfg(feature = "folders")]
use lightloom_sim::files::{BY_FLOW, MESSAGES, OF_COPIES, OF_GROUPS, OF_ONE, REPLICAS, REPORT};

/// Largest file of a result, in bytes.
#[cfg(feature = "folders")]
const MOST_BYTES: u64 = 8 << 30;

/// A column of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// Whole numbers of 32 bits.
    U32(Vec<u32>),
    /// Whole numbers of 64 bits.
    U64(Vec<u64>),
    /// Whole numbers, some of them unknown. An unknown number is 0, with `false` in the second list.
    KnownU64(Vec<u64>, Vec<bool>),
    /// Decimal numbers. NaN: unknown.
    F64(Vec<f64>),
    /// Texts.
    Text(Vec<String>),
}

/// Reads the folder of one run or of several.
///
/// # Errors
/// [`InputError`] if a file is missing or has the wrong format.
#[cfg(feature = "folders")]
pub fn read_results(folder: &Path) -> Result<Files, InputError> {
    let is_there = |name: &&str| folder.join(name).exists();
    let mut names = if is_there(&REPLICAS) { vec![REPLICAS, REPORT] } else { OF_ONE.to_vec() };
    let more = BY_FLOW.into_iter().chain(OF_GROUPS).chain(OF_COPIES).chain(MESSAGES);
    names.extend(more.filter(is_there));
    let mut files = Files::new();
    for name in names {
        let path = folder.join(name);
        let bytes = read(&path).map_err(|error| error.in_file(&path))?;
        if name == REPORT {
            serde_json::from_slice::<serde_json::Value>(&bytes).map_err(|error| {
                InputError::new(format!("is not JSON: {error}"))
                    .in_file(&path)
                    .at_line(error.line() as u64)
            })?;
        }
        files.push((name, bytes));
    }
    Ok(files)
}

#[cfg(feature = "folders")]
fn read(path: &Path) -> Result<Vec<u8>, InputError> {
    let refuse = |error: std::io::Error| InputError::new(format!("cannot be read: {error}"));
    let metadata = std::fs::metadata(path).map_err(refuse)?;
    if !metadata.is_file() || metadata.len() > MOST_BYTES {
        return Err(InputError::new("is no file of a result"));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes))
        .map_err(refuse)?;
    Ok(bytes)
}

/// The columns of an Arrow file of a result, with their names. `name` is for error messages.
///
/// # Errors
/// [`InputError`] if the bytes are not an Arrow file, or if a column has a type that results do not use.
pub fn read_columns(name: &str, bytes: &[u8]) -> Result<Vec<(String, Column)>, InputError> {
    let refuse = |message: String| InputError::new(message).in_file(Path::new(name));
    let broken = |error: arrow_schema::ArrowError| refuse(format!("is no Arrow file: {error}"));
    let reader = FileReader::try_new(Cursor::new(bytes), None).map_err(broken)?;
    let schema = reader.schema();
    let batches = reader.collect::<Result<Vec<RecordBatch>, _>>().map_err(broken)?;
    let column = |(i, field): (usize, &std::sync::Arc<arrow_schema::Field>)| {
        let parts: Vec<&dyn Array> = batches.iter().map(|batch| batch.column(i).as_ref()).collect();
        let kind = field.data_type();
        let column = gather(kind, field.is_nullable(), &parts)
            .ok_or_else(|| refuse(format!("found a column of {kind}")).in_field(field.name()))?;
        Ok((field.name().clone(), column))
    };
    schema.fields().iter().enumerate().map(column).collect()
}

/// Joins a column of all batches. `None`: results do not use this type.
fn gather(kind: &DataType, nullable: bool, parts: &[&dyn Array]) -> Option<Column> {
    Some(match kind {
        DataType::UInt32 => Column::U32(
            parts
                .iter()
                .flat_map(|part| part.as_primitive::<UInt32Type>().values())
                .copied()
                .collect(),
        ),
        DataType::UInt64 => {
            let values = parts.iter().map(|part| part.as_primitive::<UInt64Type>());
            if nullable {
                let all = values.flat_map(|part| part.iter());
                let (values, known) =
                    all.map(|value| (value.unwrap_or(0), value.is_some())).unzip();
                Column::KnownU64(values, known)
            } else {
                Column::U64(values.flat_map(|part| part.values()).copied().collect())
            }
        }
        DataType::Float64 => Column::F64(
            parts
                .iter()
                .flat_map(|part| part.as_primitive::<Float64Type>().iter())
                .map(|value| value.unwrap_or(f64::NAN))
                .collect(),
        ),
        DataType::Utf8 => Column::Text(
            parts
                .iter()
                .flat_map(|part| part.as_string::<i32>().iter())
                .map(|value| value.unwrap_or_default().to_owned())
                .collect(),
        ),
        _ => return None,
    })
}
