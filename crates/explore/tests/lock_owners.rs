//! `check` and an exploration of interleavings find the same wrong unlocks: random programs in which threads lock and
//! unlock what they like, be the lock theirs or not.

use std::fmt::Write as _;

use fencepost_check::{Options as Checking, Properties, check};
use fencepost_explore::{Options, count};
use fencepost_models::Model;
use fencepost_story::{Outcome, Verdict};
use fencepost_testing::{compiled, seeds, trials};

const LOCKS: &str = "#define _GNU_SOURCE
#include <pthread.h>
static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
";

const STEPS: [&str; 12] = [
    "pthread_mutex_lock(&normal);",
    "pthread_mutex_unlock(&normal);",
    "if (pthread_mutex_trylock(&normal) == 0) pthread_mutex_unlock(&normal);",
    "pthread_mutex_lock(&checked);",
    "pthread_mutex_unlock(&checked);",
    "pthread_mutex_lock(&recursive);",
    "pthread_mutex_unlock(&recursive);",
    "pthread_rwlock_rdlock(&shared);",
    "pthread_rwlock_wrlock(&shared);",
    "pthread_rwlock_unlock(&shared);",
    "pthread_mutex_lock(&normal); pthread_mutex_unlock(&normal);",
    "pthread_rwlock_rdlock(&shared); pthread_rwlock_unlock(&shared);",
];

fn random_program(seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut text = LOCKS.to_owned();
    for name in ["one", "two"] {
        writeln!(text, "static void *{name}(void *unused) {{").expect("a string");
        for _ in 0..random.usize(1..4) {
            writeln!(text, "  {}", STEPS[random.usize(..STEPS.len())]).expect("a string");
        }
        writeln!(text, "  return 0;\n}}").expect("a string");
    }
    let before = if random.bool() { STEPS[random.usize(..STEPS.len())] } else { "" };
    let main = "pthread_t a, b;\n  pthread_create(&a, 0, one, 0);\n  pthread_create(&b, 0, two, 0);";
    writeln!(text, "int main(void) {{\n  {before}\n  {main}\n  pthread_join(a, 0);\n  pthread_join(b, 0);\n}}")
        .expect("a string");
    text
}

fn is_misuse(verdict: &Verdict) -> bool {
    assert!(!matches!(verdict.outcome, Outcome::Unknown(_)) || verdict.violations.is_empty());
    verdict.violations.iter().any(|violation| violation.kind.name() == "misuse")
}

#[test]
fn check_finds_the_wrong_unlocks_that_an_exploration_finds() {
    let programs = trials(40);
    let (mut wrong, mut right) = (0, 0);
    for seed in seeds(programs) {
        let text = random_program(seed);
        let program = compiled("random", &text);
        let properties = Properties { assertions: true, ..Properties::NONE };
        let exploring = Options { properties, ..Options::new(Model::Sc) };
        let explored = is_misuse(&count(&program, &exploring, &Default::default()).unwrap().verdict);
        let checking = Checking { properties, ..Checking::default() };
        let checked = check(&program, &checking, &Default::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(is_misuse(&checked), explored, "seed {seed}\n{text}");
        *(if explored { &mut wrong } else { &mut right }) += 1;
    }
    assert!(wrong > programs / 8 && right > programs / 8, "{wrong} wrong, {right} right");
}
