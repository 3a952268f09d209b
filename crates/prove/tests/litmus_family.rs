//! The family of critical cycles: no bogus proof by a sound method, and no bogus alarm by ours.

mod family;

use fencepost_prove::{Method, Model, Options, Question, find_execution, prove};

use family::family;

fn check(model: Model) {
    let tests = family();
    assert!(tests.len() >= 250, "{}", tests.len());
    let (mut allowed, mut forbidden) = (0, 0);
    for test in &tests {
        let truth = find_execution(&test.program, model, Question::Ends(&test.never), 1_000_000).expect("it is small");
        let proves = |method| {
            let options = Options { method, ..Options::new(model) };
            prove(&test.program, Some(&test.never), &options).expect("no recursion").answers[0].is_proved()
        };
        assert_eq!(proves(Method::AllThreads), truth.is_none(), "{model}: {}", test.name);
        for method in [Method::FruitTree, Method::Mine] {
            assert!(!(proves(method) && truth.is_some()), "{model}: {} by {}", test.name, method.name());
        }
        if truth.is_some() { allowed += 1 } else { forbidden += 1 }
    }
    assert!(forbidden > 50 && (allowed > 50 || model == Model::Sc), "{allowed} allowed, {forbidden} forbidden");
}

#[test]
fn under_sc_a_cycle_is_proved_impossible_exactly_if_it_is() {
    check(Model::Sc);
}

#[test]
fn under_tso_a_cycle_is_proved_impossible_exactly_if_it_is() {
    check(Model::Tso);
}

#[test]
fn under_pso_a_cycle_is_proved_impossible_exactly_if_it_is() {
    check(Model::Pso);
}

#[test]
fn under_rmo_a_cycle_is_proved_impossible_exactly_if_it_is() {
    check(Model::Rmo);
}

#[test]
fn under_ibm370_a_cycle_is_proved_impossible_exactly_if_it_is() {
    check(Model::Ibm370);
}
