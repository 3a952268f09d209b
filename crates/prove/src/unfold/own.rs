//! Accesses to memory that a thread has for itself, which is like registers.

use std::rc::Rc;

use fencepost_program::{CasKind, Inst, Memory, Operand, Ordering, Place, UnaryOp, Update, UpdateOp, Value as Word};

use super::access::type_of;
use super::objects::Origin;
use super::state::OwnCell;
use super::step::{Residual, Var, Walk};
use super::value::{Target, Value};
use crate::domains::Interval;

/// What an access to a thread's own memory has done.
#[derive(Clone, Copy)]
pub(super) enum Done {
    /// Something that is not atomic, and keeps nothing in order.
    Plain,
    Read(Ordering),
    Written(Ordering),
    Updated(Ordering),
}

impl Walk<'_, '_> {
    /// The cell, if it is one that this thread alone accesses, as far as is known.
    pub(super) fn own_cell(&mut self, targets: &[Target], size: u8) -> Option<OwnCell> {
        let [Target { object, offset }] = *targets else { return None };
        let offset = offset.as_exact()?;
        let analysis = &mut *self.analysis;
        let known = analysis.objects.get(object);
        // Each of several threads of one kind has locals of its own, but not what others made.
        let local = match known.origin {
            Origin::Private { frame, .. } | Origin::Stack { frame, .. } => {
                analysis.frames.frame(frame).thread == self.thread
            }
            Origin::ThreadLocal { thread, .. } | Origin::Heap(thread, _) => thread == self.thread,
            Origin::Global(_) => false,
            _ => return None,
        };
        if known.several || analysis.doubts.shared.contains(&object) {
            return None;
        }
        let cell = (object, offset as u32, size);
        let by = *analysis.accessed_by.entry(object).or_insert(self.thread);
        let alone = by == self.thread && (local || !analysis.doubts.repeated.contains(&by));
        if !alone || self.state.overlaps(cell) {
            return None;
        }
        Some(cell)
    }

    /// An atomic access to a cell of one thread alone is still one: what is before it and behind it may not pass it.
    /// Registers have its value, so that any value will do here.
    pub(super) fn keep_order(&mut self, done: Done, place: Memory, targets: Vec<Target>) {
        let pointer = self.operand(place.pointer);
        let place = Place::Memory(Memory { pointer, ..place });
        let value = Operand::Const(0);
        let inst = match done {
            Done::Plain => return,
            Done::Read(order) => Inst::Load { dst: None, place, order },
            Done::Written(order) => Inst::Store { place, value, order },
            Done::Updated(order) => {
                Inst::Rmw { dst: None, place, op: UpdateOp::Exchange, operand: value, order, when: None }
            }
        };
        self.residual.push(Residual::Ordering { inst, pointer, targets });
    }

    /// Returns what was done; `None` if the thread does not go on.
    pub(super) fn access_own(&mut self, inst: &Inst, cell: OwnCell) -> Option<Done> {
        let (program, size) = (self.analysis.program, cell.2);
        let old = self.state.cell(cell, program, &self.analysis.objects);
        let var = self.vars.register(Var::Own(cell));
        match *inst {
            Inst::Load { dst, order, .. } => {
                let uninitialised = self.state.is_uninitialised(cell, &self.analysis.objects);
                let Interval { lo, hi } = Interval::of_bits(8 * size);
                if let Some(dst) = dst {
                    self.assign(dst, old, |dst| match uninitialised {
                        true => Inst::Choose { dst, lo, hi },
                        false => Inst::Copy { dst, a: Operand::Reg(var) },
                    });
                    if uninitialised {
                        self.analysis.reads_uninitialised();
                    }
                }
                return Some(if order == Ordering::NonAtomic { Done::Plain } else { Done::Read(order) });
            }
            Inst::Store { value, order, .. } => {
                let (new, a) = (self.value(value).narrowed(size), self.operand(value));
                if new.as_const().is_none() {
                    self.push(match size {
                        8.. => Inst::Copy { dst: var, a },
                        _ => Inst::Unary { dst: var, op: UnaryOp::Trunc, from: 64, to: 8 * size, a },
                    });
                }
                Rc::make_mut(&mut self.state.own).insert(cell, new);
                return Some(if order == Ordering::NonAtomic { Done::Plain } else { Done::Written(order) });
            }
            _ => {}
        }
        // The others are worth the trouble only if everything is known.
        let constant = |operand: Operand| self.value(operand).as_const();
        let done = old.as_const().and_then(|old| match *inst {
            Inst::Rmw { dst, op, operand, order, when, .. } => {
                let accepts = match when {
                    Some((comparison, value)) => comparison.accept(constant(value)?).accepts(old),
                    None => true,
                };
                let update = Update { op, operand: constant(operand)?, ty: type_of(size) };
                Some((Some(update.apply(old)), vec![(dst, old)], accepts.then_some(Done::Updated(order))))
            }
            Inst::Cas { old: read, ok, expected, desired, success, failure, kind, .. } => {
                let (expected, desired) = (constant(expected)?, constant(desired)?);
                let fits = old == expected;
                if fits && kind == CasKind::Weak {
                    // It may fail all the same.
                    return None;
                }
                let done = if fits { Done::Updated(success) } else { Done::Read(failure) };
                Some((fits.then_some(desired), vec![(read, old), (ok, fits as Word)], Some(done)))
            }
            Inst::Wait { dst, comparison, value, order, .. } => {
                let fits = comparison.accept(constant(value)?).accepts(old);
                Some((None, vec![(dst, old)], fits.then_some(Done::Read(order))))
            }
            _ => None,
        });
        let Some((new, read, done)) = done else {
            self.analysis.doubts.shared.insert(cell.0);
            return None;
        };
        if let Some(new) = new {
            let new = Value::Const(new).narrowed(size);
            Rc::make_mut(&mut self.state.own).insert(cell, new);
        }
        for (dst, word) in read {
            if let Some(dst) = dst {
                self.state.set(dst, Value::Const(word));
            }
        }
        done
    }
}
