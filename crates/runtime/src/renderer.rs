//! The process that turns raw reports into text. Symbol tables and debug information are read there, not here, where every
//! allocation and every stack frame is taken from the program. It is the `fencepost` that linked the program.

use alloc::ffi::CString;
use alloc::string::String;
use alloc::vec::Vec;
use core::ffi::CStr;
use core::sync::atomic::{AtomicU32, Ordering};

use crate::runtime;
use crate::spin::SpinLock;
use crate::{complain, sys};

/// What became of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Shown,
    /// The suppressions file has it.
    Suppressed,
}

const ROOM: usize = 1024;
const MARK: &[u8] = b"fencepost-renderer-path:";

/// Filled in by `fencepost cc`, in the copy of this library that it links.
#[used]
static PATH: [u8; ROOM] = {
    let mut path = [0; ROOM];
    let mut i = 0;
    while i < MARK.len() {
        path[i] = MARK[i];
        i += 1;
    }
    path
};

enum Connection {
    None,
    /// A socket to the renderer, and its process.
    Renderer {
        socket: i32,
        process: isize,
    },
    /// A file that `fencepost run` reads.
    Raw(i32),
    /// There is no renderer, so reports go to standard error as they are.
    Unrendered,
}

static CONNECTION: SpinLock<Connection> = SpinLock::new(Connection::None);
static FAILURES: AtomicU32 = AtomicU32::new(0);

/// Hands over a report, and waits until it is shown.
pub fn send(line: &str) -> Answer {
    let mut connection = CONNECTION.lock();
    if let Connection::None = *connection {
        *connection = match &runtime::options().raw {
            Some(path) => open_raw(path).map_or(Connection::Unrendered, Connection::Raw),
            None => start().unwrap_or(Connection::Unrendered),
        };
    }
    match *connection {
        Connection::Raw(file) if sys::write_all(file, line.as_bytes()) => return Answer::Shown,
        Connection::Renderer { socket, .. } if sys::send_all(socket, line.as_bytes()) => {
            let mut answer = [0];
            if sys::read(socket, &mut answer) == 1 {
                return if answer[0] == b'0' { Answer::Suppressed } else { Answer::Shown };
            }
        }
        _ => {}
    }
    if FAILURES.fetch_add(1, Ordering::Relaxed) == 0 {
        complain!(
            "no program to render reports was found (set renderer= in FENCEPOST_OPTIONS): they follow as they are"
        );
    }
    sys::write_all(2, line.as_bytes());
    Answer::Shown
}

/// Tells `fencepost run` how things stand. Nobody else wants to know.
pub fn note(line: core::fmt::Arguments) {
    if runtime::options().raw.is_some() {
        let mut text = String::new();
        let _ = core::fmt::Write::write_fmt(&mut text, line);
        send(&text);
    }
}

fn open_raw(path: &CStr) -> Option<i32> {
    sys::open(path, libc::O_WRONLY | libc::O_APPEND | libc::O_NOFOLLOW).map(sys::move_high)
}

/// Waits until everything is written.
pub fn finish() {
    let mut connection = CONNECTION.lock();
    if let Connection::Renderer { socket, process } = *connection {
        sys::close(socket);
        sys::wait_unseen(process);
        *connection = Connection::None;
    }
}

pub fn before_fork() {
    CONNECTION.hold();
}

pub fn after_fork() {
    CONNECTION.reset();
}

/// In the child of a fork, the renderer is the parent's: it cannot be waited for, and answers would get mixed up.
pub fn forget() {
    let mut connection = CONNECTION.lock();
    if let Connection::Renderer { socket, .. } = *connection {
        sys::close(socket);
        *connection = Connection::None;
    }
}

fn path() -> Vec<u8> {
    let options = runtime::options();
    // SAFETY: read as the linked program has it, not as it was compiled.
    let linked = unsafe { core::ptr::read_volatile(&raw const PATH) };
    let mut path: Vec<u8> = match &options.renderer {
        Some(path) => path.as_bytes().to_vec(),
        None => linked[MARK.len()..].iter().copied().take_while(|&byte| byte != 0).collect(),
    };
    path.push(0);
    path
}

fn start() -> Option<Connection> {
    let path = path();
    let arguments = [path.as_ptr(), c"--render".as_ptr().cast(), core::ptr::null()];
    let (socket, theirs) = sys::socket_pair()?;
    // SAFETY: the child makes system calls only.
    let process = unsafe { sys::fork_unseen() };
    if process == 0 {
        sys::duplicate_to(theirs, 0);
        sys::duplicate_to(theirs, 1);
        // SAFETY: the arrays end with null.
        unsafe { sys::execute(path.as_ptr(), arguments.as_ptr(), sys::environment()) };
        sys::exit_now(127);
    }
    sys::close(theirs);
    if process < 0 {
        sys::close(socket);
        return None;
    }
    Some(Connection::Renderer { socket: sys::move_high(socket), process })
}

/// A variable of the environment.
pub fn environment(name: &CStr) -> Option<CString> {
    // SAFETY: the name ends with a zero byte; what comes back is copied at once.
    unsafe {
        let value = libc::getenv(name.as_ptr());
        (!value.is_null()).then(|| CString::from(CStr::from_ptr(value)))
    }
}
