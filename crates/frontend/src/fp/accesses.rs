//! Lowering of accesses: which operations a location has, their arguments and their orderings.

use super::ast::{self, Access, Expr, ExprKind, Name, Operator, Target};
use super::lower::Lowering;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lowering::Lower;
use crate::orderings::{Role, list, ordering};
use crate::text::TextRange;
use fencepost_program::{
    ArithmeticOp, CasKind, Cell, Comparison, Inst, Membar, ObjectId, Operand, Ordering, Reg, UpdateOp,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Load,
    Store,
    Update(UpdateOp),
    Cas(CasKind),
    BlockingCas,
}

/// Each with its arguments, for messages.
const OPERATIONS: &[(&str, Operation, &str)] = &[
    ("load", Operation::Load, "ordering"),
    ("store", Operation::Store, "value, ordering"),
    ("cas", Operation::Cas(CasKind::Strong), "expected, new, ordering"),
    ("cas_weak", Operation::Cas(CasKind::Weak), "expected, new, ordering"),
    ("bcas", Operation::BlockingCas, "expected, new, ordering"),
    ("exchange", Operation::Update(UpdateOp::Exchange), "value, ordering"),
    ("fetch_add", Operation::Update(UpdateOp::Add), "value, ordering"),
    ("fetch_sub", Operation::Update(UpdateOp::Sub), "value, ordering"),
    ("fetch_and", Operation::Update(UpdateOp::And), "value, ordering"),
    ("fetch_or", Operation::Update(UpdateOp::Or), "value, ordering"),
    ("fetch_xor", Operation::Update(UpdateOp::Xor), "value, ordering"),
    ("fetch_nand", Operation::Update(UpdateOp::Nand), "value, ordering"),
    ("fetch_min", Operation::Update(UpdateOp::Min), "value, ordering"),
    ("fetch_max", Operation::Update(UpdateOp::Max), "value, ordering"),
];

impl<'t> Lowering<'_, 't> {
    pub(super) fn access(&mut self, access: &Access<'t>, target: Option<&Target<'t>>) -> Result<(), Diagnostic> {
        let place = self.place(&access.place)?;
        let (operation, takes) = operation(access.method)?;
        check_arguments(access, operation, takes)?;
        self.check_atomic(access, operation, place.object)?;
        let (old, ok) = self.results(access, operation, target)?;
        let (args, range) = (&access.args, access.range);
        let inst = match operation {
            Operation::Load => {
                Inst::Load { dst: old, place: place.into(), order: self.order(&args[0], Role::Load, place.object)? }
            }
            Operation::Store => Inst::Store {
                place: place.into(),
                value: self.value(&args[0])?,
                order: self.order(&args[1], Role::Store, place.object)?,
            },
            Operation::Update(op) => {
                let operand = self.value(&args[0])?;
                let order = self.order(&args[1], Role::Update, place.object)?;
                let when = match &access.when {
                    Some((comparison, value)) => Some((*comparison, self.value(value)?)),
                    None => None,
                };
                Inst::Rmw { dst: old, place: place.into(), op, operand, order, when }
            }
            Operation::Cas(kind) => {
                let (expected, desired) = (self.value(&args[0])?, self.value(&args[1])?);
                let success = self.order(&args[2], Role::Update, place.object)?;
                let failure = match args.get(3) {
                    Some(order) => self.order(order, Role::Failure, place.object)?,
                    None => success.without_release(),
                };
                Inst::Cas { old, ok, place: place.into(), expected, desired, success, failure, kind }
            }
            Operation::BlockingCas => {
                let (expected, desired) = (self.value(&args[0])?, self.value(&args[1])?);
                let order = self.order(&args[2], Role::Update, place.object)?;
                Inst::blocking_cas(place.into(), expected, desired, order)
            }
        };
        self.builder.emit(inst, range);
        Ok(())
    }

    pub(super) fn wait(
        &mut self,
        place: &ast::Place<'t>,
        comparison: Comparison,
        value: &Expr<'t>,
        order: &Expr<'t>,
        range: TextRange,
    ) -> Result<(), Diagnostic> {
        let range_of_place = place.range;
        let place = self.place(place)?;
        self.refuse_nonatomic(place.object, "a wait", range_of_place)?;
        let value = self.value(value)?;
        let order = self.order(order, Role::Wait, place.object)?;
        self.builder.emit(Inst::Wait { dst: None, place: place.into(), comparison, value, order }, range);
        Ok(())
    }

    pub(super) fn fence(&mut self, order: &Expr<'t>, range: TextRange) -> Result<(), Diagnostic> {
        let order = match membar(order) {
            Some(membar) => Ordering::Membar(membar),
            None => allowed(order, Role::Fence, Role::Fence.allowed())?,
        };
        self.builder.emit(Inst::Fence { order }, range);
        Ok(())
    }

    fn place(&mut self, place: &ast::Place<'t>) -> Result<Cell, Diagnostic> {
        let name = place.name;
        let Some((object, declared)) = self.globals.locations.get(name.text).copied() else {
            return Err(self.unknown_location(name));
        };
        let length = self.globals.objects[object.0 as usize].init.len();
        let index = match (&place.index, self.globals.objects[object.0 as usize].array) {
            (None, false) => Operand::Const(0),
            (Some(index), true) => self.value(index)?,
            (None, true) => {
                let message = format!("`{}` is an array of {length} locations", name.text);
                return Err(Diagnostic::new(message, name.range, format!("expected `{}[index]`", name.text))
                    .and(declared, "declared here"));
            }
            (Some(index), false) => {
                let message = format!("`{}` is one location, not an array", name.text);
                return Err(Diagnostic::new(message, index.range, "it takes no index").and(declared, "declared here"));
            }
        };
        if let (Operand::Const(i), Some(expr)) = (index, &place.index)
            && !(0..length as i64).contains(&i)
        {
            let message = format!("the index {i} is outside `{}`", name.text);
            return Err(Diagnostic::new(message, expr.range, format!("expected 0..{}", length - 1))
                .and(declared, format!("{length} locations")));
        }
        Ok(Cell { object, index })
    }

    fn unknown_location(&self, name: Name<'t>) -> Diagnostic {
        let is = if self.names.registers.contains_key(name.text) {
            "a register"
        } else if self.globals.constants.contains_key(name.text) {
            "a constant"
        } else {
            let error = Diagnostic::new(format!("no location `{}`", name.text), name.range, "not declared");
            return error.help(match did_you_mean(name.text, self.globals.locations.keys().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("declare it at the top of the file: `atomic {};`", name.text),
            });
        };
        Diagnostic::new(format!("`{}` is {is}, not a location", name.text), name.range, "expected a location")
    }

    fn check_atomic(&self, access: &Access<'t>, operation: Operation, object: ObjectId) -> Result<(), Diagnostic> {
        match operation {
            Operation::Load | Operation::Store => Ok(()),
            _ => self.refuse_nonatomic(object, &format!("`{}`", access.method.text), access.method.range),
        }
    }

    fn refuse_nonatomic(&self, object: ObjectId, what: &str, range: TextRange) -> Result<(), Diagnostic> {
        let object = &self.globals.objects[object.0 as usize];
        match self.globals.locations.get(object.name.as_str()) {
            Some((_, declared)) if !object.atomic => {
                let message = format!("{what} on the nonatomic location `{}`", object.name);
                Err(Diagnostic::new(message, range, "expected `load` or `store`")
                    .and(*declared, "declare it `atomic` to allow this"))
            }
            _ => Ok(()),
        }
    }

    fn order(&self, expr: &Expr<'t>, role: Role, object: ObjectId) -> Result<Ordering, Diagnostic> {
        let object = &self.globals.objects[object.0 as usize];
        let declared = self.globals.locations.get(object.name.as_str()).map(|(_, range)| *range);
        let declared = |error: Diagnostic, what: &str| match declared {
            Some(range) => error.and(range, what),
            None => error,
        };
        if object.atomic {
            return match name_of(expr).and_then(ordering) {
                Some(Ordering::NonAtomic) => Err(declared(
                    Diagnostic::new(
                        format!("`na` on the atomic location `{}`", object.name),
                        expr.range,
                        format!("expected {}", list(role.allowed())),
                    ),
                    "declared atomic here",
                )),
                _ => allowed(expr, role, role.allowed()),
            };
        }
        allowed(expr, role, &[Ordering::NonAtomic]).map_err(|error| declared(error, "declared nonatomic here"))
    }

    /// The registers that receive the value read and the success of an operation.
    fn results(
        &self,
        access: &Access<'t>,
        operation: Operation,
        target: Option<&Target<'t>>,
    ) -> Result<(Option<Reg>, Option<Reg>), Diagnostic> {
        let method = access.method;
        let (ok, old) = match target {
            None => return Ok((None, None)),
            Some(Target::One(old)) => (None, *old),
            Some(Target::Pair(ok, old)) => (Some(*ok), *old),
        };
        match (operation, ok) {
            (Operation::Store | Operation::BlockingCas, _) => {
                let message = format!("`{}` has no result", method.text);
                Err(Diagnostic::new(message, old.range, "nothing to assign"))
            }
            (Operation::Cas(CasKind::Weak), None) => {
                let message = "a weak CAS needs two results: the value read does not tell whether it succeeded";
                Err(Diagnostic::new(message, old.range, format!("expected `(ok, {})`", old.text)))
            }
            (Operation::Cas(_), Some(ok)) if ok.text == old.text && ok.text != "_" => {
                let message = format!("both results go to `{}`", ok.text);
                Err(Diagnostic::new(message, old.range, "expected another register, or `_`"))
            }
            (Operation::Load | Operation::Update(_), Some(ok)) => {
                let message = format!("`{}` has one result", method.text);
                Err(Diagnostic::new(message, ok.range, "only `cas` and `cas_weak` have two"))
            }
            _ => Ok((self.register(old), ok.and_then(|ok| self.register(ok)))),
        }
    }
}

fn operation(method: Name<'_>) -> Result<(Operation, &'static str), Diagnostic> {
    if let Some((_, operation, takes)) = OPERATIONS.iter().find(|(name, ..)| *name == method.text) {
        return Ok((*operation, takes));
    }
    let error = Diagnostic::new(format!("no access `{}`", method.text), method.range, "not an operation on locations");
    Err(error.help(match did_you_mean(method.text, OPERATIONS.iter().map(|(name, ..)| *name)) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!(
            "there are {}",
            OPERATIONS.iter().map(|(name, ..)| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        ),
    }))
}

fn check_arguments(access: &Access<'_>, operation: Operation, takes: &str) -> Result<(), Diagnostic> {
    if let Some((_, value)) = &access.when
        && !matches!(operation, Operation::Update(_))
    {
        let message = format!("`{}` has no `when`", access.method.text);
        return Err(Diagnostic::new(message, value.range, "only `exchange` and `fetch_...` have one")
            .help("to block until a load reads some value, write `wait(x == e, ordering);`"));
    }
    let (given, expected) = (access.args.len(), takes.split(", ").count());
    let optional = matches!(operation, Operation::Cas(_)) as usize;
    if (expected..=expected + optional).contains(&given) {
        return Ok(());
    }
    let method = access.method.text;
    let last_is_order = access.args.last().and_then(name_of).is_some_and(|word| ordering(word).is_some());
    let message = if given + 1 == expected && !last_is_order {
        format!("`{method}` without an ordering")
    } else {
        format!("`{method}` takes {expected} argument{}, not {given}", if expected == 1 { "" } else { "s" })
    };
    let failure = if optional == 1 { "[, failure ordering]" } else { "" };
    Err(Diagnostic::new(message, access.range, format!("expected `{method}({takes}{failure})`")))
}

fn name_of<'t>(expr: &Expr<'t>) -> Option<&'t str> {
    if let ExprKind::Name(name) = expr.kind { Some(name) } else { None }
}

/// `StoreLoad`, or several with `|` between them.
fn membar(expr: &Expr<'_>) -> Option<Membar> {
    match &expr.kind {
        ExprKind::Binary(Operator::Plain(ArithmeticOp::Or), a, b) => Some(membar(a)? | membar(b)?),
        _ => Membar::named(name_of(expr)?),
    }
}

fn allowed(expr: &Expr<'_>, role: Role, allowed: &[Ordering]) -> Result<Ordering, Diagnostic> {
    let expected = format!("expected {}", list(allowed));
    let Some(word) = name_of(expr) else {
        return Err(Diagnostic::new(format!("{} needs an ordering here", role.describe()), expr.range, expected));
    };
    match ordering(word) {
        Some(order) if allowed.contains(&order) => Ok(order),
        Some(order) => {
            let message = format!("{} cannot be `{order}`", role.describe());
            Err(Diagnostic::new(message, expr.range, expected))
        }
        None => {
            let error = Diagnostic::new(format!("`{word}` is not an ordering"), expr.range, expected);
            Err(match did_you_mean(word, allowed.iter().map(|order| order.name())) {
                Some(meant) => error.help(format!("did you mean `{meant}`?")),
                None => error,
            })
        }
    }
}
