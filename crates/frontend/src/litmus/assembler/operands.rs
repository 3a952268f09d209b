//! Tokens to syntax tree: operands, in both syntaxes.

use super::code::{Memory, Operand};
use super::parser::AssemblerParser;
use super::registers::View;
use crate::diagnostic::Diagnostic;
use crate::litmus::ast::Name;
use crate::litmus::parser::Parsed;
use crate::text::TextRange;
use crate::tokens::TokenKind;

const SIZES: &[(&str, u8)] = &[("BYTE", 8), ("WORD", 16), ("DWORD", 32), ("QWORD", 64)];

/// The terms of an address that were read so far.
#[derive(Default)]
struct Terms<'t> {
    symbol: Option<Name<'t>>,
    registers: Vec<(View<'t>, i64)>,
    displacement: i64,
}

impl<'t> AssemblerParser<'t> {
    pub(super) fn operand(&mut self) -> Parsed<Operand<'t>> {
        let start = self.cursor().peek().range;
        if self.cursor().eat("$") {
            return match self.cursor().word_at(0) {
                Some(text) => Ok(Operand::Address(Name { text, range: self.cursor().advance().range })),
                None => {
                    let value = self.base.number()?.0;
                    Ok(Operand::Immediate(value, self.cursor().since(start)))
                }
            };
        }
        let size = self.size_prefix();
        if let Some(size) = size {
            return self.memory(start, Some(size));
        }
        if self.cursor().is("[") || self.cursor().is("(") {
            return self.memory(start, None);
        }
        if self.cursor().is("-") || matches!(self.cursor().peek().kind, TokenKind::Integer(_)) {
            let value = self.base.number()?.0;
            if self.cursor().is("[") || self.cursor().is("(") {
                let mut terms = Terms { displacement: value, ..Terms::default() };
                self.bracketed(&mut terms)?;
                return self.sum(terms, start, None).map(Operand::Memory);
            }
            return Ok(Operand::Immediate(value, self.cursor().since(start)));
        }
        if self.is_segment() {
            // In user space, segments all start at 0.
            let tokens = self.cursor().is("%") as usize + 2;
            self.cursor().skip(tokens);
            return self.operand();
        }
        if let Some(view) = self.register()? {
            return Ok(Operand::Register(view, self.cursor().since(start)));
        }
        let name = self.base.name("an operand")?;
        if self.cursor().is("(") {
            let mut terms = Terms { symbol: Some(name), ..Terms::default() };
            if self.is_instruction_pointer() {
                let tokens = self.cursor().is_at(1, "%") as usize + 3;
                self.cursor().skip(tokens);
            } else {
                self.bracketed(&mut terms)?;
            }
            return self.sum(terms, start, None).map(Operand::Memory);
        }
        Err(Diagnostic::new(format!("`{}` is not a register", name.text), name.range, "expected an operand")
            .help(format!("write `[{0}]` for what the location holds, `${0}` for its address", name.text)))
    }

    /// `DWORD PTR`.
    fn size_prefix(&mut self) -> Option<u8> {
        let word = self.cursor().word_at(0)?.to_ascii_uppercase();
        let &(_, bits) = SIZES.iter().find(|(name, _)| *name == word)?;
        let pointer = self.cursor().word_at(1).is_some_and(|word| word.eq_ignore_ascii_case("ptr"));
        let ahead = if pointer { 2 } else { 1 };
        if !self.cursor().is_at(ahead, "[") && !self.cursor().is_at(ahead, "(") {
            return None;
        }
        self.cursor().skip(ahead);
        Some(bits)
    }

    /// `%cs:` or `cs:`.
    fn is_segment(&mut self) -> bool {
        let ahead = self.cursor().is("%") as usize;
        let names = ["cs", "ds", "es", "ss"];
        let named = self.cursor().word_at(ahead).is_some_and(|w| names.contains(&w.to_ascii_lowercase().as_str()));
        named && self.cursor().is_at(ahead + 1, ":")
    }

    /// `(%rip)`.
    fn is_instruction_pointer(&mut self) -> bool {
        let ahead = 1 + self.cursor().is_at(1, "%") as usize;
        self.cursor().word_at(ahead).is_some_and(|word| word.eq_ignore_ascii_case("rip"))
            && self.cursor().is_at(ahead + 1, ")")
    }

    /// `%eax`, `EAX`, `%name`; nothing if something else is there.
    fn register(&mut self) -> Parsed<Option<View<'t>>> {
        if self.cursor().is("%") {
            let Some(text) = self.cursor().word_at(1) else { return Err(self.cursor().expected("an operand")) };
            self.cursor().advance();
            self.cursor().advance();
            return Ok(Some(View::named(text).unwrap_or(View::symbolic(text, self.syntax.bits()))));
        }
        let view = self.cursor().word_at(0).and_then(View::named);
        if view.is_some() {
            self.cursor().advance();
        }
        Ok(view)
    }

    fn memory(&mut self, start: TextRange, bits: Option<u8>) -> Parsed<Operand<'t>> {
        let mut terms = Terms::default();
        self.bracketed(&mut terms)?;
        self.sum(terms, start, bits).map(Operand::Memory)
    }

    /// `[x + 4]`, `[RAX + RBX*4]`, `(%rax)`, `(%rax, %rbx, 4)`.
    fn bracketed(&mut self, terms: &mut Terms<'t>) -> Parsed<()> {
        let close = if self.cursor().eat("[") { "]" } else { ")" };
        if close == ")" {
            self.cursor().expect("(")?;
        }
        // AT&T may leave the base out: `a(, %rbx, 4)`.
        if close == "]" || !self.cursor().is(",") {
            self.terms(terms)?;
        }
        if close == ")" && self.cursor().eat(",") {
            let Some(index) = self.register()? else { return Err(self.cursor().expected("a register")) };
            let scale = if self.cursor().eat(",") { self.base.number()?.0 } else { 1 };
            terms.registers.push((index, scale));
        }
        self.cursor().expect(close)?;
        Ok(())
    }

    fn terms(&mut self, terms: &mut Terms<'t>) -> Parsed<()> {
        let mut negative = self.cursor().eat("-");
        loop {
            self.term(terms, negative)?;
            negative = self.cursor().is("-");
            if !self.cursor().eat("+") && !self.cursor().eat("-") {
                return Ok(());
            }
        }
    }

    fn term(&mut self, terms: &mut Terms<'t>, negative: bool) -> Parsed<()> {
        let start = self.cursor().peek().range;
        if let TokenKind::Integer(value) = self.cursor().peek().kind {
            self.cursor().advance();
            let value = if negative { value.wrapping_neg() } else { value };
            terms.displacement = terms.displacement.wrapping_add(value);
            return Ok(());
        }
        if let Some(view) = self.register()? {
            let scale = if self.cursor().eat("*") { self.base.number()?.0 } else { 1 };
            if negative {
                return Err(Diagnostic::new("an address cannot subtract a register", start, "subtracted here"));
            }
            terms.registers.push((view, scale));
            return Ok(());
        }
        let name = self.base.name("a location or a register")?;
        if negative || terms.symbol.is_some() {
            return Err(Diagnostic::new("an address has at most one location", name.range, "one too many"));
        }
        terms.symbol = Some(name);
        Ok(())
    }

    fn sum(&mut self, terms: Terms<'t>, start: TextRange, bits: Option<u8>) -> Parsed<Memory<'t>> {
        let range = self.cursor().since(start);
        let (mut base, mut index) = (None, None);
        for (view, scale) in terms.registers {
            match (base, index) {
                (None, _) if scale == 1 => base = Some(view),
                (_, None) => index = Some((view, scale)),
                _ => return Err(Diagnostic::new("an address has at most two registers", range, "one too many")),
            }
        }
        let Terms { symbol, displacement, .. } = terms;
        if symbol.is_none() && base.is_none() && index.is_none() {
            return Err(Diagnostic::new("there is no location at a fixed address", range, "expected `[x]` or `[EAX]`"));
        }
        Ok(Memory { range, bits, symbol, base, index, displacement })
    }
}
