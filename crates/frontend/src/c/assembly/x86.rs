//! What instructions of x86 do with their operands.

use fencepost_program::{
    ArithmeticOp, CasKind, Inst, Memory, Operand, Ordering, Place as Target, Reg, UnaryOp, UpdateOp, Value as Word,
};

use super::super::function::FunctionLowering;
use super::flags::{Carry, Flags};
use super::template::{Argument, Statement};

/// Where an operand of the template is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// A register of the processor, by its number, and the bits of the operand.
    Register(usize, u8),
    /// A register that the compiler chooses; this one is for the operand with a number.
    Own(usize, u8),
    Constant(Word),
    /// What a pointer points to.
    Memory(Operand),
    Flag,
}

/// The processor before an instruction. Each word holds the bits of its register that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Processor {
    pub operands: Vec<Place>,
    registers: [Option<Operand>; 16],
    own: Vec<Option<Operand>>,
    pub flags: Option<Flags>,
}

impl Processor {
    pub(super) fn set(&mut self, place: Place, value: Operand) -> Option<()> {
        match place {
            Place::Register(number, _) => self.registers[number] = Some(value),
            Place::Own(number, _) => {
                if self.own.len() <= number {
                    self.own.resize(number + 1, None);
                }
                self.own[number] = Some(value);
            }
            Place::Constant(..) | Place::Memory(_) | Place::Flag => return None,
        }
        Some(())
    }

    pub(super) fn get(&self, place: Place) -> Option<Operand> {
        match place {
            Place::Register(number, _) => self.registers[number],
            Place::Own(number, _) => *self.own.get(number)?,
            Place::Constant(value) => Some(Operand::Const(value)),
            Place::Memory(_) | Place::Flag => None,
        }
    }
}

const AX: usize = 0;
const BX: usize = 1;
const CX: usize = 2;
const DX: usize = 3;
const SP: usize = 7;

/// The number of a register and the bits that a name stands for.
pub(super) fn register(name: &str) -> Option<(usize, u8)> {
    const NAMES: [&str; 8] = ["ax", "bx", "cx", "dx", "si", "di", "bp", "sp"];
    if let Some(number) = NAMES.iter().position(|known| *known == name) {
        return Some((number, 16));
    }
    if let Some(rest) = name.strip_prefix('e').or_else(|| name.strip_prefix('r'))
        && let Some(number) = NAMES.iter().position(|known| *known == rest)
    {
        return Some((number, if name.starts_with('e') { 32 } else { 64 }));
    }
    if let Some(letter) = name.strip_suffix('l')
        && let Some(number) = NAMES.iter().position(|known| *known == format!("{letter}x") || *known == letter)
    {
        return Some((number, 8));
    }
    let digits = name.strip_prefix('r')?;
    let (digits, bits) = match digits.chars().last()? {
        'd' => (&digits[..digits.len() - 1], 32),
        'w' => (&digits[..digits.len() - 1], 16),
        'b' => (&digits[..digits.len() - 1], 8),
        _ => (digits, 64),
    };
    let number: usize = digits.parse().ok()?;
    (8..16).contains(&number).then_some((number, bits))
}

/// An argument of an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    /// With the bits that are meant; an immediate has no width.
    Place(Place, Option<u8>),
    /// A pointer with a displacement.
    Memory(Operand, i32),
    /// The top of the stack, where nothing of the program is.
    Stack,
}

/// Instructions that compute from two operands, the second of which they change.
const BINARY: [(&str, ArithmeticOp, UpdateOp); 5] = [
    ("add", ArithmeticOp::Add, UpdateOp::Add),
    ("sub", ArithmeticOp::Sub, UpdateOp::Sub),
    ("and", ArithmeticOp::And, UpdateOp::And),
    ("or", ArithmeticOp::Or, UpdateOp::Or),
    ("xor", ArithmeticOp::Xor, UpdateOp::Xor),
];

/// All names without the letter for the width, other than those of `BINARY`.
const OTHERS: [&str; 18] = [
    "mov", "xchg", "cmpxchg", "xadd", "inc", "dec", "neg", "not", "cmp", "test", "bts", "btr", "btc", "bt", "sbb",
    "bswap", "bsf", "bsr",
];

/// The name of an instruction, and the bits that the letter behind it says.
fn named(mnemonic: &str) -> Option<(&'static str, Option<u8>)> {
    let known = |name: &str| BINARY.iter().map(|known| known.0).chain(OTHERS).find(|known| *known == name);
    if let Some(name) = known(mnemonic) {
        return Some((name, None));
    }
    let bits = match mnemonic.chars().last()? {
        'b' => 8,
        'w' => 16,
        'l' => 32,
        'q' => 64,
        _ => return None,
    };
    Some((known(&mnemonic[..mnemonic.len() - 1])?, Some(bits)))
}

impl FunctionLowering<'_, '_> {
    /// One instruction; an error if it is not known.
    pub(super) fn execute(&mut self, processor: &mut Processor, statement: &Statement) -> Result<(), String> {
        self.known(processor, statement).ok_or_else(|| statement.mnemonic.clone())
    }

    fn known(&mut self, processor: &mut Processor, statement: &Statement) -> Option<()> {
        let Statement { locked, mnemonic, arguments } = statement;
        let values = arguments.iter().map(|a| Self::argument(processor, a)).collect::<Option<Vec<Value>>>()?;
        match (mnemonic.as_str(), &values[..]) {
            ("pause" | "nop", []) => return Some(()),
            ("mfence", []) => return self.fence(Ordering::SeqCst),
            ("lfence", []) => return self.fence(Ordering::Acquire),
            ("sfence", []) => return self.fence(Ordering::Release),
            ("cmpxchg8b", [value]) if *locked => return self.exchange_pair(processor, *value, 32),
            ("cmpxchg16b", [value]) if *locked => return self.exchange_pair(processor, *value, 64),
            ("rdtsc", []) => return self.read_ticks(processor),
            _ => {}
        }
        if let Some(condition) = mnemonic.strip_prefix("set") {
            let holds = self.flag_condition(processor, condition)?;
            let [value] = values[..] else { return None };
            return self.assign(processor, value, 8, holds);
        }
        let (name, said) = named(mnemonic)?;
        let mut widths = values.iter().filter_map(|value| match value {
            Value::Place(_, bits) => *bits,
            Value::Memory(..) | Value::Stack => None,
        });
        let bits = said.or_else(|| widths.next_back())?;
        if let Some(&(_, op, update)) = BINARY.iter().find(|known| known.0 == name) {
            let [source, target] = values[..] else { return None };
            return self.binary(processor, (op, update), *locked, bits, (source, target));
        }
        match (name, &values[..]) {
            ("mov", &[source, target]) => {
                let value = self.fetch(processor, source, bits)?;
                self.assign(processor, target, bits, value)
            }
            ("xchg", &[a, b]) => self.exchange(processor, bits, a, b),
            ("cmpxchg", &[source, target]) if *locked => self.compare_exchange(processor, bits, source, target),
            ("xadd", &[source, target]) if *locked => self.exchange_add(processor, bits, source, target),
            ("inc" | "dec", &[target]) => {
                let op = if name == "inc" { ArithmeticOp::Add } else { ArithmeticOp::Sub };
                let update = if name == "inc" { UpdateOp::Add } else { UpdateOp::Sub };
                let one = Value::Place(Place::Constant(1), None);
                self.binary(processor, (op, update), *locked, bits, (one, target))?;
                if let Some(Flags::Sum { carry, .. } | Flags::Difference { carry, .. }) = &mut processor.flags {
                    *carry = Carry::Kept;
                }
                Some(())
            }
            ("neg" | "not", &[target]) if !locked => {
                let a = self.fetch(processor, target, bits)?;
                let first = Operand::Const(if name == "neg" { 0 } else { -1 });
                let result = self.of_width(ArithmeticOp::Sub, bits, first, a);
                if name == "neg" {
                    let carry = Carry::Set;
                    processor.flags = Some(Flags::Difference { bits, a: first, b: a, result, carry });
                }
                self.assign(processor, target, bits, result)
            }
            ("cmp", &[b, a]) => {
                let (a, b) = (self.fetch(processor, a, bits)?, self.fetch(processor, b, bits)?);
                let result = self.of_width(ArithmeticOp::Sub, bits, a, b);
                processor.flags = Some(Flags::Difference { bits, a, b, result, carry: Carry::Set });
                Some(())
            }
            ("test", &[b, a]) => {
                let (a, b) = (self.fetch(processor, a, bits)?, self.fetch(processor, b, bits)?);
                let result = self.of_width(ArithmeticOp::And, bits, a, b);
                processor.flags = Some(Flags::Logic { bits, result });
                Some(())
            }
            ("bts" | "btr" | "btc" | "bt", &[index, target]) => {
                self.bit(processor, name, *locked, bits, (index, target))
            }
            ("bsf" | "bsr", &[source, Value::Place(target, _)]) if !locked && bits >= 32 => {
                self.scan(processor, name == "bsr", bits, source, target)
            }
            // All bits are the carry flag.
            ("sbb", &[Value::Place(a, _), Value::Place(b, _)]) if same(a, b) => {
                let carry = self.flag_condition(processor, "c")?;
                let value = self.word(ArithmeticOp::Sub, Operand::Const(0), carry);
                self.assign(processor, Value::Place(b, Some(bits)), bits, value)
            }
            ("bswap", &[target]) if bits >= 32 => {
                let a = self.fetch(processor, target, bits)?;
                let swapped = self.converted(UnaryOp::ByteSwap, bits, bits, a);
                self.assign(processor, target, bits, swapped)
            }
            _ => None,
        }
    }

    fn fence(&mut self, order: Ordering) -> Option<()> {
        self.emit(Inst::Fence { order });
        Some(())
    }

    fn argument(processor: &Processor, argument: &Argument) -> Option<Value> {
        match argument {
            Argument::Immediate(value) => Some(Value::Place(Place::Constant(*value), None)),
            Argument::Register(name) => {
                let (number, bits) = register(name)?;
                Some(Value::Place(Place::Register(number, bits), Some(bits)))
            }
            Argument::Operand(number, letter) => {
                let place = *processor.operands.get(*number)?;
                let own = match place {
                    Place::Memory(pointer) => return Some(Value::Memory(pointer, 0)),
                    Place::Constant(..) => return Some(Value::Place(place, None)),
                    Place::Register(_, bits) | Place::Own(_, bits) => bits,
                    Place::Flag => return None,
                };
                let bits = match letter {
                    None => own,
                    Some('b') => 8,
                    Some('w') => 16,
                    Some('k') => 32,
                    Some('q') => 64,
                    Some(_) => return None,
                };
                Some(Value::Place(place, Some(bits)))
            }
            Argument::Memory(displacement, base) => match Self::argument(processor, base)? {
                Value::Place(Place::Register(SP, _), _) => Some(Value::Stack),
                Value::Place(place, Some(64)) => {
                    Some(Value::Memory(processor.get(place)?, i32::try_from(*displacement).ok()?))
                }
                _ => None,
            },
        }
    }

    pub(super) fn target(value: Value, bits: u8) -> Option<Target> {
        match value {
            Value::Memory(pointer, offset) => Some(Target::Memory(Memory::aligned(pointer, offset, bits / 8))),
            Value::Place(..) | Value::Stack => None,
        }
    }

    pub(super) fn fetch(&mut self, processor: &Processor, value: Value, bits: u8) -> Option<Operand> {
        match value {
            Value::Place(place, _) => {
                let word = processor.get(place)?;
                Some(if bits < 64 { self.converted(UnaryOp::Trunc, 64, bits, word) } else { word })
            }
            Value::Memory(..) => {
                let (dst, place) = (self.temporary(), Self::target(value, bits)?);
                self.emit(Inst::Load { dst: Some(dst), place, order: Ordering::Acquire });
                Some(Operand::Reg(dst))
            }
            Value::Stack => None,
        }
    }

    /// Writes the low bits. Those above stay as they were, except that 32 bits clear what is above.
    pub(super) fn assign(&mut self, processor: &mut Processor, target: Value, bits: u8, value: Operand) -> Option<()> {
        let place = match target {
            Value::Place(place, _) => place,
            Value::Memory(..) => {
                let value = if bits < 64 { self.converted(UnaryOp::Trunc, 64, bits, value) } else { value };
                let place = Self::target(target, bits)?;
                self.emit(Inst::Store { place, value, order: Ordering::Release });
                return Some(());
            }
            Value::Stack => return None,
        };
        let value = match bits {
            64 => value,
            32 => self.converted(UnaryOp::ZExt, 32, 64, value),
            _ => {
                let low = self.converted(UnaryOp::ZExt, bits, 64, value);
                let mask = !((1i64 << bits) - 1);
                let above = processor.get(place).unwrap_or(Operand::Const(0));
                let above = self.word(ArithmeticOp::And, above, Operand::Const(mask));
                self.word(ArithmeticOp::Or, above, low)
            }
        };
        // A register of its own: operands of the call may change.
        let copy = self.temporary();
        self.copy(copy, value);
        processor.set(place, Operand::Reg(copy))
    }

    pub(super) fn of_width(&mut self, op: ArithmeticOp, bits: u8, a: Operand, b: Operand) -> Operand {
        let dst = self.temporary();
        self.arithmetic(dst, op, bits, a, b);
        Operand::Reg(dst)
    }

    pub(super) fn modify(&mut self, place: Target, op: UpdateOp, operand: Operand) -> Operand {
        let old: Reg = self.temporary();
        self.emit(Inst::Rmw { dst: Some(old), place, op, operand, order: Ordering::SeqCst, when: None });
        Operand::Reg(old)
    }

    fn binary(
        &mut self,
        processor: &mut Processor,
        (op, update): (ArithmeticOp, UpdateOp),
        locked: bool,
        bits: u8,
        (source, target): (Value, Value),
    ) -> Option<()> {
        if let Value::Stack = target {
            // Changes nothing: it is there for the barrier that a locked instruction is.
            let is_nothing = matches!(source, Value::Place(Place::Constant(0), _)) && op != ArithmeticOp::And;
            let is_all = matches!(source, Value::Place(Place::Constant(-1), _)) && op == ArithmeticOp::And;
            processor.flags = None;
            return if locked && (is_nothing || is_all) { self.fence(Ordering::SeqCst) } else { None };
        }
        // A register that is joined with itself need not hold anything.
        let clears = matches!((source, target), (Value::Place(a, _), Value::Place(b, _)) if same(a, b));
        let (a, b) = match op == ArithmeticOp::Xor && clears {
            true => (Operand::Const(0), Operand::Const(0)),
            false => {
                let b = self.fetch(processor, source, bits)?;
                let a = match (locked, Self::target(target, bits)) {
                    (true, Some(place)) => self.modify(place, update, b),
                    (true, None) => return None,
                    (false, _) => self.fetch(processor, target, bits)?,
                };
                (a, b)
            }
        };
        let result = self.of_width(op, bits, a, b);
        processor.flags = Some(match op {
            ArithmeticOp::Add => Flags::Sum { bits, a, b, result, carry: Carry::Set },
            ArithmeticOp::Sub => Flags::Difference { bits, a, b, result, carry: Carry::Set },
            _ => Flags::Logic { bits, result },
        });
        if locked { Some(()) } else { self.assign(processor, target, bits, result) }
    }

    /// With memory, it is locked without the prefix.
    fn exchange(&mut self, processor: &mut Processor, bits: u8, a: Value, b: Value) -> Option<()> {
        let (register, memory) = if let Value::Memory(..) = a { (b, a) } else { (a, b) };
        match Self::target(memory, bits) {
            Some(place) => {
                let new = self.fetch(processor, register, bits)?;
                let old = self.modify(place, UpdateOp::Exchange, new);
                self.assign(processor, register, bits, old)
            }
            None => {
                let (left, right) = (self.fetch(processor, a, bits)?, self.fetch(processor, b, bits)?);
                self.assign(processor, a, bits, right)?;
                self.assign(processor, b, bits, left)
            }
        }
    }

    fn exchange_add(&mut self, processor: &mut Processor, bits: u8, source: Value, target: Value) -> Option<()> {
        let place = Self::target(target, bits)?;
        let b = self.fetch(processor, source, bits)?;
        let a = self.modify(place, UpdateOp::Add, b);
        let result = self.of_width(ArithmeticOp::Add, bits, a, b);
        processor.flags = Some(Flags::Sum { bits, a, b, result, carry: Carry::Set });
        self.assign(processor, source, bits, a)
    }

    fn cas(&mut self, place: Target, expected: Operand, desired: Operand) -> Operand {
        let old = self.temporary();
        let (success, failure) = (Ordering::SeqCst, Ordering::SeqCst);
        let kind = CasKind::Strong;
        self.emit(Inst::Cas { old: Some(old), ok: None, place, expected, desired, success, failure, kind });
        Operand::Reg(old)
    }

    fn compare_exchange(&mut self, processor: &mut Processor, bits: u8, source: Value, target: Value) -> Option<()> {
        let place = Self::target(target, bits)?;
        let accumulator = Value::Place(Place::Register(AX, bits), Some(bits));
        let (expected, desired) = (self.fetch(processor, accumulator, bits)?, self.fetch(processor, source, bits)?);
        let old = self.cas(place, expected, desired);
        let result = self.of_width(ArithmeticOp::Sub, bits, expected, old);
        processor.flags = Some(Flags::Difference { bits, a: expected, b: old, result, carry: Carry::Set });
        self.assign(processor, accumulator, bits, old)
    }

    /// `cmpxchg8b` and `cmpxchg16b`: each value is in two registers.
    fn exchange_pair(&mut self, processor: &mut Processor, target: Value, half: u8) -> Option<()> {
        let place = Self::target(target, 2 * half)?;
        let register = |number| Value::Place(Place::Register(number, half), Some(half));
        let mut joined = |low: usize, high: usize| {
            let low = self.fetch(processor, register(low), half)?;
            let high = self.fetch(processor, register(high), half)?;
            if half == 64 {
                return Some(self.joined([low, high]));
            }
            let low = self.converted(UnaryOp::ZExt, 32, 64, low);
            let high = self.word(ArithmeticOp::Shl, high, Operand::Const(32));
            Some(self.word(ArithmeticOp::Or, low, high))
        };
        let (expected, desired) = (joined(AX, DX)?, joined(BX, CX)?);
        let old = self.cas(place, expected, desired);
        let differs = self.word(ArithmeticOp::Ne, expected, old);
        // Of the flags, only that of zero is set.
        processor.flags = Some(Flags::Logic { bits: 64, result: differs });
        let [low, high] = match half {
            64 => self.halves(old),
            _ => [old, self.word(ArithmeticOp::LShr, old, Operand::Const(32))],
        };
        self.assign(processor, register(AX), half, low)?;
        self.assign(processor, register(DX), half, high)
    }

    /// The counter of ticks, which is a clock like others.
    fn read_ticks(&mut self, processor: &mut Processor) -> Option<()> {
        let ticks = self.temporary();
        self.call_library_into(Some(ticks), "__fencepost_ticks", Vec::new()).ok()?;
        let ticks = Operand::Reg(ticks);
        let high = self.word(ArithmeticOp::LShr, ticks, Operand::Const(32));
        for (register, half) in [(AX, ticks), (DX, high)] {
            let half = self.converted(UnaryOp::ZExt, 32, 64, half);
            processor.set(Place::Register(register, 64), half)?;
        }
        Some(())
    }

    /// What an output is in the end.
    pub(super) fn output(&mut self, processor: &Processor, number: usize, bits: u8) -> Option<Operand> {
        let word = processor.get(*processor.operands.get(number)?)?;
        Some(if bits < 64 { self.converted(UnaryOp::Trunc, 64, bits, word) } else { word })
    }
}

fn same(a: Place, b: Place) -> bool {
    match (a, b) {
        (Place::Register(a, _), Place::Register(b, _)) | (Place::Own(a, _), Place::Own(b, _)) => a == b,
        _ => false,
    }
}
