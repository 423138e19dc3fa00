//! Arrow files as they are, cut off and damaged: the right rows or a refusal, and no more memory than the file has
//! bytes.

use std::io::Cursor;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, UInt32Type, UInt64Type};
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::FileWriter;
use arrow_schema::DataType;
use lightloom_input::results::{Column, read_columns};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// A batch with a column of each kind.
fn batch(rows: u32) -> RecordBatch {
    let known = |row: u32| (row % 3 != 1).then_some(u64::from(row) * 1_000_000_007);
    let all: ArrayRef = Arc::new(UInt64Array::from_iter_values((0..rows).map(u64::from)));
    let small: ArrayRef = Arc::new(UInt32Array::from_iter_values(0..rows));
    let some: ArrayRef = Arc::new(UInt64Array::from_iter((0..rows).map(known)));
    let ratios = (0..rows).map(|row| (row % 4 != 2).then_some(f64::from(row) / 7.0));
    let ratios: ArrayRef = Arc::new(Float64Array::from_iter(ratios));
    let names: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..rows).map(|row| "é".repeat(row as usize % 5))));
    let columns = [
        ("flow", all, false),
        ("from", small, false),
        ("received_ps", some, true),
        ("slowdown", ratios, true),
        ("name", names, false),
    ];
    RecordBatch::try_from_iter_with_nullable(columns).expect("columns of one length")
}

fn file(batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), &batch(0).schema()).expect("a schema");
    for batch in batches {
        writer.write(batch).expect("a batch of the schema");
    }
    writer.into_inner().expect("written")
}

fn files() -> Vec<Vec<u8>> {
    vec![file(&[]), file(&[batch(0)]), file(&[batch(9)]), file(&[batch(70), batch(1), batch(20)])]
}

/// What the reader of the crate makes of a file whose sizes were checked.
fn by_the_crate(bytes: &[u8]) -> Vec<(String, Column)> {
    let reader = FileReader::try_new(Cursor::new(bytes), None).expect("an Arrow file");
    let schema = reader.schema();
    let batches: Vec<RecordBatch> = reader.map(|batch| batch.expect("a batch")).collect();
    let columns = schema.fields().iter().enumerate().map(|(i, field)| {
        let parts = batches.iter().map(|batch| batch.column(i));
        let column = match (field.data_type(), field.is_nullable()) {
            (DataType::UInt32, _) => Column::U32(
                parts.flat_map(|p| p.as_primitive::<UInt32Type>().values()).copied().collect(),
            ),
            (DataType::UInt64, false) => Column::U64(
                parts.flat_map(|p| p.as_primitive::<UInt64Type>().values()).copied().collect(),
            ),
            (DataType::UInt64, true) => {
                let values = parts.flat_map(|part| part.as_primitive::<UInt64Type>().iter());
                let (values, known) =
                    values.map(|value| (value.unwrap_or(0), value.is_some())).unzip();
                Column::KnownU64(values, known)
            }
            (DataType::Float64, _) => {
                let values = parts.flat_map(|part| part.as_primitive::<Float64Type>().iter());
                Column::F64(values.map(|value| value.unwrap_or(f64::NAN)).collect())
            }
            (DataType::Utf8, _) => {
                let texts = parts.flat_map(|part| part.as_string::<i32>().iter());
                Column::Text(texts.map(|text| text.unwrap_or_default().to_owned()).collect())
            }
            (kind, _) => panic!("found a column of {kind}"),
        };
        (field.name().clone(), column)
    });
    columns.collect()
}

/// The same to the bit: NaN is as NaN.
fn assert_same(found: &[(String, Column)], expected: &[(String, Column)]) {
    assert_eq!(found.len(), expected.len());
    for ((name, found), (named, expected)) in found.iter().zip(expected) {
        assert_eq!(name, named);
        match (found, expected) {
            (Column::F64(found), Column::F64(expected)) => {
                let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(found), bits(expected), "{name}");
            }
            _ => assert_eq!(found, expected, "{name}"),
        }
    }
}

/// Bytes that a column takes in memory.
fn bytes_of(column: &Column) -> usize {
    match column {
        Column::U32(values) => 4 * values.capacity(),
        Column::U64(values) => 8 * values.capacity(),
        Column::KnownU64(values, known) => 8 * values.capacity() + known.capacity(),
        Column::F64(values) => 8 * values.capacity(),
        Column::Text(texts) => {
            let all: usize = texts.iter().map(String::capacity).sum();
            size_of::<String>() * texts.capacity() + all
        }
    }
}

#[test]
fn files_are_read_as_the_crate_reads_them() {
    for bytes in files() {
        let found = read_columns("flows.arrow", &bytes).expect("an Arrow file");
        assert_same(&found, &by_the_crate(&bytes));
    }
}

#[test]
fn files_that_are_cut_off_are_refused() {
    for bytes in files() {
        for length in 0..bytes.len() {
            let told = read_columns("flows.arrow", &bytes[..length]).expect_err("it is cut off");
            assert!(told.to_string().starts_with("flows.arrow: is "), "{told}");
        }
    }
}

#[test]
fn damaged_files_are_refused_or_have_the_rows_that_they_say() {
    let files = files();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut refused, mut read) = (0, 0);
    for case in 0..12_000 {
        let mut bytes = files[case % files.len()].clone();
        for _ in 0..random.random_range(1..=3) {
            let at = random.random_range(0..bytes.len());
            match random.random_range(0..4) {
                0 => bytes[at] = random.random(),
                1 => bytes[at] ^= 1 << random.random_range(0..8),
                // Lengths that are too large, or negative.
                _ => {
                    let with = [0x00, 0x7f, 0x80, 0xff][random.random_range(0..4)];
                    let end = (at + random.random_range(1..=8)).min(bytes.len());
                    bytes[at..end].fill(with);
                }
            }
        }
        match read_columns("flows.arrow", &bytes) {
            Err(_) => refused += 1,
            Ok(found) => {
                read += 1;
                let memory: usize = found.iter().map(|(_, column)| bytes_of(column)).sum();
                assert!(memory <= 16 * bytes.len(), "{memory} bytes from {}", bytes.len());
                assert_same(&found, &by_the_crate(&bytes));
            }
        }
    }
    assert!(refused > 1_000 && read > 1_000, "{refused} refused, {read} read");
}

#[test]
fn sizes_beyond_the_file_are_refused() {
    // The block of the only batch in the footer: offset 8 bytes, length of its head 4 and 4 of padding, of its body 8.
    let bytes = file(&[batch(9)]);
    let length = i32::from_le_bytes(bytes[bytes.len() - 10..][..4].try_into().expect("4 bytes"));
    let footer = bytes.len() - 10 - usize::try_from(length).expect("not negative");
    let reader = arrow_ipc::root_as_footer(&bytes[footer..bytes.len() - 10]).expect("a footer");
    let block = reader.recordBatches().expect("a list").get(0).0;
    let at = footer + bytes[footer..].windows(24).position(|w| w == block).expect("it is there");
    for (from, with) in [(16, 390_u64 << 30), (16, u64::MAX), (0, 1 << 40), (8, 0x7fff_ffff)] {
        let mut bytes = bytes.clone();
        bytes[at + from..at + from + 8].copy_from_slice(&with.to_le_bytes());
        let told = read_columns("flows.arrow", &bytes).expect_err("it is too large").to_string();
        assert!(told.contains("is a damaged Arrow file: a batch at byte"), "{told}");
    }
}
