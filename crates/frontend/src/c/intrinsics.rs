//! LLVM's own functions.

use fencepost_llvm::{Call, LocalId, TypeId};
use fencepost_program::{ArithmeticOp, Failure, Inst, Operand, Ordering, Reg, UnaryOp, Value as Word, smallest};

use super::function::FunctionLowering;
use super::globals::Unsupported;

/// Marks for the compiler and for debuggers.
const IGNORED: [&str; 22] = [
    "dbg.declare",
    "dbg.value",
    "dbg.label",
    "dbg.assign",
    "lifetime.start",
    "lifetime.end",
    "assume",
    "stackrestore",
    "invariant.end",
    "experimental.noalias.scope.decl",
    "donothing",
    "prefetch",
    "va_end",
    "sideeffect",
    "var.annotation",
    "pseudoprobe",
    "x86.sse2.pause",
    "x86.sse2.clflush",
    "x86.clflushopt",
    "x86.clwb",
    "aarch64.hint",
    "aarch64.isb",
];

/// Fences of processors.
const FENCES: [(&str, Ordering); 4] = [
    ("x86.sse2.mfence", Ordering::SeqCst),
    ("x86.sse2.lfence", Ordering::Acquire),
    ("x86.sse.sfence", Ordering::Release),
    ("x86.sse2.sfence", Ordering::Release),
];

/// Functions of the mathematical library, if the program has them.
const CALLED: [&str; 12] = ["pow", "exp", "exp2", "log", "log2", "log10", "sin", "cos", "tan", "fma", "ldexp", "powi"];

/// Intrinsics that return their first argument.
const HANDED_ON: [&str; 7] = [
    "threadlocal.address",
    "expect",
    "expect.with.probability",
    "ptr.annotation",
    "launder.invariant.group",
    "strip.invariant.group",
    "annotation",
];

const UNARY: [(&str, UnaryOp); 10] = [
    ("ctlz", UnaryOp::CountLeadingZeros),
    ("cttz", UnaryOp::CountTrailingZeros),
    ("ctpop", UnaryOp::CountOnes),
    ("bswap", UnaryOp::ByteSwap),
    ("bitreverse", UnaryOp::BitReverse),
    ("fabs", UnaryOp::FloatAbsolute),
    ("sqrt", UnaryOp::FloatSquareRoot),
    ("floor", UnaryOp::FloatFloor),
    ("ceil", UnaryOp::FloatCeiling),
    ("trunc", UnaryOp::FloatTruncated),
];

/// The smaller or, if true, the larger of two words, by this comparison.
const EXTREMES: [(&str, ArithmeticOp, bool); 4] = [
    ("smax", ArithmeticOp::SLt, true),
    ("smin", ArithmeticOp::SLt, false),
    ("umax", ArithmeticOp::ULt, true),
    ("umin", ArithmeticOp::ULt, false),
];

/// Whether this is the intrinsic of a name, for whatever types.
fn is(base: &str, name: &str) -> bool {
    base.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl FunctionLowering<'_, '_> {
    pub(super) fn intrinsic(&mut self, result: Option<LocalId>, call: &Call, name: &str) -> Result<(), Unsupported> {
        let base = name.strip_prefix("llvm.").unwrap_or(name);
        let is = |name: &str| is(base, name);
        if IGNORED.iter().any(|name| is(name)) {
            return Ok(());
        }
        if let Some(&(_, order)) = FENCES.iter().find(|(name, _)| is(name)) {
            self.emit(Inst::Fence { order });
            return Ok(());
        }
        if is("memcpy") || is("memcpy.inline") || is("memmove") {
            return self.copy_memory(call, if is("memmove") { "memmove" } else { "memcpy" });
        }
        if is("va_start") {
            return self.start_arguments(call);
        }
        if is("va_copy") {
            return self.copy_arguments(call);
        }
        if is("memset") {
            return self.set_memory(call);
        }
        if is("trap") || is("debugtrap") || is("ubsantrap") {
            self.emit(Inst::Fail { failure: Failure::Abort });
            return Ok(());
        }
        if HANDED_ON.iter().any(|name| is(name)) {
            let value = self.intrinsic_argument(call, name, 0)?;
            self.set_all(result, vec![value])?;
            return Ok(());
        }
        if is("eh.typeid.for") {
            let ty = self.intrinsic_argument(call, name, 0)?;
            let number = self.type_number(ty);
            self.set_all(result, vec![number])?;
            return Ok(());
        }
        if is("readcyclecounter") || is("x86.rdtsc") {
            return self.call_library(result, "__fencepost_ticks", Vec::new());
        }
        if is("stacksave") || is("objectsize") || is("is.constant") {
            self.set_all(result, vec![Operand::Const(if is("objectsize") { -1 } else { 0 })])?;
            return Ok(());
        }
        self.computation(result, call, name, base)
    }

    fn intrinsic_argument(&mut self, call: &Call, name: &str, i: usize) -> Result<Operand, Unsupported> {
        match call.arguments.get(i) {
            Some(argument) => self.value(argument.value),
            None => Err(format!("the intrinsic `{name}` without its arguments")),
        }
    }

    /// An intrinsic that computes its result from its arguments.
    fn computation(&mut self, result: Option<LocalId>, call: &Call, name: &str, base: &str) -> Result<(), Unsupported> {
        if self.reduction(result, call, base)? {
            return Ok(());
        }
        if self.library_intrinsic(result, call, base)? {
            return Ok(());
        }
        let Some(first) = call.arguments.first() else { return Err(format!("the intrinsic `{name}`")) };
        if let Some((element, _)) = self.vector(first.ty) {
            return self.by_elements(result, call, (name, base), element);
        }
        let bits = self.bits(first.ty)?;
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            arguments.push(self.value(argument.value)?);
        }
        if base.contains(".with.overflow") {
            let [a, b] = arguments[..] else { return Err(format!("the intrinsic `{name}` without its arguments")) };
            return self.overflowing(result, base, bits, a, b);
        }
        if let Some(called) = CALLED.iter().find(|called| is(base, called)) {
            let suffix = if bits == 32 { "f" } else { "" };
            return self.call_library(result, &format!("{called}{suffix}"), arguments);
        }
        let value = self.computed((name, base), bits, &arguments)?;
        self.set_all(result, vec![value])
    }

    /// An intrinsic that does the same to each element of a vector.
    fn by_elements(
        &mut self,
        result: Option<LocalId>,
        call: &Call,
        names: (&str, &str),
        element: TypeId,
    ) -> Result<(), Unsupported> {
        let bits = self.bits(element)?;
        let mut lanes = Vec::new();
        for argument in &call.arguments {
            lanes.push(self.values(argument.ty, argument.value)?);
        }
        let mut values = Vec::new();
        for i in 0..lanes[0].len() {
            // What is not a vector is the same for all elements.
            let arguments: Vec<Operand> = lanes.iter().map(|lane| lane[if lane.len() == 1 { 0 } else { i }]).collect();
            values.push(self.computed(names, bits, &arguments)?);
        }
        self.set_all(result, values)
    }

    /// The result of an intrinsic on words.
    fn computed(&mut self, names: (&str, &str), bits: u8, arguments: &[Operand]) -> Result<Operand, Unsupported> {
        use ArithmeticOp::{Add, And, LShr, Or, SLt, Shl, Sub, ULt};
        let (name, base) = names;
        let is = |name: &str| is(base, name);
        let argument =
            |i: usize| arguments.get(i).copied().ok_or_else(|| format!("the intrinsic `{name}` without its arguments"));
        let a = argument(0)?;
        if let Some(&(_, op)) = UNARY.iter().find(|(name, _)| is(name)) {
            return Ok(self.converted(op, bits, bits, a));
        }
        if let Some(&(_, less, largest)) = EXTREMES.iter().find(|(name, ..)| is(name)) {
            let b = argument(1)?;
            let cond = self.operation(less, bits, a, b);
            let (yes, no) = if largest { (b, a) } else { (a, b) };
            return Ok(self.chosen(cond, yes, no));
        }
        let zero = Operand::Const(0);
        Ok(if is("abs") {
            let negative = self.operation(SLt, bits, a, zero);
            let negated = self.operation(Sub, bits, zero, a);
            self.chosen(negative, negated, a)
        } else if is("fmuladd") {
            let product = self.operation(ArithmeticOp::FMul, bits, a, argument(1)?);
            self.operation(ArithmeticOp::FAdd, bits, product, argument(2)?)
        } else if is("minnum") || is("maxnum") {
            let op = if is("minnum") { ArithmeticOp::FMin } else { ArithmeticOp::FMax };
            self.operation(op, bits, a, argument(1)?)
        } else if is("copysign") {
            let sign = Operand::Const(if bits == 32 { Word::from(i32::MIN) } else { Word::MIN });
            let rest = self.word(And, a, Operand::Const(if bits == 32 { i64::from(i32::MAX) } else { i64::MAX }));
            let sign = self.word(And, argument(1)?, sign);
            self.operation(Or, bits, rest, sign)
        } else if is("uadd.sat") || is("usub.sat") {
            let b = argument(1)?;
            let (op, limit) = if is("uadd.sat") { (Add, Operand::Const(-1)) } else { (Sub, zero) };
            let value = self.operation(op, bits, a, b);
            let over = if op == Add { self.operation(ULt, bits, value, a) } else { self.operation(ULt, bits, a, b) };
            self.chosen(over, limit, value)
        } else if is("sadd.sat") || is("ssub.sat") {
            let b = argument(1)?;
            let op = if is("sadd.sat") { Add } else { Sub };
            let value = self.operation(op, bits, a, b);
            let over = self.signed_overflow(op, bits, (a, b), value);
            // Where the first operand is negative, the limit is the smallest number.
            let negative = self.operation(SLt, bits, a, zero);
            let least = smallest(bits);
            let limit = self.chosen(negative, Operand::Const(least), Operand::Const(!least));
            self.chosen(over, limit, value)
        } else if is("fshl") || is("fshr") {
            // Two words in a row are shifted, and one word is taken.
            let (b, c) = (argument(1)?, argument(2)?);
            let distance = self.operation(ArithmeticOp::URem, bits, c, Operand::Const(bits.into()));
            let rest = self.operation(Sub, bits, Operand::Const(bits.into()), distance);
            let (left, right) = if is("fshl") { (distance, rest) } else { (rest, distance) };
            let (high, low) = (self.operation(Shl, bits, a, left), self.operation(LShr, bits, b, right));
            let both = self.operation(Or, bits, high, low);
            self.chosen(distance, both, if is("fshl") { a } else { b })
        } else if is("ptrmask") {
            self.word(And, a, argument(1)?)
        } else {
            return Err(format!("the intrinsic `{name}`"));
        })
    }

    fn operation(&mut self, op: ArithmeticOp, bits: u8, a: Operand, b: Operand) -> Operand {
        let dst = self.temporary();
        self.arithmetic(dst, op, bits, a, b);
        Operand::Reg(dst)
    }

    /// Whether the sign of a sum or a difference is wrong: for a sum, that of both operands is another.
    fn signed_overflow(&mut self, op: ArithmeticOp, bits: u8, (a, b): (Operand, Operand), value: Operand) -> Operand {
        let x = self.operation(ArithmeticOp::Xor, bits, a, value);
        let y = self.operation(ArithmeticOp::Xor, bits, b, if op == ArithmeticOp::Add { value } else { a });
        let both = self.operation(ArithmeticOp::And, bits, x, y);
        self.operation(ArithmeticOp::SLt, bits, both, Operand::Const(0))
    }

    /// Arithmetic that tells whether it overflowed: the wrapped result and that.
    fn overflowing(
        &mut self,
        result: Option<LocalId>,
        base: &str,
        bits: u8,
        a: Operand,
        b: Operand,
    ) -> Result<(), Unsupported> {
        let Some(local) = result else { return Ok(()) };
        let (first, _) = self.registers_of(local, 2);
        let (dst, overflow) = (Reg(first), Reg(first + 1));
        let (x, y) = (self.temporary(), self.temporary());
        let (reg, zero) = (Operand::Reg, Operand::Const(0));
        let op = match &base[1..4] {
            "add" => ArithmeticOp::Add,
            "sub" => ArithmeticOp::Sub,
            _ => ArithmeticOp::Mul,
        };
        // Into a register of its own first: an operand may be the result of an earlier round.
        let value = self.temporary();
        self.arithmetic(value, op, bits, a, b);
        match (base.starts_with('s'), op) {
            (true, ArithmeticOp::Mul) => {
                self.arithmetic(x, ArithmeticOp::SMulHigh, bits, a, b);
                self.arithmetic(y, ArithmeticOp::AShr, bits, reg(value), i64::from(bits) - 1);
                self.arithmetic(overflow, ArithmeticOp::Ne, bits, reg(x), reg(y));
            }
            (false, ArithmeticOp::Mul) => {
                self.arithmetic(x, ArithmeticOp::UMulHigh, bits, a, b);
                self.arithmetic(overflow, ArithmeticOp::Ne, bits, reg(x), zero);
            }
            (true, _) => {
                let over = self.signed_overflow(op, bits, (a, b), reg(value));
                self.copy(overflow, over);
            }
            (false, ArithmeticOp::Add) => self.arithmetic(overflow, ArithmeticOp::ULt, bits, reg(value), a),
            (false, _) => self.arithmetic(overflow, ArithmeticOp::ULt, bits, a, b),
        }
        self.copy(dst, reg(value));
        Ok(())
    }
}
