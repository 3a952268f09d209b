//! The flat address space. Which kind of memory a pointer points to, and whose it is, shows in its high bits, so that
//! the same execution has the same addresses under every schedule.

use crate::{Address, Value, wide};

/// What a pointer points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    Global,
    /// What a thread tells others about its start and end.
    Thread,
    Function,
    /// Registers' overflow: locals and thread-locals that one thread alone can reach.
    Private {
        thread: u32,
        offset: u32,
    },
    /// Locals whose address is known elsewhere.
    Stack {
        thread: u32,
    },
    Heap {
        thread: u32,
    },
    /// What the allocator knows of objects on the heap that were freed.
    Freed,
    /// What the library keeps for other addresses, such as the threads that wait there.
    Beside,
    Nothing,
}

pub const GLOBALS: u64 = 0x1_0000;
const GLOBALS_END: u64 = 0x1000_0000_0000;
const THREADS: u64 = 0x1000_0000_0000;
const FUNCTIONS: u64 = 0x2000_0000_0000;
const PRIVATE: u64 = 0x3000_0000_0000;
const STACKS: u64 = 0x4000_0000_0000;
const HEAPS: u64 = 0x5000_0000_0000;
const FREED: u64 = 0x6000_0000_0000;
const END: u64 = 0x7000_0000_0000;
const BESIDE: u64 = 1 << 52;
const BESIDE_END: u64 = BESIDE + END * 8;

/// Bits of a pointer within one thread's part of a region.
const THREAD_SHIFT: u32 = 32;
/// Threads that a pointer can tell apart.
pub const THREADS_LIMIT: u32 = 4096;
/// Heap objects start at multiples of this, so that no overflow of one is an access to the next.
const HEAP_STRIDE: u64 = 256;
const FUNCTION_STRIDE: u64 = 16;
const THREAD_STRIDE: u64 = 64;

pub fn region(pointer: u64) -> Region {
    let thread = (pointer >> THREAD_SHIFT) as u32 & (THREADS_LIMIT - 1);
    match pointer {
        GLOBALS..GLOBALS_END => Region::Global,
        THREADS..FUNCTIONS => Region::Thread,
        FUNCTIONS..PRIVATE => Region::Function,
        PRIVATE..STACKS => Region::Private { thread, offset: pointer as u32 },
        STACKS..HEAPS => Region::Stack { thread },
        HEAPS..FREED => Region::Heap { thread },
        FREED..END => Region::Freed,
        BESIDE..BESIDE_END => Region::Beside,
        _ => Region::Nothing,
    }
}

pub(crate) fn private_pointer(thread: u32, offset: u32) -> u64 {
    PRIVATE | u64::from(thread) << THREAD_SHIFT | u64::from(offset)
}

/// The address, within a stack, of what has offset 0. Not 0: a pointer to the start of a region would also be one past
/// the region before it.
pub const STACK_START: u32 = 16;

pub(crate) fn stack_pointer(thread: u32, offset: u32) -> u64 {
    STACKS | u64::from(thread) << THREAD_SHIFT | u64::from(offset + STACK_START)
}

/// The offset of a pointer into a thread's stack.
pub(crate) fn stack_offset(pointer: u64) -> u32 {
    (pointer as u32).saturating_sub(STACK_START)
}

/// The pointer to the `start`-th unit of a thread's heap, or to a later one that is aligned so, and the unit after an
/// object of this size.
pub(crate) fn heap_object(thread: u32, start: u32, size: u64, alignment: u64) -> Option<(u64, u32)> {
    let start = (u64::from(start) + 1).checked_next_multiple_of((alignment / HEAP_STRIDE).max(1))? - 1;
    let start = u32::try_from(start).ok()?;
    let units = size / HEAP_STRIDE + 1;
    let next = u32::try_from(u64::from(start) + units).ok()?;
    (u64::from(next) * HEAP_STRIDE < 1 << THREAD_SHIFT)
        .then(|| (HEAPS | u64::from(thread) << THREAD_SHIFT | ((u64::from(start) + 1) * HEAP_STRIDE), next))
}

/// Where the allocator keeps whether an object was freed: this far behind the object.
pub const FREED_CELL: u64 = FREED - HEAPS;

/// The object whose cell of the allocator this is.
pub(crate) fn freed_object(cell: u64) -> u64 {
    cell - FREED_CELL
}

/// The word that the library has for an address is at `BESIDE_CELL + 8 * address`.
pub const BESIDE_CELL: u64 = BESIDE;

/// The address whose word this is.
pub(crate) fn address_beside(cell: u64) -> u64 {
    (cell - BESIDE) / 8
}

/// Whether an object on the heap can start at a pointer.
pub(crate) fn may_start_object(pointer: u64) -> bool {
    pointer.is_multiple_of(HEAP_STRIDE)
}

pub fn function_pointer(function: u32) -> u64 {
    FUNCTIONS + u64::from(function) * FUNCTION_STRIDE
}

/// The number of the function that a pointer points to.
pub fn pointed_function(pointer: u64) -> Option<u32> {
    let inside = region(pointer) == Region::Function && (pointer - FUNCTIONS).is_multiple_of(FUNCTION_STRIDE);
    inside.then(|| ((pointer - FUNCTIONS) / FUNCTION_STRIDE) as u32)
}

/// Where a thread's five words are: whether it may start, whether it has ended, what it returned, whether it is to wake
/// up, and whether it was joined or detached.
pub fn start_cell(thread: u32) -> u64 {
    THREADS + u64::from(thread) * THREAD_STRIDE
}

/// The thread that a pointer to one of these words is about.
pub fn thread_of_cell(pointer: u64) -> Option<u32> {
    let thread = pointer.checked_sub(THREADS)? / THREAD_STRIDE;
    (region(pointer) == Region::Thread && thread < u64::from(THREADS_LIMIT)).then_some(thread as u32)
}

/// The thread whose end a pointer tells.
pub fn joined_thread(pointer: u64) -> Option<u32> {
    thread_of_cell(pointer).filter(|&thread| end_cell(thread) == pointer)
}

pub fn end_cell(thread: u32) -> u64 {
    start_cell(thread) + 8
}

pub fn result_cell(thread: u32) -> u64 {
    start_cell(thread) + 16
}

/// Set while a signal of a condition variable is on its way to the thread.
pub fn wake_cell(thread: u32) -> u64 {
    start_cell(thread) + 24
}

/// Set by the thread that joins or detaches this one.
pub fn claim_cell(thread: u32) -> u64 {
    start_cell(thread) + 32
}

/// What a write to a thread's start cell or end cell tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadSignal {
    /// The thread may start: it was created.
    Started(u32),
    /// The thread has ended, and can be joined.
    Ended(u32),
}

/// Which signal a location is for.
pub fn thread_signal(at: Address) -> Option<ThreadSignal> {
    let (pointer, 8) = at.pointer_and_size()? else { return None };
    let thread = thread_of_cell(pointer)?;
    match pointer - start_cell(thread) {
        0 => Some(ThreadSignal::Started(thread)),
        8 => Some(ThreadSignal::Ended(thread)),
        _ => None,
    }
}

/// What a pointer that is no global variable points to.
pub(crate) fn describe(pointer: u64) -> String {
    match region(pointer) {
        Region::Thread => {
            let (thread, part) = ((pointer - THREADS) / THREAD_STRIDE, (pointer - THREADS) % THREAD_STRIDE);
            let part = match part {
                0 => "start",
                8 => "end",
                24 => "wake-up",
                32 => "join",
                _ => "result",
            };
            format!("{part} of thread {thread}")
        }
        Region::Stack { thread } => format!("stack of thread {thread} at {:#x}", pointer as u32),
        Region::Heap { thread } => {
            let offset = pointer & ((1 << THREAD_SHIFT) - 1);
            let (unit, rest) = (offset / HEAP_STRIDE, offset % HEAP_STRIDE);
            format!("heap[{thread}:{unit}]+{rest}")
        }
        Region::Private { thread, .. } => format!("private memory of thread {thread}"),
        Region::Function => "a function".to_owned(),
        Region::Global | Region::Freed | Region::Beside | Region::Nothing => format!("{pointer:#x}"),
    }
}

/// Where the size of a cell stands in its [`Address`]: 1 for one byte, 5 for 16; 0 for a cell of a declared object.
const SIZE_SHIFT: u32 = 56;

impl Address {
    /// The cell of `size` bytes at a pointer.
    pub fn of_memory(pointer: u64, size: u8) -> Address {
        debug_assert!(pointer >> SIZE_SHIFT == 0 && size.is_power_of_two() && size <= wide::SIZE);
        Address(pointer | u64::from(size.trailing_zeros() + 1) << SIZE_SHIFT)
    }

    /// The pointer and the size of a cell of the flat address space.
    pub fn pointer_and_size(self) -> Option<(u64, u8)> {
        let size = self.0 >> SIZE_SHIFT;
        (1..=5).contains(&size).then(|| (self.0 & ((1 << SIZE_SHIFT) - 1), 1 << (size - 1)))
    }

    /// Whether two cells share bytes without being the same.
    pub fn overlaps(self, other: Address) -> bool {
        match (self.pointer_and_size(), other.pointer_and_size()) {
            (Some((a, m)), Some((b, n))) => self != other && a < b + u64::from(n) && b < a + u64::from(m),
            _ => false,
        }
    }

    /// All cells that overlap this one.
    pub fn overlapping(self) -> impl Iterator<Item = Address> {
        let near = self.pointer_and_size().map(|(start, size)| start.saturating_sub(15)..start + u64::from(size));
        let cells =
            near.into_iter().flatten().flat_map(|start| [1, 2, 4, 8, 16].map(|size| Address::of_memory(start, size)));
        cells.filter(move |&cell| cell.overlaps(self))
    }
}

/// What a cell holds whose bytes these are: the number in little endian and two's complement, or the name of 16 bytes.
pub fn value_of(bytes: &[u8]) -> Value {
    if let Ok(bytes) = <[u8; 16]>::try_from(bytes) {
        return wide::name(u128::from_le_bytes(bytes));
    }
    let mut value = 0u64;
    for (i, &byte) in bytes.iter().take(8).enumerate() {
        value |= u64::from(byte) << (8 * i);
    }
    sign_extended(value as Value, 8 * bytes.len().min(8) as u32)
}

/// The bytes of a cell that holds a value, followed by others if it has less than 16.
pub fn bytes_of(value: Value, size: u8) -> [u8; 16] {
    bits_of(value, size).to_le_bytes()
}

/// The bits of a cell that holds a value, below others if it has less than 16 bytes.
pub(crate) fn bits_of(value: Value, size: u8) -> u128 {
    if size == wide::SIZE { wide::value(value) } else { u128::from(value as u64) }
}

/// What a cell holds that has the low bits of these.
pub(crate) fn value_of_bits(bits: u128, size: u8) -> Value {
    if size == wide::SIZE { wide::name(bits) } else { sign_extended(bits as Value, 8 * u32::from(size)) }
}

/// The low bits of a value as two's complement; a single bit as 0 or 1.
pub fn sign_extended(value: Value, bits: u32) -> Value {
    match bits {
        0 => 0,
        1 => value & 1,
        64.. => value,
        _ => value << (64 - bits) >> (64 - bits),
    }
}

pub(crate) fn zero_extended(value: Value, bits: u32) -> u64 {
    if bits >= 64 { value as u64 } else { value as u64 & ((1 << bits) - 1) }
}
