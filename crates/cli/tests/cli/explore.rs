//! `fencepost explore`, as its users meet it.

use serde_json::Value;

use crate::support::{HUGE, ROBUST, Ran, STORE_BUFFERING, Sandbox};

const ASSERTED: &str = "\
atomic x, y;

thread writer {
  x.store(1, rlx);
  y.store(1, rlx);
}

thread reader {
  a = y.load(rlx);
  b = x.load(rlx);
  assert(a == 0 || b == 1);
}
";

const SB_LITMUS: &str = "\
C SB
{}
P0 (atomic_int *x, atomic_int *y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
}
P1 (atomic_int *x, atomic_int *y) {
  atomic_store_explicit(y, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
}
";

const ENDLESS: &str = "\
atomic x: u32;

thread adder {
  loop {
    x.fetch_add(1, rlx);
  }
}
";

fn litmus(condition: &str) -> String {
    format!("{SB_LITMUS}{condition}\n")
}

fn without_time(ran: &Ran) -> &str {
    let last = ran.stdout.lines().last().unwrap_or("");
    last.rsplit_once(", ").map_or(last, |(counts, _)| counts)
}

fn object(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}{}", ran.stdout, ran.stderr))
}

#[test]
fn executions_are_counted_and_exit_0() {
    let ran = Sandbox::new("explore-counts", &[("sb.fp", STORE_BUFFERING)]).run(&["explore", "sb.fp"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(ran.first_line(), "holds: sb.fp has no data race, failing assertion or deadlock under rc11");
    assert_eq!(without_time(&ran), "4 complete executions, 0 blocked (rc11)");
    assert_eq!(ran.stderr, "");
}

#[test]
fn every_model_has_its_own_count() {
    let sandbox = Sandbox::new("explore-models", &[("sb.fp", STORE_BUFFERING)]);
    for (model, count) in [("sc", 3), ("tso", 4), ("pso", 4), ("ra", 4), ("rc20", 4), ("rc11", 4), ("jam21", 4)] {
        let ran = sandbox.run(&["explore", "--model", model, "sb.fp"]);
        assert_eq!(without_time(&ran), format!("{count} complete executions, 0 blocked ({model})"), "{}", ran.stderr);
    }
}

#[test]
fn a_failing_assertion_exits_1_with_the_execution() {
    let sandbox = Sandbox::new("explore-assertion", &[("mp.fp", ASSERTED)]);
    let ran = sandbox.run(&["explore", "mp.fp", "--graph", "why.svg"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert_eq!(ran.first_line(), "violated: mp.fp has a failing assertion");
    for part in ["--> mp.fp:11", "How to get there", "y.load(rlx)", "not sequentially consistent"] {
        assert!(ran.stdout.contains(part), "{part} is missing in\n{}", ran.stdout);
    }
    assert!(sandbox.read("why.svg").starts_with("<svg"));
    assert_eq!(sandbox.run(&["explore", "mp.fp", "--model", "tso"]).status, Some(0));
}

#[test]
fn a_drawing_shows_the_relations_of_the_model() {
    let synchronising = "nonatomic d;\natomic f;\nthread a { d.store(1, na); f.store(1, rel); }\n\
                         thread b { r = f.load(acq); assert(r == 0); }\n";
    let fenced = "atomic x, y;\nthread a { x.store(1, rlx); fence(sc); r = y.load(rlx); }\n\
                  thread b { y.store(1, rlx); fence(sc); s = x.load(rlx); assert(s == 0); }\n";
    let sandbox = Sandbox::new("explore-drawing", &[("mp.fp", synchronising), ("sb.fp", fenced)]);
    for (file, model, relation) in [("mp.fp", "rc11", "sw"), ("mp.fp", "tso", "ppo"), ("sb.fp", "rc11", "psc")] {
        let ran = sandbox.run(&["explore", file, "--model", model, "--graph", "why.dot"]);
        assert_eq!(ran.status, Some(1), "{}", ran.stdout);
        let drawing = sandbox.read("why.dot");
        let labels = drawing.lines().filter_map(|line| line.split("label=\"").nth(1)?.split('"').next());
        let mut names = labels.flat_map(|label| label.split(", "));
        assert!(names.any(|name| name == relation), "{relation} is missing in\n{drawing}");
    }
}

#[test]
fn properties_that_are_not_asked_for_are_not_looked_for() {
    let sandbox = Sandbox::new("explore-properties", &[("mp.fp", ASSERTED)]);
    let ran = sandbox.run(&["explore", "mp.fp", "--properties", "races"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stdout);
    assert_eq!(ran.first_line(), "holds: mp.fp has no data race under rc11");
}

#[test]
fn limits_are_unknown_and_exit_3() {
    let sandbox = Sandbox::new("explore-limits", &[("huge.fp", HUGE), ("sb.fp", STORE_BUFFERING)]);
    let ran = sandbox.run(&["explore", "huge.fp", "--timeout", "50ms"]);
    assert_eq!(ran.status, Some(3));
    assert!(ran.first_line().contains("time limit"), "{}", ran.stdout);
    let ran = sandbox.run(&["explore", "sb.fp", "--max-executions", "2", "--format", "json"]);
    assert_eq!(ran.status, Some(3));
    assert_eq!((&object(&ran)["verdict"], &object(&ran)["reason"]), (&"unknown".into(), &"execution limit".into()));
}

#[test]
fn the_answer_says_up_to_which_bound_on_loops_it_holds() {
    let may_end = "atomic x; thread t { loop { x.fetch_add(1, rlx); r = choose(0..1); if (r == 1) break; } }";
    let sandbox = Sandbox::new("explore-endless", &[("a.fp", may_end)]);
    let ran = sandbox.run(&["explore", "a.fp", "--unroll", "3"]);
    assert_eq!(ran.status, Some(0));
    assert!(ran.first_line().starts_with("holds up to 3 iterations of each loop: a.fp"), "{}", ran.stdout);
    let ran = sandbox.run(&["explore", "a.fp", "--unroll", "3", "--format", "json"]);
    assert_eq!((&object(&ran)["bound"], &object(&ran)["executions"]["blocked"]), (&3.into(), &1.into()));
}

#[test]
fn nothing_explored_is_unknown() {
    let assumes = "atomic x;\nthread t {\n  r = x.load(rlx);\n  assume(r == 1);\n}\n";
    let sandbox = Sandbox::new("explore-nothing", &[("endless.fp", ENDLESS), ("assumes.fp", assumes)]);
    for models in ["--model=rc11", "--models=sc,rc11"] {
        let ran = sandbox.run(&["explore", "endless.fp", "--unroll", "3", models]);
        assert_eq!(ran.status, Some(3), "{}", ran.stdout);
        assert!(ran.first_line().contains("no execution completes: some go on beyond"), "{}", ran.stdout);
        let ran = sandbox.run(&["explore", "assumes.fp", models]);
        assert_eq!(ran.status, Some(3), "{}", ran.stdout);
        assert!(ran.first_line().contains("cut off by the assumption at assumes.fp:4"), "{}", ran.stdout);
    }
    let ran = sandbox.run(&["check", "assumes.fp"]);
    assert_eq!(ran.status, Some(3), "{}", ran.stdout);
    let why = "no execution completes: in every one a thread is cut off by the assumption at assumes.fp:4";
    assert!(ran.first_line().contains(why), "{}", ran.stdout);
}

#[test]
fn deadlocks_are_errors_and_say_what_each_thread_waits_for() {
    let semaphore = "atomic s = 1;\nthread t[2] {\n  s.fetch_sub(1, acq) when >= 1;\n}\n";
    let sandbox = Sandbox::new("explore-deadlock", &[("a.fp", semaphore)]);
    for command in ["explore", "check"] {
        let ran = sandbox.run(&[command, "a.fp"]);
        assert_eq!(ran.status, Some(1), "{}", ran.stdout);
        assert_eq!(ran.first_line(), "violated: a.fp can deadlock");
        assert!(ran.stdout.contains("waits until `s` >= 1."), "{}", ran.stdout);
        let ran = sandbox.run(&[command, "a.fp", "--properties", "races"]);
        assert_ne!(ran.status, Some(1), "{}", ran.stdout);
    }
}

#[test]
fn a_loop_without_an_exit_does_not_wait_and_does_not_excuse_a_thread_that_waits() {
    let waits = "atomic x, y;\nthread a { wait(x == 1, rlx); }\n";
    let bodies = ["loop { }", "loop { r = y.load(rlx); }", "loop { fence(sc); }", "loop { r = y.exchange(0, rlx); }"];
    for body in bodies {
        let (alone, beside) =
            (format!("atomic y;\nthread b {{ {body} }}\n"), format!("{waits}thread b {{ {body} }}\n"));
        let sandbox = Sandbox::new("explore-loops", &[("alone.fp", &alone), ("beside.fp", &beside)]);
        for command in ["explore", "check"] {
            let ran = sandbox.run(&[command, "beside.fp"]);
            assert_eq!(ran.first_line(), "violated: beside.fp can deadlock", "{body}");
            for words in ["waits or goes round a loop without an exit, and nothing", "a waits until `x` == 1."] {
                assert!(ran.stdout.contains(words), "{}", ran.stdout);
            }
            assert!(ran.stdout.contains("b goes round a loop without an exit."), "{}", ran.stdout);
            let ran = sandbox.run(&[command, "alone.fp"]);
            let expected = if command == "check" { Some(0) } else { Some(3) };
            assert_eq!(ran.status, expected, "{}", ran.stdout);
        }
        let ran = sandbox.run(&["explore", "alone.fp"]);
        let why = "no execution completes: in every one a thread goes round a loop without an exit";
        assert!(ran.first_line().contains(why), "{}", ran.stdout);
    }
}

#[test]
fn models_are_compared_on_blocked_executions() {
    let stuck = "atomic x, y;\nthread a { x.store(1, rlx); r = y.load(rlx); assume(r == 0); }\n\
                 thread b { y.store(1, rlx); r = x.load(rlx); assume(r == 0); q = choose(0..1); assume(q == 1); }\n";
    let sandbox = Sandbox::new("explore-blocked", &[("a.fp", stuck)]);
    let ran = sandbox.run(&["explore", "a.fp", "--models", "sc,rc11"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stdout);
    assert!(ran.stdout.contains("2 executions allowed by rc11 and forbidden by sc"), "{}", ran.stdout);
}

#[test]
fn a_bound_that_was_not_reached_is_not_mentioned() {
    let ran =
        Sandbox::new("explore-unreached", &[("sb.fp", STORE_BUFFERING)]).run(&["explore", "sb.fp", "--unroll", "3"]);
    assert!(ran.first_line().starts_with("holds: sb.fp"), "{}", ran.stdout);
}

#[test]
fn the_condition_of_a_litmus_test_decides() {
    let conditions = [
        ("exists (0:r0=0 /\\ 1:r0=0)", 0),
        ("exists (0:r0=2)", 1),
        ("~exists (0:r0=0 /\\ 1:r0=0)", 1),
        ("~exists (0:r0=2)", 0),
        ("forall (0:r0=0)", 1),
        ("forall (x=1)", 0),
    ];
    for (i, (condition, status)) in conditions.into_iter().enumerate() {
        let sandbox = Sandbox::new(&format!("explore-condition-{i}"), &[("sb.litmus", &litmus(condition))]);
        let ran = sandbox.run(&["explore", "sb.litmus"]);
        assert_eq!(ran.status, Some(status), "{condition}\n{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains(&format!("{condition}: ")), "{}", ran.stdout);
        // What must not be is shown where it is.
        assert_eq!(ran.stdout.contains("How to get there"), status == 1 && !condition.starts_with("exists"));
    }
}

#[test]
fn a_limit_leaves_a_condition_open_unless_it_is_refuted() {
    for (i, (condition, status)) in [("exists (0:r0=0)", 3), ("forall (0:r0=2)", 1)].into_iter().enumerate() {
        let sandbox = Sandbox::new(&format!("explore-condition-limit-{i}"), &[("sb.litmus", &litmus(condition))]);
        let ran = sandbox.run(&["explore", "sb.litmus", "--max-executions", "1"]);
        assert_eq!(ran.status, Some(status), "{condition}\n{}", ran.stdout);
    }
}

#[test]
fn what_a_bound_on_loops_hides_may_satisfy_a_condition() {
    let twice = "\
C twice
{}
P0 (atomic_int *x) {
  while (atomic_fetch_add_explicit(x, 1, memory_order_relaxed) < 3) {}
}
exists (x=4)
";
    let sandbox = Sandbox::new("explore-condition-bound", &[("a.litmus", twice)]);
    let ran = sandbox.run(&["explore", "a.litmus", "--unroll", "1"]);
    assert_eq!(ran.status, Some(3), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.first_line().contains("--unroll"), "{}", ran.stdout);
    assert_eq!(sandbox.run(&["explore", "a.litmus", "--unroll", "5"]).status, Some(0));
}

#[test]
fn variables_may_be_called_like_temporaries() {
    let text = "\
C names
{}
P0 (atomic_int *x) {
  int t3 = atomic_load_explicit(x, memory_order_relaxed);
  int t0 = (t3 + 1) * 2 == 4 ? t3 : 7;
}
P1 (atomic_int *x) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
}
exists (0:t3=1 /\\ 0:t0=1)
";
    let sandbox = Sandbox::new("explore-temporaries", &[("names.litmus", text)]);
    let ran = sandbox.run(&["explore", "names.litmus", "--outcomes"]);
    assert!(ran.stdout.contains("2 final states\n  1   0:t3=0; 0:t0=7;\n  1 * 0:t3=1; 0:t0=1;\n"), "{}", ran.stdout);
}

#[test]
fn outcomes_are_the_final_states_with_their_executions() {
    let sandbox = Sandbox::new("explore-outcomes", &[("sb.litmus", &litmus("exists (0:r0=0 /\\ 1:r0=0)"))]);
    let ran = sandbox.run(&["explore", "sb.litmus", "--outcomes"]);
    assert!(ran.stdout.contains("4 final states\n  1 * 0:r0=0; 1:r0=0;\n  1   0:r0=0; 1:r0=1;\n"), "{}", ran.stdout);
    let ran = sandbox.run(&["explore", "sb.litmus", "--outcomes", "--model", "sc", "--format", "json"]);
    assert_eq!(ran.status, Some(1));
    let object = object(&ran);
    let outcomes = object["outcomes"].as_array().unwrap();
    assert_eq!(outcomes.len(), 3);
    assert_eq!(outcomes[0]["state"], serde_json::json!({ "0:r0": 0, "1:r0": 1 }));
    assert_eq!(object["condition"]["observation"], "never");
}

#[test]
fn a_filter_restricts_the_states() {
    let filtered = litmus("filter (0:r0=1)\nforall (0:r0=1)");
    let ran = Sandbox::new("explore-filter", &[("sb.litmus", &filtered)]).run(&["explore", "sb.litmus", "--outcomes"]);
    assert_eq!(ran.status, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("always in 2 executions"), "{}", ran.stdout);
    assert_eq!(without_time(&ran), "4 complete executions, 0 blocked (rc11)");
}

#[test]
fn outcomes_of_a_program_are_its_locations() {
    let ran = Sandbox::new("explore-locations", &[("sb.fp", STORE_BUFFERING)]).run(&["explore", "sb.fp", "--outcomes"]);
    assert!(ran.stdout.contains("1 final state\n  4   x=1; y=1;\n"), "{}", ran.stdout);
}

#[test]
fn all_graphs_are_printed_or_written() {
    let sandbox = Sandbox::new("explore-graphs", &[("sb.fp", STORE_BUFFERING)]);
    let ran = sandbox.run(&["explore", "sb.fp", "--graphs", "all"]);
    assert_eq!(ran.stdout.matches("\nexecution ").count() + 1, 4, "{}", ran.stdout);
    assert!(ran.stdout.contains("from the initial value"));
    for file in ["all.txt", "all.json", "all.dot"] {
        assert_eq!(sandbox.run(&["explore", "sb.fp", "--graphs", file]).status, Some(0));
    }
    assert_eq!(sandbox.read("all.dot").matches("digraph").count(), 4);
    assert_eq!(sandbox.read("all.txt").matches("execution").count(), 4);
    let graphs: Value = serde_json::from_str(&sandbox.read("all.json")).unwrap();
    assert_eq!(graphs.as_array().unwrap().len(), 4);
    assert_eq!(graphs[0]["events"].as_array().unwrap().len(), 4);
    assert_eq!(sandbox.run(&["explore", "sb.fp", "--graphs", "nowhere/all.dot"]).status, Some(2));
}

#[test]
fn models_are_compared_with_an_execution_that_one_forbids() {
    let sandbox = Sandbox::new("explore-compare", &[("sb.fp", STORE_BUFFERING), ("sc.fp", ROBUST)]);
    let ran = sandbox.run(&["explore", "sb.fp", "--models", "rc11,sc", "--graph", "why.dot"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert_eq!(ran.first_line(), "violated: sb.fp does not have the same executions under rc11 and sc");
    assert!(ran.stdout.contains("1 execution allowed by rc11 and forbidden by sc, such as"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("forbidden by rc11"), "{}", ran.stdout);
    assert!(ran.stdout.contains("It breaks a rule of sc: po, rf, mo and fr have no cycle"), "{}", ran.stdout);
    assert!(ran.stdout.contains("- 2 reads what 3 overwrites (fr)\n"), "{}", ran.stdout);
    assert!(sandbox.read("why.dot").starts_with("digraph"));
    let ran = sandbox.run(&["explore", "sc.fp", "--models", "rc11,sc", "--format", "json"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(object(&ran)["models"][1]["complete"], 3);
}

#[test]
fn models_that_see_sc_fences_differently_are_not_compared() {
    let fences = STORE_BUFFERING.replace("  a =", "  fence(sc);\n  a =").replace("  b =", "  fence(sc);\n  b =");
    let sandbox = Sandbox::new("explore-incomparable", &[("sb.fp", &fences)]);
    let ran = sandbox.run(&["explore", "sb.fp", "--models", "rc11,ra"]);
    assert_eq!(ran.status, Some(3), "{}", ran.stdout);
    assert!(ran.stdout.contains("cannot be compared"), "{}", ran.stdout);
    assert_eq!(sandbox.run(&["explore", "sb.fp", "--models", "ra,rc20"]).status, Some(0));
}

#[test]
fn sc_accesses_are_refused_by_rc20_with_their_place() {
    let sandbox = Sandbox::new("explore-refused", &[("a.fp", ROBUST)]);
    for arguments in [["--model", "rc20"], ["--models", "ra,rc20"]] {
        let ran = sandbox.run(&["explore", arguments[0], arguments[1], "a.fp"]);
        assert_eq!(ran.status, Some(2));
        assert!(ran.stderr.contains("a.fp:4:3"), "{}", ran.stderr);
    }
}

#[test]
fn questions_that_do_not_fit_together_exit_2() {
    let sandbox = Sandbox::new("explore-usage", &[("a.fp", ROBUST)]);
    for arguments in [
        &["--models", "rc11"][..],
        &["--models", "rc11,sc", "--model", "sc"],
        &["--models", "rc11,sc", "--outcomes"],
        &["--models", "rc11,sc", "--format", "sarif"],
        &["--model", "x86"],
        &["--properties", "robustness"],
        &["--graphs", "all", "--format", "json"],
        &["--graphs", "all.png"],
        &["--graphs", "all", "a.fp"],
        &["--unroll", "-1"],
    ] {
        let ran = sandbox.run(&[&["explore", "a.fp"], arguments].concat());
        assert_eq!(ran.status, Some(2), "{arguments:?}: {}", ran.stdout);
        assert!(ran.stderr.contains("error"), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn sarif_has_the_violation() {
    let sandbox = Sandbox::new("explore-sarif", &[("mp.fp", ASSERTED)]);
    let log = object(&sandbox.run(&["explore", "mp.fp", "--format", "sarif"]));
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "assertion");
}

#[test]
fn several_files_have_a_summary() {
    let sandbox = Sandbox::new("explore-several", &[("mp.fp", ASSERTED), ("sb.fp", STORE_BUFFERING)]);
    let ran = sandbox.run(&["explore", "mp.fp", "sb.fp"]);
    assert_eq!(ran.status, Some(1));
    assert_eq!(ran.stdout.lines().last(), Some("2 files: 1 holds, 1 violated"));
}
