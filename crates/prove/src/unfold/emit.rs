//! The program that is left: its accesses are to cells, its calls are inlined, its threads run from the start.

use std::borrow::Cow;
use std::collections::BTreeSet;

use fencepost_models::Refusal;
use fencepost_program::{FuncId, Program, Thread, memory};

use super::Cells;
use super::access::memory_of;
use super::analysis::Analysis;
use super::guards::Guards;
use super::layout::Layout;
use super::objects::ThreadId;
use super::step::{Residual, Vars};
use super::writer::{Leftover, Role, Writer};

pub(super) fn emit<'p>(mut analysis: Analysis) -> Result<Cells<'p>, Refusal> {
    analysis.refusal = None;
    analysis.exact.set(analysis.doubts.repeated.is_empty());
    analysis.uninitialised.set(false);
    let mut leftovers = Vec::new();
    for at in 0..analysis.runs.len() {
        let (thread, mut vars) = (analysis.runs[at].thread, Vars::default());
        let mut steps = Vec::new();
        for id in 0..analysis.runs[at].points.len() {
            let (point, state) = (analysis.runs[at].points[id], analysis.runs[at].states[id].clone());
            let step = analysis.step(thread, point, state, &mut vars);
            steps.push((point, analysis.span(thread, point), step));
        }
        leftovers.push(Leftover { thread, vars, steps });
    }
    if let Some(refusal) = analysis.refusal.take() {
        return Err(refusal);
    }
    let accesses = leftovers.iter().flat_map(|leftover| &leftover.steps).flat_map(|(_, _, step)| {
        step.residual.iter().flat_map(|residual| match residual {
            Residual::Access { inst, targets, .. } | Residual::Ordering { inst, targets, .. } => {
                let size = memory_of(inst).map_or(8, |memory| memory.size);
                targets.iter().map(|target| (target, size)).collect()
            }
            Residual::Inst(_) => Vec::new(),
        })
    });
    let layout = Layout::of(&analysis, accesses);
    let mut program =
        Program { sources: analysis.program.sources.clone(), objects: layout.objects.clone(), ..Program::default() };
    let mut guards = Guards::of(&analysis);
    let mut several = BTreeSet::new();
    for mut leftover in leftovers {
        let repeated = analysis.doubts.repeated.contains(&leftover.thread);
        let name = name(&analysis, leftover.thread);
        // Among several threads of one kind, one reads from others, and others from each other.
        let roles: &[Role] = if repeated { &[Role::Once, Role::Repeatedly, Role::Repeatedly] } else { &[Role::Once] };
        for &role in roles {
            let writer = Writer::new(&analysis, &layout, &mut leftover, role, name.clone());
            let function = writer.write(&std::mem::take(&mut guards.settled));
            let func = FuncId(program.functions.len() as u32);
            program.functions.push(function);
            several.extend((role == Role::Repeatedly).then_some(program.threads.len()));
            program.threads.push(Thread { name: name.clone(), func, args: Vec::new() });
        }
    }
    if let Some(first) = program.functions.first_mut() {
        first.asserted = analysis.program.functions.iter().flat_map(|f| &f.asserted).copied().collect();
        first.asserted.append(&mut guards.unreached);
    }
    let (exact, uninitialised) = (analysis.exact.get(), analysis.uninitialised.get());
    let (guards, unknown) = (guards.all, layout.uninitialised);
    Ok(Cells { program: Cow::Owned(program), exact, uninitialised, guards, unknown, several })
}

/// The function that a thread runs, numbered if several run it.
fn name(analysis: &Analysis, thread: ThreadId) -> String {
    let function = |thread: ThreadId| {
        let pointer = analysis.made[thread as usize].arguments.first().and_then(|value| value.as_const());
        pointer.and_then(|pointer| memory::pointed_function(pointer as u64))
    };
    if let Some(thread) = analysis.program.threads.get(thread as usize) {
        return thread.name.clone();
    }
    let Some(own) = function(thread) else { return format!("thread {thread}") };
    let same = analysis.runs.iter().filter(|run| function(run.thread) == Some(own)).count();
    let name = &analysis.program.functions[own as usize].name;
    if same == 1 { name.clone() } else { format!("{name} {thread}") }
}
