//! Tokens to syntax tree: `locations`, `filter` and the condition.

use super::ast::*;
use super::parser::{Parsed, Parser};
use crate::operators::Expressions;
use crate::text::TextRange;
use crate::tokens::TokenKind;
use fencepost_program::question::Quantifier;

impl<'t> Parser<'t> {
    /// `locations [x; 0:r0;]`, or nothing.
    pub(super) fn locations(&mut self) -> Parsed<Vec<Observed<'t>>> {
        let mut list = Vec::new();
        if !self.cursor.eat_word("locations") {
            return Ok(list);
        }
        self.cursor.expect("[")?;
        loop {
            while self.cursor.eat(";") {}
            if self.cursor.eat("]") {
                return Ok(list);
            }
            list.push(self.observed()?);
            if !self.cursor.is(";") && !self.cursor.is("]") {
                return Err(self.cursor.missing("`;` or `]`"));
            }
        }
    }

    pub(super) fn condition(&mut self) -> Parsed<Option<(Quantifier, Prop<'t>, TextRange)>> {
        let start = self.cursor.peek().range;
        let negated = self.cursor.eat("~") || self.cursor.eat_word("not");
        let quantifier = match self.cursor.word_at(0) {
            Some("exists") if negated => Quantifier::NotExists,
            Some("exists" | "final") if !negated => Quantifier::Exists,
            Some("forall") if !negated => Quantifier::Forall,
            _ if negated => return Err(self.cursor.expected("`exists`")),
            None if self.cursor.is("(") => {
                let proposition = self.proposition()?;
                return Ok(Some((Quantifier::Exists, proposition, self.cursor.since(start))));
            }
            None if self.cursor.at_end() || self.cursor.is(";") => return Ok(None),
            _ => return Err(self.cursor.expected("`exists`, `~exists`, `forall`, or another thread")),
        };
        self.cursor.advance();
        let proposition = self.proposition()?;
        Ok(Some((quantifier, proposition, self.cursor.since(start))))
    }

    /// Binds as in herd: `\/` loosest, then `/\`, then `=>`, then `not`.
    pub(super) fn proposition(&mut self) -> Parsed<Prop<'t>> {
        let mut parts = vec![self.conjunction()?];
        while self.cursor.eat("\\/") {
            parts.push(self.conjunction()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Prop::Any(parts) })
    }

    fn conjunction(&mut self) -> Parsed<Prop<'t>> {
        let mut parts = vec![self.implication()?];
        while self.cursor.eat("/\\") {
            parts.push(self.implication()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Prop::All(parts) })
    }

    fn implication(&mut self) -> Parsed<Prop<'t>> {
        let premise = self.negation()?;
        if !self.cursor.eat("=>") {
            return Ok(premise);
        }
        let conclusion = self.nested(Self::implication)?;
        Ok(Prop::Any(vec![Prop::Not(Box::new(premise)), conclusion]))
    }

    fn negation(&mut self) -> Parsed<Prop<'t>> {
        if self.cursor.eat("~") || self.cursor.eat_word("not") {
            return Ok(Prop::Not(Box::new(self.nested(Self::negation)?)));
        }
        if self.cursor.eat_word("true") {
            return Ok(Prop::All(Vec::new()));
        }
        if self.cursor.eat_word("false") {
            return Ok(Prop::Any(Vec::new()));
        }
        if self.cursor.eat("(") {
            let inner = self.nested(Self::proposition)?;
            self.cursor.expect(")")?;
            return Ok(inner);
        }
        self.atom()
    }

    fn atom(&mut self) -> Parsed<Prop<'t>> {
        let left = self.observed()?;
        let equal = if self.cursor.eat("=") || self.cursor.eat("==") {
            true
        } else if self.cursor.eat("!=") || self.cursor.eat("<>") {
            false
        } else {
            return Err(self.cursor.missing("`=` or `!=`"));
        };
        let atom = Prop::Equal(left, self.operand()?);
        Ok(if equal { atom } else { Prop::Not(Box::new(atom)) })
    }

    fn operand(&mut self) -> Parsed<Operand<'t>> {
        let register = self.cursor.is_at(1, ":");
        match self.cursor.peek().kind {
            TokenKind::Integer(_) | TokenKind::Punctuation("-") if !register => Ok(Operand::Value(self.number()?.0)),
            TokenKind::Punctuation("*" | "[") => Ok(Operand::Observed(self.observed()?)),
            _ if register => Ok(Operand::Observed(self.observed()?)),
            // A bare name on this side is an address, as in `0:r0=x`.
            _ => match self.address()? {
                Some(name) => Ok(Operand::Address(name)),
                None => Err(self.cursor.expected("a number")),
            },
        }
    }

    /// `0:r0`, `x`, `[x]`, `*x`, `x[1]`.
    fn observed(&mut self) -> Parsed<Observed<'t>> {
        if let Some(thread) = self.thread_prefix() {
            return Ok(Observed::Register { thread, name: self.register_name()? });
        }
        let bracketed = self.cursor.eat("[");
        if !bracketed {
            self.cursor.eat("*");
        }
        let name = self.name("a location, or a register such as `0:r0`")?;
        let mut index = None;
        if bracketed {
            self.cursor.expect("]")?;
        } else if self.cursor.eat("[") {
            index = Some(self.number()?);
            self.cursor.expect("]")?;
        }
        Ok(Observed::Location { name, index })
    }
}
