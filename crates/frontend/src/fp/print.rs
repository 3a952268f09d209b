//! Syntax tree to text, for everything that stands on one line.

use super::ast::*;

pub(super) struct Printer<'t> {
    pub text: &'t str,
}

impl Printer<'_> {
    pub(super) fn expr(&self, expr: &Expr<'_>) -> String {
        match &expr.kind {
            // As the user wrote it: 0x10 stays hexadecimal.
            ExprKind::Int(_) => expr.range.of(self.text).to_owned(),
            ExprKind::Own(Own::Bool(value)) => value.to_string(),
            ExprKind::Own(Own::SelfIndex) => "self".to_owned(),
            ExprKind::Name(name) => (*name).to_owned(),
            ExprKind::Unary(op, a) => {
                let sign = UNARY_OPERATORS.iter().find(|(_, o)| o == op).map_or("", |(sign, _)| sign);
                format!("{sign}{}", self.expr(a))
            }
            ExprKind::Binary(operator, a, b) => {
                let sign = OPERATORS.iter().find(|(_, _, o)| o == operator).map_or("", |(sign, ..)| sign);
                format!("{} {sign} {}", self.expr(a), self.expr(b))
            }
            ExprKind::Conditional(cond, a, b) => {
                format!("{} ? {} : {}", self.expr(cond), self.expr(a), self.expr(b))
            }
            ExprKind::Own(Own::Parenthesised(inner)) => format!("({})", self.expr(inner)),
        }
    }

    fn exprs(&self, exprs: &[Expr<'_>]) -> String {
        exprs.iter().map(|expr| self.expr(expr)).collect::<Vec<_>>().join(", ")
    }

    fn index(&self, index: Option<&Expr<'_>>) -> String {
        index.map_or(String::new(), |index| format!("[{}]", self.expr(index)))
    }

    fn ty(&self, ty: Option<&Type<'_>>) -> String {
        match ty {
            None => String::new(),
            Some(Type::Named(name)) => format!(": {}", name.text),
            Some(Type::Range(lo, hi)) => format!(": {}..{}", self.expr(lo), self.expr(hi)),
        }
    }

    pub(super) fn locations(&self, atomic: bool, list: &[Location<'_>]) -> String {
        let word = if atomic { "atomic" } else { "nonatomic" };
        let list: Vec<String> = list.iter().map(|location| self.location(location)).collect();
        format!("{word} {};", list.join(", "))
    }

    fn location(&self, location: &Location<'_>) -> String {
        let init = match &location.init {
            None => String::new(),
            Some(Init::One(value)) => format!(" = {}", self.expr(value)),
            Some(Init::Each(values, _)) => format!(" = {{{}}}", self.exprs(values)),
        };
        let (length, ty) = (self.index(location.length.as_ref()), self.ty(location.ty.as_ref()));
        format!("{}{length}{ty}{init}", location.name.text)
    }

    pub(super) fn constant(&self, name: Name<'_>, value: &Expr<'_>) -> String {
        format!("const {} = {};", name.text, self.expr(value))
    }

    pub(super) fn function_header(&self, name: Name<'_>, params: &[Name<'_>]) -> String {
        let params: Vec<&str> = params.iter().map(|param| param.text).collect();
        format!("fn {}({})", name.text, params.join(", "))
    }

    pub(super) fn thread_header(&self, name: Name<'_>, count: Option<&Expr<'_>>) -> String {
        format!("thread {}{}", name.text, self.index(count))
    }

    /// A statement that has no other in it.
    pub(super) fn simple(&self, kind: &StmtKind<'_>) -> String {
        match kind {
            StmtKind::Var { name, ty, value } => {
                let value = value.as_ref().map_or(String::new(), |value| format!(" = {}", self.source(value)));
                format!("var {}{}{value};", name.text, self.ty(ty.as_ref()))
            }
            StmtKind::Assign { target: Target::One(name), value } => {
                format!("{} = {};", name.text, self.source(value))
            }
            StmtKind::Assign { target: Target::Pair(ok, old), value } => {
                format!("({}, {}) = {};", ok.text, old.text, self.source(value))
            }
            StmtKind::Perform(source) => format!("{};", self.source(source)),
            StmtKind::Wait { place, comparison, value, order } => {
                let (place, sign) = (self.place(place), comparison.sign());
                format!("wait({place} {sign} {}, {});", self.expr(value), self.expr(order))
            }
            StmtKind::Fence(order) => format!("fence({});", self.expr(order)),
            StmtKind::Assert(cond) => format!("assert({});", self.expr(cond)),
            StmtKind::Assume(cond) => format!("assume({});", self.expr(cond)),
            StmtKind::Break => "break;".to_owned(),
            StmtKind::Continue => "continue;".to_owned(),
            StmtKind::Goto(name) => format!("goto {};", name.text),
            StmtKind::Return(None) => "return;".to_owned(),
            StmtKind::Return(Some(value)) => format!("return {};", self.expr(value)),
            StmtKind::Label(name) => format!("{}:", name.text),
            StmtKind::Either(_)
            | StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block(_) => String::new(),
        }
    }

    fn source(&self, source: &Source<'_>) -> String {
        match source {
            Source::Expr(expr) => self.expr(expr),
            Source::Access(access) => {
                let when = access.when.as_ref();
                let when = when.map(|(comparison, value)| format!(" when {} {}", comparison.sign(), self.expr(value)));
                let (place, args) = (self.place(&access.place), self.exprs(&access.args));
                format!("{place}.{}({args}){}", access.method.text, when.unwrap_or_default())
            }
            Source::Call(call) => format!("{}({})", call.name.text, self.exprs(&call.args)),
            Source::Choose(lo, hi) => format!("choose({}..{})", self.expr(lo), self.expr(hi)),
        }
    }

    fn place(&self, place: &Place<'_>) -> String {
        format!("{}{}", place.name.text, self.index(place.index.as_ref()))
    }
}
