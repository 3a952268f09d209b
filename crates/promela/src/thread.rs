//! A thread as a proctype.
//!
//! Each access is an `if` of its own, outside any `atomic`: there other threads may run. The local code between two
//! accesses belongs to the step before it: it stands inside `atomic`, and the jumps between the two keep it so.

use std::fmt::Write;

use fencepost_program::code::Interval;
use fencepost_program::{Span, Ty, Value};

use crate::Context;
use crate::analysis::Analysis;
use crate::expressions::Printer;
use crate::flat::{Op, ThreadCode};
use crate::steps::{Choice, Does, Steps};
use crate::text::{Identifiers, local_variable, quoted, source_line, without_brackets};

/// Characters of a line of the source that a comment shows.
const MOST_OF_A_LINE: usize = 200;

pub(crate) struct ThreadWriter<'a> {
    pub(crate) context: &'a Context<'a>,
    thread: usize,
    pub(crate) code: &'a ThreadCode,
    pub(crate) stops: &'a [bool],
    pub(crate) analysis: Analysis<'a>,
    pub(crate) registers: Vec<String>,
    /// By register, the bit that says whether it holds a stale value, if it ever can.
    pub(crate) taints: Vec<Option<String>>,
    pub(crate) types: Vec<Ty>,
    /// By register, its values, if it needs a variable.
    pub(crate) ranges: Vec<Option<Interval>>,
    /// The values of its registers at the start.
    initial: Vec<Value>,
    /// Where the thread starts, and the lines that it can reach from there.
    pub(crate) start: usize,
    pub(crate) reached: Vec<bool>,
    /// The label of the next statement of local code.
    pub(crate) label: Option<String>,
    out: String,
}

impl<'a> ThreadWriter<'a> {
    pub(crate) fn new(
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
        let (start, initial) = analysis.start();
        let reached = analysis.reached_from(start);
        ThreadWriter {
            context,
            thread,
            code,
            stops,
            analysis,
            registers,
            taints,
            types,
            ranges,
            start,
            reached,
            initial,
            label: None,
            out: String::new(),
        }
    }

    pub(crate) fn write(mut self) -> String {
        let name = &self.context.program.threads[self.thread].name;
        let name = Identifiers::default().fresh(&format!("thread{}_{}", self.thread, without_brackets(name)));
        self.line(0, &format!("active proctype {name}() {{"));
        for (register, initial) in std::mem::take(&mut self.initial).into_iter().enumerate() {
            if let Some(range) = self.ranges[register] {
                self.line(1, &local_variable(&self.registers[register], range, initial));
            }
            if let Some(taint) = self.taints[register].clone() {
                self.line(1, &format!("bit {taint};"));
            }
        }
        if self.reached.iter().position(|&reached| reached) != Some(self.start) {
            let label = if self.stops[self.start] { self.stop_label(self.start) } else { format!("B{}", self.start) };
            self.line(1, &format!("goto {label};"));
        }
        let mut pc = 0;
        while pc < self.code.lines.len() {
            if !self.reached[pc] {
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

    pub(crate) fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(depth));
    }

    /// Where a step leads to.
    fn after(&self, pc: usize) -> usize {
        let jump = self.code.lines.get(pc + 1).and_then(|line| line.op.jump());
        jump.filter(|_| !self.stops[pc + 1]).unwrap_or(pc + 1)
    }

    pub(crate) fn stop_label(&self, pc: usize) -> String {
        if pc == self.code.lines.len() { format!("end_S{pc}") } else { format!("S{pc}") }
    }

    pub(crate) fn comment(&mut self, depth: usize, span: Span) {
        let text = source_line(self.context.program, span);
        // A line may be as long as the file, and have all of its statements.
        let end = text.char_indices().nth(MOST_OF_A_LINE).map_or(text.len(), |(end, _)| end);
        self.line(depth, &format!("/* {} */", &text[..end]));
    }

    pub(crate) fn printer(&self, pc: usize) -> Printer<'_> {
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
        steps.write(line);
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
            Does::Finding(kind, what) => {
                let guard = if guard.is_empty() { "true ->".to_owned() } else { guard };
                let violation = self.violation(kind, &what, span);
                return self.line(1, &format!(":: atomic {{ {guard} {violation} }}"));
            }
            Does::GiveUp => return self.line(1, &format!(":: atomic {{ {guard} goto cut }}")),
            Does::Step(lines) => lines,
        };
        let mut lines = lines;
        let next = self.after(pc);
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

    pub(crate) fn violation(&self, kind: &str, what: &str, span: Span) -> String {
        let program = self.context.program;
        let file = program.sources.get(span.file.0 as usize).map_or("", |source| source.name.as_str());
        let thread = &program.threads[self.thread].name;
        let text = quoted(&format!("{kind}: {file} line {}, {thread}: {what}", span.line));
        format!("printf(\"{text}\\n\"); assert(false); goto cut")
    }

    pub(crate) fn clear(&self, pc: usize, next: usize) -> Vec<String> {
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
