//! Random programs in the flat memory of C, with threads that `main` makes: what is proved of them holds, and what is
//! proved of the same program with declared cells is proved of them too.

mod flattened;
mod private_cells;
mod random;

use fencepost_explore::{Options as Exploring, explore};
use fencepost_frontend::parse_fp;
use fencepost_models::Engine;
use fencepost_oracle::random::{Profile, Sketch, random_sketch};
use fencepost_program::{Inst, Program};
use fencepost_prove::{Answer, MODELS_OF_THE_PAPER, Model, Options, Question, find_execution, prove};
use fencepost_story::{Outcome, Properties};
use fencepost_testing::{seeds, trials};
use flattened::{Style, flattened};
use private_cells::{shape, with_private_cells};
use random::{Asked, loop_free};

/// Those that `explore` takes too.
const MODELS: [Model; 4] = [Model::Sc, Model::Ibm370, Model::Tso, Model::Pso];

/// Whether some execution fails; `None` if there are too many of them.
fn fails(program: &Program, model: Model) -> Option<bool> {
    let options = Exploring {
        properties: Properties { assertions: true, ..Properties::NONE },
        max_executions: Some(20_000),
        ..Exploring::new(model)
    };
    match explore(program, &options, &Default::default(), |_| {}).unwrap().verdict.outcome {
        Outcome::Holds => Some(false),
        Outcome::Violated => Some(true),
        Outcome::Unknown(_) => None,
    }
}

/// The same, by the axioms where `explore` does not know the model.
fn fails_under(program: &Program, model: Model) -> Option<bool> {
    if MODELS.contains(&model) {
        return fails(program, model);
    }
    let instructions = program.functions.iter().flat_map(|f| f.code.iter().zip(&f.spans));
    let places = instructions.filter(|(inst, _)| matches!(inst, Inst::Assert { .. })).map(|(_, span)| *span);
    let fails = |span| find_execution(program, model, Question::Fails(span), 2_000).ok().map(|found| found.is_some());
    places.map(fails).reduce(|a, b| if a == Some(true) || b == Some(true) { Some(true) } else { a.and(b) }).flatten()
}

/// Whether everything is proved.
fn proves(program: &Program, model: Model) -> bool {
    let proof = prove(program, None, &Options::new(model)).unwrap_or_else(|refusal| panic!("refused: {refusal}"));
    proof.answers.iter().all(Answer::is_proved)
}

/// Cells of C have no ranges.
fn sketch(seed: u64) -> Sketch {
    let mut sketch = random_sketch(seed, Profile::ALL[seed as usize % 3]);
    sketch.cells.iter_mut().for_each(|cell| cell.largest = None);
    sketch
}

fn parsed(sketch: &Sketch) -> Option<Program> {
    Some(parse_fp("random.fp", &sketch.to_string()).ok()?.program)
}

#[test]
fn pointers_change_no_answer() {
    let (mut compared, mut proofs) = (0, 0);
    for seed in seeds(trials(300)) {
        let sketch = sketch(seed);
        let Some(program) = parsed(&sketch) else { continue };
        for style in [Style::Direct, Style::Argument, Style::Heap] {
            let flat = flattened(&program, style, 1);
            for model in MODELS_OF_THE_PAPER {
                let expected = proves(&program, model);
                assert_eq!(proves(&flat, model), expected, "seed {seed}, {style:?}, {model}\n{sketch}");
                compared += 1;
                proofs += expected as u32;
            }
        }
    }
    assert!(proofs * 8 > compared && proofs * 8 < compared * 7, "{proofs} of {compared}");
}

/// A cell of one thread becomes registers, but its accesses keep what they kept in order: no proof is lost, and none is
/// bogus.
#[test]
fn accesses_to_private_memory_keep_their_order() {
    let mut by_order = 0;
    for seed in seeds(trials(200)) {
        // Cells of C have no ranges, and no names for what registers hold in the end.
        let random = loop_free(seed).filter(|asked| asked.never.is_none() && !asked.text.contains(": 0.."));
        let random = random.map(|Asked { text, .. }| [with_private_cells(&text, seed), text]);
        for [with, without] in [Some(shape(seed)), random].into_iter().flatten() {
            let read = |text: &str| parse_fp("random.fp", text).expect("well formed").program;
            let (program, without) = (read(&with), read(&without));
            let flat = flattened(&program, Style::ALL[seed as usize % 2], 1);
            for model in Model::of(Engine::Prove) {
                let proved = proves(&flat, model);
                assert!(proved || !proves(&program, model), "seed {seed}, {model}: a proof is lost\n{with}");
                if proved {
                    let fails = fails_under(&program, model);
                    assert_ne!(fails, Some(true), "seed {seed}, {model}: a bogus proof\n{with}");
                    by_order += !proves(&without, model) as u64;
                }
            }
        }
    }
    assert!(by_order * 2 > trials(200), "{by_order}");
}

#[test]
fn what_is_proved_of_flat_programs_has_no_failing_execution() {
    let mut proofs = 0;
    for seed in seeds(trials(600)) {
        let Some(program) = parsed(&sketch(seed)) else { continue };
        let flat = flattened(&program, Style::ALL[seed as usize % 3], 1);
        for model in MODELS {
            if proves(&flat, model) {
                assert_ne!(fails(&program, model), Some(true), "seed {seed}, {model}: a bogus proof");
                proofs += 1;
            }
        }
    }
    assert!(proofs > trials(600) / 6, "{proofs}");
}

#[test]
fn what_is_proved_of_a_thread_that_is_made_again_and_again_holds_for_one_to_three_of_them() {
    let mut proofs = 0;
    for seed in seeds(trials(200)) {
        let sketch = sketch(seed);
        let Some(program) = parsed(&sketch) else { continue };
        let flat = flattened(&program, Style::ALL[seed as usize % 3], u32::MAX);
        for model in MODELS {
            if !proves(&flat, model) {
                continue;
            }
            proofs += 1;
            for copies in 1..=3 {
                let mut several = sketch.clone();
                several.threads.extend((1..copies).map(|_| sketch.threads[0].clone()));
                let several = parsed(&several).expect("as the one that was read");
                assert_ne!(fails(&several, model), Some(true), "seed {seed}, {model}: a bogus proof\n{sketch}");
            }
        }
    }
    assert!(proofs > trials(200) / 25, "{proofs}");
}
