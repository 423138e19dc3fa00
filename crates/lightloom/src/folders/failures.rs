//! Writes repairs that are computed in advance.

use std::path::Path;

use lightloom_export::output::kind::Terms;
use lightloom_export::output::{folder, kinds};
use lightloom_plan::project::Project;
use lightloom_request::Error;
use lightloom_routing::recovery::Method;
use lightloom_watch::Watch;

use super::plan::{inputs_of, write_folder};
use crate::in_memory::failures::{RepairFiles, RepairsReport, repair_files};

/// Writes the repairs of all single failures to a folder: `repairs.jsonl` with one repair per line, and
/// `index.json` with the line of each failure. A failed transmitter or splitter is repaired as the relay. A
/// failed receiver is repaired as its branch.
///
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::failures::{Method, Objective, repairs};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// let folder = place.path().join("repairs");
/// let method = Method::Replan(Objective::FewestChanges);
/// let made = repairs(&open(&request)?, &folder, method, Watch::quiet())?;
/// assert!(made.repairs > 12 && folder.join("repairs.jsonl").exists());
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error`]. `out` is then unchanged.
pub fn repairs(
    project: &Project,
    out: &Path,
    method: Method,
    watch: Watch<'_>,
) -> Result<RepairsReport, Error> {
    let inputs = inputs_of(project);
    folder::check(out, Terms::of(&kinds::OF_REPAIRS, &inputs))?;
    let RepairFiles { files, repairs, not_restored } = repair_files(project, method, watch)?;
    write_folder(out, &files, Terms::of(&kinds::OF_REPAIRS, &inputs), watch)?;
    Ok(RepairsReport { out: out.to_path_buf(), repairs, not_restored })
}
