//! The functions that `_FORTIFY_SOURCE` calls instead of those that write to memory. Each takes the size of the buffer
//! as a further argument, and ends the program if the buffer is too small. Otherwise it accesses the same bytes.

use core::ffi::{c_char, c_int, c_void};

use libc::{FILE, sockaddr, socklen_t};

use super::bytes::Caller;
use super::descriptors::{reads, receiving};
use super::strings::{copied, length, length_up_to};
use crate::{export, real};

export! {
    ["__memcpy_chk"] => memcpy;
    ["__memmove_chk"] => memmove;
    ["__memset_chk"] => memset;
    ["__strcpy_chk"] => strcpy;
    ["__stpcpy_chk"] => stpcpy;
    ["__strncpy_chk"] => strncpy;
    ["__strcat_chk"] => strcat;
    ["__strncat_chk"] => strncat;
    ["__read_chk"] => read;
    ["__pread_chk"] => pread;
    ["__pread64_chk"] => pread;
    ["__recv_chk"] => recv;
    ["__recvfrom_chk"] => recvfrom;
    ["__fread_chk"] => fread;
}

type Text = *const c_char;
type Room = *mut c_char;

unsafe extern "C" fn memcpy(to: *mut c_void, from: *const c_void, size: usize, room: usize) -> *mut c_void {
    let caller = Caller::here();
    let copy = real!(c"__memcpy_chk", fn(*mut c_void, *const c_void, usize, usize) -> *mut c_void);
    caller.reads(from, size.min(room));
    caller.writes(to, size.min(room));
    // SAFETY: the program's arguments, as it passed them.
    unsafe { copy(to, from, size, room) }
}

unsafe extern "C" fn memmove(to: *mut c_void, from: *const c_void, size: usize, room: usize) -> *mut c_void {
    let caller = Caller::here();
    let copy = real!(c"__memmove_chk", fn(*mut c_void, *const c_void, usize, usize) -> *mut c_void);
    caller.reads(from, size.min(room));
    caller.writes(to, size.min(room));
    // SAFETY: the program's arguments, as it passed them.
    unsafe { copy(to, from, size, room) }
}

unsafe extern "C" fn memset(to: *mut c_void, byte: c_int, size: usize, room: usize) -> *mut c_void {
    let caller = Caller::here();
    let fill = real!(c"__memset_chk", fn(*mut c_void, c_int, usize, usize) -> *mut c_void);
    caller.writes(to, size.min(room));
    // SAFETY: the program's arguments, as it passed them.
    unsafe { fill(to, byte, size, room) }
}

unsafe extern "C" fn strcpy(to: Room, from: Text, room: usize) -> Room {
    let caller = Caller::here();
    let copy = real!(c"__strcpy_chk", fn(Room, Text, usize) -> Room);
    copied(&caller, to, from);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { copy(to, from, room) }
}

unsafe extern "C" fn stpcpy(to: Room, from: Text, room: usize) -> Room {
    let caller = Caller::here();
    let copy = real!(c"__stpcpy_chk", fn(Room, Text, usize) -> Room);
    copied(&caller, to, from);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { copy(to, from, room) }
}

unsafe extern "C" fn strncpy(to: Room, from: Text, size: usize, room: usize) -> Room {
    let caller = Caller::here();
    let copy = real!(c"__strncpy_chk", fn(Room, Text, usize, usize) -> Room);
    caller.reads(from.cast(), size.min(length_up_to(from, size) + 1));
    caller.writes(to.cast(), size.min(room));
    // SAFETY: the program's arguments, as it passed them.
    unsafe { copy(to, from, size, room) }
}

unsafe extern "C" fn strcat(to: Room, from: Text, room: usize) -> Room {
    let caller = Caller::here();
    let append = real!(c"__strcat_chk", fn(Room, Text, usize) -> Room);
    let before = length(to);
    caller.reads(to.cast(), before);
    copied(&caller, to.wrapping_add(before), from);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { append(to, from, room) }
}

unsafe extern "C" fn strncat(to: Room, from: Text, limit: usize, room: usize) -> Room {
    let caller = Caller::here();
    let append = real!(c"__strncat_chk", fn(Room, Text, usize, usize) -> Room);
    let (before, added) = (length(to), length_up_to(from, limit));
    caller.reads(to.cast(), before);
    caller.reads(from.cast(), limit.min(added + 1));
    caller.writes(to.wrapping_add(before).cast(), added + 1);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { append(to, from, limit, room) }
}

receiving! {
    read(file, buffer, size, room: usize) = c"__read_chk";
    pread(file, buffer, size, offset: i64, room: usize) = c"__pread64_chk";
    recv(file, buffer, size, room: usize, flags: c_int) = c"__recv_chk";
    recvfrom(file, buffer, size, room: usize, flags: c_int, from: *mut sockaddr, from_size: *mut socklen_t)
        = c"__recvfrom_chk";
}

unsafe extern "C" fn fread(buffer: *mut c_void, room: usize, size: usize, count: usize, file: *mut FILE) -> usize {
    let caller = Caller::here();
    let real_read = real!(c"__fread_chk", fn(*mut c_void, usize, usize, usize, *mut FILE) -> usize);
    // SAFETY: the program's arguments, as it passed them.
    let result = unsafe { real_read(buffer, room, size, count, file) };
    caller.writes(buffer, result.saturating_mul(size));
    result
}
