//! Changes texts that a user edits.

use std::path::{Path, PathBuf};

use lightloom_export::design_edit::with_setting;
use lightloom_input::settings;
use lightloom_input::text::read;
use lightloom_request::key::Key;
use lightloom_request::{InputError, Request, Settings, Texts, Value};

/// The settings of a request as they were given, before any check.
///
/// # Errors
/// [`InputError`] if the design file cannot be read, is not TOML, or has an unknown key.
pub fn read_settings(request: &Request) -> Result<Settings, InputError> {
    settings::read(request)
}

/// The text of a design file with another value of one setting. `None` removes the setting. Everything else stays,
/// comments included. `file` is for messages.
///
/// # Examples
/// ```
/// # use std::path::Path;
/// # use lightloom::{Value, setting};
/// # use lightloom::edit::change_setting;
/// let text = "version = 1\n[fabric]\n# Branches of a splitter.\np = 2 # of the first hall\n";
/// let file = Path::new("design.toml");
/// let changed = change_setting(text, file, &setting::fabric::P, Some(&Value::Integer(4)))?;
/// assert_eq!(changed, text.replace("p = 2", "p = 4"));
/// # Ok::<(), lightloom::InputError>(())
/// ```
///
/// # Errors
/// [`InputError`] if the text is not TOML.
pub fn change_setting(
    text: &str,
    file: &Path,
    key: &Key,
    value: Option<&Value>,
) -> Result<String, InputError> {
    with_setting(text, file, key, value)
}

/// The files that a request was read from and that have another text now, or cannot be read any more.
///
/// # Examples
/// ```
/// # use lightloom::Request;
/// # use lightloom::edit::changed_files;
/// // No file was read.
/// assert!(changed_files(&Request::default()).is_empty());
/// ```
pub fn changed_files(request: &Request) -> Vec<PathBuf> {
    let kept = request.texts.kept().into_iter();
    let changed =
        kept.filter(|(path, text)| read(&Texts::default(), path).ok().as_ref() != Some(text));
    changed.map(|(path, _)| path).collect()
}
