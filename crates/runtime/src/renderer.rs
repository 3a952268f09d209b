//! The process that turns raw reports into text. Symbol tables and debug information are read there, not here, where
//! every allocation and every stack frame is taken from the program. It is the `fencepost` that linked the program.

use alloc::ffi::CString;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ffi::CStr;
use core::sync::atomic::{AtomicBool, Ordering};

use fencepost_wire::{Line, RENDER_ARGUMENT, mark};

use crate::report::Answer;
use crate::spin::SpinLock;
use crate::{complain, sys};

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

pub(crate) struct Renderer {
    connection: SpinLock<Connection>,
    /// Whether it was told that there is none.
    has_complained: AtomicBool,
    /// The file that takes the lines instead, for `fencepost run`.
    raw: Option<CString>,
    /// The program to start, instead of the `fencepost` that linked this one.
    chosen: Option<String>,
}

impl Renderer {
    pub(crate) fn new(raw: Option<CString>, chosen: Option<String>) -> Renderer {
        let connection = SpinLock::new(Connection::None);
        Renderer { connection, has_complained: AtomicBool::new(false), raw, chosen }
    }

    /// Hands over a line; if it is a report, waits until it is shown.
    pub(crate) fn send(&self, line: &Line) -> Answer {
        let mut connection = self.connection.lock();
        if let Connection::None = *connection {
            *connection = match &self.raw {
                Some(path) => open_raw(path).map_or(Connection::Unrendered, Connection::Raw),
                None => self.start().unwrap_or(Connection::Unrendered),
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
        if !self.has_complained.swap(true, Ordering::Relaxed) {
            complain!(
                "no program to render reports was found (set renderer= in FENCEPOST_OPTIONS): they follow as they are"
            );
        }
        sys::write_all(2, line.as_bytes());
        Answer::Shown
    }

    /// Sends a line to `fencepost run`, if the program runs under it.
    pub(crate) fn note(&self, line: &Line) {
        if self.raw.is_some() {
            self.send(line);
        }
    }

    /// Waits until everything is written.
    pub(crate) fn finish(&self) {
        let mut connection = self.connection.lock();
        if let Connection::Renderer { socket, process } = *connection {
            sys::close(socket);
            sys::wait_unseen(process);
            *connection = Connection::None;
        }
    }

    pub(crate) fn before_fork(&self) {
        self.connection.hold();
    }

    pub(crate) fn after_fork(&self) {
        self.connection.reset();
    }

    /// In the child of a fork, the renderer is the parent's: it cannot be waited for, and answers would get mixed up.
    pub(crate) fn forget(&self) {
        let mut connection = self.connection.lock();
        if let Connection::Renderer { socket, .. } = *connection {
            sys::close(socket);
            *connection = Connection::None;
        }
    }

    fn path(&self) -> Vec<u8> {
        // SAFETY: read as the linked program has it, not as it was compiled.
        let linked = unsafe { core::ptr::read_volatile(&raw const MARK) };
        let mut path = match &self.chosen {
            Some(path) => path.as_bytes().to_vec(),
            None => mark::path(&linked).to_vec(),
        };
        path.push(0);
        path
    }

    fn start(&self) -> Option<Connection> {
        let (path, argument) = (self.path(), CString::new(RENDER_ARGUMENT).ok()?);
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
}

fn open_raw(path: &CStr) -> Option<i32> {
    sys::open(path, libc::O_WRONLY | libc::O_APPEND | libc::O_NOFOLLOW).map(sys::move_high)
}
