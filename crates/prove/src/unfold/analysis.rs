//! Every thread from its start, as far as constants lead, and which pointers may point where.
//!
//! Registers are followed along paths, calls and rounds of loops; shared memory is one set of values for each cell,
//! whenever they are written (an inclusion-based points-to analysis). What a pass takes for granted (which objects one
//! thread alone accesses, which loops have few rounds, which threads and allocations happen once) is checked when it
//! ends; if some of it was wrong, a new pass starts without. By induction over the steps of an execution, what the last
//! pass found holds.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use fencepost_budget::Budget;
use fencepost_models::Refusal;
use fencepost_program::code::{Successors, components};
use fencepost_program::{FuncId, Function, Inst, Program, Reg, Span, memory};

use super::frames::{Frame, FrameId, Frames, Loops, Point};
use super::objects::{ObjectId, Objects, Origin, ThreadId};
use super::state::{Contents, State};
use super::step::{Step, Vars, Walk};
use super::value::Value;

/// A loop with more rounds is not unrolled.
pub(super) const MOST_ROUNDS: u32 = 32;
/// Calls inside each other.
pub(super) const DEEPEST_CALL: u32 = 100;
/// Points of one thread beyond which fewer loops are unrolled, and beyond which it is too large.
const MANY_POINTS: usize = 6_000;
const MOST_POINTS: usize = 20_000;
const MOST_PASSES: usize = 200;
const MOST_THREADS: usize = 64;

/// What passes have found not to hold.
#[derive(Default, Clone, PartialEq)]
pub(super) struct Doubts {
    /// Objects that cannot be kept like registers.
    pub(super) shared: HashSet<ObjectId>,
    /// Loops that have many rounds.
    pub(super) rolled: HashSet<(FrameId, u32)>,
    /// Threads that may run several times.
    pub(super) repeated: HashSet<ThreadId>,
    /// Allocations that may happen several times.
    pub(super) several: HashSet<ObjectId>,
    /// Threads in which no loop is unrolled.
    pub(super) large: HashSet<ThreadId>,
}

/// How a thread came to be.
pub(super) struct Made {
    pub(super) by: Option<(ThreadId, Point)>,
    /// What its first function is called with.
    pub(super) arguments: Vec<Value>,
}

pub(super) struct Analysis<'p> {
    pub(super) program: &'p Program,
    budget: Budget,
    pub(super) loops: Vec<Loops>,
    pub(super) frames: Frames,
    pub(super) objects: Objects,
    pub(super) made: Vec<Made>,
    known_threads: HashMap<(ThreadId, Point), ThreadId>,
    pub(super) doubts: Doubts,
    pub(super) contents: Contents,
    /// The thread that accesses an object.
    pub(super) accessed_by: HashMap<ObjectId, ThreadId>,
    pub(super) runs: Vec<Run>,
    pub(super) refusal: Option<Refusal>,
    /// Whether what is left of the program has its executions and no others.
    pub(super) exact: Cell<bool>,
    /// Whether a thread may read what it has for itself before it wrote there.
    pub(super) uninitialised: Cell<bool>,
    /// For each function, the registers that it may read before it assigned them.
    pub(super) unassigned: Vec<Vec<Reg>>,
}

/// A thread's points, with what is known at each.
pub(super) struct Run {
    pub(super) thread: ThreadId,
    pub(super) points: Vec<Point>,
    pub(super) states: Vec<State>,
    index: HashMap<Point, u32>,
    pub(super) next: Vec<Vec<u32>>,
    dirty: BTreeSet<u32>,
    /// Points that read shared memory.
    pub(super) readers: BTreeSet<u32>,
}

impl<'p> Analysis<'p> {
    pub(super) fn of(program: &'p Program, budget: &Budget) -> Result<Analysis<'p>, Refusal> {
        let mut analysis = Analysis {
            program,
            budget: budget.clone(),
            loops: program.functions.iter().map(Loops::of).collect(),
            frames: Frames::default(),
            objects: Objects::of(program),
            made: Vec::new(),
            known_threads: HashMap::new(),
            doubts: Doubts::default(),
            contents: Contents::default(),
            accessed_by: HashMap::new(),
            runs: Vec::new(),
            refusal: None,
            exact: Cell::new(true),
            uninitialised: Cell::new(false),
            unassigned: program.functions.iter().map(Function::unassigned_registers).collect(),
        };
        for thread in &program.threads {
            let arguments = thread.args.iter().map(|&arg| Value::Const(arg)).collect();
            analysis.made.push(Made { by: None, arguments });
        }
        for _ in 0..MOST_PASSES {
            let before = analysis.doubts.clone();
            analysis.pass()?;
            if analysis.doubts == before {
                return Ok(analysis);
            }
        }
        let message = "`prove` cannot find out which memory this program accesses".to_owned();
        Err(Refusal { message, span: None })
    }

    fn pass(&mut self) -> Result<(), Refusal> {
        self.contents = Contents::default();
        self.accessed_by.clear();
        self.runs.clear();
        for thread in 0..self.program.threads.len() {
            self.start(thread as ThreadId);
        }
        let mut quiet = false;
        while !quiet {
            quiet = true;
            let mut at = 0;
            while at < self.runs.len() {
                quiet &= self.runs[at].dirty.is_empty();
                self.run(at)?;
                at += 1;
            }
            if std::mem::take(&mut self.contents.changed) {
                quiet = false;
                for run in &mut self.runs {
                    run.dirty.extend(run.readers.iter().copied());
                }
            }
        }
        self.find_repetitions();
        Ok(())
    }

    /// The function that a thread begins with.
    pub(super) fn entry(&self, thread: ThreadId) -> FuncId {
        match (self.program.threads.get(thread as usize), self.program.thread_entry) {
            (Some(thread), _) => thread.func,
            (None, Some(entry)) => entry,
            (None, None) => FuncId(0),
        }
    }

    /// What the registers of a call hold at first. Only those are of interest that are read before they are assigned.
    pub(super) fn first_values(&self, func: FuncId) -> Vec<Value> {
        let mut registers = vec![Value::Const(0); self.program.function(func).registers.len()];
        for &Reg(r) in &self.unassigned[func.0 as usize] {
            registers[r as usize] = Value::any(64);
        }
        registers
    }

    /// What is left of the program chooses a value that it does not have.
    pub(super) fn reads_uninitialised(&self) {
        self.exact.set(false);
        self.uninitialised.set(true);
    }

    /// The thread that is made at a point. Its arguments grow.
    pub(super) fn spawn(&mut self, thread: ThreadId, point: Point, arguments: Vec<Value>) -> Option<ThreadId> {
        let id = match self.known_threads.get(&(thread, point)) {
            Some(&known) => known,
            None => {
                let id = self.made.len() as ThreadId;
                self.known_threads.insert((thread, point), id);
                self.made.push(Made { by: Some((thread, point)), arguments: arguments.clone() });
                id
            }
        };
        if !self.runs.iter().any(|run| run.thread == id) {
            if self.runs.len() >= MOST_THREADS {
                return None;
            }
            self.made[id as usize].arguments = arguments;
            self.start(id);
            return Some(id);
        }
        let known = &self.made[id as usize].arguments;
        let joined: Vec<Value> = known.iter().zip(&arguments).map(|(a, b)| a.join(b, &self.objects)).collect();
        if joined != *known {
            self.made[id as usize].arguments = joined;
            self.start(id);
        }
        Some(id)
    }

    /// Puts a thread at its start, or adds to what it starts with.
    fn start(&mut self, thread: ThreadId) {
        let func = self.entry(thread);
        let function = self.program.function(func);
        let frame = self.frames.enter(Frame { thread, func, caller: None });
        let mut registers = self.first_values(func);
        for (i, value) in self.made[thread as usize].arguments.iter().enumerate().take(function.params as usize) {
            registers[i] = value.clone();
        }
        let state = State { frames: vec![Rc::new(registers)], own: Rc::default() };
        let point = Point { frame, loops: self.frames.no_loops(), pc: 0 };
        let at = self.runs.iter().position(|run| run.thread == thread).unwrap_or_else(|| {
            self.runs.push(Run {
                thread,
                points: Vec::new(),
                states: Vec::new(),
                index: HashMap::new(),
                next: Vec::new(),
                dirty: BTreeSet::new(),
                readers: BTreeSet::new(),
            });
            self.runs.len() - 1
        });
        self.arrive(at, point, &state);
    }

    /// Adds a way to a point.
    fn arrive(&mut self, at: usize, point: Point, state: &State) -> u32 {
        let run = &mut self.runs[at];
        match run.index.get(&point) {
            Some(&known) => {
                if run.states[known as usize].join(state, self.program, &self.objects) {
                    run.dirty.insert(known);
                }
                known
            }
            None => {
                let id = run.points.len() as u32;
                run.index.insert(point, id);
                run.points.push(point);
                run.states.push(state.clone());
                run.next.push(Vec::new());
                run.dirty.insert(id);
                id
            }
        }
    }

    fn run(&mut self, at: usize) -> Result<(), Refusal> {
        let thread = self.runs[at].thread;
        let mut vars = Vars::default();
        while let Some(id) = self.runs[at].dirty.pop_first() {
            if self.budget.is_spent() {
                return Err(Refusal { message: "the budget is spent".to_owned(), span: None });
            }
            let (point, state) = (self.runs[at].points[id as usize], self.runs[at].states[id as usize].clone());
            let step = self.step(thread, point, state, &mut vars);
            if step.reads {
                self.runs[at].readers.insert(id);
            }
            let next: Vec<u32> = step.outs.iter().map(|(to, state)| self.arrive(at, *to, state)).collect();
            self.runs[at].next[id as usize] = next;
            let points = self.runs[at].points.len();
            if points > MANY_POINTS && self.roll_largest_loop(at) {
                self.runs[at].dirty.clear();
            }
            if points > MOST_POINTS {
                let message = format!(
                    "a thread has more than {MOST_POINTS} instructions once its calls are inlined; recursion without \
                     a constant bound is not supported by `prove`"
                );
                return Err(Refusal { message, span: Some(self.frames.span(self.program, point)) });
            }
        }
        Ok(())
    }

    /// Gives up unrolling the loop that makes the most points; returns whether there is one.
    fn roll_largest_loop(&mut self, at: usize) -> bool {
        let mut points: HashMap<(FrameId, u32), usize> = HashMap::new();
        for &point in &self.runs[at].points {
            let mut inner = Some(point);
            while let Some(point) = inner {
                for &(head, _) in self.frames.rounds(point.loops) {
                    *points.entry((point.frame, head)).or_default() += 1;
                }
                inner = self.frames.frame(point.frame).caller;
            }
        }
        // The outer of two loops has all points of the inner one.
        let largest = points.into_iter().max_by_key(|&((frame, head), count)| (count, Reverse((frame, head))));
        largest.is_some_and(|(found, _)| self.doubts.rolled.insert(found))
    }

    /// Where a point is in the source. A thread's wait for its start is shown where it is made, its end where its
    /// function ends.
    pub(super) fn span(&self, thread: ThreadId, point: Point) -> Span {
        let span = self.frames.span(self.program, point);
        let Some((_, made_at)) = self.made[thread as usize].by.filter(|_| span.line == 0) else { return span };
        let code = &self.program.function(self.frames.frame(point.frame).func).code;
        let function = self.made[thread as usize].arguments[0].as_const();
        match function.and_then(|pointer| memory::pointed_function(pointer as u64)) {
            Some(function) if !matches!(code.get(point.pc as usize), Some(Inst::Wait { .. })) => {
                self.program.functions[function as usize].spans.last().copied().unwrap_or(span)
            }
            _ => self.frames.span(self.program, made_at),
        }
    }

    /// One instruction from what is known before it.
    pub(super) fn step(&mut self, thread: ThreadId, point: Point, state: State, vars: &mut Vars) -> Step {
        Walk::new(self, thread, point, state, vars).step()
    }

    /// What happens in loops happens several times, and so do the threads made there and what is allocated there.
    fn find_repetitions(&mut self) {
        for at in 0..self.runs.len() {
            let run = &self.runs[at];
            let thread = run.thread;
            let mut repeated = in_cycles(&run.next);
            if self.doubts.repeated.contains(&thread) {
                repeated.fill(true);
            }
            let points: HashSet<Point> =
                run.points.iter().zip(&repeated).filter(|(_, repeated)| **repeated).map(|(point, _)| *point).collect();
            for other in 0..self.made.len() {
                if self.made[other].by.is_some_and(|(by, point)| by == thread && points.contains(&point)) {
                    self.doubts.repeated.insert(other as ThreadId);
                }
            }
            for &point in &points {
                if let Some(object) = self.objects.known(Origin::Heap(thread, point))
                    && self.doubts.several.insert(object)
                {
                    self.objects.stands_for_several(object);
                    self.doubts.shared.insert(object);
                }
            }
        }
        self.find_escapes();
    }

    /// A local of a thread that may run several times is several objects, if others get to know its address.
    fn find_escapes(&mut self) {
        let mut known = HashSet::new();
        for (_, value) in self.contents.values() {
            known.extend(value.targets(&self.objects).iter().map(|t| t.object));
        }
        for made in self.made.iter().filter(|made| made.by.is_some()) {
            for value in &made.arguments {
                known.extend(value.targets(&self.objects).iter().map(|t| t.object));
            }
        }
        known.extend(self.doubts.shared.iter().copied());
        for object in known {
            let thread = match self.objects.get(object).origin {
                Origin::Private { frame, .. } | Origin::Stack { frame, .. } => self.frames.frame(frame).thread,
                Origin::ThreadLocal { thread, .. } | Origin::Heap(thread, _) => thread,
                _ => continue,
            };
            if self.doubts.repeated.contains(&thread) && self.doubts.several.insert(object) {
                self.objects.stands_for_several(object);
                self.doubts.shared.insert(object);
            }
        }
    }
}

/// For each node, whether it can be reached from itself.
pub(super) fn in_cycles(next: &[Vec<u32>]) -> Vec<bool> {
    let graph = Edges(next);
    let all: Vec<u32> = (0..next.len() as u32).collect();
    let component = components(&graph, &all);
    let mut sizes = vec![0u32; next.len()];
    component.iter().flatten().for_each(|&number| sizes[number as usize] += 1);
    let is_in_cycle = |node: usize| {
        component[node].is_some_and(|number| sizes[number as usize] > 1) || next[node].contains(&(node as u32))
    };
    (0..next.len()).map(is_in_cycle).collect()
}

struct Edges<'a>(&'a [Vec<u32>]);

impl Successors for Edges<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn successors(&self, node: usize) -> &[u32] {
        &self.0[node]
    }
}
