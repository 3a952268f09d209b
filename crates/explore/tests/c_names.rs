//! Reports about C programs speak of members, and write values as C does.

use fencepost_explore::{Options, Watch, count};
use fencepost_models::Model;
use fencepost_story::{Finding, Outcome};
use fencepost_testing::compiled;

fn violation(name: &str, text: &str) -> Finding {
    let program = compiled(name, text);
    let found = count(&program, &Options::new(Model::Rc11), &Watch::default()).unwrap();
    assert_eq!(found.verdict.outcome, Outcome::Violated);
    found.verdict.violations.into_iter().next().expect("a violation")
}

fn steps(violation: &Finding) -> Vec<(&str, &str)> {
    violation.trace.iter().map(|step| (step.text.as_str(), step.values.as_deref().unwrap_or(""))).collect()
}

#[test]
fn members_of_globals_and_of_objects_on_the_heap_have_their_names() {
    let text = "#include <pthread.h>
        #include <stdatomic.h>
        #include <stdlib.h>
        struct node { int value; struct { struct node *next; } links[2]; };
        static struct { _Atomic(struct node *) head; int sizes[3]; } list;
        static void *reader(void *unused) {
          struct node *first = atomic_load_explicit(&list.head, memory_order_relaxed);
          if (first) return first->links[1].next;
          return 0;
        }
        int main(void) {
          pthread_t thread;
          pthread_create(&thread, 0, reader, 0);
          struct node *one = malloc(sizeof *one), *two = malloc(sizeof *two);
          two->value = 7;
          one->links[1].next = two;
          list.sizes[2] = 5;
          atomic_store_explicit(&list.head, one, memory_order_release);
          pthread_join(thread, 0);
          return 0;
        }";
    let found = violation("members", text);
    assert!(found.message.contains("`node#1->links[1].next.load(na)` of reader"), "{}", found.message);
    assert!(found.message.contains("`node#1->links[1].next.store(&node#2, na)` of main"), "{}", found.message);
    let steps = steps(&found);
    for step in [
        ("node#2->value.store(7, na)", "writes 7"),
        ("list.sizes[2].store(5, na)", "writes 5"),
        ("list.head.store(&node#1, rel)", "writes &node#1"),
        ("list.head.load(rlx)", "reads &node#1"),
    ] {
        assert!(steps.contains(&step), "{step:?} in {steps:?}");
    }
}

#[test]
fn two_members_in_one_macro_are_told_apart() {
    let text = "#include <assert.h>
        #include <stdlib.h>
        struct pair { int low, high; };
        int main(void) {
          struct pair *pair = calloc(1, sizeof *pair);
          static struct pair *volatile kept;
          kept = pair;
          assert(pair->high != pair->low);
          return 0;
        }";
    let found = violation("pair", text);
    let steps = steps(&found);
    for step in [("pair->low.load(na)", "reads 0"), ("pair->high.load(na)", "reads 0")] {
        assert!(steps.contains(&step), "{step:?} in {steps:?}");
    }
}

#[test]
fn values_are_written_as_their_types_in_c_are() {
    let text = "#include <assert.h>
        #include <stdbool.h>
        enum colour { RED, BLUE = 5 };
        static bool flag;
        static unsigned word;
        static signed char small;
        static char letter;
        static enum colour paint;
        static double real;
        static int *pointer, array[3];
        static void (*function)(void);
        static void called(void) {}
        int main(void) {
          flag = true;
          word = 0xffffffff;
          small = -3;
          letter = 'x';
          paint = BLUE;
          real = 2.5;
          pointer = &array[2];
          pointer = 0;
          function = called;
          assert(flag && word && small && letter && paint && real && function && pointer);
          return 0;
        }";
    let found = violation("values", text);
    let steps = steps(&found);
    for step in [
        ("flag.store(true, na)", "writes true"),
        ("word.store(4294967295, na)", "writes 4294967295"),
        ("small.store(-3, na)", "writes -3"),
        ("letter.store('x', na)", "writes 'x'"),
        ("paint.store(BLUE, na)", "writes BLUE"),
        ("real.store(2.5, na)", "writes 2.5"),
        ("pointer.store(&array[2], na)", "writes &array[2]"),
        ("pointer.store(NULL, na)", "writes NULL"),
        ("function.store(&called, na)", "writes &called"),
    ] {
        assert!(steps.contains(&step), "{step:?} in {steps:?}");
    }
}

#[test]
fn local_variables_have_their_names_in_whichever_thread_accesses_them() {
    let text = "#include <pthread.h>
        #include <stdatomic.h>
        struct job { int in, out; atomic_int done; };
        static void *work(void *p) {
          struct job *job = p;
          job->out = job->in * 2;
          atomic_store_explicit(&job->done, 1, memory_order_relaxed);
          return 0;
        }
        int main(void) {
          struct job mine;
          mine.in = 3;
          atomic_store(&mine.done, 0);
          pthread_t thread;
          pthread_create(&thread, 0, work, &mine);
          while (!atomic_load(&mine.done)) {}
          int out = mine.out;
          pthread_join(thread, 0);
          return out;
        }";
    let found = violation("locals", text);
    assert!(found.message.contains("`mine.out.load(na)` of main"), "{}", found.message);
    assert!(found.message.contains("`mine.out.store(6, na)` of work"), "{}", found.message);
    let steps = steps(&found);
    for step in [("mine.in.store(3, na)", "writes 3"), ("mine.in.load(na)", "reads 3")] {
        assert!(steps.contains(&step), "{step:?} in {steps:?}");
    }
}

#[test]
fn members_of_classes_and_guards_of_static_variables_have_their_names() {
    let text = "#include <atomic>
        #include <thread>
        #include <cassert>
        template <class Derived> struct AtomicQueueBase { std::atomic<int> head{0}, tail{0}; };
        struct AtomicQueue : AtomicQueueBase<AtomicQueue> { std::atomic<int> slots[2]; };
        static int one() { return 1; }
        static AtomicQueue &queue() { static AtomicQueue only; static int tail = one(); only.tail += tail; return only; }
        int main() {
          queue().slots[1] = 5;
          std::thread other([] { assert(queue().head != 0); });
          other.join();
        }";
    let found = violation("classes.cc", text);
    let steps = steps(&found);
    for step in [
        ("only.head.load(sc)", "reads 0"),
        ("only.slots[1].store(5, sc)", "writes 5"),
        ("only.tail.fetch_add(1, sc)", "0 -> 1"),
        ("guard variable for queue()::tail.store(1, rel)", "writes 1"),
        ("spawn(std::run_state)", ""),
    ] {
        assert!(steps.contains(&step), "{step:?} in {steps:?}");
    }
}
