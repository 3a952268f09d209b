/// What the clocks need from outside. They allocate nothing themselves, because they are linked into programs whose
/// allocator may be what is being checked.
#[derive(Clone, Copy)]
pub struct Platform {
    /// Zeroed memory, page-aligned, that stays mapped for ever. Never returns if there is none.
    pub map: fn(bytes: usize) -> *mut u8,
    /// Lets another thread run, for a lock whose holder may have been preempted.
    pub yield_now: fn(),
    /// Makes all threads of the process fence (`membarrier`). Without it, they fence by themselves at each new access
    /// of plain memory.
    pub barrier: Option<fn()>,
}
