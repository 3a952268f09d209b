//! The location clocks of paper 000, appendix A, literally: clocks that map locations to timestamps. Repaired are what
//! is evidently misprinted (`M̂(τ)` for `M̂(x)`, `:=` for `:⊔=` in lines 10 to 14 and in fences) and line 20, which
//! loses the timestamp of a relaxed write. Synchronisation of other kinds joins all clocks.

use fencepost_clocks::{Attempt, Order};

use super::trace::{CRITICAL, MOST_THREADS, Performed};

type Clock = Vec<i64>;

fn join(into: &mut Clock, from: &Clock) {
    for (into, &from) in into.iter_mut().zip(from) {
        *into = (*into).max(from);
    }
}

/// Clocks along hbSC: T, W and M.
#[derive(Clone)]
struct Sc {
    thread: Vec<Clock>,
    written: Vec<Clock>,
    accessed: Vec<Clock>,
    sync: Vec<Clock>,
}

impl Sc {
    fn new(locations: usize, syncs: usize, entries: usize, initial: i64) -> Sc {
        let clocks = |n| vec![vec![initial; entries]; n];
        Sc {
            thread: clocks(MOST_THREADS),
            written: clocks(locations),
            accessed: clocks(locations),
            sync: clocks(syncs),
        }
    }

    /// UPDATELSC.
    fn update(&mut self, thread: usize, x: usize, writes: bool) {
        if writes {
            join(&mut self.thread[thread], &self.accessed[x]);
            self.accessed[x] = self.thread[thread].clone();
            self.written[x] = self.thread[thread].clone();
        } else {
            join(&mut self.thread[thread], &self.written[x]);
            join(&mut self.accessed[x], &self.thread[thread]);
        }
    }
}

/// Clocks along hb: T_c, T_a, T_r and W.
#[derive(Clone)]
struct Hb {
    current: Vec<Clock>,
    acquire: Vec<Clock>,
    release: Vec<Clock>,
    written: Vec<Clock>,
    sync: Vec<Clock>,
}

impl Hb {
    fn new(locations: usize, syncs: usize) -> Hb {
        let clocks = |n| vec![vec![0; locations]; n];
        Hb {
            current: clocks(MOST_THREADS),
            acquire: clocks(MOST_THREADS),
            release: clocks(MOST_THREADS),
            written: clocks(locations),
            sync: clocks(syncs),
        }
    }

    /// `counts`: the access is a write that this clock counts.
    fn access(&mut self, thread: usize, x: usize, order: Order, reads: bool, writes: bool, counts: bool) {
        if counts {
            self.written[x][x] += 1;
        }
        let timestamp = self.written[x][x];
        self.current[thread][x] = timestamp;
        self.acquire[thread][x] = timestamp;
        if reads {
            join(&mut self.acquire[thread], &self.written[x]);
            if order.is_acquire() {
                join(&mut self.current[thread], &self.written[x]);
            }
        }
        let from = if order.is_release() { &self.current[thread] } else { &self.release[thread] };
        if writes && reads {
            join(&mut self.written[x], from);
        } else if writes {
            self.written[x] = from.clone();
            self.written[x][x] = timestamp;
        }
    }

    fn fence(&mut self, thread: usize, acquire: bool, release: bool) {
        if acquire {
            let seen = self.acquire[thread].clone();
            join(&mut self.current[thread], &seen);
        }
        if release {
            self.release[thread] = self.current[thread].clone();
        }
    }
}

pub struct LocationClocks {
    sc: Sc,
    sc_rmw: Sc,
    /// For each location, a timestamp for each critical value and one for all others.
    values: Sc,
    values_rmw: Sc,
    hb: Hb,
    hb_rmw: Hb,
    memory: Vec<u64>,
    /// The location of SC fences, the last one.
    fence: usize,
}

fn entry(x: usize, value: u64) -> usize {
    x * (CRITICAL as usize + 1) + value.min(CRITICAL) as usize
}

impl LocationClocks {
    pub fn new(locations: usize, syncs: usize) -> LocationClocks {
        let all = locations + 1;
        let values = all * (CRITICAL as usize + 1);
        LocationClocks {
            sc: Sc::new(all, syncs, all, 0),
            sc_rmw: Sc::new(all, syncs, all, 0),
            values: Sc::new(all, syncs, values, -1),
            values_rmw: Sc::new(all, syncs, values, -1),
            hb: Hb::new(all, syncs),
            hb_rmw: Hb::new(all, syncs),
            memory: vec![0; all],
            fence: locations,
        }
    }

    pub fn violates(&self, thread: usize, x: usize, attempt: Attempt) -> bool {
        let aware = self.hb.current[thread][x];
        let aware_rmw = self.hb_rmw.current[thread][x];
        let stale = |value| aware <= self.values.thread[thread][entry(x, value)];
        let stale_rmw = |value| aware_rmw <= self.values_rmw.thread[thread][entry(x, value)];
        match attempt {
            Attempt::Load(_) | Attempt::WeakCas { .. } => aware < self.sc.thread[thread][x],
            Attempt::Store(_) | Attempt::Rmw(_) => aware_rmw < self.sc_rmw.thread[thread][x],
            Attempt::Wait { value, .. } => stale(value),
            Attempt::WaitNot { value, .. } => (0..=CRITICAL).any(|v| v != value && stale(v)),
            Attempt::BlockingCas { expected, .. } => stale_rmw(expected),
            Attempt::StrongCas { expected, .. } => {
                stale_rmw(expected) || (0..=CRITICAL).any(|v| v != expected && stale(v))
            }
        }
    }

    pub fn access(&mut self, thread: usize, x: usize, performed: Performed) {
        match performed {
            Performed::Load(order) => self.step(thread, x, order, true, None),
            Performed::Store(order, value) => self.step(thread, x, order, false, Some(value)),
            Performed::Rmw(order, value) => self.step(thread, x, order, true, Some(value)),
            Performed::Nothing => {}
        }
    }

    fn step(&mut self, thread: usize, x: usize, order: Order, reads: bool, write: Option<u64>) {
        let (writes, counts) = (write.is_some(), write.is_some() && !reads);
        let previous = entry(x, self.memory[x]);
        if writes {
            self.values.accessed[x][previous] = self.sc.written[x][x];
        }
        self.values.update(thread, x, writes);
        if counts {
            self.values_rmw.accessed[x][previous] = self.sc_rmw.written[x][x];
        }
        self.values_rmw.update(thread, x, writes);
        if writes {
            self.sc.accessed[x][x] = self.sc.written[x][x] + 1;
        }
        self.sc.update(thread, x, writes);
        if counts {
            self.sc_rmw.accessed[x][x] = self.sc_rmw.written[x][x] + 1;
        }
        self.sc_rmw.update(thread, x, writes);
        self.hb.access(thread, x, order, reads, writes, writes);
        self.hb_rmw.access(thread, x, order, reads, writes, counts);
        if let Some(value) = write {
            self.memory[x] = value;
        }
    }

    pub fn fence(&mut self, thread: usize, order: Order) {
        if order == Order::SeqCst {
            self.fence(thread, Order::Acquire);
            self.step(thread, self.fence, Order::AcqRel, true, Some(0));
            self.fence(thread, Order::Release);
            return;
        }
        for hb in [&mut self.hb, &mut self.hb_rmw] {
            hb.fence(thread, order.is_acquire(), order.is_release());
        }
    }

    pub fn release(&mut self, thread: usize, sync: usize) {
        for sc in [&mut self.sc, &mut self.sc_rmw, &mut self.values, &mut self.values_rmw] {
            join(&mut sc.sync[sync], &sc.thread[thread]);
        }
        for hb in [&mut self.hb, &mut self.hb_rmw] {
            join(&mut hb.sync[sync], &hb.current[thread]);
        }
    }

    pub fn acquire(&mut self, thread: usize, sync: usize) {
        for sc in [&mut self.sc, &mut self.sc_rmw, &mut self.values, &mut self.values_rmw] {
            join(&mut sc.thread[thread], &sc.sync[sync]);
        }
        for hb in [&mut self.hb, &mut self.hb_rmw] {
            join(&mut hb.current[thread], &hb.sync[sync]);
            join(&mut hb.acquire[thread], &hb.sync[sync]);
        }
    }

    /// What `first` did happens before what `second` does from now on.
    pub fn order(&mut self, first: usize, second: usize) {
        for sc in [&mut self.sc, &mut self.sc_rmw, &mut self.values, &mut self.values_rmw] {
            let known = sc.thread[first].clone();
            join(&mut sc.thread[second], &known);
        }
        for hb in [&mut self.hb, &mut self.hb_rmw] {
            let known = hb.current[first].clone();
            join(&mut hb.current[second], &known);
            join(&mut hb.acquire[second], &known);
        }
    }
}
