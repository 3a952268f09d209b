//! C programs with one schedule: what they compute, and how they fail.

use fencepost_program::Failure;
use fencepost_testing::compiled;

use crate::runner::{Ending, Run};

fn result(name: &str, text: &str) -> i64 {
    let program = compiled(name, text);
    let (run, ending) = Run::of(&program);
    assert_eq!(ending, Ending::Ended, "{:?}", program.constructs);
    run.global("result", 8)
}

fn failure(name: &str, text: &str) -> (Failure, u32, Vec<String>) {
    let program = compiled(name, text);
    match Run::of(&program).1 {
        Ending::Failed(failure, span) => (failure, span.line, program.constructs),
        other => panic!("{other:?}"),
    }
}

#[test]
fn structs_arrays_and_pointers_have_their_layout() {
    let text = "
        #include <string.h>
        struct pair { char c; long l; short s[3]; };
        struct pair global = { 1, 2, { 3, 4, 5 } };
        struct pair *pointer = &global;
        long result;
        long sum(struct pair p) { p.s[2] += p.c; return p.l + p.s[2]; }
        int main(void) {
          struct pair copy = *pointer, other;
          memset(&other, 0, sizeof other);
          copy.s[1] = 40;
          memcpy(&other, &copy, sizeof copy);
          result = sum(other) * 1000 + other.s[1] + (int)sizeof(struct pair);
          return 0;
        }";
    assert_eq!(result("layout", text), (2 + 6) * 1000 + 40 + 24);
}

#[test]
fn functions_can_be_recursive_and_called_through_pointers() {
    let text = "
        long result;
        static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        static int twice(int n) { return 2 * n; }
        static int (*table[2])(int) = { fib, twice };
        int main(void) { for (int i = 0; i < 2; i++) result = result * 1000 + table[i](10); return 0; }";
    assert_eq!(result("calls", text), 55 * 1000 + 20);
}

#[test]
fn threads_locks_and_thread_locals_work_together() {
    let text = "
        #include <pthread.h>
        #include <stdatomic.h>
        #include <assert.h>
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        static _Thread_local int own = 5;
        static atomic_int started;
        static long shared;
        long result;
        static void *work(void *argument) {
          own += (int)(long)argument;
          atomic_fetch_add(&started, 1);
          pthread_mutex_lock(&lock);
          shared += own;
          pthread_mutex_unlock(&lock);
          return (void *)(long)own;
        }
        int main(void) {
          pthread_t t[3];
          for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)(i + 1));
          for (int i = 0; i < 3; i++) {
            void *value;
            pthread_join(t[i], &value);
            result = result * 10 + (long)value;
          }
          assert(started == 3 && own == 5);
          result = result * 100 + shared;
          return 0;
        }";
    assert_eq!(result("threads", text), 67821);
}

#[test]
fn heap_memory_is_zero_at_first_and_lists_can_be_built() {
    let text = "
        #include <stdlib.h>
        struct node { struct node *next; int value; };
        long result;
        int main(void) {
          struct node *head = 0;
          for (int i = 1; i <= 4; i++) {
            struct node *n = calloc(1, sizeof *n);
            n->value += i;
            n->next = head;
            head = n;
          }
          for (struct node *n = head; n; n = n->next) result = result * 10 + n->value;
          while (head) { struct node *next = head->next; free(head); head = next; }
          return 0;
        }";
    assert_eq!(result("list", text), 4321);
}

#[test]
fn an_assertion_fails_at_its_line() {
    let (failure, line, _) = failure(
        "assertion",
        "#include <assert.h>\nint x;\nint main(void) {\n  x = 1;\n  assert(x == 2);\n  return 0;\n}\n",
    );
    assert_eq!((failure, line), (Failure::Assertion, 5));
}

#[test]
fn null_pointers_and_indices_out_of_bounds_are_noticed() {
    let null = failure("null", "int *p;\nint main(void) {\n  return *p;\n}\n");
    assert_eq!((null.0, null.1), (Failure::InvalidAccess { pointer: 0 }, 3));
    let local =
        failure("local", "int f(int i) {\n  int a[4] = {0};\n  return a[i];\n}\nint main(void) { return f(4); }\n");
    assert!(matches!(local.0, Failure::InvalidAccess { .. }));
    assert_eq!(local.1, 3);
    let global = failure("global", "int a[4];\nint main(void) {\n  return a[(long)&a[3] % 2 + 4];\n}\n");
    assert!(matches!(global.0, Failure::InvalidAccess { .. }));
}

#[test]
fn what_is_not_supported_fails_only_when_it_is_reached() {
    let text = "
        extern int elsewhere(void);
        int x;
        long result;
        int main(void) {
          if (x) {
            __asm__ volatile(\"cpuid\" ::: \"eax\");
            elsewhere();
          }
          __asm__ volatile(\"\" ::: \"memory\");
          result = 1;
          return 0;
        }";
    assert_eq!(result("unreached", text), 1);
    let (found, line, constructs) =
        failure("reached", "int main(void) {\n  __asm__ volatile(\"cpuid\" ::: \"eax\");\n  return 0;\n}\n");
    let Failure::Unsupported { construct } = found else { panic!("{found:?}") };
    assert_eq!((constructs[construct as usize].as_str(), line), ("the inline assembly `cpuid`", 2));
}
