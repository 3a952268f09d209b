//! Runs around critical cycles: each of some threads accesses one location and then the next, so that the last access
//! can close a cycle that SC forbids. Random runs seldom come near such a cycle; these nearly always do.

use fastrand::Rng;
use fencepost_clocks::{Attempt, Order};

use super::trace::{Op, Shape, VALUES};

fn one_of<T: Copy>(random: &mut Rng, from: &[T]) -> T {
    from[random.usize(..from.len())]
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Read,
    Write,
    Rmw,
}

fn access(random: &mut Rng, thread: usize, location: usize, kind: Kind, sc: u32) -> Op {
    use Order::{AcqRel, Acquire, Relaxed, Release, SeqCst};
    let is_sc = random.u32(..4) < sc;
    let order = match kind {
        _ if is_sc => SeqCst,
        Kind::Read => one_of(random, &[Relaxed, Acquire]),
        Kind::Write => one_of(random, &[Relaxed, Release]),
        Kind::Rmw => one_of(random, &[Relaxed, Acquire, Release, AcqRel]),
    };
    let attempt = match kind {
        Kind::Read => Attempt::Load(order),
        Kind::Write => Attempt::Store(order),
        Kind::Rmw => Attempt::Rmw(order),
    };
    Op::Access { thread, location, attempt, value: random.u64(1..VALUES) }
}

fn kind(random: &mut Rng) -> Kind {
    one_of(random, &[Kind::Read, Kind::Read, Kind::Read, Kind::Write, Kind::Write, Kind::Write, Kind::Rmw])
}

/// A run of `shape.threads` threads on as many locations.
pub fn random(random: &mut Rng, shape: &Shape) -> Vec<Op> {
    let threads = shape.threads;
    let sc = if shape.sc { random.u32(..4) } else { 0 };
    let kinds: Vec<(Kind, Kind)> = (0..threads).map(|_| (kind(random), kind(random))).collect();
    let mut code: Vec<Vec<Op>> = Vec::new();
    for thread in 0..threads {
        let (mut first, second) = kinds[thread];
        let before = kinds[(thread + threads - 1) % threads].1;
        if before == Kind::Read && first == Kind::Read {
            first = Kind::Write;
        }
        let mut ops = vec![access(random, thread, thread, first, sc)];
        while random.u32(..20) < shape.fences {
            let order = one_of(random, &[Order::Acquire, Order::Release, Order::SeqCst, Order::SeqCst, Order::SeqCst]);
            ops.push(Op::Fence { thread, order });
        }
        ops.push(access(random, thread, (thread + 1) % threads, second, sc));
        // Something more, anywhere.
        while random.u32(..4) == 0 {
            let (location, kind) = (random.usize(..threads), kind(random));
            let extra = access(random, thread, location, kind, sc);
            ops.insert(random.usize(..=ops.len()), extra);
        }
        code.push(ops);
    }
    let mut run = Vec::new();
    let mut thread = 0;
    while code.iter().any(|ops| !ops.is_empty()) {
        if code[thread].is_empty() || random.u32(..3) == 0 {
            let left: Vec<usize> = (0..threads).filter(|&t| !code[t].is_empty()).collect();
            thread = one_of(random, &left);
        }
        run.push(code[thread].remove(0));
    }
    run
}
