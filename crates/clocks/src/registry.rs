use core::ptr;

use crate::arena::Arena;

const IN_CHUNK: usize = 64;

/// Places for values of one type, in chunks that stay where they are and can be walked.
pub(crate) struct Registry<T> {
    chunks: *mut Chunk<T>,
    free: *mut Place<T>,
    serial: u64,
}

struct Chunk<T> {
    next: *mut Chunk<T>,
    used: usize,
    places: [Place<T>; IN_CHUNK],
}

#[repr(C)]
struct Place<T> {
    value: core::mem::MaybeUninit<T>,
    next_free: *mut Place<T>,
}

impl<T> Registry<T> {
    pub(crate) const fn new() -> Registry<T> {
        Registry { chunks: ptr::null_mut(), free: ptr::null_mut(), serial: 0 }
    }

    /// A place to write a value to, a number that no place had before, and whether the place holds no value yet. The value
    /// must be written before the registry is unlocked.
    pub(crate) fn place(&mut self, arena: &Arena) -> (*mut T, u64, bool) {
        self.serial += 1;
        // SAFETY: chunks are allocated for IN_CHUNK places, of which `used` were handed out; free places are linked.
        unsafe {
            let mut place = self.free;
            let is_new = place.is_null();
            if !is_new {
                self.free = (*place).next_free;
            } else {
                if self.chunks.is_null() || (*self.chunks).used == IN_CHUNK {
                    let chunk = arena.allocate(size_of::<Chunk<T>>()).cast::<Chunk<T>>();
                    (&raw mut (*chunk).next).write(self.chunks);
                    (&raw mut (*chunk).used).write(0);
                    self.chunks = chunk;
                }
                place = (&raw mut (*self.chunks).places).cast::<Place<T>>().add((*self.chunks).used);
                (*self.chunks).used += 1;
            }
            (place.cast::<T>(), self.serial, is_new)
        }
    }

    /// The value stays readable until its place is used again.
    pub(crate) fn recycle(&mut self, value: *mut T) {
        let place = value.cast::<Place<T>>();
        // SAFETY: the value is the first field of its place.
        unsafe { (&raw mut (*place).next_free).write(self.free) };
        self.free = place;
    }

    /// All values, recycled ones too.
    pub(crate) fn each(&self, mut visit: impl FnMut(&T)) {
        let mut chunk = self.chunks;
        while !chunk.is_null() {
            // SAFETY: `used` places hold values.
            unsafe {
                for i in 0..(*chunk).used {
                    visit(&*(&raw const (*chunk).places).cast::<Place<T>>().add(i).cast::<T>());
                }
                chunk = (*chunk).next;
            }
        }
    }
}
