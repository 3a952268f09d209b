//! The formatter: one statement a line, two spaces a level, single blank lines kept, comments kept.
//!
//! A comment stays behind the line that it follows, or on lines of its own before what it precedes. One that stands
//! inside a statement moves above it.

use super::ast::*;
use super::print::Printer;
use crate::text::TextRange;

const INDENT: usize = 2;

pub(super) fn format(text: &str, items: &[Item<'_>], comments: &[TextRange]) -> String {
    let mut formatter =
        Formatter { text, printer: Printer { text }, comments, lines: Vec::new(), current: String::new(), depth: 0 };
    for (i, item) in items.iter().enumerate() {
        let apart = i > 0 && (has_body(item) || has_body(&items[i - 1]));
        formatter.item(item, apart);
    }
    formatter.own_line_comments(text.len() as u32);
    render(&formatter.lines)
}

struct Formatter<'t> {
    text: &'t str,
    printer: Printer<'t>,
    /// The comments that are not printed yet.
    comments: &'t [TextRange],
    lines: Vec<Line>,
    /// The line that is being written.
    current: String,
    depth: usize,
}

struct Line {
    code: String,
    /// A comment behind the code.
    trailing: String,
}

impl<'t> Formatter<'t> {
    fn item(&mut self, item: &Item<'t>, apart: bool) {
        let header_end = match &item.kind {
            ItemKind::Const { .. } | ItemKind::Locations { .. } => item.range.end,
            ItemKind::Function { body, .. } | ItemKind::Thread { body, .. } => body.range.start,
        };
        if apart {
            self.blank_line();
        }
        self.start_line(item.range.start, header_end);
        match &item.kind {
            ItemKind::Const { name, value } => self.current += &self.printer.constant(*name, value),
            ItemKind::Locations { atomic, list } => self.current += &self.printer.locations(*atomic, list),
            ItemKind::Function { name, params, body } => {
                self.current += &self.printer.function_header(*name, params);
                self.block(body);
            }
            ItemKind::Thread { name, count, body } => {
                self.current += &self.printer.thread_header(*name, count.as_ref());
                self.block(body);
            }
        }
        self.end_line(item.range.end);
    }

    /// A block after what stands on the current line, which is left open behind the brace.
    fn block(&mut self, block: &Block<'t>) {
        if !self.current.trim_end().is_empty() && !self.current.ends_with(' ') {
            self.current.push(' ');
        }
        self.current.push('{');
        let inner_comment = self.comments.first().is_some_and(|comment| comment.end < block.range.end);
        if block.statements.is_empty() && !inner_comment {
            self.current.push('}');
            return;
        }
        self.end_line(block.range.start + 1);
        self.depth += 1;
        for statement in &block.statements {
            self.statement_line(statement);
        }
        self.own_line_comments(block.range.end - 1);
        self.depth -= 1;
        self.current = self.indentation();
        self.current.push('}');
    }

    fn statement_line(&mut self, statement: &Stmt<'t>) {
        let header_end = match &statement.kind {
            StmtKind::If { then: body, .. } | StmtKind::While { body, .. } | StmtKind::Loop(body) => body.range.start,
            StmtKind::Either(blocks) => blocks.first().map_or(statement.range.end, |block| block.range.start),
            StmtKind::Block(_) => statement.range.start,
            _ => statement.range.end,
        };
        self.start_line(statement.range.start, header_end);
        if let StmtKind::Label(_) = statement.kind {
            self.current.truncate(self.current.len().saturating_sub(INDENT));
        }
        self.statement(statement);
        self.end_line(statement.range.end);
    }

    /// Writes a statement on the current line, and leaves its last line open.
    fn statement(&mut self, statement: &Stmt<'t>) {
        match &statement.kind {
            StmtKind::If { cond, then, otherwise } => {
                self.current += &format!("if ({})", self.printer.expr(cond));
                self.body(then);
                if let Some(otherwise) = otherwise {
                    if let StmtKind::Block(_) = then.kind {
                        self.current.push(' ');
                    } else {
                        self.end_line(then.range.end);
                        self.current = self.indentation();
                    }
                    self.current += "else";
                    self.body(otherwise);
                }
            }
            StmtKind::While { cond, body } => {
                self.current += &format!("while ({})", self.printer.expr(cond));
                self.body(body);
            }
            StmtKind::Loop(body) => {
                self.current += "loop";
                self.body(body);
            }
            StmtKind::Either(blocks) => {
                self.current += "either";
                for (i, block) in blocks.iter().enumerate() {
                    if i > 0 {
                        self.current += " or";
                    }
                    self.block(block);
                }
            }
            StmtKind::Block(block) => self.block(block),
            simple => self.current += &self.printer.simple(simple),
        }
    }

    fn body(&mut self, body: &Stmt<'t>) {
        self.current.push(' ');
        self.statement(body);
    }

    /// Comments from before `until` go above the line; `start` is where its code begins in the source.
    fn start_line(&mut self, start: u32, until: u32) {
        self.own_line_comments(until);
        if self.follows_blank_line(start) {
            self.blank_line();
        }
        self.current = self.indentation();
    }

    /// Ends the current line, with the comments that follow `end`, or the semicolon after it, on that line of the
    /// source.
    fn end_line(&mut self, end: u32) {
        let mut trailing = Vec::new();
        let mut end = end;
        while let Some((&comment, rest)) = self.comments.split_first() {
            let text = comment.of(self.text);
            let between = TextRange { start: end, end: comment.start }.of(self.text);
            if comment.start < end || !between.trim_matches([' ', '\t', ';']).is_empty() || text.contains('\n') {
                break;
            }
            trailing.push(text);
            end = comment.end;
            self.comments = rest;
        }
        let code = std::mem::take(&mut self.current);
        self.lines.push(Line { code: code.trim_end().to_owned(), trailing: trailing.join(" ") });
    }

    fn own_line_comments(&mut self, until: u32) {
        while let Some((&comment, rest)) = self.comments.split_first()
            && comment.start < until
        {
            if self.follows_blank_line(comment.start) {
                self.blank_line();
            }
            self.comments = rest;
            let code = self.indentation() + comment.of(self.text);
            self.lines.push(Line { code, trailing: String::new() });
        }
    }

    fn indentation(&self) -> String {
        " ".repeat(self.depth * INDENT)
    }

    /// Whether the source has an empty line before this place.
    fn follows_blank_line(&self, at: u32) -> bool {
        let before = TextRange { start: 0, end: at }.of(self.text);
        before[before.trim_end().len()..].matches('\n').count() > 1
    }

    /// An empty line, unless there is one or a block begins here.
    fn blank_line(&mut self) {
        if self.lines.last().is_some_and(|line| !line.code.is_empty() && !line.code.ends_with('{')) {
            self.lines.push(Line { code: String::new(), trailing: String::new() });
        }
    }
}

fn has_body(item: &Item<'_>) -> bool {
    matches!(item.kind, ItemKind::Function { .. } | ItemKind::Thread { .. })
}

/// Comments behind consecutive lines start in one column.
fn render(lines: &[Line]) -> String {
    let mut out = String::new();
    for run in lines.chunk_by(|a, b| a.trailing.is_empty() == b.trailing.is_empty()) {
        let width = run.iter().map(|line| line.code.chars().count()).max().unwrap_or(0);
        for line in run {
            out += &line.code;
            if !line.trailing.is_empty() {
                out += &" ".repeat(width - line.code.chars().count() + 2);
                out += &line.trailing;
            }
            out.push('\n');
        }
    }
    out
}
