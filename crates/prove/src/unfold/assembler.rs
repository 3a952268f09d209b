//! Code with labels.

use fencepost_program::{Function, Inst, Operand, Reg, Span, Ty};

pub(super) type Label = u32;

#[derive(Default)]
pub(super) struct Assembler {
    function: Function,
    /// Where each label is.
    labels: Vec<u32>,
    span: Span,
}

impl Assembler {
    pub(super) fn new(name: String) -> Assembler {
        Assembler { function: Function { name, ..Function::default() }, ..Assembler::default() }
    }

    pub(super) fn at(&mut self, span: Span) {
        self.span = span;
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(u32::MAX);
        self.labels.len() as Label - 1
    }

    /// Puts a label before the next instruction.
    pub(super) fn here(&mut self, label: Label) {
        self.labels[label as usize] = self.function.code.len() as u32;
    }

    pub(super) fn push(&mut self, inst: Inst) {
        self.function.code.push(inst);
        self.function.spans.push(self.span);
    }

    pub(super) fn jump(&mut self, to: Label) {
        self.push(Inst::Jump { target: to });
    }

    pub(super) fn branch(&mut self, cond: Operand, yes: Label, no: Label) {
        self.push(Inst::Branch { cond, yes, no });
    }

    pub(super) fn register(&mut self, name: String) -> Reg {
        self.function.registers.push((name, Ty::Int));
        Reg(self.function.registers.len() as u32 - 1)
    }

    /// The function, its jumps going where their labels are.
    pub(super) fn finish(mut self) -> Function {
        let end = self.function.code.len() as u32;
        let place = |label: &mut u32| *label = self.labels.get(*label as usize).map_or(end, |&at| at.min(end));
        for inst in &mut self.function.code {
            match inst {
                Inst::Jump { target } => place(target),
                Inst::Branch { yes, no, .. } => {
                    place(yes);
                    place(no);
                }
                _ => {}
            }
        }
        self.function.tidy();
        self.function
    }
}
