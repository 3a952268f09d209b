//! What earlier processes could not remove.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::Duration;

use rustix::fs::{FlockOperation, OFlags, flock};

use crate::{LOCK, PREFIX};

/// In a crowded directory, not everything is looked at.
const MOST_ENTRIES: usize = 10_000;
/// A directory without its lock has just been made, unless it is older than this.
const YOUNG: Duration = Duration::from_secs(3600);

/// Removes directories of our own whose process is gone.
pub(crate) fn remove(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.take(MOST_ENTRIES).flatten() {
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX)) {
            remove_if_left(&entry.path());
        }
    }
}

/// What does not look exactly like ours is left alone.
fn remove_if_left(path: &Path) {
    let Ok(metadata) = fs::symlink_metadata(path) else { return };
    let user = rustix::process::geteuid().as_raw();
    if !metadata.is_dir() || metadata.uid() != user || metadata.mode() & 0o777 != 0o700 {
        return;
    }
    let flags = OFlags::NOFOLLOW.bits() as i32;
    match OpenOptions::new().read(true).custom_flags(flags).open(path.join(LOCK)) {
        Ok(lock) => {
            if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok() {
                let _ = fs::remove_dir_all(path);
            }
        }
        Err(_) => {
            let old = metadata.modified().ok().and_then(|time| time.elapsed().ok()).is_some_and(|age| age > YOUNG);
            if old {
                // Removes nothing unless it is empty.
                let _ = fs::remove_dir(path);
            }
        }
    }
}
