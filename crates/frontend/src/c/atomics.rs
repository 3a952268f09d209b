//! Atomic operations that are no instructions: the functions of libatomic, and updates that processors do not have.

use fencepost_llvm::{AtomicOrdering, Call, LocalId, Operand as Value, RmwOp, TypeId};
use fencepost_program::{
    ArithmeticOp, CasKind, Inst, Memory, Operand, Ordering, Place, Reg, UnaryOp, UpdateOp, Value as Word, wide,
};

use super::function::FunctionLowering;
use super::globals::Unsupported;
use super::instructions::ordering;

/// What `__atomic_fetch_NAME` does; `__atomic_NAME_fetch` returns the new value.
const UPDATES: [(&str, UpdateOp, Option<ArithmeticOp>); 6] = [
    ("add", UpdateOp::Add, Some(ArithmeticOp::Add)),
    ("sub", UpdateOp::Sub, Some(ArithmeticOp::Sub)),
    ("and", UpdateOp::And, Some(ArithmeticOp::And)),
    ("or", UpdateOp::Or, Some(ArithmeticOp::Or)),
    ("xor", UpdateOp::Xor, Some(ArithmeticOp::Xor)),
    ("nand", UpdateOp::Nand, None),
];

/// A call of a function of libatomic.
struct Atomic<'c> {
    call: &'c Call,
    name: &'c str,
    result: Option<LocalId>,
    /// The number of the argument after the size, if that is one.
    first: usize,
    size: u8,
    /// Values are handed over by pointers to them.
    generic: bool,
    /// The value is handed over as two words.
    split: bool,
}

impl FunctionLowering<'_, '_> {
    /// Lowers a call of a function of libatomic. Returns false if the function is none.
    pub(super) fn libatomic(&mut self, result: Option<LocalId>, call: &Call, name: &str) -> Result<bool, Unsupported> {
        let Some(rest) = name.strip_prefix("__atomic_") else { return Ok(false) };
        let (operation, sized) = match rest.rsplit_once('_') {
            Some((operation, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => (operation, Some(digits)),
            _ => (rest, None),
        };
        if operation == "is_lock_free" {
            return self.is_lock_free(result, call).map(|()| true);
        }
        let is_update = UPDATES.iter().any(|(name, ..)| {
            operation.strip_prefix("fetch_") == Some(name) || operation.strip_suffix("_fetch") == Some(name)
        });
        let is_generic = ["load", "store", "exchange", "compare_exchange"].contains(&operation);
        if !(is_generic || is_update && sized.is_some()) {
            return Ok(false);
        }
        let size = match sized {
            Some(digits) => digits.parse().unwrap_or(0),
            None => match self.call_argument(call, name, 0)? {
                Operand::Const(size) => size,
                Operand::Reg(_) => return Err(format!("a call of `{name}` whose size is not a constant")),
            },
        };
        let size = match size {
            1 | 2 | 4 | 8 | 16 => size as u8,
            _ => return Err(format!("an atomic access to {size} bytes, for which libatomic takes a lock")),
        };
        let generic = sized.is_none();
        let at = if operation == "compare_exchange" { 2 } else { 1 };
        let is_wide = call.arguments.get(at).is_some_and(|value| self.is_wide(value.ty));
        let split = size == wide::SIZE && !generic && !is_wide && operation != "load";
        let atomic = Atomic { call, name, result, first: generic as usize, size, generic, split };
        self.atomic_operation(&atomic, operation)?;
        Ok(true)
    }

    fn is_lock_free(&mut self, result: Option<LocalId>, call: &Call) -> Result<(), Unsupported> {
        match self.call_argument(call, "__atomic_is_lock_free", 0)? {
            Operand::Const(size @ (1 | 2 | 4 | 8)) => self.set_all(result, vec![Operand::Const((size > 0).into())]),
            // Which libatomic and which processor it is decides.
            Operand::Const(16) => {
                let dst = self.result(result);
                self.emit(Inst::Choose { dst, lo: 0, hi: 1 });
                Ok(())
            }
            _ => Err("a call of `__atomic_is_lock_free` for an object that may need a lock".to_owned()),
        }
    }

    fn call_argument(&mut self, call: &Call, name: &str, i: usize) -> Result<Operand, Unsupported> {
        match call.arguments.get(i) {
            Some(argument) => self.value(argument.value),
            None => Err(format!("a call of `{name}` without its arguments")),
        }
    }

    fn atomic_operation(&mut self, atomic: &Atomic<'_>, operation: &str) -> Result<(), Unsupported> {
        let bits = 8 * atomic.size;
        let argument =
            |lowering: &mut Self, i: usize| lowering.call_argument(atomic.call, atomic.name, atomic.first + i);
        let order = |lowering: &mut Self, i: usize| match argument(lowering, i + usize::from(atomic.split))? {
            Operand::Const(order) => Ok(order_of(order)),
            Operand::Reg(_) => Err(format!("a call of `{}` whose ordering is not a constant", atomic.name)),
        };
        let pointer = argument(self, 0)?;
        if atomic.generic && atomic.size == wide::SIZE {
            self.must_be_aligned(pointer);
        }
        let place = Place::Memory(Memory::aligned(pointer, 0, atomic.size));
        match operation {
            "load" => {
                let order = order(self, if atomic.generic { 2 } else { 1 })?;
                let dst = self.temporary();
                self.emit(Inst::Load { dst: Some(dst), place, order });
                self.hand_over(atomic, 1, Operand::Reg(dst))
            }
            "store" => {
                let (value, order) = (self.taken(atomic, 1)?, order(self, 2)?);
                self.emit(Inst::Store { place, value, order });
                Ok(())
            }
            "exchange" => {
                let (operand, order) = (self.taken(atomic, 1)?, order(self, if atomic.generic { 3 } else { 2 })?);
                let old = self.temporary();
                let op = UpdateOp::Exchange;
                self.emit(Inst::Rmw { dst: Some(old), place, op, operand, order, when: None });
                self.hand_over(atomic, 2, Operand::Reg(old))
            }
            "compare_exchange" => {
                let known = argument(self, 1)?;
                let expected = self.read_plainly(known, atomic.size);
                let (desired, success, failure) = (self.taken(atomic, 2)?, order(self, 3)?, order(self, 4)?);
                let (old, ok) = (self.temporary(), self.temporary());
                let kind = CasKind::Strong;
                let (read, done) = (Some(old), Some(ok));
                self.emit(Inst::Cas { old: read, ok: done, place, expected, desired, success, failure, kind });
                // If it fails, the caller learns what was there.
                let (fails, end) = (self.code.label(), self.code.label());
                self.code.branch(Operand::Reg(ok), end, fails);
                self.code.here(fails);
                self.write_plainly(known, atomic.size, Operand::Reg(old));
                self.code.here(end);
                self.set_all(atomic.result, vec![Operand::Reg(ok)])
            }
            _ => {
                let named = |name: &str| {
                    operation.strip_prefix("fetch_") == Some(name) || operation.strip_suffix("_fetch") == Some(name)
                };
                let Some(&(_, op, again)) = UPDATES.iter().find(|(name, ..)| named(name)) else {
                    return Err(format!("a call of `{}`, whose code is not known", atomic.name));
                };
                let (operand, order) = (self.taken(atomic, 1)?, order(self, 2)?);
                let old = self.temporary();
                self.emit(Inst::Rmw { dst: Some(old), place, op, operand, order, when: None });
                let mut value = Operand::Reg(old);
                if operation.ends_with("_fetch") && atomic.size == wide::SIZE {
                    let (old, operand) = (self.halves(value), self.halves(operand));
                    let mut new = self.wide_update(again.unwrap_or(ArithmeticOp::And), old, operand);
                    if again.is_none() {
                        new = new.map(|word| self.converted(UnaryOp::BitNot, 64, 64, word));
                    }
                    value = self.joined(new);
                } else if operation.ends_with("_fetch") {
                    let new = self.temporary();
                    self.arithmetic(new, again.unwrap_or(ArithmeticOp::And), bits, value, operand);
                    value = Operand::Reg(new);
                    if again.is_none() {
                        value = self.converted(UnaryOp::BitNot, bits, bits, value);
                    }
                }
                self.hand_over(atomic, 1, value)
            }
        }
    }

    /// Where 16 bytes are not aligned, there is no instruction for them, and compilers call libatomic.
    pub(super) fn must_be_aligned(&mut self, pointer: Operand) {
        let rest = self.word(ArithmeticOp::And, pointer, Operand::Const(Word::from(wide::SIZE) - 1));
        let (refused, aligned) = (self.code.label(), self.code.label());
        self.code.branch(rest, refused, aligned);
        self.code.here(refused);
        self.fail("an atomic access to 16 bytes that are not aligned, for which libatomic takes a lock".to_owned());
        self.code.here(aligned);
    }

    fn read_plainly(&mut self, pointer: Operand, size: u8) -> Operand {
        let dst = self.temporary();
        let place = Place::Memory(Memory { alignment: 1, ..Memory::aligned(pointer, 0, size) });
        self.emit(Inst::Load { dst: Some(dst), place, order: Ordering::NonAtomic });
        Operand::Reg(dst)
    }

    fn write_plainly(&mut self, pointer: Operand, size: u8, value: Operand) {
        let place = Place::Memory(Memory { alignment: 1, ..Memory::aligned(pointer, 0, size) });
        self.emit(Inst::Store { place, value, order: Ordering::NonAtomic });
    }

    /// A value that the caller hands over.
    fn taken(&mut self, atomic: &Atomic<'_>, i: usize) -> Result<Operand, Unsupported> {
        if let (false, false, Some(argument)) = (atomic.generic, atomic.split, atomic.call.arguments.get(i)) {
            if self.is_wide(argument.ty) != (atomic.size == wide::SIZE) {
                return Err(format!("a call of `{}` with a value of another size", atomic.name));
            }
            return self.atomic_value(argument.ty, argument.value);
        }
        let argument = self.call_argument(atomic.call, atomic.name, atomic.first + i)?;
        if atomic.split {
            let high = self.call_argument(atomic.call, atomic.name, i + 1)?;
            return Ok(self.joined([argument, high]));
        }
        Ok(self.read_plainly(argument, atomic.size))
    }

    /// Hands a value to the caller: as the result, or to where an argument points.
    fn hand_over(&mut self, atomic: &Atomic<'_>, i: usize, value: Operand) -> Result<(), Unsupported> {
        if !atomic.generic {
            let values = if atomic.size == wide::SIZE { self.halves(value).to_vec() } else { vec![value] };
            return self.set_all(atomic.result, values);
        }
        let pointer = self.call_argument(atomic.call, atomic.name, atomic.first + i)?;
        self.write_plainly(pointer, atomic.size, value);
        Ok(())
    }

    /// An update that is a loop around a compare-and-swap, as compilers make it too: arithmetic of floats, and numbers
    /// that begin again.
    pub(super) fn computed_update(
        &mut self,
        result: Option<LocalId>,
        op: RmwOp,
        (ty, pointer): (TypeId, Value),
        operand: Value,
        order: AtomicOrdering,
    ) -> Result<bool, Unsupported> {
        let RmwOp::Other(symbol) = op else { return Ok(false) };
        let name = self.module.name(symbol);
        if !["fadd", "fsub", "fmax", "fmin", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat"].contains(&name) {
            return Ok(false);
        }
        let place = self.atomic_place(ty, pointer)?;
        let (bits, operand) = (self.bits(ty)?, self.value(operand)?);
        let (old, ok) = (self.temporary(), self.temporary());
        let start = self.code.label();
        self.code.here(start);
        self.emit(Inst::Load { dst: Some(old), place, order: Ordering::Relaxed });
        let desired = self.updated(name, bits, Operand::Reg(old), operand);
        let expected = Operand::Reg(old);
        let (success, failure, kind) = (ordering(Some(order)), Ordering::Relaxed, CasKind::Strong);
        self.emit(Inst::Cas { old: None, ok: Some(ok), place, expected, desired, success, failure, kind });
        let end = self.code.label();
        self.code.branch(Operand::Reg(ok), end, start);
        self.code.here(end);
        self.set_all(result, vec![Operand::Reg(old)])?;
        Ok(true)
    }

    fn updated(&mut self, name: &str, bits: u8, old: Operand, operand: Operand) -> Operand {
        let mut compute = |op: ArithmeticOp, a: Operand, b: Operand| {
            let dst: Reg = self.temporary();
            self.arithmetic(dst, op, bits, a, b);
            Operand::Reg(dst)
        };
        const ZERO: Operand = Operand::Const(0);
        const ONE: Operand = Operand::Const(1 as Word);
        match name {
            "fadd" => compute(ArithmeticOp::FAdd, old, operand),
            "fsub" => compute(ArithmeticOp::FSub, old, operand),
            "fmax" => compute(ArithmeticOp::FMax, old, operand),
            "fmin" => compute(ArithmeticOp::FMin, old, operand),
            "uinc_wrap" => {
                let (within, next) = (compute(ArithmeticOp::ULt, old, operand), compute(ArithmeticOp::Add, old, ONE));
                self.chosen(within, next, ZERO)
            }
            "udec_wrap" => {
                let over = compute(ArithmeticOp::ULt, operand, old);
                let none = compute(ArithmeticOp::Eq, old, ZERO);
                let next = compute(ArithmeticOp::Sub, old, ONE);
                let next = self.chosen(over, operand, next);
                self.chosen(none, operand, next)
            }
            _ => {
                let less = compute(ArithmeticOp::ULt, old, operand);
                let next = compute(ArithmeticOp::Sub, old, operand);
                self.chosen(less, if name == "usub_cond" { old } else { ZERO }, next)
            }
        }
    }
}

/// The numbers of C11's `memory_order`.
fn order_of(number: Word) -> Ordering {
    match number {
        0 => Ordering::Relaxed,
        1 | 2 => Ordering::Acquire,
        3 => Ordering::Release,
        4 => Ordering::AcqRel,
        _ => Ordering::SeqCst,
    }
}
