//! The objects on the heap: their sizes, and who frees them.

use fencepost_program::{Address, Machine, Value};

use super::Lts;

impl Lts<'_> {
    /// The size of an object on the heap, as long as all runs agree: where it is does not say how large it was made.
    pub(super) fn size(&mut self, pointer: u64) -> Value {
        let object = self.heap.entry(pointer).or_default();
        object.asked = true;
        if object.sizes.len() == 1 {
            return object.sizes[0] as Value;
        }
        self.obstacle = Some(several_sizes(&self.machine, pointer));
        0
    }

    pub(super) fn allocated(&mut self, pointer: u64, size: u64) {
        let object = self.heap.entry(pointer).or_default();
        if !object.sizes.contains(&size) {
            object.sizes.push(size);
            if object.asked && object.sizes.len() > 1 {
                self.obstacle = Some(several_sizes(&self.machine, pointer));
            }
            self.note_freed();
        }
    }

    /// The locations in an object on the heap, however large it is made in some run.
    pub(crate) fn locations_in(&self, pointer: u64) -> Vec<usize> {
        let size = self.heap.get(&pointer).and_then(|object| object.sizes.iter().max()).copied().unwrap_or(0);
        let inside =
            |at: &Address| at.pointer_and_size().is_some_and(|(at, _)| (pointer..pointer + size).contains(&at));
        let numbers = self.location_index.iter().filter(|(at, _)| inside(at)).map(|(_, &number)| number as usize);
        let mut numbers: Vec<usize> = numbers.collect();
        numbers.sort_unstable();
        numbers
    }

    /// Freeing an object is like a plain write to all of it.
    pub(super) fn note_freed(&mut self) {
        let pairs: Vec<(usize, usize)> = self
            .frees
            .iter()
            .flat_map(|&(thread, pointer)| self.locations_in(pointer).into_iter().map(move |at| (thread, at)))
            .collect();
        for pair in pairs {
            self.version += self.freed.insert(pair) as u64;
        }
    }
}

fn several_sizes(machine: &Machine, pointer: u64) -> String {
    format!("`realloc` of {}, whose size is not the same in all runs", machine.program().pointer_name(pointer))
}
