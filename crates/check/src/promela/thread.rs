//! A thread as a proctype.
//!
//! Each access is an `if` of its own, outside any `atomic`: there other threads may run. The local code between two accesses
//! belongs to the step before it: it stands inside `atomic`, and the jumps between the two keep it so.

use std::fmt::Write;

use fencepost_program::{Span, Ty, Value};

use super::Context;
use super::analysis::Analysis;
use super::expressions::{Printer, Text};
use super::flat::{Expr, Op, ThreadCode};
use super::range::Range;
use super::steps::{Choice, Does, Steps, taint};
use super::text::{Identifiers, literal, local_variable, plain, source_line};

/// Above this many values, `choose` is a loop.
const CHOICES_LISTED: u64 = 16;

pub(super) struct ThreadWriter<'a> {
    context: &'a Context<'a>,
    thread: usize,
    code: &'a ThreadCode,
    stops: &'a [bool],
    analysis: Analysis<'a>,
    registers: Vec<String>,
    /// By register, the bit that says whether it holds a stale value, if it ever can.
    taints: Vec<Option<String>>,
    types: Vec<Ty>,
    /// By register, its values, if it needs a variable.
    ranges: Vec<Option<Range>>,
    out: String,
}

impl<'a> ThreadWriter<'a> {
    pub(super) fn new(
        context: &'a Context<'a>,
        thread: usize,
        code: &'a ThreadCode,
        stops: &'a [bool],
        analysis: Analysis<'a>,
    ) -> ThreadWriter<'a> {
        let mut identifiers = Identifiers::default();
        let registers: Vec<String> = code
            .registers
            .iter()
            .map(|r| match r.procedure.as_str() {
                "" => identifiers.fresh(&format!("r_{}", r.name)),
                procedure => identifiers.fresh(&format!("r_{procedure}_{}", r.name)),
            })
            .collect();
        let tainted = if context.observational { tainted(code) } else { vec![false; registers.len()] };
        let taints = tainted
            .into_iter()
            .zip(&registers)
            .map(|(tainted, name)| tainted.then(|| identifiers.fresh(&format!("stale_{name}"))))
            .collect();
        let types = code.registers.iter().map(|r| r.ty).collect();
        let ranges = (0..registers.len()).map(|r| analysis.register(r)).collect();
        ThreadWriter { context, thread, code, stops, analysis, registers, taints, types, ranges, out: String::new() }
    }

    pub(super) fn write(mut self) -> String {
        let name = &self.context.program.threads[self.thread].name;
        let identifier = plain(name).replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        self.line(0, &format!("active proctype thread{}_{identifier}() {{", self.thread));
        let (start, initial) = self.analysis.start();
        for (register, initial) in initial.into_iter().enumerate() {
            if let Some(range) = self.ranges[register] {
                self.line(1, &local_variable(&self.registers[register], range, initial));
            }
            if let Some(taint) = self.taints[register].clone() {
                self.line(1, &format!("bit {taint};"));
            }
        }
        if start > 0 {
            let label = if self.stops[start] { self.stop_label(start) } else { format!("B{start}") };
            self.line(1, &format!("goto {label};"));
        }
        let mut pc = 0;
        while pc < self.code.lines.len() {
            if !self.analysis.is_reachable(pc) {
                pc += 1;
            } else if self.code.lines[pc].op.is_step() {
                self.step(pc);
                pc += 1;
            } else {
                if self.stops[pc] {
                    self.line(1, &format!("S{pc}: if :: atomic {{ skip; goto B{pc} }} fi;"));
                }
                pc = self.local(pc);
            }
        }
        let end = self.code.lines.len();
        self.line(1, &format!("end_S{end}: false;"));
        self.line(1, "cut: if :: (_nr_pr > 0) -> goto cut fi");
        self.line(0, "}");
        self.out
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(depth));
    }

    fn stop_label(&self, pc: usize) -> String {
        if pc == self.code.lines.len() { format!("end_S{pc}") } else { format!("S{pc}") }
    }

    fn comment(&mut self, depth: usize, span: Span) {
        let text = source_line(self.context.program, span);
        self.line(depth, &format!("/* {text} */"));
    }

    fn printer(&self, pc: usize) -> Printer<'_> {
        Printer { analysis: &self.analysis, registers: &self.registers, pc, beyond: Vec::new(), zero: Vec::new() }
    }

    fn step(&mut self, pc: usize) {
        let line = &self.code.lines[pc];
        let mut steps = Steps {
            context: self.context,
            thread: self.thread,
            printer: self.printer(pc),
            taints: &self.taints,
            types: &self.types,
            ranges: &self.ranges,
            choices: Vec::new(),
        };
        steps.write(&line.op);
        let choices = steps.choices;
        self.comment(1, line.span);
        self.line(1, &format!("S{pc}: if"));
        for choice in choices {
            self.choice(pc, line.span, choice);
        }
        self.line(1, "fi;");
    }

    fn choice(&mut self, pc: usize, span: Span, choice: Choice) {
        let guard: Vec<String> = choice.guard.iter().map(|g| format!("({g})")).collect();
        let guard = if guard.is_empty() { String::new() } else { format!("{} ->", guard.join(" && ")) };
        let lines = match choice.does {
            Does::Violation(kind, what) => {
                let guard = if guard.is_empty() { "true ->".to_owned() } else { guard };
                let violation = self.violation(kind, &what, span);
                return self.line(1, &format!(":: atomic {{ {guard} {violation} }}"));
            }
            Does::GiveUp => return self.line(1, &format!(":: atomic {{ {guard} goto cut }}")),
            Does::Step(lines) => lines,
        };
        let mut lines = lines;
        let next = pc + 1;
        lines.extend(self.clear(pc, next));
        if lines.is_empty() && guard.is_empty() {
            lines.push("skip;".to_owned());
        }
        let stops = self.stops[next];
        self.line(1, if stops { ":: d_step {" } else { ":: atomic { d_step {" });
        if !guard.is_empty() {
            self.line(3, &guard);
        }
        if lines.is_empty() {
            lines.push("skip;".to_owned());
        }
        lines.iter().for_each(|line| self.line(3, line));
        if stops {
            let label = self.stop_label(next);
            self.line(2, &format!("}} goto {label}"));
        } else {
            self.line(2, &format!("}} goto B{next} }}"));
        }
    }

    fn violation(&self, kind: &str, what: &str, span: Span) -> String {
        let program = self.context.program;
        let file = program.sources.get(span.file.0 as usize).map_or("", |source| source.name.as_str());
        let thread = &program.threads[self.thread].name;
        let text = plain(&format!("{kind}: {file} line {}: this access of {thread} {what}", span.line));
        format!("printf(\"{text}\\n\"); assert(false); goto cut")
    }

    fn clear(&self, pc: usize, next: usize) -> Vec<String> {
        let mut lines = Vec::new();
        for register in self.analysis.to_clear(pc, next).into_iter().filter(|&r| self.ranges[r].is_some()) {
            lines.push(format!("{} = 0;", self.registers[register]));
        }
        if self.stops[next] {
            for (register, taint) in self.taints.iter().enumerate() {
                if let Some(taint) = taint.as_ref().filter(|_| !self.analysis.is_live(next, register)) {
                    lines.push(format!("{taint} = 0;"));
                }
            }
        }
        lines
    }

    /// Writes a stretch of local code and returns where it ends.
    fn local(&mut self, start: usize) -> usize {
        self.line(1, "atomic { skip;");
        let mut pc = start;
        let mut span = None;
        while pc < self.code.lines.len() && !self.code.lines[pc].op.is_step() && (pc == start || !self.stops[pc]) {
            if !self.analysis.is_reachable(pc) {
                pc += 1;
                continue;
            }
            let line = &self.code.lines[pc];
            if span != Some(line.span.line) && !matches!(line.op, Op::Nothing | Op::Jump { .. }) {
                self.comment(2, line.span);
                span = Some(line.span.line);
            }
            self.line(1, &format!("B{pc}: skip;"));
            self.local_line(pc);
            pc += 1;
        }
        self.line(1, "}");
        pc
    }

    fn local_line(&mut self, pc: usize) {
        let line = &self.code.lines[pc];
        let span = line.span;
        let depends = "depends on a value that may be stale";
        if let Some(tainted) = taint(&self.taints, line.op.expressions().into_iter())
            && !matches!(line.op, Op::Assign { .. })
        {
            self.refuse(&format!("ROBUSTNESS && {tainted}"), "stale-dependency", depends, span);
        }
        match &line.op {
            Op::Assign { dst, value } => self.assign(pc, *dst, value, span),
            Op::Clear { dst } => {
                self.set(*dst, "0");
                self.set_taint(*dst, "0");
            }
            Op::Choose { dst, lo, hi } => {
                self.choose(pc, *dst, *lo, *hi);
                self.set_taint(*dst, "0");
            }
            Op::Assert { cond } => {
                let cond = self.checked(pc, cond, span);
                if cond.range.contains(0) {
                    let failed = self.violation("assertion", "fails", span);
                    let text = &cond.text;
                    self.line(2, &format!("if :: ASSERTIONS && !({text}) -> {failed}"));
                    self.line(2, &format!(":: !ASSERTIONS && !({text}) -> goto cut :: else fi;"));
                }
            }
            Op::Assume { cond } => {
                let cond = self.checked(pc, cond, span);
                if cond.range.contains(0) {
                    self.line(2, &format!("if :: ({}) :: else -> goto cut fi;", cond.text));
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
                self.line(2, &format!("if :: ({}) -> {to_yes} :: else -> {to_no} fi;", cond.text));
                return;
            }
            Op::Jump { target } => return self.jump(pc, *target),
            _ => {}
        }
        match self.analysis.successors(pc)[..] {
            [next] if self.stops[next] || !self.analysis.is_reachable(next) => self.jump(pc, next),
            _ => {}
        }
    }

    /// Ends the run with a violation under a condition.
    fn refuse(&mut self, condition: &str, kind: &str, what: &str, span: Span) {
        let violation = self.violation(kind, what, span);
        self.line(2, &format!("if :: ({condition}) -> {violation} :: else fi;"));
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
            let failed = self.violation("division-by-zero", "divides by zero", span);
            self.line(2, &format!("if :: ASSERTIONS && ({condition}) -> {failed}"));
            self.line(2, &format!(":: !ASSERTIONS && ({condition}) -> goto cut :: else fi;"));
        }
        for condition in beyond {
            self.refuse(condition, "limit", "computes a value that does not fit into 32 bits", span);
        }
    }

    fn assign(&mut self, pc: usize, dst: usize, value: &Expr, span: Span) {
        let mut printer = self.printer(pc);
        let text = printer.print(value);
        let text = printer.wrap(self.types[dst], text);
        let (beyond, zero) = (printer.beyond, printer.zero);
        if !zero.is_empty()
            && let Some(tainted) = taint(&self.taints, std::iter::once(value))
        {
            // A division by zero depends on its operands.
            let condition = format!("ROBUSTNESS && {tainted} && ({})", zero.join(" || "));
            self.refuse(&condition, "stale-dependency", "depends on a value that may be stale", span);
        }
        self.refuse_uncomputable(&beyond, &zero, span);
        self.set(dst, &text.text);
        let tainted = taint(&self.taints, std::iter::once(value)).unwrap_or_else(|| "0".to_owned());
        self.set_taint(dst, &tainted);
    }

    fn set(&mut self, register: usize, value: &str) {
        if self.ranges[register].is_some() {
            self.line(2, &format!("{} = {value};", self.registers[register]));
        }
    }

    fn set_taint(&mut self, register: usize, value: &str) {
        if let Some(taint) = self.taints[register].clone() {
            self.line(2, &format!("{taint} = {value};"));
        }
    }

    fn choose(&mut self, pc: usize, dst: usize, lo: Value, hi: Value) {
        if self.ranges[dst].is_none() {
            return;
        }
        let name = self.registers[dst].clone();
        let ty = self.types[dst];
        if hi.abs_diff(lo) < CHOICES_LISTED {
            let wrapped = (lo..=hi).map(|v| format!(":: {name} = {}", literal(ty.wrap(v))));
            let options = wrapped.collect::<Vec<_>>().join(" ");
            return self.line(2, &format!("if {options} fi;"));
        }
        let mut printer = self.printer(pc);
        let value = printer.wrap(ty, Text { text: name.clone(), range: Range { lo, hi } });
        self.line(2, &format!("select({name} : {} .. {});", literal(lo), literal(hi)));
        if value.text != name {
            self.line(2, &format!("{name} = {};", value.text));
        }
    }

    fn goto(&self, pc: usize, next: usize) -> String {
        let clears = self.clear(pc, next).join(" ");
        if self.stops[next] { format!("{clears} goto {}", self.stop_label(next)) } else { format!("goto B{next}") }
    }

    fn jump(&mut self, pc: usize, next: usize) {
        let text = format!("{};", self.goto(pc, next));
        self.line(2, &text);
    }
}

/// The registers that may ever hold a stale value: those that loads fill, and what is computed from them.
fn tainted(code: &ThreadCode) -> Vec<bool> {
    let mut tainted = vec![false; code.registers.len()];
    loop {
        let before = tainted.clone();
        for line in &code.lines {
            match &line.op {
                Op::Load { dst: Some(dst), .. } => tainted[*dst] = true,
                Op::Assign { dst, value } => {
                    let mut from = Vec::new();
                    value.registers(&mut from);
                    tainted[*dst] |= from.into_iter().any(|r| tainted[r]);
                }
                _ => {}
            }
        }
        if before == tainted {
            return tainted;
        }
    }
}
