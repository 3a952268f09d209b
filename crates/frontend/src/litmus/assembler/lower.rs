//! Syntax tree to program: threads, jumps, and what no memory is part of.

use super::Syntax;
use super::code::*;
use super::flags::Flag;
use super::operations::Operation;
use super::register_file::RegisterFile;
use super::registers::View;
use super::sizes::signed;
use crate::builder::FunctionBuilder;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::limits::ERRORS;
use crate::litmus::ast::{Initial, Name};
use crate::litmus::locations::Locations;
use crate::litmus::lower::Local;
use crate::text::{Lines, TextRange};
use fencepost_program::code::Label;
use fencepost_program::{ArithmeticOp, Function, Inst, Operand as Value, Reg, Ty};
use std::collections::HashMap;

pub(super) struct Lowering<'a, 't> {
    pub locations: &'a Locations<'t>,
    pub builder: FunctionBuilder<'a>,
    pub registers: RegisterFile<'t>,
    /// Those that some instruction of the thread asks.
    pub flags: Vec<(Flag, Reg)>,
    pub syntax: Syntax,
    labels: HashMap<&'t str, (Label, TextRange)>,
    end: Label,
}

/// A lowered thread, and the registers that the condition asks for, by their names.
type Lowered<'t> = (Function, HashMap<&'t str, Local>);

pub(super) fn thread<'a, 't>(
    thread: &Thread<'t>,
    test: &Test<'t>,
    syntax: Syntax,
    locations: &'a Locations<'t>,
    lines: &'a Lines<'a>,
    errors: &mut Vec<Diagnostic>,
) -> Result<Lowered<'t>, Diagnostic> {
    let mut builder = FunctionBuilder::new(format!("P{}", thread.number), lines);
    let initial: Vec<_> = test.initial_registers(thread.number).collect();
    let asked = test.asked_registers(thread.number);
    let mut named = Named { syntax, views: Vec::new() };
    asked.iter().chain(initial.iter().map(|(name, _)| name)).for_each(|name| named.mention(*name, thread));
    named.collect(thread);
    let registers = RegisterFile::new(&named.views, &mut builder);
    let end = builder.label();
    let flags = Vec::new();
    let mut lowering = Lowering { locations, builder, registers, flags, syntax, labels: HashMap::new(), end };
    lowering.find_flags(thread);
    lowering.find_labels(thread, errors);
    for (name, value) in initial {
        let value = match value {
            Initial::Number(value) => value,
            Initial::Address(location) => locations.address_of(location.text).unwrap_or_default(),
        };
        match named.view(name.text) {
            Some(view) => {
                let value = Value::Const(signed(view.bits).wrap(value));
                lowering.write(view, value, name.range);
            }
            None => errors.push(no_register(name)),
        }
    }
    for line in &thread.code {
        // What follows would only repeat them.
        if errors.len() >= ERRORS {
            break;
        }
        match line {
            Line::Label(name) => {
                if let Some((label, _)) = lowering.labels.get(name.text) {
                    lowering.builder.here(*label);
                }
            }
            Line::Instruction(instruction) => errors.extend(lowering.instruction(instruction).err()),
        }
    }
    let locals = lowering.finish(&asked, &named, thread.range);
    Ok((lowering.builder.finish(thread.range)?, locals))
}

/// The parts of registers that a thread uses, with their names.
struct Named<'t> {
    syntax: Syntax,
    views: Vec<(View<'t>, &'t str)>,
}

impl<'t> Named<'t> {
    fn mention(&mut self, name: Name<'t>, thread: &Thread<'t>) {
        let symbolic = View::symbolic(name.text, self.syntax.bits());
        let is_symbolic = || {
            let mut found = false;
            thread.for_each_instruction(|i| i.for_each_view(|view| found |= view == symbolic));
            found
        };
        let view = View::named(name.text).or_else(|| is_symbolic().then_some(symbolic));
        view.into_iter().for_each(|view| self.add(view, name.text));
    }

    fn collect(&mut self, thread: &Thread<'t>) {
        thread.for_each_instruction(|instruction| {
            instruction.for_each_view(|view| self.add(view, view.name()));
            if instruction.operation == Operation::CompareExchange {
                let bits = instruction.width().ok().flatten().unwrap_or(self.syntax.bits());
                let view = View::accumulator(bits);
                self.add(view, view.name());
            }
        });
    }

    fn add(&mut self, view: View<'t>, name: &'t str) {
        if !self.views.iter().any(|(known, _)| *known == view) {
            self.views.push((view, name));
        }
    }

    fn view(&self, name: &str) -> Option<View<'t>> {
        let known = self.views.iter().find(|(_, known)| *known == name).map(|(view, _)| *view);
        View::named(name).or(known)
    }
}

impl<'t> Thread<'t> {
    fn for_each_instruction(&self, mut on: impl FnMut(&Instruction<'t>)) {
        for line in &self.code {
            if let Line::Instruction(instruction) = line {
                on(instruction);
            }
        }
    }
}

fn no_register(name: Name<'_>) -> Diagnostic {
    let message = format!("`{}` is not a register of this thread", name.text);
    Diagnostic::new(message, name.range, "expected a register such as `EAX`")
}

impl<'t> Lowering<'_, 't> {
    fn find_flags(&mut self, thread: &Thread<'t>) {
        let mut asked: Vec<Flag> = Vec::new();
        thread.for_each_instruction(|instruction| match instruction.operation {
            Operation::JumpIf(condition) | Operation::SetIf(condition) | Operation::MoveIf(condition) => {
                asked.extend(condition.test.flags());
            }
            _ => {}
        });
        for flag in asked {
            if !self.flags.iter().any(|(known, _)| *known == flag) {
                self.flags.push((flag, self.builder.variable("", Ty::Range { lo: 0, hi: 1 })));
            }
        }
    }

    fn find_labels(&mut self, thread: &Thread<'t>, errors: &mut Vec<Diagnostic>) {
        for line in &thread.code {
            let Line::Label(name) = line else { continue };
            let label = self.builder.label();
            if let Some((_, first)) = self.labels.insert(name.text, (label, name.range)) {
                let message = format!("the label `{}` is there twice", name.text);
                errors.push(Diagnostic::new(message, name.range, "again here").and(first, "first here"));
            }
        }
        for line in &thread.code {
            let Line::Instruction(Instruction { target: Some(target), .. }) = line else { continue };
            if self.labels.contains_key(target.text) || errors.len() >= ERRORS {
                continue;
            }
            let message = format!("there is no label `{}` in this thread", target.text);
            let error = Diagnostic::new(message, target.range, "jumped to from here");
            errors.push(match did_you_mean(target.text, self.labels.keys().copied()) {
                Some(meant) => error.help(format!("did you mean `{meant}`?")),
                None => error,
            });
        }
    }

    fn instruction(&mut self, instruction: &Instruction<'t>) -> Result<(), Diagnostic> {
        self.builder.release_temporaries();
        let range = instruction.range;
        let width = instruction.width()?;
        let target = instruction.target.and_then(|name| self.labels.get(name.text)).map(|(label, _)| *label);
        match (instruction.operation, target) {
            (Operation::Nothing, _) => {}
            (Operation::Return, _) => self.builder.jump(self.end, range),
            (Operation::Fence(order), _) => self.builder.emit(Inst::Fence { order }, range),
            (Operation::Jump, Some(target)) => self.builder.jump(target, range),
            (Operation::JumpIf(condition), Some(target)) => {
                let next = self.builder.label();
                let holds = self.holds(condition, range);
                self.builder.branch(holds, target, next, range);
                self.builder.here(next);
            }
            // A label that is not there was told.
            (Operation::Jump | Operation::JumpIf(_), None) => {}
            (Operation::LoadAddress, _) => {
                if let [Operand::Register(view, _), Operand::Memory(memory)] = &instruction.operands[..] {
                    let address = self.address(memory);
                    self.write(*view, address, range);
                }
            }
            _ => match instruction.memory() {
                Some(memory) => {
                    self.for_cell(memory, width, |this, cell, bits| this.data(instruction, bits, Some(cell)))?;
                }
                None => self.data(instruction, width.unwrap_or(self.syntax.bits()), None),
            },
        }
        Ok(())
    }

    /// What every path through the code comes to: the registers as the condition names them.
    fn finish(&mut self, asked: &[Name<'t>], named: &Named<'t>, range: TextRange) -> HashMap<&'t str, Local> {
        self.builder.here(self.end);
        let mut locals = HashMap::new();
        for name in asked {
            let Some(view) = named.view(name.text) else { continue };
            if locals.contains_key(name.text) {
                continue;
            }
            let ty = signed(view.bits);
            let reg = self.registers.variable(view).unwrap_or_else(|| {
                let reg = self.builder.variable(name.text, ty);
                self.builder.release_temporaries();
                let value = self.registers.read(view, &mut self.builder, range);
                self.builder.copy(reg, value, range);
                reg
            });
            locals.insert(name.text, Local { reg, ty, boolean: false });
        }
        locals
    }

    pub(super) fn read(&mut self, view: View<'t>, range: TextRange) -> Value {
        self.registers.read(view, &mut self.builder, range)
    }

    pub(super) fn write(&mut self, view: View<'t>, value: Value, range: TextRange) {
        self.registers.write(view, value, &mut self.builder, range);
    }

    /// An operation on words of this size.
    pub(super) fn arithmetic(
        &mut self,
        op: ArithmeticOp,
        a: Value,
        b: Value,
        bits: u8,
        into: Option<Reg>,
        range: TextRange,
    ) -> Value {
        if let (Value::Const(a), Value::Const(b)) = (a, b)
            && let Some(value) = op.apply(bits, a, b)
        {
            return Value::Const(value);
        }
        let dst = into.unwrap_or_else(|| self.builder.temporary());
        self.builder.emit(Inst::Arithmetic { dst, op, bits, a, b }, range);
        Value::Reg(dst)
    }
}
