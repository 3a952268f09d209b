//! Strings and blocks that are looked at or copied: each byte that such a function must touch is a plain access. Where
//! it may stop early, at a difference or at what it looks for, only what comes before counts: no access is invented.

use core::ffi::{c_char, c_int, c_void};

use super::bytes::Caller;
use crate::{export, real};

export! {
    ["memcmp"] => memcmp;
    ["bcmp"] => memcmp;
    ["memchr"] => memchr;
    ["strlen"] => strlen;
    ["strnlen"] => strnlen;
    ["strcmp"] => strcmp;
    ["strncmp"] => strncmp;
    ["strchr"] => strchr;
    ["strrchr"] => strrchr;
    ["strstr"] => strstr;
    ["strcpy"] => strcpy;
    ["stpcpy"] => stpcpy;
    ["strncpy"] => strncpy;
    ["strcat"] => strcat;
    ["strncat"] => strncat;
    ["strdup"] => strdup;
    ["strndup"] => strndup;
}

type Text = *const c_char;
type Room = *mut c_char;

/// Without the zero byte at its end.
pub(super) fn length(text: Text) -> usize {
    let length = real!(c"strlen", fn(Text) -> usize);
    // SAFETY: the program's string.
    unsafe { length(text) }
}

pub(super) fn length_up_to(text: Text, limit: usize) -> usize {
    let length = real!(c"strnlen", fn(Text, usize) -> usize);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { length(text, limit) }
}

/// Number of bytes that a comparison of at most `limit` bytes examines.
unsafe fn compared(a: *const u8, b: *const u8, limit: usize, ends_at_zero: bool) -> usize {
    let mut at = 0;
    while at < limit {
        // SAFETY: both are as long as the comparison needs.
        let (one, other) = unsafe { (a.add(at).read_volatile(), b.add(at).read_volatile()) };
        at += 1;
        if one != other || (ends_at_zero && one == 0) {
            break;
        }
    }
    at
}

unsafe extern "C" fn memcmp(a: *const c_void, b: *const c_void, size: usize) -> c_int {
    let caller = Caller::here();
    let compare = real!(c"memcmp", fn(*const c_void, *const c_void, usize) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    let result = unsafe { compare(a, b, size) };
    if caller.is_followed() {
        // SAFETY: as long as the comparison that the program asked for needs.
        let looked_at = if result == 0 { size } else { unsafe { compared(a.cast(), b.cast(), size, false) } };
        caller.reads(a, looked_at);
        caller.reads(b, looked_at);
    }
    result
}

unsafe extern "C" fn memchr(block: *const c_void, byte: c_int, size: usize) -> *mut c_void {
    let caller = Caller::here();
    let find = real!(c"memchr", fn(*const c_void, c_int, usize) -> *mut c_void);
    // SAFETY: the program's arguments, as it passed them.
    let found = unsafe { find(block, byte, size) };
    caller.reads(block, if found.is_null() { size } else { found as usize - block as usize + 1 });
    found
}

unsafe extern "C" fn strlen(text: Text) -> usize {
    let caller = Caller::here();
    let length = length(text);
    caller.reads(text.cast(), length + 1);
    length
}

unsafe extern "C" fn strnlen(text: Text, limit: usize) -> usize {
    let caller = Caller::here();
    let length = length_up_to(text, limit);
    caller.reads(text.cast(), limit.min(length + 1));
    length
}

unsafe fn compare(a: Text, b: Text, limit: usize, caller: &Caller) {
    if caller.is_followed() {
        // SAFETY: as long as the comparison that the program asked for needs.
        let looked_at = unsafe { compared(a.cast(), b.cast(), limit, true) };
        caller.reads(a.cast(), looked_at);
        caller.reads(b.cast(), looked_at);
    }
}

unsafe extern "C" fn strcmp(a: Text, b: Text) -> c_int {
    let caller = Caller::here();
    let real_compare = real!(c"strcmp", fn(Text, Text) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    unsafe {
        compare(a, b, usize::MAX, &caller);
        real_compare(a, b)
    }
}

unsafe extern "C" fn strncmp(a: Text, b: Text, limit: usize) -> c_int {
    let caller = Caller::here();
    let real_compare = real!(c"strncmp", fn(Text, Text, usize) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    unsafe {
        compare(a, b, limit, &caller);
        real_compare(a, b, limit)
    }
}

unsafe extern "C" fn strchr(text: Text, byte: c_int) -> Room {
    let caller = Caller::here();
    let find = real!(c"strchr", fn(Text, c_int) -> Room);
    // SAFETY: the program's arguments, as it passed them.
    let found = unsafe { find(text, byte) };
    let looked_at = if found.is_null() { length(text) } else { found as usize - text as usize };
    caller.reads(text.cast(), looked_at + 1);
    found
}

unsafe extern "C" fn strrchr(text: Text, byte: c_int) -> Room {
    let caller = Caller::here();
    let find = real!(c"strrchr", fn(Text, c_int) -> Room);
    caller.reads(text.cast(), length(text) + 1);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { find(text, byte) }
}

unsafe extern "C" fn strstr(text: Text, wanted: Text) -> Room {
    let caller = Caller::here();
    let find = real!(c"strstr", fn(Text, Text) -> Room);
    // SAFETY: the program's arguments, as it passed them.
    let found = unsafe { find(text, wanted) };
    let size = length(wanted);
    caller.reads(wanted.cast(), size + 1);
    let looked_at = if found.is_null() { length(text) + 1 } else { found as usize - text as usize + size };
    caller.reads(text.cast(), looked_at);
    found
}

unsafe extern "C" fn strcpy(to: Room, from: Text) -> Room {
    let caller = Caller::here();
    let copy = real!(c"strcpy", fn(Room, Text) -> Room);
    copied(&caller, to, from);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { copy(to, from) }
}

unsafe extern "C" fn stpcpy(to: Room, from: Text) -> Room {
    let caller = Caller::here();
    let copy = real!(c"stpcpy", fn(Room, Text) -> Room);
    copied(&caller, to, from);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { copy(to, from) }
}

pub(super) fn copied(caller: &Caller, to: Room, from: Text) {
    let size = length(from) + 1;
    caller.reads(from.cast(), size);
    caller.writes(to.cast(), size);
}

unsafe extern "C" fn strncpy(to: Room, from: Text, size: usize) -> Room {
    let caller = Caller::here();
    let copy = real!(c"strncpy", fn(Room, Text, usize) -> Room);
    caller.reads(from.cast(), size.min(length_up_to(from, size) + 1));
    caller.writes(to.cast(), size);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { copy(to, from, size) }
}

unsafe extern "C" fn strcat(to: Room, from: Text) -> Room {
    let caller = Caller::here();
    let append = real!(c"strcat", fn(Room, Text) -> Room);
    let before = length(to);
    caller.reads(to.cast(), before);
    copied(&caller, to.wrapping_add(before), from);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { append(to, from) }
}

unsafe extern "C" fn strncat(to: Room, from: Text, limit: usize) -> Room {
    let caller = Caller::here();
    let append = real!(c"strncat", fn(Room, Text, usize) -> Room);
    let (before, added) = (length(to), length_up_to(from, limit));
    caller.reads(to.cast(), before);
    caller.reads(from.cast(), limit.min(added + 1));
    caller.writes(to.wrapping_add(before).cast(), added + 1);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { append(to, from, limit) }
}

// The copy is in new memory, so writing it needs no notice.
unsafe extern "C" fn strdup(text: Text) -> Room {
    let caller = Caller::here();
    let duplicate = real!(c"strdup", fn(Text) -> Room);
    caller.reads(text.cast(), length(text) + 1);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { duplicate(text) }
}

unsafe extern "C" fn strndup(text: Text, limit: usize) -> Room {
    let caller = Caller::here();
    let duplicate = real!(c"strndup", fn(Text, usize) -> Room);
    caller.reads(text.cast(), limit.min(length_up_to(text, limit) + 1));
    // SAFETY: the program's arguments, as it passed them.
    unsafe { duplicate(text, limit) }
}
