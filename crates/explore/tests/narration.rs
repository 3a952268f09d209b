//! The steps that are told of an execution are those that its program takes.

use fencepost_explore::{Options, explore};
use fencepost_frontend::{parse_fp, read};
use fencepost_models::{Engine, Model};
use fencepost_program::Action;
use fencepost_story::{Properties, Run};
use fencepost_testing::{compiled, files};

/// Of each program.
const EXECUTIONS: u64 = 50;

#[test]
fn a_graph_without_its_steps_is_told_as_the_execution_that_it_comes_from() {
    let mut told = 0;
    for file in ["litmus", "examples", "explore"].iter().flat_map(|directory| files(directory, &["fp", "litmus"])) {
        let program = read(&file).unwrap_or_else(|e| panic!("{e}")).program;
        for model in [Model::Rc11, Model::Tso] {
            if model.admit(Engine::Explore, &program).is_err() {
                continue;
            }
            let max_executions = Some(EXECUTIONS);
            let options =
                Options { properties: Properties::NONE, unroll: Some(2), max_executions, ..Options::new(model) };
            explore(&program, &options, &Default::default(), |execution| {
                let run = execution.run();
                let again = Run::of_graph(&program, model, run.graph.clone());
                for (id, event) in run.graph.events().filter(|(_, event)| !event.is_initial()) {
                    let step = run.step_of(id).unwrap_or_else(|| panic!("{}: {event:?} is no step", file.display()));
                    assert_eq!(Some(step.thread as u32), event.thread);
                    assert_eq!(run.event_text(id), again.event_text(id), "{} under {model}", file.display());
                    told += 1;
                }
            })
            .unwrap();
        }
    }
    assert!(told > 5_000, "{told} events");
}

#[test]
fn steps_have_the_names_of_their_operations() {
    let text =
        "atomic x, y;\nthread one { x.cas(0, 7, acq, rlx); y.fetch_add(2, rel); }\nthread two { wait(x == 7, acq); }";
    let program = parse_fp("names.fp", text).unwrap_or_else(|e| panic!("{e}")).program;
    let mut steps = Vec::new();
    explore(&program, &Options::new(Model::Rc11), &Default::default(), |execution| {
        steps = execution.run().trace().into_iter().map(|step| format!("{}: {}", step.thread, step.text)).collect();
    })
    .unwrap();
    assert_eq!(steps, ["one: x.cas(0, 7, acq, rlx)", "one: y.fetch_add(2, rel)", "two: wait(x == 7, acq)"]);
}

#[test]
fn steps_without_events_are_told_and_the_making_of_threads_is_not() {
    let program = compiled(
        "steps",
        "#include <pthread.h>\n#include <stdlib.h>
        static void *work(void *p) { *(int *)p = 1; return 0; }
        int main(void) {
            int *number = malloc(sizeof *number);
            pthread_t thread;
            pthread_create(&thread, 0, work, number);
            pthread_join(thread, 0);
            free(number);
            return 0;
        }",
    );
    let mut steps = Vec::new();
    explore(&program, &Options::new(Model::Rc11), &Default::default(), |execution| {
        let run = execution.run();
        assert!(run.steps.iter().any(|step| matches!(step.action, Action::Spawn { .. }) && step.event.is_none()));
        steps = run.trace().into_iter().map(|step| format!("{}: {}", step.thread, step.text)).collect();
    })
    .unwrap();
    let operations: Vec<&str> = steps.iter().map(|step| step.split('(').next().unwrap()).collect();
    assert_eq!(
        operations,
        ["main: malloc", "main: spawn", "work: heap[0:1]+0.store", "main: join", "main: free"],
        "{steps:?}"
    );
}
