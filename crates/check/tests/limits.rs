//! What the search cannot decide is unknown, never a yes.

use fencepost_check::{Options, Properties, check};
use fencepost_frontend::parse_fp;
use fencepost_story::{Outcome, Reason};
use fencepost_testing::compiled;

#[test]
fn a_loop_too_long_to_follow_is_unknown_whatever_is_asked() {
    let text = "atomic x; thread t { i = 0; while (i < 100000000) i = i + 1; x.store(1, rlx); assert(false); }";
    let program = parse_fp("long.fp", text).expect("a program").program;
    let races = Properties { races: true, ..Properties::NONE };
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

/// Each cell that is released to and acquired from has a view of all others, so that bits go by the square of their
/// number.
#[test]
fn states_of_more_words_than_a_field_can_name_are_not_searched() {
    for (cells, is_searched) in [(8, true), (4000, false)] {
        let text = format!(
            "atomic x[{cells}]; atomic data; atomic flag;
             thread a {{
               var i = 0;
               while (i < {cells}) {{ x[i].store(1, rel); i = i + 1; }}
               data.store(1, rlx);
               flag.store(1, rlx);
             }}
             thread b {{
               var i = 0;
               while (i < {cells}) {{ r = x[i].load(acq); i = i + 1; }}
               wait(flag == 1, rlx);
               d = data.load(rlx);
             }}"
        );
        let program = parse_fp("words.fp", &text).expect("a program").program;
        let verdict = check(&program, &Options::default(), &Default::default()).expect("no refusal");
        match verdict.outcome {
            Outcome::Violated => assert!(is_searched),
            Outcome::Unknown(Reason::Other(why)) => assert!(!is_searched && why.contains("four million bits"), "{why}"),
            other => panic!("{cells} cells: {other:?}"),
        }
    }
}

/// However much memory a thread has of its own, a local loop that comes back to the same state is found.
#[test]
fn a_loop_over_large_locals_is_told_from_one_that_counts() {
    for size in [16, 100_000, 300_000] {
        let text = format!("int main(void) {{ volatile char a[{size}]; a[7] = 0; for (;;) a[7] ^= 1; }}\n");
        let program = compiled("large-locals", &text);
        let verdict = check(&program, &Options::default(), &Default::default()).expect("no refusal");
        assert_eq!(verdict.outcome, Outcome::Holds, "{size}");
    }
}
