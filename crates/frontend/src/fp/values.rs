//! Values of expressions. There is no access to memory in them, so each is a handful of local steps.

use super::ast::*;
use super::lower::{Loop, Lowering, SelfIndex};
use crate::builder::FunctionBuilder;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lowering::Lower;
use crate::text::TextRange;
use fencepost_program::code::Label;
use fencepost_program::{Operand, Reg};

impl<'a, 't> Lower<'a, 't> for Lowering<'a, 't> {
    type Own = Own<'t>;
    type Stmt = Stmt<'t>;

    fn builder(&mut self) -> &mut FunctionBuilder<'a> {
        &mut self.builder
    }

    fn errors(&mut self) -> &mut Vec<Diagnostic> {
        self.errors
    }

    fn try_statement(&mut self, statement: &Stmt<'t>) -> Result<(), Diagnostic> {
        self.lower_statement(statement)
    }

    fn loop_body(&mut self, body: &Stmt<'t>, next: Label, end: Label) {
        self.loops.push(Loop { next, end });
        self.statement(body);
        self.loops.pop();
    }

    fn own_value(&mut self, own: &Own<'t>, range: TextRange, into: Option<Reg>) -> Result<Operand, Diagnostic> {
        match own {
            Own::Bool(b) => Ok(Operand::Const(*b as i64)),
            Own::SelfIndex => match self.self_index {
                SelfIndex::Zero => Ok(Operand::Const(0)),
                SelfIndex::Parameter => Ok(Operand::Reg(Reg(0))),
                SelfIndex::None => Err(Diagnostic::new("`self` in a procedure", range, "it belongs to a thread")
                    .help("give it to the procedure as an argument")),
            },
            Own::Parenthesised(inner) => self.value_into(inner, into),
        }
    }

    fn named_value(&self, name: &'t str, range: TextRange) -> Result<Operand, Diagnostic> {
        if let Some(reg) = self.names.registers.get(name) {
            return Ok(Operand::Reg(*reg));
        }
        if let Some((value, _)) = self.globals.constants.get(name) {
            return Ok(Operand::Const(*value));
        }
        if let Some((id, declared)) = self.globals.locations.get(name) {
            let index = if self.globals.objects[id.0 as usize].array { "[i]" } else { "" };
            return Err(Diagnostic::new(format!("`{name}` is a location, not a value"), range, "not read yet")
                .and(*declared, "declared here")
                .help(format!("read it into a register first: `r = {name}{index}.load(ordering);`")));
        }
        if crate::orderings::is_ordering(name) {
            return Err(Diagnostic::new(format!("`{name}` is an ordering, not a value"), range, "expected a value"));
        }
        let known = self.names.registers.keys().chain(self.globals.constants.keys()).copied();
        let error = Diagnostic::new(format!("`{name}` is never assigned"), range, "no register or constant");
        Err(match did_you_mean(name, known) {
            Some(meant) => error.help(format!("did you mean `{meant}`?")),
            None => error,
        })
    }
}
