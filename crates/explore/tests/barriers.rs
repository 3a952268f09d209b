//! Letting threads come to a barrier in one order loses nothing that can be seen outside of the barrier.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use fencepost_explore::{Options, Watch, count, explore};
use fencepost_graph::{EventId, Graph};
use fencepost_models::Model;
use fencepost_program::{Address, Program};
use fencepost_story::{Outcome, Properties, Reason};
use fencepost_testing::trials;

const THREADS: usize = 3;
const LENGTH: usize = 5;

/// Threads that do what a table says, so that one compilation serves for many programs.
const INTERPRETER: &str = "#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_barrier_t barrier;
static unsigned char participants = 3, freed = 0;
static unsigned char script[3][5] = {{1}};
static atomic_int x, y;
static int plain;
static pthread_barrier_t *b = &barrier;
static void *work(void *number) {
  int seen = 0;
  for (int i = 0; i < 5; i++) {
    switch (script[(long)number][i]) {
    case 0: return 0;
    case 1: case 2: case 3: case 4: pthread_barrier_wait(b); break;
    case 5: seen = atomic_load_explicit(&x, memory_order_relaxed); break;
    case 6: seen = atomic_load_explicit(&y, memory_order_acquire); break;
    case 7: atomic_store_explicit(&x, 1, memory_order_relaxed); break;
    case 8: atomic_store_explicit(&y, 1, memory_order_release); break;
    case 9: seen = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed); break;
    case 10: atomic_thread_fence(memory_order_seq_cst); break;
    case 11: seen = plain; break;
    case 12: plain = 1; break;
    case 13: if (seen) pthread_barrier_wait(b); break;
    case 14: { int rc = pthread_barrier_wait(b); if (rc != 0 && rc != PTHREAD_BARRIER_SERIAL_THREAD) abort(); break; }
    case 15: seen = pthread_barrier_wait(b); break;
    case 16: if (seen) return 0; break;
    case 17: if (seen == 0) atomic_store_explicit(&y, 2, memory_order_relaxed); break;
    case 18: free(b); break;
    }
  }
  return 0;
}
int main(void) {
  pthread_t t[3];
  if (freed) b = malloc(sizeof *b);
  pthread_barrier_init(b, 0, participants);
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}";

fn compiled() -> Program {
    fencepost_testing::compiled("barriers", INTERPRETER)
}

fn set(program: &mut Program, global: &str, bytes: &[u8]) {
    let global = program.globals.iter_mut().find(|g| g.name == global).expect("the interpreter has it");
    global.bytes.copy_from_slice(bytes);
}

/// What can be seen of an execution from outside of the barrier.
type Seen = (Vec<Vec<(Option<Address>, Option<usize>)>>, BTreeMap<Address, Vec<usize>>);

fn seen(graph: &Graph, is_barrier: impl Fn(Address) -> bool) -> Seen {
    let outside = |id: EventId| !graph.event(id).label.address.is_some_and(&is_barrier);
    // A number that does not depend on what is in the barrier.
    let threads = graph.events().filter_map(|(_, e)| e.thread).max().map_or(0, |t| t + 1);
    let name = |id: EventId| match graph.event(id).thread {
        None => usize::MAX,
        Some(thread) => {
            let earlier = graph.thread(thread).take_while(|&(other, _)| other != id);
            thread as usize * 1000 + earlier.filter(|&(other, _)| outside(other)).count()
        }
    };
    let events = |thread| {
        let events = graph.thread(thread).filter(|&(id, _)| outside(id));
        events.map(|(id, event)| (event.label.address, graph.source(id).map(name))).collect()
    };
    let orders = graph.modification_orders().filter(|&(at, _)| !is_barrier(at));
    let orders = orders.map(|(at, writes)| (at, writes.iter().map(|&w| name(w)).collect()));
    ((0..threads).map(events).collect(), orders.collect())
}

/// All that is seen, in the order in which it is.
fn all_seen(program: &Program, options: &Options) -> Vec<Seen> {
    let barrier = program.globals.iter().find(|g| g.name == "barrier").expect("the interpreter has it");
    let bytes = barrier.pointer..barrier.pointer + barrier.bytes.len() as u64;
    let mut all = Vec::new();
    let exploration = explore(program, options, &Watch::default(), |shown| {
        let inside = |at: Address| at.pointer_and_size().is_some_and(|(pointer, _)| bytes.contains(&pointer));
        all.push(seen(&shown.graph(), inside));
    })
    .unwrap();
    let outcome = exploration.verdict.outcome;
    let held = matches!(outcome, Outcome::Holds | Outcome::Unknown(Reason::NoExecution(_)));
    assert!(held, "{outcome:?}: {:?}", exploration.verdict.violations);
    all
}

fn random_script(random: &mut Rng) -> [u8; THREADS * LENGTH] {
    let mut script = [0; THREADS * LENGTH];
    let (surplus, again) = (random.u8(..8) == 0, random.u8(..3) == 0);
    for thread in 0..THREADS {
        let rounds = if surplus { random.usize(..3) } else { 1 };
        for at in &mut script[thread * LENGTH..(thread + 1) * LENGTH - 1] {
            *at = random.u8(5..12).max(random.u8(5..12));
        }
        for _ in 0..rounds {
            script[thread * LENGTH + random.usize(..LENGTH - 1)] = match random.u8(..30) {
                0 => 13,
                1 => 15,
                2..10 => 14,
                _ => 1,
            };
        }
        script[thread * LENGTH + LENGTH - 1] = if again { 1 } else { random.u8(..2) * 17 };
    }
    script
}

#[test]
fn one_order_at_barriers_shows_what_all_orders_show_and_nothing_twice() {
    let programs = trials(120) as usize;
    let mut program = compiled();
    let mut random = Rng::with_seed(7);
    let (mut fewer, mut as_many, mut deadlocks) = (0, 0, 0);
    for number in 0..programs {
        let script = random_script(&mut random);
        let participants = if random.u8(..8) == 0 { 2 } else { 3 };
        set(&mut program, "script", &script);
        set(&mut program, "participants", &[participants]);
        let models = [Model::Rc11, Model::Sc, Model::Tso, Model::Ra, Model::Pso, Model::Jam21];
        let model = models[number % models.len()];
        let all = Options {
            properties: Properties { assertions: true, ..Properties::NONE },
            one_order_at_barriers: false,
            ..Options::new(model)
        };
        if count(&program, &Options { max_executions: Some(4_000), ..all.clone() }, &Watch::default()).unwrap().complete
            > 10_000
        {
            continue;
        }
        let one = Options { one_order_at_barriers: true, ..all.clone() };
        let (expected, found) = (all_seen(&program, &all), all_seen(&program, &one));
        let (expected_set, found_set) = (BTreeSet::from_iter(expected.clone()), BTreeSet::from_iter(found.clone()));
        let what = format!("script {script:?} of {participants} under {}", model.name());
        assert!(expected_set == found_set, "{what}: {} and {}", expected_set.len(), found_set.len());
        if found.len() < expected.len() {
            assert_eq!(found.len(), found_set.len(), "{what}");
            fewer += 1;
        } else {
            as_many += 1;
        }
        let racy = |options: &Options| {
            count(
                &program,
                &Options { properties: Properties { races: true, ..options.properties }, ..options.clone() },
                &Watch::default(),
            )
            .unwrap()
        };
        assert_eq!(racy(&all).verdict.outcome, racy(&one).verdict.outcome, "{what}");
        let stuck = |options: &Options| Options {
            properties: Properties { deadlocks: true, ..options.properties },
            ..options.clone()
        };
        let stuck =
            [&all, &one].map(|options| count(&program, &stuck(options), &Watch::default()).unwrap().verdict.outcome);
        assert_eq!(stuck[0], stuck[1], "{what}");
        deadlocks += (stuck[0] == Outcome::Violated) as usize;
    }
    assert!(fewer > programs / 4 && as_many > programs / 20, "{fewer} with fewer executions, {as_many} with as many");
    assert!((programs / 40..programs).contains(&deadlocks), "{deadlocks} with a deadlock");
}

fn complete(program: &mut Program, script: [[u8; LENGTH]; THREADS], participants: u8) -> u64 {
    set(program, "script", script.as_flattened());
    set(program, "participants", &[participants]);
    let exploration = count(program, &Options::new(Model::Rc11), &Watch::default()).unwrap();
    assert_eq!(exploration.verdict.outcome == Outcome::Violated, exploration.complete == 0);
    exploration.complete
}

#[test]
fn who_comes_in_which_order_is_told_apart_only_if_it_matters() {
    let mut program = compiled();
    let same = |line: [u8; LENGTH]| [line; THREADS];
    assert_eq!(complete(&mut program, same([1, 0, 0, 0, 0]), 3), 1);
    assert_eq!(complete(&mut program, same([1, 1, 0, 0, 0]), 3), 1);
    // The result is looked at, but it does not matter.
    assert_eq!(complete(&mut program, same([14, 14, 0, 0, 0]), 3), 1);
    // It matters: one of the three gets another one, and six orders are told apart.
    assert_eq!(complete(&mut program, same([15, 17, 0, 0, 0]), 3) % 6, 0);
    // Two of three meet, and the third one waits for ever.
    assert_eq!(complete(&mut program, same([1, 0, 0, 0, 0]), 2), 0);
}

#[test]
fn a_barrier_that_is_freed_too_early_is_found_in_whichever_order_threads_come() {
    let mut program = compiled();
    set(&mut program, "freed", &[1]);
    set(&mut program, "participants", &[2]);
    for freeing in 0..2 {
        let mut script = [[1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0; LENGTH]];
        script[freeing][1] = 18;
        set(&mut program, "script", script.as_flattened());
        let outcomes = [true, false].map(|one_order_at_barriers| {
            let options = Options { one_order_at_barriers, ..Options::new(Model::Rc11) };
            count(&program, &options, &Watch::default()).unwrap().verdict.outcome
        });
        assert_eq!(outcomes, [Outcome::Violated, Outcome::Violated]);
    }
}
