//! Requests in a temporary folder.

use std::path::{Path, PathBuf};

use lightloom::Value;
use lightloom::plan::{VerifyReport, plan, verify_folder};
use lightloom::{Error, Key, Request, Watch, setting};
use tempfile::TempDir;

/// More ToRs than this are not planned in a test of many cases.
const PLANNED: usize = 64;

/// A temporary folder.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("the test writes its input");
        path
    }
}

/// The setting of a name.
pub(crate) fn key(name: &str) -> Key {
    setting::named(name).expect("it is a setting")
}

/// Flags that say the same as keys.
pub(crate) fn flags(texts: &[(&'static str, &str)], numbers: &[(&'static str, i64)]) -> Request {
    let texts = texts.iter().map(|&(name, text)| (key(name), Value::Text(text.into())));
    let numbers = numbers.iter().map(|&(name, number)| (key(name), Value::Integer(number)));
    Request { flags: texts.chain(numbers).collect(), ..Request::default() }
}

/// Opens a request and, where it is small, plans it; a plan that is written must be good. Any
/// refusal must be of the kind that ends a command with 2, and leave no folder.
pub(crate) fn answers_or_refuses(request: &Request, out: &Path) -> Result<(), Error> {
    let ended = planned(request, out);
    if let Err(error) = &ended {
        assert_eq!(error.exit_code(), 2, "{error}");
        assert!(!error.to_string().is_empty());
        assert!(!out.exists(), "refused with {error}, and yet written");
    }
    ended
}

fn planned(request: &Request, out: &Path) -> Result<(), Error> {
    let project = lightloom::open(request)?;
    if project.fabric().tors() <= PLANNED {
        plan(&project, out, Watch::quiet())?;
        let report = verified(out)?;
        assert!(report.good, "{:?}", report.first_faults);
    }
    Ok(())
}

pub(crate) fn verified(folder: &Path) -> Result<VerifyReport, Error> {
    verify_folder(folder, Watch::quiet())
}
