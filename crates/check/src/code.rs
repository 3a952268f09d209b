//! The operations of a monitor, compiled to operations on the words of a packed state.

use fencepost_monitor::{Access, Cell, Operation, Recorder, View};
use hashbrown::HashMap;

use crate::layout::{Field, Layout};

/// A run of entries in a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slice {
    start: u32,
    end: u32,
}

impl Slice {
    #[inline(always)]
    pub(crate) fn of<T>(self, pool: &[T]) -> &[T] {
        &pool[self.start as usize..self.end as usize]
    }

    pub(crate) fn of_mut<T>(self, pool: &mut [T]) -> &mut [T] {
        &mut pool[self.start as usize..self.end as usize]
    }

    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }
}

pub(crate) fn extend<T>(pool: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Slice {
    let start = pool.len() as u32;
    pool.extend(items);
    Slice { start, end: pool.len() as u32 }
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
    pub(crate) fn run(self, state: &mut [u64]) {
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
    accesses: HashMap<(Access, bool), Slice>,
}

impl Compiler {
    /// The monitor's part of an access; `tainted` for a read that leaves the views along happens-before alone.
    pub(crate) fn access(&mut self, layout: &Layout, access: Access, tainted: bool) -> Slice {
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

/// A new last access of its class: first no thread knows it, then the thread itself does.
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
