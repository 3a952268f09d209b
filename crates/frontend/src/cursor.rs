//! A position in a list of tokens, with the questions that every parser asks and the bounds that every parser keeps.

use crate::diagnostic::{Diagnostic, shortened};
use crate::limits::{EXPRESSION_PARTS, NESTING};
use crate::text::TextRange;
use crate::tokens::{Token, TokenKind, Tokens};

pub(crate) struct Cursor<'t> {
    pub text: &'t str,
    tokens: &'t [Token],
    at: usize,
    depth: usize,
    too_deep: bool,
    /// Operators and operands of the expression that is being read.
    parts: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str, tokens: &'t Tokens) -> Cursor<'t> {
        Cursor { text, tokens: &tokens.tokens, at: 0, depth: 0, too_deep: false, parts: 0 }
    }

    pub(crate) fn peek(&self) -> Token {
        self.peek_at(0)
    }

    /// The token `ahead` of the next one; the end goes on forever.
    pub(crate) fn peek_at(&self, ahead: usize) -> Token {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub(crate) fn advance(&mut self) -> Token {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub(crate) fn skip(&mut self, tokens: usize) {
        self.at = (self.at + tokens).min(self.tokens.len() - 1);
    }

    /// From `start` to the last token that was read.
    pub(crate) fn since(&self, start: TextRange) -> TextRange {
        start.to(self.previous())
    }

    /// The place of the token before the next one.
    pub(crate) fn previous(&self) -> TextRange {
        self.tokens[self.at.saturating_sub(1)].range
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn at_end(&self) -> bool {
        self.peek().kind == TokenKind::End
    }

    pub(crate) fn is(&self, punctuation: &str) -> bool {
        self.is_at(0, punctuation)
    }

    pub(crate) fn is_at(&self, ahead: usize, punctuation: &str) -> bool {
        matches!(self.peek_at(ahead).kind, TokenKind::Punctuation(p) if p == punctuation)
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.word_at(0) == Some(word)
    }

    /// The identifier or keyword at this distance.
    pub(crate) fn word_at(&self, ahead: usize) -> Option<&'t str> {
        let token = self.peek_at(ahead);
        (token.kind == TokenKind::Identifier).then(|| token.range.of(self.text))
    }

    pub(crate) fn eat(&mut self, punctuation: &str) -> bool {
        let there = self.is(punctuation);
        if there {
            self.advance();
        }
        there
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let there = self.is_word(word);
        if there {
            self.advance();
        }
        there
    }

    pub(crate) fn expect(&mut self, punctuation: &str) -> Result<TextRange, Diagnostic> {
        if self.is(punctuation) { Ok(self.advance().range) } else { Err(self.missing(&format!("`{punctuation}`"))) }
    }

    /// The next token is not what should start here.
    pub(crate) fn expected(&self, what: &str) -> Diagnostic {
        Diagnostic::new(self.expected_message(what), self.peek().range, format!("expected {what}"))
    }

    /// Something is missing before the next token: if that is on another line, points behind the last one.
    pub(crate) fn missing(&self, what: &str) -> Diagnostic {
        let next = self.peek();
        let between = TextRange { start: self.previous().end, end: next.range.start };
        if self.at == 0 || !between.of(self.text).contains('\n') {
            return self.expected(what);
        }
        let error = Diagnostic::new(self.expected_message(what), self.previous().after(), format!("expected {what}"));
        if self.at_end() { error } else { error.and(next.range, "found this") }
    }

    fn expected_message(&self, what: &str) -> String {
        match self.peek() {
            Token { kind: TokenKind::End, .. } => format!("expected {what}, found the end of the file"),
            Token { range, .. } => {
                format!("expected {what}, found `{}`", shortened(range.of(self.text).to_owned(), 40))
            }
        }
    }

    /// Goes one level deeper, unless that is too deep for the stack. Each success is paired with a [`Cursor::leave`].
    pub(crate) fn enter(&mut self) -> Result<(), Diagnostic> {
        if self.depth >= NESTING {
            self.too_deep = true;
            let range = self.peek().range;
            return Err(Diagnostic::new("this is nested too deeply", range, format!("more than {NESTING} levels")));
        }
        self.depth += 1;
        Ok(())
    }

    pub(crate) fn start_expression(&mut self) {
        self.parts = 0;
    }

    /// Counts an operator or an operand, unless there are too many for the height of the tree.
    pub(crate) fn count_part(&mut self) -> Result<(), Diagnostic> {
        self.parts += 1;
        if self.parts <= EXPRESSION_PARTS {
            return Ok(());
        }
        let label = format!("more than {EXPRESSION_PARTS} operators and operands");
        Err(Diagnostic::new("this expression is too large", self.peek().range, label))
    }

    /// Whether something was nested too deeply: going on after that error would only find it again.
    pub(crate) fn is_too_deep(&self) -> bool {
        self.too_deep
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }
}
