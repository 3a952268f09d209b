//! The litmus tests of the corpus have the outcomes that their headers claim: under SC by trying every schedule, under
//! the other models by the definitions.

use fencepost_frontend::{Input, Observable, Proposition, read};
use fencepost_graph::{EventKind, Graph};
use fencepost_models::Model;
use fencepost_oracle::{Bounds, complete_graphs};
use fencepost_program::{Answer, Machine, Program, Value};
use std::path::PathBuf;
use support::sc::{FinalState, final_states};

mod support {
    pub mod sc;
}

fn corpus() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../programs/litmus");
    let files = std::fs::read_dir(folder).expect("the corpus").map(|entry| entry.expect("a file").path());
    let mut tests: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "litmus")).collect();
    tests.sort();
    tests
}

fn input(path: &PathBuf) -> Input {
    read(path).unwrap_or_else(|error| panic!("{error}"))
}

fn holds(proposition: &Proposition, program: &Program, (registers, cells): &FinalState) -> bool {
    proposition.holds(&|observable| match observable {
        Observable::Cell(at) => cells[at.0 as usize],
        Observable::Register { thread, reg } => {
            let observed = &program.function(program.threads[thread].func).observed;
            registers[thread][observed.iter().position(|r| *r == reg).expect("observed")]
        }
    })
}

/// `never`, `sometimes` or `always`.
fn frequency(input: &Input, program: &Program, states: impl IntoIterator<Item = FinalState>) -> &'static str {
    let condition = input.condition.as_ref().expect("a condition");
    let holding: Vec<bool> = states.into_iter().map(|state| holds(&condition.proposition, program, &state)).collect();
    match holding.iter().filter(|holds| **holds).count() {
        0 => "never",
        n if n == holding.len() => "always",
        _ => "sometimes",
    }
}

/// The final state of a complete graph: its last writes, and what the threads make of the values they read.
fn final_state(program: &Program, graph: &Graph) -> FinalState {
    let machine = Machine::new(program);
    let registers = (0..program.threads.len()).map(|thread| {
        let mut state = machine.start(thread);
        for (_, event) in graph.thread(thread as u32) {
            let answer = match event.label.kind {
                EventKind::Read | EventKind::AwaitRead => Answer::Read(event.label.read.expect("a read")),
                EventKind::Rmw => Answer::Updated(event.label.read.expect("a read")),
                EventKind::Write | EventKind::Fence => Answer::Done,
            };
            machine.resume(&mut state, answer, 0);
        }
        assert!(state.has_ended());
        state.observed().to_vec()
    });
    let registers = registers.collect();
    let last = |cell| graph.writes(cell).last().and_then(|write| graph.event(*write).label.written);
    let cells: Vec<Value> = program.cells().map(|cell| last(cell).expect("a write")).collect();
    (registers, cells)
}

#[test]
fn every_litmus_test_has_the_outcomes_that_its_header_claims() {
    let tests = corpus();
    assert!(tests.len() >= 25, "{} tests", tests.len());
    for path in tests {
        let input = input(&path);
        let program = input.observing();
        let claims = input.header.iter().find(|(key, _)| key == "outcome").map(|(_, value)| value.clone());
        let claims = claims.unwrap_or_else(|| panic!("{} claims no outcome", path.display()));
        assert!(claims.split(' ').any(|claim| claim.starts_with("sc=")), "{}", path.display());
        for claim in claims.split(' ') {
            let (model, claimed) = claim.split_once('=').expect("model=frequency");
            let found = match model {
                "sc" => frequency(&input, &program, final_states(&program)),
                "rc11" => {
                    let graphs = complete_graphs(&program, Model::Rc11, Bounds::default())
                        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                    frequency(&input, &program, graphs.iter().map(|graph| final_state(&program, graph)))
                }
                other => panic!("{} claims something about {other}", path.display()),
            };
            assert_eq!(found, claimed, "{} under {model}", path.display());
        }
    }
}

#[test]
fn a_test_is_called_like_its_file() {
    for path in corpus() {
        let title = input(&path).header[0].clone();
        assert_eq!(title, ("title".to_owned(), path.file_stem().expect("a name").to_string_lossy().into_owned()));
    }
}

#[test]
fn observing_registers_costs_states_only_when_asked() {
    let path = corpus().into_iter().find(|path| path.ends_with("SB+rlxs.litmus")).expect("store buffering");
    let input = input(&path);
    assert_eq!(final_states(&input.program).len(), 1);
    assert_eq!(final_states(&input.observing()).len(), 3);
}
