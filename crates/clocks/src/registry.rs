use core::mem::MaybeUninit;
use core::ptr;

use crate::arena::{Arena, List};

const CHUNK: usize = 16 << 10;

/// Places for values of one type, in chunks that stay where they are and can be walked.
pub(crate) struct Registry<T> {
    chunks: *mut Chunk<T>,
    free: List<*mut T>,
    serial: u64,
}

/// The places come first, as many as there is room for.
#[repr(C)]
struct Chunk<T> {
    places: [MaybeUninit<T>; 0],
    bytes: [MaybeUninit<u8>; CHUNK - 16],
    next: *mut Chunk<T>,
    used: usize,
}

impl<T> Registry<T> {
    const IN_CHUNK: usize = (CHUNK - 16) / size_of::<T>();

    pub(crate) const fn new() -> Registry<T> {
        Registry { chunks: ptr::null_mut(), free: List::EMPTY, serial: 0 }
    }

    /// A place to write a value to, a number that no place had before, and whether the place holds no value yet. The
    /// value must be written before the registry is unlocked.
    pub(crate) fn place(&mut self, arena: &Arena) -> (*mut T, u64, bool) {
        self.serial += 1;
        if let Some(place) = self.free.pop() {
            return (place, self.serial, false);
        }
        // SAFETY: chunks are allocated for IN_CHUNK places, of which `used` were handed out.
        unsafe {
            if self.chunks.is_null() || (*self.chunks).used == Self::IN_CHUNK {
                let chunk = arena.allocate(size_of::<Chunk<T>>()).cast::<Chunk<T>>();
                (&raw mut (*chunk).next).write(self.chunks);
                (&raw mut (*chunk).used).write(0);
                self.chunks = chunk;
            }
            let place = self.chunks.cast::<T>().add((*self.chunks).used);
            (*self.chunks).used += 1;
            (place, self.serial, true)
        }
    }

    /// The value stays readable until its place is used again.
    pub(crate) fn recycle(&mut self, value: *mut T, arena: &Arena) {
        self.free.push(value, arena);
    }

    /// All values, recycled ones too.
    pub(crate) fn each(&self, mut visit: impl FnMut(&T)) {
        let mut chunk = self.chunks;
        while !chunk.is_null() {
            // SAFETY: `used` places hold values.
            unsafe {
                for i in 0..(*chunk).used {
                    visit(&*chunk.cast::<T>().add(i));
                }
                chunk = (*chunk).next;
            }
        }
    }
}
