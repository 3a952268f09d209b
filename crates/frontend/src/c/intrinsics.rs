//! LLVM's own functions.

use fencepost_llvm::{Call, LocalId};
use fencepost_program::{ArithmeticOp, Failure, Inst, Operand, Reg, UnaryOp};

use super::function::FunctionLowering;
use super::globals::Unsupported;

/// Marks for the compiler and for debuggers.
const IGNORED: [&str; 15] = [
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
];

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
            self.set_all(result, vec![value]);
            return Ok(());
        }
        if is("stacksave") || is("objectsize") || is("is.constant") {
            self.set_all(result, vec![Operand::Const(if is("objectsize") { -1 } else { 0 })]);
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
        let is = |name: &str| is(base, name);
        let argument = |lowering: &mut Self, i| lowering.intrinsic_argument(call, name, i);
        let bits = match call.arguments.first() {
            Some(argument) => self.bits(argument.ty)?,
            None => return Err(format!("the intrinsic `{name}`")),
        };
        if base.contains(".with.overflow") {
            let (a, b) = (argument(self, 0)?, argument(self, 1)?);
            return self.overflowing(result, base, bits, a, b);
        }
        if let Some(&(_, op)) = UNARY.iter().find(|(name, _)| is(name)) {
            let a = argument(self, 0)?;
            let dst = self.result(result);
            self.emit(Inst::Unary { dst, op, from: bits, to: bits, a });
        } else if let Some(&(_, less, largest)) = EXTREMES.iter().find(|(name, ..)| is(name)) {
            let (a, b) = (argument(self, 0)?, argument(self, 1)?);
            let cond = self.temporary();
            self.arithmetic(cond, less, bits, a, b);
            let (yes, no) = if largest { (b, a) } else { (a, b) };
            let dst = self.result(result);
            self.emit(Inst::Select { dst, cond: Operand::Reg(cond), yes, no });
        } else if is("abs") {
            let a = argument(self, 0)?;
            let (negative, negated) = (self.temporary(), self.temporary());
            self.arithmetic(negative, ArithmeticOp::SLt, bits, a, 0);
            self.arithmetic(negated, ArithmeticOp::Sub, bits, Operand::Const(0), a);
            let dst = self.result(result);
            self.emit(Inst::Select { dst, cond: Operand::Reg(negative), yes: Operand::Reg(negated), no: a });
        } else if is("fmuladd") {
            let (a, b, c) = (argument(self, 0)?, argument(self, 1)?, argument(self, 2)?);
            let product = self.temporary();
            self.arithmetic(product, ArithmeticOp::FMul, bits, a, b);
            let dst = self.result(result);
            self.arithmetic(dst, ArithmeticOp::FAdd, bits, Operand::Reg(product), c);
        } else if is("minnum") || is("maxnum") {
            let (a, b) = (argument(self, 0)?, argument(self, 1)?);
            let op = if is("minnum") { ArithmeticOp::FMin } else { ArithmeticOp::FMax };
            let dst = self.result(result);
            self.arithmetic(dst, op, bits, a, b);
        } else {
            return Err(format!("the intrinsic `{name}`"));
        }
        Ok(())
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
            // The sign of the result is wrong: for a sum, that of both operands is another.
            (true, _) => {
                self.arithmetic(x, ArithmeticOp::Xor, bits, a, reg(value));
                let other = if op == ArithmeticOp::Add { reg(value) } else { a };
                self.arithmetic(y, ArithmeticOp::Xor, bits, b, other);
                self.arithmetic(x, ArithmeticOp::And, bits, reg(x), reg(y));
                self.arithmetic(overflow, ArithmeticOp::SLt, bits, reg(x), zero);
            }
            (false, ArithmeticOp::Add) => self.arithmetic(overflow, ArithmeticOp::ULt, bits, reg(value), a),
            (false, _) => self.arithmetic(overflow, ArithmeticOp::ULt, bits, a, b),
        }
        self.copy(dst, reg(value));
        Ok(())
    }
}
