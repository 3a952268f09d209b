//! A thread as one flow graph: calls are inlined, so that every node stands for one place in one calling context.

use fencepost_models::Refusal;
use fencepost_program::code::{NotInlined, Successors, inlined};
use fencepost_program::{Address, Function, Inst, Operand, Place, Program, Reg, RegisterKind, Span, Ty};

use crate::threads::passes::Passes;

/// An instruction over the thread's own registers, and where the thread may go from it.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) step: Step,
    pub(crate) span: Span,
    /// A branch goes to the first if its condition is not 0, to the second if it is.
    pub(crate) next: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Anything but jumps, branches, calls and returns, which are in the edges.
    Do(Inst),
    Branch(Operand),
    /// Any of the successors.
    Either,
    Nothing,
    End,
}

/// The flow graph of a thread. It starts at node 0 and has one [`Step::End`], the last node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) nodes: Vec<Node>,
    /// The types of the registers. Those of the thread's own function come first.
    pub(crate) types: Vec<Ty>,
    pub(crate) kinds: Vec<RegisterKind>,
    /// For each node, which passes of which loops it belongs to.
    pub(crate) passes: Vec<Passes>,
    /// For each node, or none at all, what it does to the register that remembers its cell.
    pub(crate) remembered: Vec<Option<Remembered>>,
    /// The cells that have such a register.
    pub(crate) remembered_cells: Vec<(Address, Reg)>,
}

/// An access to a cell whose value its thread remembers, because no other thread writes it for a while (`guarded`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Remembered {
    pub(crate) register: Reg,
    /// Whether it reads what is remembered; or else what it reads or writes is to be remembered.
    pub(crate) is_read_back: bool,
}

/// Maximum number of instructions of a thread, with all calls inlined.
const MOST_NODES: usize = 20_000;

impl Code {
    /// If the thread stands for `several`, the loop that it begins with is left as it is.
    pub(crate) fn of(program: &Program, thread: usize, several: bool) -> Result<Code, Refusal> {
        let thread = &program.threads[thread];
        let Function { code, spans, registers, .. } =
            inlined(program, thread.func, MOST_NODES).map_err(|why| refusal(program, why))?.function;
        let first = thread.args.len() as u32;
        let end = first + code.len() as u32;
        let mut nodes = Vec::with_capacity(end as usize + 1);
        for (i, &arg) in thread.args.iter().enumerate() {
            let step = Step::Do(Inst::Copy { dst: Reg(i as u32), a: Operand::Const(arg) });
            nodes.push(Node { step, span: Span::default(), next: vec![i as u32 + 1] });
        }
        for (pc, (inst, &span)) in code.into_iter().zip(&spans).enumerate() {
            let mut next = Vec::new();
            inst.for_each_successor(pc, |to| next.push(to.map_or(end, |to| first + to as u32)));
            let step = match inst {
                Inst::Jump { .. } | Inst::Return { .. } => Step::Nothing,
                Inst::Branch { cond, .. } => Step::Branch(cond),
                inst if is_supported(&inst) => Step::Do(inst),
                _ => {
                    let message = "`prove` does not support pointers and other constructs of C yet".to_owned();
                    return Err(Refusal { message, span: Some(span) });
                }
            };
            nodes.push(Node { step, span, next });
        }
        let span = program.function(thread.func).spans.last().copied().unwrap_or_default();
        nodes.push(Node { step: Step::End, span, next: Vec::new() });
        without_jumps(&mut nodes);
        let (kinds, types) = registers.into_iter().map(|register| (register.kind, register.ty)).unzip();
        Ok(Code { nodes, types, kinds, ..Code::default() }.with_loops_taken_apart(several))
    }

    /// What reports call a register, if it is no temporary.
    pub(crate) fn name(&self, reg: Reg) -> Option<&str> {
        self.kinds[reg.0 as usize].name()
    }

    pub(crate) fn remembered(&self, node: usize) -> Option<Remembered> {
        self.remembered.get(node).copied().flatten()
    }

    pub(crate) fn end(&self) -> usize {
        self.nodes.len() - 1
    }
}

impl Successors for Code {
    fn count(&self) -> usize {
        self.nodes.len()
    }

    fn successors(&self, node: usize) -> &[u32] {
        &self.nodes[node].next
    }
}

/// Leads around nodes that do nothing, so that loops have room for their passes. What is left without a way to it is
/// dropped later.
fn without_jumps(nodes: &mut [Node]) {
    let ways: Vec<Option<u32>> = nodes
        .iter()
        .map(|node| match (&node.step, &node.next[..]) {
            (Step::Nothing, &[to]) => Some(to),
            _ => None,
        })
        .collect();
    let target = |from: u32| {
        let jumps = std::iter::successors(Some(from), |&at| ways[at as usize]);
        // A loop of jumps alone goes nowhere, and stays.
        let mut jumps = jumps.take(ways.len() + 1);
        jumps.find(|&at| ways[at as usize].is_none()).unwrap_or(from)
    };
    for node in nodes {
        node.next.iter_mut().for_each(|next| *next = target(*next));
    }
}

fn refusal(program: &Program, why: NotInlined) -> Refusal {
    match why {
        NotInlined::Recursion(func) => {
            let function = program.function(func);
            let message = format!("`{}` calls itself; recursion is not supported by `prove`", function.name);
            Refusal { message, span: function.spans.first().copied() }
        }
        NotInlined::TooLarge(span) => {
            let message = format!("a thread has more than {MOST_NODES} instructions once its calls are inlined");
            Refusal { message, span: Some(span) }
        }
    }
}

/// Whether the domains know what an instruction does. Jumps, calls and returns are in the edges.
fn is_supported(inst: &Inst) -> bool {
    match inst.place() {
        Some(place) => matches!(place, Place::Cell(_)),
        None => matches!(
            inst,
            Inst::Copy { .. }
                | Inst::Arithmetic { .. }
                | Inst::Unary { .. }
                | Inst::Select { .. }
                | Inst::Assert { .. }
                | Inst::Assume { .. }
                | Inst::Choose { .. }
                | Inst::Fence { .. }
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::passes::Pass;

    #[test]
    fn jumps_take_no_room_from_the_passes_of_a_loop() {
        let statement = "r = x.load(rlx); if (r == 1) { x.store(2, rlx); } else { x.store(1, rlx); }";
        let text = format!(
            "atomic x: i32;\nthread t {{ loop {{ {} r = x.load(rlx); if (r == 9) {{ break; }} }} }}",
            statement.repeat(120)
        );
        let program = fencepost_frontend::parse_fp("loop.fp", &text).unwrap_or_else(|error| panic!("{error}")).program;
        let code = Code::of(&program, 0, false).expect("it is supported");
        for pass in [Pass::First, Pass::Earlier, Pass::Chosen, Pass::Later, Pass::LastButOne, Pass::Last] {
            assert!(code.passes.iter().flatten().any(|&(_, found)| found == pass), "{pass:?}");
        }
    }
}
