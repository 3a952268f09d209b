//! Procedures may not call themselves, directly or through others.

use crate::diagnostic::Diagnostic;
use crate::text::TextRange;
use fencepost_program::FuncId;

/// A call, as the caller's text has it.
pub(super) struct CallSite {
    pub caller: FuncId,
    pub callee: FuncId,
    pub range: TextRange,
}

/// One cycle of calls, if there is any, with each call on it.
pub(super) fn find(calls: &[CallSite], functions: usize, name: impl Fn(FuncId) -> String) -> Option<Diagnostic> {
    let mut callers = vec![Vec::new(); functions];
    let mut pending = vec![0usize; functions];
    for call in calls {
        callers[call.callee.0 as usize].push(call.caller.0 as usize);
        pending[call.caller.0 as usize] += 1;
    }
    // Take away functions whose calls are all taken away; what is left calls into a cycle.
    let mut done: Vec<usize> = (0..functions).filter(|&f| pending[f] == 0).collect();
    while let Some(function) = done.pop() {
        for &caller in &callers[function] {
            pending[caller] -= 1;
            if pending[caller] == 0 {
                done.push(caller);
            }
        }
    }
    let mut next_call: Vec<Option<&CallSite>> = vec![None; functions];
    for call in calls.iter().rev().filter(|call| pending[call.callee.0 as usize] > 0) {
        next_call[call.caller.0 as usize] = Some(call);
    }
    let mut at = pending.iter().position(|&p| p > 0)?;
    for _ in 0..functions {
        at = next_call[at]?.callee.0 as usize;
    }
    // Somewhere on a cycle now; tell it from the function that comes first in the file.
    let (mut first, mut here) = (at, at);
    for _ in 0..functions {
        here = next_call[here]?.callee.0 as usize;
        first = first.min(here);
    }
    let first = next_call[first]?;
    let message = format!("`{}` calls itself", name(first.caller));
    let mut error =
        Diagnostic::new(message, first.range, format!("`{}` calls `{}`", name(first.caller), name(first.callee)));
    let mut call = first;
    // A long way round is told by its first few calls.
    for _ in 0..8 {
        call = next_call[call.callee.0 as usize]?;
        if call.caller == first.caller {
            break;
        }
        error = error.and(call.range, format!("`{}` calls `{}`", name(call.caller), name(call.callee)));
    }
    Some(error.help("calls may not be recursive; use a loop"))
}
