//! Execution graphs as one page: its data is a list that grows, and what is known at the end comes behind it.

use std::collections::BTreeSet;

use fencepost_program::Source;
use fencepost_story::{Run, plural, thousands};
use serde_json::json;

use crate::page::{ExecutionData, Files, head, in_html, relations_named, tail};
use crate::relation::in_use;

/// Nobody looks at more of them, and a browser takes its time.
const MOST: u64 = 2000;

pub(super) struct Page {
    title: String,
    seen: u64,
    sources: Vec<Source>,
    /// The files that an event is in.
    files: BTreeSet<usize>,
    relations: BTreeSet<String>,
}

impl Page {
    pub(super) fn new(title: &str) -> Page {
        let title = format!("Executions of {title}");
        Page { title, seen: 0, sources: Vec::new(), files: BTreeSet::new(), relations: BTreeSet::new() }
    }

    /// What to write for one more execution.
    pub(super) fn add(&mut self, run: &Run) -> String {
        self.seen += 1;
        if self.seen > MOST {
            return String::new();
        }
        let example = run.example(format!("execution {}", self.seen));
        if self.seen == 1 {
            self.sources = run.names.program().sources.clone();
        }
        if let Some(graph) = &example.graph {
            self.files.extend(graph.nodes.iter().filter(|n| n.span.line > 0).map(|n| n.span.file.0 as usize));
            self.relations.extend(graph.edges.iter().map(|edge| edge.relation.clone()));
        }
        let data = ExecutionData::of_finding(&example, &Files::all(&self.sources));
        let data = in_html(&serde_json::to_string(&data).expect("the data has nothing that JSON has not"));
        match self.seen {
            1 => format!("{}{data}", self.start()),
            _ => format!(",\n{data}"),
        }
    }

    fn start(&self) -> String {
        let plain = "This page needs its script. `--graphs FILE.svg` draws all executions without.";
        let head = head(&self.title, &format!("<noscript><p>{plain}</p></noscript>\n"));
        format!("{head}{{\"executions\":[\n")
    }

    pub(super) fn end(&self) -> String {
        let count = format!("{} {}", thousands(self.seen), plural(self.seen, "execution", "executions"));
        let shown = if self.seen > MOST { format!("the first {} of {count}", thousands(MOST)) } else { count };
        let relations = in_use(self.relations.iter().map(String::as_str));
        let rest = json!({
            "word": "",
            "headline": self.title,
            "cost": shown,
            "relations": relations_named(&relations),
            "sources": Files::all(&self.sources).data_of(&self.files),
            "grouped": true,
        })
        .to_string();
        let start = if self.seen == 0 { self.start() } else { String::new() };
        format!("{start}],{}{}", in_html(&rest[1..]), tail())
    }
}
