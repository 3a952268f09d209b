//! The program with its monitors as a Promela model for the model checker SPIN, the way Rocker did it (paper 003 §7).
//!
//! The model is the program: one proctype per thread, its registers as local variables, memory and the views of the
//! monitors as global ones. Nothing in it knows of numbered local states or packed words, so what SPIN finds is
//! evidence about the search of `fencepost-check`. What both share is which monitors there are and what an access does
//! to them.
//!
//! ```
//! use fencepost_budget::Budget;
//! use fencepost_frontend::parse_fp;
//! use fencepost_models::Model;
//! use fencepost_promela::promela;
//!
//! let text = "
//!     atomic x: bool, y: bool;
//!     thread left { x.store(1, rel); a = y.load(acq); }
//!     thread right { y.store(1, rel); b = x.load(acq); }";
//! let program = parse_fp("SB.fp", text)?.program;
//! let model = promela(&program, Model::Rc11, false, &Budget::default())?;
//! assert_eq!(model.matches("proctype ").count(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
mod checks;
mod expressions;
mod facts;
mod flat;
mod local;
mod monitors;
mod range;
mod steps;
mod stops;
mod text;
mod thread;
mod tidy;
mod views;

use std::collections::HashMap;
use std::fmt::Write;

use fencepost_budget::Budget;
use fencepost_models::{Engine, Model, Refusal};
use fencepost_program::{Address, Program};
use fencepost_story::Reason;

use analysis::Analysis;
use expressions::Text;
use facts::Facts;
use flat::{Expr, Op, ThreadCode};
use monitors::Monitors;
use range::INT;
use text::{Identifiers, plain, shared_variable, without_brackets};
use thread::ThreadWriter;

/// What all threads of a model share.
struct Context<'a> {
    program: &'a Program,
    model: Model,
    observational: bool,
    facts: &'a Facts<'a>,
    monitors: Monitors<'a>,
    /// The variable of each cell that is accessed, or its value if it has only one.
    memory: HashMap<Address, Text>,
}

/// The program as a Promela model in which SPIN finds an error if and only if [`check`](fencepost_check::check) finds a
/// violation.
/// The exception is a thread that waits for ever beside one in a loop that never ends: for SPIN, the latter moves.
/// Refuses what the memory model does not have, and what does not fit into Promela's 32 bits.
/// When the budget is spent, what it refuses is nothing of the program's.
pub fn promela(program: &Program, model: Model, observational: bool, budget: &Budget) -> Result<String, Refusal> {
    model.admit(Engine::Check, program)?;
    let facts = Facts::of(program, model, budget)?;
    let mut identifiers = Identifiers::default();
    let mut memory = HashMap::new();
    for (at, _) in facts.accessed() {
        let name = identifiers.fresh(&format!("M_{}", without_brackets(&program.cell_name(at))));
        memory.insert(at, Text::new(name, facts.range(at).unwrap_or(INT)));
    }
    let monitors = Monitors::new(program, &facts, &mut identifiers);
    let context = Context { program, model, observational, facts: &facts, monitors, memory };
    let mut out = context.header();
    for thread in 0..program.threads.len() {
        budget.check().map_err(|spent| Refusal { message: Reason::from(spent).to_string(), span: None })?;
        let mut code = flat::flatten(program, thread)?;
        refuse_wide_constants(&code)?;
        if !model.orderings().has_fences() {
            drop_fences(&mut code);
        }
        let (code, liveness) = tidy::tidy(code);
        let stops = stops::stops(&code);
        let analysis = Analysis::new(&code, &liveness, &stops, &facts);
        out.push('\n');
        out.push_str(&ThreadWriter::new(&context, thread, &code, &stops, analysis).write());
    }
    Ok(out)
}

impl Context<'_> {
    fn header(&self) -> String {
        let mut out = String::new();
        let file = self.program.sources.first().map_or("program", |source| source.name.as_str());
        let observational = if self.observational { ", observational robustness" } else { "" };
        let _ = writeln!(
            out,
            "/* {} under {}{observational}: SC memory with monitors.\n\
             \x20  spin -a FILE && gcc -O2 -DSAFETY -DNOREDUCE -DVECTORSZ=8192 -o pan pan.c && ./pan -m1000000\n\
             \x20  and after an error ./pan -r, which prints what it is; an invalid end state is a deadlock.\n\
             \x20  spin -DRACES=0 -a FILE leaves out races, and so on. */",
            plain(file),
            self.model
        );
        for property in ["ROBUSTNESS", "RACES", "ASSERTIONS"] {
            let _ = writeln!(out, "#ifndef {property}\n#define {property} 1\n#endif");
        }
        out.push_str("\n/* Memory. */\n");
        for (at, _) in self.facts.accessed() {
            let Text { text, range } = &self.memory[&at];
            if range.as_constant().is_none() {
                let _ = writeln!(out, "{}", shared_variable(text, *range, self.program.initial_value(at)));
            }
        }
        let _ = writeln!(out, "hidden int {};", steps::OLD);
        out.push_str("\n/* What may still be missed, a bit each:\n");
        for line in self.monitors.legend(self.program) {
            let _ = writeln!(out, "   {}", plain(&line));
        }
        out.push_str("*/\n");
        for line in self.monitors.declarations() {
            let _ = writeln!(out, "{line}");
        }
        out
    }
}

fn refuse_wide_constants(code: &ThreadCode) -> Result<(), Refusal> {
    fn wide(expr: &Expr) -> Option<i64> {
        match expr {
            Expr::Const(v) => Some(*v).filter(|v| !INT.contains(*v)),
            Expr::Register(_) => None,
            Expr::Unary(_, a) => wide(a),
            Expr::Binary(_, a, b) => wide(a).or_else(|| wide(b)),
        }
    }
    for line in &code.lines {
        let chosen = match line.op {
            Op::Choose { lo, hi, .. } => [lo, hi].into_iter().find(|v| !INT.contains(*v)),
            _ => None,
        };
        if let Some(value) = chosen.or_else(|| line.op.expressions().into_iter().find_map(wide)) {
            return Err(Refusal {
                message: format!("Promela computes in 32 bits, and {value} does not fit"),
                span: Some(line.span),
            });
        }
    }
    Ok(())
}

/// Under RA every access already synchronises as much as it can: only SC fences do something.
fn drop_fences(code: &mut ThreadCode) {
    for line in &mut code.lines {
        if matches!(line.op, Op::Fence { order } if !order.is_sc()) {
            line.op = Op::Nothing;
        }
    }
}
