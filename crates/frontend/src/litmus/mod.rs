//! Litmus tests in dialects of herd (docs/reference/litmus.md): C, and the assembler of x86.

mod assembler;
mod ast;
mod calls;
mod conditions;
mod expressions;
mod linux;
mod locations;
mod lower;
mod parser;
mod prelude;
mod propositions;
mod statements;
mod types;
mod values;

use self::ast::{Init, Initial, Name, Test};
use self::conditions::{Asked, Resolver};
use self::locations::Locations;
use crate::diagnostic::{Diagnostic, Error};
use crate::input::{Input, check_size};
use crate::text::{Lines, TextRange};
use crate::tokens::lex;
use fencepost_program::{FuncId, Program, Source, Thread};
use std::collections::HashSet;

/// Reads a litmus test. `name` is what messages call the file.
pub fn parse_litmus(name: &str, text: &str) -> Result<Input, Error> {
    let mut input = read(text).map_err(|errors| Error::new(name, text, errors))?;
    input.program.sources = vec![Source { name: name.to_owned(), text: text.to_owned() }];
    Ok(input)
}

fn read(text: &str) -> Result<Input, Vec<Diagnostic>> {
    check_size(text).map_err(|e| vec![e])?;
    let prelude = prelude::read(text).map_err(|e| vec![e])?;
    let rest = TextRange::new(prelude.end, text.len());
    if let Some(syntax) = prelude.dialect.assembler() {
        return assembler::read(text, rest, syntax, prelude.header);
    }
    let tokens = lex(text, rest, &parser::DIALECT).map_err(|e| vec![e])?;
    let kernel = linux::is_for_kernel(text, &tokens);
    let test = parser::parse(text, &tokens)?;
    let mut input = lower(&test, text, prelude.header, kernel)?;
    if kernel {
        input.program.assumptions.push(linux::ASSUMPTION.to_owned());
    }
    Ok(input)
}

/// `kernel`: functions have the meaning that they have in the Linux kernel.
fn lower(test: &Test<'_>, text: &str, header: Vec<(String, String)>, kernel: bool) -> Result<Input, Vec<Diagnostic>> {
    let lines = Lines::of(text);
    let mut errors = Vec::new();
    let locations = Locations::collect(test, &lines, &mut errors);
    let initial = initial_registers(test, &mut errors);
    let mut program = Program::default();
    let mut locals = Vec::new();
    for (i, thread) in test.threads.iter().enumerate() {
        match lower::thread(thread, &initial[i], kernel, &locations, &lines, &mut errors) {
            Ok(lowered) => {
                let name = lowered.function.name.clone();
                program.functions.push(lowered.function);
                program.threads.push(Thread { name, func: FuncId(i as u32), args: Vec::new() });
                locals.push(lowered.locals);
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

/// What the initial state says about each thread's registers.
fn initial_registers<'t>(test: &Test<'t>, errors: &mut Vec<Diagnostic>) -> Vec<Vec<(Name<'t>, i64)>> {
    let mut registers: Vec<Vec<(Name<'t>, i64)>> = vec![Vec::new(); test.threads.len()];
    let mut seen = HashSet::new();
    for init in &test.init {
        let Init::Register { thread: (number, range), name, value } = init else { continue };
        let Some(i) = test.threads.iter().position(|thread| thread.number == *number) else {
            errors.push(conditions::no_thread(*number, *range));
            continue;
        };
        if !seen.insert((i, name.text)) {
            let message = format!("`{number}:{}` is initialised twice", name.text);
            errors.push(Diagnostic::new(message, name.range, "again here"));
        } else if test.threads[i].params.iter().any(|param| param.name.text == name.text) {
            errors.push(parser::pointer_value(name.range));
        } else if let Initial::Number(value) = value {
            registers[i].push((*name, *value));
        }
    }
    registers
}
