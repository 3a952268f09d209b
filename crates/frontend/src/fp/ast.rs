//! The syntax tree of an `.fp` file. Every node knows its place; what the names mean is settled while lowering.

use crate::expression;
pub(crate) use crate::operators::{OPERATORS, Operator, UNARY_OPERATORS};
use crate::text::TextRange;
pub(crate) use crate::tokens::Name;
use fencepost_program::Comparison;

pub(crate) struct Item<'t> {
    pub range: TextRange,
    pub kind: ItemKind<'t>,
}

pub(crate) enum ItemKind<'t> {
    Const { name: Name<'t>, value: Expr<'t> },
    Locations { atomic: bool, list: Vec<Location<'t>> },
    Function { name: Name<'t>, params: Vec<Name<'t>>, body: Block<'t> },
    Thread { name: Name<'t>, count: Option<Expr<'t>>, body: Block<'t> },
}

/// One declared location or array of locations.
pub(crate) struct Location<'t> {
    pub name: Name<'t>,
    pub length: Option<Expr<'t>>,
    pub ty: Option<Type<'t>>,
    pub init: Option<Init<'t>>,
}

pub(crate) enum Init<'t> {
    /// For all cells.
    One(Expr<'t>),
    Each(Vec<Expr<'t>>, TextRange),
}

pub(crate) enum Type<'t> {
    Named(Name<'t>),
    Range(Expr<'t>, Expr<'t>),
}

pub(crate) struct Block<'t> {
    /// With its braces.
    pub range: TextRange,
    pub statements: Vec<Stmt<'t>>,
}

pub(crate) struct Stmt<'t> {
    /// Without its semicolon.
    pub range: TextRange,
    pub kind: StmtKind<'t>,
}

pub(crate) enum StmtKind<'t> {
    Label(Name<'t>),
    Var {
        name: Name<'t>,
        ty: Option<Type<'t>>,
        value: Option<Source<'t>>,
    },
    Assign {
        target: Target<'t>,
        value: Source<'t>,
    },
    /// An access or a call whose result, if any, is dropped.
    Perform(Source<'t>),
    Wait {
        place: Place<'t>,
        comparison: Comparison,
        value: Expr<'t>,
        order: Expr<'t>,
    },
    Fence(Expr<'t>),
    Assert(Expr<'t>),
    Assume(Expr<'t>),
    Either(Vec<Block<'t>>),
    If {
        cond: Expr<'t>,
        then: Box<Stmt<'t>>,
        otherwise: Option<Box<Stmt<'t>>>,
    },
    While {
        cond: Expr<'t>,
        body: Box<Stmt<'t>>,
    },
    Loop(Box<Stmt<'t>>),
    Break,
    Continue,
    Goto(Name<'t>),
    Return(Option<Expr<'t>>),
    Block(Block<'t>),
}

/// `r`, or `(ok, r)`. The name `_` drops the value.
pub(crate) enum Target<'t> {
    One(Name<'t>),
    Pair(Name<'t>, Name<'t>),
}

/// Where an assigned value comes from.
pub(crate) enum Source<'t> {
    Expr(Expr<'t>),
    Access(Access<'t>),
    Call(Call<'t>),
    Choose(Expr<'t>, Expr<'t>),
}

/// `x.store(e, rel)`. An ordering is an argument like the others until it is lowered, so that a wrong one can be
/// told from a missing one.
pub(crate) struct Access<'t> {
    pub range: TextRange,
    pub place: Place<'t>,
    pub method: Name<'t>,
    pub args: Vec<Expr<'t>>,
    /// `when >= 1`: it blocks until memory holds such a value.
    pub when: Option<(Comparison, Expr<'t>)>,
}

pub(crate) struct Call<'t> {
    pub range: TextRange,
    pub name: Name<'t>,
    pub args: Vec<Expr<'t>>,
}

pub(crate) struct Place<'t> {
    pub range: TextRange,
    pub name: Name<'t>,
    pub index: Option<Expr<'t>>,
}

pub(crate) type Expr<'t> = expression::Expr<'t, Own<'t>>;
pub(crate) type ExprKind<'t> = expression::ExprKind<'t, Own<'t>>;

pub(crate) enum Own<'t> {
    Bool(bool),
    SelfIndex,
    /// Kept for the formatter.
    Parenthesised(Box<Expr<'t>>),
}

impl expression::Own for Own<'_> {
    fn accesses(&self) -> bool {
        // Each access is a statement.
        false
    }

    fn is_truth(&self) -> bool {
        match self {
            Own::Bool(_) => true,
            Own::SelfIndex => false,
            Own::Parenthesised(inner) => inner.is_truth(),
        }
    }
}
