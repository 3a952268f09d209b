//! An atomic local variable that no other thread knows has the executions that it has when others might know it: its
//! accesses keep other accesses in order all the same, and a weak CAS may fail.

use fencepost_check::{Model as Robustness, Options as Checking, check};
use fencepost_explore::{Options, count};
use fencepost_models::Model;
use fencepost_program::Program;
use fencepost_story::Outcome;
use fencepost_testing::compiled;

/// What stands between the two accesses of a thread; `p` and `m` are its local variables.
const BETWEEN: [&str; 7] = [
    "atomic_fetch_add_explicit(&p, 1, memory_order_relaxed);",
    "atomic_exchange(&p, 1);",
    "atomic_store(&p, 1);",
    "atomic_store_explicit(&p, 1, memory_order_release); atomic_load_explicit(&p, memory_order_acquire);",
    "int e = 0; if (!atomic_compare_exchange_weak(&p, &e, 1)) return 0;",
    "int e = 5; atomic_compare_exchange_strong(&p, &e, 1);",
    "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
];

/// Store buffering. The addresses of local variables are written to where others could find them, or not.
fn program(between: &str, known: bool) -> Program {
    let thread = |name: &str, own: &str, other: &str| {
        let tell = if known { format!("{name}_told = &p; {name}_told = &m;") } else { String::new() };
        format!(
            "void *{name}_told;
            void *{name}(void *_) {{
              atomic_int p = 0; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; {tell}
              atomic_store_explicit(&{own}, 1, memory_order_relaxed);
              {between}
              atomic_load_explicit(&{other}, memory_order_relaxed);
              return 0;
            }}"
        )
    };
    let text = format!(
        "#include <pthread.h>
        #include <stdatomic.h>
        atomic_int x, y;
        {} {}
        int main(void) {{
          pthread_t a, b;
          pthread_create(&a, 0, one, 0);
          pthread_create(&b, 0, two, 0);
          pthread_join(a, 0); pthread_join(b, 0);
        }}",
        thread("one", "x", "y"),
        thread("two", "y", "x")
    );
    compiled("private", &text)
}

#[test]
fn what_one_thread_alone_knows_keeps_order_as_what_others_know() {
    let mut ordered = 0;
    for between in BETWEEN {
        let [private, shared] = [false, true].map(|known| program(between, known));
        for model in [Model::Sc, Model::Tso, Model::Pso, Model::Ra, Model::Rc11] {
            let executions = |program: &Program| {
                let found = count(program, &Options::new(model), &Default::default()).unwrap();
                assert_eq!(found.verdict.outcome, Outcome::Holds, "{between} under {}", model.name());
                (found.complete, found.blocked)
            };
            assert_eq!(executions(&private), executions(&shared), "{between} under {}", model.name());
            ordered += (model == Model::Tso && executions(&private) == executions_under_sc(&private)) as u32;
        }
        for model in Robustness::ALL {
            let robust = |program: &Program| {
                let options = Checking { model, ..Checking::default() };
                check(program, &options, &Default::default()).map(|verdict| verdict.outcome).ok()
            };
            assert_eq!(robust(&private), robust(&shared), "{between} against {model:?}");
        }
    }
    // Those that update, or store with SC ordering, are barriers of TSO; an acquire and a failed CAS are none.
    assert_eq!(ordered, 5);
}

fn executions_under_sc(program: &Program) -> (u64, u64) {
    let found = count(program, &Options::new(Model::Sc), &Default::default()).unwrap();
    (found.complete, found.blocked)
}
