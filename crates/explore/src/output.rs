//! What threads have printed in an execution.

use fencepost_program::{Answer, Inst};
use fencepost_story::{PrintedLine, PrintedLines};

use crate::event::INITIAL;
use crate::execution::Execution;
use crate::steps::Steps;

/// The lines in an order that goes along program order and reads-from, as traces do. The threads run once more.
pub(crate) fn printed(steps: &Steps, execution: &Execution, name: impl Fn(usize) -> String) -> Vec<PrintedLine> {
    let prints = |inst: &Inst| matches!(inst, Inst::Print { shown: true, .. });
    if !steps.program.functions.iter().any(|function| function.code.iter().any(prints)) {
        return Vec::new();
    }
    let mut lines = PrintedLines::new(name);
    let mut printed: Vec<_> = (0..execution.threads.len()).map(|t| replayed(steps, execution, t).into_iter()).collect();
    for (thread, texts) in printed.iter_mut().enumerate() {
        lines.add(thread, &texts.next().unwrap_or_default());
    }
    let mut done = vec![false; execution.len()];
    let mut next = vec![0; execution.threads.len()];
    let mut went_on = true;
    while went_on {
        went_on = false;
        for (thread, events) in execution.threads.iter().enumerate() {
            while let Some(&id) = events.get(next[thread]) {
                let event = execution.event(id);
                if event.kind.reads() && event.source != INITIAL && !done[event.source as usize] {
                    break;
                }
                done[id as usize] = true;
                next[thread] += 1;
                went_on = true;
                if event.answer.is_some() {
                    lines.add(thread, &printed[thread].next().unwrap_or_default());
                }
            }
        }
    }
    lines.finish()
}

/// What a thread prints before its first step, and after each of its events that lets it go on.
fn replayed(steps: &Steps, execution: &Execution, thread: usize) -> Vec<String> {
    let Some(start) = &execution.starts[thread] else { return Vec::new() };
    let answers = execution.threads[thread].iter().filter_map(|&id| execution.event(id).answer);
    steps.threads.replay(start.origin, &answers.collect::<Vec<Answer>>())
}
