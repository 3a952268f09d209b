//! Makes functions: code with labels, registers, and the place in the source that instructions come from.

use crate::{Function, Inst, Operand, Reg, Register, Span, Ty, Value};

/// A place in the code that a jump can name before it is known. Also the number that jumps hold until
/// [`Builder::finish`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(pub u32);

/// A function in the making.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    /// Until [`Builder::finish`], its jumps hold the numbers of labels.
    pub function: Function,
    /// Where each label is.
    labels: Vec<Option<u32>>,
    span: Span,
}

impl Builder {
    pub fn new(name: impl Into<String>) -> Builder {
        Builder::of(Function { name: name.into(), ..Function::default() })
    }

    /// Adds code to a function that has none yet.
    pub fn of(function: Function) -> Builder {
        Builder { function, ..Builder::default() }
    }

    /// Sets the place in the source of the instructions that follow.
    pub fn at(&mut self, span: Span) {
        self.span = span;
    }

    pub fn span(&self) -> Span {
        self.span
    }

    pub fn register(&mut self, register: Register) -> Reg {
        self.function.registers.push(register);
        Reg(self.function.registers.len() as u32 - 1)
    }

    pub fn variable(&mut self, name: impl Into<String>, ty: Ty) -> Reg {
        self.register(Register::variable(name, ty))
    }

    /// A register for any intermediate result.
    pub fn temporary(&mut self) -> Reg {
        self.register(Register::temporary(Ty::Int))
    }

    /// The next parameter; all of them come before the other registers.
    pub fn parameter(&mut self, name: impl Into<String>) -> Reg {
        self.function.params += 1;
        self.variable(name, Ty::Int)
    }

    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    /// Puts a label before the next instruction.
    pub fn here(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.function.code.len() as u32);
    }

    pub fn push(&mut self, inst: Inst) {
        self.function.code.push(inst);
        self.function.spans.push(self.span);
    }

    pub fn jump(&mut self, to: Label) {
        self.push(Inst::Jump { target: to.0 });
    }

    pub fn branch(&mut self, cond: Operand, yes: Label, no: Label) {
        self.push(Inst::Branch { cond, yes: yes.0, no: no.0 });
    }

    /// Goes to the label of the case that equals the value.
    pub fn switch(&mut self, value: Operand, mut cases: Vec<(Value, Label)>, default: Label) {
        cases.sort_by_key(|case| case.0);
        let cases = cases.into_iter().map(|(case, label)| (case, label.0)).collect();
        self.push(Inst::Switch { value, cases, default: default.0 });
    }

    pub fn copy(&mut self, dst: Reg, a: Operand) {
        self.push(Inst::Copy { dst, a });
    }

    /// The function, with its jumps resolved. A label that was put nowhere is the end of the function.
    pub fn finish(mut self) -> Function {
        let end = self.function.code.len() as u32;
        for inst in &mut self.function.code {
            inst.for_each_target_mut(|target| *target = self.labels[*target as usize].unwrap_or(end));
        }
        self.function
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_go_where_their_labels_were_put() {
        let mut code = Builder::new("f");
        let x = code.parameter("x");
        let (again, out) = (code.label(), code.label());
        code.here(again);
        code.branch(Operand::Reg(x), again, out);
        code.jump(out);
        code.switch(Operand::Reg(x), vec![(3, out), (1, again)], again);
        let function = code.finish();
        assert_eq!(function.code[0], Inst::Branch { cond: Operand::Reg(x), yes: 0, no: 3 });
        assert_eq!(function.code[1], Inst::Jump { target: 3 });
        let cases = Box::new([(1, 0), (3, 3)]);
        assert_eq!(function.code[2], Inst::Switch { value: Operand::Reg(x), cases, default: 0 });
        assert_eq!((function.params, function.spans.len()), (1, 3));
    }
}
