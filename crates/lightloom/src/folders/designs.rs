//! Writes a new design file.

use std::path::Path;

use lightloom_export::output::Inputs;
use lightloom_request::{Error, Request};
use lightloom_watch::Watch;

use super::edit::{check_new, write_new};
use crate::in_memory::designs::{DesignText, NewDesign, new_design_text};

/// Writes a design file for the settings of a request. Settings that are not given are chosen. An existing
/// file is never overwritten.
///
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::designs::new_design;
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// let file = place.path().join("design.toml");
/// let request = Request::default().say(&setting::fabric::TORS, 12_u32);
/// assert_eq!(new_design(&request, &file, Watch::quiet())?.info.fabric.tors, 12);
/// // The file opens, and is never overwritten.
/// let project = open(&Request { design: Some(file.clone()), ..Request::default() })?;
/// assert_eq!(project.fabric().tors(), 12);
/// assert!(new_design(&request, &file, Watch::quiet()).is_err());
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error::Input`] if the request is wrong or the file exists, [`Error::Stopped`] if the watch stops the work.
pub fn new_design(request: &Request, out: &Path, watch: Watch<'_>) -> Result<NewDesign, Error> {
    let inputs = Inputs::of(&request.design);
    check_new(out, &inputs)?;
    let DesignText { text, info } = new_design_text(request, out, watch)?;
    watch.progress(1, 1)?;
    write_new(out, text.as_bytes(), &inputs)?;
    Ok(NewDesign { design: out.to_path_buf(), info })
}
