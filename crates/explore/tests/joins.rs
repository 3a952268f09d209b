//! A thread may be joined or detached once. Random programs in which threads join and detach each other show that
//! `check` and an exploration find each that does it twice: since no thread branches or waits for ever, that is known
//! beforehand.

use std::fmt::Write as _;

use fencepost_check::{Options as Checking, Properties, check};
use fencepost_explore::{Options, count};
use fencepost_models::Model;
use fencepost_story::{Outcome, Verdict};
use fencepost_testing::{compiled, seeds, trials};

const THREADS: usize = 3;

struct Random {
    rng: fastrand::Rng,
    /// Threads of C11, not of POSIX.
    eleven: bool,
    /// How often each thread is joined or detached.
    times: [usize; THREADS],
}

impl Random {
    /// Joins and detaches some of these threads.
    fn steps(&mut self, itself: Option<usize>) -> String {
        let mut text = String::new();
        for _ in 0..self.rng.usize(0..2) + usize::from(self.rng.u8(..6) == 0) {
            let thread = self.rng.usize(itself.unwrap_or(0)..THREADS);
            self.times[thread] += 1;
            let detaches = itself == Some(thread) || self.rng.u8(..3) == 0;
            let handle = match self.eleven {
                _ if itself != Some(thread) => format!("t{thread}"),
                true => "thrd_current()".to_owned(),
                false => "pthread_self()".to_owned(),
            };
            let prefix = if self.eleven { "thrd" } else { "pthread" };
            let call = if detaches { format!("detach({handle})") } else { format!("join({handle}, 0)") };
            writeln!(text, "  {prefix}_{call};").expect("a string");
        }
        text
    }

    fn creation(&mut self, thread: usize) -> String {
        if self.eleven {
            return format!("  thrd_create(&t{thread}, f{thread}, 0);\n");
        }
        if self.rng.u8(..5) > 0 {
            return format!("  pthread_create(&t{thread}, 0, f{thread}, 0);\n");
        }
        self.times[thread] += 1;
        format!(
            "  pthread_attr_t a{thread};\n  pthread_attr_init(&a{thread});\n  pthread_attr_setdetachstate(&a{thread}, \
             PTHREAD_CREATE_DETACHED);\n  pthread_create(&t{thread}, &a{thread}, f{thread}, 0);\n"
        )
    }
}

/// A thread joins those that were created before it, so that all end. They do so before the program, which `main` does
/// not end.
fn random_program(seed: u64) -> (String, bool) {
    let mut random = Random { rng: fastrand::Rng::with_seed(seed), eleven: false, times: [0; THREADS] };
    random.eleven = random.rng.bool();
    let (header, result, handle, exit) = match random.eleven {
        true => ("threads.h", "int ", "thrd_t", "thrd_exit"),
        false => ("pthread.h", "void *", "pthread_t", "pthread_exit"),
    };
    let mut text = format!("#include <{header}>\nstatic {handle} t0, t1, t2;\n");
    for thread in 0..THREADS {
        let body = random.steps(Some(thread));
        writeln!(text, "static {result}f{thread}(void *unused) {{\n{body}  return 0;\n}}").expect("a string");
    }
    let creations: String = (0..THREADS).rev().map(|thread| random.creation(thread)).collect();
    let body = random.steps(None);
    writeln!(text, "int main(void) {{\n{creations}{body}  {exit}(0);\n}}").expect("a string");
    (text, random.times.iter().any(|&times| times > 1))
}

fn is_misuse(verdict: &Verdict) -> bool {
    assert!(!matches!(verdict.outcome, Outcome::Unknown(_)), "{verdict:?}");
    verdict.violations.iter().any(|violation| violation.kind.name() == "misuse")
}

#[test]
fn each_thread_that_is_joined_or_detached_twice_is_found() {
    let programs = trials(40);
    let (mut wrong, mut right) = (0, 0);
    for seed in seeds(programs) {
        let (text, expected) = random_program(seed);
        let program = compiled("random", &text);
        let properties = Properties { assertions: true, deadlocks: true, ..Properties::NONE };
        for model in [Model::Sc, Model::Rc11] {
            let exploring = Options { properties, ..Options::new(model) };
            let explored = count(&program, &exploring, &Default::default()).unwrap().verdict;
            assert_eq!(is_misuse(&explored), expected, "explore {model}, seed {seed}\n{text}");
        }
        let checking = Checking { properties, ..Checking::default() };
        let checked = check(&program, &checking, &Default::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(is_misuse(&checked), expected, "check, seed {seed}\n{text}");
        *(if expected { &mut wrong } else { &mut right }) += 1;
    }
    assert!(wrong > programs / 8 && right > programs / 8, "{wrong} wrong, {right} right");
}
