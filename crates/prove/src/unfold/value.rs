//! What a register or a cell may hold: one word, or which numbers and which pointers.

use std::rc::Rc;

use fencepost_program::{ArithmeticOp, UnaryOp, Value as Word, memory};

use super::made::is_thread_word;
use super::objects::{ObjectId, Objects, Origin};

/// Numbers that leave a remainder: `start + k * step`, or `start` alone if `step` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offset {
    pub(super) start: i64,
    pub(super) step: u64,
}

impl Offset {
    pub(super) const ANY: Offset = Offset { start: 0, step: 1 };

    pub(super) fn exact(start: i64) -> Offset {
        Offset { start, step: 0 }
    }

    fn new(start: i64, step: u64) -> Offset {
        if step == 0 {
            return Offset::exact(start);
        }
        // What divides a step may stand for it.
        let step = if step <= 1 << 40 { step } else { 1 << step.trailing_zeros().min(40) };
        Offset { start: start.rem_euclid(step as i64), step }
    }

    pub(super) fn as_exact(self) -> Option<i64> {
        (self.step == 0).then_some(self.start)
    }

    fn join(self, other: Offset) -> Offset {
        if self == other {
            return self;
        }
        let step = gcd(gcd(self.step, other.step), self.start.abs_diff(other.start));
        Offset::new(self.start, step)
    }

    fn plus(self, other: Offset) -> Offset {
        Offset::new(self.start.wrapping_add(other.start), gcd(self.step, other.step))
    }

    pub(super) fn moved(self, by: i64) -> Offset {
        self.plus(Offset::exact(by))
    }

    /// The least offset that is not negative; or the only one.
    pub(super) fn least(self) -> i64 {
        self.start
    }

    fn negated(self) -> Offset {
        Offset::new(self.start.wrapping_neg(), self.step)
    }

    /// Whether some number is of both kinds.
    pub(super) fn meets(self, other: Offset) -> bool {
        match gcd(self.step, other.step) {
            0 => self.start == other.start,
            step => self.start.abs_diff(other.start).is_multiple_of(step),
        }
    }

    /// What is left of it if arithmetic may have wrapped around `bits` bits.
    fn after_wrapping(self, bits: u8) -> Offset {
        match self.step.trailing_zeros().min(u32::from(bits)) {
            _ if self.step == 0 => Offset::ANY,
            power => Offset::new(self.start, 1 << power.min(40)),
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Where a pointer may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) object: ObjectId,
    pub(super) offset: Offset,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Const(Word),
    /// A number of this kind; its absolute value is less than 2^bits.
    Number(Offset, u8),
    /// A pointer to one of these, or any number.
    Pointer(Rc<[Target]>),
}

const ALL_BITS: u8 = 64;

impl Value {
    /// Any `bits`-wide word that is not made from a pointer.
    pub(super) fn any(bits: u8) -> Value {
        Value::Number(Offset::ANY, bits)
    }

    pub(super) fn as_const(&self) -> Option<Word> {
        match self {
            Value::Const(word) => Some(*word),
            _ => None,
        }
    }

    /// Where it may point to.
    pub(super) fn targets(&self, objects: &Objects) -> Rc<[Target]> {
        match self {
            Value::Const(word) => {
                let target = |(object, offset)| Target { object, offset: Offset::exact(offset) };
                objects.decode(*word).map(target).into_iter().collect()
            }
            Value::Number(..) => Rc::new([]),
            Value::Pointer(targets) => Rc::clone(targets),
        }
    }

    fn as_number(&self) -> (Offset, u8) {
        match self {
            Value::Const(word) => (Offset::exact(*word), magnitude(*word)),
            Value::Number(offset, bits) => (*offset, *bits),
            Value::Pointer(_) => (Offset::ANY, ALL_BITS),
        }
    }

    pub(super) fn join(&self, other: &Value, objects: &Objects) -> Value {
        if self == other {
            return self.clone();
        }
        let (mine, theirs) = (self.targets(objects), other.targets(objects));
        if mine.is_empty() && theirs.is_empty() {
            let ((a, m), (b, n)) = (self.as_number(), other.as_number());
            return Value::Number(a.join(b), rounded(m.max(n)));
        }
        Value::Pointer(union(&mine, &theirs))
    }

    /// The value that memory of this size returns after it was written.
    pub(super) fn narrowed(&self, size: u8) -> Value {
        match self {
            Value::Const(word) => Value::Const(memory::sign_extended(*word, 8 * u32::from(size))),
            _ if size >= 8 => self.clone(),
            Value::Number(offset, bits) if *bits < 8 * size => Value::Number(*offset, *bits),
            _ => Value::any(8 * size),
        }
    }

    /// Any number or pointer that can be computed from the two.
    fn mangled(a: &Value, b: &Value, bits: u8, objects: &Objects) -> Value {
        let all = union(&a.targets(objects), &b.targets(objects));
        if all.is_empty() || bits < 64 {
            return Value::any(bits);
        }
        Value::Pointer(all.iter().map(|t| Target { offset: Offset::ANY, ..*t }).collect())
    }

    fn is_made_up(&self, objects: &Objects) -> bool {
        self.targets(objects).iter().any(|t| objects.is_made_up(objects.get(t.object).base as Word))
    }
}

/// The next of a few widths, so that chains of joins are short.
fn rounded(bits: u8) -> u8 {
    [1, 8, 16, 32, 48, 62, ALL_BITS].into_iter().find(|&b| b >= bits).unwrap_or(ALL_BITS)
}

fn magnitude(word: Word) -> u8 {
    (64 - word.unsigned_abs().leading_zeros()) as u8
}

fn union(a: &[Target], b: &[Target]) -> Rc<[Target]> {
    let mut all: Vec<Target> = a.to_vec();
    for target in b {
        match all.binary_search_by_key(&target.object, |t| t.object) {
            Ok(at) => all[at].offset = all[at].offset.join(target.offset),
            Err(at) => all.insert(at, *target),
        }
    }
    all.into()
}

/// The result of an operation, and whether the instruction computes it: if not, it depends on where objects are, which
/// is not known, and may be any word.
pub(super) fn arithmetic(op: ArithmeticOp, bits: u8, a: &Value, b: &Value, objects: &Objects) -> (Value, bool) {
    use ArithmeticOp::*;
    let exact = bits < 64 || !(a.is_made_up(objects) || b.is_made_up(objects)) || is_harmless(op, a, b, objects);
    if let (true, Value::Const(x), Value::Const(y)) = (exact, a, b) {
        return match op.apply(bits, *x, *y) {
            Some(result) => (Value::Const(result), true),
            None => (Value::any(bits), true),
        };
    }
    let comparison = matches!(op, Eq | Ne | ULt | ULe | SLt | SLe | FCmp { .. });
    if comparison {
        return (Value::any(1), exact);
    }
    let (ta, tb) = (a.targets(objects), b.targets(objects));
    let (x, y) = (a.as_number(), b.as_number());
    if let (64, Add, Some(any)) = (bits, op, objects.known(Origin::AnyThreadWords))
        && [a, b].iter().any(|value| value.as_const().is_some_and(is_thread_word))
    {
        return (Value::Pointer(Rc::new([Target { object: any, offset: Offset::ANY }])), true);
    }
    if bits == 64 && matches!(op, Add | Sub) && !(ta.is_empty() && tb.is_empty()) {
        let value = match op {
            Add if ta.is_empty() => shifted(&tb, x),
            Add if tb.is_empty() => shifted(&ta, y),
            Sub if tb.is_empty() => shifted(&ta, (y.0.negated(), y.1)),
            // The distance of two pointers.
            Sub if ta.len() == 1 && tb.len() == 1 && ta[0].object == tb[0].object => {
                Value::Number(ta[0].offset.plus(tb[0].offset.negated()), 62)
            }
            _ => Value::mangled(a, b, bits, objects),
        };
        return (value, exact);
    }
    if !ta.is_empty() || !tb.is_empty() {
        let low_bits = |value: &Value| value.as_const().is_some_and(|m| (0..16).contains(&m));
        return match op {
            And if low_bits(a) || low_bits(b) => (Value::any(4), exact),
            _ => (Value::mangled(a, b, bits, objects), exact),
        };
    }
    let value = match op {
        Add | Sub => {
            let other = if op == Add { y.0 } else { y.0.negated() };
            let (sum, magnitude) = (x.0.plus(other), x.1.max(y.1) + 1);
            if magnitude < bits { Value::Number(sum, magnitude) } else { Value::Number(sum.after_wrapping(bits), bits) }
        }
        Mul | Shl | WrappingShl => {
            let factor = match (op, a.as_const(), b.as_const()) {
                (Mul, _, Some(factor)) => Some((x, factor)),
                (Mul, Some(factor), _) => Some((y, factor)),
                (Shl | WrappingShl, _, Some(by)) if (0..40).contains(&by) => Some((x, 1 << by)),
                _ => None,
            };
            match factor {
                Some(((offset, m), factor)) if factor != 0 => {
                    let step = offset.step.saturating_mul(factor.unsigned_abs());
                    let product = Offset::new(offset.start.wrapping_mul(factor), step);
                    let magnitude = m.saturating_add(magnitude(factor));
                    if magnitude < bits {
                        Value::Number(product, magnitude)
                    } else {
                        Value::Number(product.after_wrapping(bits), bits)
                    }
                }
                _ => Value::any(bits),
            }
        }
        // What is not negative stays below its operand.
        And if b.as_const().is_some_and(|m| m >= 0) => Value::any(y.1),
        URem | SRem | WrappingRem if b.as_const().is_some_and(|m| m > 0) => Value::any(y.1),
        _ => Value::any(bits),
    };
    (value, true)
}

fn small_mask(value: &Value) -> bool {
    value.as_const().is_some_and(|m| (0..16).contains(&m) || (0..16).contains(&!m))
}

/// Whether the result depends only on the low bits of addresses and on which objects they point into.
fn is_harmless(op: ArithmeticOp, a: &Value, b: &Value, objects: &Objects) -> bool {
    use ArithmeticOp::*;
    let (ta, tb) = (a.targets(objects), b.targets(objects));
    let one = |targets: &[Target]| match targets {
        [target] if !objects.get(target.object).several => Some(target.object),
        _ => None,
    };
    let same = one(&ta).is_some() && one(&ta) == one(&tb);
    let null = |value: &Value| value.as_const().is_some_and(|word| (0..4096).contains(&word));
    match op {
        Eq | Ne => true,
        Add => ta.is_empty() || tb.is_empty(),
        Sub => tb.is_empty() || same && matches!((a, b), (Value::Const(_), Value::Const(_))),
        ULt | ULe | SLt | SLe => matches!((a, b), (Value::Const(_), Value::Const(_))) && same || null(a) || null(b),
        And | Or | Xor => small_mask(a) || small_mask(b),
        URem => b.as_const().is_some_and(|m| matches!(m, 1 | 2 | 4 | 8 | 16)),
        _ => false,
    }
}

/// Pointers moved by a number.
fn shifted(targets: &[Target], (by, bits): (Offset, u8)) -> Value {
    let by = if bits < 60 { by } else { by.after_wrapping(64) };
    Value::Pointer(targets.iter().map(|t| Target { offset: t.offset.plus(by), ..*t }).collect())
}

/// The result of an operation on one word, and whether the instruction computes it.
pub(super) fn unary(op: UnaryOp, from: u8, to: u8, a: &Value, objects: &Objects) -> (Value, bool) {
    let (zero, ones) = (Value::Const(0), Value::Const(memory::sign_extended(-1, from.into())));
    match op {
        UnaryOp::Neg => return arithmetic(ArithmeticOp::Sub, from, &zero, a, objects),
        UnaryOp::Not => return arithmetic(ArithmeticOp::Eq, from, a, &zero, objects),
        UnaryOp::BitNot => return arithmetic(ArithmeticOp::Xor, from, a, &ones, objects),
        _ => {}
    }
    let keeps = matches!(op, UnaryOp::ZExt | UnaryOp::SExt | UnaryOp::Trunc) && from == to;
    let exact = keeps || !a.is_made_up(objects) || from < 64;
    match (op, a) {
        (_, Value::Const(word)) if exact => (Value::Const(op.apply(from, to, *word)), true),
        _ if keeps => (a.clone(), true),
        (UnaryOp::SExt, Value::Number(offset, bits)) if from > 1 => (Value::Number(*offset, (*bits).min(from)), true),
        (UnaryOp::SExt | UnaryOp::ZExt, _) if from == 1 => (Value::any(1), true),
        (UnaryOp::ZExt, Value::Number(offset, bits)) => {
            (Value::Number(offset.after_wrapping(from), from.max(*bits)), true)
        }
        (UnaryOp::Trunc, Value::Number(offset, bits)) if *bits < to => (Value::Number(*offset, *bits), true),
        (UnaryOp::ZExt | UnaryOp::SExt, _) => (Value::any(from), exact),
        _ => (Value::any(to), exact),
    }
}
