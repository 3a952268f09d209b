//! SPIN agrees with the search: on the corpus and on random programs, the verdict of `spin` on the exported model is
//! that of [`check`], and so is the kind of the violation.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use fencepost_budget::Budget;
use fencepost_check::{Model, Options, Properties, check};
use fencepost_frontend::{parse_fp, read};
use fencepost_models::Engine;
use fencepost_oracle::random::{Profile, Sketch, random_observer, random_sketch, shrink};
use fencepost_program::{Inst, Program};
use fencepost_promela::promela;
use fencepost_story::{FindingKind, Outcome, Reason};
use fencepost_testing::{files, is_quick, programs, sample, seeds, trials};

/// SPIN does not finish larger ones within its limits.
const STATES_LIMIT: u64 = 1_000_000;
/// Up to this many states, compiling the verifier takes longer than running it, and tcc compiles it in milliseconds.
/// Above, optimising it pays.
const SMALL: u64 = 20_000;
const SEARCH_LIMIT: Duration = Duration::from_secs(20);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Nothing,
    Finding(FindingKind),
}

#[derive(Clone, Copy, Debug)]
struct Answer {
    found: Found,
    states: u64,
}

/// Runs a command with its output in a file; `None` when time is up.
fn run(command: &mut Command, output: &Path, limit: Duration) -> Option<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let file = File::create(output).expect("a temporary file");
    let errors = file.try_clone().expect("a temporary file");
    let mut child = match command.stdin(Stdio::null()).stdout(file).stderr(errors).spawn() {
        Ok(child) => child,
        Err(e) => panic!("`{name}` could not be started ({e}): run `cargo xtask test`, which installs it"),
    };
    let started = Instant::now();
    while child.try_wait().expect("a child process").is_none() {
        if started.elapsed() > limit {
            child.kill().and_then(|()| child.wait()).expect("a child process");
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Some(String::from_utf8_lossy(&fs::read(output).expect("a temporary file")).into_owned())
}

/// What SPIN finds in a model, looking only at some properties. `Ok(None)`: it reached a limit.
fn spin(model: &str, properties: Properties, states: u64) -> Result<Option<Answer>, String> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| directory.path().join(name);
    let command = |name: &str| {
        let mut command = Command::new(name);
        command.current_dir(directory.path());
        command
    };
    fs::write(at("model.pml"), model).expect("a temporary file");
    let asked =
        [("ROBUSTNESS", properties.robustness), ("RACES", properties.races), ("ASSERTIONS", properties.assertions)]
            .map(|(name, on)| format!("-D{name}={}", on as u8));
    let longest = Duration::from_secs(120);
    let said = run(command("spin").args(&asked).args(["-a", "model.pml"]), &at("spin.out"), longest);
    if !at("pan.c").exists() || said.as_ref().is_none_or(|text| text.contains("rror")) {
        return Err(format!("spin -a: {said:?}\n{model}"));
    }
    let is_large = states > SMALL;
    let (compiler, optimise) = if is_large { ("gcc", "-O2") } else { ("tcc", "-O0") };
    let flags = [optimise, "-w", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=2048", "-DVECTORSZ=8192", "-o", "pan", "pan.c"];
    let said = run(command(compiler).args(flags), &at("compiler.out"), longest);
    if !at("pan").exists() {
        return Err(format!("{compiler}: {said:?}\n{model}"));
    }
    let mut pan = command(&at("pan").to_string_lossy());
    // SPIN allocates and clears its tables, which takes longer than a small search.
    let (table, depth) = if is_large { ("-w24", "-m1000000") } else { ("-w16", "-m100000") };
    pan.args([table, depth, "-b", "-n"]);
    if !properties.deadlocks {
        pan.arg("-E");
    }
    let Some(said) = run(&mut pan, &at("pan.out"), SEARCH_LIMIT) else { return Ok(None) };
    if said.contains("max search depth too small") || said.contains("reached -DMEMLIM bound") {
        return Ok(None);
    }
    let number = |end: &str| {
        let before = said.split(end).next()?.trim_end().rsplit(char::is_whitespace).next()?;
        before.parse::<f64>().ok().map(|n| n as u64)
    };
    let stored = number("states, stored").ok_or_else(|| format!("pan: {said}"))?;
    let found = if said.contains("errors: 0") {
        Found::Nothing
    } else if said.contains("invalid end state (at depth") {
        Found::Finding(FindingKind::Deadlock)
    } else {
        let replay = run(command(&at("pan").to_string_lossy()).arg("-r"), &at("trail.out"), longest);
        let replay = replay.unwrap_or_default();
        let kind = replay
            .lines()
            .filter_map(|line| line.trim().split_once(": "))
            .find_map(|(kind, _)| FindingKind::ALL.iter().copied().find(|k| k.name() == kind));
        match kind {
            Some(kind) => Found::Finding(kind),
            // A value beyond 32 bits is a limit of Promela.
            None if replay.contains("limit: ") => return Ok(None),
            None => return Err(format!("an error that is no violation:\n{said}\n{replay}")),
        }
    };
    Ok(Some(Answer { found, states: stored }))
}

/// What the search finds. `None`: it has too many states for SPIN.
fn search(program: &Program, options: Options) -> Option<Answer> {
    let options = Options { max_states: Some(STATES_LIMIT), ..options };
    let verdict = check(program, &options, &Default::default()).expect("the model takes the program");
    let found = match verdict.outcome {
        // SPIN does not ask whether some execution completes.
        Outcome::Holds | Outcome::Unknown(Reason::NoExecution(_)) => Found::Nothing,
        Outcome::Violated => Found::Finding(verdict.violations[0].kind),
        Outcome::Unknown(_) => return None,
    };
    Some(Answer { found, states: verdict.statistics.states.unwrap_or(0) })
}

/// Options under which the search visits the states of the papers, and no others.
fn to_the_letter(options: &Options) -> Options {
    Options { forget: false, together: u64::MAX, ..options.clone() }
}

/// Only what a violation of some kind comes from.
fn properties_of(kind: FindingKind) -> Properties {
    kind.property().into_iter().collect()
}

/// What both find, unless it differs, with the states that the search and SPIN visit. `Ok(None)`: too large, or not a
/// program for this model or for Promela.
fn agree(program: &Program, options: &Options) -> Result<Option<[Answer; 2]>, String> {
    let Options { model, observational, properties, .. } = *options;
    if model == Model::Rc20 && has_sc_accesses(program) {
        return Ok(None);
    }
    let Some(literal) = search(program, to_the_letter(options)) else { return Ok(None) };
    let ours = search(program, options.clone()).ok_or("more states than to the letter")?;
    let Ok(text) = promela(program, model, observational, &Budget::default()) else { return Ok(None) };
    let Some(theirs) = spin(&text, properties, literal.states)? else { return Ok(None) };
    match (ours.found, theirs.found) {
        (a, b) if a == b => {}
        (Found::Finding(a), Found::Finding(b)) => {
            // There are several; each must find what the other found first.
            let b_too = search(program, Options { properties: properties_of(b), ..options.clone() });
            if b_too.is_some_and(|answer| answer.found == Found::Nothing) {
                return Err(format!("the search finds no {} by itself", b.name()));
            }
            let a_too = spin(&text, properties_of(a), literal.states)?;
            if a_too.is_some_and(|answer| answer.found == Found::Nothing) {
                return Err(format!("SPIN finds no {} by itself", a.name()));
            }
        }
        (a, b) => return Err(format!("the search finds {a:?}, SPIN finds {b:?}")),
    }
    Ok(Some([Answer { found: ours.found, ..literal }, theirs]))
}

fn has_sc_accesses(program: &Program) -> bool {
    program.functions.iter().flat_map(|f| &f.code).any(|inst| match inst {
        Inst::Load { order, .. } | Inst::Store { order, .. } | Inst::Rmw { order, .. } | Inst::Wait { order, .. } => {
            order.is_sc()
        }
        Inst::Cas { success, failure, .. } => success.is_sc() || failure.is_sc(),
        _ => false,
    })
}

/// Compares all programs of a directory, under each model also observationally if plain robustness fails. At least
/// `compared` runs must be small enough for SPIN.
fn compare(directory: &str, models: &[Model], compared: usize) {
    let mut finished = 0;
    let mut differences = Vec::new();
    for file in sample(files(directory, &["fp", "litmus"])) {
        let program = read(&file).unwrap_or_else(|e| panic!("{e}")).program;
        for &model in models {
            if model == Model::Rc20 && has_sc_accesses(&program) {
                continue;
            }
            let plain = Options { model, ..Options::default() };
            let robustness = Options { properties: properties_of(FindingKind::Robustness), ..plain.clone() };
            let robust = search(&program, robustness).is_none_or(|answer| answer.found == Found::Nothing);
            for observational in [false, true] {
                if observational && (model == Model::Ra || robust) {
                    continue;
                }
                let options = Options { observational, ..plain.clone() };
                let mut differs = |why: String| {
                    differences.push(format!("{} {model} observational {observational}: {why}", file.display()));
                };
                match agree(&program, &options) {
                    Ok(Some([ours, theirs])) => {
                        finished += 1;
                        // Fewer would be runs that the model does not have.
                        if ours.found == Found::Nothing && theirs.states < ours.states {
                            differs(format!("{} states instead of {}", theirs.states, ours.states));
                        }
                    }
                    Ok(None) => {}
                    Err(why) => differs(why),
                }
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(finished >= compared || is_quick(), "only {finished} comparisons of {directory} were small enough");
}

#[test]
fn spin_agrees_on_the_programs_of_the_ra_paper() {
    compare("ra", &[Model::Ra], 20);
}

#[test]
fn spin_agrees_on_the_programs_of_the_rc20_paper() {
    compare("rc20", &[Model::Rc20], 20);
}

#[test]
fn spin_agrees_on_the_examples() {
    compare("examples", &Model::of(Engine::Check).collect::<Vec<_>>(), 100);
}

#[test]
fn spin_agrees_on_the_litmus_tests() {
    compare("litmus", &[Model::Rc11], 50);
}

#[test]
fn spin_agrees_on_random_programs() {
    let count = trials(150);
    let mut finished = 0;
    for seed in seeds(count) {
        let profiles = [(Profile::Ra, Model::Ra), (Profile::Rc20, Model::Rc20), (Profile::Rc11, Model::Rc11)];
        let (profile, model) = profiles[seed as usize % 3];
        let options = Options { model, observational: model != Model::Ra && seed % 2 == 1, ..Options::default() };
        let sketch = if options.observational { random_observer(seed, profile) } else { random_sketch(seed, profile) };
        let answer = |sketch: &Sketch| {
            // Shrinking may leave something that `.fp` does not take.
            let Ok(input) = parse_fp("random.fp", &sketch.to_string()) else { return Ok(None) };
            agree(&input.program, &options)
        };
        match answer(&sketch) {
            Ok(answers) => finished += answers.is_some() as u64,
            Err(_) => {
                let small = shrink(&sketch, |s| answer(s).is_err());
                let why = answer(&small).expect_err("shrinking keeps the difference");
                panic!("seed {seed}, {model}, observational {}: {why}\n{small}", options.observational);
            }
        }
    }
    assert!(finished * 10 >= count * 9, "only {finished} of {count} programs could be compared");
}

/// What random programs do not have. Some hold, some fail.
const CORNERS: [(&str, &str); 16] = [
    ("variables that are called like temporaries", "
        atomic x: 0..7; thread t { x.store(2, rlx); }
        thread u { t1 = x.load(rlx); t0 = (t1 + 1) * 2 > 4 ? t1 : 5; t3 = t0 * t1 + 1; assert((t3 - t0) * 2 == t1 + 4); }"),
    ("values wrap into ranges that start below zero", "
        atomic x: -2..2; thread t { var r: -3..1 = 0; loop { r = r - 2; x.store(r + 3, rlx); x.fetch_add(4, rlx); } }
        thread u { a = x.load(rlx); assert(a != -2); }"),
    ("all updates", "
        atomic x: i8 = 5; thread t {
          x.fetch_min(-3, rlx); x.fetch_max(2, rlx); x.fetch_nand(6, rlx); x.fetch_xor(5, rlx); x.fetch_or(64, rlx);
          x.fetch_and(71, rlx); x.fetch_sub(100, rlx); a = x.exchange(-1, rlx); assert(a == -36); }"),
    ("all operators", "
        atomic x: 0..7; thread t { x.store(5, rlx); }
        thread u { a = x.load(rlx); b = -7; assert(b / 2 == -3 && b % 3 == -1 && b >> 1 == -4 && ~a < 0 && a << 2 < 21);
          assert((a ^ 1) != 5 || !a); assert((a ? b : 4) < 5); }"),
    ("a division by zero", "
        atomic x: bool; thread t { x.store(1, rlx); } thread u { a = x.load(rlx); b = 4 / (1 - a); assert(b == 4); }"),
    ("a division by zero that a stale value decides", "
        atomic x: bool, y: bool; thread t { x.store(1, rlx); y.store(1, rlx); }
        thread u { wait(y == 1, rlx); a = x.load(rlx); b = 4 / a; }"),
    ("a remainder, by what is computed from a stale value", "
        atomic x: bool, y: bool; thread t { x.store(1, rlx); y.store(1, rlx); }
        thread u { wait(y == 1, rlx); a = x.load(rlx); b = a + 1; c = 7 % (b - 1); }"),
    ("a stale value that is divided and shifted, which cannot fail", "
        atomic x: bool, y: bool; thread t { x.store(1, rlx); y.store(1, rlx); }
        thread u { wait(y == 1, rlx); a = x.load(rlx); b = a / 2; c = 1 << a; d = b - c; }"),
    ("an index out of bounds below", "
        atomic x[2]: bool; thread t { i = x[1].load(rlx); x[i - 1].store(1, rlx); } thread u { x[1].store(1, rlx); }"),
    ("a choice among many values", "
        atomic x: -20..20; thread t { var r: 0..29 = 0; r = choose(-5..30); x.store(r, rlx); }
        thread u { a = x.load(rlx); assert(a < 20); }"),
    ("a deadlock", "
        atomic x: bool, y: bool; thread t { wait(x == 1, acq); y.store(1, rel); }
        thread u { wait(y == 1, acq); x.store(1, rel); }"),
    ("a wait that a thread cut off by an assumption excuses", "
        atomic x: bool, y: bool; thread t { a = x.load(rlx); assume(a == 1); x.store(0, rlx); y.store(1, rlx); }
        thread u { wait(y == 1, rlx); }"),
    ("a loop of choices", "
        atomic x: bool; thread t { loop { either { } or { x.store(1, rlx); } } } thread u { wait(x == 1, acq); }"),
    ("procedures that call each other, with results and early returns", "
        atomic lock: bool; nonatomic d: 0..3;
        fn enter(n) { (ok, seen) = lock.cas(0, 1, acq); if (!ok) { return n; } v = d.load(na); d.store(v + 1, na); return 0; }
        fn twice(n) { a = enter(n); if (a) { lock.store(0, rel); } b = enter(a + n); lock.store(0, rel); return a + b; }
        thread t[2] { r = twice(self + 1); assert(r < 7); }"),
    ("a CAS with an expected value that is not constant", "
        atomic x: 0..3, y: bool; thread t { a = x.load(acq); (ok, b) = x.cas_weak(a, a + 1, acqrel); y.store(ok, rel); }
        thread u { x.store(2, rel); c = y.load(acq); x.bcas(c + 2, 0, acqrel); wait(x != c, acq); }"),
    ("many locations, so that a view takes several variables", "
        atomic x[40]: bool; thread t { i = 0; while (i < 40) { x[i].store(1, rlx); i = i + 1; } }
        thread u { a = x[39].load(acq); b = x[0].load(acq); }"),
];

#[test]
fn spin_agrees_on_corner_cases() {
    for (name, text) in sample(CORNERS) {
        let program = parse_fp("corner.fp", text).unwrap_or_else(|e| panic!("{name}: {e}")).program;
        for (model, observational) in [(Model::Ra, false), (Model::Rc20, true), (Model::Rc11, false)] {
            let options = Options { model, observational, ..Options::default() };
            let answers = agree(&program, &options).unwrap_or_else(|why| panic!("{name}, {model}: {why}"));
            assert!(answers.is_some(), "{name}, {model}: could not be compared");
        }
    }
}

/// A thread that goes round a loop can always move, so for SPIN the other one may wait.
#[test]
fn spin_sees_no_deadlock_beside_a_loop_that_never_ends() {
    let text = "atomic x: bool; thread t { wait(x == 1, rlx); } thread u { a = 0; loop { a = 1 - a; } }";
    let program = parse_fp("loop.fp", text).expect("a program").program;
    let options = Options { model: Model::Ra, ..Options::default() };
    let ours = search(&program, options.clone()).expect("few states");
    let text = promela(&program, Model::Ra, false, &Budget::default()).expect("a model");
    let theirs = spin(&text, options.properties, 100).expect("an answer").expect("few states");
    assert_eq!((ours.found, theirs.found), (Found::Finding(FindingKind::Deadlock), Found::Nothing));
}

/// Where each step of the model is one of the search, both visit the same states, and so count the same.
#[test]
fn spin_visits_as_many_states_as_the_search() {
    let cases = [
        ("ra/peterson-ra.fp", Model::Ra),
        ("ra/dekker-tso.fp", Model::Ra),
        ("ra/lamport2-ra.fp", Model::Ra),
        ("ra/spinlock4.fp", Model::Ra),
        ("ra/ticketlock4.fp", Model::Rc20),
        ("examples/SB+sc.fp", Model::Rc11),
    ];
    for (name, model) in cases {
        let file = programs().join(name);
        let program = read(&file).unwrap_or_else(|e| panic!("{e}")).program;
        let options = Options { model, ..Options::default() };
        let ours = search(&program, to_the_letter(&options)).expect("a small program");
        let text = promela(&program, model, false, &Budget::default()).expect("values of 32 bits");
        let theirs = spin(&text, options.properties, ours.states).expect("a model").expect("a small model");
        assert_eq!((theirs.found, theirs.states), (ours.found, ours.states), "{name}");
    }
}

#[test]
fn a_value_beyond_32_bits_is_refused() {
    let refused = |text: &str| {
        let program = parse_fp("wide.fp", text).expect("a program").program;
        promela(&program, Model::Rc11, false, &Budget::default()).expect_err("too wide").message
    };
    assert!(refused("atomic x; thread t { x.store(5000000000, rlx); }").contains("`x` can hold 5000000000"));
    assert!(refused("atomic x: bool; thread t { r = x.load(rlx); assert(r < 5000000000); }").contains("does not fit"));
    assert!(refused("atomic x; thread t { loop { x.fetch_add(1, rlx); } }").contains("without end"));
}

#[test]
fn what_the_model_does_not_have_is_refused() {
    let program = parse_fp("sc.fp", "atomic x; thread t { x.store(1, sc); }").expect("a program").program;
    let refusal = promela(&program, Model::Rc20, false, &Budget::default()).expect_err("RC20 has no SC accesses");
    assert!(refusal.message.contains("rc11"), "{refusal}");
    assert_eq!(refusal.span.map(|span| span.line), Some(1));
}
