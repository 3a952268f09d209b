//! Version 1.0: an automaton whose edges are the steps.

use std::fmt::Write;

use fencepost_story::TraceStep;

use super::Witness;
use crate::markup::escape;

/// Each with its type and what it belongs to.
const KEYS: &[(&str, &str, &str)] = &[
    ("witness-type", "string", "graph"),
    ("sourcecodelang", "string", "graph"),
    ("producer", "string", "graph"),
    ("specification", "string", "graph"),
    ("programfile", "string", "graph"),
    ("programhash", "string", "graph"),
    ("architecture", "string", "graph"),
    ("creationtime", "string", "graph"),
    ("entry", "boolean", "node"),
    ("violation", "boolean", "node"),
    ("startline", "int", "edge"),
    ("endline", "int", "edge"),
    ("threadId", "string", "edge"),
    ("createThread", "string", "edge"),
    ("enterFunction", "string", "edge"),
    ("assumption", "string", "edge"),
    ("assumption.resultfunction", "string", "edge"),
];

pub(super) fn text(witness: &Witness<'_>) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n");
    out += "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
            xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n";
    for (name, ty, of) in KEYS {
        let default = if *ty == "boolean" { "<default>false</default>" } else { "" };
        let start = format!(" <key attr.name=\"{name}\" attr.type=\"{ty}\" for=\"{of}\" id=\"{name}\"");
        let end = if default.is_empty() { "/>".to_owned() } else { format!(">{default}</key>") };
        out += &format!("{start}{end}\n");
    }
    out += " <graph edgedefault=\"directed\">\n";
    let kind = if witness.violation.is_some() { "violation_witness" } else { "correctness_witness" };
    for (key, value) in [
        ("witness-type", kind),
        ("sourcecodelang", "C"),
        ("producer", &format!("fencepost {}", witness.version)),
        ("specification", witness.specification),
        ("programfile", witness.file),
        ("programhash", witness.hash),
        ("architecture", "64bit"),
        ("creationtime", witness.creation_time),
    ] {
        out += &data("  ", key, value);
    }
    let edges = edges(witness);
    for node in 0..=edges.len() {
        let mut marks = String::new();
        if node == 0 {
            marks += &data("   ", "entry", "true");
        }
        if node == edges.len() && witness.violation.is_some() {
            marks += &data("   ", "violation", "true");
        }
        out += &match marks.is_empty() {
            true => format!("  <node id=\"N{node}\"/>\n"),
            false => format!("  <node id=\"N{node}\">\n{marks}  </node>\n"),
        };
    }
    for (number, edge) in edges.iter().enumerate() {
        write!(out, "  <edge source=\"N{number}\" target=\"N{}\">\n{edge}  </edge>\n", number + 1).expect("a string");
    }
    out + " </graph>\n</graphml>\n"
}

fn data(indent: &str, key: &str, value: &str) -> String {
    format!("{indent}<data key=\"{key}\">{}</data>\n", escape(value))
}

/// What each edge carries.
fn edges(witness: &Witness<'_>) -> Vec<String> {
    let Some(violation) = &witness.violation else { return Vec::new() };
    let mut threads = Threads { names: vec!["main".to_owned()], functions: vec![None] };
    let mut edges = vec![data("   ", "createThread", "0") + &data("   ", "enterFunction", "main")];
    let mut last = None;
    for step in violation.trace {
        let thread = threads.number(&step.thread);
        if let Some(function) = threads.functions[thread].take() {
            edges.push(data("   ", "threadId", &thread.to_string()) + &data("   ", "enterFunction", &function));
        }
        let Some(line) = witness.line(step.span) else { continue };
        let extra = extra(witness, step, &mut threads);
        // Steps of one line are one step of the automaton.
        if extra.is_empty() && last == Some((thread, line)) {
            continue;
        }
        last = Some((thread, line));
        edges.push(place(thread, line) + &extra);
    }
    if let Some((span, thread)) = violation.target
        && let Some(line) = witness.line(span)
        && last != Some((threads.number(thread), line))
    {
        edges.push(place(threads.number(thread), line));
    }
    edges
}

fn place(thread: usize, line: u32) -> String {
    let line = line.to_string();
    data("   ", "threadId", &thread.to_string()) + &data("   ", "startline", &line) + &data("   ", "endline", &line)
}

/// What a step does beyond being at a place: creates a thread, or gets a value from outside.
fn extra(witness: &Witness<'_>, step: &TraceStep, threads: &mut Threads) -> String {
    let spawned = step.text.strip_prefix("spawn(").and_then(|text| text.strip_suffix(')'));
    if let (Some(function), Some(created)) = (spawned, &step.creates) {
        let number = threads.number(created);
        threads.functions[number] = Some(function.to_owned());
        return data("   ", "createThread", &number.to_string());
    }
    match witness.chosen(step) {
        Some((function, value, _)) => {
            data("   ", "assumption", &format!("\\result == {value};"))
                + &data("   ", "assumption.resultfunction", function)
        }
        None => String::new(),
    }
}

/// Numbers of threads, in the order in which they are mentioned.
struct Threads {
    names: Vec<String>,
    /// What a new thread runs, until it has been told.
    functions: Vec<Option<String>>,
}

impl Threads {
    fn number(&mut self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.functions.push(None);
            self.names.len() - 1
        })
    }
}
