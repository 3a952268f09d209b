//! Random C programs with POSIX threads: atomics, locks in any order, condition variables, semaphores, recursion, a
//! heap whose memory is used again. Free of data races: plain variables are accessed only by a thread that holds their
//! lock.

use std::fmt::Write;

use fastrand::Rng;

/// Mutexes `m0` and `m1` guard `p0` and `p1`, the reader-writer lock guards `q`, and `m0` guards `flag` too.
const HEADER: &str = r#"#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#ifdef __FENCEPOST__
#define PAUSE()
#else
#include <sched.h>
static _Thread_local unsigned noise;
static void pause_at_random(void) {
  noise = noise * 1103515245u + 12345u;
  if ((noise >> 16) % 3 == 0) sched_yield();
  for (volatile unsigned i = (noise >> 16) % 64; i > 0; i--) {}
}
#define PAUSE() pause_at_random()
#endif
#define READ(value) (r = r * 8 + ((unsigned long)(value) & 7))
struct node {
  int value;
  struct node *next;
};
struct pair {
  unsigned short a, b;
};
struct words {
  unsigned long a, b;
} __attribute__((aligned(16)));
"#;

const ORDERS: [&str; 3] = ["relaxed", "acquire", "seq_cst"];
const WRITE_ORDERS: [&str; 3] = ["relaxed", "release", "seq_cst"];
const UPDATE_ORDERS: [&str; 3] = ["relaxed", "acq_rel", "seq_cst"];

/// The types and macros that every program needs once.
pub fn header() -> &'static str {
    HEADER
}

/// One program: everything that it defines has the prefix. `PREFIX_run` runs it once and returns its outcome.
pub fn program(seed: u64, prefix: &str) -> String {
    let mut generator = Generator { random: Rng::with_seed(seed), depth: 0, barriers: false };
    generator.program().replace('@', prefix)
}

struct Generator {
    random: Rng,
    /// Locks that are held here, so that critical sections nest but not too deep.
    depth: u32,
    /// Every thread comes to the barrier once.
    barriers: bool,
}

impl Generator {
    fn program(&mut self) -> String {
        let threads = if self.random.u8(..3) == 0 { 3 } else { 2 };
        self.barriers = self.random.u8(..8) == 0;
        let mut text = String::from(GLOBALS);
        let kind = ["NORMAL", "NORMAL", "RECURSIVE", "ERRORCHECK"][self.random.usize(..4)];
        let permits = self.random.u8(..3);
        for thread in 0..threads {
            let noise = "#ifndef __FENCEPOST__\n  noise += (unsigned)(size_t)&r + (unsigned)@runs;\n#endif\n";
            write!(text, "static void *@t{thread}(void *argument) {{\n  unsigned long r = 0;\n{noise}")
                .expect("a string");
            let statements = self.random.usize(2..4);
            let barrier = self.random.usize(..statements);
            for i in 0..statements {
                if self.barriers && i == barrier {
                    text += "  READ(pthread_barrier_wait(&@b) == 0);\n";
                }
                let statement = self.statement();
                writeln!(text, "  PAUSE();\n{statement}").expect("a string");
            }
            text += "  return (void *)r;\n}\n";
        }
        write!(
            text,
            "unsigned long @run(void) {{\n  @runs++;\n  @x0 = @x1 = 0;\n  @p0 = @p1 = @q = @flag = 0;\n  @head = @seen = NULL;\n  @once_value = 0;\n  \
             ((struct pair *)&@pair)->a = 1;\n  ((struct pair *)&@pair)->b = 2;\n\
             ((struct words *)&@words)->a = 1;\n  ((struct words *)&@words)->b = 2;\n  @wide = 0;\n\
             memcpy(&@once, &(pthread_once_t){{PTHREAD_ONCE_INIT}}, sizeof @once);\n\
             pthread_mutex_init(&@m0, NULL);\n\
             pthread_mutexattr_t kind;\n  pthread_mutexattr_init(&kind);\n\
             pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_{kind});\n  pthread_mutex_init(&@m1, &kind);\n\
             pthread_cond_init(&@c, NULL);\n  sem_init(&@s, 0, {permits});\n  pthread_rwlock_init(&@w, NULL);\n\
             pthread_barrier_init(&@b, NULL, {threads});\n  pthread_t t[{threads}];\n"
        )
        .expect("a string");
        for thread in 0..threads {
            writeln!(text, "  pthread_create(&t[{thread}], NULL, @t{thread}, NULL);").expect("a string");
        }
        text += "  unsigned long r = 0;\n  void *result;\n";
        for thread in 0..threads {
            writeln!(text, "  pthread_join(t[{thread}], &result);\n  r = r * 31 + (unsigned long)result;")
                .expect("a string");
        }
        text += "  READ(@x0);\n  READ(@x1);\n  READ(@p0);\n  READ(@p1);\n  READ(@q);\n  READ(@flag);\n  READ(((struct pair *)&@pair)->a);\n  READ(((struct pair *)&@pair)->b);\n  \
                 READ(((struct words *)&@words)->a);\n  READ(((struct words *)&@words)->b);\n  READ(@wide);\n  READ(@wide >> 64);\n  \
                 for (struct node *node = @head, *next; node; node = next) {\n    READ(node->value);\n    next = node->next;\n    free(node);\n  }\n  \
                 pthread_mutex_destroy(&@m0);\n  pthread_mutex_destroy(&@m1);\n  pthread_cond_destroy(&@c);\n  \
                 pthread_rwlock_destroy(&@w);\n  pthread_barrier_destroy(&@b);\n  sem_destroy(&@s);\n  return r;\n}\n";
        text
    }

    fn pick<'a>(&mut self, among: &[&'a str]) -> &'a str {
        among[self.random.usize(..among.len())]
    }

    fn statement(&mut self) -> String {
        let x = self.random.u8(..2);
        let value = self.random.u8(1..4);
        match self.random.u8(..25) {
            0 | 1 => format!("  READ(atomic_load_explicit(&@x{x}, memory_order_{}));", self.pick(&ORDERS)),
            2 | 3 => format!("  atomic_store_explicit(&@x{x}, {value}, memory_order_{});", self.pick(&WRITE_ORDERS)),
            4 => {
                let update = self.pick(&["fetch_add", "exchange", "fetch_or", "fetch_xor"]);
                format!("  READ(atomic_{update}_explicit(&@x{x}, {value}, memory_order_{}));", self.pick(&UPDATE_ORDERS))
            }
            5 => format!(
                "  {{ int expected = {}; READ(atomic_compare_exchange_strong(&@x{x}, &expected, {value})); READ(expected); }}",
                self.random.u8(..2)
            ),
            6..=8 if self.depth < 2 => self.critical_section(),
            9 | 10 if self.depth == 0 => self.condition(),
            11 => "  sem_post(&@s);".to_owned(),
            12 => "  sem_wait(&@s);\n  READ(1);".to_owned(),
            13 => "  READ(sem_trywait(&@s) == 0);".to_owned(),
            14 if self.depth == 0 => match self.random.bool() {
                true => "  pthread_rwlock_wrlock(&@w);\n  @q++;\n  pthread_rwlock_unlock(&@w);".to_owned(),
                false => "  pthread_rwlock_rdlock(&@w);\n  READ(@q);\n  pthread_rwlock_unlock(&@w);".to_owned(),
            },
            15 => format!("  READ(@recursive({}));", self.random.u8(1..3)),
            16 => format!("  @push({value});"),
            17 => "  READ(@take());".to_owned(),
            18 if self.random.bool() => match self.random.u8(..3) {
                0 => "  atomic_store(&@seen, atomic_load(&@head));".to_owned(),
                _ => format!("  READ(@push_and_compare({value}));"),
            },
            18 => "  { struct node *before = atomic_load(&@head); PAUSE(); READ(before != NULL && before == atomic_load(&@head)); }"
                .to_owned(),
            20 => {
                "  { struct pair old = atomic_load(&@pair), new; READ(old.a); old.b = 2; new = old; new.a += 2; \
                 READ(atomic_compare_exchange_strong(&@pair, &old, new)); READ(old.b); }"
                    .to_owned()
            }
            21 => format!(
                "  {{ struct pair new = {{{value}, 2}}; new = atomic_exchange_explicit(&@pair, new, memory_order_{}); READ(new.a); }}",
                self.pick(&UPDATE_ORDERS)
            ),
            22 => {
                "  { struct words old = atomic_load(&@words), new; READ(old.a); old.b = 2; new = old; new.a += 2; \
                 READ(atomic_compare_exchange_strong(&@words, &old, new)); READ(old.b); }"
                    .to_owned()
            }
            23 => format!(
                "  {{ struct words new = {{{value}, 2}}; new = atomic_exchange_explicit(&@words, new, memory_order_{}); READ(new.a); }}",
                self.pick(&UPDATE_ORDERS)
            ),
            24 => {
                let update = self.pick(&["fetch_add", "exchange", "fetch_or", "fetch_sub"]);
                format!(
                    "  {{ unsigned __int128 old = atomic_{update}_explicit(&@wide, (unsigned __int128){value} << 63, memory_order_{}); \
                     READ(old >> 63); READ(old >> 64); }}",
                    self.pick(&UPDATE_ORDERS)
                )
            }
            19 => "  pthread_once(&@once, @init);\n  READ(@once_value);".to_owned(),
            _ => "  READ(++@local);".to_owned(),
        }
    }

    fn critical_section(&mut self) -> String {
        let m = self.random.u8(..2);
        self.depth += 1;
        let inner = if self.random.bool() { self.statement() } else { format!("  READ(@p{m}++);") };
        self.depth -= 1;
        // Locking `m1` may fail, if it is of the kind that checks for errors and is held already.
        let (lock, own) = (self.pick(&["lock", "lock", "trylock"]), self.random.u8(1..3));
        format!(
            "  {{ int failed = pthread_mutex_{lock}(&@m{m});\n  READ(failed == EDEADLK ? 2 : failed != 0);\n  \
             if (!failed) {{\n  @p{m} += {own};\n{inner}\n  pthread_mutex_unlock(&@m{m});\n  }} }}"
        )
    }

    fn condition(&mut self) -> String {
        let wake = self.pick(&["signal", "broadcast"]);
        match self.random.u8(..4) {
            0 => "  pthread_mutex_lock(&@m0);\n  while (!@flag) pthread_cond_wait(&@c, &@m0);\n  READ(@flag--);\n  pthread_mutex_unlock(&@m0);"
                .to_owned(),
            1 => "  pthread_mutex_lock(&@m0);\n  if (!@flag) pthread_cond_wait(&@c, &@m0);\n  READ(@flag);\n  pthread_mutex_unlock(&@m0);"
                .to_owned(),
            2 => format!("  pthread_mutex_lock(&@m0);\n  @flag++;\n  pthread_mutex_unlock(&@m0);\n  pthread_cond_{wake}(&@c);"),
            _ => format!("  pthread_mutex_lock(&@m0);\n  @flag++;\n  pthread_cond_{wake}(&@c);\n  pthread_mutex_unlock(&@m0);"),
        }
    }
}

const GLOBALS: &str = r#"
static atomic_int @x0, @x1;
static int @p0, @p1, @q, @flag, @once_value, @runs;
static _Thread_local int @local;
static pthread_mutex_t @m0, @m1;
static pthread_cond_t @c;
static pthread_rwlock_t @w;
static pthread_barrier_t @b;
static pthread_once_t @once = PTHREAD_ONCE_INIT;
static sem_t @s;
static _Atomic(struct node *) @head, @seen;
static _Atomic(struct pair) @pair;
static _Atomic(struct words) @words;
static _Atomic unsigned __int128 @wide;
static void @init(void) { @once_value = 5; }
static int @recursive(int n) { return n == 0 ? 0 : (int)atomic_fetch_add(&@x0, 1) + @recursive(n - 1); }
static void @push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->next = atomic_load_explicit(&@head, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(&@head, &node->next, node, memory_order_release, memory_order_relaxed)) {}
}
/* Whether it was given the memory of a node that somebody saw before. */
static int @push_and_compare(int value) {
  struct node *node = malloc(sizeof *node), *seen = atomic_load(&@seen);
  node->value = value;
  node->next = atomic_load_explicit(&@head, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(&@head, &node->next, node, memory_order_release, memory_order_relaxed)) {}
  return node == seen;
}
static int @take(void) {
  int sum = 0;
  for (struct node *node = atomic_exchange_explicit(&@head, NULL, memory_order_acquire), *next; node; node = next) {
    sum += node->value;
    next = node->next;
    free(node);
  }
  return sum;
}
"#;
