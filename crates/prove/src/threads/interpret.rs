//! Abstract interpretation of one thread, with what its loads read left open (AnalyzeTM of paper 002 §5).

use fencepost_budget::Budget;
use fencepost_program::code::{BitSet, Dominators, Flow};
use fencepost_program::{Cell, Inst, Program};

use crate::domains::Domain;
use crate::domains::Interval;
use crate::threads::code::{Code, Step};

/// What an access is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reading {
    /// What it reads. `None`: there is nothing that it could read, so it is not executed. For a store, what it is known
    /// to write, if anything.
    pub(crate) value: Option<Interval>,
    /// Whether a CAS succeeds, where that is decided.
    pub(crate) succeeds: Option<bool>,
}

pub(crate) struct Interpreter<'a> {
    pub(crate) program: &'a Program,
    pub(crate) code: &'a Code,
    pub(crate) flow: &'a Flow,
    /// Whether a failed assertion keeps the thread from whatever follows it.
    pub(crate) stops_at_failure: bool,
    /// Nodes that the thread certainly gets to.
    pub(crate) required: &'a [usize],
    pub(crate) budget: &'a Budget,
}

/// What is known before each node; `None` for one that cannot be reached.
#[derive(Clone)]
pub(crate) struct States<D> {
    pub(crate) before: Vec<Option<D>>,
    /// For each node, which of its successors can follow it, a bit each.
    pub(crate) taken: Vec<u8>,
}

impl<D> States<D> {
    /// What every path to a node goes through, among the paths that are left open.
    pub(crate) fn dominators(&self, code: &Code, flow: &Flow) -> Dominators {
        let is_open = |at: usize, child: usize| {
            self.taken[at] >> child & 1 == 1 && self.before[code.nodes[at].next[child] as usize].is_some()
        };
        Dominators::of(code, flow, is_open)
    }
}

/// Number of visits of a loop head before it is widened.
const VISITS_BEFORE_WIDENING: u32 = 4;
const NARROWINGS: usize = 2;

impl Interpreter<'_> {
    /// The least fixpoint over the nodes in `allowed`, by widening, then some steps down again.
    pub(crate) fn run<D: Domain>(&self, allowed: &BitSet, read: &dyn Fn(usize) -> Reading) -> States<D> {
        let start = allowed.contains(0).then(|| (0, D::start(&self.code.types)));
        let (mut states, went_back) = self.fixpoint(start.into_iter().collect(), allowed, read);
        if went_back {
            for _ in 0..NARROWINGS {
                states = self.narrowed(&states, allowed, read);
            }
        }
        states
    }

    /// What can be reached from some nodes, with what is known there.
    pub(crate) fn run_from<D: Domain>(
        &self,
        seeds: Vec<(usize, D)>,
        allowed: &BitSet,
        read: &dyn Fn(usize) -> Reading,
    ) -> States<D> {
        self.fixpoint(seeds, allowed, read).0
    }

    /// What a node is followed by.
    pub(crate) fn after<D: Domain>(
        &self,
        node: usize,
        state: &D,
        allowed: &BitSet,
        read: &dyn Fn(usize) -> Reading,
    ) -> Vec<(usize, D)> {
        self.step(node, state, read, allowed, &mut 0).collect()
    }

    /// And whether some loop was gone through more than once.
    fn fixpoint<D: Domain>(
        &self,
        seeds: Vec<(usize, D)>,
        allowed: &BitSet,
        read: &dyn Fn(usize) -> Reading,
    ) -> (States<D>, bool) {
        let n = self.code.nodes.len();
        let mut states: States<D> = States { before: vec![None; n], taken: vec![0; n] };
        let mut dirty = BitSet::new(n);
        for (node, state) in seeds {
            dirty.insert(node);
            match &mut states.before[node] {
                Some(old) => old.join(&state),
                none => *none = Some(state),
            }
        }
        let mut visits = vec![0u32; n];
        let mut again = true;
        let mut went_back = false;
        while again {
            again = false;
            for &node in &self.flow.order {
                let node = node as usize;
                if !dirty.contains(node) {
                    continue;
                }
                if self.budget.is_spent() {
                    return (states, false);
                }
                dirty.remove(node);
                let Some(state) = &states.before[node] else { continue };
                for (next, out) in self.step(node, state, read, allowed, &mut states.taken[node]) {
                    let is_head = self.flow.heads.contains(next);
                    let changed = match &mut states.before[next] {
                        Some(old) => {
                            let before = old.clone();
                            if is_head && visits[next] > VISITS_BEFORE_WIDENING {
                                old.widen(&out);
                            } else {
                                old.join(&out);
                            }
                            before != *old
                        }
                        none => {
                            *none = Some(out);
                            true
                        }
                    };
                    if changed {
                        visits[next] += 1;
                        dirty.insert(next);
                        again |= is_head;
                        went_back |= is_head;
                    }
                }
            }
        }
        (states, went_back)
    }

    /// One step down from a post-fixpoint is still above everything that can happen.
    fn narrowed<D: Domain>(&self, states: &States<D>, allowed: &BitSet, read: &dyn Fn(usize) -> Reading) -> States<D> {
        let n = states.before.len();
        let mut below = States { before: vec![None; n], taken: vec![0; n] };
        below.before[0] = Some(D::start(&self.code.types));
        let add = |below: &mut States<D>, next: usize, out: D| match &mut below.before[next] {
            Some(old) => old.join(&out),
            none => *none = Some(out),
        };
        // What comes back along loops is still that of the states above; everything else is new.
        for &node in &self.flow.order {
            let node = node as usize;
            let Some(state) = &states.before[node] else { continue };
            for (next, out) in self.step(node, state, read, allowed, &mut 0) {
                if self.flow.goes_back(node, next) {
                    add(&mut below, next, out);
                }
            }
        }
        for &node in &self.flow.order {
            if self.budget.is_spent() {
                return below;
            }
            let node = node as usize;
            let Some(state) = below.before[node].clone() else { continue };
            let mut taken = 0;
            for (next, out) in self.step(node, &state, read, allowed, &mut taken) {
                if !self.flow.goes_back(node, next) {
                    add(&mut below, next, out);
                }
            }
            below.taken[node] = taken;
        }
        below
    }

    /// The states after a node, one for each successor that can follow it.
    fn step<D: Domain>(
        &self,
        node: usize,
        state: &D,
        read: &dyn Fn(usize) -> Reading,
        allowed: &BitSet,
        taken: &mut u8,
    ) -> impl Iterator<Item = (usize, D)> + use<D> {
        let next = &self.code.nodes[node].next;
        let may = |i: usize| {
            let to = next.get(i).map(|&n| n as usize).filter(|&n| allowed.contains(n))?;
            // Where there is one way only, it leads wherever its node does, and no other node is allowed.
            let room = next.len() == 1 || self.required.iter().all(|&r| self.flow.leaves_room_for(node, to, r));
            room.then_some(to)
        };
        let (mut yes, mut no) = (None, None);
        match &self.code.nodes[node].step {
            Step::End => {}
            Step::Nothing => yes = may(0).map(|to| (to, state.clone())),
            Step::Either => {
                yes = may(0).map(|to| (to, state.clone()));
                no = may(1).map(|to| (to, state.clone()));
            }
            Step::Branch(cond) => {
                let assumed = |to: usize, nonzero: bool| {
                    let mut state = state.clone();
                    state.assume(*cond, nonzero).then_some((to, state))
                };
                yes = may(0).and_then(|to| assumed(to, true));
                no = may(1).and_then(|to| assumed(to, false));
            }
            Step::Do(inst) => {
                let asks = inst.place().is_some();
                let reading = if asks { read(node) } else { Reading { value: None, succeeds: None } };
                yes = may(0).and_then(|to| Some((to, self.execute(node, inst, state.clone(), reading)?)));
            }
        }
        *taken = yes.is_some() as u8 | (no.is_some() as u8) << 1;
        yes.into_iter().chain(no)
    }
}

/// The cell that an instruction accesses.
pub(crate) fn place(inst: &Inst) -> Option<Cell> {
    inst.place()?.as_cell()
}
