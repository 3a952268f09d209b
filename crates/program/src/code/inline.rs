//! A function with the code of its calls in their place.

use crate::{FuncId, Function, Inst, Operand, Program, Reg, Span};

use super::builder::{Builder, Label};

/// A function without calls.
#[derive(Clone, Debug)]
pub struct Inlined {
    pub function: Function,
    /// For each register, the function that it is of.
    pub owners: Vec<FuncId>,
}

/// Why a call cannot be inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotInlined {
    /// The function calls itself.
    Recursion(FuncId),
    /// There are more instructions than allowed; the span is where that was noticed.
    TooLarge(Span),
}

/// Puts the code of every [`Inst::Call`] in its place. Each call has registers of its own, the parameters first. They
/// are set when it begins, because a call in a loop begins with fresh registers each time.
pub fn inlined(program: &Program, func: FuncId, most_instructions: usize) -> Result<Inlined, NotInlined> {
    let whole = program.function(func);
    let empty = Function { code: Vec::new(), spans: Vec::new(), registers: Vec::new(), ..whole.clone() };
    let mut inliner =
        Inliner { program, most_instructions, code: Builder::of(empty), owners: Vec::new(), calls: Vec::new() };
    inliner.registers(func);
    inliner.inline(func, 0, None)?;
    Ok(Inlined { function: inliner.code.finish(), owners: inliner.owners })
}

struct Inliner<'p> {
    program: &'p Program,
    most_instructions: usize,
    code: Builder,
    owners: Vec<FuncId>,
    /// The calls that are being inlined.
    calls: Vec<FuncId>,
}

impl Inliner<'_> {
    /// Makes the registers of a call; returns the number of the first.
    fn registers(&mut self, func: FuncId) -> u32 {
        let base = self.owners.len() as u32;
        for register in &self.program.function(func).registers {
            self.code.register(register.clone());
            self.owners.push(func);
        }
        base
    }

    /// Appends the code of a function whose registers start at `base`. `call` is the register for the result and the
    /// label behind the call; `None` for the outermost function.
    fn inline(&mut self, func: FuncId, base: u32, call: Option<(Option<Reg>, Label)>) -> Result<(), NotInlined> {
        if self.calls.contains(&func) {
            return Err(NotInlined::Recursion(func));
        }
        self.calls.push(func);
        let moved = |Reg(r): Reg| Reg(base + r);
        let moved_operand = |operand: Operand| match operand {
            Operand::Reg(reg) => Operand::Reg(moved(reg)),
            constant => constant,
        };
        let function = self.program.function(func);
        let labels: Vec<Label> = (0..=function.code.len()).map(|_| self.code.label()).collect();
        for ((inst, &span), &label) in function.code.iter().zip(&function.spans).zip(&labels) {
            self.code.here(label);
            self.code.at(span);
            if self.code.function.code.len() > self.most_instructions {
                return Err(NotInlined::TooLarge(span));
            }
            match (inst, call) {
                (Inst::Call { dst, func: callee, args }, _) => {
                    let first = self.registers(*callee);
                    let params = self.program.function(*callee).params as usize;
                    for r in params.min(args.len())..self.program.function(*callee).registers.len() {
                        self.code.copy(Reg(first + r as u32), Operand::Const(0));
                    }
                    for (r, &arg) in args.iter().enumerate().take(params) {
                        self.code.copy(Reg(first + r as u32), moved_operand(arg));
                    }
                    let after = self.code.label();
                    self.inline(*callee, first, Some((dst.map(moved), after)))?;
                    self.code.here(after);
                    self.code.at(span);
                }
                (Inst::Return { value }, Some((dst, after))) => {
                    self.result(dst, value.map_or(Operand::Const(0), moved_operand));
                    self.code.jump(after);
                }
                _ => {
                    let mut inst = inst.clone();
                    inst.rename_registers(moved);
                    inst.for_each_target_mut(|target| {
                        *target = labels[(*target as usize).min(function.code.len())].0;
                    });
                    self.code.push(inst);
                }
            }
        }
        self.code.here(labels[function.code.len()]);
        if let Some((dst, _)) = call {
            self.result(dst, Operand::Const(0));
        }
        self.calls.pop();
        Ok(())
    }

    fn result(&mut self, dst: Option<Reg>, value: Operand) {
        if let Some(dst) = dst {
            self.code.copy(dst, value);
        }
    }
}
