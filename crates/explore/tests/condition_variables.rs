//! Condition variables by their definition, over random programs: every interleaving of critical sections, signals that
//! wake any one waiter, waiters that wake up at any time. `explore` must end in the same states, and both
//! engines must find the same deadlocks.

use std::collections::{BTreeSet, HashSet};

use fencepost_check::check;
use fencepost_explore::{Options, Watch, count, explore};
use fencepost_models::Model;
use fencepost_program::Address;
use fencepost_story::{Outcome, Properties};
use fencepost_testing::{compiled, seeds, trials};

const CONDITIONS: usize = 2;

#[derive(Clone, Copy, Debug)]
enum Statement {
    Lock,
    Unlock,
    /// `x++`, and the order in which threads come shows in `y`.
    Count,
    /// `while` or `if (x < least) wait`.
    Wait {
        condition: usize,
        least: i32,
        again: bool,
    },
    Signal(usize),
    Broadcast(usize),
}

type Thread = Vec<Statement>;

fn random_thread(random: &mut fastrand::Rng) -> Thread {
    let mut thread = Vec::new();
    for _ in 0..random.usize(1..3) {
        thread.push(Statement::Lock);
        if random.bool() {
            let (condition, least, again) = (random.usize(..CONDITIONS), random.i32(1..3), random.u8(..4) > 0);
            thread.push(Statement::Wait { condition, least, again });
        }
        if random.u8(..4) > 0 {
            thread.push(Statement::Count);
        }
        let wake = match random.u8(..4) {
            0 => None,
            1 => Some(Statement::Broadcast(random.usize(..CONDITIONS))),
            _ => Some(Statement::Signal(random.usize(..CONDITIONS))),
        };
        let after = random.u8(..3) == 0;
        thread.extend(wake.filter(|_| !after));
        thread.push(Statement::Unlock);
        thread.extend(wake.filter(|_| after));
    }
    thread
}

fn source(threads: &[Thread]) -> String {
    let mut text = "#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
int x, y;
"
    .to_owned();
    for (i, thread) in threads.iter().enumerate() {
        text += &format!("static void *run{i}(void *unused) {{\n");
        for statement in thread {
            text += &match statement {
                Statement::Lock => "  pthread_mutex_lock(&m);\n".to_owned(),
                Statement::Unlock => "  pthread_mutex_unlock(&m);\n".to_owned(),
                Statement::Count => format!("  x++, y = (2 * y + {i}) % 5;\n"),
                Statement::Wait { condition, least, again } => {
                    let word = if *again { "while" } else { "if" };
                    format!("  {word} (x < {least}) pthread_cond_wait(&c[{condition}], &m);\n")
                }
                Statement::Signal(condition) => format!("  pthread_cond_signal(&c[{condition}]);\n"),
                Statement::Broadcast(condition) => format!("  pthread_cond_broadcast(&c[{condition}]);\n"),
            };
        }
        text += "  return 0;\n}\n";
    }
    let n = threads.len();
    text += &format!("int main(void) {{\n  pthread_t t[{n}];\n");
    (0..n).for_each(|i| text += &format!("  pthread_create(&t[{i}], 0, run{i}, 0);\n"));
    (0..n).for_each(|i| text += &format!("  pthread_join(t[{i}], 0);\n"));
    text + "  return 0;\n}\n"
}

/// Where a thread is within a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Within {
    Nothing,
    Waiting,
    /// It has left the set and is about to take the mutex.
    Woken,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    x: i32,
    y: i32,
    owner: Option<usize>,
    threads: Vec<(usize, Within)>,
}

/// The final states, and whether all threads that have not ended may wait for ever.
fn by_definition(threads: &[Thread]) -> (BTreeSet<(i32, i32)>, bool) {
    let start = State { x: 0, y: 0, owner: None, threads: vec![(0, Within::Nothing); threads.len()] };
    let (mut seen, mut todo) = (HashSet::from([start.clone()]), vec![start]);
    let (mut ends, mut deadlock) = (BTreeSet::new(), false);
    while let Some(state) = todo.pop() {
        let ended = |t: usize| state.threads[t].0 == threads[t].len();
        if (0..threads.len()).all(ended) {
            ends.insert((state.x, state.y));
        } else if (0..threads.len()).all(|t| ended(t) || state.threads[t].1 == Within::Waiting) {
            deadlock = true;
        }
        for t in 0..threads.len() {
            for next in steps(threads, &state, t) {
                if seen.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
    }
    (ends, deadlock)
}

fn steps(threads: &[Thread], state: &State, t: usize) -> Vec<State> {
    let (pc, within) = state.threads[t];
    let Some(&statement) = threads[t].get(pc) else { return Vec::new() };
    let mut next = state.clone();
    next.threads[t] = (pc + 1, Within::Nothing);
    match (statement, within) {
        (_, Within::Waiting) => next.threads[t] = (pc, Within::Woken),
        (Statement::Lock, _) | (_, Within::Woken) if state.owner.is_some() => return Vec::new(),
        (Statement::Lock, _) => next.owner = Some(t),
        (Statement::Wait { again, .. }, Within::Woken) => {
            next.owner = Some(t);
            next.threads[t] = (pc + !again as usize, Within::Nothing);
        }
        (Statement::Unlock, _) => next.owner = None,
        (Statement::Count, _) => (next.x, next.y) = (state.x + 1, (2 * state.y + t as i32) % 5),
        (Statement::Wait { least, .. }, _) if state.x < least => {
            next.owner = None;
            next.threads[t] = (pc, Within::Waiting);
        }
        (Statement::Wait { .. }, _) => {}
        (Statement::Broadcast(condition), _) => {
            waiters(threads, state, condition).for_each(|waiter| next.threads[waiter].1 = Within::Woken);
        }
        (Statement::Signal(condition), _) => {
            let woken = waiters(threads, state, condition).map(|waiter| {
                let mut next = next.clone();
                next.threads[waiter].1 = Within::Woken;
                next
            });
            let woken: Vec<State> = woken.collect();
            return if woken.is_empty() { vec![next] } else { woken };
        }
    }
    vec![next]
}

fn waiters<'s>(threads: &'s [Thread], state: &'s State, wanted: usize) -> impl Iterator<Item = usize> + 's {
    state
        .threads
        .iter()
        .enumerate()
        .filter(move |&(t, &(pc, within))| {
            within == Within::Waiting
                && matches!(threads[t].get(pc), Some(Statement::Wait { condition, .. }) if *condition == wanted)
        })
        .map(|(t, _)| t)
}

#[test]
fn explored_and_checked_programs_do_what_the_definition_does() {
    let programs: u64 = trials(30);
    let (mut waits, mut deadlocks) = (0, 0);
    for seed in seeds(programs) {
        let mut random = fastrand::Rng::with_seed(seed);
        let threads: Vec<Thread> = (0..random.usize(2..4)).map(|_| random_thread(&mut random)).collect();
        let text = source(&threads);
        let program = compiled("conditions", &text);
        let (ends, deadlock) = by_definition(&threads);
        let cell = |name: &str| {
            let global = program.globals.iter().find(|global| global.name == name).expect("a variable");
            Address::of_memory(global.pointer, 4)
        };
        let mut found = BTreeSet::new();
        let options = Options { properties: Properties::NONE, ..Options::new(Model::Rc11) };
        explore(&program, &options, &Watch::default(), |execution| {
            found.insert((execution.value(cell("x")) as i32, execution.value(cell("y")) as i32));
        })
        .unwrap();
        assert_eq!(found, ends, "seed {seed}\n{text}");
        let options = Options { properties: ONLY_DEADLOCKS, ..Options::new(Model::Rc11) };
        let outcome = count(&program, &options, &Watch::default()).unwrap().verdict.outcome;
        assert_eq!(outcome == Outcome::Violated, deadlock, "seed {seed}: {outcome:?}\n{text}");
        let options = fencepost_check::Options { properties: ONLY_DEADLOCKS, ..Default::default() };
        let verdict = check(&program, &options, &Default::default()).expect("a program for RC11");
        assert_eq!(verdict.outcome == Outcome::Violated, deadlock, "seed {seed}: {:?}\n{text}", verdict.outcome);
        waits += threads.iter().flatten().filter(|s| matches!(s, Statement::Wait { .. })).count();
        deadlocks += deadlock as u32;
    }
    assert!(waits as u64 > programs && u64::from(deadlocks) > programs / 10, "{waits} waits, {deadlocks} deadlocks");
}

const ONLY_DEADLOCKS: Properties = Properties { deadlocks: true, ..Properties::NONE };
