//! The process that turns raw reports into text. Symbol tables and debug information are read there, not here, where every
//! allocation and every stack frame is taken from the program. It is the `fencepost` that linked the program.

use alloc::ffi::CString;
use alloc::format;
use alloc::vec::Vec;
use core::ffi::CStr;
use core::sync::atomic::{AtomicU32, Ordering};

use fencepost_wire::{Line, RENDER_ARGUMENT, mark};

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

/// Filled in by `fencepost cc`, in the copy of this library that it links.
#[used]
static MARK: [u8; mark::ROOM] = mark::empty();

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
pub fn send(line: &Line) -> Answer {
    let mut connection = CONNECTION.lock();
    if let Connection::None = *connection {
        *connection = match runtime::raw() {
            Some(path) => open_raw(path).map_or(Connection::Unrendered, Connection::Raw),
            None => start().unwrap_or(Connection::Unrendered),
        };
    }
    let line = format!("{line}\n");
    match *connection {
        Connection::Raw(file) if sys::write_all(file, line.as_bytes()) => return Answer::Shown,
        Connection::Renderer { socket, .. } if sys::send_all(socket, line.as_bytes()) => {
            let mut answer = [0];
            if sys::read(socket, &mut answer) == 1 {
                return if answer[0] == fencepost_wire::SUPPRESSED { Answer::Suppressed } else { Answer::Shown };
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
pub fn note(line: &Line) {
    if runtime::raw().is_some() {
        send(line);
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
    // SAFETY: read as the linked program has it, not as it was compiled.
    let linked = unsafe { core::ptr::read_volatile(&raw const MARK) };
    let mut path = match &runtime::options().renderer {
        Some(path) => path.as_bytes().to_vec(),
        None => mark::path(&linked).to_vec(),
    };
    path.push(0);
    path
}

fn start() -> Option<Connection> {
    let (path, argument) = (path(), CString::new(RENDER_ARGUMENT).ok()?);
    let arguments = [path.as_ptr(), argument.as_ptr().cast(), core::ptr::null()];
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
    sys::send_all(socket, format!("{}\n", Line::start(sys::process_id())).as_bytes());
    Some(Connection::Renderer { socket: sys::move_high(socket), process })
}

/// A variable of the environment.
pub fn environment(name: &str) -> Option<CString> {
    let name = CString::new(name).ok()?;
    // SAFETY: the name ends with a zero byte; what comes back is copied at once.
    unsafe {
        let value = libc::getenv(name.as_ptr());
        (!value.is_null()).then(|| CString::from(CStr::from_ptr(value)))
    }
}
