//! What is proved holds: no execution that the model allows fails.

mod random;

use fencepost_prove::{Method, Model};
use fencepost_testing::at_least;
use random::{Count, loop_free};

const MAX_CASES: u64 = 20_000;

fn compare(model: Model, method: Method, programs: u32) -> Count {
    random::compare(loop_free, model, method, programs, MAX_CASES)
}

fn nothing_bogus_is_proved(model: Model, programs: u32) {
    let count = compare(model, Method::AllThreads, programs);
    let tenth = count.compared() / 10;
    assert!(count.proved > tenth && count.true_alarms > tenth, "the programs are all alike: {count:?}");
}

#[test]
fn what_is_proved_under_sc_holds_in_every_execution() {
    nothing_bogus_is_proved(Model::Sc, 2_000);
}

#[test]
fn what_is_proved_under_tso_holds_in_every_execution() {
    nothing_bogus_is_proved(Model::Tso, 2_000);
}

#[test]
fn what_is_proved_under_pso_holds_in_every_execution() {
    nothing_bogus_is_proved(Model::Pso, 2_000);
}

#[test]
fn what_is_proved_under_rmo_holds_in_every_execution() {
    nothing_bogus_is_proved(Model::Rmo, 2_000);
}

#[test]
fn what_is_proved_under_ibm370_holds_in_every_execution() {
    nothing_bogus_is_proved(Model::Ibm370, 2_000);
}

/// That the comparison finds bogus proofs at all: an unsound method has some, and more of them the weaker the model.
#[test]
fn bogus_proofs_are_found() {
    for (model, bogus) in [(Model::Tso, 5), (Model::Pso, 10), (Model::Rmo, 10)] {
        let count = compare(model, Method::Watts, 500);
        assert!(u64::from(count.bogus_proofs) > at_least(bogus, 500), "{model}: {count:?}");
    }
}
