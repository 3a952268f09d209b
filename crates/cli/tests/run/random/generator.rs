//! Random programs with POSIX threads, as C text. They end, have no data race, and print the same in every run.
//!
//! Threads go through phases, with a barrier after each. In a phase a thread first *sends* (posts a semaphore, makes a
//! condition true, sets a flag), then *receives* what others send in the same phase. Sending waits for nothing but
//! locks, and locks are taken in one order, so there is no deadlock. All else that threads do to shared variables is
//! addition.

use std::fmt::Write;

use fastrand::Rng;

const MUTEXES: usize = 3;
const CHANNELS: usize = 3;

/// What every program begins with.
const PRELUDE: &str = r#"#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutexes[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t binary;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static long by_mutex[3], by_rwlock, by_spin, by_binary, by_once, by_destructor, serial;
static _Atomic long by_atomic, by_cas;
static __thread long own;

static struct timespec soon(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_nsec += 200000;
  if (time.tv_nsec >= 1000000000) {
    time.tv_sec++;
    time.tv_nsec -= 1000000000;
  }
  return time;
}

static void initialise(void) {
  by_once++;
}

static void destroyed(void *value) {
  pthread_mutex_lock(&mutexes[0]);
  by_destructor += (long)value;
  pthread_mutex_unlock(&mutexes[0]);
}

static void posts(void *semaphore) {
  sem_post(semaphore);
}

static void starts(pthread_t *thread, void *(*body)(void *), void *argument) {
  if (pthread_create(thread, NULL, body, argument) != 0) abort();
}

static void detached(void *(*body)(void *)) {
  pthread_t thread;
  starts(&thread, body, NULL);
  pthread_detach(thread);
}

static void born_detached(void *(*body)(void *)) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (pthread_create(&thread, &attributes, body, NULL) != 0) abort();
  pthread_attr_destroy(&attributes);
}
"#;

/// How one thread tells others something, once a phase.
#[derive(Clone, Copy)]
enum Channel {
    Semaphore,
    Condition { timed: bool },
    Flag { order: usize },
}

struct Phase {
    channels: Vec<(Channel, usize)>,
    own_barrier: bool,
}

pub fn program(seed: u64) -> String {
    Generator { random: Rng::with_seed(seed), text: PRELUDE.to_owned(), functions: 0 }.program()
}

struct Generator {
    random: Rng,
    text: String,
    functions: usize,
}

impl Generator {
    fn program(mut self) -> String {
        let workers = self.random.usize(2..=6);
        let phases: Vec<Phase> = (0..self.random.usize(1..=3)).map(|_| self.phase(workers)).collect();
        self.declare(&phases, workers);
        let bodies: Vec<String> = (0..workers).map(|worker| self.worker(&phases, worker)).collect();
        let mut text = self.text;
        for (worker, body) in bodies.iter().enumerate() {
            let _ = write!(text, "\nstatic void *worker{worker}(void *unused) {{\n{body}}}\n");
        }
        let by_exit = self.random.bool();
        text += "\nint main(void) {\n  pthread_t threads[8];\n  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);\n";
        text += "  sem_init(&binary, 0, 1);\n  pthread_key_create(&key, destroyed);\n  prepare();\n";
        for worker in 0..workers {
            let _ = writeln!(text, "  starts(&threads[{worker}], worker{worker}, NULL);");
        }
        let _ = writeln!(text, "  for (int i = 0; i < {workers}; i++) pthread_join(threads[i], NULL);");
        text += "  long sum = by_mutex[0] + by_mutex[1] * 3 + by_mutex[2] * 5 + by_rwlock * 7 + by_spin * 11 + by_binary * 13;\n";
        text += "  printf(\"%ld %ld %ld %ld %ld %ld %ld\\n\", sum, by_once, by_destructor, serial, (long)by_atomic, (long)by_cas, received);\n";
        text += if by_exit { "  exit(sum % 60);\n}\n" } else { "  return sum % 60;\n}\n" };
        text
    }

    fn phase(&mut self, workers: usize) -> Phase {
        let channel = |random: &mut Rng| match random.u8(0..4) {
            0 => Channel::Semaphore,
            1 => Channel::Condition { timed: false },
            2 => Channel::Condition { timed: true },
            _ => Channel::Flag { order: random.usize(0..3) },
        };
        let channels = (0..self.random.usize(1..=CHANNELS))
            .map(|_| (channel(&mut self.random), self.random.usize(0..workers)))
            .collect();
        Phase { channels, own_barrier: self.random.u8(0..4) == 0 }
    }

    /// What the channels of all phases need, and the barriers between them.
    fn declare(&mut self, phases: &[Phase], workers: usize) {
        let mut prepare = String::new();
        let mut text =
            format!("static pthread_barrier_t barrier;\nstatic long received;\nenum {{ WORKERS = {workers} }};\n");
        prepare += "  pthread_barrier_init(&barrier, NULL, WORKERS);\n";
        for (p, phase) in phases.iter().enumerate() {
            for c in 0..phase.channels.len() {
                let _ = writeln!(text, "static long message{p}_{c};\nstatic sem_t semaphore{p}_{c};");
                let _ = writeln!(text, "static pthread_mutex_t mutex{p}_{c} = PTHREAD_MUTEX_INITIALIZER;");
                let _ = writeln!(text, "static pthread_cond_t condition{p}_{c} = PTHREAD_COND_INITIALIZER;");
                let _ = writeln!(text, "static int ready{p}_{c};\nstatic atomic_int flag{p}_{c};");
                let _ = writeln!(prepare, "  sem_init(&semaphore{p}_{c}, 0, 0);");
            }
            let _ = writeln!(text, "static pthread_mutex_t arrival{p} = PTHREAD_MUTEX_INITIALIZER;");
            let _ =
                writeln!(text, "static pthread_cond_t arrived{p} = PTHREAD_COND_INITIALIZER;\nstatic int arrivals{p};");
        }
        let _ = write!(self.text, "\n{text}\nstatic void prepare(void) {{\n{prepare}}}\n");
    }

    fn worker(&mut self, phases: &[Phase], worker: usize) -> String {
        let mut body = String::from("  long sum = 0;\n  (void)unused;\n");
        let tls = self.random.bool();
        if tls {
            let _ = writeln!(body, "  pthread_setspecific(key, (void *)(long){});", self.random.u8(1..50));
        }
        for (p, phase) in phases.iter().enumerate() {
            let mut first = Vec::new();
            let mut second = Vec::new();
            for (c, &(channel, sender)) in phase.channels.iter().enumerate() {
                if sender == worker {
                    first.push(send(channel, p, c));
                } else {
                    second.push(receive(channel, p, c));
                }
            }
            for part in [&mut first, &mut second] {
                for _ in 0..self.random.usize(0..4) {
                    let step = self.step(2);
                    let at = self.random.usize(0..=part.len());
                    part.insert(at, step);
                }
                part.iter().for_each(|step| body.push_str(step));
            }
            if phase.own_barrier {
                let _ = write!(
                    body,
                    "  pthread_mutex_lock(&arrival{p});\n  if (++arrivals{p} == WORKERS) pthread_cond_broadcast(&arrived{p});\n  \
                     while (arrivals{p} < WORKERS) pthread_cond_wait(&arrived{p}, &arrival{p});\n  \
                     pthread_mutex_unlock(&arrival{p});\n"
                );
            } else {
                body += "  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {\n    \
                         pthread_mutex_lock(&mutexes[1]);\n    serial++;\n    pthread_mutex_unlock(&mutexes[1]);\n  }\n";
            }
        }
        body += "  pthread_mutex_lock(&mutexes[2]);\n  received += sum;\n  pthread_mutex_unlock(&mutexes[2]);\n";
        body += if self.random.bool() { "  pthread_exit(NULL);\n" } else { "  return NULL;\n" };
        body
    }

    /// Something that ends by itself, and only adds to what is shared.
    fn step(&mut self, depth: usize) -> String {
        let k = self.random.u8(1..20);
        let m = self.random.usize(0..MUTEXES);
        let order = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"][self.random.usize(0..5)];
        match self.random.u8(0..if depth > 0 { 20 } else { 15 }) {
            0 => format!(
                "  pthread_mutex_lock(&mutexes[{m}]);\n  by_mutex[{m}] += {k};\n  pthread_mutex_unlock(&mutexes[{m}]);\n"
            ),
            1 => format!(
                "  while (pthread_mutex_trylock(&mutexes[{m}]) != 0) sched_yield();\n  by_mutex[{m}] += {k};\n  \
                 pthread_mutex_unlock(&mutexes[{m}]);\n"
            ),
            2 => format!(
                "  for (struct timespec time = soon(); pthread_mutex_timedlock(&mutexes[{m}], &time) != 0; time = soon());\n  \
                 by_mutex[{m}] += {k};\n  pthread_mutex_unlock(&mutexes[{m}]);\n"
            ),
            3 => self.nested_locks(),
            4 => format!("  pthread_rwlock_wrlock(&rwlock);\n  by_rwlock += {k};\n  pthread_rwlock_unlock(&rwlock);\n"),
            5 => {
                "  pthread_rwlock_rdlock(&rwlock);\n  own += by_rwlock;\n  pthread_rwlock_unlock(&rwlock);\n".to_owned()
            }
            6 => format!("  pthread_spin_lock(&spin);\n  by_spin += {k};\n  pthread_spin_unlock(&spin);\n"),
            7 => format!("  sem_wait(&binary);\n  by_binary += {k};\n  sem_post(&binary);\n"),
            8 => "  pthread_once(&once, initialise);\n  sum += by_once;\n".to_owned(),
            9 => format!("  atomic_fetch_add_explicit(&by_atomic, {k}, memory_order_{order});\n"),
            10 => format!(
                "  for (long old = atomic_load_explicit(&by_cas, memory_order_relaxed);\n       \
                 !atomic_compare_exchange_weak(&by_cas, &old, old + {k}););\n"
            ),
            11 => ["  sched_yield();\n", "  usleep(50);\n", "  nanosleep(&(struct timespec){0, 100}, NULL);\n"]
                [self.random.usize(0..3)]
            .to_owned(),
            12 => format!(
                "  {{\n    long *block = malloc({k} * sizeof *block), copy[{k}];\n    memset(block, 0, {k} * sizeof *block);\n    \
                 block[{}] = {k};\n    memcpy(copy, block, sizeof copy);\n    free(block);\n    sum += copy[{}];\n  }}\n",
                k / 2,
                k / 2
            ),
            13 => format!("  own += {k};\n  sum += own > 0;\n"),
            14 => format!("  pthread_setspecific(key, (void *)((long)pthread_getspecific(key) + {k}));\n"),
            15 => {
                let inner = self.step(depth - 1);
                format!("  for (int i = 0; i < {}; i++) {{\n{inner}  }}\n", self.random.u8(1..6))
            }
            16 | 17 => self.child(depth - 1),
            _ => self.detached_child(depth - 1),
        }
    }

    /// Two or three mutexes, in order.
    fn nested_locks(&mut self) -> String {
        let first = self.random.usize(0..MUTEXES - 1);
        let second = self.random.usize(first + 1..MUTEXES);
        let k = self.random.u8(1..20);
        format!(
            "  pthread_mutex_lock(&mutexes[{first}]);\n  by_mutex[{first}] += {k};\n  pthread_mutex_lock(&mutexes[{second}]);\n  \
             by_mutex[{second}] += {k};\n  pthread_mutex_unlock(&mutexes[{}]);\n  pthread_mutex_unlock(&mutexes[{}]);\n",
            if k.is_multiple_of(2) { first } else { second },
            if k.is_multiple_of(2) { second } else { first },
        )
    }

    fn function(&mut self, last: &str, depth: usize) -> usize {
        let steps: String = (0..self.random.usize(1..4)).map(|_| self.step(depth)).collect();
        let name = self.functions;
        self.functions += 1;
        let _ = write!(
            self.text,
            "\nstatic void *child{name}(void *argument) {{\n  long sum = 0;\n{steps}{last}  return (void *)(sum * 0 + (long)argument);\n}}\n"
        );
        name
    }

    /// A thread that is joined at once, and what it returns.
    fn child(&mut self, depth: usize) -> String {
        let name = self.function("", depth);
        let k = self.random.u8(1..20);
        format!(
            "  {{\n    pthread_t thread;\n    void *result;\n    starts(&thread, child{name}, (void *)(long){k});\n    \
             pthread_join(thread, &result);\n    sum += (long)result;\n  }}\n"
        )
    }

    /// A thread that is not joined. It says that it is through at its end, or when its thread-specific data are
    /// destroyed.
    fn detached_child(&mut self, depth: usize) -> String {
        let name = self.functions;
        self.functions += 1;
        let by_destructor = self.random.bool();
        let _ = write!(self.text, "\nstatic sem_t through{name};\n");
        let last = if by_destructor {
            let _ = writeln!(self.text, "static pthread_key_t key{name};");
            format!("  pthread_setspecific(key{name}, &through{name});\n")
        } else {
            format!("  pthread_setspecific(key, NULL);\n  sem_post(&through{name});\n")
        };
        let child = self.function(&last, depth);
        let start = if self.random.bool() { "detached" } else { "born_detached" };
        let key = if by_destructor {
            (format!("    pthread_key_create(&key{name}, posts);\n"), format!("    pthread_key_delete(key{name});\n"))
        } else {
            (String::new(), String::new())
        };
        format!(
            "  {{\n    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\n    pthread_mutex_lock(&mutex);\n    \
             sem_init(&through{name}, 0, 0);\n{}    {start}(child{child});\n    sem_wait(&through{name});\n{}    \
             pthread_mutex_unlock(&mutex);\n  }}\n",
            key.0, key.1
        )
    }
}

const ORDERS: [(&str, &str, &str); 3] = [
    ("atomic_store_explicit(&flag, 1, memory_order_release);", "memory_order_acquire", ""),
    (
        "atomic_thread_fence(memory_order_release);\n  atomic_store_explicit(&flag, 1, memory_order_relaxed);",
        "memory_order_relaxed",
        "  atomic_thread_fence(memory_order_acquire);\n",
    ),
    ("atomic_store(&flag, 1);", "memory_order_seq_cst", ""),
];

fn send(channel: Channel, p: usize, c: usize) -> String {
    let message = format!("  message{p}_{c} = {};\n", 10 * p + c + 1);
    let sent = match channel {
        Channel::Semaphore => format!("  for (int i = 1; i < WORKERS; i++) sem_post(&semaphore{p}_{c});\n"),
        Channel::Condition { timed } => format!(
            "  pthread_mutex_lock(&mutex{p}_{c});\n  ready{p}_{c} = 1;\n  {};\n  pthread_mutex_unlock(&mutex{p}_{c});\n",
            if timed {
                format!("for (int i = 1; i < WORKERS; i++) pthread_cond_signal(&condition{p}_{c})")
            } else {
                format!("pthread_cond_broadcast(&condition{p}_{c})")
            }
        ),
        Channel::Flag { order } => format!("  {}\n", ORDERS[order].0.replace("flag", &format!("flag{p}_{c}"))),
    };
    message + &sent
}

fn receive(channel: Channel, p: usize, c: usize) -> String {
    let received = match channel {
        Channel::Semaphore => format!("  sem_wait(&semaphore{p}_{c});\n"),
        Channel::Condition { timed } => {
            let wait = if timed {
                format!(
                    "    struct timespec time = soon();\n    pthread_cond_timedwait(&condition{p}_{c}, &mutex{p}_{c}, &time);\n"
                )
            } else {
                format!("    pthread_cond_wait(&condition{p}_{c}, &mutex{p}_{c});\n")
            };
            format!(
                "  pthread_mutex_lock(&mutex{p}_{c});\n  while (!ready{p}_{c}) {{\n{wait}  }}\n  pthread_mutex_unlock(&mutex{p}_{c});\n"
            )
        }
        Channel::Flag { order } => {
            let give_way = if c.is_multiple_of(2) { " sched_yield()" } else { "" };
            let (_, load, after) = ORDERS[order];
            format!("  while (!atomic_load_explicit(&flag{p}_{c}, {load})){give_way};\n{after}")
        }
    };
    format!("{received}  sum += message{p}_{c};\n")
}
