//! What the search cannot decide is unknown, never a yes.

use fencepost_check::{Options, Properties, check};
use fencepost_frontend::parse_fp;
use fencepost_report::{Outcome, Reason};

#[test]
fn a_loop_too_long_to_follow_is_unknown_whatever_is_asked() {
    let text = "atomic x; thread t { i = 0; while (i < 100000000) i = i + 1; x.store(1, rlx); assert(false); }";
    let program = parse_fp("long.fp", text).expect("a program").program;
    let races = Properties { robustness: false, races: true, assertions: false, deadlocks: false };
    for properties in [Properties::default(), races] {
        let options = Options { properties, ..Options::default() };
        let verdict = check(&program, &options, &Default::default()).expect("no refusal");
        assert!(matches!(verdict.outcome, Outcome::Unknown(Reason::Other(_))), "{:?}", verdict.outcome);
    }
}

#[test]
fn a_state_limit_is_unknown() {
    let text = "atomic x; thread t[2] { loop { x.fetch_add(1, rlx); } }";
    let program = parse_fp("endless.fp", text).expect("a program").program;
    let options = Options { max_states: Some(1000), ..Options::default() };
    let verdict = check(&program, &options, &Default::default()).expect("no refusal");
    assert_eq!(verdict.outcome, Outcome::Unknown(Reason::StateLimit));
}
