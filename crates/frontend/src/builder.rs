//! Builds a [`Function`] from text: temporaries, and the folding of constants.

use crate::diagnostic::Diagnostic;
use crate::limits;
use crate::text::{Lines, TextRange};
use fencepost_program::code::{Builder, Label};
use fencepost_program::{ArithmeticOp, Function, Inst, Operand, Reg, Ty, UnaryOp};

/// The width of all values of `.fp` and `.litmus`.
pub(crate) const BITS: u8 = 64;

pub(crate) struct FunctionBuilder<'a> {
    lines: &'a Lines<'a>,
    code: Builder,
    temporaries: Vec<Reg>,
    temporaries_in_use: usize,
}

impl<'a> FunctionBuilder<'a> {
    pub(crate) fn new(name: impl Into<String>, lines: &'a Lines<'a>) -> FunctionBuilder<'a> {
        FunctionBuilder { lines, code: Builder::new(name), temporaries: Vec::new(), temporaries_in_use: 0 }
    }

    /// The next parameter; all of them come before the other registers.
    pub(crate) fn parameter(&mut self, name: &str) -> Reg {
        self.code.parameter(name)
    }

    pub(crate) fn variable(&mut self, name: &str, ty: Ty) -> Reg {
        self.code.variable(name, ty)
    }

    pub(crate) fn set_type(&mut self, reg: Reg, ty: Ty) {
        self.code.function.registers[reg.0 as usize].ty = ty;
    }

    /// A register for a value that no statement after this one needs.
    pub(crate) fn temporary(&mut self) -> Reg {
        if self.temporaries_in_use == self.temporaries.len() {
            self.temporaries.push(self.code.temporary());
        }
        self.temporaries_in_use += 1;
        self.temporaries[self.temporaries_in_use - 1]
    }

    /// Between statements: the temporaries may be used again.
    pub(crate) fn release_temporaries(&mut self) {
        self.temporaries_in_use = 0;
    }

    pub(crate) fn emit(&mut self, inst: Inst, range: TextRange) {
        self.code.at(self.lines.span(range));
        self.code.push(inst);
    }

    pub(crate) fn label(&mut self) -> Label {
        self.code.label()
    }

    /// Puts a label before the next instruction.
    pub(crate) fn here(&mut self, label: Label) {
        self.code.here(label);
    }

    pub(crate) fn jump(&mut self, to: Label, range: TextRange) {
        self.code.at(self.lines.span(range));
        self.code.jump(to);
    }

    pub(crate) fn branch(&mut self, cond: Operand, yes: Label, no: Label, range: TextRange) {
        self.code.at(self.lines.span(range));
        match cond {
            Operand::Const(0) => self.code.jump(no),
            Operand::Const(_) => self.code.jump(yes),
            Operand::Reg(_) => self.code.branch(cond, yes, no),
        }
    }

    /// Makes `dst` hold `value`, unless the value was computed there.
    pub(crate) fn copy(&mut self, dst: Reg, value: Operand, range: TextRange) {
        if value != Operand::Reg(dst) {
            self.emit(Inst::Copy { dst, a: value }, range);
        }
    }

    /// Computes into `into` or a temporary, or not at all if the operand is constant.
    pub(crate) fn unary(&mut self, op: UnaryOp, a: Operand, into: Option<Reg>, range: TextRange) -> Operand {
        if let Operand::Const(a) = a {
            return Operand::Const(op.apply(BITS, BITS, a));
        }
        let dst = into.unwrap_or_else(|| self.temporary());
        self.emit(Inst::Unary { dst, op, from: BITS, to: BITS, a }, range);
        Operand::Reg(dst)
    }

    /// As [`FunctionBuilder::unary`]. A constant division by zero stays: it is an error only if it runs.
    pub(crate) fn binary(
        &mut self,
        op: ArithmeticOp,
        a: Operand,
        b: Operand,
        into: Option<Reg>,
        range: TextRange,
    ) -> Operand {
        if let (Operand::Const(a), Operand::Const(b)) = (a, b)
            && let Some(value) = op.apply(BITS, a, b)
        {
            return Operand::Const(value);
        }
        let dst = into.unwrap_or_else(|| self.temporary());
        self.emit(Inst::Arithmetic { dst, op, bits: BITS, a, b }, range);
        Operand::Reg(dst)
    }

    /// `cond ? a : b` for a condition that is 0 or 1, as `b + cond * (a - b)`: a branch would be a control dependency.
    pub(crate) fn select(
        &mut self,
        cond: Operand,
        a: Operand,
        b: Operand,
        into: Option<Reg>,
        range: TextRange,
    ) -> Operand {
        match cond {
            Operand::Const(0) => b,
            Operand::Const(_) => a,
            Operand::Reg(_) => {
                let difference = self.binary(ArithmeticOp::Sub, a, b, None, range);
                let chosen = self.binary(ArithmeticOp::Mul, cond, difference, None, range);
                self.binary(ArithmeticOp::Add, b, chosen, into, range)
            }
        }
    }

    /// Resolves the jumps and drops what cannot be reached. `range` is where to complain about the whole.
    pub(crate) fn finish(self, range: TextRange) -> Result<Function, Diagnostic> {
        let mut function = self.code.finish();
        if function.code.len() > limits::INSTRUCTIONS || function.registers.len() > limits::REGISTERS {
            let (instructions, registers) = (limits::INSTRUCTIONS, limits::REGISTERS);
            let limit = format!("at most {instructions} instructions and {registers} registers");
            return Err(Diagnostic::new("this is too large", range, limit));
        }
        function.note_assertions();
        function.thread_jumps();
        Ok(function)
    }
}
