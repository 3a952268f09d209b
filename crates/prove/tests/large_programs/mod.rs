//! The programs of `programs/prove/large`, how they are proved, and what is written down about that.
// Not every user needs all of it.
#![allow(dead_code)]

use std::path::PathBuf;

use fencepost_prove::{Method, Model, Options};
use fencepost_testing::programs;

/// Of one property. What is proved depends on it, and on nothing else that a machine could change.
pub const MAX_CASES: u64 = 24;

pub const METHODS: [Method; 4] = [Method::Mine, Method::Watts, Method::FruitTree, Method::AllThreads];

/// What a method proved of a program under a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub program: String,
    pub model: Model,
    pub method: Method,
    pub properties: usize,
    pub proved: usize,
    /// Whether the time was enough for all properties.
    pub complete: bool,
}

pub const HEADER: &str = "program,model,method,properties,proved,complete";

impl Row {
    pub fn line(&self) -> String {
        let complete = if self.complete { "yes" } else { "no" };
        let (model, method) = (self.model.name(), self.method.name());
        format!("{},{model},{method},{},{},{complete}", self.program, self.properties, self.proved)
    }

    fn of(line: &str) -> Option<Row> {
        let cells: Vec<&str> = line.split(',').collect();
        let [program, model, method, properties, proved, complete] = cells[..] else { return None };
        Some(Row {
            program: program.to_owned(),
            model: model.parse().ok()?,
            method: METHODS.into_iter().find(|m| m.name() == method)?,
            properties: properties.parse().ok()?,
            proved: proved.parse().ok()?,
            complete: complete == "yes",
        })
    }

    pub fn is_about_the_same(&self, other: &Row) -> bool {
        (&self.program, self.model, self.method) == (&other.program, other.model, other.method)
    }
}

pub fn options(model: Model, method: Method) -> Options {
    Options { method, max_cases: MAX_CASES, ..Options::new(model) }
}

pub fn directory() -> PathBuf {
    programs().join("prove/large")
}

pub fn expected_path() -> PathBuf {
    directory().join("expected.csv")
}

/// What is written down, without lines that are not rows.
pub fn expected() -> Vec<Row> {
    let text = std::fs::read_to_string(expected_path()).unwrap_or_default();
    text.lines().skip(1).filter_map(Row::of).collect()
}
