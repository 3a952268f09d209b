//! What depends on the value of an operand, and what only passes it on.
//!
//! Under observational robustness a thread may read stale values as long as nothing depends on them (paper 001 §4.1). A
//! *silent* step hands a value on, to a register or to memory that no other thread can reach. Every other use of it is
//! a dependency: one that decides where the thread goes, whether it fails, what other threads read, or what is seen
//! outside.

use crate::state::ThreadState;
use crate::step::{LOCAL_STEPS_LIMIT, Progress};
use crate::unwritten::UNWRITTEN;
use crate::{Answer, ArithmeticOp, Inst, Machine, Operand, Span, Value};

impl Inst {
    /// Calls `depends` with each operand that the instruction depends on; those that it leaves out are passed on.
    ///
    /// `private`: the access goes to memory that no other thread can reach. `known` gives the value of an operand that
    /// is the same in every execution that agrees on what threads have depended on.
    ///
    /// The only such table: the machine, and so every engine and the oracle, and the export to Promela ask here. It has
    /// no default, so that a new instruction, or a new operand of an old one, must decide.
    pub fn for_each_dependency(
        &self,
        private: bool,
        known: impl Fn(Operand) -> Option<Value>,
        mut depends: impl FnMut(Operand),
    ) {
        match self {
            Inst::Arithmetic { op, a, b, .. } => {
                use ArithmeticOp::*;
                match op {
                    UDiv | URem | SDiv | SRem | WrappingDiv | WrappingRem => {
                        if known(*b).is_none_or(|divisor| divisor == 0) {
                            depends(*b);
                        }
                        // The least number divided by -1 overflows.
                        if op.overflows() && known(*b).is_none_or(|divisor| divisor == -1) {
                            depends(*a);
                        }
                    }
                    // C leaves it undefined to shift by the width or more.
                    Shl | LShr | AShr => {
                        if known(*b).is_none() {
                            depends(*b);
                        }
                    }
                    WrappingShl
                    | WrappingShr
                    | Add
                    | Sub
                    | Mul
                    | And
                    | Or
                    | Xor
                    | Eq
                    | Ne
                    | ULt
                    | ULe
                    | SLt
                    | SLe
                    | UMulHigh
                    | SMulHigh
                    | FAdd
                    | FSub
                    | FMul
                    | FDiv
                    | FRem
                    | FCmp { .. }
                    | FMin
                    | FMax
                    | Join => {}
                }
            }
            Inst::Copy { .. } | Inst::Unary { .. } | Inst::Select { .. } => {}
            Inst::Load { dst: _, place, order: _ } => depends(place.operand()),
            Inst::Store { place, value, order: _ } => {
                depends(place.operand());
                if !private {
                    depends(*value);
                }
            }
            Inst::Rmw { dst: _, place, op: _, operand, order: _, when } => {
                depends(place.operand());
                when.iter().for_each(|(_, value)| depends(*value));
                if !private {
                    depends(*operand);
                }
            }
            Inst::Cas { old: _, ok: _, place, expected, desired, success: _, failure: _, kind: _ } => {
                depends(place.operand());
                depends(*expected);
                if !private {
                    depends(*desired);
                }
            }
            Inst::Wait { dst: _, place, comparison: _, value, order: _ } => {
                depends(place.operand());
                depends(*value);
            }
            Inst::Assert { cond } | Inst::Assume { cond } | Inst::Branch { cond, .. } => depends(*cond),
            Inst::Switch { value, .. } => depends(*value),
            // The arguments and results of a call are registers of the thread, whatever is called.
            Inst::Call { .. } | Inst::Return { .. } | Inst::ReturnMany { .. } | Inst::TakeResults { .. } => {}
            Inst::CallPointer { dst: _, target, args: _ } => depends(*target),
            Inst::Spawn { dst: _, function, argument } => {
                depends(*function);
                depends(*argument);
            }
            // It returns the value to the function that stores it for the thread that joins this one.
            Inst::ExitThread { .. } => {}
            Inst::ExitProgram { status } => depends(*status),
            Inst::Print { format: _, args, shown: _ } => args.iter().copied().for_each(depends),
            Inst::Alloc { dst: _, size, alignment, allocation: _, at } => {
                depends(*size);
                depends(*alignment);
                at.iter().copied().for_each(depends);
            }
            Inst::Reuse { dst: _, size } => depends(*size),
            Inst::Free { pointer } | Inst::HeapSize { dst: _, pointer } => depends(*pointer),
            Inst::Fence { .. }
            | Inst::Choose { .. }
            | Inst::Jump { .. }
            | Inst::PrivateAddress { .. }
            | Inst::StackAddress { .. }
            | Inst::ThreadLocalAddress { .. }
            | Inst::CurrentThread { .. }
            | Inst::Fail { .. } => {}
        }
    }
}

impl<'p> Machine<'p> {
    /// The first instruction after an answer that depends on a marked read, and where it stands in the source. Nothing
    /// if there is none before the next action.
    pub fn first_dependency(&self, before: &ThreadState, answer: Answer, marks: u64) -> Option<(&'p Inst, Span)> {
        let mut state = before.clone();
        self.take(&mut state, answer, marks);
        for _ in 0..LOCAL_STEPS_LIMIT {
            let (span, inst, used) = (self.span(&state), self.inst(&state), state.used);
            let progress = self.local_step(&mut state);
            if state.used != used {
                return inst.map(|inst| (inst, span));
            }
            if !matches!(progress, Progress::Local) {
                break;
            }
        }
        None
    }

    /// The marks of the reads that a step of the thread depends on.
    pub(crate) fn dependencies(&self, state: &ThreadState, inst: &Inst, private: bool) -> u64 {
        if state.marks.is_empty() {
            return 0;
        }
        let known = |operand| (self.operand_marks(state, operand) == 0).then(|| self.get(state, operand));
        let mut marks = 0;
        inst.for_each_dependency(private, known, |operand| marks |= self.operand_marks(state, operand));
        match inst {
            Inst::Print { format, args, .. } => marks |= self.printed_marks(state, format, args),
            // What the first function of `main` returns is the status of the program.
            Inst::Return { value: Some(value) } if state.depth == 0 => marks |= self.operand_marks(state, *value),
            _ => {}
        }
        marks & !UNWRITTEN
    }

    /// The marks that the next action depends on.
    pub fn action_marks(&self, state: &ThreadState) -> u64 {
        match self.inst(state) {
            Some(inst) if state.stuck.is_none() => self.dependencies(state, inst, false),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Reg, Value};

    const A: Operand = Operand::Reg(Reg(0));
    const B: Operand = Operand::Reg(Reg(1));

    /// Which operands of `a op b` it depends on, if the value of `b` is known or not.
    fn depends(op: ArithmeticOp, known: Option<Value>) -> (bool, bool) {
        let (mut a, mut b) = (false, false);
        let inst = Inst::Arithmetic { dst: Reg(2), op, bits: 32, a: A, b: B };
        let value = |operand| known.filter(|_| operand == B);
        inst.for_each_dependency(false, value, |operand| {
            a |= operand == A;
            b |= operand == B;
        });
        (a, b)
    }

    #[test]
    fn what_arithmetic_does_not_depend_on_cannot_make_it_fail() {
        let least = crate::smallest(32);
        let values = [least, -2, -1, 0, 1, 2, 5];
        for op in ArithmeticOp::INTEGER {
            for (a, b) in values.into_iter().flat_map(|a| values.map(|b| (a, b))) {
                let succeeds = |a, b| op.apply(32, a, b).is_some();
                let (on_a, on_b) = depends(op, None);
                for other in values {
                    assert!(on_a || succeeds(a, b) == succeeds(other, b), "{op:?}: {a} or {other}, {b}");
                    assert!(on_b || succeeds(a, b) == succeeds(a, other), "{op:?}: {a}, {b} or {other}");
                    let (on_a, _) = depends(op, Some(b));
                    assert!(on_a || succeeds(a, b) == succeeds(other, b), "{op:?}: {a} or {other}, known {b}");
                }
            }
        }
    }

    #[test]
    fn a_known_operand_that_can_do_no_harm_is_passed_on() {
        use ArithmeticOp::*;
        assert_eq!(depends(SDiv, Some(3)), (false, false));
        assert_eq!(depends(SDiv, Some(-1)), (true, false));
        assert_eq!(depends(UDiv, Some(-1)), (false, false));
        assert_eq!(depends(Shl, Some(3)), (false, false));
        assert_eq!(depends(Shl, None), (false, true));
        assert_eq!(depends(WrappingShl, None), (false, false));
        assert_eq!(depends(WrappingDiv, None), (false, true));
        assert_eq!(depends(WrappingDiv, Some(-1)), (false, false));
    }

    #[test]
    fn what_is_stored_matters_where_others_can_read_it() {
        let pointer = crate::Memory::aligned(A, 0, 8);
        let store = Inst::Store { place: crate::Place::Memory(pointer), value: B, order: crate::Ordering::NonAtomic };
        for (private, expected) in [(true, vec![A]), (false, vec![A, B])] {
            let mut found = Vec::new();
            store.for_each_dependency(private, |_| None, |operand| found.push(operand));
            assert_eq!(found, expected);
        }
    }
}
