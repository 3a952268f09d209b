//! `cargo xtask table fruittree`: the family of critical cycles by all methods, beside tables 1 to 3 of paper 002; then
//! the larger programs, as in its table 4. With names of programs, methods or models, only those.

#[path = "../../tests/family/mod.rs"]
mod family;
mod large;
#[path = "../../tests/large_programs/mod.rs"]
mod large_programs;

use std::time::{Duration, Instant};

use fencepost_prove::{Method, Model, Options, Question, find_execution, prove};

const PAPER: &str = include_str!("../../../../programs/tables/fruittree-litmus-tables-1-3.csv");

#[derive(Default)]
struct Row {
    true_alarms: u32,
    bogus_alarms: u32,
    true_proofs: u32,
    bogus_proofs: u32,
    time: Duration,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.is_empty() || words == ["write"] {
        litmus_tests();
    }
    large::table(&large::Wanted::of(&words));
}

fn litmus_tests() {
    let tests = family::family();
    println!(
        "{} litmus tests: critical cycles of up to 4 threads and 4 locations, with fences of each kind\n",
        tests.len()
    );
    println!("| model | method | true alarms | bogus alarms | true proofs | bogus proofs | seconds |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    let mut total = Duration::ZERO;
    for model in [Model::Tso, Model::Pso, Model::Rmo] {
        let allowed: Vec<bool> = tests
            .iter()
            .map(|t| {
                find_execution(&t.program, model, Question::Ends(&t.never), 1_000_000).expect("it is small").is_some()
            })
            .collect();
        for method in [Method::Mine, Method::Watts, Method::FruitTree, Method::AllThreads] {
            let mut row = Row::default();
            for (test, &allowed) in tests.iter().zip(&allowed) {
                let started = Instant::now();
                let options = Options { method, ..Options::new(model) };
                let proof = prove(&test.program, Some(&test.never), &options).expect("no recursion");
                row.time += started.elapsed();
                if method == Method::AllThreads && proof.answers[0].is_proved() == allowed {
                    eprintln!("bogus under {model}: {}", test.name);
                }
                *match (proof.answers[0].is_proved(), allowed) {
                    (false, true) => &mut row.true_alarms,
                    (false, false) => &mut row.bogus_alarms,
                    (true, false) => &mut row.true_proofs,
                    (true, true) => &mut row.bogus_proofs,
                } += 1;
            }
            if method == Method::AllThreads {
                total += row.time;
            }
            println!(
                "| {model} | {} | {} | {} | {} | {} | {:.2} |",
                method.name(),
                row.true_alarms,
                row.bogus_alarms,
                row.true_proofs,
                row.bogus_proofs,
                row.time.as_secs_f64()
            );
        }
        for line in PAPER.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            if cells.first() == Some(&model.name()) {
                println!("| {} | paper: {} |", cells[0], cells[1..].join(" | "));
            }
        }
    }
    println!("\nall-threads, three models: {:.2} s", total.as_secs_f64());
}
