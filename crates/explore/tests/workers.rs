//! Workers share the work and change nothing; estimates are right in the mean.

use std::num::NonZeroUsize;
use std::time::Duration;

use fencepost_explore::{Exploration, Options, count, estimate};
use fencepost_frontend::parse_fp;
use fencepost_models::Model;
use fencepost_oracle::random::{Profile, random_sketch};
use fencepost_program::Program;
use fencepost_story::{Outcome, Properties, Reason};

fn random_program(seed: u64) -> Option<Program> {
    let text = random_sketch(seed, Profile::ALL[seed as usize % 3]).to_string();
    parse_fp("random.fp", &text).ok().map(|input| input.program)
}

fn options(model: Model) -> Options {
    Options { properties: Properties::NONE, ..Options::new(model) }
}

#[test]
fn counts_do_not_depend_on_the_number_of_workers() {
    let counts = |exploration: Exploration| (exploration.complete, exploration.blocked, exploration.verdict.outcome);
    for program in (0..600).filter_map(random_program) {
        for model in [Model::Sc, Model::Rc11, Model::Jam21] {
            let alone = counts(count(&program, &options(model), &Default::default()).unwrap());
            for jobs in [2, 5] {
                let jobs = NonZeroUsize::new(jobs).expect("not 0");
                let together =
                    counts(count(&program, &Options { jobs, ..options(model) }, &Default::default()).unwrap());
                assert_eq!(alone, together, "{jobs} workers, {model}");
            }
        }
    }
}

#[test]
fn a_limit_on_executions_is_kept_to_the_letter_by_any_number_of_workers() {
    let programs: Vec<Program> = (0..40).filter_map(random_program).collect();
    for program in &programs {
        let all = count(program, &options(Model::Rc11), &Default::default()).unwrap();
        let all = all.complete + all.blocked;
        for (max, jobs) in [(all, 1), (all, 3), (all - 1, 1), (all - 1, 3), (0, 2)] {
            let jobs = NonZeroUsize::new(jobs).expect("not 0");
            let limited = Options { max_executions: Some(max), jobs, ..options(Model::Rc11) };
            let found = count(program, &limited, &Default::default()).unwrap();
            assert_eq!(found.complete + found.blocked, max);
            let limit = Outcome::Unknown(Reason::ExecutionLimit);
            assert_eq!(found.verdict.outcome == limit, max != all);
        }
    }
}

#[test]
fn estimates_are_right_in_the_mean() {
    let mut compared = 0;
    for program in (0..60).filter_map(random_program) {
        let found = count(&program, &options(Model::Rc11), &Default::default()).unwrap();
        let truth = (found.complete + found.blocked) as f64;
        let estimate =
            estimate(&program, &options(Model::Rc11), Duration::from_secs(60)).unwrap().expect("a minute is enough");
        // On some of the programs, a wrong estimator is off by far more than six standard errors.
        let error = (estimate.executions - truth).abs() / truth;
        assert!(error <= 6.0 * estimate.error + 1e-9, "{truth} executions, {estimate:?}");
        compared += (truth > 10.0) as u32;
    }
    assert!(compared > 10, "only {compared} programs have many executions");
}
