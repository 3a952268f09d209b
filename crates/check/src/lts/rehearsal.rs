//! One run of the program on memory that is made of bytes, to see which accesses overlap.
//!
//! A search learns of one overlap at a time, and then starts over. A program whose library copies by words and looks at
//! bytes has many. So a search that has started over a few times lets the program run once. That is a run of SC memory,
//! so the search would come to the same overlaps.

use fencepost_budget::Budget;
use fencepost_program::memory::{bytes_of, value_of};
use fencepost_program::{Action, Address, Answer, Division, Machine, ThreadState, Value};
use hashbrown::{HashMap, HashSet};

use super::parts::Overlap;

/// Steps of all threads.
const STEPS_LIMIT: usize = 1 << 17;
/// Steps of a thread before it is another's turn: it may wait for the other in a loop.
const TURN: usize = 1 << 14;
const THREADS_LIMIT: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Access {
    at: Address,
    atomic: bool,
    writes: bool,
}

pub(super) struct Rehearsal<'m, 'p> {
    machine: &'m Machine<'p>,
    threads: Vec<ThreadState>,
    /// The bytes that were written, and the cells of declared objects.
    memory: HashMap<u64, u8>,
    objects: HashMap<Address, Value>,
    /// The sizes of the objects on the heap, by their first byte.
    sizes: HashMap<u64, u64>,
    /// In the order in which they were first made.
    accesses: Vec<Access>,
    known: HashSet<Access>,
}

impl<'m, 'p> Rehearsal<'m, 'p> {
    /// Runs the program: each thread in turn for as long as it can.
    pub(super) fn of(machine: &'m Machine<'p>, budget: &Budget) -> Rehearsal<'m, 'p> {
        let threads = (0..machine.program().threads.len()).map(|thread| machine.start(thread)).collect();
        let (memory, objects, sizes) = Default::default();
        let mut run =
            Rehearsal { machine, threads, memory, objects, sizes, accesses: Vec::new(), known: HashSet::new() };
        let mut steps = 0;
        loop {
            let before = steps;
            let mut thread = 0;
            while thread < run.threads.len() {
                let taken = (0..TURN).take_while(|_| !budget.is_spent() && run.step(thread)).count();
                steps += taken;
                thread += 1;
            }
            if steps == before || steps >= STEPS_LIMIT || budget.is_spent() {
                return run;
            }
        }
    }

    /// Adds what keeps the accesses of the run from overlapping.
    pub(super) fn divide(&self, division: &mut Division) {
        loop {
            let before = division.clone();
            // Whether each cell was accessed atomically.
            let mut cells: HashMap<Address, bool> = HashMap::new();
            for &Access { at, atomic, writes } in &self.accesses {
                let pieces = if atomic { None } else { division.pieces(at, writes) };
                match pieces {
                    Some(pieces) => pieces.iter().for_each(|piece| add_cell(&mut cells, piece.cell, false, division)),
                    None => add_cell(&mut cells, at, atomic, division),
                }
            }
            if *division == before {
                return;
            }
        }
    }

    /// Takes the next step of a thread. Returns false if there is none.
    fn step(&mut self, thread: usize) -> bool {
        let action = self.machine.next(&self.threads[thread]);
        let Some(answer) = self.answer(action) else { return false };
        self.machine.resume(&mut self.threads[thread], answer, 0);
        true
    }

    fn answer(&mut self, action: Action) -> Option<Answer> {
        Some(match action {
            Action::Load { at, order } => {
                self.note(at, order.is_atomic(), false);
                Answer::Read(self.read(at))
            }
            Action::Wait { at, accept, .. } => {
                self.note(at, true, false);
                Answer::Read(Some(self.read(at)).filter(|&value| accept.accepts(value))?)
            }
            Action::Store { at, value, order } => {
                self.note(at, order.is_atomic(), true);
                self.write(at, value);
                Answer::Done
            }
            Action::Rmw { at, accept, update, .. } => {
                self.note(at, true, true);
                let old = Some(self.read(at)).filter(|&value| accept.accepts(value))?;
                self.write(at, update.apply(old));
                Answer::Updated(old)
            }
            Action::Cas { at, expected, desired, .. } => {
                self.note(at, true, true);
                let old = self.read(at);
                if old != expected {
                    return Some(Answer::Read(old));
                }
                self.write(at, desired);
                Answer::Updated(old)
            }
            Action::Choose { lo, .. } => Answer::Chose(lo),
            Action::Spawn { func, argument, .. } => {
                let child = u32::try_from(self.threads.len()).ok().filter(|&n| (n as usize) < THREADS_LIMIT)?;
                self.threads.push(self.machine.start_spawned(child, func, argument));
                Answer::Spawned(child)
            }
            Action::Alloc { pointer, size, .. } => {
                self.sizes.insert(pointer, size);
                Answer::Done
            }
            Action::HeapSize { pointer } => Answer::Read(self.sizes.get(&pointer).map_or(0, |&size| size as Value)),
            Action::Fence { .. } | Action::Free { .. } => Answer::Done,
            Action::Blocked | Action::Hangs | Action::Endless | Action::Failed(_) | Action::End => return None,
        })
    }

    fn note(&mut self, at: Address, atomic: bool, writes: bool) {
        let access = Access { at, atomic, writes };
        if self.known.insert(access) {
            self.accesses.push(access);
        }
    }

    fn read(&self, at: Address) -> Value {
        let program = self.machine.program();
        let Some((start, size)) = at.pointer_and_size() else {
            return self.objects.get(&at).copied().unwrap_or_else(|| program.initial_value(at));
        };
        let initial = |byte| program.initial_value(Address::of_memory(byte, 1)) as u8;
        let byte = |at| self.memory.get(&at).copied().unwrap_or_else(|| initial(at));
        value_of(&(start..start + u64::from(size)).map(byte).collect::<Vec<u8>>())
    }

    fn write(&mut self, at: Address, value: Value) {
        match at.pointer_and_size() {
            Some((start, size)) => self.memory.extend((start..start + u64::from(size)).zip(bytes_of(value, size))),
            None => {
                self.objects.insert(at, value);
            }
        }
    }
}

/// Adds a cell to those that are accessed, or to the division what it needs to overlap none of them.
fn add_cell(cells: &mut HashMap<Address, bool>, cell: Address, atomic: bool, division: &mut Division) {
    if let Some(known) = cells.get_mut(&cell) {
        *known |= atomic;
        return;
    }
    match cell.overlapping().find_map(|near| Some((near, *cells.get(&near)?))) {
        Some(other) => {
            if let Some(overlap) = Overlap::of((cell, atomic), other, division) {
                overlap.mend(division);
            }
        }
        None => {
            cells.insert(cell, atomic);
        }
    }
}
