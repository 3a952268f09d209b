//! Syntax tree to program: threads and statements.

use super::ast::*;
use super::locations::Locations;
use super::types::{CType, INT};
use crate::builder::FunctionBuilder;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lowering::Lower;
use crate::text::{Lines, TextRange};
use fencepost_program::code::Label;
use fencepost_program::{ArithmeticOp, Function, Inst, Operand, Ordering, Reg, Ty};
use std::collections::HashMap;

pub(super) struct Lowering<'a, 't> {
    pub locations: &'a Locations<'t>,
    pub builder: FunctionBuilder<'a>,
    /// The types that the thread's parameters give to the locations.
    pub params: HashMap<&'t str, CType>,
    pub locals: HashMap<&'t str, Local>,
    /// The declarations of the blocks around this place.
    pub scopes: Vec<HashMap<&'t str, TextRange>>,
    pub loops: Vec<(Label, Label)>,
    /// Functions are those of the Linux kernel.
    pub kernel: bool,
    pub errors: &'a mut Vec<Diagnostic>,
}

/// As in herd, a thread has one variable of each name, whatever block declares it: the condition asks for it by name.
#[derive(Clone, Copy)]
pub(super) struct Local {
    pub reg: Reg,
    pub ty: Ty,
    pub boolean: bool,
}

/// A lowered thread, and its variables for the condition.
pub(super) struct Lowered<'t> {
    pub function: Function,
    pub locals: HashMap<&'t str, Local>,
}

pub(super) fn thread<'a, 't>(
    thread: &Thread<'t>,
    initial: &[(Name<'t>, i64)],
    kernel: bool,
    locations: &'a Locations<'t>,
    lines: &'a Lines<'a>,
    errors: &'a mut Vec<Diagnostic>,
) -> Result<Lowered<'t>, Diagnostic> {
    let mut params = HashMap::new();
    for param in &thread.params {
        if params.insert(param.name.text, param.ty).is_some() {
            let message = format!("two parameters are called `{}`", param.name.text);
            errors.push(Diagnostic::new(message, param.name.range, "again here"));
        }
    }
    let mut lowering = Lowering {
        locations,
        builder: FunctionBuilder::new(format!("P{}", thread.number), lines),
        params,
        locals: HashMap::new(),
        scopes: Vec::new(),
        loops: Vec::new(),
        kernel,
        errors,
    };
    for (name, value) in initial {
        let reg = lowering.builder.variable(name.text, Ty::Int);
        lowering.locals.insert(name.text, Local { reg, ty: Ty::Int, boolean: false });
        lowering.builder.copy(reg, Operand::Const(*value), name.range);
    }
    lowering.block(&thread.body);
    let function = lowering.builder.finish(thread.range)?;
    Ok(Lowered { function, locals: lowering.locals })
}

impl<'t> Lowering<'_, 't> {
    fn block(&mut self, statements: &[Stmt<'t>]) {
        self.scopes.push(HashMap::new());
        for statement in statements {
            self.statement(statement);
        }
        self.scopes.pop();
    }

    pub(super) fn lower_statement(&mut self, statement: &Stmt<'t>) -> Result<(), Diagnostic> {
        let range = statement.range;
        match &statement.kind {
            StmtKind::Declare(ty, names) => {
                for (name, value) in names {
                    let local = self.declare(*name, ty)?;
                    if let Some(value) = value {
                        self.assign_local(local, value)?;
                    }
                }
            }
            StmtKind::Assign(target, value) => self.assign(target, value)?,
            StmtKind::Evaluate(expr) => {
                self.effect(expr)?;
            }
            StmtKind::If(cond, then, otherwise) => self.conditional(cond, then, otherwise.as_deref())?,
            StmtKind::While(cond, body) => self.repeat(Some(cond), body, range)?,
            StmtKind::DoWhile(body, cond) => {
                let (start, next, end) = (self.builder.label(), self.builder.label(), self.builder.label());
                self.builder.here(start);
                self.loop_body(body, next, end);
                self.builder.here(next);
                let value = self.value(cond)?;
                self.builder.branch(value, start, end, cond.range);
                self.builder.here(end);
            }
            StmtKind::Block(statements) => self.block(statements),
            StmtKind::Break | StmtKind::Continue => {
                let Some((next, end)) = self.loops.last() else {
                    return Err(Diagnostic::new("this is outside a loop", range, "no loop around this"));
                };
                let target = if matches!(statement.kind, StmtKind::Break) { *end } else { *next };
                self.builder.jump(target, range);
            }
            StmtKind::Return => self.builder.emit(Inst::Return { value: None }, range),
        }
        Ok(())
    }

    fn declare(&mut self, name: Name<'t>, ty: &CType) -> Result<Local, Diagnostic> {
        if let Some(first) = self.scopes.iter().find_map(|scope| scope.get(name.text)) {
            return Err(Diagnostic::new(format!("`{}` is declared twice", name.text), name.range, "again here")
                .and(*first, "first here")
                .help("a thread has one variable of each name, because the condition asks for it by name"));
        }
        if self.params.contains_key(name.text) {
            let message = format!("`{}` is a parameter already", name.text);
            return Err(Diagnostic::new(message, name.range, "declared again here"));
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.text, name.range);
        }
        let local = match self.locals.get(name.text) {
            Some(known) => Local { reg: known.reg, ty: ty.ty, boolean: ty.boolean },
            None => Local { reg: self.builder.variable(name.text, ty.ty), ty: ty.ty, boolean: ty.boolean },
        };
        // Two blocks may give one name two types; the register then holds what either can.
        let known = self.locals.insert(name.text, local);
        let merged = if known.is_some_and(|known| known.ty != ty.ty) { Ty::Int } else { ty.ty };
        self.builder.set_type(local.reg, merged);
        Ok(local)
    }

    fn assign(&mut self, target: &Expr<'t>, value: &Expr<'t>) -> Result<(), Diagnostic> {
        match &target.kind {
            ExprKind::Name(name) => match self.locals.get(name) {
                Some(local) => {
                    let local = *local;
                    self.assign_local(local, value)
                }
                // As in herd, a test for the kernel need not declare its variables.
                None if self.kernel && !self.params.contains_key(name) => {
                    let local = Local { reg: self.builder.variable(name, INT), ty: INT, boolean: false };
                    self.locals.insert(name, local);
                    self.assign_local(local, value)
                }
                None => Err(self.unknown_local(name, target.range)),
            },
            ExprKind::Own(own @ (Own::Deref(_) | Own::Index(..))) => {
                let (place, plain) = self.dereferenced(own, target.range)?;
                let value = self.value(value)?;
                let value = self.converted(place.object, value, target.range);
                self.builder.emit(Inst::Store { place: place.into(), value, order: plain }, target.range);
                Ok(())
            }
            _ => Err(Diagnostic::new("this cannot be assigned to", target.range, "expected a variable or `*x`")),
        }
    }

    fn assign_local(&mut self, local: Local, value: &Expr<'t>) -> Result<(), Diagnostic> {
        let range = value.range;
        let result = if local.boolean {
            let value = self.value(value)?;
            self.builder.binary(ArithmeticOp::Ne, value, Operand::Const(0), Some(local.reg), range)
        } else {
            self.value_into(value, Some(local.reg))?
        };
        self.builder.copy(local.reg, result, range);
        Ok(())
    }

    pub(super) fn unknown_local(&self, name: &str, range: TextRange) -> Diagnostic {
        if self.params.contains_key(name) {
            return Diagnostic::new(format!("`{name}` is an address, not a value"), range, "expected a value")
                .help(format!("`*{name}` is the value of the location"));
        }
        let known = self.locals.keys().chain(self.params.keys()).copied();
        let error = Diagnostic::new(format!("`{name}` is not declared"), range, "no variable or parameter");
        error.help(match did_you_mean(name, known) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if self.locations.by_name.contains_key(name) => {
                format!("a thread that uses the location `{name}` needs the parameter `atomic_int *{name}`")
            }
            None => format!("declare it: `int {name};`"),
        })
    }

    /// The ordering of an access without a function: C makes it `seq_cst` on an atomic type, the kernel does not.
    pub(super) fn plain_order(&self, name: &str) -> Ordering {
        match self.params.get(name) {
            Some(ty) if ty.atomic && !self.kernel => Ordering::SeqCst,
            _ => Ordering::NonAtomic,
        }
    }
}
