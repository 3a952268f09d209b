//! The mark of an instrumented program: room in the runtime for the path of the `fencepost` that linked it, which
//! renders its reports. `fencepost cc` fills it in, in the copy of the runtime that it links.

/// The room, with what it is found by at its beginning.
pub const ROOM: usize = 1024;
const BEGINNING: &[u8] = b"fencepost-renderer-path:";

/// A room without a path.
pub const fn empty() -> [u8; ROOM] {
    let mut room = [0; ROOM];
    let mut i = 0;
    while i < BEGINNING.len() {
        room[i] = BEGINNING[i];
        i += 1;
    }
    room
}

/// The path in a room.
pub fn path(room: &[u8; ROOM]) -> &[u8] {
    let after = &room[BEGINNING.len()..];
    after.split(|&byte| byte == 0).next().unwrap_or(after)
}

/// Writes a path into the room that a library has. False if it has none. A path that is too long is left out: the
/// runtime then says that it found no renderer.
pub fn fill(library: &mut [u8], path: &[u8]) -> bool {
    let Some(at) = library.windows(BEGINNING.len()).position(|window| window == BEGINNING) else { return false };
    let Some(room) = library.get_mut(at + BEGINNING.len()..at + ROOM) else { return false };
    if path.len() < room.len() {
        room[..path.len()].copy_from_slice(path);
        room[path.len()] = 0;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_written_into_a_library_and_found_by_the_runtime() {
        let mut library = alloc::vec![7; 100];
        library.extend_from_slice(&empty());
        library.extend_from_slice(&[8; 50]);
        for name in [&b"/usr/bin/fencepost"[..], b"/x"] {
            assert!(fill(&mut library, name));
            assert_eq!(path(library[100..100 + ROOM].try_into().unwrap()), name);
        }
        assert!(library[..100].iter().all(|&byte| byte == 7) && library[100 + ROOM..].iter().all(|&byte| byte == 8));
    }

    #[test]
    fn a_library_without_room_is_refused_and_a_path_that_is_too_long_is_left_out() {
        assert!(!fill(&mut [0; 2000], b"/x"));
        assert!(!fill(&mut empty()[..500], b"/x"));
        let mut room = empty();
        assert!(fill(&mut room, &[b'x'; ROOM]));
        assert_eq!(path(&room), b"");
    }
}
