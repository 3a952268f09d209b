//! Tests in the assembler of x86: herd's dialects X86 and X86_64.
//!
//! A plain access is a relaxed one, so that the models of processors order it as the processor does, and no model calls
//! it a race. An instruction that is locked, and XCHG with memory, is an SC read-modify-write; MFENCE is an SC fence;
//! SFENCE and LFENCE are membars. The program says that it is written for x86, so models of C11 refuse it.

mod code;
mod flags;
mod instructions;
mod lower;
mod memory;
mod operands;
mod operations;
mod parser;
mod register_file;
mod registers;
mod sizes;

use super::ast::{Init, Initial, Observed, Prop};
use super::conditions::{Asked, Resolver, no_thread};
use super::locations::Locations;
use crate::diagnostic::Diagnostic;
use crate::input::Input;
use crate::text::{Lines, TextRange};
use crate::tokens::lex;
use code::{Line, Operand, Test};
use fencepost_program::{FuncId, Processor, Program, Thread};
use std::collections::HashSet;

/// Which of herd's dialects it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// The destination comes first; words have 32 bits.
    X86,
    /// The destination comes last; words have 64 bits.
    X86_64,
}

impl Syntax {
    /// Bits of what is accessed if nothing says how much.
    fn bits(self) -> u8 {
        match self {
            Syntax::X86 => 32,
            Syntax::X86_64 => 64,
        }
    }
}

/// What a program comes to whose address is none of a location, or of a location of another size.
const WILD: &str = "an access to an address that is not that of a location of the same size";

/// Reads what follows the head of a test.
pub(super) fn read(
    text: &str,
    rest: TextRange,
    syntax: Syntax,
    header: Vec<(String, String)>,
) -> Result<Input, Vec<Diagnostic>> {
    let rest = TextRange::new(rest.start as usize, parser::end_of_test(text, rest.start as usize));
    let tokens = lex(text, rest, &parser::DIALECT).map_err(|e| vec![e])?;
    let test = parser::parse(text, &tokens, syntax)?;
    let lines = Lines::of(text);
    let mut errors = Vec::new();
    let locations = locations(&test, syntax, &lines, &mut errors);
    check_initial_registers(&test, &mut errors);
    let mut program =
        Program { processor: Some(Processor::X86), constructs: vec![WILD.to_owned()], ..Program::default() };
    let mut locals = Vec::new();
    for (i, thread) in test.threads.iter().enumerate() {
        match lower::thread(thread, &test, syntax, &locations, &lines, &mut errors) {
            Ok((function, names)) => {
                let name = function.name.clone();
                program.functions.push(function);
                program.threads.push(Thread { name, func: FuncId(i as u32), args: Vec::new() });
                locals.push(names);
            }
            Err(error) => {
                errors.push(error);
                locals.push(Default::default());
            }
        }
    }
    let numbers: Vec<i64> = test.threads.iter().map(|thread| thread.number).collect();
    let mut resolver = Resolver { numbers: &numbers, locations: &locations, locals: &locals, errors: &mut errors };
    let Asked { condition, filter, observed } = resolver.questions(&test.questions, text);
    if !errors.is_empty() {
        return Err(errors);
    }
    program.objects = locations.objects;
    Ok(Input { program, header, condition, filter, observed })
}

/// The locations that the initial state or the code mentions.
fn locations<'t>(test: &Test<'t>, syntax: Syntax, lines: &Lines<'_>, errors: &mut Vec<Diagnostic>) -> Locations<'t> {
    let mut locations = Locations::initial(&test.init, lines, errors);
    for line in test.threads.iter().flat_map(|thread| &thread.code) {
        let Line::Instruction(instruction) = line else { continue };
        for operand in &instruction.operands {
            let name = match operand {
                Operand::Address(name) => Some(*name),
                Operand::Memory(memory) => memory.symbol,
                _ => None,
            };
            if let Some(name) = name {
                locations.mention(name, lines);
            }
        }
    }
    sizes::give(&mut locations, test, syntax, errors);
    locations.finish(test.threads.first().map(|thread| thread.range), errors);
    locations
}

fn check_initial_registers(test: &Test<'_>, errors: &mut Vec<Diagnostic>) {
    let mut seen = HashSet::new();
    for init in &test.init {
        let Init::Register { thread: (number, range), name, .. } = init else { continue };
        if !test.threads.iter().any(|thread| thread.number == *number) {
            errors.push(no_thread(*number, *range));
        } else if !seen.insert((*number, name.text)) {
            let message = format!("`{number}:{}` is initialised twice", name.text);
            errors.push(Diagnostic::new(message, name.range, "again here"));
        }
    }
}

impl<'t> Test<'t> {
    /// What the initial state says about the registers of a thread.
    fn initial_registers(&self, number: i64) -> impl Iterator<Item = (super::ast::Name<'t>, Initial<'t>)> {
        self.init.iter().filter_map(move |init| match init {
            Init::Register { thread: (of, _), name, value } if *of == number => Some((*name, *value)),
            _ => None,
        })
    }

    /// The names of the registers of a thread that the questions mention.
    fn asked_registers(&self, number: i64) -> Vec<super::ast::Name<'t>> {
        let mut names = Vec::new();
        let mut see = |observed: &Observed<'t>| match observed {
            Observed::Register { thread: (of, _), name } if *of == number => names.push(*name),
            _ => {}
        };
        let questions = &self.questions;
        questions.locations.iter().for_each(&mut see);
        for prop in questions.filter.iter().chain(questions.condition.as_ref().map(|(_, prop, _)| prop)) {
            prop.for_each_observed(&mut see);
        }
        names
    }
}

impl<'t> Prop<'t> {
    fn for_each_observed(&self, see: &mut impl FnMut(&Observed<'t>)) {
        match self {
            Prop::Equal(left, right) => {
                see(left);
                if let super::ast::Operand::Observed(right) = right {
                    see(right);
                }
            }
            Prop::Not(inner) => inner.for_each_observed(see),
            Prop::All(parts) | Prop::Any(parts) => parts.iter().for_each(|part| part.for_each_observed(see)),
        }
    }
}
