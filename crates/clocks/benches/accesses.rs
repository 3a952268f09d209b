//! What one access costs: plain and atomic, by one thread and handed from thread to thread.

#[path = "../tests/common/platform.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod platform;

use std::cell::Cell;
use std::time::Instant;

use fencepost_clocks::{Attempt, Clocks, Extent, Granule, Location, Model, Order, Thread};
use platform::LEAKED;

struct World {
    clocks: &'static Clocks,
    threads: Vec<&'static Thread>,
    locations: Vec<&'static Location>,
    granules: Vec<Granule>,
}

fn world(threads: u32) -> World {
    let clocks: &'static Clocks = Box::leak(Box::new(Clocks::new(Model::Rc11, LEAKED, 1 << 22)));
    World {
        clocks,
        threads: (0..threads).map(|name| clocks.spawn(None, name).expect("a slot")).collect(),
        locations: (0..64).map(|_| clocks.location(0)).collect(),
        granules: (0..1024).map(|_| Granule::new()).collect(),
    }
}

/// Only what contains an argument of the command line is measured, if there are any.
fn is_wanted(name: &str) -> bool {
    let mut wanted = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).peekable();
    wanted.peek().is_none() || wanted.any(|argument| name.contains(&argument))
}

/// The least time that an iteration took, over some thousand of them at a time: a busy machine only adds to it.
fn measure(name: &str, mut iteration: impl FnMut()) {
    const ITERATIONS: u32 = 20_000;
    if !is_wanted(name) {
        return;
    }
    let mut least = f64::INFINITY;
    for _ in 0..30 {
        let start = Instant::now();
        (0..ITERATIONS).for_each(|_| iteration());
        least = least.min(start.elapsed().as_nanos() as f64 / f64::from(ITERATIONS));
    }
    println!("{name:50} {least:8.1} ns");
}

fn plain() {
    let w = world(2);
    let t = w.threads[0];
    let sync = w.clocks.sync();
    let i = Cell::new(0);
    let next = || {
        i.set((i.get() + 1) % 1024);
        &w.granules[i.get()]
    };
    measure("plain write, the same interval", || assert!(w.clocks.plain_write(t, next(), Extent::WHOLE).is_none()));
    measure("plain read, the same interval", || assert!(w.clocks.plain_read(t, next(), Extent::WHOLE).is_none()));
    measure("plain write, a release every 1024", || {
        let granule = next();
        if i.get() == 0 {
            w.clocks.release(t, sync);
        }
        assert!(w.clocks.plain_write(t, granule, Extent::WHOLE).is_none());
    });
    let mut turn = 0;
    measure("plain write, another thread every 1024", || {
        let granule = next();
        if i.get() == 0 {
            w.clocks.release(w.threads[turn], sync);
            turn ^= 1;
            w.clocks.acquire(w.threads[turn], sync);
        }
        assert!(w.clocks.plain_write(w.threads[turn], granule, Extent::WHOLE).is_none());
    });
}

fn load(w: &World, thread: usize, x: usize, order: Order) {
    let mut access = w.clocks.access(w.threads[thread], w.locations[x]);
    std::hint::black_box(access.check(Attempt::Load(order)));
    access.load(order);
}

fn store(w: &World, thread: usize, x: usize, order: Order) {
    let mut access = w.clocks.access(w.threads[thread], w.locations[x]);
    std::hint::black_box(access.check(Attempt::Store(order)));
    access.store(order, 1, 0);
}

fn rmw(w: &World, thread: usize, x: usize, order: Order) {
    let mut access = w.clocks.access(w.threads[thread], w.locations[x]);
    std::hint::black_box(access.check(Attempt::Rmw(order)));
    access.rmw(order, 1, 0);
}

fn alone() {
    for (name, reading, writing) in [
        ("relaxed", Order::Relaxed, Order::Relaxed),
        ("acquire or release", Order::Acquire, Order::Release),
        ("seq_cst", Order::SeqCst, Order::SeqCst),
    ] {
        let w = world(32);
        let i = Cell::new(0);
        let next = || {
            i.set((i.get() + 1) % 64);
            i.get()
        };
        measure(&format!("{name} load, one thread of 32"), || load(&w, 0, next(), reading));
        measure(&format!("{name} store, one thread of 32"), || store(&w, 0, next(), writing));
        measure(&format!("{name} rmw, one thread of 32"), || rmw(&w, 0, next(), writing));
    }
}

/// Each thread in turn acquires what the one before it released.
fn handed_over() {
    for threads in [2, 32] {
        for (name, reading, writing) in
            [("release and acquire", Order::Acquire, Order::Release), ("seq_cst", Order::SeqCst, Order::SeqCst)]
        {
            let w = world(threads);
            let mut turn = 0;
            measure(&format!("{name}, handed over among {threads}"), || {
                turn = (turn + 1) % threads as usize;
                load(&w, turn, 0, reading);
                store(&w, turn, 0, writing);
            });
        }
        let w = world(threads);
        let sync = w.clocks.sync();
        let mut turn = 0;
        measure(&format!("mutex, handed over among {threads}"), || {
            turn = (turn + 1) % threads as usize;
            w.clocks.acquire(w.threads[turn], sync);
            w.clocks.release(w.threads[turn], sync);
        });
    }
}

fn main() {
    plain();
    alone();
    handed_over();
}
