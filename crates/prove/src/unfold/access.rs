//! Accesses to memory: to what a thread has for itself, which is like registers, and to what it shares.

use std::rc::Rc;

use fencepost_program::memory::{self, Region};
use fencepost_program::{
    ArithmeticOp, CasKind, Comparison, Inst, Memory, Names, Operand, Ordering, Place, Reg, Ty, UnaryOp, Update,
    UpdateOp, Value as Word,
};

use super::objects::{ObjectId, Origin, ThreadId};
use super::state::OwnCell;
use super::step::{Residual, Step, Var, Walk};
use super::value::{Offset, Target, Value, arithmetic};
use crate::domains::Interval;

/// The memory that an instruction accesses.
pub(super) fn memory_of(inst: &Inst) -> Option<Memory> {
    inst.place()?.as_memory()
}

/// The values that a cell of `size` bytes can hold.
pub(super) fn type_of(size: u8) -> Ty {
    match size {
        8.. => Ty::Int,
        _ => Ty::Range { lo: -1 << (8 * size - 1), hi: (1 << (8 * size - 1)) - 1 },
    }
}

/// What an access to a thread's own memory has done.
#[derive(Clone, Copy)]
enum Done {
    /// Something that is not atomic, and keeps nothing in order.
    Plain,
    Read(Ordering),
    Written(Ordering),
    Updated(Ordering),
}

impl Walk<'_, '_> {
    pub(super) fn access(mut self, inst: &Inst) -> Step {
        let Some(place) = memory_of(inst) else { return self.advance() };
        let pointer = self.value(place.pointer);
        if let Value::Const(word) = pointer
            && let Some(construct) =
                self.analysis.program.undefined_at(word.wrapping_add(i64::from(place.offset)) as u64)
        {
            let failure = fencepost_program::Failure::Unsupported { construct };
            self.refuse(format!("this program {}", failure.text(&Names::of(self.analysis.program))));
            return self.fail();
        }
        if let Value::Const(word) = pointer
            && let Some(thread) = memory::thread_of_cell(word.wrapping_add(i64::from(place.offset)) as u64)
        {
            self.words_of(thread);
        }
        let mut targets = self.targets(&pointer, place);
        if inst.writes() {
            targets.retain(|target| !self.is_constant(target.object));
        }
        if targets.is_empty() {
            if matches!(pointer, Value::Number(..)) {
                self.refuse("an access through a pointer that may point to anything".to_owned());
            }
            return self.fail();
        }
        let any_thread = self.analysis.objects.known(Origin::AnyThreadWords);
        if targets.iter().any(|t| Some(t.object) == any_thread) {
            if targets.len() > 1 {
                self.refuse("an access through a pointer that may point to anything".to_owned());
            }
            self.access_to_some_thread(inst);
        } else if let Some(cell) = self.own_cell(&targets, place.size) {
            let Some(order) = self.access_own(inst, cell) else { return self.end() };
            self.keep_order(order, place, targets);
        } else {
            for target in &targets {
                self.analysis.doubts.shared.insert(target.object);
            }
            self.access_shared(inst, place, targets);
        }
        if matches!(inst, Inst::Wait { .. }) && self.analysis.frames.depth(self.point.frame) == 0 {
            self.wait_for_start();
            self.hear_arguments();
        }
        self.advance()
    }

    /// Whether nothing may be written there.
    fn is_constant(&self, object: ObjectId) -> bool {
        let Origin::Global(global) = self.analysis.objects.get(object).origin else { return false };
        self.analysis.program.globals[global as usize].constant
    }

    fn words_of(&mut self, thread: ThreadId) -> ObjectId {
        let span = Default::default();
        self.analysis.objects.of_origin(Origin::ThreadWords(thread), Some(24), 0, span)
    }

    /// The parts of objects that an access may go to. Outside of an object there is nothing to access.
    fn targets(&self, pointer: &Value, place: Memory) -> Vec<Target> {
        let objects = &self.analysis.objects;
        let moved = |t: &Target| Target { offset: t.offset.moved(i64::from(place.offset)), ..*t };
        let inside = |t: &Target| {
            let object = objects.get(t.object);
            let room = object.size.map_or(i64::MAX, |size| size as i64 - i64::from(place.size));
            !matches!(object.origin, Origin::Function(_)) && t.offset.least() <= room && t.offset.least() >= 0
        };
        match pointer {
            Value::Const(word) => {
                let found = objects.decode(word.wrapping_add(i64::from(place.offset)));
                let target = |(object, offset)| Target { object, offset: Offset::exact(offset) };
                found.map(target).filter(inside).into_iter().collect()
            }
            _ => pointer.targets(objects).iter().map(moved).filter(inside).collect(),
        }
    }

    /// The cell, if it is one that this thread alone accesses, as far as is known.
    fn own_cell(&mut self, targets: &[Target], size: u8) -> Option<OwnCell> {
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
    fn keep_order(&mut self, done: Done, place: Memory, targets: Vec<Target>) {
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
    fn access_own(&mut self, inst: &Inst, cell: OwnCell) -> Option<Done> {
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

    fn access_shared(&mut self, inst: &Inst, place: Memory, targets: Vec<Target>) {
        let size = place.size;
        let old = self.load(&targets, size);
        let pointer = self.operand(place.pointer);
        let place = Place::Memory(Memory { pointer, ..place });
        let left = match *inst {
            Inst::Load { dst, order, .. } => {
                self.reads = true;
                let seen = dst.is_some() && old.as_const().is_none();
                let var = dst.filter(|_| seen).map(|dst| self.var(dst));
                if let Some(dst) = dst {
                    self.state.set(dst, old);
                }
                if !seen && order == Ordering::NonAtomic {
                    return;
                }
                Inst::Load { dst: var, place, order }
            }
            Inst::Store { value, order, .. } => {
                let (new, value) = (self.value(value), self.operand(value));
                self.store(&targets, size, &new);
                Inst::Store { place, value, order }
            }
            Inst::Rmw { dst, op, operand, order, when, .. } => {
                self.reads |= dst.is_some() || op != UpdateOp::Exchange;
                let new = self.updated(op, size, &old, &self.value(operand));
                self.store(&targets, size, &new);
                let operand = self.operand(operand);
                let dst = self.result(dst, old);
                let when = when.map(|(comparison, value)| (comparison, self.operand(value)));
                Inst::Rmw { dst, place, op, operand, order, when }
            }
            Inst::Cas { old: read, ok, expected, desired, success, failure, kind, .. } => {
                self.reads = true;
                let new = self.value(desired);
                self.store(&targets, size, &new);
                let (expected, desired) = (self.operand(expected), self.operand(desired));
                let (read, ok) = (self.result(read, old), self.result(ok, Value::any(1)));
                Inst::Cas { old: read, ok, place, expected, desired, success, failure, kind }
            }
            Inst::Wait { dst, comparison, value, order, .. } => {
                self.reads |= dst.is_some();
                let value = self.operand(value);
                Inst::Wait { dst: self.result(dst, old), place, comparison, value, order }
            }
            _ => return,
        };
        self.residual.push(Residual::Access { inst: left, pointer, targets });
    }

    /// Sets a register to what was read; the register in the program that is left, unless it is a constant.
    fn result(&mut self, dst: Option<Reg>, value: Value) -> Option<Reg> {
        let dst = dst?;
        let var = value.as_const().is_none().then(|| self.var(dst));
        self.state.set(dst, value);
        var
    }

    fn load(&self, targets: &[Target], size: u8) -> Value {
        let (program, objects) = (self.analysis.program, &self.analysis.objects);
        let values = targets.iter().map(|t| self.analysis.contents.load(program, objects, t.object, t.offset, size));
        values.reduce(|a, b| a.join(&b, objects)).unwrap_or(Value::Const(0))
    }

    fn store(&mut self, targets: &[Target], size: u8, value: &Value) {
        let analysis = &mut *self.analysis;
        for target in targets {
            analysis.contents.store(&analysis.objects, target.object, target.offset, size, value);
        }
    }

    /// What an update may write.
    fn updated(&mut self, op: UpdateOp, size: u8, old: &Value, operand: &Value) -> Value {
        let objects = &self.analysis.objects;
        let as_arithmetic = match op {
            UpdateOp::Exchange => return operand.clone(),
            UpdateOp::Min | UpdateOp::Max | UpdateOp::UMin | UpdateOp::UMax => return old.join(operand, objects),
            UpdateOp::Nand => ArithmeticOp::And,
            UpdateOp::Add | UpdateOp::Sub | UpdateOp::And | UpdateOp::Or | UpdateOp::Xor => match op.arithmetic() {
                Some(op) => op,
                None => return Value::any(8 * size),
            },
        };
        let (value, exact) = arithmetic(as_arithmetic, 8 * size, old, operand, objects);
        if !exact {
            self.refuse("an update of a pointer that depends on where objects are".to_owned());
        }
        if op == UpdateOp::Nand { Value::any(8 * size) } else { value }
    }

    /// Words of a thread, and it is not known which: waiting for it is not waiting, and its result may be any.
    fn access_to_some_thread(&mut self, inst: &Inst) {
        let Some(any) = self.analysis.objects.known(Origin::AnyThreadWords) else { return };
        self.analysis.exact.set(false);
        match *inst {
            Inst::Store { value, .. } => {
                let value = self.value(value);
                self.store(&[Target { object: any, offset: Offset::exact(16) }], 8, &value);
            }
            Inst::Load { dst: Some(dst), .. } | Inst::Wait { dst: Some(dst), .. } => {
                self.reads = true;
                let analysis = &*self.analysis;
                let is_words =
                    |id| matches!(analysis.objects.get(id).origin, Origin::ThreadWords(_) | Origin::AnyThreadWords);
                let values = analysis.contents.values().filter(|(id, _)| is_words(*id)).map(|(_, value)| value.clone());
                let value = values.fold(Value::any(64), |a, b| a.join(&b, &analysis.objects));
                self.assign(dst, value, |dst| Inst::Choose { dst, lo: Word::MIN, hi: Word::MAX });
            }
            _ => {}
        }
    }

    /// What a thread is made with and is no constant goes through memory, before the thread may start.
    pub(super) fn tell_arguments(&mut self, child: ThreadId, arguments: [Operand; 2]) {
        self.words_of(child);
        for (i, argument) in arguments.into_iter().enumerate() {
            let value = self.value(argument);
            if value.as_const().is_some() {
                continue;
            }
            let (place, target) = self.argument_place(child, i);
            self.store(&[target], 8, &value);
            let (value, order) = (self.operand(argument), Ordering::Relaxed);
            let pointer = place.operand();
            self.residual.push(Residual::Access {
                inst: Inst::Store { place, value, order },
                pointer,
                targets: vec![target],
            });
        }
    }

    /// Threads that are not told apart share a word that lets them start.
    pub(super) fn let_start(&mut self, child: ThreadId) {
        if self.analysis.doubts.repeated.contains(&child) {
            let (place, target) = self.word_of(Origin::ThreadMade(child), 8, 0);
            let inst = Inst::Store { place, value: Operand::Const(1), order: Ordering::Release };
            self.residual.push(Residual::Access { inst, pointer: place.operand(), targets: vec![target] });
        }
    }

    fn wait_for_start(&mut self) {
        if self.analysis.doubts.repeated.contains(&self.thread) {
            let (place, target) = self.word_of(Origin::ThreadMade(self.thread), 8, 0);
            let (comparison, value) = (Comparison::Eq, Operand::Const(1));
            let inst = Inst::Wait { dst: None, place, comparison, value, order: Ordering::Acquire };
            self.residual.push(Residual::Access { inst, pointer: place.operand(), targets: vec![target] });
        }
    }

    fn hear_arguments(&mut self) {
        if self.analysis.made[self.thread as usize].by.is_none() {
            return;
        }
        for i in 0..self.analysis.made[self.thread as usize].arguments.len() {
            if self.analysis.made[self.thread as usize].arguments[i].as_const().is_some() {
                continue;
            }
            let (place, target) = self.argument_place(self.thread, i);
            let dst = Some(self.var(Reg(i as u32)));
            let pointer = place.operand();
            let inst = Inst::Load { dst, place, order: Ordering::Relaxed };
            self.residual.push(Residual::Access { inst, pointer, targets: vec![target] });
        }
    }

    fn argument_place(&mut self, thread: ThreadId, i: usize) -> (Place, Target) {
        let found = self.word_of(Origin::ThreadArguments(thread), 16, 8 * i as u32);
        if self.analysis.doubts.repeated.contains(&thread) {
            self.analysis.objects.stands_for_several(found.1.object);
        }
        found
    }

    /// A word of an object of our own.
    fn word_of(&mut self, origin: Origin, size: u64, offset: u32) -> (Place, Target) {
        let objects = &mut self.analysis.objects;
        let object = objects.of_origin(origin, Some(size), 0, Default::default());
        let pointer = Operand::Const(objects.get(object).base as Word + i64::from(offset));
        let place = Place::Memory(Memory::aligned(pointer, 0, 8));
        (place, Target { object, offset: Offset::exact(i64::from(offset)) })
    }
}

/// Whether a word points to the words of threads.
pub(super) fn is_thread_word(word: Word) -> bool {
    memory::region(word as u64) == Region::Thread
}
