//! Sketches as `.fp` text.

use std::fmt::{self, Display, Formatter};

use super::sketch::{Comparison, Index, Place, Register, Sketch, Statement, Term};

impl Display for Register {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.0)
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Term::Const(v) => write!(f, "{v}"),
            Term::Register(r) => write!(f, "{r}"),
            Term::Plus(r, v) => write!(f, "{r} + {v}"),
        }
    }
}

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.register, comparison(self.equal), self.term)
    }
}

fn comparison(equal: bool) -> &'static str {
    if equal { "==" } else { "!=" }
}

impl Display for Sketch {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for cell in &self.cells {
            write!(f, "{} {}", if cell.atomic { "atomic" } else { "nonatomic" }, cell.name)?;
            if let Some(length) = cell.length {
                write!(f, "[{length}]")?;
            }
            if let Some(largest) = cell.largest {
                write!(f, ": 0..{largest}")?;
            }
            if cell.initial != 0 {
                write!(f, " = {}", cell.initial)?;
            }
            writeln!(f, ";")?;
        }
        for (i, thread) in self.threads.iter().enumerate() {
            writeln!(f, "\nthread t{i} {{")?;
            self.write_block(f, thread, 1)?;
            writeln!(f, "}}")?;
        }
        Ok(())
    }
}

impl Sketch {
    fn write_block(&self, f: &mut Formatter<'_>, block: &[Statement], depth: usize) -> fmt::Result {
        let indent = "  ".repeat(depth);
        for statement in block {
            write!(f, "{indent}")?;
            match statement {
                Statement::If { condition, then, otherwise } => {
                    writeln!(f, "if ({condition}) {{")?;
                    self.write_block(f, then, depth + 1)?;
                    if !otherwise.is_empty() {
                        writeln!(f, "{indent}}} else {{")?;
                        self.write_block(f, otherwise, depth + 1)?;
                    }
                    writeln!(f, "{indent}}}")?;
                }
                Statement::Either(one, other) => {
                    writeln!(f, "either {{")?;
                    self.write_block(f, one, depth + 1)?;
                    writeln!(f, "{indent}}} or {{")?;
                    self.write_block(f, other, depth + 1)?;
                    writeln!(f, "{indent}}}")?;
                }
                Statement::Retry { condition, body } => {
                    let counter = format!("n{}", condition.register.0);
                    writeln!(f, "{counter} = 0;")?;
                    writeln!(f, "{indent}while ({counter} < 2 && {condition}) {{")?;
                    self.write_block(f, body, depth + 1)?;
                    writeln!(f, "{indent}  {counter} = {counter} + 1;")?;
                    writeln!(f, "{indent}}}")?;
                }
                simple => self.write_simple(f, simple)?,
            }
        }
        Ok(())
    }

    fn write_simple(&self, f: &mut Formatter<'_>, statement: &Statement) -> fmt::Result {
        let at = |place: &Place| {
            let name = self.cells[place.cell].name;
            match place.index {
                Index::None => name.to_owned(),
                Index::Const(i) => format!("{name}[{i}]"),
                Index::Masked(r) => format!("{name}[{r} & 1]"),
                Index::Bare(r) => format!("{name}[{r}]"),
            }
        };
        match statement {
            Statement::Load { to, place, order } => writeln!(f, "{to} = {}.load({order});", at(place)),
            Statement::Store { place, value, order } => writeln!(f, "{}.store({value}, {order});", at(place)),
            Statement::Rmw { to, place, operation, operand, order, when } => {
                if let Some(to) = to {
                    write!(f, "{to} = ")?;
                }
                write!(f, "{}.{operation}({operand}, {order})", at(place))?;
                if let Some((comparison, value)) = when {
                    write!(f, " when {} {value}", comparison.sign())?;
                }
                writeln!(f, ";")
            }
            Statement::Cas { ok, to, place, expected, desired, success, failure, weak } => {
                let name = if *weak { "cas_weak" } else { "cas" };
                write!(f, "({ok}, {to}) = {}.{name}({expected}, {desired}, {success}", at(place))?;
                if let Some(failure) = failure {
                    write!(f, ", {failure}")?;
                }
                writeln!(f, ");")
            }
            Statement::BlockingCas { place, expected, desired, order } => {
                writeln!(f, "{}.bcas({expected}, {desired}, {order});", at(place))
            }
            Statement::Wait { place, comparison, value, order } => {
                writeln!(f, "wait({} {} {value}, {order});", at(place), comparison.sign())
            }
            Statement::Fence(order) => writeln!(f, "fence({order});"),
            Statement::Assert(condition) => writeln!(f, "assert({condition});"),
            Statement::Assume(condition) => writeln!(f, "assume({condition});"),
            Statement::Choose { to, largest } => writeln!(f, "{to} = choose(0..{largest});"),
            Statement::Assign { to, value } => writeln!(f, "{to} = {value};"),
            Statement::Compute { to, a, operator, b } => writeln!(f, "{to} = ({a}) {operator} ({b});"),
            Statement::If { .. } | Statement::Either(..) | Statement::Retry { .. } => Ok(()),
        }
    }
}
