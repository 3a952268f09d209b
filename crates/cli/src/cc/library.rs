//! The runtime library, which this binary carries, as files that a linker can read.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

const ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libfencepost_runtime.a"));

/// Where the runtime looks for the program that renders its reports; see `crates/runtime/src/renderer.rs`.
const RENDERER_MARK: &[u8] = b"fencepost-renderer-path:";
const RENDERER_ROOM: usize = 1024;

/// What programs can tell the runtime.
const HEADER: &str = include_str!("../../../runtime/include/fencepost.h");

/// What a program offers to the shared libraries that it loads.
const EXPORTED: &str = include_str!("../../../runtime/exported.txt");

pub struct Library {
    pub archive: PathBuf,
    /// The names that the program exports to shared libraries, as `--dynamic-list` takes them.
    pub exported: PathBuf,
    /// The directory of `fencepost.h`.
    pub include: PathBuf,
}

/// Writes the library where it is kept between runs, unless it is there already.
pub fn unpack(own: &Path) -> Result<Library, String> {
    if ARCHIVE.is_empty() {
        return Err("programs can be checked on x86_64 Linux only".into());
    }
    let mut hasher = DefaultHasher::new();
    (ARCHIVE, own, EXPORTED, HEADER).hash(&mut hasher);
    let version = format!("{:016x}", hasher.finish());
    let mut failures = Vec::new();
    for directory in directories() {
        match unpack_into(&directory.join(&version), own) {
            Ok(library) => return Ok(library),
            Err(error) => failures.push(format!("{}: {error}", directory.display())),
        }
    }
    Err(format!("cannot write the runtime library anywhere: {}", failures.join("; ")))
}

fn directories() -> Vec<PathBuf> {
    let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
    // Others may write to the temporary directory, so a directory there must be ours alone.
    let user = fs::metadata("/proc/self").map_or(0, |process| process.uid());
    let temporary = env::temp_dir().join(format!("fencepost-{user}"));
    cache.map(|cache| cache.join("fencepost")).into_iter().chain([temporary]).collect()
}

fn unpack_into(directory: &Path, own: &Path) -> io::Result<Library> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let user = fs::metadata("/proc/self")?.uid();
    if fs::metadata(directory)?.uid() != user {
        return Err(io::Error::other("belongs to somebody else"));
    }
    let library = Library {
        archive: directory.join("libfencepost_runtime.a"),
        exported: directory.join("exported.list"),
        include: directory.join("include"),
    };
    if fs::metadata(&library.archive).is_ok_and(|file| file.len() == ARCHIVE.len() as u64) && library.exported.exists()
    {
        return Ok(library);
    }
    fs::create_dir_all(&library.include)?;
    write(&library.include.join("fencepost.h"), HEADER.as_bytes())?;
    write(&library.exported, format!("{{\n{}}};\n", EXPORTED.replace('\n', ";\n")).as_bytes())?;
    write(&library.archive, &with_renderer(own)?)?;
    Ok(library)
}

/// Many compilers may run at once, so a file appears whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = path.with_extension(std::process::id().to_string());
    fs::write(&temporary, bytes)?;
    fs::rename(&temporary, path)
}

/// The archive, with the path of this binary in the room that the runtime keeps for it.
fn with_renderer(own: &Path) -> io::Result<Vec<u8>> {
    let mut archive = ARCHIVE.to_vec();
    let own = own.as_os_str().as_bytes();
    let mark = archive.windows(RENDERER_MARK.len()).position(|window| window == RENDERER_MARK);
    let at = mark.ok_or_else(|| io::Error::other("the library is damaged"))? + RENDERER_MARK.len();
    if own.len() < RENDERER_ROOM - RENDERER_MARK.len() {
        archive[at..][..own.len()].copy_from_slice(own);
    }
    Ok(archive)
}
