//! Memory to which nothing was written holds anything: nothing is proved from a 0 that is not there.

mod c_text;

use c_text::compiled;
use fencepost_models::Engine;
use fencepost_prove::{Model, Options, prove};

/// Each assertion says in a comment whether it is proved.
const PROGRAM: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
struct pair { int a, b; };
static int global;
static _Thread_local int own;
static int perhaps(int c) { int x; if (c) x = 1; return x; }
static void *fill(void *p) { ((int *)p)[1] = 5; return 0; }
static void *look(void *p) {
  assert(own == 0); // proved
  assert(*(int *)p == 0); // alarm
  return 0;
}
static int times;
static int fresh(int n) {
  int local[2];
  int *_Atomic known = local;
  if (n == 0) atomic_load(&known)[0] = 0;
  return atomic_load(&known)[0];
}
int main(void) {
  int *heap = malloc(8);
  assert(heap[0] == 0); // alarm
  int *zeroed = calloc(1, 8);
  assert(zeroed[0] == 0); // proved
  int *larger = realloc(zeroed, 32);
  int register_like;
  assert(register_like == 0); // alarm
  int twice;
  int first = twice, second = twice;
  assert(first == second || first != second); // proved
  static int kept;
  assert(kept == 0); // proved
  assert(global == 0); // proved
  assert(own == 0); // proved
  struct pair half;
  half.a = 1;
  struct pair copy = half;
  assert(copy.a == 1); // proved
  assert(copy.b == 0); // alarm
  struct pair whole = {0};
  assert(whole.b == 0); // proved
  assert(perhaps(1) == 1); // proved
  assert(perhaps(0) == 0); // alarm
  int array[4];
  array[2] = 7;
  assert(array[2] == 7); // proved
  assert(array[global & 3] == 0); // alarm
  pthread_t t;
  int shared[2];
  shared[0] = 3;
  pthread_create(&t, 0, fill, shared);
  pthread_join(t, 0);
  assert(shared[0] == 3); // proved
  assert(shared[1] == 5); // proved
  int unwritten;
  pthread_create(&t, 0, look, &unwritten);
  pthread_join(t, 0);
  for (int i = 0; i < 100; i++) {
    times = fresh(i);
    assert(times == 0); // alarm
  }
  int sum;
  for (int i = 0; i < 100; i++) sum += i;
  assert(sum == 4950); // alarm
}
";

#[test]
fn nothing_is_proved_from_memory_to_which_nothing_was_written() {
    let program = compiled("uninitialised", PROGRAM);
    let expected: Vec<(usize, bool)> = PROGRAM
        .lines()
        .enumerate()
        .filter_map(|(i, line)| Some((i + 1, line.split_once("// ")?.1 == "proved")))
        .collect();
    for model in Model::of(Engine::Prove) {
        let proof = prove(&program, None, &Options::new(model)).unwrap_or_else(|refusal| panic!("refused: {refusal}"));
        let found: Vec<(usize, bool)> =
            proof.answers.iter().map(|answer| (answer.span.line as usize, answer.is_proved())).collect();
        assert_eq!(found, expected, "{model}");
    }
}
