//! `fencepost prove`, as users run it.

use std::path::Path;
use std::process::{Command, Output};

use fencepost_testing::programs;
use serde_json::Value;

fn prove(arguments: &[&str]) -> Output {
    let directory = programs().join("prove");
    Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .arg("prove")
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("it runs")
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn json(arguments: &[&str]) -> Value {
    let output = prove(&[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&text(&output)).expect("JSON")
}

/// `proof` or `alarm`, for a program with one assertion.
fn answer(file: &str, model: &str, method: &str) -> &'static str {
    let report = json(&["--model", model, "--method", method, file]);
    match report["assertions"][0]["result"].as_str() {
        Some("proved") => "proof",
        Some("alarm") => "alarm",
        other => panic!("{file}: {other:?}"),
    }
}

#[test]
fn figure_4_of_the_paper_is_reproduced_in_every_cell() {
    let table = std::fs::read_to_string(programs().join("tables/fruittree-figure-4.csv")).expect("the table");
    let mut cells = 0;
    for line in table.lines().skip(1) {
        let [program, fences, model, mine, watts, fruittree] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("not a row: {line}");
        };
        let (name, extension) = if program == "figure1" { ("figure-1", "litmus") } else { ("figure-3", "fp") };
        let suffix = if fences == "with" { "-fences" } else { "" };
        let file = format!("{name}{suffix}.{extension}");
        for (method, expected) in
            [("mine", mine), ("watts", watts), ("fruittree", fruittree), ("all-threads", fruittree)]
        {
            assert_eq!(answer(&file, model, method), expected, "{file} by {method} under {model}");
            cells += 1;
        }
    }
    assert_eq!(cells, 64);
}

#[test]
fn that_there_is_nothing_to_prove_is_said() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nothing-to-prove.fp");
    std::fs::write(&file, "atomic x; thread t { x.store(1, rlx); }\n").expect("written");
    let output = prove(&[file.to_str().expect("UTF-8")]);
    assert!(text(&output).contains("has no assertion, so there was nothing to prove under tso"), "{}", text(&output));
}

#[test]
fn the_programs_of_figures_8_to_11_have_their_answers() {
    for (file, sc, tso, pso, rmo) in [
        ("figure-8-left.fp", "proof", "proof", "alarm", "alarm"),
        ("figure-8-right.fp", "alarm", "alarm", "alarm", "alarm"),
        ("figure-9.litmus", "proof", "alarm", "alarm", "alarm"),
        ("figure-10.fp", "proof", "proof", "proof", "proof"),
        ("figure-11.litmus", "proof", "alarm", "alarm", "alarm"),
    ] {
        for (model, expected) in [("sc", sc), ("tso", tso), ("pso", pso), ("rmo", rmo)] {
            assert_eq!(answer(file, model, "all-threads"), expected, "{file} under {model}");
        }
    }
}

#[test]
fn the_exit_status_is_0_for_proofs_3_for_alarms_and_1_for_confirmed_ones() {
    let status = |arguments: &[&str]| prove(arguments).status.code();
    assert_eq!(status(&["--model", "tso", "figure-3.fp"]), Some(0));
    assert_eq!(status(&["--model", "pso", "figure-3.fp"]), Some(3));
    assert_eq!(status(&["--model", "pso", "--confirm", "figure-3.fp"]), Some(1));
    assert_eq!(status(&["--model", "rmo", "--confirm", "figure-1.litmus"]), Some(1));
    assert_eq!(status(&["--model", "sc", "--method", "mine", "--confirm", "figure-3.fp"]), Some(0));
    assert_eq!(status(&["--model", "tso", "missing.fp"]), Some(2));
    assert_eq!(status(&["--model", "tso", "--explain", "2", "figure-3.fp"]), Some(2));
}

#[test]
fn an_unsound_method_says_so_and_its_proofs_are_not_a_yes() {
    let output = prove(&["--model", "tso", "--method", "watts", "figure-1.litmus"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output).contains("warning: watts assumes sequentially consistent memory"));
}

#[test]
fn an_alarm_shows_its_values_and_what_each_load_reads() {
    let report = json(&["--model", "pso", "figure-3.fp"]);
    let alarm = &report["assertions"][0];
    assert_eq!(alarm["line"], 15);
    assert_eq!(alarm["values"]["b"], serde_json::json!([0, 0]));
    assert_eq!(alarm["combination"][0]["from"]["line"], 8);
    assert_eq!(alarm["combination"][1]["from"], "initial value");
    assert_eq!(report["verdict"], "unknown");
}

#[test]
fn an_explanation_is_the_chain_of_the_paper() {
    let output = text(&prove(&["--model", "tso", "--explain", "1", "figure-3.fp"]));
    let at = |part: &str| output.find(part).unwrap_or_else(|| panic!("no {part:?} in\n{output}"));
    let chain = [
        at("`x.store(5, rlx)` (thread1, line 7) takes effect before `y.store(10, rlx)` (thread1, line 8)"),
        at("`y.load(rlx)` (thread2, line 12) reads `y.store(10, rlx)` (thread1, line 8), so that has taken effect"),
        at("`x.load(rlx)` (thread2, line 14) reads the initial value of x, so it comes before `x.store(5, rlx)`"),
    ];
    assert!(chain.is_sorted());
}

#[test]
fn a_confirmed_alarm_shows_an_execution_under_every_model() {
    for model in ["ibm370", "tso", "pso", "rmo"] {
        let arguments = ["--model", model, "--confirm", "figure-1.litmus"];
        let report = json(&arguments);
        let condition = report["assertions"].as_array().and_then(|a| a.last()).expect("a condition");
        assert_eq!(condition["result"], "real", "{model}");
        let steps = condition["execution"].as_array().expect("an execution");
        let reads_nothing_new = |s: &&serde_json::Value| s["read"] == 0;
        assert_eq!(steps.iter().filter(reads_nothing_new).count(), 2, "{model}: {steps:?}");
        assert!(text(&prove(&arguments)).contains("reads 0"), "{model}");
    }
}

/// A C program in a file of its own, proved with these arguments.
fn prove_c(name: &str, body: &str, arguments: &[&str]) -> Value {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = directory.join(format!("prove-{name}.c"));
    let prologue = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n";
    std::fs::write(&file, format!("{prologue}{body}")).expect("a file");
    json(&[arguments, &[file.to_str().expect("UTF-8")]].concat())
}

fn results(report: &Value) -> Vec<&str> {
    let assertions = report["assertions"].as_array().expect("a list");
    assertions.iter().map(|a| a["result"].as_str().expect("a word")).collect()
}

/// C programs have threads that are made on the way and locations without names: all of them take part in what is
/// decided.
#[test]
fn alarms_of_c_programs_are_confirmed_under_every_model() {
    let increments = "atomic_int x[2];
        void *up(void *p) {
          atomic_fetch_add_explicit(&x[0], 1, memory_order_relaxed);
          atomic_fetch_add_explicit(&x[1], 1, memory_order_relaxed);
          return 0;
        }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, up, 0);
          int b = atomic_fetch_add_explicit(&x[1], 0, memory_order_relaxed);
          int a = atomic_fetch_add_explicit(&x[0], 0, memory_order_relaxed);
          assert(b == 0 || a == 1);
        }";
    for (model, expected) in
        [("sc", "proved"), ("ibm370", "proved"), ("tso", "proved"), ("pso", "proved"), ("rmo", "real")]
    {
        let report = prove_c("increments", increments, &["--model", model, "--confirm"]);
        assert_eq!(results(&report), [expected], "{model}");
    }
    // What is not exact after the translation is not called real.
    let unknown_index = "atomic_int x[100];
        int main(void) {
          int i = __VERIFIER_nondet_bool();
          atomic_fetch_add(&x[i], 1);
          assert(x[1] == i);
        }";
    let declared = format!("int __VERIFIER_nondet_bool(void);\n{unknown_index}");
    let report = prove_c("unknown-index", &declared, &["--model", "rmo", "--confirm"]);
    assert_eq!(results(&report), ["alarm"]);
}

#[test]
fn sarif_has_alarms_as_warnings_and_confirmed_ones_as_errors_with_their_execution() {
    let log = |arguments: &[&str]| -> serde_json::Value {
        let output = prove(&[arguments, &["--format", "sarif"]].concat());
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let alarm = log(&["--model", "pso", "figure-3.fp"]);
    let result = &alarm["runs"][0]["results"][0];
    assert_eq!((&result["level"], &result["ruleId"]), (&"warning".into(), &"assertion".into()));
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 15);
    assert_eq!(alarm["runs"][0]["invocations"][0]["executionSuccessful"], false);
    let real = log(&["--model", "pso", "--confirm", "figure-3.fp"]);
    let result = &real["runs"][0]["results"][0];
    assert_eq!(result["level"], "error");
    assert_eq!(result["codeFlows"][0]["threadFlows"].as_array().map(Vec::len), Some(2));
    let proof = log(&["--model", "tso", "figure-3.fp"]);
    assert_eq!(proof["runs"][0]["results"].as_array().map(Vec::len), Some(0));
}

/// Each assertion of the source counts once, also where the compiler or constants decide it, and where nothing leads to
/// it.
#[test]
fn every_assertion_counts_and_what_is_never_reached_says_so() {
    let body = "void __VERIFIER_assume(int);
        void reach_error(void);
        atomic_int x, y;
        int uncalled(int a) { assert(a > 3); return a; } // never
        static int twice(int a) { assert(a < 9); return 2 * a; } // reached
        void *publish(void *p) { atomic_store(&x, 1); atomic_store(&y, 1); return 0; }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, publish, 0);
          assert(1 == 1); // reached
          int k = twice(2) + twice(3);
          assert(k == 10); // reached
          if (k == 4) assert(k == 5); // never
          if (0) assert(k == 9); // never
          if (k != 10) reach_error(); // reached
          int a = atomic_load(&y), b = atomic_load(&x);
          if (a == 1 && b == 0) assert(b == 7); // never
          if (a == 1) assert(b == 1); // reached
          for (int i = 0; i < 200; i++) {
            assert(i < 200); // reached
            if (i > 300) assert(i == 0); // never
          }
          __VERIFIER_assume(0);
          assert(k == 8); // never
          return 0;
          assert(2 == 3); // never
        }";
    let expected: Vec<bool> = body.lines().filter_map(|l| Some(l.split_once("// ")?.1 == "reached")).collect();
    for model in ["sc", "tso", "rmo"] {
        let report = prove_c("every-assertion", body, &["--model", model]);
        let answers = report["assertions"].as_array().expect("a list");
        let reached: Vec<bool> = answers.iter().map(|a| a["reached"].as_bool().expect("yes or no")).collect();
        assert_eq!(reached, expected, "{model}");
        assert!(results(&report).iter().all(|result| *result == "proved"), "{model}");
    }
    let report = prove_c("fails", "int main(void) { int x = 3; if (x == 3) assert(x == 4); }", &["--confirm"]);
    assert_eq!(results(&report), ["real"]);
}

#[test]
fn a_program_that_is_given_up_before_all_its_assertions_says_so() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prove-given-up.fp");
    std::fs::write(&file, "atomic x;\nthread t { assume(0); assert(0); x.store(1, rlx); assert(1); }\n")
        .expect("a file");
    let shown = text(&prove(&[file.to_str().expect("UTF-8")]));
    assert!(shown.contains("2 of 2 assertions") && shown.contains(", all never reached"), "{shown}");
    assert!(shown.contains("  2  proved, never reached  line 2      assert(1)  "), "{shown}");
    let sarif = prove(&[file.to_str().expect("UTF-8"), "--format", "sarif"]);
    let log: Value = serde_json::from_str(&text(&sarif)).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("a list");
    let kinds: Vec<_> = results.iter().map(|r| (r["kind"].as_str(), r["level"].as_str())).collect();
    assert_eq!(kinds, [(Some("informational"), Some("none")); 2]);
}

/// Store buffering with an unlock in between, which is a plain store: only as a fence does it keep the accesses in
/// order.
#[test]
fn routines_of_pthreads_are_full_fences_on_demand() {
    let body = "atomic_int x, y; int a, b;
        pthread_spinlock_t one, two;
        void *first(void *p) {
          atomic_store_explicit(&x, 1, memory_order_relaxed);
          pthread_spin_unlock(&one);
          a = atomic_load_explicit(&y, memory_order_relaxed);
          return 0;
        }
        void *second(void *p) {
          atomic_store_explicit(&y, 1, memory_order_relaxed);
          pthread_spin_unlock(&two);
          b = atomic_load_explicit(&x, memory_order_relaxed);
          return 0;
        }
        int main(void) {
          pthread_t s, t;
          pthread_create(&s, 0, first, 0);
          pthread_create(&t, 0, second, 0);
          pthread_join(s, 0); pthread_join(t, 0);
          assert(a == 1 || b == 1);
        }";
    for model in ["tso", "pso", "rmo"] {
        let report = prove_c("spin-unlock", body, &["--model", model]);
        assert_eq!(results(&report), ["alarm"], "{model}");
        let report = prove_c("spin-unlock", body, &["--model", model, "--pthread-fences", "full"]);
        assert_eq!(results(&report), ["proved"], "{model}");
    }
}
