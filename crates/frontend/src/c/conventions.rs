//! Functions that tools for verification give a meaning, whatever their code does: those of SV-COMP, GenMC, Dartagnan,
//! CBMC, ESBMC and Goblint. Programs for these tools declare them, and often define them so that they can be run.

use fencepost_llvm::{Call, Callee, LocalId, Module, Op};
use fencepost_program::{Failure, Inst, Operand, Value as Word};

use super::acsl;
use super::function::FunctionLowering;
use super::globals::Unsupported;
use super::nondet;
use super::sections;
use crate::input::Abort;

/// What calls of a function mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning<'n> {
    /// The execution is of no interest unless the argument is true.
    Assumes,
    /// The argument must be true.
    Asserts,
    /// To come here is the error.
    Fails,
    /// `abort`, which is an error or an end.
    Aborts,
    /// A hint for a tool that needs it.
    Nothing,
    Returns(Word),
    /// Any value of its type, or one of its range.
    Nondet(&'n str),
    /// The begin and the end of an atomic section.
    Begins,
    Ends,
    /// A name of a tool for what is not supported, with the words for it.
    Refused(&'static str),
}

/// Names that nobody else uses: their meaning does not depend on their code.
fn meaning(name: &str) -> Option<Meaning<'_>> {
    Some(match name {
        "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume" | "__goblint_assume" | "assume_abort_if_not" => {
            Meaning::Assumes
        }
        "__CPROVER_assert" | "__ESBMC_assert" | acsl::ASSERT | "__goblint_check" | "__goblint_assert" => {
            Meaning::Asserts
        }
        _ if is_failed_assertion(name) => Meaning::Fails,
        "abort" => Meaning::Aborts,
        _ if sections::begins(name) => Meaning::Begins,
        _ if sections::ends(name) => Meaning::Ends,
        // Marks around spin loops, which are found without them, and hints for a search.
        "__VERIFIER_loop_begin"
        | "__VERIFIER_loop_bound"
        | "__VERIFIER_spin_start"
        | "__VERIFIER_spin_end"
        | "__VERIFIER_annotate_begin"
        | "__VERIFIER_annotate_end"
        | "__goblint_globalize"
        | "__goblint_split_begin"
        | "__goblint_split_end"
        | "__goblint_bounded" => Meaning::Nothing,
        "__VERIFIER_opt_begin" => Meaning::Returns(0),
        "__VERIFIER_nondet_memory" => Meaning::Refused("bytes that nothing determines"),
        "__VERIFIER_make_interrupt_handler" | "__VERIFIER_make_cb" => Meaning::Refused("interrupt handlers"),
        _ => Meaning::Nondet(nondet::kind(name)?),
    })
}

/// Names that others may use too, if their code is not known.
fn meaning_of_undefined(name: &str) -> Option<Meaning<'_>> {
    Some(match name {
        "assume" | "ldv_assume" => Meaning::Assumes,
        "__VERIFIER_assert" | "ldv_assert" => Meaning::Asserts,
        "__VERIFIER_fail" | "ldv_error" => Meaning::Fails,
        _ => Meaning::Nondet(nondet::kind_of_undefined(name)?),
    })
}

impl FunctionLowering<'_, '_> {
    /// Lowers a call of a function that has a meaning by its name. Returns false if it has none.
    pub(super) fn convention(&mut self, result: Option<LocalId>, call: &Call, name: &str) -> Result<bool, Unsupported> {
        let undefined = || meaning_of_undefined(name).filter(|_| self.lowering.linked.named(name).is_none());
        let Some(meaning) = meaning(name).or_else(undefined) else { return Ok(false) };
        match meaning {
            Meaning::Assumes => {
                let cond = self.condition(call, name)?;
                self.emit(Inst::Assume { cond });
            }
            Meaning::Asserts => {
                let cond = self.condition(call, name)?;
                self.emit(Inst::Assert { cond });
            }
            Meaning::Fails => self.emit(Inst::Fail { failure: Failure::Assertion }),
            Meaning::Aborts if self.lowering.abort == Abort::End => {
                self.emit(Inst::ExitProgram { status: Operand::Const(ABORTED) });
            }
            Meaning::Aborts => self.emit(Inst::Fail { failure: Failure::Abort }),
            Meaning::Nothing => {}
            Meaning::Begins => self.call_library(None, sections::BEGIN, Vec::new())?,
            Meaning::Ends => self.call_library(None, sections::END, Vec::new())?,
            Meaning::Returns(value) => self.set_all(result, vec![Operand::Const(value)])?,
            Meaning::Nondet(kind) => self.nondet(result, call, name, kind)?,
            Meaning::Refused(what) => return Err(format!("a call of `{name}`: {what}")),
        }
        Ok(true)
    }

    /// The first argument, which decides.
    fn condition(&mut self, call: &Call, name: &str) -> Result<Operand, Unsupported> {
        match call.arguments.first() {
            Some(argument) => self.value(argument.value),
            None => Err(format!("a call of `{name}` without its argument")),
        }
    }
}

/// The exit status of a program that a shell sees after `abort`.
const ABORTED: Word = 134;

/// Whether a call of the function is an assertion that failed.
fn is_failed_assertion(name: &str) -> bool {
    let names = [
        "__fencepost_assertion_fails",
        "__assert_fail",
        "__assert_perror_fail",
        "__assert",
        "__assert_rtn",
        "__VERIFIER_assert_fail",
        "__VERIFIER_error",
        "reach_error",
    ];
    names.contains(&name)
}

/// Whether a name is not for a program to define, whatever it defines it as for other tools.
pub(super) fn is_reserved(name: &str) -> bool {
    ["__fencepost_", "fencepost_", "__VERIFIER_", "__CPROVER_", "__ESBMC_", "__goblint_"]
        .iter()
        .any(|start| name.starts_with(start))
        || ["reach_error", "assume_abort_if_not"].contains(&name)
}

/// Whether a call of the function is an assertion, which may have failed already.
pub(super) fn is_assertion(name: &str) -> bool {
    matches!(meaning(name), Some(Meaning::Asserts | Meaning::Fails))
}

/// Whether a program has the error function of SV-COMP. Then that is its only error: `abort` is how it ends.
pub(super) fn follows_sv_comp(module: &Module) -> bool {
    module.functions.iter().any(|function| matches!(module.name(function.name), "reach_error" | "__VERIFIER_error"))
}

/// Whether a function does nothing with its argument but ask whether it is 0.
pub(super) fn asks_whether(name: &str) -> bool {
    matches!(meaning(name), Some(Meaning::Assumes | Meaning::Asserts))
}

/// Whether some code calls `abort`.
pub(super) fn calls_abort(module: &Module) -> bool {
    let instructions = module.functions.iter().flat_map(|function| &function.blocks).flat_map(|b| &b.instructions);
    instructions.into_iter().any(|instruction| match &instruction.op {
        Op::Call(call) | Op::Invoke { call, .. } => {
            matches!(call.callee, Callee::Symbol(name) if module.name(name) == "abort")
        }
        _ => false,
    })
}
