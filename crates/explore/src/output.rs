//! What threads have printed in an execution.

use fencepost_graph::SC_FENCE_CELL;
use fencepost_program::{Action, Address, Answer, Inst, joined};
use fencepost_report::{PrintedLine, PrintedLines};

use crate::event::{Event, INITIAL, Kind, Part};
use crate::execution::Execution;
use crate::steps::Steps;

/// The lines in an order that goes along program order and reads-from, as traces do. The threads run once more: each event has
/// the state before it, and what it read.
pub(crate) fn printed(
    steps: &Steps,
    execution: &Execution,
    addresses: &[Address],
    name: impl Fn(usize) -> String,
) -> Vec<PrintedLine> {
    let prints = |inst: &Inst| matches!(inst, Inst::Print { shown: true, .. });
    if !steps.program.functions.iter().any(|function| function.code.iter().any(prints)) {
        return Vec::new();
    }
    let machine = steps.machine.printing();
    let mut lines = PrintedLines::new(name);
    for thread in 0..steps.program.threads.len() {
        machine.start(thread);
        lines.add(thread, &machine.take_printed());
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
                if let Some(before) = steps.state_before(execution, event)
                    && let Some(answer) = answer(steps, execution, addresses, event)
                {
                    machine.resume(&mut before.clone(), answer, 0);
                    lines.add(thread, &machine.take_printed());
                }
            }
        }
    }
    lines.finish()
}

/// What the thread was told by an event.
fn answer(steps: &Steps, execution: &Execution, addresses: &[Address], event: &Event) -> Option<Answer> {
    if event.refused || matches!(event.part, Part::Before(_)) {
        return None;
    }
    Some(match event.kind {
        Kind::Read | Kind::AwaitRead => match event.part {
            Part::Last(number) => {
                let before = steps.state_before(execution, event)?;
                let Action::Load { at: whole, .. } = steps.machine.next(before) else { return None };
                let index = event.index as usize;
                let parts = &execution.threads[event.thread][index - usize::from(number)..=index];
                let cells = steps.division.parts(whole).unwrap_or_default();
                Answer::Read(joined(whole, cells.into_iter().zip(parts.iter().map(|&id| execution.event(id).value))))
            }
            _ => Answer::Read(event.value),
        },
        Kind::ExclusiveRead => return None,
        Kind::ExclusiveWrite if addresses[event.location] == SC_FENCE_CELL => Answer::Done,
        Kind::ExclusiveWrite => Answer::Updated(execution.event(execution.exclusive_read(event)).value),
        Kind::Write | Kind::Fence | Kind::Alloc | Kind::Free => Answer::Done,
        Kind::HeapSize => Answer::Read(event.value),
        Kind::Choice => Answer::Chose(event.value),
        Kind::Spawn => Answer::Spawned(event.value as u32),
    })
}
