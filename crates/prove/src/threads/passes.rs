//! Loops taken apart into passes, so that the loads that matter are executed once and can be decided.
//!
//! What a load in a loop reads cannot be decided, because it is executed again and again (paper 002 §5 joins what it
//! may read). But a thread leaves a loop from its last pass: `while (flag.load() == 0) {}` ends with a load that read
//! something else. And a load that reads what a loop wrote reads it from one pass. So a loop becomes
//!
//! ```text
//!   first pass  (earlier pass)*  (chosen pass  (later pass)*)?  last pass but one  last pass
//! ```
//!
//! or one or both of the last two alone. Every path through the loop is a path through these copies: in many ways,
//! because any pass but the first and the last two may be the chosen one. The search makes use of that
//! (`search::Search::choices`).

use crate::threads::code::{Code, Node, Step};
use fencepost_program::Inst;
use fencepost_program::code::{BitSet, Successors, components, order_from};

/// Which pass of a loop a node belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    First,
    Earlier,
    Chosen,
    Later,
    LastButOne,
    Last,
    /// Of a loop that is never left: the pass in which something fails.
    Failing,
}

/// For a node in a loop that was taken apart: the number of the loop, and the pass; outer loops first.
pub(crate) type Passes = Vec<(u32, Pass)>;

/// A thread does not grow beyond this by taking loops apart.
const MOST_NODES: usize = 4_000;

struct Loop {
    head: u32,
    body: Vec<u32>,
    has_exit: bool,
}

impl Code {
    pub(crate) fn has_chosen_pass(&self, number: u32) -> bool {
        self.passes.iter().any(|passes| passes.contains(&(number, Pass::Chosen)))
    }

    /// Whether a property has to be proved at this node. If the thread stops where something fails, that is its last
    /// pass. If it does not, any pass may be the chosen one.
    pub(crate) fn is_asked_about(&self, node: usize, stops_at_failure: bool) -> bool {
        self.passes[node].iter().all(|&(number, pass)| match pass {
            Pass::Last | Pass::Failing => true,
            Pass::First | Pass::LastButOne | Pass::Chosen => !stops_at_failure || !self.has_last_pass(number),
            Pass::Earlier | Pass::Later => {
                let covered = if stops_at_failure { self.has_last_pass(number) } else { self.has_chosen_pass(number) };
                !covered
            }
        })
    }

    fn has_last_pass(&self, number: u32) -> bool {
        let is_last = |&(n, pass): &(u32, Pass)| n == number && matches!(pass, Pass::Last | Pass::Failing);
        self.passes.iter().any(|passes| passes.iter().any(is_last))
    }

    /// The rounds of a first loop that stands for `several_threads` are in no order: none of them is the last.
    pub(crate) fn with_loops_taken_apart(self, several_threads: bool) -> Code {
        let passes = vec![Passes::new(); self.nodes.len()];
        let mut apart = Apart { passes, nodes: self.nodes, several_threads, entry: 0, loops: 0 };
        let mut done = Vec::new();
        while let Some(next) = apart.next_loop(&done) {
            done.push(next.head);
            done.extend(apart.take_apart(&next));
        }
        let (nodes, passes) = apart.renumbered();
        Code { nodes, passes, ..self }
    }
}

struct Apart {
    nodes: Vec<Node>,
    several_threads: bool,
    passes: Vec<Passes>,
    entry: u32,
    loops: u32,
}

impl Successors for Apart {
    fn count(&self) -> usize {
        self.nodes.len()
    }

    fn successors(&self, node: usize) -> &[u32] {
        &self.nodes[node].next
    }
}

impl Apart {
    /// A loop in no other loop, with one entry, that was not looked at.
    fn next_loop(&self, done: &[u32]) -> Option<Loop> {
        let order = order_from(self, self.entry);
        let component = components(self, &order);
        let mut members: Vec<Vec<u32>> = Vec::new();
        for &node in &order {
            let Some(number) = component[node as usize].map(|number| number as usize) else { continue };
            members.resize_with(members.len().max(number + 1), Vec::new);
            members[number].push(node);
        }
        for body in members {
            let Some(&node) = body.first() else { continue };
            let inside = |n: u32| component[n as usize] == component[node as usize];
            if body.len() == 1 && !self.nodes[node as usize].next.contains(&node) {
                continue;
            }
            let mut entries: Vec<u32> = order
                .iter()
                .filter(|&&from| !inside(from))
                .flat_map(|&from| self.nodes[from as usize].next.iter().copied().filter(|&to| inside(to)))
                .collect();
            entries.extend(inside(self.entry).then_some(self.entry));
            entries.sort_unstable();
            entries.dedup();
            let several_threads = self.several_threads && inside(self.entry);
            if let [head] = entries[..]
                && !done.contains(&head)
                && !several_threads
            {
                let has_exit = body.iter().any(|&n| self.nodes[n as usize].next.iter().any(|&to| !inside(to)));
                return Some(Loop { head, body, has_exit });
            }
        }
        None
    }

    /// The nodes of the loop become the earlier passes. Returns the heads of the loops that are left.
    fn take_apart(&mut self, at: &Loop) -> Vec<u32> {
        let any = |wanted: fn(&Inst) -> bool| {
            at.body.iter().any(|&n| matches!(&self.nodes[n as usize].step, Step::Do(inst) if wanted(inst)))
        };
        let mut chosen = any(Inst::writes);
        let mut last = at.has_exit || any(may_fail);
        let mut last_but_one = at.has_exit;
        let room = MOST_NODES.saturating_sub(self.nodes.len()) / at.body.len();
        for (kept, wanted) in [(&mut last_but_one, 5), (&mut chosen, 4), (&mut last, 1)] {
            *kept &= room >= wanted;
        }
        if !chosen && !last {
            return Vec::new();
        }
        let span = self.nodes[at.head as usize].span;
        let number = self.loops;
        self.loops += 1;
        let nowhere = self.push(Step::Nothing, span, Vec::new());
        let old = self.nodes.len();
        let start = |made: &Option<Vec<u32>>| made.as_ref().map(|copy| copy[0]);
        let last_pass = if at.has_exit { Pass::Last } else { Pass::Failing };
        let last_copy = last.then(|| self.copy(at, (number, last_pass), nowhere, None));
        let leave = start(&last_copy).unwrap_or(nowhere);
        let last_but_one_copy = last_but_one.then(|| self.copy(at, (number, Pass::LastButOne), leave, Some(nowhere)));
        let leave = start(&last_but_one_copy).unwrap_or(leave);
        let mut out = leave;
        let mut heads = Vec::new();
        if chosen {
            let after = self.push(Step::Either, span, vec![nowhere, leave]);
            let later = self.copy(at, (number, Pass::Later), after, Some(nowhere));
            self.nodes[after as usize].next[0] = later[0];
            let one = self.copy(at, (number, Pass::Chosen), after, Some(nowhere));
            out = self.push(Step::Either, span, vec![one[0], leave]);
            heads.push(after);
        }
        let again = self.push(Step::Either, span, vec![at.head, out]);
        let mut first = again;
        if chosen {
            // A loop that writes: what its first pass overwrote, all that come later have overwritten.
            let opening = self.copy(at, (number, Pass::First), again, Some(nowhere));
            first = self.push(Step::Either, span, vec![opening[0], leave]);
        }
        if let Some(only) = start(&last_copy).filter(|_| last_but_one) {
            first = self.push(Step::Either, span, vec![only, first]);
        }
        let inside = BitSet::of(old, at.body.iter().map(|&n| n as usize));
        for n in 0..old {
            for i in 0..self.nodes[n].next.len() {
                let next = self.nodes[n].next[i];
                let to = match (inside.contains(n), next == at.head) {
                    (true, true) => again,
                    (false, true) => first,
                    (true, false) if !inside.contains(next as usize) => nowhere,
                    _ => next,
                };
                self.nodes[n].next[i] = to;
            }
        }
        for &n in &at.body {
            self.passes[n as usize].push((number, Pass::Earlier));
        }
        if self.entry == at.head {
            self.entry = first;
        }
        heads.push(again);
        heads
    }

    fn push(&mut self, step: Step, span: fencepost_program::Span, next: Vec<u32>) -> u32 {
        self.nodes.push(Node { step, span, next });
        self.passes.push(Passes::new());
        self.nodes.len() as u32 - 1
    }

    /// A copy of the body, its head first, that goes to `back` instead of its head, and to `out` instead of leaving, if
    /// that is given.
    fn copy(&mut self, at: &Loop, pass: (u32, Pass), back: u32, out: Option<u32>) -> Vec<u32> {
        let first = self.nodes.len() as u32;
        let mut order = vec![at.head];
        order.extend(at.body.iter().copied().filter(|&n| n != at.head));
        let mut place = vec![u32::MAX; first as usize];
        for (i, &n) in order.iter().enumerate() {
            place[n as usize] = first + i as u32;
        }
        for &n in &order {
            let mut node = self.nodes[n as usize].clone();
            for next in &mut node.next {
                *next = match place[*next as usize] {
                    _ if *next == at.head => back,
                    u32::MAX => out.unwrap_or(*next),
                    inside => inside,
                };
            }
            self.nodes.push(node);
            let mut passes = self.passes[n as usize].clone();
            passes.push(pass);
            self.passes.push(passes);
        }
        (first..self.nodes.len() as u32).collect()
    }

    /// Only what can be reached, behind a first node that nothing leads to, and with the end last.
    fn renumbered(mut self) -> (Vec<Node>, Vec<Passes>) {
        let span = self.nodes[self.entry as usize].span;
        let first = self.push(Step::Nothing, span, vec![self.entry]);
        let mut order = order_from(&self, first);
        let is_end = |n: &u32| matches!(self.nodes[*n as usize].step, Step::End);
        let end = (0..self.nodes.len() as u32).find(is_end);
        order.retain(|n| !is_end(n));
        order.extend(end);
        let mut place = vec![0; self.nodes.len()];
        for (i, &n) in order.iter().enumerate() {
            place[n as usize] = i as u32;
        }
        let moved = |n: &u32| {
            let mut node = self.nodes[*n as usize].clone();
            node.next.iter_mut().for_each(|next| *next = place[*next as usize]);
            node
        };
        let nodes = order.iter().map(moved).collect();
        let passes = order.iter().map(|&n| self.passes[n as usize].clone()).collect();
        (nodes, passes)
    }
}

/// Whether something may be asked about the instruction.
fn may_fail(inst: &Inst) -> bool {
    match inst {
        Inst::Assert { .. } | Inst::Fail { .. } => true,
        Inst::Arithmetic { op, .. } => op.divides(),
        access => access.place().is_some(),
    }
}
