//! Tables as Arrow record batches. Other libraries take them by the Arrow C stream interface, without a copy.

use std::io::Cursor;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, UInt32Type, UInt64Type};
use arrow_array::{Array as _, ArrayRef, ArrowPrimitiveType, RecordBatch, RecordBatchIterator};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType};
use numpy::IntoPyArray as _;
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyString};

use crate::errors;

/// The columns of a table, named, in order.
pub(crate) type Columns = Vec<(&'static str, ArrayRef)>;

/// A table. Users see it as `lightloom.Table`.
#[pyclass(frozen, module = "lightloom._lightloom")]
pub(crate) struct Batch(RecordBatch);

impl Batch {
    /// A table of columns of one length.
    pub(crate) fn of(py: Python<'_>, columns: Columns) -> PyResult<Self> {
        RecordBatch::try_from_iter(columns).map(Self).map_err(|error| wrong(py, &error))
    }
}

fn wrong(py: Python<'_>, error: &ArrowError) -> PyErr {
    errors::fault(py, &format!("a table of lightloom is wrong: {error}"))
}

#[pymethods]
impl Batch {
    /// Hands the table over by the Arrow C stream interface. A wished schema is not followed, as the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// The titles of the columns.
    fn names(&self) -> Vec<String> {
        self.0.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// A column: a NumPy array, or a list of texts. What is missing is NaN among numbers, and None in a list.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let Some(column) = self.0.column_by_name(name) else {
            return Err(PyKeyError::new_err(name.to_owned()));
        };
        let is_whole = column.null_count() == 0;
        Ok(match column.data_type() {
            DataType::UInt32 if is_whole => {
                column.as_primitive::<UInt32Type>().values().to_vec().into_pyarray(py).into_any()
            }
            DataType::UInt64 if is_whole => {
                column.as_primitive::<UInt64Type>().values().to_vec().into_pyarray(py).into_any()
            }
            DataType::Float64 if is_whole => {
                column.as_primitive::<Float64Type>().values().to_vec().into_pyarray(py).into_any()
            }
            DataType::Boolean if is_whole => {
                let flags: Vec<bool> = column.as_boolean().values().iter().collect();
                flags.into_pyarray(py).into_any()
            }
            DataType::UInt32 => {
                with_nan::<UInt32Type>(column, f64::from).into_pyarray(py).into_any()
            }
            DataType::UInt64 => with_nan::<UInt64Type>(column, real).into_pyarray(py).into_any(),
            DataType::Float64 => {
                with_nan::<Float64Type>(column, f64::from).into_pyarray(py).into_any()
            }
            DataType::Boolean => {
                let flags: Vec<Option<bool>> = column.as_boolean().iter().collect();
                flags.into_bound_py_any(py)?
            }
            kind => {
                let Some(texts) = column.as_string_opt::<i32>() else {
                    return Err(errors::fault(
                        py,
                        &format!("{name}: no table has columns of {kind}"),
                    ));
                };
                // The same few words many times over.
                let texts = texts.iter();
                let texts = texts.map(|text| text.map(|text| PyString::intern(py, text)));
                texts.collect::<Vec<_>>().into_bound_py_any(py)?
            }
        })
    }

    /// The table as an Arrow IPC stream.
    fn ipc<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let written = || -> Result<Vec<u8>, ArrowError> {
            let mut writer = StreamWriter::try_new(Vec::new(), &self.0.schema())?;
            writer.write(&self.0)?;
            writer.into_inner()
        };
        Ok(PyBytes::new(py, &written().map_err(|error| wrong(py, &error))?))
    }

    /// The table of an Arrow IPC stream.
    #[staticmethod]
    fn of_ipc(py: Python<'_>, stream: &[u8]) -> PyResult<Self> {
        let read = || -> Result<RecordBatch, ArrowError> {
            let mut reader = StreamReader::try_new(Cursor::new(stream), None)?;
            let schema = reader.schema();
            reader.next().unwrap_or_else(|| Ok(RecordBatch::new_empty(schema)))
        };
        read().map(Self).map_err(|error| wrong(py, &error))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// Numbers, with NaN for those that are missing.
fn with_nan<T: ArrowPrimitiveType>(column: &ArrayRef, real: fn(T::Native) -> f64) -> Vec<f64> {
    column.as_primitive::<T>().iter().map(|value| value.map_or(f64::NAN, real)).collect()
}

#[allow(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn real(count: u64) -> f64 {
    count as f64
}

/// A column of these values.
pub(crate) fn column<A: arrow_array::Array + 'static>(array: A) -> ArrayRef {
    Arc::new(array)
}
