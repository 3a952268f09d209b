//! A fix in words.

use fencepost_program::{Change, Function, Inst, Ordering, Program, Span};
use fencepost_story::{Fix, FixChange};

use crate::sites::is_site;

pub(super) fn in_words(program: &Program, changes: &[Change], remains: Option<String>) -> Fix {
    let changes: Vec<FixChange> = changes.iter().map(|&change| described(program, change)).collect();
    let text = changes.iter().map(|change| {
        let at = place(program, change.span);
        let within = if change.function.is_empty() { String::new() } else { format!(" in {}", change.function) };
        let FixChange { operation, ordering, makes_atomic, .. } = change;
        match (operation.as_str(), makes_atomic) {
            ("fence", _) if program.processor.is_some() => format!("put `MFENCE` before {at}{within}"),
            ("fence", _) => format!("put `fence({ordering})` before {at}{within}"),
            (_, true) => format!("make the {operation} at {at}{within} atomic, with the ordering `{ordering}`"),
            _ => format!("give the {operation} at {at}{within} the ordering `{ordering}`"),
        }
    });
    let text = text.collect::<Vec<_>>().join(", and ");
    Fix { text, changes, remains }
}

/// Where something is, if that is known, to end a sentence with.
pub(super) fn at(program: &Program, span: Span) -> String {
    if span.line == 0 { String::new() } else { format!(" at {}", place(program, span)) }
}

/// File and line, and the column if the line has several accesses. The directory is in the report's first lines.
fn place(program: &Program, span: Span) -> String {
    let code = program.functions.iter().flat_map(|function| function.spans.iter().zip(&function.code));
    let mut accesses = code.filter(|(_, inst)| inst.ordering().is_some()).map(|(span, _)| span);
    let is_beside = |other: &Span| (other.file, other.line) == (span.file, span.line) && other.column != span.column;
    let column = if accesses.any(is_beside) { format!(":{}", span.column) } else { String::new() };
    match program.sources.get(span.file.0 as usize) {
        Some(source) => format!("{}:{}{column}", source.name.rsplit('/').next().unwrap_or_default(), span.line),
        None => format!("line {}{column}", span.line),
    }
}

fn described(program: &Program, change: Change) -> FixChange {
    let own = program.functions.iter().filter(|function| !function.library && !function.header);
    let at = own.flat_map(|function| function.spans.iter().zip(&function.code).map(move |at| (function, at)));
    let at = at.filter(|(_, (span, inst))| **span == change.site() && is_site(program, inst));
    // An atomic access rather than a plain one that is a part of the same expression.
    let found = at.map(|(function, (_, inst))| (function, inst)).min_by_key(|(_, inst)| is_plain(inst));
    let function = found.map_or(String::new(), |(function, _): (&Function, _)| function.name.clone());
    let (operation, ordering) = match change {
        Change::FenceBefore { .. } => ("fence", Ordering::SeqCst),
        Change::Order { order, .. } => (found.map_or("access", |(_, inst)| operation(inst)), order),
    };
    let makes_atomic = found.is_some_and(|(_, inst)| is_plain(inst));
    FixChange { span: change.site(), function, operation: operation.into(), ordering, makes_atomic }
}

fn is_plain(inst: &Inst) -> bool {
    inst.ordering() == Some(Ordering::NonAtomic)
}

fn operation(inst: &Inst) -> &'static str {
    match inst {
        Inst::Load { .. } | Inst::Wait { .. } => "load",
        Inst::Store { .. } => "store",
        Inst::Rmw { .. } | Inst::Cas { .. } => "update",
        _ => "access",
    }
}
