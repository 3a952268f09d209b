//! The syntax tree of a litmus test.

use super::types::CType;
use crate::expression;
use crate::text::TextRange;
pub(super) use crate::tokens::Name;
use fencepost_program::question::Quantifier;

pub(super) struct Test<'t> {
    pub init: Vec<Init<'t>>,
    pub threads: Vec<Thread<'t>>,
    pub questions: Questions<'t>,
}

/// What comes behind the threads.
pub(super) struct Questions<'t> {
    pub locations: Vec<Observed<'t>>,
    pub filter: Option<Prop<'t>>,
    pub condition: Option<(Quantifier, Prop<'t>, TextRange)>,
}

/// An entry of the initial state.
pub(super) enum Init<'t> {
    /// `x = 1`, `int x[2] = {1, 2}`, `atomic_int x`. No values: all 0.
    Location {
        ty: Option<CType>,
        name: Name<'t>,
        length: Option<(i64, TextRange)>,
        values: Option<(Vec<Initial<'t>>, TextRange)>,
    },
    /// `0:r0 = 1`.
    Register { thread: (i64, TextRange), name: Name<'t>, value: Initial<'t> },
}

/// An initial value.
#[derive(Clone, Copy)]
pub(super) enum Initial<'t> {
    Number(i64),
    /// The address of a location.
    Address(Name<'t>),
}

pub(super) struct Thread<'t> {
    pub number: i64,
    pub range: TextRange,
    pub params: Vec<Param<'t>>,
    pub body: Vec<Stmt<'t>>,
}

/// A pointer to the location of the same name.
pub(super) struct Param<'t> {
    pub ty: CType,
    pub name: Name<'t>,
}

pub(super) struct Stmt<'t> {
    pub range: TextRange,
    pub kind: StmtKind<'t>,
}

pub(super) enum StmtKind<'t> {
    Declare(CType, Vec<(Name<'t>, Option<Expr<'t>>)>),
    Assign(Expr<'t>, Expr<'t>),
    Evaluate(Expr<'t>),
    If(Expr<'t>, Box<Stmt<'t>>, Option<Box<Stmt<'t>>>),
    While(Expr<'t>, Box<Stmt<'t>>),
    DoWhile(Box<Stmt<'t>>, Expr<'t>),
    Block(Vec<Stmt<'t>>),
    Break,
    Continue,
    Return,
}

pub(super) type Expr<'t> = expression::Expr<'t, Own<'t>>;
pub(super) type ExprKind<'t> = expression::ExprKind<'t, Own<'t>>;

pub(super) enum Own<'t> {
    Deref(Box<Expr<'t>>),
    AddressOf(Box<Expr<'t>>),
    Index(Box<Expr<'t>>, Box<Expr<'t>>),
    Call(Name<'t>, Vec<Expr<'t>>),
}

impl expression::Own for Own<'_> {
    fn accesses(&self) -> bool {
        match self {
            Own::Deref(_) | Own::Index(..) | Own::Call(..) => true,
            Own::AddressOf(inner) => inner.accesses(),
        }
    }

    fn is_truth(&self) -> bool {
        false
    }
}

/// Something that the condition can ask about.
pub(super) enum Observed<'t> {
    Register { thread: (i64, TextRange), name: Name<'t> },
    Location { name: Name<'t>, index: Option<(i64, TextRange)> },
}

pub(super) enum Prop<'t> {
    Equal(Observed<'t>, Operand<'t>),
    Not(Box<Prop<'t>>),
    All(Vec<Prop<'t>>),
    Any(Vec<Prop<'t>>),
}

pub(super) enum Operand<'t> {
    Value(i64),
    /// The address of a location.
    Address(Name<'t>),
    Observed(Observed<'t>),
}
