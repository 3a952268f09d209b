//! Programs with loops: what is proved does not fail in any execution, as far as loops are followed.

mod random;

use fencepost_prove::{Method, Model};
use fencepost_testing::at_least;
use random::{Count, with_loops};

/// Cases are few, so that hopeless programs do not take all the time.
const MAX_CASES: u64 = 300;

fn compare(model: Model, method: Method, programs: u32) -> Count {
    random::compare(with_loops, model, method, programs, MAX_CASES)
}

fn nothing_bogus_is_proved(model: Model) {
    let count = compare(model, Method::AllThreads, 250);
    let tenth = count.compared() / 10;
    assert!(count.proved > tenth && count.true_alarms > tenth, "the programs are all alike: {count:?}");
    compare(model, Method::FruitTree, 50);
}

#[test]
fn what_is_proved_of_programs_with_loops_holds_under_sc() {
    nothing_bogus_is_proved(Model::Sc);
}

#[test]
fn what_is_proved_of_programs_with_loops_holds_under_tso() {
    nothing_bogus_is_proved(Model::Tso);
}

#[test]
fn what_is_proved_of_programs_with_loops_holds_under_pso() {
    nothing_bogus_is_proved(Model::Pso);
}

/// That the comparison finds bogus proofs at all: an unsound method has some.
#[test]
fn bogus_proofs_of_programs_with_loops_are_found() {
    let count = compare(Model::Tso, Method::Watts, 400);
    assert!(u64::from(count.bogus_proofs) >= at_least(1, 400), "{count:?}");
}
