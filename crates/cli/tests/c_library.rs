//! The C library as it is: each command gives the same answer about what a function returns, reads and refuses.

use std::path::PathBuf;
use std::process::Command;

/// What a command says about a program: the line that holds its verdict, and all of its text.
fn said(command: &str, name: &str, program: &str) -> (String, String) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{command}-{}.c", std::process::id()));
    std::fs::write(&path, program).expect("the target directory can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost")).arg(command).arg(&path).output().expect("it runs");
    std::fs::remove_file(&path).expect("it was just written");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (text.lines().next().unwrap_or_default().to_owned(), text)
}

/// Every assertion holds in all three.
fn holds(name: &str, program: &str) {
    for command in ["explore", "check", "prove"] {
        let (verdict, text) = said(command, name, program);
        assert!(verdict.starts_with("holds: "), "{name}: {command}: {text}");
    }
}

/// `explore` and `check` say this, and `prove` has an alarm.
fn fails(name: &str, program: &str, words: &str) {
    for command in ["explore", "check"] {
        let (verdict, text) = said(command, name, program);
        assert!(verdict.starts_with("violated: ") && text.contains(words), "{name}: {command}: {text}");
    }
    let (verdict, text) = said("prove", name, program);
    assert!(verdict.starts_with("unknown: ") && verdict.contains("1 alarm"), "{name}: prove: {text}");
}

fn races(name: &str, program: &str) {
    for command in ["explore", "check"] {
        let (verdict, text) = said(command, name, program);
        assert!(verdict.contains("has a data race"), "{name}: {command}: {text}");
    }
}

const MUTEXES: &str = "#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t made;
static int x;
";

#[test]
fn a_mutex_that_knows_its_owner_refuses_others() {
    let body = "static void *other(void *unused) {
  assert(pthread_mutex_unlock(&checked) == EPERM);
  assert(pthread_mutex_unlock(&recursive) == EPERM);
  assert(pthread_mutex_trylock(&recursive) == EBUSY);
  assert(pthread_mutex_lock(&made) == 0);
  x++;
  assert(pthread_mutex_unlock(&made) == 0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_mutexattr_t kind;
  int type;
  pthread_mutexattr_init(&kind);
  assert(pthread_mutexattr_settype(&kind, 77) == EINVAL);
  assert(pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK) == 0);
  assert(pthread_mutexattr_gettype(&kind, &type) == 0 && type == PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&made, &kind);
  assert(pthread_mutex_unlock(&checked) == EPERM);
  assert(pthread_mutex_lock(&checked) == 0);
  assert(pthread_mutex_lock(&checked) == EDEADLK);
  assert(pthread_mutex_trylock(&checked) == EBUSY);
  assert(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_lock(&recursive) == 0);
  pthread_create(&t, 0, other, 0);
  assert(pthread_mutex_lock(&made) == 0);
  x++;
  assert(pthread_mutex_unlock(&made) == 0);
  assert(pthread_mutex_unlock(&made) == EPERM);
  pthread_join(t, 0);
  assert(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == EPERM);
  assert(x == 2);
  return 0;
}
";
    holds("mutexes", &format!("{MUTEXES}{body}"));
    let body = "int main(void) {
  pthread_mutex_lock(&checked);
  assert(pthread_mutex_lock(&checked) == 0);
  return 0;
}
";
    fails("relocked", &format!("{MUTEXES}{body}"), "assertion");
}

#[test]
fn what_is_tried_succeeds_when_nothing_stops_it() {
    holds(
        "tried",
        "#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t permits;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *reader(void *unused) {
  assert(sem_trywait(&permits) == 0);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  return 0;
}
int main(void) {
  pthread_t t[2];
  sem_init(&permits, 0, 2);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, reader, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(sem_trywait(&permits) == -1);
  assert(pthread_rwlock_trywrlock(&lock) != 0);
  return 0;
}
",
    );
}

#[test]
fn a_weak_symbol_that_nobody_defines_is_null() {
    holds(
        "weak",
        "#include <assert.h>
__attribute__((weak)) void hook(void);
extern int nowhere __attribute__((weak));
__attribute__((weak)) int defined(void) { return 4; }
__attribute__((weak)) int variable = 9;
static void (*volatile called)(void);
int main(void) {
  if (hook) hook();
  called = hook;
  assert(called == 0);
  assert(&nowhere == 0);
  assert(defined() == 4 && variable == 9);
  return 0;
}
",
    );
    fails("weak_call", "__attribute__((weak)) void hook(void);\nint main(void) { hook(); return 0; }\n", "calls 0x0");
}

#[test]
fn what_is_printed_is_read() {
    let program = |statement: &str| {
        format!(
            "#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
static char word[4] = \"abc\";
static void say(const char *format, ...) {{
  va_list rest;
  va_start(rest, format);
  vprintf(format, rest);
  va_end(rest);
}}
static void *writer(void *unused) {{
  word[1] = 'x';
  return 0;
}}
int main(void) {{
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  {statement}
  pthread_join(t, 0);
  return 0;
}}
"
        )
    };
    for (i, statement) in [
        "printf(\"%d %s\", 3, word);",
        "puts(word);",
        "printf(\"%.2s\", word);",
        "printf(word);",
        "say(\"%d %f %s\", 3, 2.5, word);",
    ]
    .into_iter()
    .enumerate()
    {
        races(&format!("printed_{i}"), &program(statement));
    }
    for (i, statement) in
        ["printf(\"%.*s\", 1, word);", "printf(\"%s %p\", \"literal\", word);", "say(\"%d %f %.1s\", 3, 2.5, word);"]
            .into_iter()
            .enumerate()
    {
        holds(&format!("not_printed_{i}"), &program(statement));
    }
}

#[test]
fn the_smallest_integer_is_not_divided_by_minus_one() {
    let program = |ty: &str, value: &str, operation: &str| {
        format!(
            "#include <limits.h>
#include <stdatomic.h>
static _Atomic {ty} number = {value}, divisor = -1;
int main(void) {{
  {ty} n = number, d = divisor;
  return (n {operation} d) != 0;
}}
"
        )
    };
    let words = "divides the smallest integer by -1";
    fails("quotient_32", &program("int", "INT_MIN", "/"), words);
    fails("remainder_32", &program("int", "INT_MIN", "%"), words);
    fails("quotient_64", &program("long", "LONG_MIN", "/"), words);
    fails("zero", &program("int", "7; int zero; static _Atomic int unused", "/ zero +"), "divides by zero");
    holds("quotient_16", &program("short", "SHRT_MIN", "/"));
    holds("larger", &program("int", "INT_MIN + 1", "/"));
    holds("unsigned", &program("unsigned", "1u << 31", "/"));
}

#[test]
fn memory_is_aligned_as_it_is_asked_for() {
    let program = "#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
_Alignas(8192) static char global;
int main(void) {
  void *p = malloc(1), *a = aligned_alloc(4096, 8192), *m = memalign(1024, 10), *q = &global;
  assert((uintptr_t)a % 4096 == 0 && (uintptr_t)m % 1024 == 0);
  assert(posix_memalign(&q, 3, 10) == EINVAL && posix_memalign(&q, 24, 10) == EINVAL && q == &global);
  assert(posix_memalign(&q, 2048, 10) == 0 && (uintptr_t)q % 2048 == 0);
  _Alignas(1024) char local[3];
  assert((uintptr_t)local % 1024 == 0 && (uintptr_t)&global % 8192 == 0);
  free(p), free(a), free(m), free(q);
  return 0;
}
";
    for command in ["explore", "check"] {
        let (verdict, text) = said(command, "aligned", program);
        assert!(verdict.starts_with("holds: "), "{command}: {text}");
    }
}

#[test]
fn a_thread_local_variable_that_others_know_is_shared_memory() {
    let program = |before: &str, after: &str| {
        format!(
            "#include <pthread.h>
#include <stdatomic.h>
static __thread int mine;
static _Atomic(int *) told;
static atomic_int done;
static void *owner(void *unused) {{
  {before}
  atomic_store(&told, &mine);
  {after}
  while (!atomic_load(&done)) {{}}
  return 0;
}}
int main(void) {{
  pthread_t t;
  int *other;
  pthread_create(&t, 0, owner, 0);
  while (!(other = atomic_load(&told))) {{}}
  int read = *other;
  atomic_store(&done, 1);
  pthread_join(t, 0);
  return read != 7;
}}
"
        )
    };
    races("thread_local_race", &program("", "mine = 7;"));
    holds("thread_local", &program("mine = 7;", ""));
}

#[test]
fn a_thread_local_variable_is_aligned_as_it_is_declared() {
    let program = |told: &str| {
        format!(
            "#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static __thread char first = 1;
static __thread struct {{ _Alignas(64) long a; long b; }} aligned;
static __thread _Alignas(4096) char page;
static void *told;
static void *work(void *unused) {{
  first++;
  aligned.b++;
  {told}
  assert((uintptr_t)&aligned % 64 == 0 && (uintptr_t)&page % 4096 == 0);
  return 0;
}}
int main(void) {{
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  aligned.a++;
  assert((uintptr_t)&aligned % 64 == 0 && (uintptr_t)&page % 4096 == 0);
  return first != 1;
}}
"
        )
    };
    for (name, told) in [("aligned_own", ""), ("aligned_shared", "told = &aligned; told = &page; told = &first;")] {
        for command in ["explore", "check"] {
            let (verdict, text) = said(command, name, &program(told));
            assert!(verdict.starts_with("holds: "), "{name}: {command}: {text}");
        }
    }
}

#[test]
fn an_exchange_that_waits_writes_only_when_its_condition_holds() {
    let program = |condition: &str, before: &str, claim: &str| {
        format!(
            "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_xchg_await_aint(atomic_int *, int, int, int);
atomic_int x;
static void *exchange(void *unused) {{
  int seen = __VERIFIER_xchg_await_aint(&x, 5, {condition}, 1);
  assert({claim});
  return 0;
}}
int main(void) {{
  pthread_t t;
  pthread_create(&t, 0, exchange, 0);
  {before}
  atomic_store(&x, 1);
  atomic_store(&x, -1);
  return 0;
}}
"
        )
    };
    // 2 is equal, 4 is less, 1 is greater; 8 is with signs.
    holds("await_equal", &program("2", "assert(atomic_load(&x) == 0);", "seen == 1"));
    holds("await_less", &program("8 | 4", "", "seen != 1"));
    holds("await_greater", &program("1", "", "seen == -1"));
    fails("await_less_or_equal", &program("8 | 4 | 2", "", "seen != 1"), "assertion");
}
