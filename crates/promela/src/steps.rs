//! The steps of a thread on memory, each with its checks and what it does to memory and monitors.

use fencepost_check::LocationId;
use fencepost_monitor::Access;
use fencepost_program::code::Interval;
use fencepost_program::{Accept, Address, CasKind, Comparison, Ordering, Ty};

use crate::Context;
use crate::checks::Accepted;
use crate::expressions::{Printer, Text, not_among};
use crate::flat::{CellAt, Expr, Line, Op};

use crate::text::literal;
use fencepost_models::Strength;

/// The variable that takes the value that an RMW overwrites.
pub(crate) const OLD: &str = "old_value";

/// One way to take a step.
pub(crate) struct Choice {
    /// All must hold.
    pub guard: Vec<String>,
    pub does: Does,
}

pub(crate) enum Does {
    /// A violation, with its kind and what the access does.
    Finding(&'static str, String),
    /// The thread stops here for ever.
    GiveUp,
    Step(Vec<String>),
}

/// The steps of one line.
pub(crate) struct Steps<'a, 'p> {
    pub context: &'a Context<'a>,
    pub thread: usize,
    pub printer: Printer<'p>,
    /// By register, the bit that says whether it holds a stale value.
    pub taints: &'a [Option<String>],
    pub types: &'a [Ty],
    pub ranges: &'a [Option<Interval>],
    pub choices: Vec<Choice>,
}

/// A cell that an access may go to.
struct Target {
    at: Address,
    number: LocationId,
    /// What the index must be, if that is not certain.
    guard: Vec<String>,
    memory: Text,
}

impl Steps<'_, '_> {
    pub(crate) fn write(&mut self, Line { op, depends, .. }: &Line) {
        match op {
            Op::Load { dst, cell, order } => self.each_cell(cell, |steps, target| steps.load(target, *dst, *order)),
            Op::Store { cell, value, order } => self.each_cell(cell, |steps, target| {
                let value = steps.printer.print(value);
                steps.update(target, false, Accepted::Known(Accept::Any), value, &[], *order);
            }),
            Op::Rmw { dst, cell, update, operand, order, when } => self.each_cell(cell, |steps, target| {
                let accept = match when {
                    None => Accepted::Known(Accept::Any),
                    Some((comparison, with)) => {
                        let with = steps.printer.print(with);
                        if !steps.comparison(target, &with, false, true) {
                            return;
                        }
                        accepted(*comparison, &with)
                    }
                };
                let operand = steps.printer.print(operand);
                let value = steps.printer.update(*update, target.memory.clone(), operand);
                let results: Vec<_> = dst.iter().map(|&dst| (dst, Text::new(OLD, target.memory.range))).collect();
                steps.update(target, true, accept, value, &results, *order);
            }),
            Op::Cas { old, ok, cell, expected, desired, success, failure, kind } => {
                self.each_cell(cell, |steps, target| {
                    let expected = steps.printer.print(expected);
                    let desired = steps.printer.print(desired);
                    let strong = *kind == CasKind::Strong;
                    if !steps.comparison(target, &expected, strong, true) {
                        return;
                    }
                    let results = |succeeds: i64, value: &Text| {
                        let succeeds = Text::new("", Interval::constant(succeeds));
                        let pairs = [old.map(|old| (old, value.clone())), ok.map(|ok| (ok, succeeds))];
                        pairs.into_iter().flatten().collect::<Vec<_>>()
                    };
                    let succeeds = accepted(Comparison::Eq, &expected);
                    let read = Text::new(OLD, target.memory.range);
                    steps.update(target, true, succeeds, desired, &results(1, &read), *success);
                    let fails = match strong {
                        true => accepted(Comparison::Ne, &expected),
                        false => Accepted::Known(Accept::Any),
                    };
                    steps.read(target, fails, &results(0, &target.memory), *failure);
                })
            }
            Op::Wait { cell, comparison, value, order } => self.each_cell(cell, |steps, target| {
                let value = steps.printer.print(value);
                if steps.comparison(target, &value, true, false) {
                    steps.read(target, accepted(*comparison, &value), &[], *order);
                }
            }),
            Op::Fence { order } => self.fence(*order),
            _ => {}
        }
        self.refusals(depends);
    }

    /// What an operation must not depend on or compute.
    fn refusals(&mut self, depends: &[Expr]) {
        let tainted = taint(self.taints, depends.iter());
        if let Some(tainted) = tainted {
            let guard = vec!["ROBUSTNESS".to_owned(), tainted];
            self.violation(guard, "stale-dependency", "this depends on a value that may be stale");
        }
        let mut beyond = std::mem::take(&mut self.printer.beyond);
        beyond.sort();
        beyond.dedup();
        for guard in beyond {
            self.violation(vec![guard], "limit", "a value does not fit into 32 bits");
        }
    }

    fn violation(&mut self, guard: Vec<String>, kind: &'static str, sentence: &str) {
        self.choices.push(Choice { guard, does: Does::Finding(kind, sentence.to_owned()) });
    }

    fn each_cell(&mut self, cell: &CellAt, mut step: impl FnMut(&mut Self, &Target)) {
        let object = self.context.program.object(cell.object);
        let index = self.printer.print(&cell.index);
        let bounds = Interval { lo: 0, hi: object.init.len() as i64 - 1 };
        if !index.range.is_within(bounds) {
            let guard = format!("({0} < 0 || {0} > {1})", index.text, bounds.hi);
            self.violation(vec!["ASSERTIONS".to_owned(), guard.clone()], "out-of-bounds", "the index is out of bounds");
            self.choices.push(Choice { guard: vec!["!ASSERTIONS".to_owned(), guard], does: Does::GiveUp });
        }
        for at in self.context.facts.cells(cell.object, index.range) {
            let here = (at.0 - object.first.0) as i64;
            let certain = index.range.as_constant().is_some();
            let guard = if certain { Vec::new() } else { vec![format!("{} == {}", index.text, literal(here))] };
            match (self.context.facts.number(at), self.context.memory.get(&at)) {
                (Some(number), Some(memory)) => {
                    step(self, &Target { at, number, guard, memory: memory.clone() });
                }
                _ => self.unforeseen(guard),
            }
        }
    }

    fn unforeseen(&mut self, guard: Vec<String>) {
        self.violation(guard, "unforeseen", "the monitors are not made for this");
    }

    fn foresees(&mut self, target: &Target, reads: bool, writes: bool, order: Strength) -> bool {
        let foresees = self.context.facts.foresees(self.thread, target.number, reads, writes, order);
        if !foresees {
            self.unforeseen(target.guard.clone());
        }
        foresees
    }

    /// Whether the monitors tell the value apart that a step compares with.
    fn comparison(&mut self, target: &Target, with: &Text, reads: bool, updates: bool) -> bool {
        let Some(critical) = self.context.monitors.critical(target.number, reads, updates) else { return true };
        let Some(unlisted) = not_among(with, &critical) else { return true };
        let mut guard = target.guard.clone();
        if with.range.as_constant().is_none() {
            guard.push(unlisted);
        }
        self.unforeseen(guard);
        with.range.as_constant().is_none()
    }

    fn load(&mut self, target: &Target, dst: Option<usize>, order: Ordering) {
        let any = Accepted::Known(Accept::Any);
        let results: Vec<_> = dst.into_iter().map(|dst| (dst, target.memory.clone())).collect();
        if !self.context.observational {
            return self.read(target, any, &results, order);
        }
        let order = self.context.model.orderings().of_access(order);
        if !self.foresees(target, true, false, order) {
            return;
        }
        let monitors = &self.context.monitors;
        let stale = monitors.stale(self.thread, target.number, order, false, &any).filter(|_| order.atomic);
        let fresh = self.effect(target, true, false, order);
        let mut lines = match (stale, self.context.facts.tracking().monitored[target.number]) {
            (Some(stale), Some(location)) => {
                let mut tainted = monitors.tainted_read(access(self.thread, location, true, false, order));
                tainted.extend(self.taint_of(dst, 1));
                let mut lines = vec!["if".to_owned(), format!(":: {stale} ->")];
                lines.extend(tainted);
                lines.push(":: else ->".to_owned());
                lines.extend(fresh);
                lines.extend(self.taint_of(dst, 0));
                lines.extend(["skip".to_owned(), "fi;".to_owned()]);
                lines
            }
            _ => [fresh, self.taint_of(dst, 0)].concat(),
        };
        self.race(target, false, order);
        lines.extend(self.assign(&results, true));
        self.step(target.guard.clone(), lines);
    }

    fn taint_of(&self, register: Option<usize>, value: u8) -> Vec<String> {
        let taint = register.and_then(|r| self.taints[r].as_ref());
        taint.map(|taint| format!("{taint} = {value};")).into_iter().collect()
    }

    /// A read that is no load, or whose stale values are a violation.
    fn read(&mut self, target: &Target, accept: Accepted, results: &[(usize, Text)], order: Ordering) {
        let order = self.context.model.orderings().of_access(order);
        if !self.foresees(target, true, false, order) {
            return;
        }
        self.stale(target, order, false, &accept);
        let guard = [target.guard.clone(), self.accepting(target, &accept)].concat();
        let mut lines = self.effect(target, true, false, order);
        lines.extend(self.assign(results, false));
        self.race(&Target { guard: guard.clone(), memory: target.memory.clone(), ..*target }, false, order);
        self.step(guard, lines);
    }

    fn update(
        &mut self,
        target: &Target,
        reads: bool,
        accept: Accepted,
        value: Text,
        results: &[(usize, Text)],
        order: Ordering,
    ) {
        let order = self.context.model.orderings().of_access(order);
        if !self.foresees(target, reads, true, order) {
            return;
        }
        let ty = self.context.program.locate(target.at).map_or(Ty::Int, |(object, _)| object.ty);
        let value = self.printer.wrap(ty, value);
        self.stale(target, order, true, &accept);
        let guard = [target.guard.clone(), self.accepting(target, &accept)].concat();
        if let Some(unlisted) = not_among(&value, &self.context.facts.location(target.number).values) {
            self.unforeseen([guard.clone(), vec![unlisted]].concat());
        }
        let memory = &target.memory.text;
        let mut lines = Vec::new();
        if results.iter().any(|(_, value)| value.text == OLD) {
            lines.push(format!("{OLD} = {memory};"));
        }
        lines.extend(self.context.monitors.overwrite(target.number, reads, memory));
        if target.memory.range.as_constant().is_none() {
            lines.push(format!("{memory} = {};", value.text));
        }
        lines.extend(self.effect(target, reads, true, order));
        lines.extend(self.assign(results, false));
        self.race(&Target { guard: guard.clone(), memory: target.memory.clone(), ..*target }, true, order);
        self.step(guard, lines);
    }

    fn fence(&mut self, order: Ordering) {
        let monitors = &self.context.monitors;
        let facts = self.context.facts;
        if order.is_sc() && self.context.model.sc_fence_is_rmw() {
            let order = Strength { atomic: true, acquire: true, release: true, sc: false };
            let foreseen = facts.fence_location().filter(|&n| facts.foresees(self.thread, n, true, true, order));
            let Some(number) = foreseen else { return self.unforeseen(Vec::new()) };
            let mut lines = monitors.overwrite(number, true, "0");
            if let Some(location) = facts.tracking().monitored[number] {
                lines.extend(monitors.access(access(self.thread, location, true, true, order), true));
            } else {
                lines.extend(monitors.lone_fence(self.thread));
            }
            return self.step(Vec::new(), lines);
        }
        let order = self.context.model.orderings().of_fence(order);
        if !facts.foresees_fence(self.thread, order) {
            return self.unforeseen(Vec::new());
        }
        let lines = [monitors.fence(self.thread, order), monitors.end_run(self.thread)].concat();
        self.step(Vec::new(), lines);
    }

    /// What an access does to the monitors, apart from what is overwritten.
    fn effect(&self, target: &Target, reads: bool, writes: bool, order: Strength) -> Vec<String> {
        let monitors = &self.context.monitors;
        let (_, touched) = monitors.race(self.thread, target.number, writes, order.atomic);
        let mut lines = touched.map(|cell| monitors.touch(self.thread, cell)).unwrap_or_default();
        match self.context.facts.tracking().monitored[target.number] {
            Some(location) => {
                lines.extend(monitors.access(access(self.thread, location, reads, writes, order), false));
            }
            None => lines.extend(monitors.end_run(self.thread)),
        }
        lines
    }

    fn stale(&mut self, target: &Target, order: Strength, updates: bool, accept: &Accepted) {
        let stale = self.context.monitors.stale(self.thread, target.number, order, updates, accept);
        if let Some(stale) = stale.filter(|_| order.atomic) {
            let guard = [vec!["ROBUSTNESS".to_owned()], target.guard.clone(), vec![stale]].concat();
            let what = if updates {
                "this may come before a write that it should follow"
            } else {
                "this may read a stale value"
            };
            self.violation(guard, "robustness", what);
        }
    }

    fn race(&mut self, target: &Target, writes: bool, order: Strength) {
        let (races, _) = self.context.monitors.race(self.thread, target.number, writes, order.atomic);
        if let Some(races) = races {
            let guard = [vec!["RACES".to_owned()], target.guard.clone(), vec![races]].concat();
            self.violation(guard, "data-race", "this races with an earlier access");
        }
    }

    /// When memory holds a value that the step takes.
    fn accepting(&self, target: &Target, accept: &Accepted) -> Vec<String> {
        let memory = &target.memory.text;
        match accept {
            Accepted::Known(accept) => {
                let text = |(comparison, v): (Comparison, _)| format!("{memory} {} {}", comparison.sign(), literal(v));
                accept.condition().map(text).into_iter().collect()
            }
            Accepted::Computed(comparison, expr) => vec![format!("{memory} {} {expr}", comparison.sign())],
        }
    }

    /// Sets registers to values that are not stale.
    fn assign(&mut self, results: &[(usize, Text)], keep_taint: bool) -> Vec<String> {
        let mut lines = Vec::new();
        for (register, value) in results {
            let value = self.printer.wrap(self.types[*register], value.clone());
            if self.ranges[*register].is_some() {
                lines.push(format!("{} = {};", self.printer.registers[*register], value.text));
            }
            if !keep_taint {
                lines.extend(self.taint_of(Some(*register), 0));
            }
        }
        lines
    }

    fn step(&mut self, guard: Vec<String>, lines: Vec<String>) {
        self.choices.push(Choice { guard, does: Does::Step(lines) });
    }
}

/// Whether an operation reads a register that holds a stale value.
pub(crate) fn taint<'e>(taints: &[Option<String>], expressions: impl Iterator<Item = &'e Expr>) -> Option<String> {
    let mut registers = Vec::new();
    expressions.for_each(|e| e.registers(&mut registers));
    registers.sort_unstable();
    registers.dedup();
    let tainted: Vec<&str> = registers.into_iter().filter_map(|r| taints[r].as_deref()).collect();
    (!tainted.is_empty()).then(|| format!("({})", tainted.join(" || ")))
}

fn accepted(comparison: Comparison, value: &Text) -> Accepted {
    match value.range.as_constant() {
        Some(v) => Accepted::Known(comparison.accept(v)),
        None => Accepted::Computed(comparison, value.text.clone()),
    }
}

fn access(thread: usize, location: usize, reads: bool, writes: bool, order: Strength) -> Access {
    let Strength { acquire, release, sc, .. } = order;
    Access { thread, location, reads, writes, acquire, release, sc, leaves: false }
}
