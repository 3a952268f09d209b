//! Integers of 128 bits, as two words: the low one first.

use fencepost_llvm::{Binary, Cast, Instruction, IntPredicate, LocalId, Op, Operand as Value, Type, TypeId};
use fencepost_program::{ArithmeticOp, CasKind, Inst, Operand, Reg, UnaryOp, Value as Word};

use super::function::FunctionLowering;
use super::globals::{Unsupported, arithmetic};
use super::instructions::ordering;

/// The low and the high word.
pub(super) type Wide = [Operand; 2];

const ZERO: Operand = Operand::Const(0);

impl FunctionLowering<'_, '_> {
    pub(super) fn is_wide(&self, ty: TypeId) -> bool {
        matches!(self.module.types.get(ty), Type::Int(128))
    }

    /// Lowers an operation on integers of 128 bits. Returns false if the instruction is none.
    pub(super) fn wide_operation(&mut self, instruction: &Instruction) -> Result<bool, Unsupported> {
        let result = instruction.result;
        match &instruction.op {
            Op::Binary { op, ty, a, b } if self.is_wide(*ty) => {
                let (a, b) = (self.wide(*ty, *a)?, self.wide(*ty, *b)?);
                self.wide_arithmetic(result, *op, a, b)?;
            }
            Op::ICmp { predicate, ty, a, b } if self.is_wide(*ty) => {
                let (a, b) = (self.wide(*ty, *a)?, self.wide(*ty, *b)?);
                let holds = self.wide_comparison(*predicate, a, b);
                self.set_all(result, vec![holds])?;
            }
            Op::Cast { op, from, value, to } if self.is_wide(*from) || self.is_wide(*to) => {
                self.wide_cast(result, *op, *from, *value, *to)?;
            }
            Op::Switch { ty, .. } if self.is_wide(*ty) => {
                return Err("a `switch` over an integer of 128 bits".to_owned());
            }
            Op::Load { ty, ordering: Some(_), .. }
            | Op::Store { ty, ordering: Some(_), .. }
            | Op::AtomicRmw { ty, .. }
            | Op::CmpXchg { ty, .. }
                if self.is_wide(*ty) =>
            {
                self.wide_access(instruction)?
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Lowers an atomic access to 16 bytes. It reads and writes the names of values.
    fn wide_access(&mut self, instruction: &Instruction) -> Result<(), Unsupported> {
        let read = self.temporary();
        let (dst, mut done) = (Some(read), None);
        match &instruction.op {
            Op::Load { alignment: Some(16..), .. } | Op::Store { alignment: Some(16..), .. } => {}
            Op::Load { pointer, .. }
            | Op::Store { pointer, .. }
            | Op::AtomicRmw { pointer, .. }
            | Op::CmpXchg { pointer, .. } => {
                let pointer = self.value(*pointer)?;
                self.must_be_aligned(pointer);
            }
            _ => {}
        }
        match &instruction.op {
            Op::Load { ty, pointer, ordering: order, .. } => {
                let place = self.atomic_place(*ty, *pointer)?;
                self.emit(Inst::Load { dst, place, order: ordering(*order) });
            }
            Op::Store { ty, value, pointer, ordering: order, .. } => {
                let (place, value) = (self.atomic_place(*ty, *pointer)?, self.atomic_value(*ty, *value)?);
                self.emit(Inst::Store { place, value, order: ordering(*order) });
                return Ok(());
            }
            Op::AtomicRmw { op, ty, pointer, value, ordering: order } => {
                let (place, op) = (self.atomic_place(*ty, *pointer)?, self.update(*op)?);
                let operand = self.atomic_value(*ty, *value)?;
                self.emit(Inst::Rmw { dst, place, op, operand, order: ordering(Some(*order)), when: None });
            }
            Op::CmpXchg { weak, ty, pointer, expected, desired, success, failure } => {
                let place = self.atomic_place(*ty, *pointer)?;
                let (expected, desired) = (self.atomic_value(*ty, *expected)?, self.atomic_value(*ty, *desired)?);
                let kind = if *weak { CasKind::Weak } else { CasKind::Strong };
                let (success, failure) = (ordering(Some(*success)), ordering(Some(*failure)));
                done = Some(self.temporary());
                self.emit(Inst::Cas { old: dst, ok: done, place, expected, desired, success, failure, kind });
            }
            _ => unreachable!("an atomic access"),
        }
        let halves = self.halves(Operand::Reg(read));
        self.set_all(instruction.result, halves.into_iter().chain(done.map(Operand::Reg)).collect())
    }

    fn wide(&mut self, ty: TypeId, value: Value) -> Result<Wide, Unsupported> {
        match self.values(ty, value)?[..] {
            [low, high] => Ok([low, high]),
            _ => Err("a value of two types".to_owned()),
        }
    }

    /// The word that names two.
    pub(super) fn joined(&mut self, [low, high]: Wide) -> Operand {
        self.word(ArithmeticOp::Join, low, high)
    }

    /// The words that one names.
    pub(super) fn halves(&mut self, name: Operand) -> Wide {
        [UnaryOp::LowHalf, UnaryOp::HighHalf].map(|op| self.converted(op, 64, 64, name))
    }

    /// A value as the word that an atomic access reads or writes.
    pub(super) fn atomic_value(&mut self, ty: TypeId, value: Value) -> Result<Operand, Unsupported> {
        if !self.is_wide(ty) {
            return self.value(value);
        }
        let wide = self.wide(ty, value)?;
        Ok(self.joined(wide))
    }

    /// A word that is computed from others.
    pub(super) fn word(&mut self, op: ArithmeticOp, a: Operand, b: Operand) -> Operand {
        let dst = self.temporary();
        self.arithmetic(dst, op, 64, a, b);
        Operand::Reg(dst)
    }

    pub(super) fn chosen(&mut self, cond: Operand, yes: Operand, no: Operand) -> Operand {
        let dst = self.temporary();
        self.emit(Inst::Select { dst, cond, yes, no });
        Operand::Reg(dst)
    }

    fn wide_arithmetic(&mut self, result: Option<LocalId>, op: Binary, a: Wide, b: Wide) -> Result<(), Unsupported> {
        use ArithmeticOp::{AShr, Add, LShr, Mul, UMulHigh};
        let values = match op {
            Binary::And | Binary::Or | Binary::Xor | Binary::Add | Binary::Sub => {
                self.wide_update(arithmetic(op), a, b)
            }
            Binary::Mul => {
                let low = self.word(Mul, a[0], b[0]);
                let carried = self.word(UMulHigh, a[0], b[0]);
                let (left, right) = (self.word(Mul, a[0], b[1]), self.word(Mul, a[1], b[0]));
                let crossed = self.word(Add, left, right);
                [low, self.word(Add, carried, crossed)]
            }
            Binary::Shl => self.wide_left_shift(a, b[0]),
            Binary::LShr => self.wide_right_shift(a, b[0], LShr),
            Binary::AShr => self.wide_right_shift(a, b[0], AShr),
            Binary::UDiv | Binary::URem | Binary::SDiv | Binary::SRem => {
                let name = match op {
                    Binary::UDiv => "__udivti3",
                    Binary::URem => "__umodti3",
                    Binary::SDiv => "__divti3",
                    _ => "__modti3",
                };
                let values = self.call_library_for_two(name, [a, b].concat())?;
                return self.set_all(result, values.to_vec());
            }
            Binary::FAdd | Binary::FSub | Binary::FMul | Binary::FDiv | Binary::FRem => {
                return Err("arithmetic of floats on integers".to_owned());
            }
        };
        self.set_all(result, values.to_vec())
    }

    /// A sum, a difference, or an operation on each bit.
    pub(super) fn wide_update(&mut self, op: ArithmeticOp, a: Wide, b: Wide) -> Wide {
        let [low, high] = [0, 1].map(|i| self.word(op, a[i], b[i]));
        let carry = match op {
            ArithmeticOp::Add => self.word(ArithmeticOp::ULt, low, a[0]),
            ArithmeticOp::Sub => self.word(ArithmeticOp::ULt, a[0], b[0]),
            _ => return [low, high],
        };
        [low, self.word(op, high, carry)]
    }

    /// Whether a distance is 64 or more, and what is left of it then.
    fn wide_distance(&mut self, distance: Operand) -> (Operand, Operand, Operand) {
        let far = self.word(ArithmeticOp::And, distance, Operand::Const(64));
        let within = self.word(ArithmeticOp::And, distance, Operand::Const(63));
        let rest = self.word(ArithmeticOp::Sub, Operand::Const(63), within);
        (far, within, rest)
    }

    fn wide_left_shift(&mut self, a: Wide, distance: Operand) -> Wide {
        use ArithmeticOp::{LShr, Or, Shl};
        let (far, within, rest) = self.wide_distance(distance);
        let low = self.word(Shl, a[0], within);
        let high = self.word(Shl, a[1], within);
        // By 64 in all, in two steps, because a distance of 64 is none.
        let out = self.word(LShr, a[0], Operand::Const(1));
        let out = self.word(LShr, out, rest);
        let high = self.word(Or, high, out);
        [self.chosen(far, ZERO, low), self.chosen(far, low, high)]
    }

    fn wide_right_shift(&mut self, a: Wide, distance: Operand, shift: ArithmeticOp) -> Wide {
        use ArithmeticOp::{LShr, Or, Shl};
        let (far, within, rest) = self.wide_distance(distance);
        let high = self.word(shift, a[1], within);
        let low = self.word(LShr, a[0], within);
        let out = self.word(Shl, a[1], Operand::Const(1));
        let out = self.word(Shl, out, rest);
        let low = self.word(Or, low, out);
        let sign = if shift == LShr { ZERO } else { self.word(shift, a[1], Operand::Const(63)) };
        [self.chosen(far, high, low), self.chosen(far, sign, high)]
    }

    fn wide_comparison(&mut self, predicate: IntPredicate, a: Wide, b: Wide) -> Operand {
        use ArithmeticOp::{And, Eq, Or, SLt, ULe, ULt};
        let same_high = self.word(Eq, a[1], b[1]);
        let (a, b, high, low) = match predicate {
            IntPredicate::Eq | IntPredicate::Ne => {
                let same_low = self.word(Eq, a[0], b[0]);
                let same = self.word(And, same_low, same_high);
                return match predicate {
                    IntPredicate::Eq => same,
                    _ => self.word(Eq, same, ZERO),
                };
            }
            IntPredicate::Ult => (a, b, ULt, ULt),
            IntPredicate::Ule => (a, b, ULt, ULe),
            IntPredicate::Ugt => (b, a, ULt, ULt),
            IntPredicate::Uge => (b, a, ULt, ULe),
            IntPredicate::Slt => (a, b, SLt, ULt),
            IntPredicate::Sle => (a, b, SLt, ULe),
            IntPredicate::Sgt => (b, a, SLt, ULt),
            IntPredicate::Sge => (b, a, SLt, ULe),
        };
        let by_high = self.word(high, a[1], b[1]);
        let by_low = self.word(low, a[0], b[0]);
        let by_low = self.word(And, same_high, by_low);
        self.word(Or, by_high, by_low)
    }

    fn wide_cast(
        &mut self,
        result: Option<LocalId>,
        op: Cast,
        from: TypeId,
        value: Value,
        to: TypeId,
    ) -> Result<(), Unsupported> {
        let values = match (op, self.is_wide(from), self.is_wide(to)) {
            (Cast::BitCast, true, true) => self.values(from, value)?,
            (Cast::Trunc | Cast::PtrToInt, true, false) => {
                let (bits, [low, _]) = (self.bits(to)?, self.wide(from, value)?);
                vec![self.converted(UnaryOp::Trunc, 64, bits, low)]
            }
            (Cast::ZExt | Cast::PtrToInt, false, true) => {
                let (bits, value) = (self.bits(from)?, self.value(value)?);
                vec![self.converted(UnaryOp::ZExt, bits, 64, value), ZERO]
            }
            (Cast::SExt, false, true) => {
                let (bits, value) = (self.bits(from)?, self.value(value)?);
                let low = self.converted(UnaryOp::SExt, bits, 64, value);
                vec![low, self.word(ArithmeticOp::AShr, low, Operand::Const(63))]
            }
            (Cast::IntToPtr, true, false) => vec![self.wide(from, value)?[0]],
            _ => return Err("a conversion between an integer of 128 bits and another type".to_owned()),
        };
        self.set_all(result, values)
    }

    pub(super) fn converted(&mut self, op: UnaryOp, from: u8, to: u8, a: Operand) -> Operand {
        let dst = self.temporary();
        self.emit(Inst::Unary { dst, op, from, to, a });
        Operand::Reg(dst)
    }

    /// Calls a function of our library that returns two words.
    fn call_library_for_two(&mut self, name: &str, args: Vec<Operand>) -> Result<Wide, Unsupported> {
        let (low, high) = (self.temporary(), self.temporary());
        self.call_library_into(Some(low), name, args)?;
        self.emit(Inst::TakeResults { dsts: vec![high] });
        Ok([Operand::Reg(low), Operand::Reg(high)])
    }
}

/// The two words of a constant.
pub(super) fn words(value: i128) -> [Word; 2] {
    [value as Word, (value >> 64) as Word]
}

/// Registers one after the other.
pub(super) fn consecutive(first: u32, count: usize) -> impl Iterator<Item = Reg> {
    (first..first + count as u32).map(Reg)
}
