//! JAM21 on C programs, whose threads have a parent: store buffering with initial writes in `main`, and two programs of
//! thesis 004.

use fencepost_explore::{Exploration, Options, Watch, count, explore};
use fencepost_models::Model;
use fencepost_models::jam21::Jam21By;
use fencepost_program::{Address, Program, Value, memory};
use fencepost_story::Outcome;
use fencepost_testing::compiled;

/// Under both kinds of release sequences, by clocks and by relation.
fn ways() -> impl Iterator<Item = Options> {
    let models = [Model::Jam21, Model::Jam21With2017ReleaseSequences];
    let ways = models.into_iter().flat_map(|model| Jam21By::ALL.map(|by| (model, by)));
    ways.map(|(model, jam21_by)| Options { jam21_by, ..Options::new(model) })
}

fn explored(program: &Program) -> Vec<Exploration> {
    ways().map(|options| count(program, &options, &Watch::default()).unwrap()).collect()
}

/// In how many executions the program's reads have these values, in any order, under each of them.
fn executions_that_read(program: &Program, values: &[Value]) -> Vec<u64> {
    let count = |options: Options| {
        let mut found = 0;
        explore(program, &options, &Watch::default(), |shown| {
            let graph = shown.graph();
            let own = |at: Address| memory::thread_signal(at).is_none();
            let reads = graph.events().filter(|(_, event)| event.reads() && event.label.address.is_some_and(own));
            let mut read: Vec<Value> = reads.filter_map(|(_, event)| event.label.read).collect();
            read.sort_unstable();
            found += u64::from(read == values);
        })
        .unwrap();
        found
    };
    ways().map(count).collect()
}

/// What `main` writes before it creates the threads is visible to them, and what they write is visible to it after the
/// joins.
#[test]
fn store_buffering_of_volatile_accesses_is_sequentially_consistent() {
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
        atomic_int x, y, a, b;\n\
        void *t1(void *u) { x = 1; a = y; return 0; }\n\
        void *t2(void *u) { y = 1; b = x; return 0; }\n\
        int main(void) {\n  pthread_t p, q;\n  INIT(&x, 0);\n  INIT(&y, 0);\n  pthread_create(&p, 0, t1, 0);\n\
        pthread_create(&q, 0, t2, 0);\n  pthread_join(p, 0);\n  pthread_join(q, 0);\n  assert(a || b);\n}\n";
    for how in ["atomic_init", "atomic_store"] {
        let program = compiled(how, &text.replace("INIT", how));
        assert_eq!(count(&program, &Options::new(Model::Sc), &Watch::default()).unwrap().complete, 3);
        for found in explored(&program) {
            assert_eq!((found.verdict.outcome, found.complete), (Outcome::Holds, 3), "{how}");
        }
    }
}

/// Appendix D as it is printed, where the fence of thread 3 is commented out.
const APPENDIX_D: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>
#include <stdatomic.h>
#include <genmc.h>

atomic_int x;
atomic_int y;

void __VERIFIER_assume(int);

void *thread_1(void *unused)
{
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst); //hwsync

    int y_local = atomic_load_explicit(&y, memory_order_relaxed);
    __VERIFIER_assume(y_local == 0);

    return NULL;
}

void *thread_2(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return NULL;
}

void *thread_3(void *unused)
{
    int y_local = atomic_load_explicit(&y, memory_order_relaxed);
    __VERIFIER_assume(y_local == 1);
    //atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return NULL;
}

void *thread_4(void *unused)
{
    int x_local = atomic_load_explicit(&x, memory_order_relaxed);
    __VERIFIER_assume(x_local == 1);

    atomic_thread_fence(memory_order_seq_cst); // hwsync

    x_local = atomic_load_explicit(&x, memory_order_relaxed);
    __VERIFIER_assume(x_local == 2);
    return NULL;
}


int main()
{
    pthread_t t1, t2, t3, t4;

    // To break [init] as sc access
    atomic_store_explicit(&x, 0, memory_order_relaxed);
    atomic_store_explicit(&y, 0, memory_order_relaxed);

    if (pthread_create(&t1, NULL, thread_1, NULL))
        abort();
    if (pthread_create(&t2, NULL, thread_2, NULL))
        abort();
    if (pthread_create(&t3, NULL, thread_3, NULL))
        abort();
    if (pthread_create(&t4, NULL, thread_4, NULL))
        abort();

    return 0;
}
"#;

/// The light fence, or none, leaves the bad execution; the heavy one forbids it.
#[test]
fn appendix_d_has_its_bad_execution_unless_the_fence_is_heavy() {
    // Thread 1 reads 0, thread 3 reads 1, and thread 4 reads 1 and 2: all assumptions hold.
    let bad = |name: &str, text: &str| executions_that_read(&compiled(name, text), &[0, 1, 1, 2]);
    assert_eq!(bad("appendix-d", APPENDIX_D), [1; 4]);
    let light =
        APPENDIX_D.replace("//atomic_thread_fence(memory_order_seq_cst)", "atomic_thread_fence(memory_order_acq_rel)");
    assert_eq!(bad("appendix-d-light", &light), [1; 4]);
    let heavy = APPENDIX_D.replace("//atomic_thread_fence", "atomic_thread_fence");
    assert_eq!(bad("appendix-d-heavy", &heavy), [0; 4]);
}

/// Szymanski's lock for two threads with SC fences, after the `szymanski` of GenMC's suite. Thesis 004 §6.3 calls it
/// constraint violating under JAM21; by the definition its executions are those of SC. See `docs/reference/jam21.md`.
#[test]
fn szymanski_holds() {
    let program = compiled(
        "szymanski",
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
         void __VERIFIER_assume(int);\n\
         atomic_int x, flag1, flag2;\n\
         #define get(v) atomic_load_explicit(&v, memory_order_relaxed)\n\
         #define set(v, to) atomic_store_explicit(&v, to, memory_order_relaxed)\n\
         #define barrier() atomic_thread_fence(memory_order_seq_cst)\n\
         #define LOCK(mine, other) \\\n\
           set(mine, 1); barrier(); __VERIFIER_assume(get(other) < 3); \\\n\
           set(mine, 3); barrier(); \\\n\
           if (get(other) == 1) { set(mine, 2); barrier(); __VERIFIER_assume(get(other) == 4); } \\\n\
           set(mine, 4); barrier(); __VERIFIER_assume(get(other) < 2);\n\
         #define UNLOCK(mine, other) \\\n\
           barrier(); __VERIFIER_assume(2 > get(other) || get(other) > 3); set(mine, 0);\n\
         void *one(void *u) { LOCK(flag1, flag2) set(x, 0); get(x); assert(get(x) <= 0); UNLOCK(flag1, flag2) return 0; }\n\
         void *two(void *u) { LOCK(flag2, flag1) set(x, 1); get(x); assert(get(x) >= 1); UNLOCK(flag2, flag1) return 0; }\n\
         int main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, one, 0);\n  pthread_create(&b, 0, two, 0);\n\
         pthread_join(a, 0);\n  pthread_join(b, 0);\n}\n",
    );
    let sc = count(&program, &Options::new(Model::Sc), &Watch::default()).unwrap();
    assert_eq!((sc.complete, sc.blocked), (6, 97));
    for found in explored(&program) {
        assert_eq!(found.verdict.outcome, Outcome::Holds);
        assert_eq!((found.complete, found.blocked), (6, 97));
    }
}
