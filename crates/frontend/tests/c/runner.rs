//! Runs a program under one schedule over plain memory: each thread as far as it gets, in turn.

use std::collections::HashMap;

use fencepost_program::{Action, Address, Answer, Failure, Machine, Program, Span, ThreadState, Value, memory};

pub struct Run<'p> {
    program: &'p Program,
    bytes: HashMap<u64, u8>,
    /// By the start of an object on the heap, its size.
    sizes: HashMap<u64, u64>,
    pub actions: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Ending {
    Ended,
    Blocked,
    Failed(Failure, Span),
    /// Too many actions.
    Endless,
}

const MOST_ACTIONS: usize = 20_000_000;

impl<'p> Run<'p> {
    pub fn of(program: &'p Program) -> (Run<'p>, Ending) {
        let mut run = Run { program, bytes: HashMap::new(), sizes: HashMap::new(), actions: 0 };
        let ending = run.run();
        (run, ending)
    }

    fn run(&mut self) -> Ending {
        let machine = Machine::new(self.program);
        let mut threads: Vec<ThreadState> = (0..self.program.threads.len()).map(|t| machine.start(t)).collect();
        loop {
            let mut progress = false;
            let mut t = 0;
            while t < threads.len() {
                loop {
                    let action = machine.next(&threads[t]);
                    if let Action::Failed(failure) = action {
                        return Ending::Failed(failure, machine.span(&threads[t]));
                    }
                    self.actions += 1;
                    if self.actions > MOST_ACTIONS {
                        return Ending::Endless;
                    }
                    if let Action::Spawn { func, argument, .. } = action {
                        let number = threads.len() as u32;
                        threads.push(machine.start_spawned(number, func, argument));
                        machine.resume(&mut threads[t], Answer::Spawned(number), 0);
                        progress = true;
                        continue;
                    }
                    let Some(answer) = self.answer(action) else { break };
                    machine.resume(&mut threads[t], answer, 0);
                    progress = true;
                }
                t += 1;
            }
            if !progress {
                let ended = threads.iter().all(|state| machine.next(state) == Action::End);
                return if ended { Ending::Ended } else { Ending::Blocked };
            }
        }
    }

    fn answer(&mut self, action: Action) -> Option<Answer> {
        let old = action.address().map_or(0, |at| self.read(at));
        Some(match action {
            Action::Load { .. } => Answer::Read(old),
            Action::Wait { accept, .. } if accept.accepts(old) => Answer::Read(old),
            Action::Store { at, value, .. } => {
                self.write(at, value);
                Answer::Done
            }
            Action::Rmw { at, accept, update, .. } if accept.accepts(old) => {
                self.write(at, update.apply(old));
                Answer::Updated(old)
            }
            Action::Cas { at, expected, desired, .. } if old == expected => {
                self.write(at, desired);
                Answer::Updated(old)
            }
            Action::Cas { .. } => Answer::Read(old),
            Action::Fence { .. } | Action::Free { .. } => Answer::Done,
            Action::Alloc { pointer, size, .. } => {
                self.sizes.insert(pointer, size);
                Answer::Done
            }
            Action::HeapSize { pointer } => Answer::Read(self.sizes[&pointer] as Value),
            Action::Choose { lo, .. } => Answer::Chose(lo),
            _ => return None,
        })
    }

    fn read(&self, at: Address) -> Value {
        let (pointer, size) = at.pointer_and_size().expect("C programs have a flat address space");
        let initial = |pointer| self.program.initial_value(Address::of_memory(pointer, 1)) as u8;
        let bytes: Vec<u8> = (pointer..pointer + u64::from(size))
            .map(|p| self.bytes.get(&p).copied().unwrap_or_else(|| initial(p)))
            .collect();
        memory::value_of(&bytes)
    }

    fn write(&mut self, at: Address, value: Value) {
        let (pointer, size) = at.pointer_and_size().expect("C programs have a flat address space");
        for (i, byte) in memory::bytes_of(value, size).into_iter().take(size as usize).enumerate() {
            self.bytes.insert(pointer + i as u64, byte);
        }
    }

    /// What an array of words has at an index.
    pub fn element(&self, name: &str, index: usize) -> Value {
        let global = self.program.globals.iter().find(|g| g.name == name).expect("a global of that name");
        self.read(Address::of_memory(global.pointer + 8 * index as u64, 8))
    }

    /// What a global variable holds.
    pub fn global(&self, name: &str, size: u8) -> Value {
        let global = self.program.globals.iter().find(|g| g.name == name).expect("a global of that name");
        self.read(Address::of_memory(global.pointer, size))
    }
}
