//! The values of a column, from the buffers of its batches.

/// Kind of a column that results use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    U32,
    U64,
    F64,
    Text,
}

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

/// A column of a batch: its buffers as the file has them.
pub(super) struct Part<'a> {
    /// Number of rows.
    pub(super) rows: usize,
    /// Number of rows without a value.
    pub(super) unknown: usize,
    /// A bit for each row, lowest first: whether its value is known. Means nothing if all are.
    pub(super) known: &'a [u8],
    /// The values of fixed size. For texts: where each begins in `texts`, and where the last ends.
    pub(super) values: &'a [u8],
    /// The bytes of texts.
    pub(super) texts: &'a [u8],
}

/// A column as it grows batch by batch.
pub(super) struct Builder(Column);

impl Builder {
    pub(super) fn new(kind: Kind, nullable: bool) -> Self {
        Self(match kind {
            Kind::U32 => Column::U32(Vec::new()),
            Kind::U64 if nullable => Column::KnownU64(Vec::new(), Vec::new()),
            Kind::U64 => Column::U64(Vec::new()),
            Kind::F64 => Column::F64(Vec::new()),
            Kind::Text => Column::Text(Vec::new()),
        })
    }

    pub(super) fn column(self) -> Column {
        self.0
    }

    /// Adds the rows of a batch. The error is a message.
    pub(super) fn take(&mut self, part: Part<'_>, nullable: bool) -> Result<(), String> {
        let is_known = part.is_known()?;
        if part.unknown > 0 && !nullable {
            return Err(format!("{} values are missing where all should be known", part.unknown));
        }
        match &mut self.0 {
            Column::U32(_) if part.unknown > 0 => {
                return Err(format!("{} numbers of 32 bits are unknown", part.unknown));
            }
            Column::U32(values) => values.extend(part.fixed(u32::from_le_bytes)?),
            Column::U64(values) => values.extend(part.fixed(u64::from_le_bytes)?),
            Column::KnownU64(values, known) => {
                let read = part.fixed(u64::from_le_bytes)?.enumerate();
                values.extend(read.map(|(row, value)| if is_known(row) { value } else { 0 }));
                known.extend((0..part.rows).map(is_known));
            }
            Column::F64(values) => {
                let read = part.fixed(f64::from_le_bytes)?.enumerate();
                values
                    .extend(read.map(|(row, value)| if is_known(row) { value } else { f64::NAN }));
            }
            Column::Text(values) => part.texts(&is_known, values)?,
        }
        Ok(())
    }
}

impl<'a> Part<'a> {
    /// Tells whether the value of a row is known.
    fn is_known(&self) -> Result<impl Fn(usize) -> bool + use<'a>, String> {
        let (known, all) = (self.known, self.unknown == 0);
        if !all {
            let need = self.rows.div_ceil(8);
            if known.len() < need {
                return Err(format!(
                    "{} bytes say which rows are known; expected {need}",
                    known.len()
                ));
            }
            let found = (0..self.rows).filter(|row| !bit(known, *row)).count();
            if found != self.unknown {
                return Err(format!("{found} rows are unknown; it says {}", self.unknown));
            }
        }
        Ok(move |row: usize| all || bit(known, row))
    }

    /// The values of fixed size. Those of unknown rows mean nothing.
    fn fixed<const N: usize, T>(
        &self,
        read: impl Fn([u8; N]) -> T + 'a,
    ) -> Result<impl Iterator<Item = T> + 'a, String> {
        let need = self.rows.checked_mul(N);
        let values = need.and_then(|need| self.values.get(..need)).ok_or_else(|| {
            format!("{} bytes hold the values of {} rows of {N}", self.values.len(), self.rows)
        })?;
        Ok(values.as_chunks::<N>().0.iter().map(move |&bytes| read(bytes)))
    }

    /// Adds the texts to `to`. An unknown one is empty.
    fn texts(&self, is_known: &dyn Fn(usize) -> bool, to: &mut Vec<String>) -> Result<(), String> {
        if self.rows == 0 && self.values.is_empty() {
            return Ok(());
        }
        let need = self.rows.checked_add(1).and_then(|ends| ends.checked_mul(4));
        let ends = need.and_then(|need| self.values.get(..need)).ok_or_else(|| {
            format!("{} bytes hold the ends of {} texts", self.values.len(), self.rows)
        })?;
        let at = |end: &[u8; 4]| usize::try_from(i32::from_le_bytes(*end)).ok();
        let (ends, _) = ends.as_chunks::<4>();
        if ends.first().and_then(at).is_none_or(|first| first > self.texts.len()) {
            return Err("the first text is out of bounds".into());
        }
        to.reserve(self.rows);
        for (row, pair) in ends.windows(2).enumerate() {
            // Also of an unknown row: the ends must not go back.
            let range = at(&pair[0]).zip(at(&pair[1]));
            let bytes = range.and_then(|(from, until)| self.texts.get(from..until));
            let bytes = bytes.ok_or_else(|| format!("the text of row {row} is out of bounds"))?;
            let text = std::str::from_utf8(bytes);
            let text = text.map_err(|_| format!("the text of row {row} is not UTF-8"))?;
            to.push(if is_known(row) { text.to_owned() } else { String::new() });
        }
        Ok(())
    }
}

/// A bit, lowest first. The caller checks that it is there.
fn bit(bits: &[u8], at: usize) -> bool {
    bits[at / 8] >> (at % 8) & 1 == 1
}
