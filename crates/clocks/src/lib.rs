//! The clocks of the sanitizer: what each thread of a running program may still miss, and which plain accesses race.
//!
//! Paper 000 decides at every atomic access of one SC run whether the access could do something that the model allows
//! and SC does not. Its location clocks (appendix A) map locations to timestamps, so that a merge costs as much as the
//! program has locations. Here the same answers are derived from clocks indexed by threads ([`Clocks`]) and a short
//! history at each location: a merge costs as much as there are threads, and the common check is one comparison.
//!
//! # The answers
//! For a thread τ that is about to access x,
//! - T_c(τ)(x) is the newest write of x that some thread accessed at an epoch that τ knows along happens-before;
//! - T_SC(τ)(x) is the newest write of x that τ knows along hbSC;
//! - Bad, with [`Model::Rc11`], is the newest write that would close a psc cycle if the access came before it.
//!
//! A stale write w is possible under the model and impossible under SC iff `max(T_c, Bad) ≤ timestamp(w) < T_SC`; for a
//! write or RMW, also the write right after w must not be an RMW; for a `wait`, `BCAS` or CAS, w must have a fitting
//! value. Tests compare this with the definitions over execution graphs, with the literal location clocks, and with the
//! monitor that `fencepost check` uses.
//!
//! # Deviations from paper 000
//! - After a relaxed write, W(x) keeps the timestamp of that write (appendix A, line 20 loses it).
//! - SC accesses, and RC11's SC fences, which the paper does not have.
//! - All values are remembered, not only the critical ones; between two writes that some clock can tell apart, the
//!   newest [`VALUES_BETWEEN`] different ones. Beyond that a `wait`, `BCAS` or strong CAS may miss a violation; nothing
//!   else can.
//!
//! # Memory
//! The crate is `no_std` and allocates nothing but what [`Platform::map`] gives it. Histories are pruned to what some
//! clock can still tell apart ([`Clocks::collect`], which runs by itself), so memory does not depend on the length of
//! the run. Slots of ended threads are reused.
//!
//! # Threads
//! - A [`Thread`] belongs to the thread of the program that it describes: no two calls with the same one at once.
//! - An [`Access`] holds the spin lock of its [`Location`]; the program's own access is made meanwhile, which also
//!   makes the run sequentially consistent. One access at a time for each thread, and no other call of this crate
//!   within.
//! - [`Clocks::acquire`] and [`Clocks::release`] hold the lock of the [`Sync`]; [`Clocks::fence`] that of the thread,
//!   and under [`Model::Rc20`] a global one if the fence is SC.
//! - [`Clocks::plain_read`] and the like take no lock unless there is a race.
//! - A collection takes all locks.
//! - Nothing here may be called from a signal handler that interrupted a call with the same [`Thread`].
//!
//! Store buffering with release stores and acquire loads is reported at the last load:
//!
//! ```
//! use std::alloc::{Layout, alloc_zeroed};
//!
//! use fencepost_clocks::{Attempt, Clocks, Model, Order, Platform};
//!
//! fn map(bytes: usize) -> *mut u8 {
//!     let layout = Layout::from_size_align(bytes, 4096).expect("pages");
//!     // SAFETY: the clocks never ask for 0 bytes.
//!     unsafe { alloc_zeroed(layout) }
//! }
//!
//! let platform = Platform { map, yield_now: std::thread::yield_now, barrier: None };
//! let clocks = Clocks::new(Model::Rc11, platform, 1 << 10);
//! let main = clocks.spawn(None, 0).unwrap();
//! let (left, right) = (clocks.spawn(Some(main), 1).unwrap(), clocks.spawn(Some(main), 2).unwrap());
//! let (x, y) = (clocks.location(0), clocks.location(0));
//!
//! let mut violations = Vec::new();
//! for (thread, mine, other) in [(left, x, y), (right, y, x)] {
//!     clocks.access(thread, mine).store(Order::Release, 1, 0);
//!     let mut load = clocks.access(thread, other);
//!     violations.push(load.check(Attempt::Load(Order::Acquire)).is_some());
//!     load.load(Order::Acquire);
//! }
//! assert_eq!(violations, [false, true]);
//! ```

#![no_std]

mod access;
mod arena;
mod check;
mod clocks;
mod event;
mod history;
mod intervals;
mod live;
mod location;
mod order;
mod platform;
mod pool;
mod psc;
mod registry;
mod seen;
mod shadow;
mod slots;
mod spin;
mod sync;
mod thread;
mod threads;
mod touch;
mod vector;
mod view;

pub use access::Access;
pub use check::{Attempt, Violation, ViolationKind, Write};
pub use clocks::Clocks;
pub use history::VALUES_BETWEEN;
pub use location::Location;
pub use order::{Model, Order};
pub use platform::Platform;
pub use seen::Seen;
pub use shadow::{Extent, Granule, Race, Touch};
pub use sync::Sync;
pub use thread::{MAX_THREADS, Thread};
