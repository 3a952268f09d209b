//! Instructions that set registers and touch no memory; among them those that make pointers.

use std::rc::Rc;

use fencepost_program::{Allocation, FuncId, Global, Inst, Operand, Reg, Value as Word, memory};

use super::analysis::Analysis;
use super::objects::{ObjectId, Origin};
use super::step::{Var, Walk};
use super::value::{Target, Value, arithmetic, unary};
use crate::domains::Interval;

impl Walk<'_, '_> {
    /// Sets a register to a value that may depend on addresses. If it does, the register holds any word.
    fn assign_computed(&mut self, dst: Reg, (value, exact): (Value, bool), bits: u8, inst: impl FnOnce(Reg) -> Inst) {
        let Interval { lo, hi } = Interval::of_bits(bits);
        if !exact {
            self.analysis.exact.set(false);
        }
        self.assign(dst, value, |dst| if exact { inst(dst) } else { Inst::Choose { dst, lo, hi } });
    }

    /// An instruction that sets registers and touches no memory.
    pub(super) fn compute(&mut self, inst: &Inst) {
        let objects = &self.analysis.objects;
        match *inst {
            Inst::Copy { dst, a } => {
                let (value, a) = (self.value(a), self.operand(a));
                self.assign(dst, value, |dst| Inst::Copy { dst, a });
            }
            Inst::Arithmetic { dst, op, bits, a, b } => {
                let result = arithmetic(op, bits, &self.value(a), &self.value(b), objects);
                let width = if result.0 == Value::any(1) { 1 } else { bits };
                let (a, b) = (self.operand(a), self.operand(b));
                self.assign_computed(dst, result, width, |dst| Inst::Arithmetic { dst, op, bits, a, b });
            }
            Inst::Unary { dst, op, from, to, a } => {
                let result = unary(op, from, to, &self.value(a), objects);
                let a = self.operand(a);
                self.assign_computed(dst, result, to, |dst| Inst::Unary { dst, op, from, to, a });
            }
            Inst::Select { dst, cond, yes, no } => {
                if let Value::Const(word) = self.value(cond) {
                    let a = if word != 0 { yes } else { no };
                    let (value, a) = (self.value(a), self.operand(a));
                    self.assign(dst, value, |dst| Inst::Copy { dst, a });
                } else {
                    let value = self.value(yes).join(&self.value(no), objects);
                    let (cond, yes, no) = (self.operand(cond), self.operand(yes), self.operand(no));
                    self.assign(dst, value, |dst| Inst::Select { dst, cond, yes, no });
                }
            }
            Inst::Choose { dst, lo, hi } => {
                let value = if lo == hi { Value::Const(lo) } else { Value::any(64) };
                self.assign(dst, value, |dst| Inst::Choose { dst, lo, hi });
            }
            Inst::Fence { order } => self.push(Inst::Fence { order }),
            Inst::CurrentThread { dst } => {
                let value = match self.analysis.doubts.repeated.contains(&self.thread) {
                    true => Value::any(32),
                    false => Value::Const(Word::from(self.thread)),
                };
                self.assign(dst, value, |dst| Inst::Choose { dst, lo: 0, hi: Word::from(memory::THREADS_LIMIT) });
            }
            Inst::PrivateAddress { dst, offset } => self.address_of_local(dst, offset, true),
            Inst::StackAddress { dst, offset } => self.address_of_local(dst, offset, false),
            Inst::ThreadLocalAddress { dst, offset, shared } => {
                let (start, size) = self.analysis.thread_local_at(offset, shared);
                let origin = Origin::ThreadLocal { thread: self.thread, start, shared };
                _ = self.address(dst, origin, Some(size), start, offset - start);
            }
            Inst::Alloc { dst, size, allocation, .. } => {
                let size = self.value(size).as_const().map(|size| size as u64).filter(|&size| size < 1 << 30);
                let object = self.address(dst, Origin::Heap(self.thread, self.point), size, 0, 0);
                if allocation == Allocation::Zeroed {
                    self.analysis.objects.starts_with_zeros(object);
                }
                if size.is_none() {
                    self.or_null(dst);
                }
            }
            Inst::HeapSize { dst, .. } => {
                self.analysis.exact.set(false);
                self.assign(dst, Value::any(62), |dst| Inst::Choose { dst, lo: 0, hi: Word::MAX >> 2 });
            }
            Inst::Spawn { dst, function, argument } => self.spawn(dst, function, argument),
            Inst::TakeResults { ref dsts } => dsts.iter().for_each(|&dst| self.state.set(dst, Value::Const(0))),
            // Freed memory is taken to be still there. No value depends on what is printed.
            Inst::Free { .. } | Inst::Print { .. } => {}
            _ => self.refuse("an instruction that `prove` does not know".to_owned()),
        }
    }

    fn address_of_local(&mut self, dst: Reg, offset: u32, private: bool) {
        let frame = self.point.frame;
        let func = self.analysis.frames.frame(frame).func;
        let (start, size) = self.analysis.local_at(func, offset, private);
        let origin = if private { Origin::Private { frame, start } } else { Origin::Stack { frame, start } };
        _ = self.address(dst, origin, Some(size), start, offset - start);
    }

    /// A pointer into an object. One that stands for several has no certain address.
    fn address(&mut self, dst: Reg, origin: Origin, size: Option<u64>, low: u32, offset: u32) -> ObjectId {
        let span = self.analysis.frames.span(self.analysis.program, self.point);
        let object = self.analysis.objects.of_origin(origin, size, u64::from(low), span);
        let known = self.analysis.objects.get(object);
        if known.several {
            self.analysis.exact.set(false);
            let (lo, hi) = self.analysis.objects.range(object);
            let offset = super::value::Offset::exact(i64::from(offset));
            let value = Value::Pointer(Rc::new([Target { object, offset }]));
            self.assign(dst, value, |dst| Inst::Choose { dst, lo, hi });
        } else {
            let word = known.base.wrapping_add(u64::from(offset)) as Word;
            self.assign(dst, Value::Const(word), |dst| Inst::Copy { dst, a: Operand::Const(word) });
        }
        object
    }

    /// There may be no room for what was to be allocated.
    fn or_null(&mut self, dst: Reg) {
        self.analysis.exact.set(false);
        let pointer = self.operand(Operand::Reg(dst));
        let value = self.value(Operand::Reg(dst)).join(&Value::Const(0), &self.analysis.objects);
        self.state.set(dst, value);
        let (var, room) = (self.var(dst), self.vars.register(Var::Scratch));
        self.push(Inst::Choose { dst: room, lo: 0, hi: 1 });
        self.push(Inst::Select { dst: var, cond: Operand::Reg(room), yes: pointer, no: Operand::Const(0) });
    }
}

impl Analysis<'_> {
    /// The local at an offset of a call's memory: where it starts, and its size.
    fn local_at(&self, func: FuncId, offset: u32, private: bool) -> (u32, u64) {
        let function = self.program.function(func);
        let locals = if private { &function.private } else { &function.shared };
        let local = locals.iter().find(|&&(start, length)| (start..start + length.max(1)).contains(&offset));
        local.map_or((offset, 1), |&(start, length)| (start, u64::from(length)))
    }

    fn thread_local_at(&self, offset: u32, shared: bool) -> (u32, u64) {
        if shared {
            let inside = |global: &&Global| {
                (global.pointer..global.pointer + global.bytes.len() as u64).contains(&u64::from(offset))
            };
            let known = self.program.shared_thread_locals.iter().find(inside);
            return known.map_or((offset, 1), |global| (global.pointer as u32, global.bytes.len() as u64));
        }
        let code = self.program.functions.iter().flat_map(|function| &function.code);
        let starts = code.filter_map(|inst| match inst {
            Inst::ThreadLocalAddress { offset, shared: false, .. } => Some(*offset),
            _ => None,
        });
        // Objects begin where something takes their address.
        let next = starts.filter(|&start| start > offset).min().unwrap_or(self.program.thread_local.len() as u32);
        (offset, u64::from(next.saturating_sub(offset)))
    }
}
