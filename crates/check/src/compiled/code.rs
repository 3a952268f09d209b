//! The operations of a monitor, compiled to operations on the words of a packed state.

use std::marker::PhantomData;

use fencepost_monitor::{Access, Cell, Operation, Recorder, View};
use hashbrown::HashMap;

use crate::layout::{Field, Layout};

/// Some consecutive entries of a pool.
#[derive(Debug)]
pub(crate) struct Slice<T> {
    start: u32,
    end: u32,
    kind: PhantomData<fn() -> T>,
}

impl<T> Clone for Slice<T> {
    fn clone(&self) -> Slice<T> {
        *self
    }
}

impl<T> Copy for Slice<T> {}

impl<T> Default for Slice<T> {
    fn default() -> Slice<T> {
        Slice { start: 0, end: 0, kind: PhantomData }
    }
}

impl<T> Slice<T> {
    #[inline(always)]
    pub(crate) fn of(self, pool: &[T]) -> &[T] {
        &pool[self.start as usize..self.end as usize]
    }

    pub(crate) fn of_mut(self, pool: &mut [T]) -> &mut [T] {
        &mut pool[self.start as usize..self.end as usize]
    }
}

/// Words, and some bits of each.
pub(crate) type Masks = Slice<(u16, u64)>;

pub(crate) fn extend<T>(pool: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Slice<T> {
    let start = pool.len() as u32;
    pool.extend(items);
    Slice { start, end: pool.len() as u32, kind: PhantomData }
}

/// An operation on words. Views are sets of what may be missed, so a join is an intersection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordOp {
    And { into: u16, into_shift: u8, from: u16, from_shift: u8, mask: u64 },
    Copy { into: u16, into_shift: u8, from: u16, from_shift: u8, mask: u64 },
    Clear { word: u16, mask: u64 },
    Set { word: u16, mask: u64 },
}

impl WordOp {
    #[inline(always)]
    pub(crate) fn apply(self, state: &mut [u64]) {
        match self {
            WordOp::And { into, into_shift, from, from_shift, mask } => {
                let other = (state[from as usize] >> from_shift | !mask).rotate_left(into_shift as u32);
                state[into as usize] &= other;
            }
            WordOp::Copy { into, into_shift, from, from_shift, mask } => {
                let value = (state[from as usize] >> from_shift & mask) << into_shift;
                let word = &mut state[into as usize];
                *word = *word & !(mask << into_shift) | value;
            }
            WordOp::Clear { word, mask } => state[word as usize] &= !mask,
            WordOp::Set { word, mask } => state[word as usize] |= mask,
        }
    }
}

/// Compiles steps to words, once for each kind of step.
#[derive(Default)]
pub(crate) struct Compiler {
    pub ops: Vec<WordOp>,
    accesses: HashMap<(Access, bool), Slice<WordOp>>,
}

impl Compiler {
    /// The monitor's part of an access; `tainted` for a read that leaves the views along happens-before alone.
    pub(crate) fn access(&mut self, layout: &Layout, access: Access, tainted: bool) -> Slice<WordOp> {
        if let Some(&known) = self.accesses.get(&(access, tainted)) {
            return known;
        }
        let mut recorder = Recorder::default();
        if tainted {
            layout.tracking.plan.tainted_read(&mut recorder, &access);
        } else {
            layout.tracking.plan.access(&mut recorder, &access);
        }
        let code = extend(&mut self.ops, compile(layout, &recorder.operations));
        self.accesses.insert((access, tainted), code);
        code
    }
}

pub(crate) fn compile(layout: &Layout, operations: &[Operation]) -> Vec<WordOp> {
    let mut ops = Vec::new();
    for &operation in operations {
        match operation {
            Operation::Join { into, from } => rows(layout, into, from, |into, from, mask| {
                ops.push(WordOp::And {
                    into: into.word,
                    into_shift: into.shift,
                    from: from.word,
                    from_shift: from.shift,
                    mask,
                })
            }),
            Operation::Copy { into, from } => rows(layout, into, from, |into, from, mask| {
                ops.push(WordOp::Copy {
                    into: into.word,
                    into_shift: into.shift,
                    from: from.word,
                    from_shift: from.shift,
                    mask,
                })
            }),
            Operation::Know { view, cell } => {
                let masks = layout.masks(view, layout.tracking.cell_bits(view, cell));
                ops.extend(masks.into_iter().map(|(word, mask)| WordOp::Clear { word, mask }));
            }
        }
    }
    ops
}

/// Pairs the fields of two views. Views for psc know nothing of race cells, and so may be shorter.
fn rows(layout: &Layout, into: View, from: View, mut pair: impl FnMut(Field, Field, u64)) {
    let (into, from) = (&layout.rows[into.0 as usize], &layout.rows[from.0 as usize]);
    for (&into, &from) in into.iter().zip(from) {
        let mask = into.mask & from.mask;
        if mask != 0 {
            pair(into, from, mask);
        }
    }
}

/// Notes a new last access of its class: the thread itself knows it, no other does.
pub(crate) fn touch(layout: &Layout, thread: usize, cell: Cell) -> Vec<WordOp> {
    let plan = &layout.tracking.plan;
    let mut ops = Vec::new();
    for view in plan.sc_views()..plan.sc_views() + plan.hb_views() {
        let masks = layout.masks(View(view), [layout.tracking.race_bit(cell)]);
        ops.extend(masks.into_iter().map(|(word, mask)| WordOp::Set { word, mask }));
    }
    let mut recorder = Recorder::default();
    plan.touch(&mut recorder, thread, cell);
    ops.extend(compile(layout, &recorder.operations));
    ops
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::layout::tests::layouts;

    /// The bits of each view.
    fn unpack(layout: &Layout, state: &[u64]) -> Vec<Vec<bool>> {
        let bits = |field: &Field| {
            let value = state[usize::from(field.word)] >> field.shift;
            (0..field.mask.count_ones()).map(move |bit| value >> bit & 1 == 1)
        };
        layout.rows.iter().map(|row| row.iter().flat_map(bits).collect()).collect()
    }

    /// The operation on sets of what may be missed.
    fn apply(layout: &Layout, views: &mut [Vec<bool>], operation: Operation) {
        match operation {
            Operation::Join { into, from } => {
                let from = views[from.0 as usize].clone();
                views[into.0 as usize].iter_mut().zip(from).for_each(|(bit, other)| *bit &= other);
            }
            Operation::Copy { into, from } => {
                let from = views[from.0 as usize].clone();
                views[into.0 as usize].iter_mut().zip(from).for_each(|(bit, other)| *bit = other);
            }
            Operation::Know { view, cell } => {
                for bit in layout.tracking.cell_bits(view, cell) {
                    views[view.0 as usize][bit as usize] = false;
                }
            }
        }
    }

    #[test]
    fn compiled_operations_do_to_words_what_operations_do_to_sets() {
        let mut random = Rng::with_seed(1);
        let mut compared = 0;
        for layout in layouts() {
            let plan = &layout.tracking.plan;
            let needs = plan.needs();
            for _ in 0..30 {
                let mut recorder = Recorder::default();
                let thread = random.usize(..needs.threads);
                let release = random.bool() || !needs.relaxed_writes[thread];
                if needs.locations == 0 || random.u8(..4) == 0 {
                    plan.fence(&mut recorder, thread, random.bool(), release, needs.sc_fences && random.bool());
                } else {
                    let location = random.usize(..needs.locations);
                    let writes = random.bool() || !needs.read[location];
                    let access = Access {
                        thread,
                        location,
                        reads: !writes || random.bool(),
                        writes,
                        acquire: random.bool(),
                        release,
                        sc: needs.sc_locations[location] && random.bool(),
                        leaves: random.bool(),
                    };
                    plan.access(&mut recorder, &access);
                }
                let mut state: Vec<u64> = (0..layout.work_words).map(|_| random.u64(..)).collect();
                let mut expected = unpack(&layout, &state);
                let before = state.clone();
                recorder.operations.iter().for_each(|&operation| apply(&layout, &mut expected, operation));
                compile(&layout, &recorder.operations).into_iter().for_each(|op| op.apply(&mut state));
                assert_eq!(unpack(&layout, &state), expected, "{:?}", recorder.operations);
                for field in &layout.local {
                    assert_eq!(field.get(&state), field.get(&before), "{:?}", recorder.operations);
                }
                compared += recorder.operations.len();
            }
        }
        assert!(compared > 10_000, "{compared}");
    }
}
