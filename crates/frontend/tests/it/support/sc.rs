//! The final states of a program under sequential consistency, by trying every schedule.

use fencepost_program::{Action, Address, Answer, CasKind, Machine, Program, ThreadState, Value};
use std::collections::{BTreeSet, HashSet};

/// The observed registers of each thread, and the cells.
pub type FinalState = (Vec<Vec<Value>>, Vec<Value>);

pub fn final_states(program: &Program) -> BTreeSet<FinalState> {
    let machine = Machine::new(program);
    let threads: Vec<ThreadState> = (0..program.threads.len()).map(|thread| machine.start(thread)).collect();
    let cells: Vec<Value> = program.cells().map(|cell| program.initial_value(cell)).collect();
    let mut todo = vec![(threads, cells)];
    let mut seen = HashSet::new();
    let mut finals = BTreeSet::new();
    while let Some(state) = todo.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let (threads, cells) = &state;
        if threads.iter().all(|thread| machine.next(thread) == Action::End) {
            finals.insert((threads.iter().map(|thread| thread.observed().to_vec()).collect(), cells.clone()));
        }
        for (i, thread) in threads.iter().enumerate() {
            for (answer, write) in answers(machine.next(thread), cells) {
                let (mut threads, mut cells) = state.clone();
                machine.resume(&mut threads[i], answer, 0);
                if let Some((Address(at), value)) = write {
                    cells[at as usize] = value;
                }
                todo.push((threads, cells));
            }
        }
    }
    finals
}

type Step = (Answer, Option<(Address, Value)>);

/// What SC memory can answer, and what it then writes. An assertion that fails, a block and an end have no answer.
fn answers(action: Action, cells: &[Value]) -> Vec<Step> {
    let Some(at) = action.address() else {
        return match action {
            Action::Fence { .. } => vec![(Answer::Done, None)],
            Action::Choose { lo, hi } => (lo..=hi).map(|value| (Answer::Chose(value), None)).collect(),
            _ => Vec::new(),
        };
    };
    let old = cells[at.0 as usize];
    let write = action.written(old).map(|value| (at, value));
    match action {
        Action::Load { .. } => vec![(Answer::Read(old), None)],
        Action::Wait { accept, .. } if accept.accepts(old) => vec![(Answer::Read(old), None)],
        Action::Store { .. } => vec![(Answer::Done, write)],
        Action::Rmw { accept, .. } if accept.accepts(old) => vec![(Answer::Updated(old), write)],
        Action::Cas { expected, kind, .. } => {
            let success = (expected == old).then_some((Answer::Updated(old), write));
            let failure = (expected != old || kind == CasKind::Weak).then_some((Answer::Read(old), None));
            success.into_iter().chain(failure).collect()
        }
        _ => Vec::new(),
    }
}
