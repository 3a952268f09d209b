//! Whether the program is where shadow memory expects it (see [`crate::shadow`]), and what to do if it is not.
//!
//! With 28 bits of randomness, which is Linux's default, it always is. With more of them (`vm.mmap_rnd_bits`), or with
//! an unlimited stack, which turns the layout of mappings upside down, the program is started once more without
//! randomness and with a limited stack, as ThreadSanitizer does it.

use alloc::vec::Vec;

use crate::real::Real;
use crate::{complain, sys};

/// Whether shadow memory has room for an address that no other place in use shares: the program itself, with its heap
/// (below 512 GiB if it is not position independent), and libraries, mappings and stacks.
fn fits(address: usize) -> bool {
    const PROGRAM: core::ops::Range<usize> = 0x5500_0000_0000..0x5800_0000_0000;
    const FIXED: core::ops::Range<usize> = 0..0x0080_0000_0000;
    const MAPPINGS: core::ops::Range<usize> = 0x7d00_0000_0000..0x8000_0000_0000;
    PROGRAM.contains(&address) || FIXED.contains(&address) || MAPPINGS.contains(&address)
}

/// A program, a heap, a library and a stack.
fn everything_fits() -> bool {
    static LIBRARY: Real = Real::new(c"memmove");
    let local = 0u8;
    [make_fit as *const () as usize, sys::end_of_heap(), LIBRARY.address() as usize, &raw const local as usize]
        .into_iter()
        .all(fits)
}

/// Starts the program once more if it is not where it can be followed.
pub(crate) fn make_fit() {
    if !everything_fits() {
        restart();
        complain!(
            "the program is at addresses that cannot be followed: run it as `setarch -R PROGRAM`, or with less randomness \
             (sysctl vm.mmap_rnd_bits=28), and link it at the usual place"
        );
        sys::exit_now(2);
    }
}

/// Something is where shadow memory should be.
pub(crate) fn no_room() -> ! {
    restart();
    complain!("no address space for shadow memory: is there a limit (ulimit -v), or another sanitizer in the program?");
    sys::exit_now(2)
}

/// Returns if that would change nothing, or is not allowed.
fn restart() {
    const STACK: u64 = 32 << 20;
    let randomised = sys::personality().filter(|persona| persona & libc::ADDR_NO_RANDOMIZE as usize == 0);
    let changed = [
        randomised.is_some_and(|persona| sys::set_personality(persona | libc::ADDR_NO_RANDOMIZE as usize)),
        sys::limit_stack(STACK),
    ];
    if !changed.contains(&true) {
        return;
    }
    let Some(arguments) = sys::read_file(c"/proc/self/cmdline") else { return };
    let mut pointers: Vec<*const u8> = arguments.split_inclusive(|&byte| byte == 0).map(<[u8]>::as_ptr).collect();
    pointers.push(core::ptr::null());
    // SAFETY: the array ends with null, and each argument with a zero byte.
    unsafe { sys::execute(c"/proc/self/exe".as_ptr().cast(), pointers.as_ptr(), sys::environment()) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_places_fit_and_no_two_of_them_share_their_shadow() {
        for usual in [0x40_0000, 0x5555_5555_4000, 0x56ff_ffff_f000, 0x7f00_0000_0000, 0x7fff_ffff_e000] {
            assert!(fits(usual), "{usual:#x}");
        }
        for unusual in [0x1000_0000_0000, 0x2aaa_aaaa_b000, 0x6200_0000_0000, 0x7000_0000_0000] {
            assert!(!fits(unusual), "{unusual:#x}");
        }
    }
}
