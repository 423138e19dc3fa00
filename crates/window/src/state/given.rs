//! The settings that the text of the design gives.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use lightloom::{InputError, Request, Texts, Value, setting};

use crate::state::file::DesignFile;

/// What the text of the design gives. It is read again when the text or its file changes.
#[derive(Debug, Default)]
pub struct Given {
    of: Option<(PathBuf, Arc<str>)>,
    values: Option<BTreeMap<&'static str, Value>>,
}

impl Given {
    /// The values, by the name of the setting. `None`: the text is no design.
    pub fn values(&self) -> Option<&BTreeMap<&'static str, Value>> {
        self.values.as_ref()
    }

    /// Reads the text, if it is not the one that was read last.
    pub(super) fn follow(&mut self, file: &DesignFile, text: &Arc<str>) {
        let path = file.shown();
        let is_read = |(of, read): &(PathBuf, Arc<str>)| *of == path && Arc::ptr_eq(read, text);
        if !self.of.as_ref().is_some_and(is_read) {
            self.values = read(path.clone(), text).ok();
            self.of = Some((path, text.clone()));
        }
    }
}

fn read(path: PathBuf, text: &str) -> Result<BTreeMap<&'static str, Value>, InputError> {
    let texts = Texts::keeping([(path.clone(), text.to_owned())].into());
    let request = Request { design: Some(path), texts, ..Request::default() };
    let settings = lightloom::edit::read_settings(&request)?;
    let sections = setting::sections().flat_map(|(section, _)| settings.said_in(section));
    Ok(sections.map(|(name, value)| (name, value.clone())).collect())
}
