//! System calls made directly, because the C library's wrappers are interposed, set errno, or are cancellation points.

use core::arch::asm;
use core::ffi::CStr;
use core::fmt::Write;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::text::Line;

#[inline]
unsafe fn syscall(number: libc::c_long, arguments: [usize; 6]) -> isize {
    let [a, b, c, d, e, f] = arguments;
    let result: isize;
    // SAFETY: the caller answers for what the call does; registers are as the kernel wants them.
    unsafe {
        asm!("syscall", inlateout("rax") number as isize => result, in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d,
             in("r8") e, in("r9") f, lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    result
}

/// The runtime's own memory is all in one stretch of addresses, where the system puts nothing by itself.
const OURS: core::ops::Range<usize> = 0x6100_0000_0000..0x6900_0000_0000;
static NEXT: AtomicUsize = AtomicUsize::new(OURS.start);

/// Whether an address is the runtime's, not the program's.
#[inline]
pub(crate) fn is_ours(address: usize) -> bool {
    OURS.contains(&address)
}

/// Maps memory that is zero, and takes up nothing until it is touched.
pub(crate) fn map(size: usize) -> Option<*mut u8> {
    let size = size.next_multiple_of(4096);
    for _ in 0..1000 {
        let address = NEXT.fetch_add(size, Ordering::Relaxed);
        if !OURS.contains(&(address + size)) {
            return None;
        }
        if map_exactly(address, size) {
            return Some(address as *mut u8);
        }
    }
    None
}

/// Maps memory at this address if nothing is there yet.
pub(crate) fn map_exactly(address: usize, size: usize) -> bool {
    map_at(address as *mut u8, size, libc::MAP_FIXED_NOREPLACE).is_some_and(|at| at as usize == address)
}

fn map_at(address: *mut u8, size: usize, flags: i32) -> Option<*mut u8> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | flags;
    let protection = (libc::PROT_READ | libc::PROT_WRITE) as usize;
    // SAFETY: a new mapping, which replaces none.
    let result =
        unsafe { syscall(libc::SYS_mmap, [address as usize, size, protection, flags as usize, usize::MAX, 0]) };
    (result > 0).then_some(result as *mut u8)
}

/// # Safety
/// As mmap.
pub(crate) unsafe fn mmap(arguments: [usize; 6]) -> isize {
    // SAFETY: as the caller says.
    unsafe { syscall(libc::SYS_mmap, arguments) }
}

/// # Safety
/// Nothing in the range is used any more.
pub(crate) unsafe fn unmap(address: usize, size: usize) -> isize {
    // SAFETY: as the caller says.
    unsafe { syscall(libc::SYS_munmap, [address, size, 0, 0, 0, 0]) }
}

/// # Safety
/// As madvise.
pub(crate) unsafe fn advise(address: usize, size: usize, advice: i32) {
    // SAFETY: as the caller says.
    unsafe { syscall(libc::SYS_madvise, [address, size, advice as usize, 0, 0, 0]) };
}

const MEMBARRIER_PRIVATE_EXPEDITED: usize = 1 << 3;
const MEMBARRIER_REGISTER_PRIVATE_EXPEDITED: usize = 1 << 4;

/// Asks for [`make_all_threads_fence`]; false if the system has no such thing.
pub(crate) fn can_make_all_threads_fence() -> bool {
    // SAFETY: only registers an intent.
    unsafe { syscall(libc::SYS_membarrier, [MEMBARRIER_REGISTER_PRIVATE_EXPEDITED, 0, 0, 0, 0, 0]) == 0 }
}

pub(crate) fn make_all_threads_fence() {
    // SAFETY: changes no memory.
    unsafe { syscall(libc::SYS_membarrier, [MEMBARRIER_PRIVATE_EXPEDITED, 0, 0, 0, 0, 0]) };
}

/// Writes all of it; false if that failed.
pub(crate) fn write_all(file: i32, mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        // SAFETY: the slice is readable.
        let n = unsafe { syscall(libc::SYS_write, [file as usize, bytes.as_ptr() as usize, bytes.len(), 0, 0, 0]) };
        match n {
            n if n > 0 => bytes = &bytes[n as usize..],
            n if n == -(libc::EINTR as isize) || n == -(libc::EAGAIN as isize) => {}
            _ => return false,
        }
    }
    true
}

pub(crate) fn read(file: i32, buffer: &mut [u8]) -> isize {
    loop {
        // SAFETY: the slice is writable.
        let n =
            unsafe { syscall(libc::SYS_read, [file as usize, buffer.as_mut_ptr() as usize, buffer.len(), 0, 0, 0]) };
        if n != -(libc::EINTR as isize) {
            return n;
        }
    }
}

pub(crate) fn open(path: &CStr, flags: i32) -> Option<i32> {
    let directory = libc::AT_FDCWD as usize;
    // SAFETY: the path ends with a zero byte.
    let file = unsafe {
        syscall(libc::SYS_openat, [directory, path.as_ptr() as usize, (flags | libc::O_CLOEXEC) as usize, 0o666, 0, 0])
    };
    (file >= 0).then_some(file as i32)
}

pub(crate) fn close(file: i32) {
    // SAFETY: closing takes no memory.
    unsafe { syscall(libc::SYS_close, [file as usize, 0, 0, 0, 0, 0]) };
}

/// Moves a file descriptor out of the way of the program, which may count on small numbers.
pub(crate) fn move_high(file: i32) -> i32 {
    // SAFETY: duplicates a descriptor.
    let high = unsafe { syscall(libc::SYS_fcntl, [file as usize, libc::F_DUPFD_CLOEXEC as usize, 1000, 0, 0, 0]) };
    if high < 0 {
        return file;
    }
    close(file);
    high as i32
}

/// Two ends of a connection. Unlike a pipe, writing to it raises no signal when the other end is gone.
pub(crate) fn socket_pair() -> Option<(i32, i32)> {
    let mut ends = [0i32; 2];
    let kind = (libc::SOCK_STREAM | libc::SOCK_CLOEXEC) as usize;
    // SAFETY: room for two descriptors.
    let result =
        unsafe { syscall(libc::SYS_socketpair, [libc::AF_UNIX as usize, kind, 0, ends.as_mut_ptr() as usize, 0, 0]) };
    (result == 0).then_some((ends[0], ends[1]))
}

/// [`write_all`] to a socket, without SIGPIPE.
pub(crate) fn send_all(socket: i32, mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        let flags = libc::MSG_NOSIGNAL as usize;
        // SAFETY: the slice is readable.
        let n =
            unsafe { syscall(libc::SYS_sendto, [socket as usize, bytes.as_ptr() as usize, bytes.len(), flags, 0, 0]) };
        match n {
            n if n > 0 => bytes = &bytes[n as usize..],
            n if n == -(libc::EINTR as isize) => {}
            _ => return false,
        }
    }
    true
}

pub(crate) fn duplicate_to(file: i32, number: i32) {
    // SAFETY: only descriptors are concerned.
    unsafe { syscall(libc::SYS_dup3, [file as usize, number as usize, 0, 0, 0, 0]) };
}

/// A child process that shares nothing, ends without SIGCHLD, and is unseen by the program's own `wait`.
///
/// # Safety
/// The child may only make system calls.
pub(crate) unsafe fn fork_unseen() -> isize {
    // SAFETY: as the caller says.
    unsafe { syscall(libc::SYS_clone, [0; 6]) }
}

/// # Safety
/// The arrays are as execve wants them.
pub(crate) unsafe fn execute(path: *const u8, arguments: *const *const u8, environment: *const *const u8) {
    // SAFETY: as the caller says.
    unsafe { syscall(libc::SYS_execve, [path as usize, arguments as usize, environment as usize, 0, 0, 0]) };
}

/// The program's environment, as execve wants it.
pub(crate) fn environment() -> *const *const u8 {
    unsafe extern "C" {
        static environ: *const *const u8;
    }
    // SAFETY: only read.
    unsafe { environ }
}

pub(crate) fn read_file(path: &CStr) -> Option<alloc::vec::Vec<u8>> {
    let file = open(path, libc::O_RDONLY)?;
    let mut bytes = alloc::vec::Vec::new();
    let mut buffer = [0; 4096];
    while let read @ 1.. = read(file, &mut buffer) {
        bytes.extend_from_slice(&buffer[..read as usize]);
    }
    close(file);
    Some(bytes)
}

/// Where the program's heap ends.
pub(crate) fn end_of_heap() -> usize {
    // SAFETY: asks only.
    unsafe { syscall(libc::SYS_brk, [0; 6]) as usize }
}

pub(crate) fn personality() -> Option<usize> {
    const ASK: usize = 0xffff_ffff;
    // SAFETY: asks only.
    usize::try_from(unsafe { syscall(libc::SYS_personality, [ASK, 0, 0, 0, 0, 0]) }).ok()
}

/// False if that is not allowed.
pub(crate) fn set_personality(persona: usize) -> bool {
    // SAFETY: has an effect on what is executed later.
    unsafe { syscall(libc::SYS_personality, [persona, 0, 0, 0, 0, 0]) >= 0 }
}

/// Gives a stack without limit one; false if it had one.
pub(crate) fn limit_stack(bytes: u64) -> bool {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    let resource = libc::RLIMIT_STACK as usize;
    // SAFETY: room for the limits; has an effect on what is executed later.
    unsafe {
        let asked = syscall(libc::SYS_prlimit64, [0, resource, 0, &raw mut limit as usize, 0, 0]);
        if asked != 0 || limit.rlim_cur != libc::RLIM_INFINITY {
            return false;
        }
        limit.rlim_cur = bytes.min(limit.rlim_max);
        syscall(libc::SYS_prlimit64, [0, resource, &raw const limit as usize, 0, 0, 0]) == 0
    }
}

/// Waits for a child of [`fork_unseen`].
pub(crate) fn wait_unseen(child: isize) {
    const WAIT_FOR_CLONES: usize = 0x8000_0000;
    // SAFETY: no status is asked for.
    while unsafe { syscall(libc::SYS_wait4, [child as usize, 0, WAIT_FOR_CLONES, 0, 0, 0]) } == -(libc::EINTR as isize)
    {
    }
}

/// A set of signals, as the kernel has it.
pub(crate) type Signals = u64;
pub(crate) const ALL_SIGNALS: Signals = u64::MAX;

/// Blocks these signals and no others in this thread, and returns those that were blocked before.
pub(crate) fn block_signals(signals: Signals) -> Signals {
    let mut before: Signals = 0;
    let sets = [&raw const signals as usize, &raw mut before as usize];
    // SAFETY: room for both sets.
    unsafe {
        syscall(libc::SYS_rt_sigprocmask, [libc::SIG_SETMASK as usize, sets[0], sets[1], size_of::<Signals>(), 0, 0])
    };
    before
}

pub(crate) fn process_id() -> u32 {
    // SAFETY: always succeeds.
    unsafe { syscall(libc::SYS_getpid, [0; 6]) as u32 }
}

pub(crate) fn thread_id() -> i32 {
    // SAFETY: always succeeds.
    unsafe { syscall(libc::SYS_gettid, [0; 6]) as i32 }
}

pub(crate) fn yield_now() {
    // SAFETY: always succeeds.
    unsafe { syscall(libc::SYS_sched_yield, [0; 6]) };
}

/// Ends the process without running anything of the program's.
pub(crate) fn exit_now(status: i32) -> ! {
    loop {
        // SAFETY: does not return.
        unsafe { syscall(libc::SYS_exit_group, [status as usize, 0, 0, 0, 0, 0]) };
    }
}

pub(crate) fn abort() -> ! {
    // SAFETY: raises a signal in this very thread.
    unsafe {
        let thread = syscall(libc::SYS_gettid, [0; 6]) as usize;
        syscall(libc::SYS_tgkill, [process_id() as usize, thread, libc::SIGABRT as usize, 0, 0, 0]);
    }
    exit_now(134)
}

fn clock(clock: usize) -> u64 {
    let mut time = [0u64; 2];
    // SAFETY: room for seconds and nanoseconds.
    unsafe { syscall(libc::SYS_clock_gettime, [clock, time.as_mut_ptr() as usize, 0, 0, 0, 0]) };
    time[0].wrapping_mul(1_000_000_000).wrapping_add(time[1])
}

/// Nanoseconds since some time.
pub(crate) fn now() -> u64 {
    clock(libc::CLOCK_MONOTONIC as usize)
}

/// The processor time that a thread of this process has used, in nanoseconds; 0 if it is gone.
pub(crate) fn processor_time(thread: i32) -> u64 {
    // The number of a thread's own clock, as clock_getcpuclockid(3) makes them.
    const OF_A_THREAD: i32 = 4;
    const SCHEDULED: i32 = 2;
    clock((!thread << 3 | OF_A_THREAD | SCHEDULED) as isize as usize)
}

/// Sleeps while `word == value`, for at most `nanoseconds`. Returns true on timeout.
pub(crate) fn futex_wait(word: &core::sync::atomic::AtomicU32, value: u32, nanoseconds: Option<u64>) -> bool {
    let time = nanoseconds.map(|n| [(n / 1_000_000_000) as i64, (n % 1_000_000_000) as i64]);
    let time = time.as_ref().map_or(0, |time| time.as_ptr() as usize);
    let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
    // SAFETY: the word and the time outlive the call.
    let result =
        unsafe { syscall(libc::SYS_futex, [word.as_ptr() as usize, operation as usize, value as usize, time, 0, 0]) };
    result == -(libc::ETIMEDOUT as isize)
}

pub(crate) fn futex_wake(word: &core::sync::atomic::AtomicU32, threads: u32) {
    let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
    // The kernel takes the number for a signed one, and wakes one thread if it is negative.
    let threads = threads.min(i32::MAX as u32);
    // SAFETY: the word is ours.
    unsafe { syscall(libc::SYS_futex, [word.as_ptr() as usize, operation as usize, threads as usize, 0, 0, 0]) };
}

/// Asks about a descriptor without waiting: not 0 if something can be done, or went wrong.
pub(crate) fn poll_now(asked: &mut libc::pollfd) -> isize {
    // SAFETY: room for one answer.
    unsafe { syscall(libc::SYS_poll, [core::ptr::from_mut(asked) as usize, 1, 0, 0, 0, 0]) }
}

/// Whether a thread of this process waits in the kernel, or is gone, from /proc: `1234 (name) S ...`.
pub(crate) fn is_asleep(thread: i32) -> bool {
    let mut path = Line::new();
    let _ = write!(path, "/proc/self/task/{thread}/stat\0");
    let Ok(path) = CStr::from_bytes_until_nul(path.bytes()) else { return false };
    let Some(file) = open(path, libc::O_RDONLY) else { return true };
    let mut text = [0; 256];
    let length = read(file, &mut text).max(0) as usize;
    close(file);
    let after_name = text[..length].iter().rposition(|&byte| byte == b')').map_or(0, |at| at + 2);
    matches!(text.get(after_name), Some(b'S' | b'D' | b'T'))
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicU32, Ordering};
    use std::sync::Arc;
    use std::thread;

    use super::*;

    #[test]
    fn processor_time_is_that_of_the_thread_that_works() {
        let own = thread_id();
        let before = processor_time(own);
        let worker = thread::spawn(|| {
            let worker = thread_id();
            while processor_time(worker) < 20_000_000 {
                std::hint::spin_loop();
            }
        });
        worker.join().unwrap();
        assert!(processor_time(own) - before < 20_000_000);
    }

    #[test]
    fn waking_everyone_wakes_everyone() {
        let word = Arc::new(AtomicU32::new(0));
        let sleepers: Vec<_> = (0..3)
            .map(|_| {
                let word = Arc::clone(&word);
                thread::spawn(move || {
                    while word.load(Ordering::Acquire) == 0 {
                        futex_wait(&word, 0, None);
                    }
                })
            })
            .collect();
        // If one is not asleep yet, it will not fall asleep either.
        thread::sleep(std::time::Duration::from_millis(50));
        word.store(1, Ordering::Release);
        futex_wake(&word, u32::MAX);
        for sleeper in sleepers {
            sleeper.join().unwrap();
        }
    }
}
