//! What a thread waits for, in words.

use crate::memory::joined_thread;
use crate::state::Stuck;
use crate::{Accept, Action, Address, Function, Machine, Names, ThreadState};

/// What a thread does that does not go on.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// "lock", "join", "wait".
    pub operation: &'static str,
    /// What the thread waits for, if it is a cell of memory.
    pub at: Option<Address>,
    /// "waits to lock `m`".
    pub text: String,
    /// The thread that wrote last to the cell holds it.
    pub is_lock: bool,
    /// The thread does not wait, but goes round a loop without an exit.
    pub is_endless: bool,
}

impl Waiting {
    /// What a deadlock of these threads is.
    pub fn message<'a>(threads: impl IntoIterator<Item = &'a Waiting>) -> &'static str {
        match threads.into_iter().any(|thread| thread.is_endless) {
            false => "every thread that has not ended waits, and nothing can wake it",
            true => {
                "every thread that has not ended waits or goes round a loop without an exit, and nothing can wake it"
            }
        }
    }

    /// What a thread waits for whose next step this is, if nothing else is known of it.
    pub fn of_action(names: &Names, action: &Action) -> Waiting {
        let at = action.address();
        let cell = at.map(|at| names.cell_name(at)).unwrap_or_default();
        let until = |accept| format!("waits until {}", condition(&cell, accept));
        let (operation, text) = match *action {
            Action::Wait { accept, .. } => ("wait", until(accept)),
            Action::Rmw { accept: accept @ Accept::Exactly(_), .. } => ("bcas", until(accept)),
            Action::Rmw { accept, .. } if accept != Accept::Any => ("update", until(accept)),
            Action::Hangs => ("wait", "waits for something that only it could do".to_owned()),
            _ if at.is_none() => ("wait", "waits".to_owned()),
            _ => ("loop", format!("repeats a loop that reads `{cell}`, which no longer changes")),
        };
        Waiting { operation, at, text, is_lock: false, is_endless: false }
    }

    /// What the thread does, in a word or two.
    pub fn role(&self) -> &'static str {
        if self.is_endless { "goes on for ever" } else { "waits" }
    }
}

impl Machine<'_> {
    /// Whether the code of a thread leads from here to its end. A thread without an end that goes round and round does
    /// not wait.
    pub fn may_end(&self, state: &ThreadState) -> bool {
        let (mut func, mut pc, mut base) = (state.func, state.pc, state.base);
        for depth in (0..=state.depth).rev() {
            let Some(function) = self.program.functions.get(func as usize) else { return true };
            let ends = self.ends[func as usize].get_or_init(|| lead_to_end(function));
            if !ends.get(pc as usize).unwrap_or(&true) {
                return false;
            }
            if depth > 0 {
                let link = state.link(base);
                (func, pc, base) = (link.func, link.pc, link.base);
            }
        }
        true
    }

    /// The place of the assumption that has given up a thread, if no way leads from there to the end of its function: a
    /// loop has no other end.
    pub fn bounded_by(&self, state: &ThreadState) -> Option<(u32, u32)> {
        let Some(Stuck::Blocked { func, pc }) = state.stuck else { return None };
        let function = self.program.functions.get(func as usize)?;
        let ends = self.ends[func as usize].get_or_init(|| lead_to_end(function));
        (!ends[pc as usize]).then_some((func, pc))
    }

    /// Whether a thread has passed an instruction: it is in a call of the function, at a place that no way reaches
    /// otherwise.
    pub fn has_passed(&self, state: &ThreadState, (passed_func, passed_pc): (u32, u32)) -> bool {
        let (mut func, mut pc, mut base) = (state.func, state.pc, state.base);
        for depth in (0..=state.depth).rev() {
            let Some(function) = self.program.functions.get(func as usize) else { return false };
            if func == passed_func && !reaches(function, pc as usize, passed_pc as usize) {
                return true;
            }
            if depth > 0 {
                let link = state.link(base);
                (func, pc, base) = (link.func, link.pc, link.base);
            }
        }
        false
    }

    /// What the thread waits for.
    pub fn waiting(&self, names: &Names, state: &ThreadState, action: &Action) -> Waiting {
        let at = action.address();
        let waiting = |operation, is_lock, text| Waiting { operation, at, text, is_lock, is_endless: false };
        let is_loop = matches!(action, Action::Load { .. } | Action::Cas { .. } | Action::Fence { .. });
        let is_loop = is_loop || matches!(action, Action::Rmw { accept: Accept::Any, .. });
        if *action == Action::Endless || is_loop && !self.may_end(state) {
            let text = "goes round a loop without an exit".to_owned();
            return Waiting { is_endless: true, ..waiting("loop", false, text) };
        }
        let Some(cell) = at else { return Waiting::of_action(names, action) };
        let whole = names.cell_name(cell);
        // Members of what the library provides are its own business.
        let name = whole.split("._").next().unwrap_or(&whole);
        let function = self.program.functions.get(state.func as usize);
        if let Some(thread) = cell.pointer_and_size().and_then(|(pointer, _)| joined_thread(pointer)) {
            let (name, itself) = (names.thread_name(thread as usize), thread == state.thread());
            return waiting(
                "join",
                false,
                match itself {
                    true => "waits for itself to end".to_owned(),
                    false => format!("waits for {name} to end"),
                },
            );
        }
        match function.filter(|f| f.library).map_or("", |f| f.name.as_str()) {
            "pthread_mutex_lock" | "pthread_spin_lock" | "pthread_rwlock_wrlock" | "__cxa_guard_acquire" => {
                return waiting("lock", true, format!("waits to lock `{name}`"));
            }
            "pthread_rwlock_rdlock" => return waiting("lock", true, format!("waits to lock `{name}` for reading")),
            "sem_wait" => return waiting("sem_wait", false, format!("waits for the semaphore `{name}`")),
            "pthread_barrier_wait" => {
                return waiting("barrier", false, format!("waits at the barrier `{name}` for other threads to arrive"));
            }
            "pthread_cond_wait" => return waiting("cond_wait", false, "waits for a signal that wakes it".to_owned()),
            _ => {}
        }
        Waiting::of_action(names, action)
    }
}

/// By instruction, whether a way leads from it to the end of the function.
fn lead_to_end(function: &Function) -> Vec<bool> {
    let predecessors = function.predecessors();
    let mut found = vec![false; function.code.len() + 1];
    let mut work = vec![function.code.len()];
    while let Some(pc) = work.pop() {
        if !std::mem::replace(&mut found[pc], true) {
            work.extend(predecessors[pc].iter().map(|&before| before as usize));
        }
    }
    found
}

/// Whether a way leads from the start of a function to an instruction, and does not pass another one.
fn reaches(function: &Function, to: usize, without: usize) -> bool {
    let mut seen = vec![false; function.code.len()];
    let mut work = vec![0];
    while let Some(pc) = work.pop() {
        if pc == to {
            return true;
        }
        let Some(inst) = function.code.get(pc).filter(|_| pc != without) else { continue };
        if !std::mem::replace(&mut seen[pc], true) {
            inst.for_each_successor(pc, |next| work.extend(next));
        }
    }
    false
}

fn condition(name: &str, accept: Accept) -> String {
    match accept.condition() {
        Some((comparison, value)) => format!("`{name}` {} {value}", comparison.sign()),
        None => format!("`{name}` changes"),
    }
}
