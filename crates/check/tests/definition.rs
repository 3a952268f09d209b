//! The search agrees with the definitions: on random programs, its verdict is that of the brute-force oracle.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use fencepost_check::{Model, Options, Properties, check};
use fencepost_frontend::parse_fp;
use fencepost_models::Engine;
use fencepost_models::Model as Definition;
use fencepost_oracle::random::{Profile, Sketch, random_observer, random_sketch, shrink};
use fencepost_oracle::{Bounds, Survey, behaviours, survey};
use fencepost_program::{
    Action, Address, Answer, FuncId, Function, Inst, Label, LabelKind, Machine, Operand, Ordering, Program, Span,
    Thread, ThreadState, Value, memory,
};
use fencepost_story::{FindingKind, Outcome, Reason};
use fencepost_testing::{at_least, seed, trials};

/// Local steps computed in advance: enough for programs whose values are bounded, and no time lost on the others.
const CLOSURE: usize = 1_000;

/// Whether the search finds a violation.
fn violated(program: &Program, model: Model, observational: bool, properties: Properties) -> Result<bool, String> {
    let options = Options { model, observational, properties, closure: CLOSURE, ..Options::default() };
    run(program, &options).map(|(violated, _)| violated)
}

fn run(program: &Program, options: &Options) -> Result<(bool, Option<u64>), String> {
    let verdict = check(program, options, &Default::default()).expect("the model takes the program");
    if verdict.violations.iter().any(|v| v.explanation.iter().any(|e| e.contains("report it as a bug"))) {
        return Err("a witness that the definition does not confirm".to_string());
    }
    match verdict.outcome {
        // The definitions do not ask whether some execution completes.
        Outcome::Unknown(Reason::NoExecution(_)) => Ok((false, verdict.statistics.states)),
        Outcome::Unknown(reason) => Err(format!("unknown: {reason}")),
        outcome => Ok((outcome == Outcome::Violated, verdict.statistics.states)),
    }
}

/// What an observational search claims to have shown with an execution of the model, the definition must confirm.
fn claims_what_is_so(program: &Program, options: &Options, truth: &Survey) -> Result<bool, String> {
    let verdict = check(program, options, &Default::default()).expect("the model takes the program");
    for violation in verdict.violations.iter().filter(|violation| violation.confirmed) {
        let is_so = match violation.kind {
            FindingKind::Robustness | FindingKind::StaleDependency => truth.not_observationally_robust.is_some(),
            FindingKind::DataRace => truth.racy.is_some(),
            _ => true,
        };
        if !is_so {
            return Err(format!("{:?} is claimed: {}", violation.kind, violation.message));
        }
    }
    Ok(true)
}

/// The verdict does not depend on how the search goes about it, nor the number of states on the number of workers.
/// Every fourth program is searched in one more way.
fn violated_in_two_ways(program: &Program, options: &Options, way: u64) -> Result<bool, String> {
    let (violated, states) = run(program, options)?;
    if !way.is_multiple_of(4) {
        return Ok(violated);
    }
    let other = match way / 4 % 4 {
        0 => Options { forget: false, ..options.clone() },
        1 => Options { closure: 0, ..options.clone() },
        2 => Options { together: 0, ..options.clone() },
        _ => Options { jobs: 2, ..options.clone() },
    };
    let again = run(program, &other)?;
    if again.0 != violated || other.jobs == 2 && again.1 != states {
        return Err(format!("{:?}, but {again:?} with {other:?}", (violated, states)));
    }
    Ok(violated)
}

fn has(program: &Program, predicate: impl Fn(Ordering) -> bool) -> bool {
    program.functions.iter().flat_map(|f| &f.code).any(|inst| match inst {
        Inst::Load { order, .. } | Inst::Store { order, .. } | Inst::Rmw { order, .. } | Inst::Wait { order, .. } => {
            predicate(*order)
        }
        Inst::Cas { success, failure, .. } => predicate(*success) || predicate(*failure),
        _ => false,
    })
}

/// Compares the answers to all questions; `Err` says where they differ. `Ok(false)`: not a program for the model, or
/// too large for the oracle.
fn agrees(text: &str, model: Model, way: u64) -> Result<bool, String> {
    let Ok(input) = parse_fp("random.fp", text) else { return Ok(false) };
    let program = input.program;
    if model == Model::Rc20 && has(&program, Ordering::is_sc) {
        return Ok(false);
    }
    let bounds = Bounds { graphs: 20_000, ..Bounds::default() };
    let Ok(truth) = survey(&program, model, bounds) else { return Ok(false) };
    let (robust, racy) = (truth.not_robust.is_none(), truth.racy.is_some());
    let nonatomic = has(&program, |o| !o.is_atomic());
    let races = Properties { races: true, ..Properties::NONE };
    let assertions = Properties { assertions: true, ..Properties::NONE };
    let mut differences = Vec::new();
    let mut compare = |question: &str, found: Result<bool, String>, truth: bool| match found {
        Ok(found) if found == truth => {}
        found => differences.push(format!("{question}: found {found:?}, by definition {truth}")),
    };
    // A race makes plain reads stale too, which the search reports as the race.
    let both = Properties { robustness: true, races: true, ..Properties::NONE };
    let options = Options { model, properties: both, closure: CLOSURE, ..Options::default() };
    compare("not robust or racy", violated_in_two_ways(&program, &options, way), !robust || racy);
    if robust && nonatomic {
        compare("racy", violated(&program, model, false, races), racy);
        if model == Model::Ra {
            // Both papers' notions of a race are one for robust release/acquire programs (paper 003 Thm. 6.2).
            compare("reaches a racy state", Ok(reaches_racy_state(&program)), racy);
        }
    }
    if robust && program.functions.iter().flat_map(|f| &f.code).any(|inst| matches!(inst, Inst::Assert { .. })) {
        compare("fails", violated(&program, model, false, assertions), truth.fails.is_some());
    }
    // Observational robustness is checked soundly, not precisely (paper 001 Ex. 4.19).
    let options = Options { observational: true, ..options };
    if !robust {
        compare("claims", claims_what_is_so(&program, &options, &truth), true);
    }
    if truth.not_observationally_robust.is_some() || racy {
        compare("not observationally robust", violated_in_two_ways(&program, &options, way), true);
    }
    // Neither does the definition decide alone what a dependency is: it asks the machine, as the search does.
    if !robust && !racy && truth.not_observationally_robust.is_none() {
        let holds = !violated(&program, model, true, Properties { robustness: true, ..Properties::NONE })?;
        let seen = |model| behaviours(&program, model, bounds);
        if let (true, Ok(weak), Ok(sc)) = (holds, seen(model), seen(Definition::Sc))
            && let Some(only_weak) = weak.iter().find(|behaviour| !sc.contains(behaviour))
        {
            compare("shows only what SC shows", Err(format!("{only_weak:?}")), true);
        }
    }
    if robust && !racy && way.is_multiple_of(4) {
        compare("observationally robust", violated(&program, model, true, both), false);
    }
    if differences.is_empty() { Ok(true) } else { Err(differences.join("\n")) }
}

/// Whether an SC run reaches a state in which two threads could both access a location next, one of them not atomically
/// and one of them to write: a racy state (paper 003 Def. 6.1).
fn reaches_racy_state(program: &Program) -> bool {
    let machine = Machine::new(program);
    let threads: Vec<ThreadState> = (0..program.threads.len()).map(|t| machine.start(t)).collect();
    let memory: BTreeMap<Address, Value> = program.cells().map(|at| (at, program.initial_value(at))).collect();
    let mut seen = HashSet::new();
    let mut left = vec![(threads, memory)];
    while let Some((threads, memory)) = left.pop() {
        if !seen.insert((threads.clone(), memory.clone())) {
            continue;
        }
        let actions: Vec<Action> = threads.iter().map(|state| machine.next(state)).collect();
        let labels = |t: usize| actions[t].labels();
        let writes = |l: &Label| matches!(l.kind, LabelKind::Write | LabelKind::Rmw);
        let racy = |a: &Label, b: &Label| {
            a.at == b.at && (!a.order.is_atomic() || !b.order.is_atomic()) && (writes(a) || writes(b))
        };
        for other in 0..threads.len() {
            if (0..other).any(|t| labels(t).any(|a| labels(other).any(|b| racy(&a, &b)))) {
                return true;
            }
        }
        for (thread, action) in actions.iter().enumerate() {
            let answers: Vec<Answer> = match *action {
                Action::Fence { .. } => vec![Answer::Done],
                Action::Choose { lo, hi } => (lo..=hi).map(Answer::Chose).collect(),
                _ => action
                    .labels()
                    .filter(|l| l.accept.accepts(memory[&l.at]))
                    .map(|l| match l.kind {
                        LabelKind::Write => Answer::Done,
                        LabelKind::Rmw => Answer::Updated(memory[&l.at]),
                        LabelKind::Read | LabelKind::AwaitRead => Answer::Read(memory[&l.at]),
                    })
                    .collect(),
            };
            for answer in answers {
                let (mut threads, mut memory) = (threads.clone(), memory.clone());
                if let (Some(at), Answer::Done | Answer::Updated(_)) = (action.address(), answer) {
                    let old = memory[&at];
                    memory.insert(at, action.written(old).expect("a write"));
                }
                machine.resume(&mut threads[thread], answer, 0);
                left.push((threads, memory));
            }
        }
    }
    false
}

/// Compares the answers about many programs; how many there were.
fn compare_many(count: u64, sketch: impl Fn(u64, Profile) -> Sketch + Sync) -> u64 {
    let first = seed();
    let next = AtomicU64::new(first);
    let (compared, left_out) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Relaxed);
            if seed >= first + count {
                return;
            }
            let sketch = sketch(seed, Profile::ALL[seed as usize % 3]);
            for (way, model) in (seed / 3..).zip(Model::of(Engine::Check)) {
                match agrees(&sketch.to_string(), model, way) {
                    Ok(true) => compared.fetch_add(1, Relaxed),
                    Ok(false) => left_out.fetch_add(1, Relaxed),
                    Err(_) => {
                        let differs = |s: &Sketch| agrees(&s.to_string(), model, way).is_err();
                        let small = shrink(&sketch, differs);
                        let why = agrees(&small.to_string(), model, way).expect_err("shrinking keeps the difference");
                        panic!("seed {seed}, model {model}:\n{why}\n{small}");
                    }
                };
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            if let Err(panic) = worker.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    println!("{} comparisons, {} left out", compared.load(Relaxed), left_out.load(Relaxed));
    compared.load(Relaxed)
}

#[test]
fn verdicts_are_those_of_the_definitions_on_random_programs() {
    let count = trials(2_500);
    assert!(compare_many(count, random_sketch) > count * 2, "too few programs could be compared");
}

#[test]
fn what_an_observationally_robust_program_shows_it_shows_under_sc() {
    let count = trials(10_000).div_ceil(5);
    assert!(compare_many(count, random_observer) > count, "too few programs could be compared");
}

/// Random programs of all profiles, changed in some way.
fn for_random_programs(count: u64, mut compare: impl FnMut(&Sketch, Model)) {
    for seed in 0..count {
        let sketch = random_sketch(seed, Profile::ALL[seed as usize % 3]);
        for model in Model::of(Engine::Check) {
            compare(&sketch, model);
        }
    }
}

/// The same program, but a first thread makes all others.
fn spawned(program: &Program) -> Option<Program> {
    if program.threads.iter().any(|thread| thread.args.len() > 1) {
        return None;
    }
    let spawn = |thread: &Thread| Inst::Spawn {
        dst: None,
        function: Operand::Const(memory::function_pointer(thread.func.0) as Value),
        argument: Operand::Const(thread.args.first().copied().unwrap_or(0)),
    };
    let code: Vec<Inst> = program.threads.iter().map(spawn).collect();
    let spans = vec![Span::default(); code.len()];
    let mut spawned = program.clone();
    let main = FuncId(spawned.functions.len() as u32);
    spawned.functions.push(Function { name: "main".into(), code, spans, ..Function::default() });
    spawned.threads = vec![Thread { name: "main".into(), func: main, args: Vec::new() }];
    Some(spawned)
}

#[test]
fn threads_that_are_made_along_the_way_are_like_those_that_run_from_the_start() {
    let mut compared = 0;
    for_random_programs(trials(3_000), |sketch, model| {
        let Ok(input) = parse_fp("random.fp", &sketch.to_string()) else { return };
        let Some(other) = spawned(&input.program) else { return };
        if model == Model::Rc20 && has(&input.program, Ordering::is_sc) {
            return;
        }
        let options = Options { model, closure: if compared % 2 == 0 { CLOSURE } else { 0 }, ..Options::default() };
        let (expected, found) = (run(&input.program, &options), run(&other, &options));
        assert_eq!(expected.map(|(v, _)| v), found.map(|(v, _)| v), "{model}:\n{sketch}");
        compared += 1;
    });
    assert!(compared > at_least(6_000, 3_000), "{compared}");
}

#[test]
fn spin_loops_taken_as_waits_are_waits() {
    let (mut compared, mut robust) = (0, 0);
    for_random_programs(trials(6_000), |sketch, model| {
        let waits = sketch.to_string();
        let loops: Vec<String> = waits.lines().map(spin).collect();
        let loops = loops.join("\n");
        let (Ok(one), Ok(other)) = (parse_fp("waits.fp", &waits), parse_fp("loops.fp", &loops)) else { return };
        if loops == waits || model == Model::Rc20 && has(&one.program, Ordering::is_sc) {
            return;
        }
        let options = Options {
            model,
            observational: compared % 3 == 0,
            spins_are_waits: Some(true),
            properties: Properties { deadlocks: false, ..Properties::default() },
            closure: if compared % 2 == 0 { CLOSURE } else { 0 },
            ..Options::default()
        };
        let (expected, found) = (run(&one.program, &options), run(&other.program, &options));
        robust += matches!(expected, Ok((false, _))) as u64;
        assert_eq!(expected.map(|(v, _)| v), found.map(|(v, _)| v), "{model}:\n{loops}");
        compared += 1;
    });
    assert!(compared > at_least(1_000, 6_000) && robust > at_least(100, 6_000), "{compared}, {robust} of them robust");
}

/// `wait(x == 1, acq);` as a loop.
fn spin(line: &str) -> String {
    let Some((indent, rest)) = line.split_once("wait(") else { return line.to_string() };
    let (condition, order) = rest.rsplit_once(", ").expect("an ordering");
    let signs = [(" == ", "!="), (" != ", "=="), (" >= ", "<")];
    let split = |(sign, opposite)| condition.split_once(sign).map(|(place, value)| (place, opposite, value));
    let (place, opposite, value) = signs.into_iter().find_map(split).expect("a wait compares");
    format!("{indent}while ({place}.load({}) {opposite} {value}) {{}}", order.trim_end_matches(");"))
}
