//! Random SC runs: what threads do one after another, with the values that memory has under SC.

use fastrand::Rng;
use fencepost_clocks::{Attempt, Order};

/// One step of a run.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Access {
        thread: usize,
        location: usize,
        attempt: Attempt,
        value: u64,
    },
    Fence {
        thread: usize,
        order: Order,
    },
    Acquire {
        thread: usize,
        sync: usize,
    },
    Release {
        thread: usize,
        sync: usize,
    },
    Spawn {
        thread: usize,
        child: usize,
    },
    Join {
        thread: usize,
        child: usize,
    },
    /// A plain access of one or both halves of a granule.
    Plain {
        thread: usize,
        granule: usize,
        halves: u8,
        writes: bool,
    },
}

/// What an attempt did in an SC run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Performed {
    Load(Order),
    Store(Order, u64),
    Rmw(Order, u64),
    /// A wait that goes on.
    Nothing,
}

/// One of the events that an attempt may become.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub reads: bool,
    pub writes: bool,
    pub order: Order,
    pub accepts: Accepts,
}

#[derive(Clone, Copy, Debug)]
pub enum Accepts {
    Any,
    Exactly(u64),
    AllBut(u64),
}

impl Accepts {
    pub fn value(self, value: u64) -> bool {
        match self {
            Accepts::Any => true,
            Accepts::Exactly(v) => v == value,
            Accepts::AllBut(v) => v != value,
        }
    }
}

/// The events that an attempt may become, by what the program would accept (paper 000, appendix A, "Robustness Check").
pub fn parts(attempt: Attempt) -> Vec<Part> {
    let read = |order, accepts| Part { reads: true, writes: false, order, accepts };
    let rmw = |order, accepts| Part { reads: true, writes: true, order, accepts };
    match attempt {
        Attempt::Load(order) => vec![read(order, Accepts::Any)],
        Attempt::Store(order) => vec![Part { reads: false, writes: true, order, accepts: Accepts::Any }],
        Attempt::Rmw(order) => vec![rmw(order, Accepts::Any)],
        Attempt::Wait { order, value } => vec![read(order, Accepts::Exactly(value))],
        Attempt::WaitNot { order, value } => vec![read(order, Accepts::AllBut(value))],
        Attempt::BlockingCas { order, expected } => vec![rmw(order, Accepts::Exactly(expected))],
        Attempt::StrongCas { success, failure, expected } => {
            vec![rmw(success, Accepts::Exactly(expected)), read(failure, Accepts::AllBut(expected))]
        }
        Attempt::WeakCas { success, failure, expected } => {
            vec![rmw(success, Accepts::Exactly(expected)), read(failure, Accepts::Any)]
        }
    }
}

/// What the attempt does where memory holds `memory`.
pub fn perform(attempt: Attempt, memory: u64, value: u64) -> Performed {
    match attempt {
        Attempt::Load(order) => Performed::Load(order),
        Attempt::Store(order) => Performed::Store(order, value),
        Attempt::Rmw(order) => Performed::Rmw(order, value),
        Attempt::Wait { order, value } if memory == value => Performed::Load(order),
        Attempt::BlockingCas { order, expected } if memory == expected => Performed::Rmw(order, value),
        Attempt::WaitNot { order, value } if memory != value => Performed::Load(order),
        Attempt::Wait { .. } | Attempt::WaitNot { .. } | Attempt::BlockingCas { .. } => Performed::Nothing,
        Attempt::StrongCas { success, expected, .. } | Attempt::WeakCas { success, expected, .. }
            if memory == expected =>
        {
            Performed::Rmw(success, value)
        }
        Attempt::StrongCas { failure, .. } | Attempt::WeakCas { failure, .. } => Performed::Load(failure),
    }
}

/// What random runs are made of.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub threads: usize,
    pub locations: usize,
    pub syncs: usize,
    pub granules: usize,
    pub length: usize,
    pub sc: bool,
    /// How many steps of twenty are fences.
    pub fences: u32,
    /// Accesses that care for values.
    pub values: bool,
    pub spawns: bool,
    /// Plain accesses touch a half of their granule.
    pub halves: bool,
}

/// Values that waits and CASs expect; others are written too.
pub const CRITICAL: u64 = 3;
pub const VALUES: u64 = 5;
/// How many threads a run has at most, counting those spawned on the way.
pub const MOST_THREADS: usize = 8;

fn one_of<T: Copy>(random: &mut Rng, from: &[T]) -> T {
    from[random.usize(..from.len())]
}

fn orders(all: &[Order], sc: bool) -> Vec<Order> {
    all.iter().copied().filter(|&o| sc || o != Order::SeqCst).collect()
}

fn attempt(random: &mut Rng, shape: &Shape) -> Attempt {
    use Order::{AcqRel, Acquire, Relaxed, Release, SeqCst};
    let reading = orders(&[Relaxed, Acquire, SeqCst, SeqCst], shape.sc);
    let writing = orders(&[Relaxed, Release, SeqCst, SeqCst], shape.sc);
    let both = orders(&[Relaxed, Acquire, Release, AcqRel, SeqCst], shape.sc);
    let (success, failure) = (one_of(random, &both), one_of(random, &reading));
    let expected = random.u64(..CRITICAL);
    match random.u32(..if shape.values { 15 } else { 9 }) {
        0..=3 => Attempt::Load(failure),
        4..=7 => Attempt::Store(one_of(random, &writing)),
        8 => Attempt::Rmw(success),
        9 => Attempt::Wait { order: failure, value: expected },
        10 => Attempt::BlockingCas { order: success, expected },
        11 => Attempt::WaitNot { order: failure, value: expected },
        12 => Attempt::WeakCas { success, failure, expected },
        _ => Attempt::StrongCas { success, failure, expected },
    }
}

/// A random run.
pub fn random(random: &mut Rng, shape: &Shape) -> Vec<Op> {
    use Order::{AcqRel, Acquire, Release, SeqCst};
    let mut running: Vec<usize> = (0..shape.threads).collect();
    let mut spawned: Vec<usize> = Vec::new();
    let mut next = shape.threads;
    let mut run = Vec::new();
    // Threads often go on for a while, because a weak behaviour takes two accesses of each of two threads in a row.
    let sticky = random.u32(..4);
    let mut thread = running[0];
    while run.len() < shape.length {
        if random.u32(..4) >= sticky || !running.contains(&thread) {
            thread = one_of(random, &running);
        }
        let op = match random.u32(..20) {
            kind if kind < shape.fences => {
                Op::Fence { thread, order: one_of(random, &[Acquire, Release, AcqRel, SeqCst, SeqCst]) }
            }
            19 if shape.syncs > 0 => Op::Acquire { thread, sync: random.usize(..shape.syncs) },
            18 if shape.syncs > 0 => Op::Release { thread, sync: random.usize(..shape.syncs) },
            17 if shape.spawns && next < MOST_THREADS => {
                running.push(next);
                spawned.push(next);
                next += 1;
                Op::Spawn { thread, child: next - 1 }
            }
            16 if shape.spawns && spawned.iter().any(|&s| s != thread) => {
                let others: Vec<usize> = spawned.iter().copied().filter(|&s| s != thread).collect();
                let child = one_of(random, &others);
                running.retain(|&t| t != child);
                spawned.retain(|&t| t != child);
                Op::Join { thread, child }
            }
            9..=15 if shape.granules > 0 => Op::Plain {
                thread,
                granule: random.usize(..shape.granules),
                halves: if shape.halves { random.u8(1..=3) } else { 3 },
                writes: random.u32(..3) == 0,
            },
            _ => Op::Access {
                thread,
                location: random.usize(..shape.locations),
                attempt: attempt(random, shape),
                value: random.u64(..VALUES),
            },
        };
        run.push(op);
    }
    run
}
