//! Syntax tree to program: declarations and statements.

use super::ast::*;
use super::constants;
use super::globals::Globals;
use super::names::{Collector, Names};
use super::recursion::{self, CallSite};
use crate::builder::{BITS, FunctionBuilder};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lowering::Lower;
use crate::text::{Lines, TextRange};
use fencepost_program::code::Label;
use fencepost_program::{ArithmeticOp, FuncId, Function, Inst, Operand, Program, Reg, Thread};

/// What `self` is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SelfIndex {
    /// In a procedure.
    None,
    /// In a single thread.
    Zero,
    /// In a replicated thread: the replicas share one function, and differ in its argument.
    Parameter,
}

pub(super) struct Lowering<'a, 't> {
    pub globals: &'a Globals<'t>,
    pub builder: FunctionBuilder<'a>,
    pub names: Names<'t>,
    pub self_index: SelfIndex,
    id: FuncId,
    pub loops: Vec<Loop>,
    pub errors: &'a mut Vec<Diagnostic>,
    calls: &'a mut Vec<CallSite>,
}

/// What is known of a procedure or thread before its body.
struct Header<'t> {
    id: FuncId,
    name: Name<'t>,
    self_index: SelfIndex,
}

pub(super) struct Loop {
    pub next: Label,
    pub end: Label,
}

pub(super) fn program(items: &[Item<'_>], text: &str) -> Result<Program, Vec<Diagnostic>> {
    let lines = Lines::of(text);
    let mut errors = Vec::new();
    let globals = Globals::collect(items, &lines, &mut errors);
    let mut calls = Vec::new();
    let mut procedures = Vec::new();
    let mut thread_functions = Vec::new();
    let mut threads = Vec::new();
    for item in items {
        let mut lower = |header: Header<'_>, params: &[Name<'_>], body| match Lowering::function(
            header,
            params,
            body,
            (&globals, &lines),
            (&mut errors, &mut calls),
        ) {
            Ok(function) => Some(function),
            Err(error) => {
                errors.push(error);
                None
            }
        };
        match &item.kind {
            ItemKind::Const { .. } | ItemKind::Locations { .. } => {}
            ItemKind::Function { name, params, body } => {
                let id = FuncId(procedures.len() as u32);
                procedures.extend(lower(Header { id, name: *name, self_index: SelfIndex::None }, params, body));
            }
            ItemKind::Thread { name, count, body } => {
                let id = FuncId((globals.procedures.len() + thread_functions.len()) as u32);
                let self_index = if count.is_some() { SelfIndex::Parameter } else { SelfIndex::Zero };
                thread_functions.extend(lower(Header { id, name: *name, self_index }, &[], body));
                for i in 0..globals.counts.get(&name.range).copied().unwrap_or(0) {
                    threads.push(match count {
                        Some(_) => Thread { name: format!("{}[{i}]", name.text), func: id, args: vec![i as i64] },
                        None => Thread { name: name.text.to_owned(), func: id, args: Vec::new() },
                    });
                }
            }
        }
    }
    if errors.is_empty() {
        let name = |id: FuncId| procedures.get(id.0 as usize).map_or(String::new(), |f: &Function| f.name.clone());
        errors.extend(recursion::find(&calls, procedures.len() + thread_functions.len(), name));
    }
    if threads.is_empty() && errors.is_empty() {
        let end = text.trim_end().len();
        errors.push(Diagnostic::new(
            "the file has no thread",
            TextRange::new(end, end),
            "expected `thread name { ... }`",
        ));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let functions = procedures.into_iter().chain(thread_functions).collect();
    Ok(Program { objects: globals.objects, functions, threads, ..Program::default() })
}

impl<'a, 't> Lowering<'a, 't> {
    fn function(
        Header { id, name, self_index }: Header<'t>,
        params: &[Name<'t>],
        body: &Block<'t>,
        (globals, lines): (&'a Globals<'t>, &'a Lines<'a>),
        (errors, calls): (&'a mut Vec<Diagnostic>, &'a mut Vec<CallSite>),
    ) -> Result<Function, Diagnostic> {
        let mut builder = FunctionBuilder::new(name.text, lines);
        if self_index == SelfIndex::Parameter {
            builder.parameter("self");
        }
        let names = Collector::new(globals, &mut builder, errors).collect(params, body);
        let mut lowering = Lowering { globals, builder, names, self_index, id, loops: Vec::new(), errors, calls };
        lowering.block(body);
        lowering.builder.finish(name.range)
    }

    fn block(&mut self, block: &Block<'t>) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    pub(super) fn lower_statement(&mut self, statement: &Stmt<'t>) -> Result<(), Diagnostic> {
        let range = statement.range;
        match &statement.kind {
            StmtKind::Label(name) => {
                if let Some((target, _)) = self.names.labels.get(name.text) {
                    self.builder.here(*target);
                }
            }
            StmtKind::Var { name, value: Some(value), .. } => self.assign(&Target::One(*name), value, range)?,
            StmtKind::Var { value: None, .. } => {}
            StmtKind::Assign { target, value } => self.assign(target, value, range)?,
            StmtKind::Perform(Source::Access(access)) => self.access(access, None)?,
            StmtKind::Perform(Source::Call(call)) => self.call(call, None)?,
            StmtKind::Perform(Source::Expr(_) | Source::Choose(..)) => {}
            StmtKind::Wait { place, comparison, value, order } => {
                self.wait(place, *comparison, value, order, range)?;
            }
            StmtKind::Fence(order) => self.fence(order, range)?,
            StmtKind::Assert(cond) => {
                let cond = self.value(cond)?;
                self.builder.emit(Inst::Assert { cond }, range);
            }
            StmtKind::Assume(cond) => {
                let cond = self.value(cond)?;
                self.builder.emit(Inst::Assume { cond }, range);
            }
            StmtKind::Either(blocks) => self.either(blocks, range),
            StmtKind::If { cond, then, otherwise } => self.conditional(cond, then, otherwise.as_deref())?,
            StmtKind::While { cond, body } => self.repeat(Some(cond), body, range)?,
            StmtKind::Loop(body) => self.repeat(None, body, range)?,
            StmtKind::Break | StmtKind::Continue => {
                let is_break = matches!(statement.kind, StmtKind::Break);
                let Some(innermost) = self.loops.last() else {
                    let word = if is_break { "break" } else { "continue" };
                    return Err(Diagnostic::new(format!("`{word}` outside a loop"), range, "no loop around this"));
                };
                let target = if is_break { innermost.end } else { innermost.next };
                self.builder.jump(target, range);
            }
            StmtKind::Goto(name) => {
                let Some((target, _)) = self.names.labels.get(name.text) else { return Err(self.unknown_label(*name)) };
                self.builder.jump(*target, range);
            }
            StmtKind::Return(Some(value)) if self.self_index != SelfIndex::None => {
                return Err(Diagnostic::new("a thread returns no value", value.range, "expected `return;`"));
            }
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|value| self.value(value)).transpose()?;
                self.builder.emit(Inst::Return { value }, range);
            }
            StmtKind::Block(block) => self.block(block),
        }
        Ok(())
    }

    fn assign(&mut self, target: &Target<'t>, value: &Source<'t>, range: TextRange) -> Result<(), Diagnostic> {
        if let (Target::Pair(ok, _), false) = (target, matches!(value, Source::Access(_))) {
            return Err(Diagnostic::new("this has one result", ok.range, "only `cas` and `cas_weak` have two"));
        }
        let name = match target {
            Target::One(name) | Target::Pair(name, _) => *name,
        };
        match value {
            Source::Access(access) => self.access(access, Some(target)),
            Source::Call(call) => self.call(call, Some(name)),
            Source::Expr(expr) => {
                let dst = self.register(name);
                let value = self.value_into(expr, dst)?;
                if let Some(dst) = dst {
                    self.builder.copy(dst, value, range);
                }
                Ok(())
            }
            Source::Choose(lo, hi) => {
                let (lo, hi) = constants::range(lo, hi, self.globals)?;
                let dst = self.register(name).unwrap_or_else(|| self.builder.temporary());
                self.builder.emit(Inst::Choose { dst, lo, hi }, range);
                Ok(())
            }
        }
    }

    /// The register that an assignment goes to; none for `_`.
    pub(super) fn register(&self, name: Name<'t>) -> Option<Reg> {
        self.names.registers.get(name.text).copied()
    }

    fn call(&mut self, call: &Call<'t>, result: Option<Name<'t>>) -> Result<(), Diagnostic> {
        let Some(procedure) = self.globals.procedures.get(call.name.text).copied() else {
            return Err(self.unknown_procedure(call.name));
        };
        if call.args.len() != procedure.params {
            let plural = if procedure.params == 1 { "" } else { "s" };
            let message =
                format!("`{}` takes {} argument{plural}, not {}", call.name.text, procedure.params, call.args.len());
            let label = format!("expected {} argument{plural}", procedure.params);
            return Err(Diagnostic::new(message, call.range, label).and(procedure.range, "declared here"));
        }
        let args = call.args.iter().map(|arg| self.value(arg)).collect::<Result<_, _>>()?;
        let dst = result.and_then(|name| self.register(name));
        self.calls.push(CallSite { caller: self.id, callee: procedure.id, range: call.range });
        self.builder.emit(Inst::Call { dst, func: procedure.id, args }, call.range);
        Ok(())
    }

    fn unknown_procedure(&self, name: Name<'t>) -> Diagnostic {
        let error = Diagnostic::new(format!("no procedure `{}`", name.text), name.range, "not declared");
        match did_you_mean(name.text, self.globals.procedures.keys().copied()) {
            Some(meant) => error.help(format!("did you mean `{meant}`?")),
            None => error,
        }
    }

    fn unknown_label(&self, name: Name<'t>) -> Diagnostic {
        let error = Diagnostic::new(format!("no label `{}`", name.text), name.range, "expected a label of this body");
        match did_you_mean(name.text, self.names.labels.keys().copied()) {
            Some(meant) => error.help(format!("did you mean `{meant}`?")),
            None => error,
        }
    }

    fn either(&mut self, blocks: &[Block<'t>], range: TextRange) {
        let (choice, test) = (self.builder.temporary(), self.builder.temporary());
        let is = |i: usize| {
            let (a, b) = (Operand::Reg(choice), Operand::Const(i as i64));
            Inst::Arithmetic { dst: test, op: ArithmeticOp::Eq, bits: BITS, a, b }
        };
        let last = blocks.len() - 1;
        self.builder.emit(Inst::Choose { dst: choice, lo: 0, hi: last as i64 }, range);
        let end = self.builder.label();
        let starts: Vec<Label> = blocks.iter().map(|_| self.builder.label()).collect();
        for (i, &start) in starts.iter().enumerate().take(last - 1) {
            let next = self.builder.label();
            self.builder.emit(is(i), range);
            self.builder.branch(Operand::Reg(test), start, next, range);
            self.builder.here(next);
        }
        self.builder.emit(is(last), range);
        self.builder.branch(Operand::Reg(test), starts[last], starts[last - 1], range);
        for (block, start) in blocks.iter().zip(starts) {
            self.builder.here(start);
            self.block(block);
            self.builder.jump(end, range);
        }
        self.builder.here(end);
    }
}
