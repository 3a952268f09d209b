//! What the C library gives to programs: values that nothing determines, and output.

use fencepost_explore::{Exploration, Options, Watch, count};
use fencepost_frontend::{Nondet, Settings};
use fencepost_models::Model;
use fencepost_story::{Outcome, Reason};
use fencepost_testing::compiled_as;

fn explored(name: &str, text: &str, settings: Settings) -> Exploration {
    let program = compiled_as(name, text, settings);
    count(&program, &Options::new(Model::Rc11), &Watch::default()).unwrap()
}

fn printed(name: &str, text: &str) -> Vec<(String, String)> {
    let exploration = explored(name, text, Settings { output: true, ..Settings::default() });
    let [violation] = &exploration.verdict.violations[..] else { panic!("{:?}", exploration.verdict) };
    violation.output.iter().map(|line| (line.thread.clone(), line.text.clone())).collect()
}

#[test]
fn a_value_that_nothing_determines_has_bounds_or_the_answer_has() {
    let text = "#include <assert.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
_Bool __VERIFIER_nondet_bool(void);
int main(void) {
  _Bool b = __VERIFIER_nondet_bool();
  int i = __VERIFIER_nondet_int();
  unsigned u = __VERIFIER_nondet_uint();
  assert(i >= -2 && i <= 4);
  return b + i + u;
}
";
    let bounded = explored("nondet_few", text, Settings::default());
    let bounds = "`__VERIFIER_nondet_int` returns -1 to 2 and `__VERIFIER_nondet_uint` returns 0 to 3".to_owned();
    assert_eq!(bounded.verdict.outcome, Outcome::Unknown(Reason::Bounded(bounds)));
    assert_eq!(bounded.complete, 2 * 4 * 4);
    let within = |lo, hi| Settings { nondet: Nondet::Within(lo, hi), ..Settings::default() };
    // An unsigned value is none of the negative ones.
    let found = explored("nondet_within", text, within(-2, 4));
    assert_eq!((found.verdict.outcome, found.complete), (Outcome::Holds, 2 * 7 * 5));
    assert_eq!(explored("nondet_beyond", text, within(-2, 5)).verdict.outcome, Outcome::Violated);
}

#[test]
fn what_threads_print_comes_in_the_order_of_the_execution() {
    let lines = printed(
        "printed",
        "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int ready;
static void *writer(void *unused) {
  char name[4] = { 'a', 'b', 'c', 0 };
  printf(\"%s writes %5.1f %c\", name, 2.25, 'x');
  putchar('\\n');
  atomic_store(&ready, 7);
  fprintf(stderr, \"done\\n\");
  return 0;
}
int main(void) {
  pthread_t t;
  puts(\"begin\");
  pthread_create(&t, 0, writer, 0);
  int seen = atomic_load(&ready);
  printf(\"saw %d (%#lx), %s\", seen, 255L, \"so\");
  assert(seen != 7);
  pthread_join(t, 0);
  return 0;
}",
    );
    let lines: Vec<(&str, &str)> = lines.iter().map(|(thread, text)| (thread.as_str(), text.as_str())).collect();
    let expected =
        [("main", "begin"), ("writer", "abc writes   2.2 x"), ("writer", "done"), ("main", "saw 7 (0xff), so")];
    assert_eq!(lines, expected);
}

#[test]
fn output_makes_no_executions() {
    let text = "#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int x;
static void *add(void *unused) {
  printf(\"%d\\n\", atomic_fetch_add(&x, 1));
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}";
    let with = explored("output_kept", text, Settings { output: true, ..Settings::default() });
    let without = explored("output_dropped", text, Settings::default());
    assert_eq!((with.complete, without.complete), (6, 6));
}
