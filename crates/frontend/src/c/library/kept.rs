//! What clang made of the library, kept for the next run: in the cache, by what it was made of and by which clang.

use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use fencepost_scratch::{cache, make_ours, read_ours, write_whole};

use super::{HEADERS, Part, Variant};
use crate::c::clang::FLAGS;
use crate::c::headers;

/// Changes with the form of what is kept.
const FORM: u32 = 1;
/// Older files are removed when one is added: their clang may be gone.
const OLD: Duration = Duration::from_secs(60 * 24 * 3600);

/// Where a compiled part is kept.
pub(super) struct Kept {
    path: PathBuf,
    /// The first line of the file, without the digest of the rest.
    key: String,
}

impl Kept {
    /// Nothing is kept without a cache, or if it cannot be told which clang it is.
    pub(super) fn of(clang: &OsString, variant: Variant, part: Part) -> Option<Kept> {
        let directory = cache()?.join("library");
        let mut hasher = DefaultHasher::new();
        (FORM, env!("CARGO_PKG_VERSION"), FLAGS, variant, part.flags(), HEADERS, part.files()).hash(&mut hasher);
        if part == Part::LibCxx {
            // Of libc++ itself, its headers are taken to come with their clang.
            headers::CXX.hash(&mut hasher);
        }
        identity(clang)?.hash(&mut hasher);
        let key = format!("fencepost {:016x}", hasher.finish());
        let path = directory.join(format!("{:016x}.ll", hasher.finish()));
        Some(Kept { path, key })
    }

    pub(super) fn exists(&self) -> bool {
        self.path.exists()
    }

    /// The text, if it is there, nobody else can have written it, and it is as it was.
    pub(super) fn read(&self) -> Option<String> {
        let mut text = String::from_utf8(read_ours(&self.path).ok()?).ok()?;
        let (first, rest) = text.split_once('\n')?;
        if first != self.first_line(rest) {
            return None;
        }
        text.drain(..first.len() + 1);
        Some(text)
    }

    /// Without success nothing is kept, and that is all.
    pub(super) fn write(&self, text: &str) {
        let Some(directory) = self.path.parent() else { return };
        if make_ours(directory).is_ok() {
            let first = self.first_line(text);
            if write_whole(&self.path, &[first.as_bytes(), b"\n", text.as_bytes()]).is_ok() {
                remove_old(directory);
            }
        }
    }

    fn first_line(&self, text: &str) -> String {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        format!("{} {:016x}", self.key, hasher.finish())
    }
}

/// What tells one clang from another, and from itself after an update. It takes longer to ask clang for its version. A
/// script may start any clang.
fn identity(clang: &OsString) -> Option<impl Hash + use<>> {
    let given = Path::new(clang);
    let path = match given.components().count() {
        1 => std::env::split_paths(&std::env::var_os("PATH")?).map(|d| d.join(given)).find(|path| path.is_file())?,
        _ => given.to_owned(),
    };
    let path = path.canonicalize().ok()?;
    let mut start = [0; 4];
    let mut file = fs::File::open(&path).ok()?;
    file.read_exact(&mut start).ok()?;
    let metadata = file.metadata().ok()?;
    let changed = (metadata.mtime(), metadata.mtime_nsec(), metadata.len(), metadata.ino());
    (&start == b"\x7fELF").then_some((path, changed))
}

fn remove_old(directory: &Path) {
    let is_old = |entry: &fs::DirEntry| {
        let changed = entry.metadata().and_then(|metadata| metadata.modified()).ok();
        changed.and_then(|changed| SystemTime::now().duration_since(changed).ok()).is_some_and(|age| age > OLD)
    };
    for entry in fs::read_dir(directory).into_iter().flatten().flatten().filter(is_old) {
        let _ = fs::remove_file(entry.path());
    }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use fencepost_scratch::Directory;

    use super::*;

    fn kept(directory: &Path) -> Kept {
        Kept { path: directory.join("part.ll"), key: "fencepost 0123".to_owned() }
    }

    #[test]
    fn what_was_kept_is_read_and_what_was_changed_is_not() {
        let directory = Directory::new().unwrap();
        let kept = kept(directory.path());
        assert_eq!(kept.read(), None);
        kept.write("define void @f() {\n}\n");
        assert_eq!(kept.read().as_deref(), Some("define void @f() {\n}\n"));
        let whole = fs::read(&kept.path).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&kept.path, damaged).unwrap();
            assert_eq!(kept.read(), None, "byte {at}");
            fs::write(&kept.path, &whole[..at]).unwrap();
            assert_eq!(kept.read(), None, "{at} bytes");
        }
        // It is replaced, and so is a link, which leads to what is left alone.
        let elsewhere = directory.write("elsewhere", "precious").unwrap();
        fs::remove_file(&kept.path).unwrap();
        symlink(&elsewhere, &kept.path).unwrap();
        assert_eq!(kept.read(), None);
        kept.write("x");
        assert_eq!(kept.read().as_deref(), Some("x"));
        assert_eq!(fs::read_to_string(elsewhere).unwrap(), "precious");
    }

    #[test]
    fn what_others_can_change_is_neither_read_nor_written() {
        let directory = Directory::new().unwrap();
        let inner = directory.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let kept = kept(&inner);
        kept.write("x");
        fs::set_permissions(&inner, Permissions::from_mode(0o777)).unwrap();
        assert_eq!(kept.read(), None);
        fs::remove_file(&kept.path).unwrap();
        kept.write("x");
        assert!(!kept.exists());
        fs::set_permissions(&inner, Permissions::from_mode(0o700)).unwrap();
        kept.write("x");
        fs::set_permissions(&kept.path, Permissions::from_mode(0o666)).unwrap();
        assert_eq!(kept.read(), None);
    }

    #[test]
    fn an_entry_is_for_one_compiler_and_one_variant() {
        let path = |clang: &str, variant: Variant, part| {
            Kept::of(&clang.into(), variant, part).map(|kept| kept.path.file_name().unwrap().to_owned())
        };
        let clang = crate::c::clang::find().unwrap().into_string().unwrap();
        let usual: Variant = ["-DSTRICT=0", "-DPROOF=0", "-DFAILING=0"];
        let one = path(&clang, usual, Part::C).unwrap();
        assert_eq!(Some(&one), path(&clang, usual, Part::C).as_ref());
        assert_ne!(Some(&one), path(&clang, usual, Part::Cxx).as_ref());
        assert_ne!(Some(&one), path(&clang, ["-DSTRICT=1", "-DPROOF=0", "-DFAILING=0"], Part::C).as_ref());
        // A script may start any compiler.
        let directory = Directory::new().unwrap();
        let script = directory.write("clang", "#!/bin/sh\nexec clang \"$@\"\n").unwrap();
        assert_eq!(path(script.to_str().unwrap(), usual, Part::C), None);
        assert_eq!(path("/nowhere/clang", usual, Part::C), None);
    }
}
