//! The runtime library, which this binary carries, as files that a linker can read.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use fencepost_scratch::{Directory, cache, make_ours, write_whole};
use fencepost_wire::{HEADER, mark};

const ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libfencepost_runtime.a"));

/// What a program offers to the shared libraries that it loads.
const EXPORTED: &str = include_str!(concat!(env!("OUT_DIR"), "/exported.txt"));

pub struct Library {
    pub archive: PathBuf,
    /// The names that the program exports to shared libraries, as `--dynamic-list` takes them.
    pub exported: PathBuf,
    /// The directory of `fencepost.h`.
    pub include: PathBuf,
    /// The files are there for this run only.
    temporary: Option<Directory>,
}

impl Library {
    fn within(directory: &Path) -> Library {
        Library {
            archive: directory.join("libfencepost_runtime.a"),
            exported: directory.join("exported.list"),
            include: directory.join("include"),
            temporary: None,
        }
    }

    /// Whether the files must be removed when the compiler has ended.
    pub fn is_temporary(&self) -> bool {
        self.temporary.is_some()
    }
}

/// Writes the library where it is kept between runs, unless it is there already. Where nothing can be kept, it is
/// written for this run.
pub fn unpack(own: &Path) -> Result<Library, String> {
    if ARCHIVE.is_empty() {
        return Err("programs can be checked on x86_64 Linux only".into());
    }
    let archive = with_renderer(own)?;
    let exported = format!("{{\n{}}};\n", EXPORTED.replace('\n', ";\n"));
    let mut hasher = DefaultHasher::new();
    (&archive, &exported, HEADER).hash(&mut hasher);
    let version = format!("{:016x}", hasher.finish());
    let write_all = |library: &Library| {
        fs::create_dir_all(&library.include)?;
        write(&library.include.join("fencepost.h"), HEADER.as_bytes())?;
        write(&library.exported, exported.as_bytes())?;
        write(&library.archive, &archive)
    };
    let mut kept_nowhere = String::new();
    if let Some(cache) = cache() {
        let directory = cache.join(version);
        let library = Library::within(&directory);
        match make_ours(&directory).and_then(|()| write_all(&library)) {
            Ok(()) => return Ok(library),
            Err(error) => kept_nowhere = format!(" (nor keep it in {}: {error})", directory.display()),
        }
    }
    let directory = Directory::new().map_err(|error| format!("{error}{kept_nowhere}"))?;
    let library = Library::within(directory.path());
    match write_all(&library) {
        Ok(()) => Ok(Library { temporary: Some(directory), ..library }),
        Err(error) => Err(format!(
            "cannot write the runtime library to {}: {error}; set TMPDIR to a directory with free space{kept_nowhere}",
            directory.path().display()
        )),
    }
}

/// Writes a file unless it is there, as it should be: a file that was damaged is written again. Many compilers may run
/// at once, so a file appears whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
    if is_file && fs::read(path).is_ok_and(|found| found == bytes) {
        return Ok(());
    }
    write_whole(path, &[bytes])
}

/// The archive, with the path of this binary in the room that the runtime keeps for it.
fn with_renderer(own: &Path) -> Result<Vec<u8>, String> {
    let mut archive = ARCHIVE.to_vec();
    if !mark::fill(&mut archive, own.as_os_str().as_bytes()) {
        return Err("the runtime library that this binary carries is damaged".into());
    }
    Ok(archive)
}
