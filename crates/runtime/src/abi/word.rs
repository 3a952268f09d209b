//! Atomic memory of the five sizes, under one name. Accesses here are `seq_cst`: the order that the program asked for
//! is what the clocks follow, and a stronger one in the machine hides nothing from them.

use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::SeqCst};

/// # Safety
/// Addresses are valid and aligned.
pub(crate) unsafe trait Word: Copy + Eq {
    const SIZE: u8;
    unsafe fn load(address: *mut Self) -> Self;
    unsafe fn store(address: *mut Self, value: Self);
    unsafe fn exchange(address: *mut Self, value: Self) -> Self;
    /// What was there, which is `expected` if it was replaced.
    unsafe fn compare_exchange(address: *mut Self, expected: Self, value: Self) -> Self;
    /// What the clocks remember of a value.
    fn bits(self) -> u64;
    fn add(self, other: Self) -> Self;
    fn subtract(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn nand(self, other: Self) -> Self;
}

macro_rules! operators {
    () => {
        fn add(self, other: Self) -> Self {
            self.wrapping_add(other)
        }
        fn subtract(self, other: Self) -> Self {
            self.wrapping_sub(other)
        }
        fn and(self, other: Self) -> Self {
            self & other
        }
        fn or(self, other: Self) -> Self {
            self | other
        }
        fn xor(self, other: Self) -> Self {
            self ^ other
        }
        fn nand(self, other: Self) -> Self {
            !(self & other)
        }
    };
}

macro_rules! word {
    ($($plain:ty, $atomic:ty;)*) => {
        $(
            // SAFETY: the atomic type of the same size.
            unsafe impl Word for $plain {
                const SIZE: u8 = size_of::<$plain>() as u8;

                unsafe fn load(address: *mut Self) -> Self {
                    // SAFETY: valid and aligned, as the caller says.
                    unsafe { <$atomic>::from_ptr(address) }.load(SeqCst)
                }
                unsafe fn store(address: *mut Self, value: Self) {
                    // SAFETY: valid and aligned, as the caller says.
                    unsafe { <$atomic>::from_ptr(address) }.store(value, SeqCst);
                }
                unsafe fn exchange(address: *mut Self, value: Self) -> Self {
                    // SAFETY: valid and aligned, as the caller says.
                    unsafe { <$atomic>::from_ptr(address) }.swap(value, SeqCst)
                }
                unsafe fn compare_exchange(address: *mut Self, expected: Self, value: Self) -> Self {
                    // SAFETY: valid and aligned, as the caller says.
                    match unsafe { <$atomic>::from_ptr(address) }.compare_exchange(expected, value, SeqCst, SeqCst) {
                        Ok(old) | Err(old) => old,
                    }
                }
                fn bits(self) -> u64 {
                    u64::from(self)
                }
                operators!();
            }
        )*
    };
}

word! {
    u8, AtomicU8;
    u16, AtomicU16;
    u32, AtomicU32;
    u64, AtomicU64;
}

// SAFETY: cmpxchg16b is atomic, and everything is made of it.
unsafe impl Word for u128 {
    const SIZE: u8 = 16;

    unsafe fn load(address: *mut u128) -> u128 {
        // SAFETY: valid and aligned, as the caller says.
        unsafe { u128::compare_exchange(address, 0, 0) }
    }

    unsafe fn store(address: *mut u128, value: u128) {
        // SAFETY: valid and aligned, as the caller says.
        unsafe { u128::exchange(address, value) };
    }

    unsafe fn exchange(address: *mut u128, value: u128) -> u128 {
        let mut old = 0;
        loop {
            // SAFETY: valid and aligned, as the caller says.
            let found = unsafe { u128::compare_exchange(address, old, value) };
            if found == old {
                return old;
            }
            old = found;
        }
    }

    unsafe fn compare_exchange(address: *mut u128, expected: u128, value: u128) -> u128 {
        let (mut low, mut high) = (expected as u64, (expected >> 64) as u64);
        // SAFETY: every processor of the last twenty years has cmpxchg16b. rbx is the compiler's, so it is kept; it
        // could choose rbx for an operand that is not given a register.
        unsafe {
            core::arch::asm!(
                "xchg rbx, rsi",
                "lock cmpxchg16b xmmword ptr [rdi]",
                "mov rbx, rsi",
                inout("rsi") value as u64 => _,
                in("rdi") address,
                in("rcx") (value >> 64) as u64,
                inout("rax") low,
                inout("rdx") high,
                options(nostack),
            );
        }
        u128::from(low) | u128::from(high) << 64
    }

    /// Two values that differ are taken for the same only if their halves differ in just the wrong way.
    fn bits(self) -> u64 {
        (self as u64).wrapping_add(((self >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    operators!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_bytes_are_exchanged_as_one() {
        #[repr(align(16))]
        struct Aligned(u128);
        let mut memory = Aligned(7 | 9 << 64);
        let address = &raw mut memory.0;
        // SAFETY: valid and aligned.
        unsafe {
            assert_eq!(u128::load(address), 7 | 9 << 64);
            assert_eq!(u128::compare_exchange(address, 7, 1), 7 | 9 << 64);
            assert_eq!(u128::compare_exchange(address, 7 | 9 << 64, 1 << 100), 7 | 9 << 64);
            assert_eq!(u128::exchange(address, 3), 1 << 100);
            u128::store(address, u128::MAX);
            assert_eq!(u128::load(address), u128::MAX);
        }
    }
}
