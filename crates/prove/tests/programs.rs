//! The models of `programs/prove`: how many of their assertions are proved, under sc, tso, pso and rmo.

use fencepost_frontend::{parse_fp, read};
use fencepost_prove::{MODELS_OF_THE_PAPER, Model, NumericDomain, Options, prove};
use fencepost_testing::programs;

/// How many are proved of how many.
fn proved(file: &str, model: Model, domain: NumericDomain) -> (usize, usize) {
    let path = programs().join("prove").join(file);
    let program = read(&path).unwrap_or_else(|e| panic!("{e}")).program;
    let options = Options { domain, max_cases: 400, ..Options::new(model) };
    let answers = prove(&program, None, &options).expect("no recursion").answers;
    (answers.iter().filter(|a| a.is_proved()).count(), answers.len())
}

fn by_model(file: &str) -> [(usize, usize); 4] {
    MODELS_OF_THE_PAPER.map(|model| proved(file, model, NumericDomain::Interval))
}

#[test]
fn what_is_published_behind_a_spin_loop_is_proved() {
    assert_eq!(by_model("spin-flag.fp"), [(4, 4); 4]);
}

#[test]
fn a_variable_that_is_called_like_a_temporary_keeps_its_name() {
    let text = "atomic x; thread w { x.store(3, rlx); } thread r { t3 = x.load(rlx); assert((t3 + 1) * 2 != 8); }";
    let program = parse_fp("t3.fp", text).unwrap_or_else(|e| panic!("{e}")).program;
    let answers = prove(&program, None, &Options::new(Model::Tso)).expect("no recursion").answers;
    let alarm = answers.iter().find_map(|answer| answer.alarm.as_ref()).expect("an alarm");
    let names: Vec<_> = alarm.values.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["t3"]);
}

#[test]
fn what_a_loop_publishes_again_and_again_is_proved() {
    assert_eq!(by_model("producer-loop.fp"), [(2, 2); 4]);
}

#[test]
fn sections_of_spin_locks_in_loops_exclude_each_other() {
    assert_eq!(by_model("spin-locks.fp"), [(3, 3); 4]);
}

#[test]
fn a_cell_that_anybody_releases_is_no_lock() {
    assert_eq!(by_model("not-a-lock.fp"), [(0, 1); 4]);
}

#[test]
fn dekkers_entry_with_fences_is_proved() {
    assert_eq!(by_model("dekker.fp"), [(5, 5); 4]);
}

#[test]
fn a_watchdog_driver_is_proved() {
    assert_eq!(by_model("watchdog.fp"), [(6, 6); 4]);
}

/// That a key was pressed before the ring is not empty holds because it held when the reader looked before. Under rmo
/// the reader does not stop where it does not hold.
#[test]
fn a_keyboard_driver_is_proved_where_its_thread_stops_at_failures() {
    assert_eq!(by_model("keyboard-isr.fp"), [(8, 8), (8, 8), (8, 8), (7, 8)]);
}

/// The sum of an array takes a relation between its cells and the tickets.
#[test]
fn a_thread_pool_is_proved_but_for_a_sum() {
    assert_eq!(by_model("thread-pool.fp"), [(7, 8); 4]);
}

#[test]
fn octagons_relate_a_counter_and_an_index() {
    for model in MODELS_OF_THE_PAPER {
        assert_eq!(proved("counter-and-index.fp", model, NumericDomain::Octagon), (4, 4), "{model}");
        let (intervals, all) = proved("counter-and-index.fp", model, NumericDomain::Interval);
        assert!(intervals < all, "{model}: {intervals} of {all}");
    }
}
