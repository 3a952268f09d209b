//! Where the runtime library is kept: no other user can change it, damage is noticed, and temporary files do not stay.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::support::{clang, directory, fencepost, programs, report, text};

/// A directory that is empty, for this test alone.
fn empty(name: &str) -> PathBuf {
    let path = directory("cache").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn build(compiler: &str, program: &Path, settings: impl FnOnce(&mut Command)) -> Output {
    let mut command = fencepost();
    command.env("FENCEPOST_CC", compiler).args(["cc", "-w"]).arg(programs().join("fences/mp-relaxed.c"));
    command.arg("-o").arg(program);
    settings(&mut command);
    command.output().unwrap()
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

#[test]
fn a_damaged_library_is_repaired() {
    let (cache, program) = (empty("damaged"), empty("damaged-out").join("a.out"));
    let in_cache = |command: &mut Command| {
        command.env("XDG_CACHE_HOME", &cache);
    };
    let built = || assert!(build("gcc", &program, in_cache).status.success());
    built();
    let whole: Vec<(PathBuf, Vec<u8>)> = files(&cache).into_iter().map(|p| (p.clone(), fs::read(p).unwrap())).collect();
    assert_eq!(whole.len(), 3);
    for (path, bytes) in &whole {
        let mut damaged = bytes.clone();
        damaged[bytes.len() / 2] ^= 1;
        fs::write(path, damaged).unwrap();
        built();
        assert_eq!(&fs::read(path).unwrap(), bytes, "{}", path.display());
        fs::write(path, "").unwrap();
        built();
        // A link in its place is replaced, and what it leads to is left alone.
        let elsewhere = empty("damaged-elsewhere").join("file");
        fs::write(&elsewhere, "precious").unwrap();
        fs::remove_file(path).unwrap();
        symlink(&elsewhere, path).unwrap();
        built();
        assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "precious");
        assert_eq!(&fs::read(path).unwrap(), bytes, "{}", path.display());
    }
    assert_eq!(files(&cache).len(), 3, "nothing else is left");
}

#[test]
fn without_a_place_of_our_own_the_library_is_there_for_one_run_only() {
    for compiler in ["gcc"].into_iter().chain(clang()) {
        let temporary = empty("with space:and colon");
        let program = empty("homeless-out").join("a.out");
        // No home; a home that cannot be; and a cache that everybody can change.
        let open = empty("open");
        fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();
        for cache in [None, Some(Path::new("/dev/null/x")), Some(&*open)] {
            let output = build(compiler, &program, |command| {
                command.env_remove("XDG_CACHE_HOME").env_remove("HOME").env("TMPDIR", &temporary);
                if let Some(cache) = cache {
                    command.env("XDG_CACHE_HOME", cache);
                }
            });
            assert!(output.status.success(), "{compiler}: {}", text(&output));
            assert_eq!(report(&program, &[])["verdict"], "violated", "{compiler}");
            assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0, "{compiler}");
        }
        assert_eq!(files(&open), [""; 0].map(PathBuf::from));
        // A compiler that fails tells so.
        let output = build(compiler, &program, |command| {
            command.env_remove("XDG_CACHE_HOME").env_remove("HOME").arg("-DNOT=(").arg("/nonexistent.c");
        });
        assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    }
}

#[test]
fn a_full_disk_is_told_with_a_way_out() {
    let temporary = empty("full");
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 8; \"$@\"", "sh", crate::support::FENCEPOST, "cc", "-c"]);
    command.arg(programs().join("fences/mp-relaxed.c")).args(["-o", "/dev/null"]);
    let output = command.env_remove("HOME").env_remove("XDG_CACHE_HOME").env("TMPDIR", &temporary).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("set TMPDIR to a directory with free space"), "{}", text(&output));
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}

#[test]
fn the_reports_of_a_run_go_through_any_temporary_directory_and_do_not_stay() {
    let temporary = empty("reports: a,b=c");
    let program = empty("reports-out").join("a.out");
    assert!(build("gcc", &program, |_| ()).status.success());
    let run = |program: &Path| {
        let mut command = fencepost();
        command.env("TMPDIR", &temporary).args(["run", "--format", "json", "--"]).arg(program);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        command
    };
    let output = run(&program).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
    // A signal that ends the command ends the program too.
    for signal in ["INT", "TERM"] {
        let mut child = run(Path::new("sleep")).arg("20").spawn().unwrap();
        while fs::read_dir(&temporary).unwrap().count() == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(100));
        Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
        assert!(!child.wait().unwrap().success());
        assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0, "{signal}");
    }
}
