//! What an instruction makes of a state, and what it may write.

use fencepost_program::{CasKind, Comparison, Inst, Operand, Reg, Value};

use crate::domains::{Domain, Interval};
use crate::threads::code::{Remembered, Step};
use crate::threads::interpret::{Interpreter, Reading, place};

impl Interpreter<'_> {
    /// The state after an instruction, if there is any.
    pub(super) fn execute<D: Domain>(&self, node: usize, inst: &Inst, mut state: D, reading: Reading) -> Option<D> {
        if let Some(place) = place(inst) {
            let length = self.program.object(place.object).init.len() as i64;
            if !state.restrict(place.index, Interval::new(0, length - 1)?) {
                return None;
            }
        }
        let ty = |reg: Reg| self.code.types[reg.0 as usize];
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
            Inst::Load { dst, .. } => return self.load(node, dst, state, reading.value?),
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
            Inst::Store { .. } => return self.store(node, inst, state, reading),
            Inst::Fence { .. } => {}
            // The others are edges of the flow graph, or were refused.
            _ => {}
        }
        Some(state)
    }

    fn load<D: Domain>(&self, node: usize, dst: Option<Reg>, mut state: D, value: Interval) -> Option<D> {
        let ty = |reg: Reg| self.code.types[reg.0 as usize];
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
            let fits = |dst: &Reg| value.meet(Interval::of(ty(*dst))) == Some(value);
            match dst.filter(fits) {
                Some(dst) => state.assign_copy(register, Operand::Reg(dst), ty(register)),
                None => state.assign(register, value, ty(register)),
            }
        }
        Some(state)
    }

    fn store<D: Domain>(&self, node: usize, inst: &Inst, mut state: D, reading: Reading) -> Option<D> {
        let Inst::Store { value, .. } = *inst else { return Some(state) };
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
