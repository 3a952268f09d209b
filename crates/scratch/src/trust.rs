//! Whether another user could replace our files.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

const WRITABLE_BY_GROUP: u32 = 0o020;
const WRITABLE_BY_ALL: u32 = 0o002;
const STICKY: u32 = 0o1000;

/// Fails if a user other than the administrator could rename what is in a directory: if the directory or one of its
/// parents belongs to another user, or is writable by everybody. Members of a group that may write are trusted.
pub(crate) fn check(directory: &Path) -> io::Result<()> {
    let user = rustix::process::geteuid().as_raw();
    // In a user namespace, the administrator outside has another number.
    let system = fs::metadata("/").map_or(0, |root| root.uid());
    for ancestor in fs::canonicalize(directory)?.ancestors() {
        let metadata = fs::metadata(ancestor)?;
        let fail = |why: &str| Err(io::Error::other(format!("{} {why}", ancestor.display())));
        if ![user, 0, system].contains(&metadata.uid()) {
            return fail("belongs to another user");
        }
        if metadata.mode() & WRITABLE_BY_ALL != 0 && metadata.mode() & STICKY == 0 {
            return fail("can be changed by everybody (it has no sticky bit)");
        }
    }
    Ok(())
}

/// Whether a directory is one that this user alone can change: it is no symbolic link, and it and all that lead to it
/// are safe from others.
pub fn ours_alone(directory: &Path) -> io::Result<()> {
    check(directory)?;
    let metadata = fs::symlink_metadata(directory)?;
    let fail = |why: &str| Err(io::Error::other(format!("{} {why}", directory.display())));
    if !metadata.is_dir() {
        return fail("is not a directory");
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return fail("belongs to another user");
    }
    if metadata.mode() & (WRITABLE_BY_GROUP | WRITABLE_BY_ALL) != 0 {
        return fail("can be changed by others");
    }
    Ok(())
}
