//! Tests for the Linux kernel: its primitives as operations of C11 (docs/reference/litmus.md has the table).
//!
//! The kernel has a memory model of its own. It differs: it orders by dependencies, and its barriers are finer.

use super::ast::*;
use super::lower::Lowering;
use crate::diagnostic::Diagnostic;
use crate::lowering::Lower;
use crate::text::TextRange;
use crate::tokens::{TokenKind, Tokens};
use fencepost_program::{ArithmeticOp, CasKind, Cell, Inst, Operand, Ordering, Reg, UpdateOp};

/// What an answer about such a test says of it.
pub(super) const ASSUMPTION: &str = "the primitives of the Linux kernel are operations of C11 here, as \
    docs/reference/litmus.md says: the kernel's own memory model may allow more executions, or fewer";

const TYPES: &[&str] = &["atomic_t", "atomic64_t", "atomic_long_t", "spinlock_t"];

const NAMES: &[&str] = &["READ_ONCE", "WRITE_ONCE", "ACCESS_ONCE", "xchg", "cmpxchg"];

const PREFIXES: &[&str] = &["smp_", "rcu_", "srcu_", "synchronize_", "spin_", "xchg_", "cmpxchg_", "__srcu"];

/// What C11 has no counterpart of.
const REFUSED: &[(&str, &str)] = &[
    ("rcu_read_", "read-copy-update has no counterpart in C11"),
    ("synchronize_", "read-copy-update has no counterpart in C11"),
    ("call_rcu", "read-copy-update has no counterpart in C11"),
    ("kfree", "memory is not allocated or freed in litmus tests"),
    ("srcu_", "sleepable read-copy-update has no counterpart in C11"),
    ("__srcu", "sleepable read-copy-update has no counterpart in C11"),
    ("smp_mb__after_srcu", "sleepable read-copy-update has no counterpart in C11"),
    ("spin_unlock_wait", "it is not part of the kernel any more"),
    ("ACCESS_ONCE", "it is not part of the kernel any more; use `READ_ONCE` or `WRITE_ONCE`"),
];

/// Whether a test is one for the kernel.
pub(super) fn is_for_kernel(text: &str, tokens: &Tokens) -> bool {
    tokens.tokens.iter().filter(|token| token.kind == TokenKind::Identifier).any(|token| {
        let word = token.range.of(text);
        TYPES.contains(&word) || NAMES.contains(&word) || PREFIXES.iter().any(|prefix| word.starts_with(prefix))
    })
}

/// How an update is ordered with what is around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strength {
    /// A full barrier before and after it.
    Full,
    Only(Ordering),
}

/// What an update returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Nothing,
    Old,
    New,
    /// Whether the new value is 0.
    IsZero,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    /// Of a location that is written as `*x`, or as its address `x`.
    Load(Named, Ordering),
    Store(Named, Ordering),
    StoreAndBarrier,
    Fence(Ordering),
    Nothing,
    Exchange(Strength),
    CompareExchange(Strength),
    /// The operand comes first, if it is not 1.
    Update {
        op: UpdateOp,
        one: bool,
        strength: Strength,
        result: Outcome,
    },
    AddUnless,
    IncrementNotZero,
    Lock,
    Unlock,
    TryLock,
    IsLocked,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Content,
    Address,
}

const FUNCTIONS: &[(&str, Function)] = &[
    ("READ_ONCE", Function::Load(Named::Content, Ordering::Relaxed)),
    ("rcu_dereference", Function::Load(Named::Content, Ordering::Acquire)),
    ("lockless_dereference", Function::Load(Named::Content, Ordering::Acquire)),
    ("smp_load_acquire", Function::Load(Named::Address, Ordering::Acquire)),
    ("atomic_read", Function::Load(Named::Address, Ordering::Relaxed)),
    ("atomic_read_acquire", Function::Load(Named::Address, Ordering::Acquire)),
    ("WRITE_ONCE", Function::Store(Named::Content, Ordering::Relaxed)),
    ("rcu_assign_pointer", Function::Store(Named::Content, Ordering::Release)),
    ("smp_store_release", Function::Store(Named::Address, Ordering::Release)),
    ("atomic_set", Function::Store(Named::Address, Ordering::Relaxed)),
    ("atomic_set_release", Function::Store(Named::Address, Ordering::Release)),
    ("smp_store_mb", Function::StoreAndBarrier),
    ("smp_mb", Function::Fence(Ordering::SeqCst)),
    ("smp_rmb", Function::Fence(Ordering::Acquire)),
    ("smp_wmb", Function::Fence(Ordering::Release)),
    ("smp_mb__before_atomic", Function::Fence(Ordering::SeqCst)),
    ("smp_mb__after_atomic", Function::Fence(Ordering::SeqCst)),
    ("smp_mb__after_spinlock", Function::Fence(Ordering::SeqCst)),
    ("smp_mb__after_unlock_lock", Function::Fence(Ordering::SeqCst)),
    ("barrier", Function::Nothing),
    ("spin_lock", Function::Lock),
    ("spin_unlock", Function::Unlock),
    ("spin_trylock", Function::TryLock),
    ("spin_is_locked", Function::IsLocked),
    ("atomic_add_unless", Function::AddUnless),
    ("atomic_inc_not_zero", Function::IncrementNotZero),
];

const UPDATES: &[(&str, UpdateOp, bool)] = &[
    ("add", UpdateOp::Add, false),
    ("sub", UpdateOp::Sub, false),
    ("inc", UpdateOp::Add, true),
    ("dec", UpdateOp::Sub, true),
    ("and", UpdateOp::And, false),
    ("or", UpdateOp::Or, false),
    ("xor", UpdateOp::Xor, false),
];

/// A function with `atomic64_` or `atomic_long_` is the same with `atomic_`.
fn function(name: &str) -> Option<Function> {
    let wide = name.strip_prefix("atomic64_").or_else(|| name.strip_prefix("atomic_long_"));
    let name = &wide.map_or(name.to_owned(), |rest| format!("atomic_{rest}"))[..];
    let known = FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, function)| *function);
    known.or_else(|| {
        let (base, strength) = strength(name);
        match base {
            "xchg" | "atomic_xchg" => Some(Function::Exchange(strength)),
            "cmpxchg" | "atomic_cmpxchg" => Some(Function::CompareExchange(strength)),
            _ => update(base, strength),
        }
    })
}

/// The name without its ordering, and the ordering.
fn strength(name: &str) -> (&str, Strength) {
    let orders = [("_relaxed", Ordering::Relaxed), ("_acquire", Ordering::Acquire), ("_release", Ordering::Release)];
    let found = orders.iter().find_map(|(end, order)| Some((name.strip_suffix(end)?, Strength::Only(*order))));
    found.unwrap_or((name, Strength::Full))
}

/// `atomic_add`, `atomic_add_return`, `atomic_fetch_add`, `atomic_sub_and_test`.
fn update(base: &str, strength: Strength) -> Option<Function> {
    let rest = base.strip_prefix("atomic_")?;
    let find = |name: &str| UPDATES.iter().find(|(known, ..)| *known == name).copied();
    if let Some((_, op, one)) = find(rest) {
        // Without a result, it orders nothing.
        let strength = (strength == Strength::Full).then_some(Strength::Only(Ordering::Relaxed))?;
        return Some(Function::Update { op, one, strength, result: Outcome::Nothing });
    }
    let (name, result) = if let Some(name) = rest.strip_prefix("fetch_") {
        (name, Outcome::Old)
    } else if let Some(name) = rest.strip_suffix("_return") {
        (name, Outcome::New)
    } else {
        (rest.strip_suffix("_and_test")?, Outcome::IsZero)
    };
    let (_, op, one) = find(name)?;
    Some(Function::Update { op, one, strength, result })
}

impl Function {
    fn arguments(self) -> usize {
        match self {
            Function::Fence(_) | Function::Nothing => 0,
            Function::Load(..) | Function::Lock | Function::Unlock | Function::TryLock | Function::IsLocked => 1,
            Function::IncrementNotZero => 1,
            Function::Update { one, .. } => 2 - one as usize,
            Function::Store(..) | Function::StoreAndBarrier | Function::Exchange(_) => 2,
            Function::CompareExchange(_) | Function::AddUnless => 3,
        }
    }
}

impl<'t> Lowering<'_, 't> {
    /// The value of a call of the kernel's, if it is one and has one.
    pub(super) fn kernel_call(
        &mut self,
        name: Name<'t>,
        args: &[Expr<'t>],
        range: TextRange,
        into: Option<Reg>,
    ) -> Result<Option<Option<Operand>>, Diagnostic> {
        if let Some((_, why)) = REFUSED.iter().find(|(prefix, _)| name.text.starts_with(prefix)) {
            return Err(Diagnostic::new(format!("`{}` is not supported", name.text), name.range, *why));
        }
        let Some(function) = function(name.text) else { return Ok(None) };
        let expected = function.arguments();
        if args.len() != expected {
            let plural = if expected == 1 { "" } else { "s" };
            let message = format!("`{}` takes {expected} argument{plural}, not {}", name.text, args.len());
            return Err(Diagnostic::new(message, range, format!("expected {expected} argument{plural}")));
        }
        self.kernel_function(function, args, range, into).map(Some)
    }

    fn kernel_function(
        &mut self,
        function: Function,
        args: &[Expr<'t>],
        range: TextRange,
        into: Option<Reg>,
    ) -> Result<Option<Operand>, Diagnostic> {
        let zero = Operand::Const(0);
        match function {
            Function::Load(named, order) => {
                let cell = self.location(named, &args[0])?;
                let dst = into.unwrap_or_else(|| self.builder.temporary());
                self.builder.emit(Inst::Load { dst: Some(dst), place: cell.into(), order }, range);
                return Ok(Some(Operand::Reg(dst)));
            }
            Function::Store(named, order) => self.kernel_store(named, order, args, range)?,
            Function::StoreAndBarrier => {
                // herd's tests have it both ways.
                let is_content = matches!(args[0].kind, ExprKind::Own(Own::Deref(_) | Own::Index(..)));
                let named = if is_content { Named::Content } else { Named::Address };
                self.kernel_store(named, Ordering::Relaxed, args, range)?;
                self.builder.emit(Inst::Fence { order: Ordering::SeqCst }, range);
            }
            Function::Fence(order) => self.builder.emit(Inst::Fence { order }, range),
            Function::Nothing => {}
            Function::Exchange(strength) => {
                let cell = self.location(Named::Address, &args[0])?;
                let value = self.value(&args[1])?;
                return Ok(Some(self.kernel_update(cell, UpdateOp::Exchange, value, strength, range)));
            }
            Function::CompareExchange(strength) => {
                let cell = self.location(Named::Address, &args[0])?;
                let (expected, desired) = (self.value(&args[1])?, self.value(&args[2])?);
                return Ok(Some(self.kernel_exchange(cell, (expected, desired), strength, range).0));
            }
            Function::Update { op, one, strength, result } => {
                let operand = if one { Operand::Const(1) } else { self.value(&args[0])? };
                let cell = self.location(Named::Address, &args[args.len() - 1])?;
                let old = self.kernel_update(cell, op, operand, strength, range);
                let new = |this: &mut Self| match op.arithmetic() {
                    Some(op) => this.builder.binary(op, old, operand, None, range),
                    None => operand,
                };
                return Ok(match result {
                    Outcome::Nothing => None,
                    Outcome::Old => Some(old),
                    Outcome::New => Some(new(self)),
                    Outcome::IsZero => {
                        let new = new(self);
                        Some(self.builder.binary(ArithmeticOp::Eq, new, zero, None, range))
                    }
                });
            }
            Function::AddUnless => {
                let cell = self.location(Named::Address, &args[0])?;
                let (added, unless) = (self.value(&args[1])?, self.value(&args[2])?);
                return Ok(Some(self.add_unless(cell, added, unless, range)));
            }
            Function::IncrementNotZero => {
                let cell = self.location(Named::Address, &args[0])?;
                return Ok(Some(self.add_unless(cell, Operand::Const(1), zero, range)));
            }
            Function::Lock => {
                let place = self.location(Named::Address, &args[0])?.into();
                self.builder.emit(Inst::blocking_cas(place, zero, Operand::Const(1), Ordering::Acquire), range);
            }
            Function::Unlock => {
                let place = self.location(Named::Address, &args[0])?.into();
                self.builder.emit(Inst::Store { place, value: zero, order: Ordering::Release }, range);
            }
            Function::TryLock => {
                let cell = self.location(Named::Address, &args[0])?;
                let strength = Strength::Only(Ordering::Acquire);
                return Ok(Some(self.kernel_exchange(cell, (zero, Operand::Const(1)), strength, range).1));
            }
            Function::IsLocked => {
                let place = self.location(Named::Address, &args[0])?.into();
                let dst = self.builder.temporary();
                self.builder.emit(Inst::Load { dst: Some(dst), place, order: Ordering::Relaxed }, range);
                return Ok(Some(self.builder.binary(ArithmeticOp::Ne, Operand::Reg(dst), zero, None, range)));
            }
        }
        Ok(None)
    }

    fn location(&mut self, named: Named, expr: &Expr<'t>) -> Result<Cell, Diagnostic> {
        match (named, &expr.kind) {
            (Named::Content, ExprKind::Own(own @ (Own::Deref(_) | Own::Index(..)))) => {
                Ok(self.dereferenced(own, expr.range)?.0)
            }
            (Named::Content, _) => Err(Diagnostic::new("this is not a location", expr.range, "expected `*x`")),
            (Named::Address, _) => Ok(self.pointed(expr)?.1),
        }
    }

    fn kernel_store(
        &mut self,
        named: Named,
        order: Ordering,
        args: &[Expr<'t>],
        range: TextRange,
    ) -> Result<(), Diagnostic> {
        let cell = self.location(named, &args[0])?;
        let value = self.value(&args[1])?;
        let value = self.converted(cell.object, value, args[1].range);
        self.builder.emit(Inst::Store { place: cell.into(), value, order }, range);
        Ok(())
    }

    /// Emits an operation, between full barriers if it is to have them.
    fn between(&mut self, strength: Strength, range: TextRange, emit: impl FnOnce(Ordering) -> Inst) {
        let barrier = Inst::Fence { order: Ordering::SeqCst };
        match strength {
            Strength::Only(order) => self.builder.emit(emit(order), range),
            Strength::Full => {
                self.builder.emit(barrier.clone(), range);
                self.builder.emit(emit(Ordering::Relaxed), range);
                self.builder.emit(barrier, range);
            }
        }
    }

    /// Returns the old value.
    fn kernel_update(
        &mut self,
        cell: Cell,
        op: UpdateOp,
        operand: Operand,
        strength: Strength,
        range: TextRange,
    ) -> Operand {
        let dst = self.builder.temporary();
        let place = cell.into();
        self.between(strength, range, |order| Inst::Rmw { dst: Some(dst), place, op, operand, order, when: None });
        Operand::Reg(dst)
    }

    /// Returns the old value, and whether it was the expected one. One that fails orders nothing. Whether the barrier
    /// before it is there depends on what follows, so that is guessed, and executions with a wrong guess are given up.
    fn kernel_exchange(
        &mut self,
        cell: Cell,
        (expected, desired): (Operand, Operand),
        strength: Strength,
        range: TextRange,
    ) -> (Operand, Operand) {
        let (old, ok) = (self.builder.temporary(), self.builder.temporary());
        let exchange = |success| Inst::Cas {
            old: Some(old),
            ok: Some(ok),
            place: cell.into(),
            expected,
            desired,
            success,
            failure: Ordering::Relaxed,
            kind: CasKind::Strong,
        };
        if let Strength::Only(order) = strength {
            self.builder.emit(exchange(order), range);
            return (Operand::Reg(old), Operand::Reg(ok));
        }
        let (succeeds, fails, end) = (self.builder.label(), self.builder.label(), self.builder.label());
        let guess = self.builder.temporary();
        self.builder.emit(Inst::Choose { dst: guess, lo: 0, hi: 1 }, range);
        self.builder.branch(Operand::Reg(guess), succeeds, fails, range);
        self.builder.here(succeeds);
        self.between(strength, range, exchange);
        self.builder.emit(Inst::Assume { cond: Operand::Reg(ok) }, range);
        self.builder.jump(end, range);
        self.builder.here(fails);
        self.builder.emit(Inst::Load { dst: Some(old), place: cell.into(), order: Ordering::Relaxed }, range);
        let differs = self.builder.binary(ArithmeticOp::Ne, Operand::Reg(old), expected, Some(ok), range);
        self.builder.emit(Inst::Assume { cond: differs }, range);
        self.builder.copy(ok, Operand::Const(0), range);
        self.builder.here(end);
        (Operand::Reg(old), Operand::Reg(ok))
    }

    /// Adds unless the location holds `unless`; returns whether it did. A loop, as in the kernel.
    fn add_unless(&mut self, cell: Cell, added: Operand, unless: Operand, range: TextRange) -> Operand {
        let (held, done) = (self.builder.temporary(), self.builder.temporary());
        let (again, attempt, end) = (self.builder.label(), self.builder.label(), self.builder.label());
        self.builder.emit(Inst::Load { dst: Some(held), place: cell.into(), order: Ordering::Relaxed }, range);
        self.builder.here(again);
        let differs = self.builder.binary(ArithmeticOp::Ne, Operand::Reg(held), unless, None, range);
        self.builder.copy(done, differs, range);
        self.builder.branch(differs, attempt, end, range);
        self.builder.here(attempt);
        let sum = self.builder.binary(ArithmeticOp::Add, Operand::Reg(held), added, None, range);
        let (old, ok) = self.kernel_exchange(cell, (Operand::Reg(held), sum), Strength::Full, range);
        self.builder.copy(held, old, range);
        self.builder.branch(ok, end, again, range);
        self.builder.here(end);
        Operand::Reg(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_an_update_says_its_operation_its_result_and_its_ordering() {
        let update = |op, one, strength, result| Some(Function::Update { op, one, strength, result });
        let (relaxed, acquire) = (Strength::Only(Ordering::Relaxed), Strength::Only(Ordering::Acquire));
        assert_eq!(function("atomic_inc"), update(UpdateOp::Add, true, relaxed, Outcome::Nothing));
        assert_eq!(function("atomic_add_return"), update(UpdateOp::Add, false, Strength::Full, Outcome::New));
        assert_eq!(function("atomic_fetch_sub_acquire"), update(UpdateOp::Sub, false, acquire, Outcome::Old));
        assert_eq!(function("atomic64_dec_and_test"), update(UpdateOp::Sub, true, Strength::Full, Outcome::IsZero));
        assert_eq!(function("atomic_add_acquire"), None);
        assert_eq!(function("cmpxchg_acquire"), Some(Function::CompareExchange(acquire)));
        assert_eq!(function("atomic_frob"), None);
    }
}
