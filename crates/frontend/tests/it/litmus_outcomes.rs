//! The litmus tests of the corpus have the outcomes that their headers claim: under SC by trying every schedule, under
//! the other models by the definitions.

use crate::support::sc::{FinalState, final_states};
use fencepost_frontend::{Input, parse_litmus};
use fencepost_graph::{EventKind, Graph};
use fencepost_models::Model;
use fencepost_oracle::{Bounds, complete_graphs};
use fencepost_program::question::{Observable, Proposition};
use fencepost_program::{Answer, Machine, Program, Value};
use fencepost_testing::sources;

/// Name and text of each test in the folders for litmus tests; others illustrate other things.
fn corpus() -> Vec<(String, String)> {
    let directories = ["litmus", "litmus/x86", "litmus/linux"];
    let tests = directories.iter().flat_map(|directory| sources(directory, &["litmus"]));
    tests.map(|test| (test.path.display().to_string(), test.text)).collect()
}

fn input(name: &str, text: &str) -> Input {
    parse_litmus(name, text).unwrap_or_else(|error| panic!("{error}"))
}

fn holds(proposition: &Proposition, program: &Program, (registers, cells): &FinalState) -> bool {
    proposition.holds(&|observable| match observable {
        Observable::Cell(at) => cells[at.0 as usize],
        Observable::Register { thread, reg } => {
            registers[thread][program.observed_index(thread, reg).expect("observed")]
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
    for (name, text) in tests {
        let input = input(&name, &text);
        let program = input.observing();
        let claims = input.header.iter().find(|(key, _)| key == "outcome").map(|(_, value)| value.clone());
        let claims = claims.unwrap_or_else(|| panic!("{} claims no outcome", name));
        assert!(claims.split(' ').any(|claim| claim.starts_with("sc=")), "{}", name);
        for claim in claims.split(' ') {
            let (model, claimed) = claim.split_once('=').expect("model=frequency");
            let found = match model {
                "sc" => frequency(&input, &program, final_states(&program)),
                other => {
                    let model: Model = other.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
                    let graphs = complete_graphs(&program, model, Bounds::default())
                        .unwrap_or_else(|error| panic!("{}: {error}", name));
                    frequency(&input, &program, graphs.iter().map(|graph| final_state(&program, graph)))
                }
            };
            assert_eq!(found, claimed, "{} under {model}", name);
        }
    }
}

#[test]
fn a_test_is_called_like_its_file() {
    for (name, text) in corpus() {
        let title = input(&name, &text).header[0].1.clone();
        assert!(name.ends_with(&format!("/{title}.litmus")), "{name} is called {title}");
    }
}

#[test]
fn observing_registers_costs_states_only_when_asked() {
    let tests = corpus();
    let (name, text) = tests.iter().find(|(name, _)| name.ends_with("/SB+rlxs.litmus")).expect("store buffering");
    let input = input(name, text);
    assert_eq!(final_states(&input.program).len(), 1);
    assert_eq!(final_states(&input.observing()).len(), 3);
}
