//! Accesses to memory: to what a thread has for itself, which is like registers, and to what it shares.

use fencepost_program::memory::{self};
use fencepost_program::{ArithmeticOp, Inst, Memory, Names, Ordering, Place, Reg, Ty, UpdateOp};

use super::objects::{ObjectId, Origin};
use super::step::{Residual, Step, Walk};
use super::value::{Offset, Target, Value, arithmetic};

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

impl Walk<'_, '_> {
    pub(super) fn access(mut self, inst: &Inst) -> Step {
        let Some(place) = memory_of(inst) else { return self.advance() };
        if place.size > 8 {
            self.refuse("atomic accesses to 16 bytes".to_owned());
            return self.fail();
        }
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

    pub(super) fn store(&mut self, targets: &[Target], size: u8, value: &Value) {
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
}
