//! C programs: pointers, calls, threads and locks are seen through, and the answers are those of the same program in
//! another language.

mod c_text;

use c_text::{compiled, litmus_in_c};
use fencepost_explore::{Options as Exploring, explore};
use fencepost_frontend::read;
use fencepost_program::Program;
use fencepost_program::question::Proposition;
use fencepost_prove::{Answer, Check, MODELS_OF_THE_PAPER, Model, Options, Proof, prove};
use fencepost_story::{Outcome, Properties};
use fencepost_testing::{Source, is_quick, sample, sources};

const PROLOGUE: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n";

fn proved(program: &Program, model: Model) -> Proof {
    prove(program, None, &Options::new(model)).unwrap_or_else(|refusal| panic!("refused: {refusal}"))
}

fn assertions(proof: &Proof) -> Vec<&Answer> {
    proof.answers.iter().filter(|a| a.check == Check::Assertion).collect()
}

/// Whether each model proves everything, in the order sc, tso, pso, rmo.
fn verdicts(name: &str, body: &str) -> [bool; 4] {
    let program = compiled(name, &format!("{PROLOGUE}{body}"));
    MODELS_OF_THE_PAPER.map(|model| {
        let proof = proved(&program, model);
        assert!(!assertions(&proof).is_empty(), "{name} asserts nothing");
        proof.answers.iter().all(Answer::is_proved)
    })
}

/// Whether an execution fails, loops followed four times.
fn fails(program: &Program, model: Model) -> bool {
    let options = Exploring {
        properties: Properties { assertions: true, ..Properties::NONE },
        unroll: Some(4),
        max_executions: Some(50_000),
        ..Exploring::new(model)
    };
    explore(program, &options, &Default::default(), |_| {}).unwrap().verdict.outcome == Outcome::Violated
}

#[test]
fn litmus_tests_have_the_same_answers_in_c() {
    let (mut tried, mut proofs) = (0, 0);
    for Source { path, text, .. } in sample(sources("litmus", &["litmus"])) {
        let input = read(&path).unwrap_or_else(|e| panic!("{e}"));
        let Some(c) = litmus_in_c(&text, &input) else { continue };
        let never = input.condition.as_ref().map(|condition| condition.excluded(input.filter.as_ref()));
        let name = path.file_stem().expect("a name").to_string_lossy().replace(|c: char| !c.is_alphanumeric(), "_");
        let in_c = compiled(&name, &c);
        tried += 1;
        for model in MODELS_OF_THE_PAPER {
            let litmus = holds(&input.observing(), never.as_ref(), model);
            let found = holds(&in_c, None, model);
            assert_eq!(litmus, found, "{} under {model}\n{c}", path.display());
            proofs += found as u32;
        }
    }
    assert!(tried >= 40 || is_quick(), "{tried}");
    assert!(proofs >= 80 || is_quick(), "{proofs}");
}

fn holds(program: &Program, never: Option<&Proposition>, model: Model) -> bool {
    let proof = prove(program, never, &Options::new(model)).unwrap_or_else(|refusal| panic!("refused: {refusal}"));
    assert!(!proof.answers.is_empty());
    proof.answers.iter().all(Answer::is_proved)
}

#[test]
fn what_is_published_by_a_release_store_is_seen() {
    let program = |store: &str| {
        format!(
            "int data; atomic_int ready;
            void *writer(void *p) {{ *(int *)p = 5; atomic_store_explicit(&ready, 1, memory_order_{store}); return 0; }}
            void *reader(void *p) {{
              if (atomic_load_explicit(&ready, memory_order_acquire)) assert(*(int *)p == 5);
              return 0;
            }}
            int main(void) {{
              pthread_t a, b;
              pthread_create(&a, 0, writer, &data);
              pthread_create(&b, 0, reader, &data);
            }}"
        )
    };
    assert_eq!(verdicts("publish", &program("release")), [true; 4]);
    assert_eq!(verdicts("publish-relaxed", &program("relaxed")), [true, true, false, false]);
}

#[test]
fn threads_made_in_a_loop_with_structs_of_their_own_are_told_apart() {
    let body = "
        struct job { int id; int *out; };
        pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        int total;
        static void *work(void *p) {
          struct job *job = p;
          pthread_mutex_lock(&lock);
          total += job->id;
          pthread_mutex_unlock(&lock);
          *job->out = job->id * 2;
          return 0;
        }
        int main(void) {
          pthread_t t[2];
          int out[2];
          for (int i = 0; i < 2; i++) {
            struct job *job = malloc(sizeof *job);
            job->id = i + 1;
            job->out = &out[i];
            pthread_create(&t[i], 0, work, job);
          }
          for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
          assert(out[0] == 2);
          assert(out[1] == 4);
          assert(total == 3);
        }";
    assert_eq!(verdicts("jobs", body), [true; 4]);
}

#[test]
fn an_allocation_in_a_loop_is_never_one_object() {
    let body = "
        int *_Atomic last;
        int main(void) {
          for (int i = 0; i < 100; i++) {
            int *p = malloc(4);
            *p = i;
            int *before = atomic_exchange(&last, p);
            assert(before != p);
            if (before) assert(*before == i);
          }
        }";
    assert_eq!(verdicts("allocations", body), [false; 4]);
}

#[test]
fn a_thread_made_in_a_loop_without_bound_interferes_with_itself() {
    let body = "
        atomic_int count;
        static void *work(void *p) {
          int seen = atomic_fetch_add(&count, 1);
          assert(seen == 0);
          return 0;
        }
        int main(void) {
          while (1) { pthread_t t; pthread_create(&t, 0, work, 0); }
        }";
    assert_eq!(verdicts("repeated", body), [false; 4]);
}

#[test]
fn threads_of_one_kind_share_what_their_maker_allocated() {
    let body = "
        static void *work(void *p) {
          int *count = p;
          int seen = *count;
          *count = seen + 1;
          assert(seen == 0);
          return 0;
        }
        int main(void) {
          int *count = malloc(sizeof *count);
          *count = 0;
          while (1) { pthread_t t; pthread_create(&t, 0, work, count); }
        }";
    assert_eq!(verdicts("shared-allocation", body), [false; 4]);
}

#[test]
fn loops_of_a_thread_see_what_was_there_before_it_was_made() {
    let program = |create: &str| {
        format!(
            "int limit; atomic_int stop;
            static void *work(void *p) {{
              while (!atomic_load(&stop)) assert(limit == 10);
              return 0;
            }}
            int main(void) {{
              pthread_t t;
              limit = 10;
              {create}
            }}"
        )
    };
    assert_eq!(verdicts("made-once", &program("pthread_create(&t, 0, work, 0);")), [true; 4]);
    assert_eq!(verdicts("made-often", &program("while (1) pthread_create(&t, 0, work, 0);")), [true; 4]);
    let too_late = "pthread_create(&t, 0, work, 0); limit = 11; limit = 10;";
    assert_eq!(verdicts("made-too-early", &program(too_late)), [false; 4]);
    let before = "limit = 9; pthread_create(&t, 0, work, 0);";
    assert_eq!(verdicts("made-after-another-store", &program(before)), [false; 4]);
}

#[test]
fn nondeterministic_values_are_all_values_of_their_type() {
    let body = |assertion: &str| {
        format!(
            "int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void);
            int main(void) {{
              int n = __VERIFIER_nondet_int();
              unsigned char c = __VERIFIER_nondet_uchar();
              assert({assertion});
            }}"
        )
    };
    assert_eq!(verdicts("nondet", &body("c <= 255 && (n < 0 || n >= 0)")), [true; 4]);
    assert_eq!(verdicts("nondet-int", &body("n != -123456789")), [false; 4]);
    assert_eq!(verdicts("nondet-char", &body("c != 200")), [false; 4]);
}

#[test]
fn bytes_that_are_accessed_in_several_sizes_may_hold_anything() {
    let union = "union { int word; char bytes[4]; } u;
        static void *change(void *p) { u.bytes[1] = 1; return 0; }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, change, 0);
          assert(u.word == 0);
        }";
    assert_eq!(verdicts("union", union), [false; 4]);
    let local = "int main(void) { long x = 0; *(int *)&x = 5; assert(x == 0); }";
    assert_eq!(verdicts("half-of-a-local", local), [false; 4]);
    let apart = "struct { int word; union { int word; char bytes[4]; } u; } s;
        static void *change(void *p) { s.u.bytes[1] = 1; s.u.word = 2; return 0; }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, change, 0);
          s.word = 3;
          assert(s.word == 3);
        }";
    assert_eq!(verdicts("beside-a-union", apart), [true; 4]);
}

#[test]
fn which_of_two_objects_comes_first_is_not_known() {
    let body = "int *_Atomic pointers[2];
        static void *tell(void *p) { int local; atomic_store(&pointers[(long)p], &local); return 0; }
        int main(void) {
          pthread_t t[2];
          for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, tell, (void *)i);
          int *a = atomic_load(&pointers[0]), *b = atomic_load(&pointers[1]);
          if (a && b) { assert(a != b); assert(a < b); }
        }";
    let program = compiled("order-of-objects", &format!("{PROLOGUE}{body}"));
    let proof = proved(&program, Model::Sc);
    let answers: Vec<bool> = proof.answers.iter().map(Answer::is_proved).collect();
    assert_eq!(answers, [true, false]);
}

#[test]
fn recursion_is_followed_as_far_as_constants_end_it_and_refused_beyond() {
    let body = |n: &str| {
        format!(
            "atomic_int x;
            static int depth(int n) {{ return n ? depth(n - 1) + 1 : 0; }}
            static void *change(void *p) {{ atomic_store(&x, 3); return 0; }}
            int main(void) {{
              pthread_t t;
              pthread_create(&t, 0, change, 0);
              assert(depth({n}) >= 0);
            }}"
        )
    };
    assert_eq!(verdicts("recursion", &body("5")), [true; 4]);
    let program = compiled("endless-recursion", &format!("{PROLOGUE}{}", body("atomic_load(&x)")));
    let refusal = prove(&program, None, &Options::new(Model::Sc)).expect_err("no bound");
    assert_eq!(refusal.span.map(|span| span.line), Some(6), "{refusal}");
}

#[test]
fn what_is_proved_of_small_programs_has_no_failing_execution() {
    let mut proofs = 0;
    for (name, body) in SMALL {
        let program = compiled(name, &format!("{PROLOGUE}{body}"));
        for model in [Model::Sc, Model::Tso, Model::Pso] {
            let proof = proved(&program, model);
            let holds = proof.answers.iter().all(Answer::is_proved);
            proofs += holds as u32;
            assert!(!holds || !fails(&program, model), "{name} under {model}: a bogus proof");
        }
    }
    assert!(proofs >= SMALL.len() as u32, "{proofs}");
}

/// Programs with pointers of all kinds, some of them wrong.
const SMALL: &[(&str, &str)] = &[
    (
        "swap",
        "static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
        int main(void) { int x = 1, y = 2; swap(&x, &y); assert(x == 2 && y == 1); }",
    ),
    (
        "function-pointers",
        "static int one(int x) { return x + 1; }
        static int two(int x) { return x + 2; }
        static int (*table[2])(int) = {one, two};
        atomic_int which;
        static void *change(void *p) { atomic_store(&which, 1); return 0; }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, change, 0);
          int r = table[atomic_load(&which)](10);
          assert(r >= 11 && r <= 12);
        }",
    ),
    (
        "dekker",
        "atomic_int flag[2]; int inside;
        static void *enter(void *p) {
          int me = (int)(long)p;
          atomic_store(&flag[me], 1);
          if (atomic_load(&flag[1 - me]) == 0) {
            inside = me + 1;
            assert(inside == me + 1);
          }
          return 0;
        }
        int main(void) {
          pthread_t t[2];
          for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, enter, (void *)i);
        }",
    ),
    (
        "dekker-relaxed",
        "atomic_int flag[2]; int inside;
        static void *enter(void *p) {
          int me = (int)(long)p;
          atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
          if (atomic_load_explicit(&flag[1 - me], memory_order_relaxed) == 0) {
            inside = me + 1;
            assert(inside == me + 1);
          }
          return 0;
        }
        int main(void) {
          pthread_t t[2];
          for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, enter, (void *)i);
        }",
    ),
    (
        "pointer-in-memory",
        "int a = 1, b = 2; int *_Atomic which = &a;
        static void *change(void *p) { atomic_store(&which, &b); return 0; }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, change, 0);
          int *p = atomic_load(&which);
          *p = 7;
          pthread_join(t, 0);
          assert(a == 7 || b == 7);
          assert(a == 1 || b == 2);
          assert(atomic_load(&which) == &b);
        }",
    ),
    (
        "local-of-another-thread",
        "static void *fill(void *p) { int *a = p; for (int i = 0; i < 3; i++) a[i] = i * i; return 0; }
        int main(void) {
          int a[3] = {9, 9, 9};
          pthread_t t;
          pthread_create(&t, 0, fill, a);
          pthread_join(t, 0);
          assert(a[0] == 0 && a[1] == 1 && a[2] == 4);
        }",
    ),
    (
        "returned-pointer",
        "static void *make(void *p) { int *r = malloc(4); *r = *(int *)p + 1; return r; }
        int main(void) {
          int n = 41; void *r;
          pthread_t t;
          pthread_create(&t, 0, make, &n);
          pthread_join(t, &r);
          assert(*(int *)r == 42);
        }",
    ),
    ("unsigned-wraps", "int main(void) { unsigned char c = 250; for (int i = 0; i < 10; i++) c++; assert(c == 4); }"),
    (
        "condition-variable",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready, data;
        static void *produce(void *p) {
          data = 3;
          pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
          return 0;
        }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, produce, 0);
          pthread_mutex_lock(&m);
          while (!ready) pthread_cond_wait(&c, &m);
          assert(ready == 1);
          assert(data == 3);
          pthread_mutex_unlock(&m);
        }",
    ),
    (
        "linked-list",
        "struct node { int value; struct node *next; };
        struct node *_Atomic head;
        static void *push(void *p) {
          struct node *n = malloc(sizeof *n);
          n->value = 7;
          n->next = atomic_load(&head);
          atomic_compare_exchange_strong(&head, &n->next, n);
          return 0;
        }
        int main(void) {
          pthread_t t[2];
          for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, push, 0);
          struct node *n = atomic_load(&head);
          while (n) { assert(n->value == 7); n = n->next; }
        }",
    ),
];

#[test]
fn an_alarm_calls_what_was_loaded_by_its_name() {
    let body = "atomic_int level;
        void *raise(void *arg) { atomic_store(&level, 3); return 0; }
        int main(void) {
            pthread_t thread;
            pthread_create(&thread, 0, raise, 0);
            assert(atomic_load(&level) == 0);
            pthread_join(thread, 0);
        }";
    let program = compiled("names", &format!("{PROLOGUE}{body}"));
    let proof = proved(&program, Model::Tso);
    let alarm = assertions(&proof)[0].alarm.as_ref().expect("an alarm");
    let values: Vec<_> = alarm.values.iter().map(|(name, value)| (name.as_str(), value.lo, value.hi)).collect();
    assert_eq!(values, [("level", 3, 3)]);
}
