//! The executions found are those of the brute-force enumeration, each once.

use std::collections::HashSet;

use fencepost_explore::{Options, explore};
use fencepost_frontend::parse_fp;
use fencepost_models::{Engine, Model};
use fencepost_oracle::random::{Profile, Sketch, random_sketch, shrink};
use fencepost_oracle::{Bounds, complete_graphs};
use fencepost_story::Properties;
use fencepost_testing::{seeds, trials};

/// Larger programs take brute force too long.
const GRAPHS: u64 = 400;

/// `Ok(false)`: the model refuses the program, or it is too large for brute force.
fn agrees(text: &str, model: Model) -> Result<bool, String> {
    let Ok(input) = parse_fp("random.fp", text) else { return Ok(false) };
    let program = input.program;
    if model.admit(Engine::Explore, &program).is_err() {
        return Ok(false);
    }
    let Ok(truth) = complete_graphs(&program, model, Bounds { graphs: GRAPHS, ..Bounds::default() }) else {
        return Ok(false);
    };
    let truth: HashSet<_> = truth.iter().map(|g| g.canonical()).collect();
    let (mut found, mut all, mut twice) = (HashSet::new(), HashSet::new(), 0);
    let options = Options { properties: Properties::NONE, compare_with_definition: true, ..Options::new(model) };
    let exploration = explore(&program, &options, &Default::default(), |execution| {
        let graph = execution.graph().canonical();
        found.insert(graph.clone());
        twice += !all.insert((graph, execution.choices())) as u32;
    })
    .unwrap();
    if exploration.complete != all.len() as u64 {
        return Err(format!("{} executions counted, {} shown", exploration.complete, all.len()));
    }
    let missing = truth.difference(&found).count();
    let wrong = found.difference(&truth).count();
    if missing + wrong > 0 || twice > 0 {
        return Err(format!("{} graphs; {missing} missing, {wrong} inconsistent, {twice} found twice", truth.len()));
    }
    Ok(true)
}

#[test]
fn executions_are_those_of_the_definitions_each_once() {
    let count = trials(2_000);
    let mut compared = 0;
    for seed in seeds(count) {
        let profile = [Profile::Ra, Profile::Rc20, Profile::Rc11, Profile::Processor][seed as usize % 4];
        let sketch = random_sketch(seed, profile);
        for model in Model::of(Engine::Explore) {
            match agrees(&sketch.to_string(), model) {
                Ok(true) => compared += 1,
                Ok(false) => {}
                Err(_) => {
                    let small = shrink(&sketch, |s: &Sketch| agrees(&s.to_string(), model).is_err());
                    let why = agrees(&small.to_string(), model).expect_err("shrinking keeps the difference");
                    panic!("seed {seed}, model {model}: {why}\n{small}");
                }
            }
        }
    }
    assert!(compared > count * 2, "too few programs could be compared: {compared}");
}
