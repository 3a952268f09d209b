//! Reading and writing through file descriptors: plain accesses to the program's buffers. And because threads talk
//! through pipes and sockets, a thread that reads from one learns what its writers knew, as in ThreadSanitizer.

use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicU32, Ordering};

use libc::{iovec, msghdr, sockaddr, socklen_t};

use super::bytes::Caller;
use crate::runtime::ROOT;
use crate::{export, real, schedule, thread};

export! {
    ["read"] => read;
    ["pread"] => pread;
    ["pread64"] => pread;
    ["readv"] => readv;
    ["recv"] => recv;
    ["recvfrom"] => recvfrom;
    ["recvmsg"] => recvmsg;
    ["write"] => write;
    ["pwrite"] => pwrite;
    ["pwrite64"] => pwrite;
    ["writev"] => writev;
    ["send"] => send;
    ["sendto"] => sendto;
    ["sendmsg"] => sendmsg;
    ["fread"] => fread;
    ["fwrite"] => fwrite;
    ["pipe"] => pipe;
    ["pipe2"] => pipe2;
    ["socketpair"] => socketpair;
    ["socket"] => socket;
    ["accept"] => accept;
    ["accept4"] => accept4;
    ["dup"] => dup;
    ["dup2"] => dup2;
    ["dup3"] => dup3;
}

const DESCRIPTORS: usize = 1 << 14;
const SOCKETS: u32 = DESCRIPTORS as u32 + 1;

pub(crate) struct Descriptors {
    /// What a descriptor shares its knowledge with, plus one: the other end of a pipe, or all sockets; 0 is nothing but
    /// itself. It stays when a descriptor is closed: that may be the child of a vfork, and to order too much invents no
    /// race.
    shared: [AtomicU32; DESCRIPTORS],
    /// Only its addresses are used: one for each descriptor, and the last for all sockets, whose other ends are not
    /// known.
    keys: [AtomicU32; DESCRIPTORS + 1],
}

impl Descriptors {
    pub(crate) const fn new() -> Descriptors {
        Descriptors {
            shared: [const { AtomicU32::new(0) }; DESCRIPTORS],
            keys: [const { AtomicU32::new(0) }; DESCRIPTORS + 1],
        }
    }

    fn share(&self, file: c_int, with: u32) {
        if let Some(shared) = usize::try_from(file).ok().and_then(|file| self.shared.get(file)) {
            shared.store(with, Ordering::Relaxed);
        }
    }

    fn shared(&self, file: c_int) -> u32 {
        match usize::try_from(file).ok().and_then(|file| self.shared.get(file)) {
            Some(shared) => match shared.load(Ordering::Relaxed) {
                0 => file as u32 + 1,
                other => other,
            },
            None => SOCKETS,
        }
    }

    fn key(&self, file: c_int) -> usize {
        self.keys.get(self.shared(file) as usize - 1).map_or(0, |key| key.as_ptr() as usize)
    }
}

/// Lets others run if there is nothing to read yet.
pub(super) fn reads(file: c_int, read: impl FnOnce() -> isize) -> isize {
    let result = match thread::enter() {
        Some(thread) if schedule::is_controlled() && !is_readable(file) => schedule::away(thread, read),
        _ => read(),
    };
    if result > 0
        && let Some(thread) = thread::enter()
    {
        thread.detector.acquire(thread, ROOT.descriptors.key(file));
    }
    result
}

fn is_readable(file: c_int) -> bool {
    let mut asked = libc::pollfd { fd: file, events: libc::POLLIN, revents: 0 };
    crate::sys::poll_now(&mut asked) != 0
}

fn writes(file: c_int, write: impl FnOnce() -> isize) -> isize {
    if let Some(thread) = thread::enter() {
        thread.detector.release(thread, ROOT.descriptors.key(file));
    }
    write()
}

/// Functions that read from a descriptor into a buffer, and the names of the C library's own.
macro_rules! receiving {
    ($($name:ident($file:ident, $buffer:ident, $size:ident $(, $argument:ident: $type:ty)*) = $real:literal;)*) => {
        $(unsafe extern "C" fn $name(
            $file: c_int, $buffer: *mut c_void, $size: usize $(, $argument: $type)*
        ) -> isize {
            let caller = Caller::here();
            let receive = real!($real, fn(c_int, *mut c_void, usize $(, $type)*) -> isize);
            // SAFETY: the program's arguments, as it passed them.
            let result = reads($file, || unsafe { receive($file, $buffer, $size $(, $argument)*) });
            // With MSG_TRUNC, it may be more than there was room for.
            caller.writes($buffer, $size.min(result.max(0) as usize));
            result
        })*
    };
}

pub(super) use receiving;

receiving! {
    read(file, buffer, size) = c"read";
    pread(file, buffer, size, offset: i64) = c"pread64";
    recv(file, buffer, size, flags: c_int) = c"recv";
    recvfrom(file, buffer, size, flags: c_int, from: *mut sockaddr, from_size: *mut socklen_t) = c"recvfrom";
}

/// Functions that write a buffer to a descriptor, and the names of the C library's own.
macro_rules! sending {
    ($($name:ident($file:ident, $buffer:ident, $size:ident $(, $argument:ident: $type:ty)*) = $real:literal;)*) => {
        $(unsafe extern "C" fn $name(
            $file: c_int, $buffer: *const c_void, $size: usize $(, $argument: $type)*
        ) -> isize {
            let caller = Caller::here();
            let send = real!($real, fn(c_int, *const c_void, usize $(, $type)*) -> isize);
            // SAFETY: the program's arguments, as it passed them.
            let result = writes($file, || unsafe { send($file, $buffer, $size $(, $argument)*) });
            caller.reads($buffer, result.max(0) as usize);
            result
        })*
    };
}

sending! {
    write(file, buffer, size) = c"write";
    pwrite(file, buffer, size, offset: i64) = c"pwrite64";
    send(file, buffer, size, flags: c_int) = c"send";
    sendto(file, buffer, size, flags: c_int, to: *const sockaddr, to_size: socklen_t) = c"sendto";
}

/// The parts of several buffers that the first `bytes` bytes fill.
unsafe fn parts(buffers: *const iovec, count: usize, bytes: isize, mut note: impl FnMut(*mut c_void, usize)) {
    let mut left = bytes.max(0) as usize;
    for i in 0..count {
        // SAFETY: the program passed this number of buffers.
        let buffer = unsafe { &*buffers.add(i) };
        let size = left.min(buffer.iov_len);
        note(buffer.iov_base, size);
        left -= size;
    }
}

unsafe extern "C" fn readv(file: c_int, buffers: *const iovec, count: c_int) -> isize {
    let caller = Caller::here();
    let real_read = real!(c"readv", fn(c_int, *const iovec, c_int) -> isize);
    // SAFETY: the program's arguments, as it passed them.
    let result = reads(file, || unsafe { real_read(file, buffers, count) });
    // SAFETY: the program's buffers, as many as it says.
    unsafe { parts(buffers, count.max(0) as usize, result, |buffer, size| caller.writes(buffer, size)) };
    result
}

unsafe extern "C" fn recvmsg(file: c_int, message: *mut msghdr, flags: c_int) -> isize {
    let caller = Caller::here();
    let receive = real!(c"recvmsg", fn(c_int, *mut msghdr, c_int) -> isize);
    // SAFETY: the program's arguments, as it passed them.
    let result = reads(file, || unsafe { receive(file, message, flags) });
    // SAFETY: the program's message, with the buffers that it names.
    unsafe { parts((*message).msg_iov, (*message).msg_iovlen, result, |buffer, size| caller.writes(buffer, size)) };
    result
}

unsafe extern "C" fn writev(file: c_int, buffers: *const iovec, count: c_int) -> isize {
    let caller = Caller::here();
    let real_write = real!(c"writev", fn(c_int, *const iovec, c_int) -> isize);
    // SAFETY: the program's arguments, as it passed them.
    let result = writes(file, || unsafe { real_write(file, buffers, count) });
    // SAFETY: the program's buffers, as many as it says.
    unsafe { parts(buffers, count.max(0) as usize, result, |buffer, size| caller.reads(buffer, size)) };
    result
}

unsafe extern "C" fn sendmsg(file: c_int, message: *const msghdr, flags: c_int) -> isize {
    let caller = Caller::here();
    let real_send = real!(c"sendmsg", fn(c_int, *const msghdr, c_int) -> isize);
    // SAFETY: the program's arguments, as it passed them.
    let result = writes(file, || unsafe { real_send(file, message, flags) });
    // SAFETY: the program's message, with the buffers that it names.
    unsafe { parts((*message).msg_iov, (*message).msg_iovlen, result, |buffer, size| caller.reads(buffer, size)) };
    result
}

unsafe extern "C" fn fread(buffer: *mut c_void, size: usize, count: usize, file: *mut libc::FILE) -> usize {
    let caller = Caller::here();
    let real_read = real!(c"fread", fn(*mut c_void, usize, usize, *mut libc::FILE) -> usize);
    // SAFETY: the program's arguments, as it passed them.
    let result = unsafe { real_read(buffer, size, count, file) };
    caller.writes(buffer, result.saturating_mul(size));
    result
}

unsafe extern "C" fn fwrite(buffer: *const c_void, size: usize, count: usize, file: *mut libc::FILE) -> usize {
    let caller = Caller::here();
    let real_write = real!(c"fwrite", fn(*const c_void, usize, usize, *mut libc::FILE) -> usize);
    // SAFETY: the program's arguments, as it passed them.
    let result = unsafe { real_write(buffer, size, count, file) };
    caller.reads(buffer, result.saturating_mul(size));
    result
}

/// Both ends of a pipe, or of a pair of sockets, share what they know.
unsafe fn paired(result: c_int, ends: *const c_int) -> c_int {
    if result == 0 {
        // SAFETY: the call that succeeded has written both ends.
        let (one, other) = unsafe { (*ends, *ends.add(1)) };
        ROOT.descriptors.share(one, 0);
        ROOT.descriptors.share(other, ROOT.descriptors.shared(one));
    }
    result
}

unsafe extern "C" fn pipe(ends: *mut c_int) -> c_int {
    let make = real!(c"pipe", fn(*mut c_int) -> c_int);
    // SAFETY: the program's room for two descriptors.
    unsafe { paired(make(ends), ends) }
}

unsafe extern "C" fn pipe2(ends: *mut c_int, flags: c_int) -> c_int {
    let make = real!(c"pipe2", fn(*mut c_int, c_int) -> c_int);
    // SAFETY: the program's room for two descriptors.
    unsafe { paired(make(ends, flags), ends) }
}

unsafe extern "C" fn socketpair(domain: c_int, kind: c_int, protocol: c_int, ends: *mut c_int) -> c_int {
    let make = real!(c"socketpair", fn(c_int, c_int, c_int, *mut c_int) -> c_int);
    // SAFETY: the program's room for two descriptors.
    unsafe { paired(make(domain, kind, protocol, ends), ends) }
}

fn made_socket(file: c_int) -> c_int {
    ROOT.descriptors.share(file, SOCKETS);
    file
}

unsafe extern "C" fn socket(domain: c_int, kind: c_int, protocol: c_int) -> c_int {
    let make = real!(c"socket", fn(c_int, c_int, c_int) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    made_socket(unsafe { make(domain, kind, protocol) })
}

unsafe extern "C" fn accept(file: c_int, from: *mut sockaddr, size: *mut socklen_t) -> c_int {
    let real_accept = real!(c"accept", fn(c_int, *mut sockaddr, *mut socklen_t) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    let accept = || unsafe { real_accept(file, from, size) as isize };
    made_socket(reads(file, accept) as c_int)
}

unsafe extern "C" fn accept4(file: c_int, from: *mut sockaddr, size: *mut socklen_t, flags: c_int) -> c_int {
    let real_accept = real!(c"accept4", fn(c_int, *mut sockaddr, *mut socklen_t, c_int) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    let accept = || unsafe { real_accept(file, from, size, flags) as isize };
    made_socket(reads(file, accept) as c_int)
}

unsafe extern "C" fn dup(file: c_int) -> c_int {
    let duplicate = real!(c"dup", fn(c_int) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    let new = unsafe { duplicate(file) };
    ROOT.descriptors.share(new, ROOT.descriptors.shared(file));
    new
}

unsafe extern "C" fn dup2(file: c_int, new: c_int) -> c_int {
    let duplicate = real!(c"dup2", fn(c_int, c_int) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    let result = unsafe { duplicate(file, new) };
    ROOT.descriptors.share(result, ROOT.descriptors.shared(file));
    result
}

unsafe extern "C" fn dup3(file: c_int, new: c_int, flags: c_int) -> c_int {
    let duplicate = real!(c"dup3", fn(c_int, c_int, c_int) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    let result = unsafe { duplicate(file, new, flags) };
    ROOT.descriptors.share(result, ROOT.descriptors.shared(file));
    result
}
