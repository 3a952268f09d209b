//! The local code of a thread, between its steps.

use fencepost_program::code::Interval;
use fencepost_program::{Span, Value};

use crate::expressions::Text;
use crate::flat::{Expr, Line, Op};
use crate::steps::taint;
use crate::text::literal;
use crate::thread::ThreadWriter;

/// Above this many values, `choose` is a loop.
const CHOICES_LISTED: u64 = 16;

impl ThreadWriter<'_> {
    /// Writes a stretch of local code and returns where it ends.
    pub(crate) fn local(&mut self, start: usize) -> usize {
        self.line(1, "atomic { skip;");
        let mut pc = start;
        let mut span = None;
        while pc < self.code.lines.len() && !self.code.lines[pc].op.is_step() && (pc == start || !self.stops[pc]) {
            if !self.reached[pc] {
                pc += 1;
                continue;
            }
            let line = &self.code.lines[pc];
            if span != Some(line.span.line) && !matches!(line.op, Op::Nothing | Op::Jump { .. }) {
                self.comment(2, line.span);
                span = Some(line.span.line);
            }
            self.label = self.is_target(pc, start).then(|| format!("B{pc}: "));
            self.local_line(pc);
            if self.label.is_some() {
                self.statement("skip;");
            }
            pc += 1;
        }
        self.line(1, "}");
        pc
    }

    /// Whether control comes to a line of local code from elsewhere than the line before.
    fn is_target(&self, pc: usize, start: usize) -> bool {
        let jumps_here = |(at, line): (usize, &Line)| {
            let falls_through =
                at + 1 == pc && !line.op.is_step() && !matches!(line.op, Op::Jump { .. } | Op::Branch { .. });
            !falls_through && self.reached[at] && self.analysis.successors(at).contains(&pc)
        };
        pc == start || pc == self.start || self.code.lines.iter().enumerate().any(jumps_here)
    }

    /// A statement of local code.
    fn statement(&mut self, text: &str) {
        let label = self.label.take().unwrap_or_default();
        self.line(2, &format!("{label}{text}"));
    }

    fn local_line(&mut self, pc: usize) {
        let line = &self.code.lines[pc];
        let span = line.span;
        let depends = "this depends on a value that may be stale";
        if let Some(tainted) = taint(&self.taints, line.depends.iter()) {
            self.refuse(&format!("ROBUSTNESS && {tainted}"), "stale-dependency", depends, span);
        }
        match &line.op {
            Op::Assign { dst, value } => self.assign(pc, *dst, value, span),
            Op::Clear { dst } => {
                self.set(*dst, "0");
                self.set_taint(*dst, "0");
            }
            Op::Choose { dst, lo, hi } => {
                self.choose(*dst, *lo, *hi);
                self.set_taint(*dst, "0");
            }
            Op::Assert { cond } => {
                let cond = self.checked(pc, cond, span);
                if cond.range.contains(0) {
                    let failed = self.violation("assertion", "the assertion fails", span);
                    let text = &cond.text;
                    self.statement(&format!("if :: ASSERTIONS && !({text}) -> {failed}"));
                    self.statement(&format!(":: !ASSERTIONS && !({text}) -> goto cut :: else fi;"));
                }
            }
            Op::Assume { cond } => {
                let cond = self.checked(pc, cond, span);
                if cond.range.contains(0) {
                    self.statement(&format!("if :: ({}) :: else -> goto cut fi;", cond.text));
                }
            }
            Op::Branch { cond, yes, no } => {
                let successors = self.analysis.successors(pc);
                let [_, _] = successors[..] else {
                    if let [only] = successors[..] {
                        self.jump(pc, only);
                    }
                    return;
                };
                let (yes, no) = (*yes, *no);
                let cond = self.checked(pc, cond, span);
                let (to_yes, to_no) = (self.goto(pc, yes), self.goto(pc, no));
                self.statement(&format!("if :: ({}) -> {to_yes} :: else -> {to_no} fi;", cond.text));
                return;
            }
            Op::Jump { target } => return self.jump(pc, *target),
            _ => {}
        }
        match self.analysis.successors(pc)[..] {
            [next] if self.stops[next] || !self.reached[next] => self.jump(pc, next),
            _ => {}
        }
    }

    /// Ends the run with a violation under a condition.
    fn refuse(&mut self, condition: &str, kind: &str, what: &str, span: Span) {
        let violation = self.violation(kind, what, span);
        self.statement(&format!("if :: ({condition}) -> {violation} :: else fi;"));
    }

    /// An expression, after a check that it can be computed.
    fn checked(&mut self, pc: usize, expr: &Expr, span: Span) -> Text {
        let mut printer = self.printer(pc);
        let text = printer.print(expr);
        let (beyond, zero) = (printer.beyond, printer.zero);
        self.refuse_uncomputable(&beyond, &zero, span);
        text
    }

    fn refuse_uncomputable(&mut self, beyond: &[String], zero: &[String], span: Span) {
        for condition in zero {
            let failed = self.violation("division-by-zero", "something is divided by zero", span);
            self.statement(&format!("if :: ASSERTIONS && ({condition}) -> {failed}"));
            self.statement(&format!(":: !ASSERTIONS && ({condition}) -> goto cut :: else fi;"));
        }
        for condition in beyond {
            self.refuse(condition, "limit", "a value does not fit into 32 bits", span);
        }
    }

    fn assign(&mut self, pc: usize, dst: usize, value: &Expr, span: Span) {
        let mut printer = self.printer(pc);
        let text = printer.print(value);
        let text = printer.wrap(self.types[dst], text);
        let (beyond, zero) = (printer.beyond, printer.zero);
        self.refuse_uncomputable(&beyond, &zero, span);
        self.set(dst, &text.text);
        let tainted = taint(&self.taints, std::iter::once(value)).unwrap_or_else(|| "0".to_owned());
        self.set_taint(dst, &tainted);
    }

    fn set(&mut self, register: usize, value: &str) {
        if self.ranges[register].is_some() {
            self.statement(&format!("{} = {value};", self.registers[register]));
        }
    }

    fn set_taint(&mut self, register: usize, value: &str) {
        if let Some(taint) = self.taints[register].clone() {
            self.statement(&format!("{taint} = {value};"));
        }
    }

    fn choose(&mut self, dst: usize, lo: Value, hi: Value) {
        if self.ranges[dst].is_none() {
            return;
        }
        let name = self.registers[dst].clone();
        let ty = self.types[dst];
        if hi.abs_diff(lo) < CHOICES_LISTED {
            let wrapped = (lo..=hi).map(|v| format!(":: {name} = {}", literal(ty.wrap(v))));
            let options = wrapped.collect::<Vec<_>>().join(" ");
            return self.statement(&format!("if {options} fi;"));
        }
        let select = |lo: Value, hi: Value| format!("select({name} : {} .. {});", literal(lo), literal(hi));
        let (from, to) = (ty.wrap(lo), ty.wrap(hi));
        match Interval::of(ty) {
            all if hi.abs_diff(lo) >= all.hi.abs_diff(all.lo) => self.statement(&select(all.lo, all.hi)),
            all if from > to => {
                let (above, below) = (select(from, all.hi), select(all.lo, to));
                self.statement(&format!("if :: {above} :: {below} fi;"));
            }
            _ => self.statement(&select(from, to)),
        }
    }

    fn goto(&self, pc: usize, next: usize) -> String {
        let clears = self.clear(pc, next).join(" ");
        if self.stops[next] { format!("{clears} goto {}", self.stop_label(next)) } else { format!("goto B{next}") }
    }

    fn jump(&mut self, pc: usize, next: usize) {
        let text = format!("{};", self.goto(pc, next));
        self.statement(&text);
    }
}
