//! The deduction that made a combination infeasible, as lines to read.

use fencepost_program::{Program, Span};

use crate::search::Infeasible;
use crate::search::case::Decision;
use crate::search::order::{Edge, Reason, path};
use crate::system::{At, EventId, System};

/// A paragraph for each combination: what is read, what follows, and why that cannot be.
pub(crate) fn explain(system: &System, log: &[Infeasible]) -> Vec<String> {
    if log.is_empty() {
        return vec!["No combination had to be excluded by the order of events: the values alone decide.".into()];
    }
    let mut lines = Vec::new();
    for (number, infeasible) in log.iter().enumerate() {
        let reads: Vec<String> = infeasible.trail.iter().filter_map(|&(l, d)| decision(system, l, d)).collect();
        lines.push(format!("\nCase {} is impossible: {}", number + 1, reads.join(", and ")));
        let mut needed = Vec::new();
        for &edge in &infeasible.cycle.cycle {
            collect(infeasible, edge, infeasible.cycle.edges.len(), &mut needed);
        }
        for edge in &needed {
            lines.push(format!("  {}", line(system, infeasible, *edge)));
        }
        let name = |e: usize| event_text(system, infeasible.events[e]);
        let mut chain: Vec<String> = infeasible.cycle.cycle.iter().map(|e| name(e.from)).collect();
        chain.extend(infeasible.cycle.cycle.first().map(|e| name(e.from)));
        lines.push(format!("  so each of these happens before the next, which is impossible: {}", chain.join(" -> ")));
    }
    lines
}

/// Adds an edge after those that it was deduced from. `known` edges were there when it was deduced.
fn collect(infeasible: &Infeasible, edge: Edge, known: usize, needed: &mut Vec<Edge>) {
    if needed.iter().any(|e| (e.from, e.to) == (edge.from, edge.to)) {
        return;
    }
    let edges = &infeasible.cycle.edges;
    let known = edges.iter().position(|e| (e.from, e.to) == (edge.from, edge.to)).unwrap_or(known);
    let premise = match edge.reason {
        Reason::Overwrites { source } => Some((source, edge.to)),
        Reason::SeenBy { load } => Some((edge.from, load)),
        Reason::BeforeSource { source } => Some((edge.from, source)),
        _ => None,
    };
    if let Some((from, to)) = premise {
        for step in path(&edges[..known], from, to) {
            if step.reason != Reason::StartOrEnd {
                collect(infeasible, step, known, needed);
            }
        }
    }
    needed.push(edge);
}

fn line(system: &System, infeasible: &Infeasible, edge: Edge) -> String {
    let name = |e: usize| event_text(system, infeasible.events[e]);
    let (from, to) = (name(edge.from), name(edge.to));
    match edge.reason {
        Reason::StartOrEnd => format!("{from} comes before {to}"),
        Reason::ProgramOrder => format!("{from} takes effect before {to}, which follows it in its thread"),
        Reason::Tried => format!("{from} takes effect before {to}, in this case"),
        Reason::ReadsFrom => format!("{to} reads {from}, so that has taken effect"),
        Reason::BeforeSource { source } => {
            format!("{to} reads {}, whatever round that is from, so {from} has taken effect", name(source))
        }
        Reason::Overwrites { source } => {
            format!("{from} reads {}, so it comes before {to}, which overwrites that", name(source))
        }
        Reason::SeenBy { load } => format!("{} reads {to}, and sees {from}, so that is not the later one", name(load)),
    }
}

fn decision(system: &System, load: EventId, decision: Decision) -> Option<String> {
    match decision {
        Decision::From { store, .. } => {
            Some(format!("{} reads {}", event_text(system, load), event_text(system, store)))
        }
        Decision::Skipped => Some(format!("{} is not executed", event_text(system, load))),
        Decision::Open => None,
    }
}

fn event_text(system: &System, event: EventId) -> String {
    let e = &system.events[event];
    let cell = || system.program.cell_name(e.cells.0);
    match e.at {
        At::Start => format!("the initial value of {}", cell()),
        At::End => format!("the final value of {}", cell()),
        At::Node { thread, .. } => {
            let thread = &system.program.threads[thread].name;
            format!("`{}` ({thread}, line {})", source_text(system.program, e.span), e.span.line)
        }
    }
}

/// The stretch of source that a span is, in one line.
pub fn source_text(program: &Program, span: Span) -> String {
    let line = program.sources.get(span.file.0 as usize).and_then(|source| source.line(span.line)).unwrap_or_default();
    let start = span.column.saturating_sub(1) as usize;
    let text: String = line.chars().skip(start).take(span.length as usize).collect();
    // A call that is known by its name is shown with its arguments.
    let mut depth = 0;
    let rest = line.chars().skip(start + span.length as usize);
    let arguments: String = rest
        .take_while(|&c| {
            let open = depth > 0 || c == '(';
            depth += (c == '(') as i32 - (c == ')') as i32;
            open
        })
        .collect();
    if depth == 0 { format!("{}{arguments}", text.trim()) } else { text.trim().to_owned() }
}
