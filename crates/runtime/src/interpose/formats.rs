//! What the formats of printf and scanf say about memory: which strings are read, and which variables are written.

use core::ffi::{c_char, c_void};

use super::bytes::Caller;
use super::strings::{length, length_up_to};

/// The arguments of a function that takes any number of them: a `va_list` of x86_64 (System V ABI, AMD64 supplement,
/// 3.5.7).
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Arguments {
    general: u32,
    floating: u32,
    on_stack: *const u8,
    saved: *const u8,
}

const GENERAL_END: u32 = 6 * 8;
const FLOATING_END: u32 = GENERAL_END + 8 * 16;

impl Arguments {
    /// # Safety
    /// There is such an argument.
    unsafe fn word(&mut self) -> usize {
        // SAFETY: registers were saved up to `GENERAL_END`; the rest is on the stack.
        unsafe {
            if self.general < GENERAL_END {
                let word = self.saved.add(self.general as usize).cast::<usize>().read();
                self.general += 8;
                return word;
            }
            let word = self.on_stack.cast::<usize>().read();
            self.on_stack = self.on_stack.add(8);
            word
        }
    }

    unsafe fn skip_double(&mut self) {
        if self.floating < FLOATING_END {
            self.floating += 16;
        } else {
            self.on_stack = self.on_stack.wrapping_add(8);
        }
    }

    fn skip_long_double(&mut self) {
        let aligned = (self.on_stack as usize).next_multiple_of(16);
        self.on_stack = self.on_stack.with_addr(aligned + 16);
    }
}

/// The bytes of a format, which ends with zero.
struct Format(*const u8);

impl Format {
    fn peek(&self) -> u8 {
        // SAFETY: the position never passes the zero at the end.
        unsafe { self.0.read() }
    }

    fn next(&mut self) -> u8 {
        let byte = self.peek();
        if byte != 0 {
            self.0 = self.0.wrapping_add(1);
        }
        byte
    }

    fn skip_any_of(&mut self, bytes: &[u8]) {
        while self.peek() != 0 && bytes.contains(&self.peek()) {
            self.next();
        }
    }

    fn number(&mut self) -> Option<usize> {
        let mut number = None;
        while self.peek().is_ascii_digit() {
            number = Some(number.unwrap_or(0usize).saturating_mul(10).saturating_add((self.next() - b'0') as usize));
        }
        number
    }

    /// The bytes of an integer with the length modifier that comes next.
    fn length_modifier(&mut self) -> Modifier {
        match self.peek() {
            b'h' => {
                self.next();
                if self.peek() == b'h' {
                    self.next();
                    return Modifier { integer: 1, is_long: false };
                }
                Modifier { integer: 2, is_long: false }
            }
            b'l' => {
                self.next();
                if self.peek() == b'l' {
                    self.next();
                    return Modifier { integer: 8, is_long: false };
                }
                Modifier { integer: 8, is_long: true }
            }
            b'L' => {
                self.next();
                Modifier { integer: 16, is_long: false }
            }
            b'q' | b'j' | b'z' | b't' => {
                self.next();
                Modifier { integer: 8, is_long: false }
            }
            _ => Modifier { integer: 4, is_long: false },
        }
    }
}

struct Modifier {
    /// How large an integer is with it; 16 stands for `L`.
    integer: usize,
    /// `l`: strings are of wide characters, and what scanf stores is a double.
    is_long: bool,
}

/// Bytes that are touched.
pub(crate) struct Touched {
    pub(crate) address: *mut c_void,
    pub(crate) size: usize,
}

/// The reads that printf has to make, and the variables that `%n` writes. Where a format numbers its arguments, or has
/// something unknown, the rest is not followed.
///
/// # Safety
/// The arguments are those that the format wants.
pub(crate) unsafe fn printed(
    format: *const c_char,
    mut arguments: Arguments,
    mut reads: impl FnMut(Touched),
    mut writes: impl FnMut(Touched),
) {
    let mut format = Format(format.cast());
    loop {
        match format.next() {
            0 => return,
            b'%' => {}
            _ => continue,
        }
        format.skip_any_of(b"-+ #0'I");
        // SAFETY: as the caller says.
        if format.peek() == b'*' {
            format.next();
            // SAFETY: the format says that there is such an argument.
            unsafe { arguments.word() };
        } else if format.number().is_some() && format.peek() == b'$' {
            return;
        }
        let mut precision = None;
        if format.peek() == b'.' {
            format.next();
            precision = match format.peek() {
                b'*' => {
                    format.next();
                    // SAFETY: the format says that there is such an argument.
                    usize::try_from(unsafe { arguments.word() } as i32).ok()
                }
                _ => Some(format.number().unwrap_or(0)),
            };
        }
        let modifier = format.length_modifier();
        match format.next() {
            b'%' | b'm' => {}
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'b' | b'B' | b'c' | b'C' | b'p' => {
                // SAFETY: the format says that there is such an argument.
                unsafe { arguments.word() };
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => match modifier.integer {
                16 => arguments.skip_long_double(),
                // SAFETY: the format says that there is such an argument.
                _ => unsafe { arguments.skip_double() },
            },
            b's' if !modifier.is_long => {
                // SAFETY: the format says that there is such an argument.
                let text = unsafe { arguments.word() } as *mut c_char;
                if !text.is_null() {
                    let size = match precision {
                        Some(limit) => limit.min(length_up_to(text, limit).saturating_add(1)),
                        None => length(text) + 1,
                    };
                    reads(Touched { address: text.cast(), size });
                }
            }
            b's' | b'S' => {
                // SAFETY: the format says that there is such an argument.
                unsafe { arguments.word() };
            }
            b'n' => {
                // SAFETY: the format says that there is such an argument.
                let address = unsafe { arguments.word() } as *mut c_void;
                writes(Touched { address, size: modifier.integer.min(8) });
            }
            _ => return,
        }
    }
}

/// The variables that scanf wrote, given the number that it returned. What comes after the last of these may not have
/// been reached.
///
/// # Safety
/// The arguments are those that the format wants.
pub(crate) unsafe fn scanned(
    format: *const c_char,
    mut arguments: Arguments,
    mut filled: usize,
    mut writes: impl FnMut(Touched),
) {
    let mut format = Format(format.cast());
    let mut counts: Option<Touched> = None;
    while filled > 0 {
        match format.next() {
            0 => return,
            b'%' => {}
            _ => continue,
        }
        let is_kept = format.peek() != b'*';
        if !is_kept {
            format.next();
        }
        format.skip_any_of(b"'I");
        let width = format.number();
        let allocates = format.peek() == b'm';
        if allocates {
            format.next();
        }
        let modifier = format.length_modifier();
        let conversion = format.next();
        let is_wide = modifier.is_long || matches!(conversion, b'S' | b'C');
        let is_text = match conversion {
            b'%' => continue,
            b'[' => {
                format.skip_set();
                true
            }
            b's' | b'S' | b'c' | b'C' => true,
            // The old meaning of `%as`, which only the call tells from the new one.
            b'a' if matches!(format.peek(), b's' | b'S' | b'[') => return,
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'b' | b'p' | b'n' => false,
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => false,
            _ => return,
        };
        if !is_kept {
            continue;
        }
        // SAFETY: as the caller says.
        let address = unsafe { arguments.word() } as *mut c_void;
        let size = match conversion {
            _ if allocates => 8,
            _ if is_text && is_wide => 0,
            b'c' => width.unwrap_or(1),
            _ if is_text => length(address.cast()) + 1,
            b'p' => 8,
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'b' | b'n' => modifier.integer.min(8),
            _ if modifier.is_long => 8,
            _ => modifier.integer,
        };
        if conversion == b'n' {
            counts = Some(Touched { address, size });
            continue;
        }
        // What was reached before something that was filled, was filled.
        counts.take().into_iter().chain([Touched { address, size }]).for_each(&mut writes);
        filled -= 1;
    }
}

impl Format {
    /// The rest of a set of characters: `]` is one of them if it comes first.
    fn skip_set(&mut self) {
        if self.peek() == b'^' {
            self.next();
        }
        self.next();
        while !matches!(self.next(), b']' | 0) {}
    }
}

impl Caller {
    pub(super) fn reads_all(&self) -> impl FnMut(Touched) {
        |touched| self.reads(touched.address, touched.size)
    }

    pub(super) fn writes_all(&self) -> impl FnMut(Touched) {
        |touched| self.writes(touched.address, touched.size)
    }
}
