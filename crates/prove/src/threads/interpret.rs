//! Abstract interpretation of one thread, with what its loads read left open (AnalyzeTM of paper 002 §5).

use fencepost_budget::Budget;
use fencepost_program::code::{BitSet, Dominators, Flow};
use fencepost_program::{CasKind, Cell, Comparison, Inst, Operand, Program, Value};

use crate::domains::Domain;
use crate::domains::Interval;
use crate::threads::code::{Code, Remembered, Step};

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

    /// The state after an instruction, if there is any.
    fn execute<D: Domain>(&self, node: usize, inst: &Inst, mut state: D, reading: Reading) -> Option<D> {
        if let Some(place) = place(inst) {
            let length = self.program.object(place.object).init.len() as i64;
            if !state.restrict(place.index, Interval::new(0, length - 1)?) {
                return None;
            }
        }
        let ty = |reg: fencepost_program::Reg| self.code.types[reg.0 as usize];
        match *inst {
            Inst::Copy { dst, a } => state.assign_copy(dst, a, ty(dst)),
            Inst::Arithmetic { dst, op, bits, a, b } => {
                if op.divides() && !state.assume(b, true) {
                    return None;
                }
                if !state.assign_arithmetic(dst, op, bits, a, b, ty(dst)) {
                    return None;
                }
            }
            Inst::Unary { dst, op, from, to, a } => state.assign_unary(dst, op, from, to, a, ty(dst)),
            Inst::Select { dst, cond, yes, no } => {
                let chosen = |nonzero: bool, value: Operand| {
                    let mut state = state.clone();
                    state.assume(cond, nonzero).then(|| {
                        state.assign_copy(dst, value, ty(dst));
                        state
                    })
                };
                return match (chosen(true, yes), chosen(false, no)) {
                    (Some(mut a), Some(b)) => {
                        a.join(&b);
                        Some(a)
                    }
                    (a, b) => a.or(b),
                };
            }
            Inst::Choose { dst, lo, hi } => state.assign(dst, Interval::new(lo, hi)?, ty(dst)),
            Inst::Load { dst, .. } => {
                let value = reading.value?;
                let remembered = self.code.remembered(node);
                if let Some(Remembered { register, is_read_back: true }) = remembered {
                    let register = Operand::Reg(register);
                    if !state.restrict(register, value) {
                        return None;
                    }
                    if let Some(dst) = dst {
                        state.assign_copy(dst, register, ty(dst));
                    }
                    return Some(state);
                }
                if let Some(dst) = dst {
                    state.assign(dst, value, ty(dst));
                }
                if let Some(Remembered { register, .. }) = remembered {
                    let fits = |dst: &fencepost_program::Reg| value.meet(Interval::of(ty(*dst))) == Some(value);
                    match dst.filter(fits) {
                        Some(dst) => state.assign_copy(register, Operand::Reg(dst), ty(register)),
                        None => state.assign(register, value, ty(register)),
                    }
                }
            }
            Inst::Rmw { dst, when, .. } => {
                let mut value = reading.value?;
                if let Some((comparison, with)) = when {
                    value = accepted(comparison, value, state.interval(with))?;
                    if comparison == Comparison::Eq && !state.restrict(with, value) {
                        return None;
                    }
                }
                if let Some(dst) = dst {
                    state.assign(dst, value, ty(dst));
                }
            }
            Inst::Wait { dst, comparison, value: with, .. } => {
                let value = accepted(comparison, reading.value?, state.interval(with))?;
                if comparison == Comparison::Eq && !state.restrict(with, value) {
                    return None;
                }
                if let Some(dst) = dst {
                    state.assign(dst, value, ty(dst));
                }
            }
            Inst::Cas { .. } => return self.cas(inst, state, reading),
            Inst::Assert { .. } if !self.stops_at_failure => {}
            Inst::Assert { cond } | Inst::Assume { cond } => return state.assume(cond, true).then_some(state),
            Inst::Store { value, .. } => {
                // What the store writes is known: so is its operand, unless it wraps around.
                let ty = place(inst).map(|p| Interval::of(self.program.object(p.object).ty));
                let operand = state.interval(value);
                if let (Some(written), Some(ty)) = (reading.value, ty)
                    && operand.meet(ty) == Some(operand)
                    && !state.restrict(value, written)
                {
                    return None;
                }
                if let Some(Remembered { register, .. }) = self.code.remembered(node) {
                    state.assign_copy(register, value, self.code.types[register.0 as usize]);
                }
            }
            Inst::Fence { .. } => {}
            // The others are edges of the flow graph, or were refused.
            _ => {}
        }
        Some(state)
    }

    fn cas<D: Domain>(&self, inst: &Inst, state: D, reading: Reading) -> Option<D> {
        let Inst::Cas { old, ok, expected, kind, .. } = *inst else { return Some(state) };
        let value = reading.value?;
        let wanted = state.interval(expected);
        let finish = |mut state: D, read: Interval, success: i64| {
            if let Some(old) = old {
                state.assign(old, read, self.code.types[old.0 as usize]);
            }
            if let Some(ok) = ok {
                state.assign(ok, Interval::constant(success), self.code.types[ok.0 as usize]);
            }
            state
        };
        let success = value.meet(wanted).filter(|_| reading.succeeds != Some(false)).and_then(|both| {
            let mut state = state.clone();
            state.restrict(expected, both).then(|| finish(state, both, 1))
        });
        let left = match (kind, wanted.as_constant()) {
            (CasKind::Strong, Some(wanted)) => value.without(wanted),
            _ => Some(value),
        };
        let failure = left.filter(|_| reading.succeeds != Some(true)).map(|left| finish(state, left, 0));
        match (success, failure) {
            (Some(mut a), Some(b)) => {
                a.join(&b);
                Some(a)
            }
            (a, b) => a.or(b),
        }
    }

    /// The values that the node's store may write from this state; `None` if it writes none.
    pub(crate) fn written<D: Domain>(&self, node: usize, state: &D, reading: Reading) -> Option<Interval> {
        let Step::Do(inst) = &self.code.nodes[node].step else { return None };
        let ty = self.program.object(place(inst)?.object).ty;
        let value = |operand: Operand| state.interval(operand).wrap(ty);
        match *inst {
            Inst::Store { value: v, .. } => Some(value(v)),
            Inst::Rmw { op, operand, when, .. } => {
                let old = match when {
                    Some((comparison, with)) => accepted(comparison, reading.value?, state.interval(with))?,
                    None => reading.value?,
                };
                Some(Interval::updated(op, old, state.interval(operand)).wrap(ty))
            }
            Inst::Cas { expected, desired, .. } => {
                reading.value?.meet(state.interval(expected)).filter(|_| reading.succeeds != Some(false))?;
                Some(value(desired))
            }
            _ => None,
        }
    }
}

/// The values that a wait or a blocking RMW goes on with.
fn accepted(comparison: Comparison, value: Interval, with: Interval) -> Option<Interval> {
    match (comparison, with.as_constant()) {
        (Comparison::Eq, _) => value.meet(with),
        (Comparison::Ne, Some(other)) => value.without(other),
        (Comparison::Ne, None) => Some(value),
        (Comparison::Ge, _) => value.meet(Interval { lo: with.lo, hi: Value::MAX }),
    }
}

/// The cell that an instruction accesses.
pub(crate) fn place(inst: &Inst) -> Option<Cell> {
    inst.place()?.as_cell()
}
