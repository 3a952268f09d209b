//! What clang makes of our library is kept between runs, and what is wrong with the cache never shows in an answer.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{Ran, Sandbox};

const PROGRAM: &str = "#include <assert.h>\n#include <pthread.h>\nstatic int x;\n\
                       static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
                       static void *t(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return a; }\n\
                       int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); t(0); pthread_join(p, 0);\n\
                       assert(x == 2); return 0; }\n";

fn command(sandbox: &Sandbox, cache: &Path) -> Command {
    let mut command = sandbox.command(&["explore", "a.c"]);
    command.env("XDG_CACHE_HOME", cache).stdin(Stdio::null());
    command
}

fn holds(sandbox: &Sandbox, cache: &Path) {
    let ran = Ran::from(command(sandbox, cache).output().unwrap());
    assert!(ran.stdout.starts_with("holds: "), "{}{}", ran.stdout, ran.stderr);
}

fn entries(cache: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(cache.join("fencepost/library")).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_damaged_entry_is_replaced() {
    let sandbox = Sandbox::new("library-damaged", &[("a.c", PROGRAM)]);
    let cache = sandbox.path("cache");
    holds(&sandbox, &cache);
    let [entry] = &entries(&cache)[..] else { panic!("{:?}", entries(&cache)) };
    let whole = fs::read(entry).unwrap();
    let changed = || fs::metadata(entry).unwrap().modified().unwrap();
    let first = changed();
    holds(&sandbox, &cache);
    assert_eq!(changed(), first, "what is right is left alone");
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    for damaged in [&damaged[..], &whole[..whole.len() / 3], b""] {
        fs::write(entry, damaged).unwrap();
        holds(&sandbox, &cache);
        assert!(fs::read(entry).unwrap() == whole);
    }
}

#[test]
fn a_cache_that_cannot_be_used_is_not_used() {
    let sandbox = Sandbox::new("library-unusable", &[("a.c", PROGRAM), ("file", "")]);
    holds(&sandbox, &sandbox.path("file"));
    holds(&sandbox, Path::new("/proc/nowhere"));
    // Everybody could put something there.
    let open = sandbox.path("open");
    fs::create_dir(&open).unwrap();
    fs::set_permissions(&open, Permissions::from_mode(0o777)).unwrap();
    holds(&sandbox, &open);
    assert!(entries(&open).is_empty());
}

#[test]
fn many_processes_may_fill_the_cache_at_once() {
    let sandbox = Sandbox::new("library-at-once", &[("a.c", PROGRAM)]);
    let cache = sandbox.path("cache");
    let start = || command(&sandbox, &cache).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let started: Vec<_> = (0..4).map(|_| start()).collect();
    for child in started {
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert!(ran.stdout.starts_with("holds: "), "{}{}", ran.stdout, ran.stderr);
    }
    assert_eq!(entries(&cache).len(), 1);
    holds(&sandbox, &cache);
}
