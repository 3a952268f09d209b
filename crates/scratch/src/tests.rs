use std::os::unix::fs::{MetadataExt, symlink};

use super::*;

fn parent() -> TempDir {
    tempfile::tempdir().expect("a directory")
}

fn names(parent: &Path) -> Vec<String> {
    let entries = fs::read_dir(parent).expect("a directory").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_directory_is_new_and_closed_to_others_and_goes_away() {
    let parent = parent();
    let directories: Vec<Directory> = (0..10).map(|_| make(parent.path()).expect("a directory")).collect();
    assert_eq!(names(parent.path()).len(), 10);
    for directory in &directories {
        assert_eq!(fs::metadata(directory.path()).unwrap().mode() & 0o777, 0o700);
        let file = directory.write("a.h", "text").expect("written");
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
        directory.write("a.h", "other").expect_err("a file that is there already is not written to");
    }
    drop(directories);
    assert_eq!(names(parent.path()), [""; 0]);
}

#[test]
fn what_a_dead_process_left_is_removed_and_nothing_else() {
    let parent = parent();
    let at = |name: &str| parent.path().join(name);
    let private = Permissions::from_mode(0o700);
    // Left behind: no process holds the lock.
    for name in ["fencepost-left", "other-left"] {
        fs::create_dir_all(at(name).join("inner")).unwrap();
        fs::set_permissions(at(name), private.clone()).unwrap();
        fs::write(at(name).join(LOCK), "").unwrap();
    }
    // A user's own directory has no lock.
    fs::create_dir(at("fencepost-notes")).unwrap();
    fs::set_permissions(at("fencepost-notes"), private.clone()).unwrap();
    fs::write(at("fencepost-notes").join("thesis.tex"), "").unwrap();
    // Others could have prepared these.
    fs::create_dir(at("fencepost-open")).unwrap();
    fs::set_permissions(at("fencepost-open"), Permissions::from_mode(0o777)).unwrap();
    fs::write(at("fencepost-open").join(LOCK), "").unwrap();
    symlink(at("other-left"), at("fencepost-link")).unwrap();
    let live = make(parent.path()).expect("a directory");
    left_behind::remove(parent.path());
    let live = live.path().file_name().unwrap().to_string_lossy().into_owned();
    let mut expected = vec!["fencepost-link", "fencepost-notes", "fencepost-open", "other-left", &live];
    expected.sort();
    assert_eq!(names(parent.path()), expected);
}

#[test]
fn a_directory_that_everybody_can_change_is_refused() {
    let parent = parent();
    let open = parent.path().join("open");
    let inner = open.join("inner");
    fs::create_dir_all(&inner).unwrap();
    for (mode, accepted) in [(0o777, false), (0o1777, true), (0o700, true)] {
        fs::set_permissions(&open, Permissions::from_mode(mode)).unwrap();
        for directory in [&open, &inner] {
            assert_eq!(make(directory).is_ok(), accepted, "{mode:o}");
        }
    }
}

#[test]
fn a_directory_is_ours_alone_if_no_one_else_can_write_to_it() {
    let parent = parent();
    let directory = parent.path().join("directory");
    fs::create_dir(&directory).unwrap();
    for (mode, accepted) in [(0o700, true), (0o755, true), (0o775, false), (0o1777, false)] {
        fs::set_permissions(&directory, Permissions::from_mode(mode)).unwrap();
        assert_eq!(ours_alone(&directory).is_ok(), accepted, "{mode:o}");
    }
    fs::set_permissions(&directory, Permissions::from_mode(0o700)).unwrap();
    let link = parent.path().join("link");
    symlink(&directory, &link).unwrap();
    ours_alone(&link).expect_err("a link can be made to point elsewhere");
}
