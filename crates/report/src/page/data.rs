//! What the page shows, as data. Field names are short where an object occurs for each event.

use std::collections::{BTreeSet, HashSet};

use fencepost_program::{Source, Span};
use fencepost_story::{AccessSite, Difference, Finding, Folded, ListedEvent, Node, NodeKind, TraceStep, WitnessGraph};
use serde::Serialize;

use super::prose::{Part, of_edge, parts};
use crate::markup::is_hidden;
use crate::relation::{in_use, relation};
use crate::{ComparisonReport, Report};

#[derive(Serialize, Default)]
pub(crate) struct PageData {
    /// `holds`, `violated` or `unknown`; empty for a page without a verdict.
    pub word: &'static str,
    pub headline: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caveat: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumptions: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<String>,
    pub relations: Vec<RelationData>,
    pub sources: Vec<SourceData>,
    /// Whether the list of executions is by final states.
    pub grouped: bool,
    pub executions: Vec<ExecutionData>,
}

#[derive(Serialize)]
pub(crate) struct RelationData {
    name: String,
    meaning: &'static str,
    /// Follows from others: not drawn at first.
    derived: bool,
    /// The style has a colour for it.
    known: bool,
}

#[derive(Serialize)]
pub(crate) struct SourceData {
    name: String,
    language: &'static str,
    text: String,
}

#[derive(Serialize, Clone, Copy)]
struct Place {
    file: usize,
    line: u32,
    column: u32,
    length: u32,
}

/// An execution, and if it is that of a finding, what there is to say about it.
#[derive(Serialize, Default)]
pub(crate) struct ExecutionData {
    pub title: String,
    /// What the list of findings calls it.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    message: Vec<Part>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explanation: Vec<Vec<Part>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Vec<Part>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    accesses: Vec<AccessData>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    output: Vec<[String; 2]>,
    threads: Vec<String>,
    nodes: Vec<NodeData>,
    edges: Vec<EdgeData>,
    orders: Vec<(String, Vec<usize>)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cycle: Vec<CycleData>,
    steps: Vec<StepData>,
}

#[derive(Serialize)]
struct AccessData {
    role: String,
    thread: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<Place>,
}

#[derive(Serialize)]
struct NodeData {
    id: usize,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<usize>,
    label: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<Place>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    highlighted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    folded: Option<&'static str>,
}

#[derive(Serialize)]
struct EdgeData {
    from: usize,
    to: usize,
    relation: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    highlighted: bool,
}

#[derive(Serialize)]
struct CycleData {
    from: usize,
    to: usize,
    relation: String,
    sentence: Vec<Part>,
}

#[derive(Serialize)]
struct StepData {
    thread: String,
    text: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    values: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variables: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    seen: Vec<(String, usize)>,
}

impl SourceData {
    fn of(source: &Source) -> SourceData {
        SourceData { name: clean(&source.name), language: language(&source.name), text: clean(&source.text) }
    }
}

/// Text without what would be shown as something else.
pub(crate) fn clean(text: &str) -> String {
    let shown = |c: char| if is_hidden(c) && !matches!(c, '\n' | '\t' | '\r') { '\u{fffd}' } else { c };
    text.chars().map(shown).collect()
}

/// The files that matter for some executions, and their numbers on the page.
pub(crate) struct Files<'a> {
    sources: &'a [Source],
    /// By file, its number on the page.
    numbers: Vec<Option<usize>>,
}

impl<'a> Files<'a> {
    /// The first file, and those that a span is in.
    pub(crate) fn of(sources: &'a [Source], spans: impl Iterator<Item = Span>) -> Files<'a> {
        let mut matters = vec![false; sources.len()];
        matters.iter_mut().take(1).for_each(|first| *first = true);
        for span in spans.filter(|span| span.line > 0) {
            if let Some(matters) = matters.get_mut(span.file.0 as usize) {
                *matters = true;
            }
        }
        let mut next = 0..;
        let numbers = matters.iter().map(|matters| matters.then(|| next.next()).flatten()).collect();
        Files { sources, numbers }
    }

    /// All files, with their own numbers.
    pub(crate) fn all(sources: &'a [Source]) -> Files<'a> {
        Files { sources, numbers: (0..sources.len()).map(Some).collect() }
    }

    fn data(&self) -> Vec<SourceData> {
        let shown = self.sources.iter().zip(&self.numbers).filter(|(_, number)| number.is_some());
        shown.map(|(source, _)| SourceData::of(source)).collect()
    }

    /// The files of some numbers and the first one, with nothing in the places of the others.
    pub(crate) fn data_of(&self, numbers: &BTreeSet<usize>) -> Vec<Option<SourceData>> {
        let is_shown = |number: usize| number == 0 || numbers.contains(&number);
        let data = |(i, source)| is_shown(i).then(|| SourceData::of(source));
        self.sources.iter().enumerate().map(data).collect()
    }

    fn place(&self, span: Span) -> Option<Place> {
        let file = (*self.numbers.get(span.file.0 as usize)?)?;
        let Span { line, column, length, .. } = span;
        (line > 0).then_some(Place { file, line, column: column.max(1), length })
    }
}

fn language(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "fp" => "fp",
        "litmus" => "litmus",
        "rs" => "rust",
        "ll" | "bc" => "ll",
        _ => "c",
    }
}

/// All places of a finding.
pub(crate) fn spans(finding: &Finding) -> impl Iterator<Item = Span> + '_ {
    let nodes = finding.graph.iter().flat_map(|graph| graph.nodes.iter().map(|node| node.span));
    let accesses = finding.accesses.iter().map(|access| access.span);
    nodes.chain(accesses).chain(finding.trace.iter().map(|step| step.span))
}

pub(crate) fn relations<'a>(graphs: impl Iterator<Item = &'a WitnessGraph>) -> Vec<RelationData> {
    let names = graphs.flat_map(|graph| graph.edges.iter().map(|edge| edge.relation.as_str()));
    relations_named(&in_use(names))
}

pub(crate) fn relations_named(names: &[&str]) -> Vec<RelationData> {
    let data = |name: &&str| {
        let known = relation(name);
        RelationData {
            name: clean(name),
            meaning: known.meaning,
            derived: known.is_derived,
            known: !known.name.is_empty(),
        }
    };
    names.iter().map(data).collect()
}

impl PageData {
    pub(crate) fn of_report(report: &Report<'_>) -> PageData {
        let violations = &report.verdict.violations;
        let findings: Vec<&Finding> = violations.iter().chain(report.example).collect();
        let files = Files::of(report.sources, findings.iter().flat_map(|finding| spans(finding)));
        let assumptions = violations.is_empty() && !report.assumptions.is_empty();
        PageData {
            word: report.verdict.outcome.name(),
            headline: clean(&report.headline()),
            caveat: report.caveat().map(str::to_owned),
            assumptions: assumptions.then(|| clean(&format!("Assuming: {}", report.assumptions.join("; ")))),
            cost: Some(report.cost()),
            relations: relations(findings.iter().filter_map(|finding| finding.graph.as_ref())),
            sources: files.data(),
            grouped: false,
            executions: findings.iter().map(|finding| ExecutionData::of_finding(finding, &files)).collect(),
        }
    }
}

impl PageData {
    pub(crate) fn of_comparison(report: &ComparisonReport<'_>) -> PageData {
        let differences = &report.comparison.differences;
        let graphs = || differences.iter().map(|difference| &difference.graph);
        let spans = graphs().flat_map(|graph| graph.nodes.iter().map(|node| node.span));
        let files = Files::of(report.sources, spans);
        PageData {
            word: report.comparison.outcome.name(),
            headline: clean(&report.headline()),
            cost: Some(report.counts().join("; ")),
            relations: relations(graphs()),
            sources: files.data(),
            executions: differences.iter().map(|d| ExecutionData::of_difference(d, &files)).collect(),
            ..PageData::default()
        }
    }
}

impl ExecutionData {
    /// The steps have the numbers of the listing, which the reason speaks of.
    fn of_difference(difference: &Difference, files: &Files<'_>) -> ExecutionData {
        let graph = &difference.graph;
        let mut events = graph.nodes.iter().filter(|node| node.kind != NodeKind::Initial).map(|node| node.id);
        let step = |event: &ListedEvent| TraceStep {
            thread: event.thread.clone(),
            text: event.step.clone(),
            values: Some(event.values.clone()),
            span: event.span,
            event: events.next(),
            ..TraceStep::default()
        };
        let steps: Vec<TraceStep> = difference.example.events.iter().map(step).collect();
        let mut data = ExecutionData::of_graph(graph, &steps, files);
        let sentence = format!("{}, such as this one", ComparisonReport::sentence(difference));
        data.kind = "difference";
        data.message = parts(&sentence, None);
        // The rule, and a line for each step of the cycle unless there is more to tell.
        let is_cycle = difference.reason.len() == graph.cycle.len() + 1;
        let lines = difference.reason.iter().take(if is_cycle { 1 } else { usize::MAX });
        let lines = lines.map(|line| line.trim_start().trim_start_matches("- "));
        data.explanation = lines.map(|line| parts(line.strip_suffix(". Here").unwrap_or(line), None)).collect();
        if !is_cycle {
            data.cycle.clear();
        }
        data
    }

    pub(crate) fn of_finding(finding: &Finding, files: &Files<'_>) -> ExecutionData {
        let graph = finding.graph.as_ref();
        let mut data = match graph {
            Some(graph) => ExecutionData::of_graph(graph, &finding.trace, files),
            None => ExecutionData::of_graph(&WitnessGraph::default(), &finding.trace, files),
        };
        data.title = clean(&finding.message);
        data.kind = finding.kind.name();
        data.message = parts(&finding.message, graph);
        // The steps of the cycle have their own place on the page.
        let is_told = |line: &str| {
            let told = |line: &str| graph.is_some_and(|graph| graph.cycle.iter().any(|edge| edge.sentence == line));
            line.strip_prefix("- ").is_some_and(told)
        };
        let lines = finding.explanation.iter().filter(|line| !is_told(line));
        data.explanation = lines.map(|line| parts(line, graph)).collect();
        data.fixes = finding.fixes.iter().map(|fix| parts(&fix.sentence(), graph)).collect();
        data.output = finding.output.iter().map(|line| [clean(&line.thread), clean(&line.text)]).collect();
        let access = |access: &AccessSite| AccessData {
            role: clean(&access.role),
            thread: clean(&access.thread),
            span: files.place(access.span),
        };
        data.accesses = finding.accesses.iter().map(access).collect();
        data
    }

    pub(crate) fn of_graph(graph: &WitnessGraph, trace: &[TraceStep], files: &Files<'_>) -> ExecutionData {
        let ids: HashSet<usize> = graph.nodes.iter().map(|node| node.id).collect();
        let node = |node: &Node| NodeData {
            id: node.id,
            kind: kind(node.kind),
            thread: graph.column(node),
            label: clean(&node.label),
            text: clean(&node.text),
            written: node.written.as_deref().map(clean),
            span: files.place(node.span),
            highlighted: node.highlighted,
            folded: node.folded.map(folded),
        };
        let edges = graph.edges.iter().filter(|edge| ids.contains(&edge.from) && ids.contains(&edge.to));
        let edges = edges.map(|edge| EdgeData {
            from: edge.from,
            to: edge.to,
            relation: clean(&edge.relation),
            highlighted: edge.highlighted,
        });
        let cycle = graph.cycle.iter().filter(|edge| ids.contains(&edge.from) && ids.contains(&edge.to));
        let cycle = cycle.map(|edge| CycleData {
            from: edge.from,
            to: edge.to,
            relation: clean(&edge.relation),
            sentence: of_edge(&edge.sentence, graph, [edge.from, edge.to]),
        });
        let step = |step: &TraceStep| StepData {
            thread: clean(&step.thread),
            text: clean(&step.text),
            values: clean(&step.values()),
            span: files.place(step.span),
            event: step.event.filter(|id| ids.contains(id)),
            variables: step.variables.iter().map(|(name, value)| (clean(name), value.to_string())).collect(),
            seen: step.seen.iter().filter(|(_, id)| ids.contains(id)).map(|(name, id)| (clean(name), *id)).collect(),
        };
        ExecutionData {
            title: clean(&graph.title),
            threads: graph.threads.iter().map(|name| clean(name)).collect(),
            nodes: graph.nodes.iter().map(node).collect(),
            edges: edges.collect(),
            orders: graph.orders.iter().map(|(name, writes)| (clean(name), writes.clone())).collect(),
            cycle: cycle.collect(),
            steps: trace.iter().map(step).collect(),
            ..ExecutionData::default()
        }
    }
}

fn kind(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Initial => "initial",
        NodeKind::Read => "read",
        NodeKind::Write => "write",
        NodeKind::Update => "update",
        NodeKind::Fence => "fence",
        NodeKind::Waiting => "waiting",
        NodeKind::Failure => "failure",
    }
}

fn folded(why: Folded) -> &'static str {
    match why {
        Folded::ThreadStart => "start",
        Folded::Library => "library",
        Folded::Unread => "unread",
        Folded::NotNeeded => "unneeded",
    }
}
