//! The functions of `<stdatomic.h>`.

use super::ast::*;
use super::lower::Lowering;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lowering::Lower;
use crate::orderings::Role;
use crate::text::TextRange;
use fencepost_program::{CasKind, Cell, Inst, Operand, Ordering, Reg, UpdateOp};

#[derive(Clone, Copy)]
enum Operation {
    Load,
    Store,
    Update(UpdateOp),
    Cas(CasKind),
    Fence,
    Init,
    Assert,
}

/// Each with its arguments without the orderings, and the roles of those that its `_explicit` form adds.
const FUNCTIONS: &[(&str, Operation, usize, &[Role])] = &[
    ("atomic_load", Operation::Load, 1, &[Role::Load]),
    ("atomic_store", Operation::Store, 2, &[Role::Store]),
    ("atomic_exchange", Operation::Update(UpdateOp::Exchange), 2, &[Role::Update]),
    ("atomic_fetch_add", Operation::Update(UpdateOp::Add), 2, &[Role::Update]),
    ("atomic_fetch_sub", Operation::Update(UpdateOp::Sub), 2, &[Role::Update]),
    ("atomic_fetch_and", Operation::Update(UpdateOp::And), 2, &[Role::Update]),
    ("atomic_fetch_or", Operation::Update(UpdateOp::Or), 2, &[Role::Update]),
    ("atomic_fetch_xor", Operation::Update(UpdateOp::Xor), 2, &[Role::Update]),
    ("atomic_compare_exchange_strong", Operation::Cas(CasKind::Strong), 3, &[Role::Update, Role::Failure]),
    ("atomic_compare_exchange_weak", Operation::Cas(CasKind::Weak), 3, &[Role::Update, Role::Failure]),
    ("atomic_thread_fence", Operation::Fence, 0, &[Role::Fence]),
    ("atomic_init", Operation::Init, 2, &[]),
    ("assert", Operation::Assert, 1, &[]),
];

const ORDERS: &[(&str, Ordering)] = &[
    ("memory_order_relaxed", Ordering::Relaxed),
    // Every compiler takes consume for acquire.
    ("memory_order_consume", Ordering::Acquire),
    ("memory_order_acquire", Ordering::Acquire),
    ("memory_order_release", Ordering::Release),
    ("memory_order_acq_rel", Ordering::AcqRel),
    ("memory_order_seq_cst", Ordering::SeqCst),
];

impl<'t> Lowering<'_, 't> {
    /// The value of a call, if it has one.
    pub(super) fn call(
        &mut self,
        name: Name<'t>,
        args: &[Expr<'t>],
        range: TextRange,
        into: Option<Reg>,
    ) -> Result<Option<Operand>, Diagnostic> {
        if self.kernel
            && let Some(value) = self.kernel_call(name, args, range, into)?
        {
            return Ok(value);
        }
        let plain = name.text.strip_suffix("_explicit");
        let known = FUNCTIONS.iter().find(|(function, _, _, roles)| match plain {
            Some(plain) => *function == plain && !roles.is_empty(),
            None => *function == name.text,
        });
        let Some(&(_, operation, values, roles)) = known else { return Err(unknown(name)) };
        let explicit = plain.is_some() || matches!(operation, Operation::Fence);
        let expected = values + if explicit { roles.len() } else { 0 };
        if args.len() != expected {
            let plural = if expected == 1 { "" } else { "s" };
            let message = format!("`{}` takes {expected} argument{plural}, not {}", name.text, args.len());
            return Err(Diagnostic::new(message, range, format!("expected {expected} argument{plural}")));
        }
        let (args, orders) = args.split_at(values);
        let orders = match explicit {
            true => orders.iter().zip(roles).map(|(expr, role)| order(expr, *role)).collect::<Result<Vec<_>, _>>()?,
            false => vec![Ordering::SeqCst; roles.len()],
        };
        self.operation(operation, args, &orders, range, into)
    }

    fn operation(
        &mut self,
        operation: Operation,
        args: &[Expr<'t>],
        orders: &[Ordering],
        range: TextRange,
        into: Option<Reg>,
    ) -> Result<Option<Operand>, Diagnostic> {
        let order = orders.first().copied().unwrap_or(Ordering::NonAtomic);
        match operation {
            Operation::Load => {
                let (_, place) = self.pointed(&args[0])?;
                let dst = into.unwrap_or_else(|| self.builder.temporary());
                self.builder.emit(Inst::Load { dst: Some(dst), place: place.into(), order }, range);
                Ok(Some(Operand::Reg(dst)))
            }
            Operation::Store | Operation::Init => {
                let (_, place) = self.pointed(&args[0])?;
                let value = self.value(&args[1])?;
                let value = self.converted(place.object, value, args[1].range);
                self.builder.emit(Inst::Store { place: place.into(), value, order }, range);
                Ok(None)
            }
            Operation::Update(op) => {
                let (_, place) = self.pointed(&args[0])?;
                let operand = self.value(&args[1])?;
                let operand = match op {
                    UpdateOp::Exchange => self.converted(place.object, operand, args[1].range),
                    _ => operand,
                };
                let dst = into.unwrap_or_else(|| self.builder.temporary());
                let place = place.into();
                self.builder.emit(Inst::Rmw { dst: Some(dst), place, op, operand, order, when: None }, range);
                Ok(Some(Operand::Reg(dst)))
            }
            Operation::Cas(kind) => self.compare_exchange(kind, args, orders, range).map(Some),
            Operation::Fence => {
                // A relaxed fence has no effect (C11 7.17.4.1).
                if order != Ordering::Relaxed {
                    self.builder.emit(Inst::Fence { order }, range);
                }
                Ok(None)
            }
            Operation::Assert => {
                let cond = self.value(&args[0])?;
                self.builder.emit(Inst::Assert { cond }, range);
                Ok(None)
            }
        }
    }

    /// The expected value is in a local variable, or, as in herd's own tests, in a shared location: then it is read
    /// before and written after a failure, not atomically.
    fn compare_exchange(
        &mut self,
        kind: CasKind,
        args: &[Expr<'t>],
        orders: &[Ordering],
        range: TextRange,
    ) -> Result<Operand, Diagnostic> {
        let (success, failure) = (orders[0], orders[1]);
        let (_, place) = self.pointed(&args[0])?;
        let ok = self.builder.temporary();
        let desired = self.value(&args[2])?;
        let desired = self.converted(place.object, desired, args[2].range);
        let cas = |old, expected| Inst::Cas {
            old: Some(old),
            ok: Some(ok),
            place: place.into(),
            expected,
            desired,
            success,
            failure,
            kind,
        };
        if let Some(local) = self.address_of_local(&args[1])? {
            // On success the variable already holds the value that was read.
            self.builder.emit(cas(local, Operand::Reg(local)), range);
            return Ok(Operand::Reg(ok));
        }
        let (_, shared) = self.pointed(&args[1])?;
        let (expected, old) = (self.builder.temporary(), self.builder.temporary());
        let order = Ordering::NonAtomic;
        self.builder.emit(Inst::Load { dst: Some(expected), place: shared.into(), order }, args[1].range);
        self.builder.emit(cas(old, Operand::Reg(expected)), range);
        self.store_unless(ok, shared, old, args[1].range);
        Ok(Operand::Reg(ok))
    }

    fn store_unless(&mut self, ok: Reg, place: Cell, value: Reg, range: TextRange) {
        let (failed, end) = (self.builder.label(), self.builder.label());
        self.builder.branch(Operand::Reg(ok), end, failed, range);
        self.builder.here(failed);
        let (value, order) = (Operand::Reg(value), Ordering::NonAtomic);
        self.builder.emit(Inst::Store { place: place.into(), value, order }, range);
        self.builder.here(end);
    }

    fn address_of_local(&self, expr: &Expr<'t>) -> Result<Option<Reg>, Diagnostic> {
        let ExprKind::Own(Own::AddressOf(inner)) = &expr.kind else { return Ok(None) };
        let ExprKind::Name(name) = inner.kind else { return Ok(None) };
        match self.locals.get(name) {
            Some(local) => Ok(Some(local.reg)),
            None => Err(self.unknown_local(name, inner.range)),
        }
    }
}

fn order(expr: &Expr<'_>, role: Role) -> Result<Ordering, Diagnostic> {
    let relaxed_fence = role == Role::Fence;
    let fits = |order: Ordering| role.allowed().contains(&order) || (relaxed_fence && order == Ordering::Relaxed);
    let allowed: Vec<String> = ORDERS
        .iter()
        .filter(|(name, order)| fits(*order) && *name != "memory_order_consume")
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    let expected = format!("expected {}", crate::orderings::alternatives(&allowed));
    let ExprKind::Name(word) = expr.kind else {
        return Err(Diagnostic::new(format!("{} needs an ordering here", role.describe()), expr.range, expected));
    };
    match ORDERS.iter().find(|(name, _)| *name == word) {
        Some((_, order)) if fits(*order) => Ok(*order),
        Some(_) => Err(Diagnostic::new(format!("{} cannot be `{word}`", role.describe()), expr.range, expected)),
        None => Err(Diagnostic::new(format!("`{word}` is not an ordering"), expr.range, expected)),
    }
}

fn unknown(name: Name<'_>) -> Diagnostic {
    let error = Diagnostic::new(format!("no function `{}`", name.text), name.range, "not part of <stdatomic.h>");
    let known: Vec<String> = FUNCTIONS
        .iter()
        .flat_map(|(function, _, _, roles)| {
            [Some(function.to_string()), (!roles.is_empty()).then(|| format!("{function}_explicit"))]
        })
        .flatten()
        .collect();
    match did_you_mean(name.text, known.iter().map(String::as_str)) {
        Some(meant) => error.help(format!("did you mean `{meant}`?")),
        None => error,
    }
}
