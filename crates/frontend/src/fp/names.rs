//! The registers and labels of one procedure or thread, found before its code is lowered: a loop may use a register
//! above its first assignment, and a `goto` may jump forward.

use super::ast::*;
use super::constants;
use super::globals::{Globals, twice};
use crate::builder::FunctionBuilder;
use crate::diagnostic::Diagnostic;
use crate::text::TextRange;
use fencepost_program::code::Label;
use fencepost_program::{Operand, Reg, Ty};
use std::collections::HashMap;

pub(super) struct Names<'t> {
    pub registers: HashMap<&'t str, Reg>,
    pub labels: HashMap<&'t str, (Label, TextRange)>,
}

pub(super) struct Collector<'a, 'b, 't> {
    pub globals: &'a Globals<'t>,
    pub builder: &'a mut FunctionBuilder<'b>,
    pub errors: &'a mut Vec<Diagnostic>,
    names: Names<'t>,
    /// Parameters and `var`s, which are declared only once.
    declared: HashMap<&'t str, TextRange>,
}

impl<'a, 'b, 't> Collector<'a, 'b, 't> {
    pub(super) fn new(
        globals: &'a Globals<'t>,
        builder: &'a mut FunctionBuilder<'b>,
        errors: &'a mut Vec<Diagnostic>,
    ) -> Self {
        let names = Names { registers: HashMap::new(), labels: HashMap::new() };
        Collector { globals, builder, errors, names, declared: HashMap::new() }
    }

    pub(super) fn collect(mut self, params: &[Name<'t>], body: &Block<'t>) -> Names<'t> {
        for name in params {
            self.check_free(*name);
            if let Some(first) = self.declared.insert(name.text, name.range) {
                self.errors.push(twice(*name, first));
            }
            let reg = self.builder.parameter(name.text);
            self.names.registers.insert(name.text, reg);
        }
        self.block(body);
        self.names
    }

    fn block(&mut self, block: &Block<'t>) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt<'t>) {
        match &statement.kind {
            StmtKind::Label(name) => {
                let target = self.builder.label();
                if let Some((_, first)) = self.names.labels.insert(name.text, (target, name.range)) {
                    let message = format!("the label `{}` stands in two places", name.text);
                    self.errors.push(Diagnostic::new(message, name.range, "again here").and(first, "first here"));
                }
            }
            StmtKind::Var { name, ty, .. } => {
                let reg = self.assigned(*name);
                if let Some(first) = self.declared.insert(name.text, name.range) {
                    self.errors.push(twice(*name, first));
                }
                match ty.as_ref().map(|ty| constants::ty(ty, self.globals)) {
                    Some(Ok(ty)) => {
                        self.builder.set_type(reg, ty);
                        if ty.wrap(0) != 0 {
                            self.builder.copy(reg, Operand::Const(ty.wrap(0)), name.range);
                        }
                    }
                    Some(Err(error)) => self.errors.push(error),
                    None => {}
                }
            }
            StmtKind::Assign { target: Target::One(name), .. } => self.target(*name),
            StmtKind::Assign { target: Target::Pair(ok, old), .. } => {
                self.target(*ok);
                self.target(*old);
            }
            StmtKind::If { then, otherwise, .. } => {
                self.statement(then);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            StmtKind::While { body, .. } | StmtKind::Loop(body) => self.statement(body),
            StmtKind::Either(blocks) => blocks.iter().for_each(|block| self.block(block)),
            StmtKind::Block(block) => self.block(block),
            StmtKind::Perform(_)
            | StmtKind::Wait { .. }
            | StmtKind::Fence(_)
            | StmtKind::Assert(_)
            | StmtKind::Assume(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Return(_) => {}
        }
    }

    fn target(&mut self, name: Name<'t>) {
        if name.text != "_" {
            self.assigned(name);
        }
    }

    fn assigned(&mut self, name: Name<'t>) -> Reg {
        if let Some(reg) = self.names.registers.get(name.text) {
            return *reg;
        }
        self.check_free(name);
        let reg = self.builder.variable(name.text, Ty::Int);
        self.names.registers.insert(name.text, reg);
        reg
    }

    fn check_free(&mut self, name: Name<'t>) {
        let label = "expected the name of a register";
        if let Some((_, range)) = self.globals.constants.get(name.text) {
            let message = format!("`{}` is a constant and cannot be assigned to", name.text);
            self.errors.push(Diagnostic::new(message, name.range, label).and(*range, "declared here"));
        } else if let Some((_, range)) = self.globals.locations.get(name.text) {
            let message = format!("`{}` is a location, not a register", name.text);
            let help = format!("to write to the location: `{}.store(value, ordering);`", name.text);
            self.errors.push(Diagnostic::new(message, name.range, label).and(*range, "declared here").help(help));
        } else if name.text == "_" {
            self.errors.push(Diagnostic::new("`_` is not a name", name.range, label));
        }
    }
}
