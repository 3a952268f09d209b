//! Formatted input and output, and lines: which of the program's bytes they read and write. Streams themselves are the
//! C library's, and keep threads apart by locks of their own, which order nothing here.

use core::ffi::{c_char, c_int, c_void};

use libc::FILE;

use super::bytes::Caller;
use super::formats::{Arguments, printed, scanned};
use super::strings::length;
use crate::{export, export_variadic, real};

export! {
    ["vprintf"] => vprintf;
    ["vfprintf"] => vfprintf;
    ["vdprintf"] => vdprintf;
    ["vsprintf"] => vsprintf;
    ["vsnprintf"] => vsnprintf;
    ["vasprintf"] => vasprintf;
    ["__vprintf_chk"] => vprintf_checked;
    ["__vfprintf_chk"] => vfprintf_checked;
    ["__vdprintf_chk"] => vdprintf_checked;
    ["__vsprintf_chk"] => vsprintf_checked;
    ["__vsnprintf_chk"] => vsnprintf_checked;
    ["__vasprintf_chk"] => vasprintf_checked;
    ["vscanf"] => scanf::vscanf;
    ["vfscanf"] => scanf::vfscanf;
    ["vsscanf"] => scanf::vsscanf;
    ["__isoc99_vscanf"] => scanf_c99::vscanf;
    ["__isoc99_vfscanf"] => scanf_c99::vfscanf;
    ["__isoc99_vsscanf"] => scanf_c99::vsscanf;
    ["__isoc23_vscanf"] => scanf_c23::vscanf;
    ["__isoc23_vfscanf"] => scanf_c23::vfscanf;
    ["__isoc23_vsscanf"] => scanf_c23::vsscanf;
    ["fgets"] => fgets;
    ["__fgets_chk"] => fgets_checked;
    ["getline"] => getline;
    ["getdelim"] => getdelim;
    ["__getdelim"] => getdelim;
    ["puts"] => puts;
    ["fputs"] => fputs;
}

// How many arguments come before the others, and the register that the next one would be in.
export_variadic! {
    ["printf"], 1, "rsi" => vprintf;
    ["fprintf"], 2, "rdx" => vfprintf;
    ["dprintf"], 2, "rdx" => vdprintf;
    ["sprintf"], 2, "rdx" => vsprintf;
    ["snprintf"], 3, "rcx" => vsnprintf;
    ["asprintf"], 2, "rdx" => vasprintf;
    ["__printf_chk"], 2, "rdx" => vprintf_checked;
    ["__fprintf_chk"], 3, "rcx" => vfprintf_checked;
    ["__dprintf_chk"], 3, "rcx" => vdprintf_checked;
    ["__sprintf_chk"], 4, "r8" => vsprintf_checked;
    ["__snprintf_chk"], 5, "r9" => vsnprintf_checked;
    ["__asprintf_chk"], 3, "rcx" => vasprintf_checked;
    ["scanf"], 1, "rsi" => scanf::vscanf;
    ["fscanf"], 2, "rdx" => scanf::vfscanf;
    ["sscanf"], 2, "rdx" => scanf::vsscanf;
    ["__isoc99_scanf"], 1, "rsi" => scanf_c99::vscanf;
    ["__isoc99_fscanf"], 2, "rdx" => scanf_c99::vfscanf;
    ["__isoc99_sscanf"], 2, "rdx" => scanf_c99::vsscanf;
    ["__isoc23_scanf"], 1, "rsi" => scanf_c23::vscanf;
    ["__isoc23_fscanf"], 2, "rdx" => scanf_c23::vfscanf;
    ["__isoc23_sscanf"], 2, "rdx" => scanf_c23::vsscanf;
}

type Text = *const c_char;
type Room = *mut c_char;

/// Prints, and notes what that reads and writes besides the output.
unsafe fn print(caller: &Caller, format: Text, arguments: *mut Arguments, print: impl FnOnce() -> c_int) -> c_int {
    if !caller.is_followed() {
        return print();
    }
    caller.reads(format.cast(), length(format) + 1);
    // SAFETY: the program's arguments.
    unsafe { printed(format, *arguments, caller.reads_all(), caller.writes_all()) };
    print()
}

/// So many bytes were to be written, and a zero.
fn wrote(caller: &Caller, to: Room, room: usize, result: c_int) -> c_int {
    if let Ok(size) = usize::try_from(result) {
        caller.writes(to.cast(), room.min(size + 1));
    }
    result
}

unsafe extern "C" fn vprintf(format: Text, arguments: *mut Arguments) -> c_int {
    let caller = Caller::here();
    let real_print = real!(c"vprintf", fn(Text, *mut Arguments) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { print(&caller, format, arguments, || real_print(format, arguments)) }
}

unsafe extern "C" fn vprintf_checked(flag: c_int, format: Text, arguments: *mut Arguments) -> c_int {
    let caller = Caller::here();
    let real_print = real!(c"__vprintf_chk", fn(c_int, Text, *mut Arguments) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { print(&caller, format, arguments, || real_print(flag, format, arguments)) }
}

unsafe extern "C" fn vfprintf(file: *mut FILE, format: Text, arguments: *mut Arguments) -> c_int {
    let caller = Caller::here();
    let real_print = real!(c"vfprintf", fn(*mut FILE, Text, *mut Arguments) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { print(&caller, format, arguments, || real_print(file, format, arguments)) }
}

unsafe extern "C" fn vfprintf_checked(file: *mut FILE, flag: c_int, format: Text, arguments: *mut Arguments) -> c_int {
    let caller = Caller::here();
    let real_print = real!(c"__vfprintf_chk", fn(*mut FILE, c_int, Text, *mut Arguments) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { print(&caller, format, arguments, || real_print(file, flag, format, arguments)) }
}

unsafe extern "C" fn vdprintf(file: c_int, format: Text, arguments: *mut Arguments) -> c_int {
    let caller = Caller::here();
    let real_print = real!(c"vdprintf", fn(c_int, Text, *mut Arguments) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { print(&caller, format, arguments, || real_print(file, format, arguments)) }
}

unsafe extern "C" fn vdprintf_checked(file: c_int, flag: c_int, format: Text, arguments: *mut Arguments) -> c_int {
    let caller = Caller::here();
    let real_print = real!(c"__vdprintf_chk", fn(c_int, c_int, Text, *mut Arguments) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { print(&caller, format, arguments, || real_print(file, flag, format, arguments)) }
}

unsafe extern "C" fn vsprintf(to: Room, format: Text, arguments: *mut Arguments) -> c_int {
    let caller = Caller::here();
    let real_print = real!(c"vsprintf", fn(Room, Text, *mut Arguments) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    let result = unsafe { print(&caller, format, arguments, || real_print(to, format, arguments)) };
    wrote(&caller, to, usize::MAX, result)
}

unsafe extern "C" fn vsprintf_checked(
    to: Room,
    flag: c_int,
    room: usize,
    format: Text,
    arguments: *mut Arguments,
) -> c_int {
    let caller = Caller::here();
    let real_print = real!(c"__vsprintf_chk", fn(Room, c_int, usize, Text, *mut Arguments) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    let result = unsafe { print(&caller, format, arguments, || real_print(to, flag, room, format, arguments)) };
    wrote(&caller, to, usize::MAX, result)
}

unsafe extern "C" fn vsnprintf(to: Room, limit: usize, format: Text, arguments: *mut Arguments) -> c_int {
    let caller = Caller::here();
    let real_print = real!(c"vsnprintf", fn(Room, usize, Text, *mut Arguments) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    let result = unsafe { print(&caller, format, arguments, || real_print(to, limit, format, arguments)) };
    wrote(&caller, to, limit, result)
}

unsafe extern "C" fn vsnprintf_checked(
    to: Room,
    limit: usize,
    flag: c_int,
    room: usize,
    format: Text,
    arguments: *mut Arguments,
) -> c_int {
    let caller = Caller::here();
    let real_print = real!(c"__vsnprintf_chk", fn(Room, usize, c_int, usize, Text, *mut Arguments) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    let result = unsafe { print(&caller, format, arguments, || real_print(to, limit, flag, room, format, arguments)) };
    wrote(&caller, to, limit, result)
}

// The text is in new memory, so writing it needs no notice. The pointer to it may be shared.
unsafe extern "C" fn vasprintf(to: *mut Room, format: Text, arguments: *mut Arguments) -> c_int {
    let caller = Caller::here();
    let real_print = real!(c"vasprintf", fn(*mut Room, Text, *mut Arguments) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    let result = unsafe { print(&caller, format, arguments, || real_print(to, format, arguments)) };
    caller.writes(to.cast(), size_of::<Room>());
    result
}

unsafe extern "C" fn vasprintf_checked(to: *mut Room, flag: c_int, format: Text, arguments: *mut Arguments) -> c_int {
    let caller = Caller::here();
    let real_print = real!(c"__vasprintf_chk", fn(*mut Room, c_int, Text, *mut Arguments) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    let result = unsafe { print(&caller, format, arguments, || real_print(to, flag, format, arguments)) };
    caller.writes(to.cast(), size_of::<Room>());
    result
}

/// Scans, and notes which variables were filled. How far the input was looked at is not known.
unsafe fn scan(caller: &Caller, format: Text, arguments: *mut Arguments, scan: impl FnOnce() -> c_int) -> c_int {
    if !caller.is_followed() {
        return scan();
    }
    caller.reads(format.cast(), length(format) + 1);
    // The call uses the arguments up.
    // SAFETY: the list that the program passed, which is copied before it is used up.
    let before = unsafe { *arguments };
    let filled = scan();
    // SAFETY: the arguments are those that the format wants.
    unsafe { scanned(format, before, usize::try_from(filled).unwrap_or(0), caller.writes_all()) };
    filled
}

/// The three versions of a family that differ in what formats mean, but not in what they touch.
macro_rules! scanf {
    ($family:ident, $scan:literal, $file:literal, $text:literal) => {
        mod $family {
            use super::*;

            pub(crate) unsafe extern "C" fn vscanf(format: Text, arguments: *mut Arguments) -> c_int {
                let caller = Caller::here();
                let real_scan = real!($scan, fn(Text, *mut Arguments) -> c_int);
                // SAFETY: the program's arguments, as it passed them.
                unsafe { scan(&caller, format, arguments, || real_scan(format, arguments)) }
            }

            pub(crate) unsafe extern "C" fn vfscanf(file: *mut FILE, format: Text, arguments: *mut Arguments) -> c_int {
                let caller = Caller::here();
                let real_scan = real!($file, fn(*mut FILE, Text, *mut Arguments) -> c_int);
                // SAFETY: the program's arguments, as it passed them.
                unsafe { scan(&caller, format, arguments, || real_scan(file, format, arguments)) }
            }

            pub(crate) unsafe extern "C" fn vsscanf(text: Text, format: Text, arguments: *mut Arguments) -> c_int {
                let caller = Caller::here();
                let real_scan = real!($text, fn(Text, Text, *mut Arguments) -> c_int);
                // SAFETY: the program's arguments, as it passed them.
                unsafe { scan(&caller, format, arguments, || real_scan(text, format, arguments)) }
            }
        }
    };
}

scanf!(scanf, c"vscanf", c"vfscanf", c"vsscanf");
scanf!(scanf_c99, c"__isoc99_vscanf", c"__isoc99_vfscanf", c"__isoc99_vsscanf");
scanf!(scanf_c23, c"__isoc23_vscanf", c"__isoc23_vfscanf", c"__isoc23_vsscanf");

/// At least up to the first zero.
fn got_line(caller: &Caller, line: Room) -> Room {
    if !line.is_null() {
        caller.writes(line.cast(), length(line) + 1);
    }
    line
}

unsafe extern "C" fn fgets(to: Room, size: c_int, file: *mut FILE) -> Room {
    let caller = Caller::here();
    let get = real!(c"fgets", fn(Room, c_int, *mut FILE) -> Room);
    // SAFETY: the program's arguments, as it passed them.
    got_line(&caller, unsafe { get(to, size, file) })
}

unsafe extern "C" fn fgets_checked(to: Room, room: usize, size: c_int, file: *mut FILE) -> Room {
    let caller = Caller::here();
    let get = real!(c"__fgets_chk", fn(Room, usize, c_int, *mut FILE) -> Room);
    // SAFETY: the program's arguments, as it passed them.
    got_line(&caller, unsafe { get(to, room, size, file) })
}

unsafe extern "C" fn getline(to: *mut Room, size: *mut usize, file: *mut FILE) -> isize {
    // SAFETY: the program's arguments, as it passed them.
    unsafe { get_until(&Caller::here(), to, size, c_int::from(b'\n'), file) }
}

unsafe extern "C" fn getdelim(to: *mut Room, size: *mut usize, end: c_int, file: *mut FILE) -> isize {
    // SAFETY: the program's arguments, as it passed them.
    unsafe { get_until(&Caller::here(), to, size, end, file) }
}

unsafe fn get_until(caller: &Caller, to: *mut Room, size: *mut usize, end: c_int, file: *mut FILE) -> isize {
    let get = real!(c"getdelim", fn(*mut Room, *mut usize, c_int, *mut FILE) -> isize);
    caller.reads(to.cast::<c_void>(), size_of::<Room>());
    caller.reads(size.cast::<c_void>(), size_of::<usize>());
    // SAFETY: the program's arguments, as it passed them.
    let result = unsafe { get(to, size, end, file) };
    if let Ok(length) = usize::try_from(result) {
        // SAFETY: the call that succeeded has put a line there.
        caller.writes(unsafe { *to }.cast(), length + 1);
    }
    result
}

unsafe extern "C" fn puts(text: Text) -> c_int {
    let caller = Caller::here();
    let put = real!(c"puts", fn(Text) -> c_int);
    caller.reads(text.cast(), length(text) + 1);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { put(text) }
}

unsafe extern "C" fn fputs(text: Text, file: *mut FILE) -> c_int {
    let caller = Caller::here();
    let put = real!(c"fputs", fn(Text, *mut FILE) -> c_int);
    caller.reads(text.cast(), length(text) + 1);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { put(text, file) }
}
