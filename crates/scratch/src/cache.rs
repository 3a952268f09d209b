//! Files that are kept between runs, where users keep what can be made again. No other user can change them, and a file
//! is there whole or not at all.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use tempfile::NamedTempFile;

use crate::trust::ours_alone;

/// Our directory there, which may not exist. The base directory specification ignores relative paths.
pub fn cache() -> Option<PathBuf> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")))?;
    Some(base.join("fencepost"))
}

/// Makes a directory that only we can change, unless it is there. Nobody else may change what is used from it.
pub fn make_ours(directory: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    ours_alone(directory)
}

/// Writes a file, or replaces it. Many processes may do so at once.
pub fn write_whole(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let mut file = NamedTempFile::new_in(path.parent().unwrap_or(path))?;
    parts.iter().try_for_each(|part| file.write_all(part))?;
    file.persist(path)?;
    Ok(())
}

/// Reads a file that only we can have written: in a directory of ours, and neither a link nor anyone else's.
pub fn read_ours(path: &Path) -> io::Result<Vec<u8>> {
    ours_alone(path.parent().unwrap_or(path))?;
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let mut file = OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.uid() != rustix::process::geteuid().as_raw() || metadata.mode() & 0o022 != 0 {
        return Err(io::Error::other("the file is not ours alone"));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
