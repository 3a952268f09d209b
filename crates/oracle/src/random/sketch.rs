//! The small programs that are generated and shrunk. Their text is in `write.rs`.

use fencepost_program::{self as program, Ordering, Value};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sketch {
    pub cells: Vec<Cell>,
    pub threads: Vec<Vec<Statement>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    pub name: &'static str,
    pub atomic: bool,
    pub length: Option<usize>,
    /// Values from 0 to here; `None` is `int`.
    pub largest: Option<Value>,
    pub initial: Value,
}

/// A register of the thread, `r0`, `r1`, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Register(pub u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    Const(Value),
    Register(Register),
    Plus(Register, Value),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Index {
    None,
    Const(usize),
    /// `r & 1`, which is always in bounds.
    Masked(Register),
    /// May be out of bounds.
    Bare(Register),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// An index into [`Sketch::cells`].
    pub cell: usize,
    pub index: Index,
}

/// `r == t` or `r != t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Comparison {
    pub register: Register,
    pub equal: bool,
    pub term: Term,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    Load {
        to: Register,
        place: Place,
        order: Ordering,
    },
    Store {
        place: Place,
        value: Term,
        order: Ordering,
    },
    Rmw {
        to: Option<Register>,
        place: Place,
        operation: &'static str,
        operand: Term,
        order: Ordering,
        /// Blocks until it can read a value that compares so.
        when: Option<(program::Comparison, Term)>,
    },
    Cas {
        ok: Register,
        to: Register,
        place: Place,
        expected: Term,
        desired: Term,
        success: Ordering,
        failure: Option<Ordering>,
        weak: bool,
    },
    BlockingCas {
        place: Place,
        expected: Term,
        desired: Term,
        order: Ordering,
    },
    Wait {
        place: Place,
        comparison: program::Comparison,
        value: Term,
        order: Ordering,
    },
    Fence(Ordering),
    Assert(Comparison),
    Assume(Comparison),
    Choose {
        to: Register,
        largest: Value,
    },
    Assign {
        to: Register,
        value: Term,
    },
    /// `to = a / b`, or with another operator.
    Compute {
        to: Register,
        a: Term,
        operator: &'static str,
        b: Term,
    },
    If {
        condition: Comparison,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    Either(Vec<Statement>, Vec<Statement>),
    /// While the condition holds, but at most twice.
    Retry {
        condition: Comparison,
        body: Vec<Statement>,
    },
}

impl Statement {
    /// The orderings that the statement itself names.
    pub fn orders_mut(&mut self) -> Vec<&mut Ordering> {
        match self {
            Statement::Load { order, .. }
            | Statement::Store { order, .. }
            | Statement::Rmw { order, .. }
            | Statement::BlockingCas { order, .. }
            | Statement::Wait { order, .. }
            | Statement::Fence(order) => vec![order],
            Statement::Cas { success, failure, .. } => [success].into_iter().chain(failure).collect(),
            _ => Vec::new(),
        }
    }

    /// The orderings that `.fp` allows where [`Statement::orders_mut`] has its first.
    pub fn allowed_orders(&self) -> &'static [Ordering] {
        use Ordering::*;
        match self {
            Statement::Load { .. } | Statement::Wait { .. } => &[Relaxed, Acquire, SeqCst],
            Statement::Store { .. } => &[Relaxed, Release, SeqCst],
            Statement::Rmw { .. } | Statement::Cas { .. } | Statement::BlockingCas { .. } => {
                &[Relaxed, Acquire, Release, AcqRel, SeqCst]
            }
            Statement::Fence(_) => &[Acquire, Release, AcqRel, SeqCst],
            _ => &[],
        }
    }

    pub fn place(&self) -> Option<Place> {
        match *self {
            Statement::Load { place, .. }
            | Statement::Store { place, .. }
            | Statement::Rmw { place, .. }
            | Statement::Cas { place, .. }
            | Statement::BlockingCas { place, .. }
            | Statement::Wait { place, .. } => Some(place),
            _ => None,
        }
    }

    pub fn place_mut(&mut self) -> Option<&mut Place> {
        match self {
            Statement::Load { place, .. }
            | Statement::Store { place, .. }
            | Statement::Rmw { place, .. }
            | Statement::Cas { place, .. }
            | Statement::BlockingCas { place, .. }
            | Statement::Wait { place, .. } => Some(place),
            _ => None,
        }
    }

    pub fn terms_mut(&mut self) -> Vec<&mut Term> {
        match self {
            Statement::Store { value, .. } | Statement::Wait { value, .. } | Statement::Assign { value, .. } => {
                vec![value]
            }
            Statement::Rmw { operand, when, .. } => {
                [operand].into_iter().chain(when.as_mut().map(|(_, value)| value)).collect()
            }
            Statement::Compute { a, b, .. } => vec![a, b],
            Statement::Cas { expected, desired, .. } | Statement::BlockingCas { expected, desired, .. } => {
                vec![expected, desired]
            }
            _ => self.condition_mut().map(|c| &mut c.term).into_iter().collect(),
        }
    }

    fn condition_mut(&mut self) -> Option<&mut Comparison> {
        match self {
            Statement::Assert(condition)
            | Statement::Assume(condition)
            | Statement::If { condition, .. }
            | Statement::Retry { condition, .. } => Some(condition),
            _ => None,
        }
    }

    /// The registers that the statement itself assigns.
    pub fn assigns(&self) -> Vec<Register> {
        match *self {
            Statement::Load { to, .. }
            | Statement::Choose { to, .. }
            | Statement::Assign { to, .. }
            | Statement::Compute { to, .. } => vec![to],
            Statement::Rmw { to, .. } => to.into_iter().collect(),
            Statement::Cas { ok, to, .. } => vec![ok, to],
            _ => Vec::new(),
        }
    }

    /// The registers that the statement itself reads.
    pub fn uses(&self) -> Vec<Register> {
        let mut statement = self.clone();
        let condition = statement.condition_mut().map(|c| c.register);
        let index = self.place().and_then(|place| match place.index {
            Index::Masked(r) | Index::Bare(r) => Some(r),
            Index::None | Index::Const(_) => None,
        });
        let terms = statement.terms_mut().into_iter().filter_map(|term| match *term {
            Term::Register(r) | Term::Plus(r, _) => Some(r),
            Term::Const(_) => None,
        });
        terms.chain(condition).chain(index).collect()
    }

    /// The blocks inside the statement.
    pub fn blocks(&self) -> [&[Statement]; 2] {
        match self {
            Statement::If { then, otherwise, .. } => [then, otherwise],
            Statement::Either(one, other) => [one, other],
            Statement::Retry { body, .. } => [body, &[]],
            _ => [&[], &[]],
        }
    }

    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Statement::If { then, otherwise, .. } => vec![then, otherwise],
            Statement::Either(one, other) => vec![one, other],
            Statement::Retry { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }
}
