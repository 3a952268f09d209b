//! Calls that fail, and so should not be reached.

use std::collections::{BTreeSet, HashSet};

use fencepost_program::{Failure, FuncId, Inst, Span};

use super::analysis::Analysis;
use super::frames::Point;

/// What is known of calls that fail, and so should not be reached.
#[derive(Default)]
pub(super) struct Guards {
    pub(super) all: BTreeSet<Span>,
    /// Those that are not reached, although their function is and the branch that might lead there: constants alone
    /// decide that.
    pub(super) settled: Vec<Span>,
    /// Those that nothing leads to at all.
    pub(super) unreached: Vec<Span>,
}

impl Guards {
    pub(super) fn of(analysis: &Analysis) -> Guards {
        let points = analysis.runs.iter().flat_map(|run| &run.points);
        let place = |point: &Point| (analysis.frames.frame(point.frame).func, point.pc);
        let reached: HashSet<(FuncId, u32)> = points.map(place).collect();
        let entered: HashSet<FuncId> = reached.iter().map(|(func, _)| *func).collect();
        let mut guards = Guards::default();
        for (id, function) in analysis.program.functions.iter().enumerate() {
            let func = FuncId(id as u32);
            let fails = |inst: &Inst| matches!(inst, Inst::Fail { failure: Failure::Assertion | Failure::Abort });
            let before = function.predecessors();
            // Whether one of the ways into the block of an instruction is reached.
            let may_be_reached = |mut pc: usize| loop {
                match before[pc][..] {
                    [one] if one as usize + 1 == pc && !function.code[one as usize].jumps() => pc = one as usize,
                    ref all => return all.iter().any(|&from| reached.contains(&(func, from))),
                }
            };
            // An assertion says where it begins, and so whether it is reached.
            for &span in function.guards.iter().filter(|span| !function.asserted.contains(span)) {
                guards.all.insert(span);
                let mut left =
                    (0..function.code.len()).filter(|&pc| fails(&function.code[pc]) && function.spans[pc] == span);
                match left.next() {
                    Some(pc) if reached.contains(&(func, pc as u32)) => {}
                    Some(pc) if may_be_reached(pc) => guards.settled.push(span),
                    // The branch before it was known to go elsewhere.
                    None if entered.contains(&func) => guards.settled.push(span),
                    _ => guards.unreached.push(span),
                }
            }
        }
        guards
    }
}
