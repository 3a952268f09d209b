//! An explanation as lines to read.

use fencepost_program::{Program, Span};

use crate::domains::{Domain, Interval};
use crate::proof::explain::{Explanation, Grounds, chain, needed};
use crate::proof::property::{Property, Values};
use crate::search::case::{Contradiction, Decision, Refinement};
use crate::search::order::{Edge, Reason};
use crate::search::record::{Infeasible, Left, Why};
use crate::system::seen::{Because, Deduction, Dropped, Exclusion, WhyDropped};
use crate::system::{At, EventId, Facts, System};

/// Why a property holds: the values that decide it or a paragraph for each case, and then why loads do not read what
/// they seem to be able to read.
pub(crate) fn explanation<D: Domain>(
    system: &System,
    facts: &Facts<D>,
    properties: &[Property],
    explanations: &[Explanation],
) -> Vec<String> {
    let mut lines = Vec::new();
    for explanation in explanations {
        let property = &properties[explanation.property];
        let text = Text { system };
        match &explanation.grounds {
            Grounds::Values => lines.extend(text.by_values(property, facts)),
            Grounds::Cases(cases) if cases.is_empty() => lines.push("No case is excluded before the alarm.".into()),
            Grounds::Cases(cases) => {
                for (number, case) in cases.iter().enumerate() {
                    lines.extend(text.case(number + 1, case));
                }
            }
        }
        let relevant = system.relevant_loads(property);
        let dropped = system.dropped.iter().flatten().filter(|dropped| relevant.contains(dropped.load));
        lines.extend(dropped.flat_map(|dropped| text.dropped(dropped)));
    }
    lines
}

struct Text<'s, 'p> {
    system: &'s System<'p>,
}

impl Text<'_, '_> {
    /// The values that decide a property without any cases, and where they come from.
    fn by_values<D: Domain>(&self, property: &Property, facts: &Facts<D>) -> Vec<String> {
        let system = self.system;
        if let Some((thread, node)) = property.node().filter(|&(t, node)| facts.states[t].before[node].is_none()) {
            let line = system.codes[thread].nodes[node].span.line;
            return vec![format!("In no execution does {} get to line {line}.", self.thread(thread))];
        }
        let values = property.values(system, facts, &|at| system.final_value(at, facts), Values::Any);
        let mut lines = vec![match values.is_empty() {
            true => "The values in all executions decide it, without any cases.".to_owned(),
            false => format!("The values in all executions decide it, without any cases: {}.", values_text(&values)),
        }];
        for load in system.relevant_loads(property).iter() {
            let Some(value) = system.join_of_sources(load, &facts.values) else { continue };
            let sources = system.events[load].sources.iter().filter(|&&store| facts.values[store].is_some());
            let sources: Vec<String> = sources.map(|&store| self.event(store)).collect();
            lines.push(format!("  {} reads {value}: {}", self.event(load), sources.join(", or ")));
        }
        lines
    }

    fn case(&self, number: usize, case: &Left) -> Vec<String> {
        let parts = self.parts(case);
        let head = match parts.is_empty() {
            true => format!("\nCase {number}, where nothing is decided yet"),
            false => format!("\nCase {number}, where {}", parts.join(", and ")),
        };
        match &case.why {
            Why::Holds(values) if values.is_empty() => vec![format!("{head}: the values decide it")],
            Why::Holds(values) => vec![format!("{head}: the values decide it, {}", values_text(values))],
            Why::Contradiction(contradiction) => {
                vec![format!("{head}, is impossible: {}", self.contradiction(*contradiction))]
            }
            Why::Order(infeasible) => {
                let mut lines = vec![format!("{head}, is impossible:")];
                lines
                    .extend(needed(&infeasible.cycle).iter().map(|edge| format!("  {}", self.edge(infeasible, *edge))));
                let cycle = infeasible.cycle.cycle.iter().map(|edge| infeasible.events[edge.from]).collect();
                lines.push(self.cycle(cycle));
                lines
            }
        }
    }

    /// What is decided in a case.
    fn parts(&self, case: &Left) -> Vec<String> {
        let reads = case.reads.iter().filter_map(|&(load, decision)| match decision {
            Decision::From { store, succeeds } => {
                let how = match succeeds {
                    Some(true) => " and succeeds",
                    Some(false) => " and fails",
                    None => "",
                };
                Some(format!("{} reads {}{how}", self.event(load), self.event(store)))
            }
            Decision::Skipped => Some(format!("{} is not executed", self.event(load))),
            Decision::Open => None,
        });
        let orders = case.tried_order.iter();
        let orders = orders.map(|&(a, b)| format!("{} takes effect before {}", self.event(a), self.event(b)));
        let refinements = case.refinements.iter().map(|refinement| match *refinement {
            Refinement::Without { thread, node } => {
                let line = self.system.codes[thread].nodes[node].span.line;
                format!("{} does not get to line {line}", self.thread(thread))
            }
            Refinement::Value { store, value } => format!("{} writes {value}", self.event(store)),
        });
        reads.chain(orders).chain(refinements).collect()
    }

    fn contradiction(&self, contradiction: Contradiction) -> String {
        match contradiction {
            Contradiction::NotReached { thread, node } => {
                let at = &self.system.codes[thread].nodes[node];
                match at.span.line {
                    0 => format!("{} does not get to its end then", self.thread(thread)),
                    line => format!("{} does not get to line {line} then", self.thread(thread)),
                }
            }
            Contradiction::NotWritten(store) => format!("{} is not executed then", self.event(store)),
            Contradiction::Fails(store) => format!("{} fails then, and writes nothing", self.event(store)),
        }
    }

    fn edge(&self, infeasible: &Infeasible, edge: Edge) -> String {
        let name = |e: usize| self.event(infeasible.events[e]);
        let (from, to) = (name(edge.from), name(edge.to));
        match edge.reason {
            Reason::StartOrEnd => format!("{from} comes before {to}"),
            Reason::ProgramOrder => in_order(&from, &to),
            Reason::Tried => format!("{from} takes effect before {to}, in this case"),
            Reason::ReadsFrom => has_read(&to, &from),
            Reason::BeforeSource { source } => {
                format!("{to} reads {}, whatever round that is from, so {from} has taken effect", name(source))
            }
            Reason::Overwrites { source } => overwritten(&from, &name(source), &to),
            Reason::SeenBy { load } => {
                format!("{} reads {to}, and sees {from}, so that is not the later one", name(load))
            }
            Reason::ReadBefore { source, load } => {
                format!(
                    "{from} reads {}, which {} read before {to} overwrote it, so {from} comes before {to}",
                    name(source),
                    name(load)
                )
            }
        }
    }

    /// Why a load never reads a store.
    fn dropped(&self, dropped: &Dropped) -> Vec<String> {
        let (load, store) = (self.event(dropped.load), self.event(dropped.store));
        let mut lines = vec![format!("\nIn no execution {load} reads {store}:")];
        let cell = |at| self.system.program.cell_name(at);
        match &dropped.why {
            WhyDropped::Order { exclusion, deductions } => {
                for deduction in deductions {
                    let line = self.deduction(deduction).map(|line| format!("  {line}"));
                    lines.extend(line.filter(|line| !lines.contains(line)));
                }
                let cycle = chain(self.system, dropped.load, dropped.store, *exclusion, deductions);
                lines.push(format!("  {}", self.exclusion(dropped, *exclusion, cycle.as_deref())));
                lines.extend(cycle.map(|cycle| self.cycle(cycle)));
            }
            WhyDropped::Remembered { lock, last } => {
                let last: Vec<String> = last.iter().map(|&event| self.event(event)).collect();
                lines.push(format!(
                    "  only threads that hold {} write to its cell, and in the same section {} comes before it",
                    cell(*lock),
                    last.join(" or ")
                ));
            }
            WhyDropped::NotLeftBehind { lock } => {
                lines.push(format!("  {load} holds {}, before whose release {store} is overwritten", cell(*lock)));
            }
        }
        lines
    }

    /// Transitivity has no line.
    fn deduction(&self, deduction: &Deduction) -> Option<String> {
        let (first, second) = (self.event(deduction.first), self.event(deduction.second));
        match &deduction.because {
            Because::ProgramOrder => Some(in_order(&first, &second)),
            Because::Before(_) | Because::OverwrittenBy(_) => None,
            Because::StoredOnAllPaths => {
                Some(format!("on every path to {second}, its thread stores to the cell, which takes effect before it"))
            }
            Because::Read { load, sources } => {
                let load_text = self.event(*load);
                let read = match sources[..] {
                    [store] => has_read(&load_text, &self.event(store)),
                    _ => {
                        let stores: Vec<String> = sources.iter().map(|&store| self.event(store)).collect();
                        let all = stores.join(" or ");
                        match self.system.events[deduction.first].at {
                            At::Start => format!("{load_text} reads {all}, so {first} has been overwritten"),
                            _ => format!("{load_text} reads {all}, so {first} has taken effect"),
                        }
                    }
                };
                let thread = self.system.events[*load].thread().map_or(String::new(), |thread| self.thread(thread));
                Some(match *load == deduction.second {
                    true => format!("{read}: it can read nothing else"),
                    false => format!("{read}: otherwise {thread} does not get to {second}"),
                })
            }
        }
    }

    fn exclusion(&self, dropped: &Dropped, exclusion: Exclusion, cycle: Option<&[EventId]>) -> String {
        let (load, store) = (self.event(dropped.load), self.event(dropped.store));
        match (exclusion, cycle.and_then(|cycle| cycle.first())) {
            (Exclusion::InitialValueOverwritten, None) => format!("so {store} has been overwritten before {load}"),
            (Exclusion::InitialValueOverwritten, Some(&by)) => overwritten(&load, &store, &self.event(by)),
            (Exclusion::Overwritten(by), _) => overwritten(&load, &store, &self.event(by)),
            (Exclusion::Later, _) => format!("{load} would read {store}, so that would have taken effect"),
        }
    }

    fn cycle(&self, mut events: Vec<EventId>) -> String {
        events.extend(events.first().copied());
        let chain: Vec<String> = events.into_iter().map(|event| self.event(event)).collect();
        format!("  so each of these happens before the next, which is impossible: {}", chain.join(" -> "))
    }

    fn thread(&self, thread: usize) -> String {
        self.system.program.threads[thread].name.clone()
    }

    fn event(&self, event: EventId) -> String {
        let e = &self.system.events[event];
        let cell = || self.system.program.cell_name(e.cells.0);
        match e.at {
            At::Start => format!("the initial value of {}", cell()),
            At::End => format!("the final value of {}", cell()),
            At::Node { thread, .. } => {
                format!(
                    "`{}` ({}, line {})",
                    source_text(self.system.program, e.span),
                    self.thread(thread),
                    e.span.line
                )
            }
        }
    }
}

fn in_order(first: &str, second: &str) -> String {
    format!("{first} takes effect before {second}, which follows it in its thread")
}

fn has_read(load: &str, store: &str) -> String {
    format!("{load} reads {store}, so that has taken effect")
}

fn overwritten(load: &str, store: &str, by: &str) -> String {
    format!("{load} reads {store}, so it comes before {by}, which overwrites that")
}

/// `b = 5, c = 0..2`.
fn values_text(values: &[(String, Interval)]) -> String {
    let values: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    values.join(", ")
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
