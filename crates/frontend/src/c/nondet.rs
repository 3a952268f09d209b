//! Values that nothing determines: `__VERIFIER_nondet_int` and what else tools have under such names.

mod classes;

use fencepost_llvm::{Call, LocalId, Type, TypeId};
use fencepost_program::{ArithmeticOp, Inst, Operand, Reg, UnaryOp, Value as Word, memory};

use super::function::FunctionLowering;
use super::globals::Unsupported;
use crate::input::Nondet;

/// The values that are tried of a larger type unless `--nondet` says otherwise: signed, and unsigned. All programs that
/// count, compare with 0 or 1 or index a small array find something to do with them.
const FEW: (Word, Word) = (-1, 2);
const FEW_UNSIGNED: (Word, Word) = (0, 3);

/// What follows `nondet_` in a name, if it is one.
pub(super) fn kind(name: &str) -> Option<&str> {
    name.strip_prefix("__VERIFIER_nondet_").or_else(|| name.strip_prefix("__ESBMC_nondet_"))
}

/// The same for tools in which every function without a body returns anything, and whose users call such functions so.
pub(super) fn kind_of_undefined(name: &str) -> Option<&str> {
    name.strip_prefix("nondet_").or_else(|| name.strip_prefix("ldv_undef_"))
}

fn is_unsigned(kind: &str) -> bool {
    let kind = kind.trim_start_matches('_');
    kind.starts_with('u') || ["size_t", "sector_t", "pthread_t", "unsigned"].contains(&kind)
}

impl FunctionLowering<'_, '_> {
    /// Any value of the type that the function returns, or some of them.
    pub(super) fn nondet(
        &mut self,
        result: Option<LocalId>,
        call: &Call,
        name: &str,
        kind: &str,
    ) -> Result<(), Unsupported> {
        let leaves = self.leaves(call.result)?;
        let [leaf] = leaves[..] else {
            return Err(format!("`{name}`, which does not return one number or pointer"));
        };
        let (bits, ty) = (leaf.bits, self.module.types.get(call.result));
        if bits > 64 || kind == "memory" {
            return Err(format!("a call of `{name}`, whose code is not known"));
        }
        let dst = self.result(result);
        let every = (memory::sign_extended(1 << (bits - 1), bits), Word::MAX >> (64 - bits));
        let nondet = self.lowering.settings.nondet;
        if nondet == Nondet::Few
            && self.is_whole(kind, bits, ty)
            && let Some(values) = self.classes(result, bits)
        {
            self.choose_one(dst, &values);
            return Ok(());
        }
        let (lo, hi) = match (kind.trim_start_matches('_'), ty) {
            ("bool" | "Bool", _) => (0, 1),
            // Registers hold bytes sign extended, so both signs have the same values.
            _ if bits == 8 => every,
            _ if bits < 8 => (0, (1 << bits) - 1),
            // They may be declared to return an `int`.
            ("char", _) => (-128, 127),
            ("uchar" | "unsigned_char" | "u8", _) => (0, 255),
            _ if nondet == Nondet::Every => every,
            (_, Type::Pointer) => {
                self.lowering.bound(name, "is a null pointer");
                (0, 0)
            }
            (kind, _) => {
                let unsigned = is_unsigned(kind);
                let (lo, hi) = match nondet {
                    Nondet::Within(lo, hi) => (lo, hi),
                    Nondet::Few if unsigned => FEW_UNSIGNED,
                    _ => FEW,
                };
                let smallest = if unsigned { 0 } else { every.0 };
                let (lo, hi) = (lo.max(smallest), hi.min(every.1));
                if lo > hi {
                    return Err(format!("`{name}`, which has no value within `--nondet`"));
                }
                match nondet {
                    Nondet::Few => self.lowering.bound(name, &format!("returns {lo} to {hi}")),
                    _ => self.lowering.assume(format!("`{name}` returns {lo} to {hi}")),
                }
                self.emit(Inst::Choose { dst, lo, hi });
                if let Type::Float | Type::Double = ty {
                    let (op, from, to) = (UnaryOp::SignedToFloat, 64, bits as u8);
                    self.emit(Inst::Unary { dst, op, from, to, a: Operand::Reg(dst) });
                }
                return Ok(());
            }
        };
        self.emit(Inst::Choose { dst, lo, hi });
        Ok(())
    }

    /// Gives a local any value of its type, or one of some.
    pub(super) fn any_value(&mut self, local: LocalId, ty: TypeId) -> Result<(), Unsupported> {
        let (bits, dst) = (self.leaf(ty)?.bits, self.result(Some(local)));
        let every = (memory::sign_extended(1 << (bits - 1), bits), Word::MAX >> (64 - bits));
        let nondet = self.lowering.settings.nondet;
        if nondet == Nondet::Few
            && let Some(values) =
                classes::representatives_of_variable(self.module, self.source, &self.storage, local, bits)
        {
            self.choose_one(dst, &values);
            return Ok(());
        }
        let name = self.module.name(self.source.locals[local.0 as usize]);
        let (lo, hi) = match nondet {
            _ if bits == 1 => (0, 1),
            _ if bits <= 8 => every,
            Nondet::Every => every,
            Nondet::Within(lo, hi) => (lo.max(every.0), hi.min(every.1)),
            Nondet::Few => FEW,
        };
        if lo > hi {
            return Err(format!("the uninitialised `{name}`, which has no value within `--nondet`"));
        }
        match nondet {
            Nondet::Few if bits > 8 => self.lowering.bound(name, &format!("is {lo} to {hi} where it is uninitialised")),
            Nondet::Within(..) if bits > 8 => {
                self.lowering.assume(format!("`{name}` is {lo} to {hi} where it is uninitialised"));
            }
            _ => {}
        }
        self.emit(Inst::Choose { dst, lo, hi });
        Ok(())
    }

    /// Whether a number has all values of its type. A `char` may be declared to be an `int`.
    fn is_whole(&self, kind: &str, bits: u32, ty: &Type) -> bool {
        let is_narrow = matches!(kind, "bool" | "_Bool" | "char" | "uchar" | "unsigned_char" | "u8");
        matches!(ty, Type::Int(_)) && (bits == 8 && !kind.ends_with("ool") || !is_narrow)
    }

    /// One value of each class that this function can tell apart.
    fn classes(&self, result: Option<LocalId>, bits: u32) -> Option<Vec<Word>> {
        match result {
            Some(number) => classes::representatives(self.module, self.source, &self.storage, number, bits),
            None => Some(vec![0]),
        }
    }

    fn choose_one(&mut self, dst: Reg, values: &[Word]) {
        let [first, others @ ..] = values else { return };
        if let ([], first) = (others, *first) {
            return self.copy(dst, Operand::Const(first));
        }
        let (index, is) = (self.temporary(), self.temporary());
        self.emit(Inst::Choose { dst: index, lo: 0, hi: others.len() as Word });
        self.copy(dst, Operand::Const(*first));
        for (i, &value) in (1..).zip(others) {
            self.arithmetic(is, ArithmeticOp::Eq, 64, Operand::Reg(index), i);
            let (cond, yes, no) = (Operand::Reg(is), Operand::Const(value), Operand::Reg(dst));
            self.emit(Inst::Select { dst, cond, yes, no });
        }
    }
}
