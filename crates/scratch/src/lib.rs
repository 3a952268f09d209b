//! Directories for the files of one run, and one for what is kept between runs ([`cache`]).
//!
//! Those for one run: No other user can prepare, read or change them: each is newly made, under a
//! name that cannot be guessed, with mode 0700. They are removed when they are dropped, when the process ends through
//! [`exit`], and otherwise (a crash, SIGKILL) when the next process needs one.
//!
//! ```
//! use fencepost_scratch::Directory;
//!
//! let directory = Directory::new()?;
//! let file = directory.write("input.c", "int x;")?;
//! assert_eq!(std::fs::read_to_string(&file).unwrap(), "int x;");
//! drop(directory);
//! assert!(!file.exists());
//! # Ok::<(), String>(())
//! ```

mod cache;
mod left_behind;
mod trust;

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

use rustix::fs::{FlockOperation, flock};
use tempfile::TempDir;

pub use cache::{cache, make_ours, read_ours, write_whole};
pub use trust::ours_alone;

const PREFIX: &str = "fencepost-";
/// A file that a live process keeps locked. If it can be locked, its directory was left behind.
const LOCK: &str = ".fencepost-lock";

/// The directories that are there now.
static LIVE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A directory for the files of this run.
#[derive(Debug)]
pub struct Directory {
    inner: TempDir,
    _lock: File,
}

impl Directory {
    /// Makes one where the system, or `TMPDIR`, wants temporary files.
    pub fn new() -> Result<Directory, String> {
        let parent = std::env::temp_dir();
        static SWEPT: Once = Once::new();
        SWEPT.call_once(|| left_behind::remove(&parent));
        make(&parent).map_err(|error| {
            format!(
                "cannot make a directory for temporary files in {}: {error}; \
                 set TMPDIR to a directory with free space that only you can write to",
                parent.display()
            )
        })
    }

    pub fn path(&self) -> &Path {
        self.inner.path()
    }

    /// Writes a new file. Its name may have directories, which are made.
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let path = self.path().join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        match made.and_then(|()| write_new(&path, text.as_bytes())) {
            Ok(_) => Ok(path),
            Err(error) => Err(format!(
                "cannot write the temporary file {}: {error}; set TMPDIR to a directory with free space",
                path.display()
            )),
        }
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let mut live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
        live.retain(|path| path != self.inner.path());
        drop(live);
        remove(self.inner.path());
    }
}

fn make(parent: &Path) -> io::Result<Directory> {
    trust::check(parent)?;
    // Held until the directory is known, so that `exit` misses none.
    let mut live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).rand_bytes(16).permissions(Permissions::from_mode(0o700));
    let inner = builder.tempdir_in(parent)?;
    // The file gets its name once it is locked, so that no process takes the directory for left behind before that.
    // Where files cannot be locked, no process can lock it later.
    let unlocked = inner.path().join("lock");
    let lock = write_new(&unlocked, b"")?;
    let _ = flock(&lock, FlockOperation::NonBlockingLockExclusive);
    fs::rename(unlocked, inner.path().join(LOCK))?;
    live.push(inner.path().to_owned());
    Ok(Directory { inner, _lock: lock })
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    io::Write::write_all(&mut file, bytes)?;
    Ok(file)
}

/// Ends the process, and removes what it would leave behind.
pub fn exit(status: i32) -> ! {
    // Never unlocked: no other thread makes a directory from now on.
    let live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
    for path in live.iter() {
        remove(path);
    }
    std::process::exit(status)
}

/// Another process may still be writing into it, so one attempt is not always enough.
fn remove(path: &Path) {
    for _ in 0..10 {
        match fs::remove_dir_all(path) {
            Ok(()) => return,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(_) => std::thread::yield_now(),
        }
    }
}

#[cfg(test)]
mod tests;
