//! What is to be proved.

use fencepost_program::question::{Observable, Proposition, Term};
use fencepost_program::{Address, Inst, Operand, Span, smallest};

use crate::domains::Domain;
use crate::domains::Interval;
use crate::system::naming::Named;
use crate::system::{Facts, System};
use crate::threads::code::Step;
use crate::threads::interpret::place;

/// A place at which a program may go wrong.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    pub(crate) kind: PropertyKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum PropertyKind {
    /// The operand is not zero.
    Nonzero { thread: usize, node: usize, operand: Operand, why: Check },
    /// The operands of a signed division are not the smallest integer of their width and -1.
    Quotient { thread: usize, node: usize, bits: u8, operands: [Operand; 2] },
    /// The operand is an index into this number of cells.
    InBounds { thread: usize, node: usize, index: Operand, length: usize },
    /// No final state satisfies the proposition.
    Never(Proposition),
}

/// Of what kind a property is, for reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Check {
    Assertion,
    OutOfBounds,
    DivisionByZero,
    DivisionOverflow,
    Condition,
}

impl Check {
    pub fn name(self) -> &'static str {
        match self {
            Check::Assertion => "assertion",
            Check::OutOfBounds => "out-of-bounds",
            Check::DivisionByZero => "division-by-zero",
            Check::DivisionOverflow => "division-overflow",
            Check::Condition => "condition",
        }
    }
}

/// Which values of a property are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// Those that may break it.
    Failing,
    /// All that are possible.
    Any,
}

impl Property {
    pub(crate) fn check(&self) -> Check {
        match self.kind {
            PropertyKind::Nonzero { why, .. } => why,
            PropertyKind::Quotient { .. } => Check::DivisionOverflow,
            PropertyKind::InBounds { .. } => Check::OutOfBounds,
            PropertyKind::Never(_) => Check::Condition,
        }
    }

    /// Whether it holds by what it says.
    pub(crate) fn is_trivial(&self) -> bool {
        matches!(self.kind, PropertyKind::Nonzero { operand: Operand::Const(value), .. } if value != 0)
    }

    /// The node at which it is checked.
    pub(crate) fn node(&self) -> Option<(usize, usize)> {
        match self.kind {
            PropertyKind::Nonzero { thread, node, .. }
            | PropertyKind::Quotient { thread, node, .. }
            | PropertyKind::InBounds { thread, node, .. } => Some((thread, node)),
            PropertyKind::Never(_) => None,
        }
    }

    /// Whether it may be broken in an execution of which these facts hold. `cell` gives the final values of cells.
    pub(crate) fn may_fail<D: Domain>(
        &self,
        system: &System,
        facts: &Facts<D>,
        cell: &dyn Fn(Address) -> Option<Interval>,
    ) -> bool {
        match &self.kind {
            PropertyKind::Nonzero { thread, node, operand, .. } => match &facts.states[*thread].before[*node] {
                Some(state) => state.clone().assume(*operand, false),
                None => false,
            },
            PropertyKind::Quotient { thread, node, bits, operands: [a, b] } => {
                match &facts.states[*thread].before[*node] {
                    Some(state) => {
                        let may_be = |operand: Operand, value| state.interval(operand).meet(Interval::constant(value));
                        may_be(*a, smallest(*bits)).is_some() && may_be(*b, -1).is_some()
                    }
                    None => false,
                }
            }
            PropertyKind::InBounds { thread, node, index, length } => match &facts.states[*thread].before[*node] {
                Some(state) => {
                    let index = state.interval(*index);
                    index.lo < 0 || index.hi >= *length as i64
                }
                None => false,
            },
            PropertyKind::Never(proposition) => {
                let ended = facts.states.iter().zip(&system.codes).all(|(s, code)| s.before[code.end()].is_some());
                ended && possible(proposition, &|observable| final_value(system, facts, cell, observable)).0
            }
        }
    }

    /// The values that it is about, by name.
    pub(crate) fn values<D: Domain>(
        &self,
        system: &System,
        facts: &Facts<D>,
        cell: &dyn Fn(Address) -> Option<Interval>,
        wanted: Values,
    ) -> Vec<(String, Interval)> {
        let mut found: Vec<(String, Interval)> = Vec::new();
        match &self.kind {
            PropertyKind::Nonzero { thread, node, operand, .. }
            | PropertyKind::Quotient { thread, node, operands: [operand, _], .. }
            | PropertyKind::InBounds { thread, node, index: operand, .. } => {
                let Some(mut state) = facts.states[*thread].before[*node].clone() else { return found };
                if wanted == Values::Failing
                    && matches!(self.kind, PropertyKind::Nonzero { .. })
                    && !state.assume(*operand, false)
                {
                    return found;
                }
                for Named { name, reg, loaded } in system.names_behind(*thread, *node, *operand) {
                    let there = match loaded {
                        Some(behind) => facts.states[*thread].before[behind].as_ref(),
                        None => Some(&state),
                    };
                    let Some(value) = there.map(|state| state.interval(Operand::Reg(reg))) else { continue };
                    match found.iter_mut().find(|(n, _)| *n == name) {
                        Some((_, known)) => *known = known.join(value),
                        None => found.push((name, value)),
                    }
                }
            }
            PropertyKind::Never(proposition) => {
                let mut observables = Vec::new();
                proposition.collect_observables(&mut observables);
                for observable in observables {
                    let name = match observable {
                        Observable::Register { thread, reg } => {
                            let name = system.codes[thread].name(reg).unwrap_or_default();
                            format!("{}:{name}", system.program.threads[thread].name)
                        }
                        Observable::Cell(at) => system.program.cell_name(at),
                    };
                    let value = final_value(system, facts, cell, observable);
                    if let Some(value) = value.filter(|_| found.iter().all(|(n, _)| *n != name)) {
                        found.push((name, value));
                    }
                }
            }
        }
        found
    }
}

fn final_value<D: Domain>(
    system: &System,
    facts: &Facts<D>,
    cell: &dyn Fn(Address) -> Option<Interval>,
    observable: Observable,
) -> Option<Interval> {
    match observable {
        Observable::Register { thread, reg } => {
            let end = facts.states[thread].before[system.codes[thread].end()].as_ref()?;
            Some(end.interval(Operand::Reg(reg)))
        }
        Observable::Cell(at) => cell(at),
    }
}

/// Whether a proposition may hold, and whether it may fail, if the observables have values in these intervals. `None`
/// means that there is no such state, so both are false.
pub(crate) fn possible(proposition: &Proposition, value: &dyn Fn(Observable) -> Option<Interval>) -> (bool, bool) {
    let term = |term: &Term| match *term {
        Term::Observable(observable) => value(observable),
        Term::Value(value) => Some(Interval::constant(value)),
    };
    match proposition {
        Proposition::Equal(a, b) => match (term(a), term(b)) {
            (Some(a), Some(b)) => (a.meet(b).is_some(), !(a == b && a.as_constant().is_some())),
            _ => (false, false),
        },
        Proposition::Not(inner) => {
            let (holds, fails) = possible(inner, value);
            (fails, holds)
        }
        Proposition::All(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| possible(part, value)).collect();
            (parts.iter().all(|p| p.0), parts.iter().any(|p| p.1))
        }
        Proposition::Any(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| possible(part, value)).collect();
            (parts.iter().any(|p| p.0), parts.iter().all(|p| p.1))
        }
    }
}

impl System<'_> {
    /// Everything to be proved. An index or a divisor that is a suitable constant is not worth mentioning.
    pub(crate) fn properties(&self, never: Option<&Proposition>) -> Vec<Property> {
        let mut found = Vec::new();
        for (thread, code) in self.codes.iter().enumerate() {
            for (node, at) in code.nodes.iter().enumerate() {
                let Step::Do(inst) = &at.step else { continue };
                if !code.is_asked_about(node, self.model.keeps_stores_behind_loads()) {
                    continue;
                }
                let mut nonzero = |operand, why| {
                    let kind = PropertyKind::Nonzero { thread, node, operand, why };
                    found.push(Property { kind, span: at.span });
                };
                match *inst {
                    Inst::Assert { cond } => nonzero(cond, Check::Assertion),
                    Inst::Arithmetic { op, b, .. } if op.divides() && !matches!(b, Operand::Const(v) if v != 0) => {
                        nonzero(b, Check::DivisionByZero);
                    }
                    _ => {}
                }
                if let Inst::Arithmetic { op, bits, a, b, .. } = *inst
                    && op.overflows()
                    && !matches!(b, Operand::Const(v) if v != -1)
                    && !matches!(a, Operand::Const(v) if v != smallest(bits))
                {
                    let kind = PropertyKind::Quotient { thread, node, bits, operands: [a, b] };
                    found.push(Property { kind, span: at.span });
                }
                if let Some(place) = place(inst) {
                    let object = self.program.object(place.object);
                    let length = object.init.len();
                    // What stands for several cells has no index.
                    if object.array && !matches!(place.index, Operand::Const(i) if i >= 0 && (i as usize) < length) {
                        let kind = PropertyKind::InBounds { thread, node, index: place.index, length };
                        found.push(Property { kind, span: at.span });
                    }
                }
            }
        }
        found.extend(
            never.map(|excluded| Property { kind: PropertyKind::Never(excluded.clone()), span: Span::default() }),
        );
        found
    }
}
