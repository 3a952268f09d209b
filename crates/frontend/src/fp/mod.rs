//! The `.fp` language (docs/reference/language.md).

mod accesses;
mod ast;
mod constants;
mod expressions;
mod format;
mod globals;
mod lower;
mod names;
mod parser;
mod print;
mod recursion;
mod statements;
mod values;

use crate::diagnostic::{Diagnostic, Error};
use crate::input::{Input, check_size, header};
use crate::text::TextRange;
use crate::tokens::{Tokens, lex};
use fencepost_program::{Program, Source};

/// Reads an `.fp` program. `name` is what messages call the file.
pub fn parse_fp(name: &str, text: &str) -> Result<Input, Error> {
    let program = program(text).map_err(|errors| Error::new(name, text, errors))?;
    let source = Source { name: name.to_owned(), text: text.to_owned() };
    let program = Program { sources: vec![source], ..program };
    Ok(Input { program, header: header(text), condition: None, filter: None, observed: Vec::new() })
}

/// Formats a program in the standard layout, and keeps its comments.
pub fn format_fp(name: &str, text: &str) -> Result<String, Error> {
    let fail = |errors| Error::new(name, text, errors);
    let tokens = tokens(text).map_err(|e| fail(vec![e]))?;
    let items = parser::parse(text, &tokens).map_err(fail)?;
    Ok(format::format(text, &items, &tokens.comments))
}

fn program(text: &str) -> Result<Program, Vec<Diagnostic>> {
    let tokens = tokens(text).map_err(|e| vec![e])?;
    let items = parser::parse(text, &tokens)?;
    lower::program(&items, text)
}

fn tokens(text: &str) -> Result<Tokens, Diagnostic> {
    check_size(text)?;
    lex(text, TextRange::new(0, text.len()), &parser::DIALECT)
}
