//! Builds a [`Function`]: jumps to labels that are placed later, temporaries, and the folding of constants.

use crate::diagnostic::Diagnostic;
use crate::limits;
use crate::text::{Lines, TextRange};
use fencepost_program::{BinaryOp, Function, Inst, Operand, Reg, Ty, UnaryOp, Value};

/// A place in the code that a jump can name before it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JumpTarget(u32);

pub(crate) struct FunctionBuilder<'a> {
    lines: &'a Lines<'a>,
    /// Until [`FunctionBuilder::finish`], its jumps hold indices into `targets`.
    function: Function,
    targets: Vec<Option<u32>>,
    temporaries: Vec<Reg>,
    temporaries_in_use: usize,
}

impl<'a> FunctionBuilder<'a> {
    pub(crate) fn new(name: impl Into<String>, lines: &'a Lines<'a>) -> FunctionBuilder<'a> {
        let function = Function { name: name.into(), ..Function::default() };
        FunctionBuilder { lines, function, targets: Vec::new(), temporaries: Vec::new(), temporaries_in_use: 0 }
    }

    /// The next parameter; all of them come before the other registers.
    pub(crate) fn parameter(&mut self, name: &str) -> Reg {
        self.function.params += 1;
        self.register(name, Ty::Int)
    }

    pub(crate) fn register(&mut self, name: &str, ty: Ty) -> Reg {
        let reg = Reg(self.function.registers.len() as u32);
        self.function.registers.push((name.to_owned(), ty));
        reg
    }

    pub(crate) fn set_type(&mut self, reg: Reg, ty: Ty) {
        self.function.registers[reg.0 as usize].1 = ty;
    }

    /// A register for a value that no statement after this one needs.
    pub(crate) fn temporary(&mut self) -> Reg {
        if self.temporaries_in_use == self.temporaries.len() {
            let reg = self.register(&format!("t{}", self.temporaries.len()), Ty::Int);
            self.temporaries.push(reg);
        }
        self.temporaries_in_use += 1;
        self.temporaries[self.temporaries_in_use - 1]
    }

    /// Between statements: the temporaries may be used again.
    pub(crate) fn release_temporaries(&mut self) {
        self.temporaries_in_use = 0;
    }

    pub(crate) fn emit(&mut self, inst: Inst, range: TextRange) {
        self.function.code.push(inst);
        self.function.spans.push(self.lines.span(range));
    }

    pub(crate) fn target(&mut self) -> JumpTarget {
        self.targets.push(None);
        JumpTarget(self.targets.len() as u32 - 1)
    }

    /// Puts a target before the next instruction.
    pub(crate) fn place(&mut self, target: JumpTarget) {
        self.targets[target.0 as usize] = Some(self.function.code.len() as u32);
    }

    pub(crate) fn jump(&mut self, target: JumpTarget, range: TextRange) {
        self.emit(Inst::Jump { target: target.0 }, range);
    }

    pub(crate) fn branch(&mut self, cond: Operand, yes: JumpTarget, no: JumpTarget, range: TextRange) {
        match cond {
            Operand::Const(0) => self.jump(no, range),
            Operand::Const(_) => self.jump(yes, range),
            Operand::Reg(_) => self.emit(Inst::Branch { cond, yes: yes.0, no: no.0 }, range),
        }
    }

    /// Makes `dst` hold `value`, unless the value was computed there.
    pub(crate) fn copy(&mut self, dst: Reg, value: Operand, range: TextRange) {
        if value != Operand::Reg(dst) {
            self.emit(Inst::Unary { dst, op: UnaryOp::Copy, a: value }, range);
        }
    }

    /// Computes into `into` or a temporary, or not at all if the operand is constant.
    pub(crate) fn unary(&mut self, op: UnaryOp, a: Operand, into: Option<Reg>, range: TextRange) -> Operand {
        if let Operand::Const(a) = a {
            return Operand::Const(apply_unary(op, a));
        }
        let dst = into.unwrap_or_else(|| self.temporary());
        self.emit(Inst::Unary { dst, op, a }, range);
        Operand::Reg(dst)
    }

    /// As [`FunctionBuilder::unary`]. A constant division by zero stays: it is an error only if it runs.
    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        a: Operand,
        b: Operand,
        into: Option<Reg>,
        range: TextRange,
    ) -> Operand {
        if let (Operand::Const(a), Operand::Const(b)) = (a, b)
            && let Some(value) = op.apply(a, b)
        {
            return Operand::Const(value);
        }
        let dst = into.unwrap_or_else(|| self.temporary());
        self.emit(Inst::Binary { dst, op, a, b }, range);
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
                let difference = self.binary(BinaryOp::Sub, a, b, None, range);
                let chosen = self.binary(BinaryOp::Mul, cond, difference, None, range);
                self.binary(BinaryOp::Add, b, chosen, into, range)
            }
        }
    }

    /// Resolves the jumps and drops what cannot be reached. `range` is where to complain about the whole.
    pub(crate) fn finish(mut self, range: TextRange) -> Result<Function, Diagnostic> {
        if self.function.code.len() > limits::INSTRUCTIONS || self.function.registers.len() > limits::REGISTERS {
            let (instructions, registers) = (limits::INSTRUCTIONS, limits::REGISTERS);
            let limit = format!("at most {instructions} instructions and {registers} registers");
            return Err(Diagnostic::new("this is too large", range, limit));
        }
        let end = self.function.code.len() as u32;
        for inst in &mut self.function.code {
            for_each_target(inst, |t| *t = self.targets[*t as usize].unwrap_or(end));
        }
        self.function.note_assertions();
        thread_jumps(&mut self.function);
        drop_useless(&mut self.function);
        Ok(self.function)
    }
}

pub(crate) fn apply_unary(op: UnaryOp, a: Value) -> Value {
    match op {
        UnaryOp::Copy => a,
        UnaryOp::Neg => a.wrapping_neg(),
        UnaryOp::Not => (a == 0) as Value,
        UnaryOp::BitNot => !a,
    }
}

fn for_each_target(inst: &mut Inst, mut f: impl FnMut(&mut u32)) {
    match inst {
        Inst::Jump { target } => f(target),
        Inst::Branch { yes, no, .. } => {
            f(yes);
            f(no);
        }
        _ => {}
    }
}

/// A jump to a jump goes where that one goes.
fn thread_jumps(function: &mut Function) {
    let jumps: Vec<Option<u32>> =
        function.code.iter().map(|inst| if let Inst::Jump { target } = inst { Some(*target) } else { None }).collect();
    let follow = |mut at: u32| {
        // Longer chains, and circles, stay as they are.
        for _ in 0..16 {
            match jumps.get(at as usize).copied().flatten() {
                Some(next) if next != at => at = next,
                _ => break,
            }
        }
        at
    };
    for inst in &mut function.code {
        for_each_target(inst, |t| *t = follow(*t));
    }
}

/// Drops unreachable instructions and jumps to the next one.
fn drop_useless(function: &mut Function) {
    let n = function.code.len();
    let mut keep = vec![false; n];
    let mut todo = vec![0];
    while let Some(pc) = todo.pop() {
        if pc >= n || std::mem::replace(&mut keep[pc], true) {
            continue;
        }
        match function.code[pc] {
            Inst::Jump { target } => todo.push(target as usize),
            Inst::Branch { yes, no, .. } => todo.extend([yes as usize, no as usize]),
            Inst::Return { .. } => {}
            _ => todo.push(pc + 1),
        }
    }
    // The first kept instruction from each place on; backwards, so that a chain of useless jumps goes at once.
    let mut next_kept = vec![n; n + 1];
    for pc in (0..n).rev() {
        if let Inst::Jump { target } = function.code[pc]
            && target as usize > pc
            && next_kept[target as usize] == next_kept[pc + 1]
        {
            keep[pc] = false;
        }
        next_kept[pc] = if keep[pc] { pc } else { next_kept[pc + 1] };
    }
    let mut new_index = vec![0; n + 1];
    for pc in 0..n {
        new_index[pc + 1] = new_index[pc] + keep[pc] as u32;
    }
    for inst in &mut function.code {
        for_each_target(inst, |t| *t = new_index[*t as usize]);
    }
    let mut kept = keep.iter();
    function.code.retain(|_| *kept.next().expect("one for each"));
    let mut kept = keep.iter();
    function.spans.retain(|_| *kept.next().expect("one for each"));
}
