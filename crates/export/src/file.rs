//! Replaces one file in one step: readers see the old text or the new one, also if the program is killed.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Replaces or makes a file. A link stays, and the file that it names is replaced. The file keeps its permissions.
///
/// # Errors
/// Those of the file system. The old file is then unchanged.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let permissions = match fs::metadata(&place) {
        // A file that must not be written is not replaced either, which the folder's rights would allow.
        Ok(there) if there.permissions().readonly() => {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
        }
        Ok(there) => Some(there.permissions()),
        Err(_) => None,
    };
    let new = beside(&place);
    let written = write(&new, bytes, permissions).and_then(|()| fs::rename(&new, &place));
    if written.is_err() {
        // Nothing else can be done about a file that cannot be removed; the next save overwrites it.
        let _ = fs::remove_file(&new);
    }
    written?;
    let parent = place.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()
}

fn write(new: &Path, bytes: &[u8], permissions: Option<fs::Permissions>) -> io::Result<()> {
    let mut file = File::create(new)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.write_all(bytes)?;
    file.sync_all()
}

/// The place of the new file before it replaces the old one.
fn beside(place: &Path) -> PathBuf {
    let mut name = place.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".lightloom-{}", std::process::id()));
    place.with_file_name(name)
}
