//! Tokens to syntax tree: the table of the threads' code.

use super::Syntax;
use super::code::*;
use super::operations::{self, Operation};
use crate::cursor::Cursor;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::limits::{ERRORS, THREADS};
use crate::litmus::ast::Name;
use crate::litmus::parser::{Parsed, Parser, thread_number};
use crate::text::TextRange;
use crate::tokens::{Dialect, Tokens};

/// As for C, with the signs of registers and constants; `||` is two ends of columns.
pub(super) const DIALECT: Dialect = Dialect {
    punctuation: &[
        "/\\", "\\/", "==", "!=", "<>", "=>", "{", "}", "(", ")", "[", "]", ";", ",", ".", ":", "=", "<", ">", "+",
        "-", "*", "/", "%", "&", "|", "^", "!", "~", "?", "$", "#",
    ],
    ml_comments: true,
};

pub(super) struct AssemblerParser<'t> {
    pub base: Parser<'t>,
    pub syntax: Syntax,
}

pub(super) fn parse<'t>(text: &'t str, tokens: &'t Tokens, syntax: Syntax) -> Result<Test<'t>, Vec<Diagnostic>> {
    let base = Parser { cursor: Cursor::new(text, tokens), errors: Vec::new(), addresses: true };
    let mut parser = AssemblerParser { base, syntax };
    let test = parser.test();
    let mut errors = parser.base.errors;
    match test {
        Ok(test) if errors.is_empty() => Ok(test),
        Ok(_) => Err(errors),
        Err(error) => {
            errors.push(error);
            Err(errors)
        }
    }
}

impl<'t> AssemblerParser<'t> {
    pub(super) fn cursor(&mut self) -> &mut Cursor<'t> {
        &mut self.base.cursor
    }

    fn test(&mut self) -> Parsed<Test<'t>> {
        let init = self.base.initial_state()?;
        self.cursor().eat(";");
        let mut threads = self.threads()?;
        while !self.is_question() {
            self.row(&mut threads)?;
        }
        let questions = self.base.questions()?;
        // What a model is expected to answer, as old tests have it.
        if !self.cursor().at_end() && !self.cursor().is_word("with") {
            return Err(self.cursor().expected("the end of the test"));
        }
        Ok(Test { init, threads, questions })
    }

    /// `P0 | P1 ;`.
    fn threads(&mut self) -> Parsed<Vec<Thread<'t>>> {
        let mut threads: Vec<Thread<'t>> = Vec::new();
        loop {
            let Some(number) = self.cursor().word_at(0).and_then(thread_number) else {
                return Err(self.cursor().expected("a thread such as `P0`"));
            };
            let range = self.cursor().advance().range;
            if let Some(first) = threads.iter().find(|thread| thread.number == number) {
                return Err(Diagnostic::new(format!("there are two threads P{number}"), range, "again here")
                    .and(first.range, "first here"));
            }
            if threads.len() as i64 == THREADS {
                return Err(Diagnostic::new(format!("too many threads: at most {THREADS}"), range, "one too many"));
            }
            threads.push(Thread { number, range, code: Vec::new() });
            if self.cursor().eat(";") {
                return Ok(threads);
            }
            if !self.cursor().eat("|") {
                return Err(self.cursor().missing("`|` or `;`"));
            }
        }
    }

    /// Whether the code ends here. `NOT` is an instruction too.
    fn is_question(&mut self) -> bool {
        match self.cursor().word_at(0) {
            Some("locations" | "filter" | "exists" | "forall" | "final" | "with") => true,
            Some("not") => self.cursor().word_at(1) == Some("exists"),
            Some(_) => false,
            None => ["~", "("].iter().any(|sign| self.cursor().is(sign)) || self.cursor().at_end(),
        }
    }

    /// One instruction of each thread, or fewer.
    fn row(&mut self, threads: &mut [Thread<'t>]) -> Parsed<()> {
        let mut column = 0;
        loop {
            let start = self.cursor().peek().range;
            let Some(thread) = threads.get_mut(column) else {
                let message = format!("this row has more columns than there are threads ({})", threads.len());
                return Err(Diagnostic::new(message, start, "one too many"));
            };
            if let Err(error) = self.cell(&mut thread.code) {
                if self.base.errors.len() + 1 >= ERRORS {
                    return Err(error);
                }
                self.base.errors.push(error);
                self.skip_cell();
            }
            if self.cursor().eat(";") {
                return Ok(());
            }
            if !self.cursor().eat("|") {
                return Err(self.cursor().missing("`|` or `;`"));
            }
            column += 1;
        }
    }

    /// After an error, goes on at the end of the column.
    fn skip_cell(&mut self) {
        while !self.cursor().at_end() && !self.cursor().is("|") && !self.cursor().is(";") {
            self.cursor().advance();
        }
    }

    /// Labels and an instruction, or nothing.
    fn cell(&mut self, code: &mut Vec<Line<'t>>) -> Parsed<()> {
        while self.cursor().word_at(0).is_some() && self.cursor().is_at(1, ":") {
            let name = self.label()?;
            self.cursor().advance();
            code.push(Line::Label(name));
        }
        if self.cursor().is("|") || self.cursor().is(";") {
            return Ok(());
        }
        code.push(Line::Instruction(self.instruction()?));
        if self.cursor().is("|") || self.cursor().is(";") {
            return Ok(());
        }
        Err(self.cursor().missing("`|` or `;`"))
    }

    fn label(&mut self) -> Parsed<Name<'t>> {
        match self.cursor().word_at(0) {
            Some(text) => Ok(Name { text, range: self.cursor().advance().range }),
            None => Err(self.cursor().expected("a label")),
        }
    }

    fn instruction(&mut self) -> Parsed<Instruction<'t>> {
        let start = self.cursor().peek().range;
        let locked = self.cursor().word_at(0).is_some_and(|word| word.eq_ignore_ascii_case("lock"));
        if locked {
            self.cursor().advance();
        }
        let Some(mnemonic) = self.cursor().word_at(0) else { return Err(self.cursor().expected("an instruction")) };
        let range = self.cursor().advance().range;
        let Some((operation, bits)) = operations::operation(mnemonic) else { return Err(unknown(mnemonic, range)) };
        let mut operands = Vec::new();
        let mut target = None;
        if matches!(operation, Operation::Jump | Operation::JumpIf(_)) {
            target = Some(self.label()?);
        } else if !self.cursor().is("|") && !self.cursor().is(";") {
            operands.push(self.operand()?);
            while self.cursor().eat(",") {
                operands.push(self.operand()?);
            }
        }
        let range = self.cursor().since(start);
        let expected = operation.operands();
        if !expected.contains(&operands.len()) {
            let (expected, found) = (expected.end(), operands.len());
            let plural = if *expected == 1 { "" } else { "s" };
            let message = format!("`{mnemonic}` takes {expected} operand{plural}, not {found}");
            return Err(Diagnostic::new(message, range, format!("expected {expected} operand{plural}")));
        }
        self.order(operation, &mut operands, range)?;
        check_lock(locked, operation, &operands, range)?;
        check_memory(operation, &operands, range)?;
        Ok(Instruction { range, locked, operation, bits, operands, target })
    }

    /// Puts the destination first. X86 has it there; X86_64 has it last, except that herd writes the operands of
    /// CMPXCHG and CMOV the other way round. Theirs tell by themselves which is which, if one is in memory.
    fn order(&self, operation: Operation, operands: &mut [Operand<'t>], range: TextRange) -> Parsed<()> {
        let [first, second] = operands else { return Ok(()) };
        let swapped = match operation {
            Operation::CompareExchange | Operation::ExchangeAdd if second.is_memory() => true,
            Operation::CompareExchange | Operation::ExchangeAdd if first.is_memory() => false,
            Operation::MoveIf(_) if first.is_memory() => true,
            Operation::MoveIf(_) if second.is_memory() => false,
            Operation::CompareExchange | Operation::MoveIf(_) if self.syntax == Syntax::X86_64 => {
                let message = "it is not clear which register is the destination: assemblers and herd differ";
                return Err(Diagnostic::new(message, range, "ambiguous"));
            }
            Operation::Exchange => false,
            _ => self.syntax == Syntax::X86_64,
        };
        if swapped {
            std::mem::swap(first, second);
        }
        Ok(())
    }
}

fn check_lock(locked: bool, operation: Operation, operands: &[Operand<'_>], range: TextRange) -> Parsed<()> {
    // XCHG may have either operand in memory.
    let in_memory = match operation {
        Operation::Exchange => operands.iter().any(Operand::is_memory),
        _ => operands.first().is_some_and(Operand::is_memory),
    };
    if !locked || operation.can_be_locked() && in_memory {
        return Ok(());
    }
    let label = if operation.can_be_locked() { "its destination is not in memory" } else { "it cannot be locked" };
    Err(Diagnostic::new("this instruction cannot have the prefix LOCK", range, label))
}

fn check_memory(operation: Operation, operands: &[Operand<'_>], range: TextRange) -> Parsed<()> {
    if operation == Operation::LoadAddress {
        return match operands {
            [Operand::Register(..), Operand::Memory(_)] => Ok(()),
            _ => Err(Diagnostic::new("LEA loads an address into a register", range, "expected a register and `[...]`")),
        };
    }
    if let [first, second] = operands
        && first.is_memory()
        && second.is_memory()
    {
        return Err(Diagnostic::new("an instruction cannot access memory twice", second.range(), "again here")
            .and(first.range(), "first here"));
    }
    let writes = !matches!(operation, Operation::Compare | Operation::Test | Operation::Nothing);
    if let Some(constant @ (Operand::Immediate(..) | Operand::Address(_))) = operands.first()
        && writes
    {
        return Err(Diagnostic::new("a constant cannot be the destination", constant.range(), "expected a register"));
    }
    let needs_register = matches!(
        operation,
        Operation::Exchange | Operation::CompareExchange | Operation::ExchangeAdd | Operation::MoveIf(_)
    );
    if let Some(constant @ (Operand::Immediate(..) | Operand::Address(_))) = operands.get(1)
        && needs_register
    {
        return Err(Diagnostic::new("this operand cannot be a constant", constant.range(), "expected a register"));
    }
    Ok(())
}

fn unknown(mnemonic: &str, range: TextRange) -> Diagnostic {
    let upper = mnemonic.to_ascii_uppercase();
    let message = format!("the instruction `{mnemonic}` is not supported");
    if let Some((_, why)) = operations::REFUSED.iter().find(|(name, _)| upper.starts_with(name)) {
        return Diagnostic::new(message, range, *why);
    }
    let error = Diagnostic::new(message, range, "not an instruction that is known here");
    match did_you_mean(&upper, operations::mnemonics()) {
        Some(meant) => error.help(format!("did you mean `{meant}`?")),
        None => error,
    }
}

/// Where the notes begin that old tests have behind them, for a tool of their own.
pub(super) fn end_of_test(text: &str, start: usize) -> usize {
    let mut at = start;
    for line in text[start..].split_inclusive('\n') {
        if line.trim_start().starts_with("<<") {
            let before = text[start..at].trim_end();
            // They may be commented out.
            return start + before.strip_suffix("(*").unwrap_or(before).len();
        }
        at += line.len();
    }
    text.len()
}
