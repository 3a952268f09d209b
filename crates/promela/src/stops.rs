//! Where a thread stands between its steps.

use crate::flat::{Op, ThreadCode};

/// For each line, and for the end, whether other threads may run before it: at steps on memory and fences, and once in
/// every loop without any, which would otherwise run for ever within one step.
pub(crate) fn stops(code: &ThreadCode) -> Vec<bool> {
    let mut stops: Vec<bool> = code.lines.iter().map(|line| line.op.is_step()).collect();
    stops.push(true);
    for pc in 0..code.lines.len() {
        let jump = matches!(code.lines[pc].op, Op::Jump { .. } | Op::Branch { .. });
        for target in code.lines[pc].op.successors(pc) {
            if jump && target <= pc && !stops[target] && comes_back(code, &stops, target) {
                stops[target] = true;
            }
        }
    }
    stops
}

/// Whether control can come back to a line without stopping.
fn comes_back(code: &ThreadCode, stops: &[bool], start: usize) -> bool {
    let mut seen = vec![false; stops.len()];
    let mut work = vec![start];
    while let Some(pc) = work.pop() {
        for next in code.lines[pc].op.successors(pc) {
            if next == start {
                return true;
            }
            if !stops[next] && !seen[next] {
                seen[next] = true;
                work.push(next);
            }
        }
    }
    false
}
