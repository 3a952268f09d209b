//! Random C programs do natively only what `explore` says that they can do, and `check` agrees with `explore`.

mod generator;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use fencepost_check as check;
use fencepost_explore::{Options, Watch, count, explore};
use fencepost_frontend::read_with;
use fencepost_models::Model;
use fencepost_program::{Address, Program};
use fencepost_story::{FindingKind, Outcome, Properties, Reason, Verdict};
use fencepost_testing::{seeds, trials};

/// Programs that are compiled into one binary: starting clang takes longer than anything else.
const BATCH: usize = 20;
/// How often each program runs natively.
const RUNS: u32 = 200;
/// Programs with more executions than this are not compared.
const MOST_EXECUTIONS: u64 = 20_000;
const MOST_STATES: u64 = 1_000_000;

/// What native runs of a program came to.
#[derive(Debug, Default)]
struct Native {
    outcomes: BTreeSet<u64>,
    hung: bool,
}

/// How long a native run may take before it counts as one that hangs; and how long once more, to be sure.
const BEFORE_HUNG: [u32; 2] = [400_000, 20_000_000];

/// Runs each program in a process of its own, which is given up when a run hangs.
fn native_main(programs: usize, microseconds: u32) -> String {
    let mut text = String::from(
        "#include <signal.h>\n#include <stdio.h>\n#include <sys/time.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\
         static void hang(int signal) { printf(\"hangs\\n\"); fflush(stdout); _exit(0); }\n\
         static void runs(int number, unsigned long (*run)(void)) {\n  fflush(stdout);\n  \
         if (fork() != 0) { wait(NULL); return; }\n  printf(\"program %d\\n\", number);\n  signal(SIGALRM, hang);\n",
    );
    write!(
        text,
        "  for (int i = 0; i < {RUNS}; i++) {{\n    struct itimerval timer = {{.it_value = {{{}, {}}}}};\n    setitimer(ITIMER_REAL, &timer, NULL);\n    printf(\"%lu\\n\", run());\n  }}\n  fflush(stdout);\n  _exit(0);\n}}\nint main(void) {{\n",
        microseconds / 1_000_000,
        microseconds % 1_000_000
    )
    .expect("a string");
    for i in 0..programs {
        writeln!(text, "  runs({i}, p{i}_run);").expect("a string");
    }
    text + "}\n"
}

fn native(directory: &Path, seeds: &[u64], microseconds: u32) -> Vec<Native> {
    let path = directory.join(format!("native-{}-{}.c", std::process::id(), seeds[0]));
    let mut text = generator::header().to_owned();
    for (i, &seed) in seeds.iter().enumerate() {
        text += &generator::program(seed, &format!("p{i}_"));
    }
    std::fs::write(&path, text + &native_main(seeds.len(), microseconds)).expect("the target directory can be written");
    let binary = path.with_extension("out");
    let clang = std::env::var("FENCEPOST_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let compiled =
        Command::new(clang).args(["-O1", "-fno-builtin", "-w", "-pthread", "-o"]).args([&binary, &path]).status();
    assert!(compiled.expect("clang runs").success(), "clang compiles {}", path.display());
    let output = Command::new(&binary).output().expect("the program runs");
    let mut all: Vec<Native> = seeds.iter().map(|_| Native::default()).collect();
    let mut current = 0;
    for line in String::from_utf8(output.stdout).expect("numbers").lines() {
        if let Some(number) = line.strip_prefix("program ") {
            current = number.parse().expect("a number");
        } else if line == "hangs" {
            all[current].hung = true;
        } else {
            all[current].outcomes.insert(line.parse().expect("a number"));
        }
    }
    std::fs::remove_file(&binary).expect("it was just made");
    std::fs::remove_file(&path).expect("it was just written");
    all
}

/// The program by itself, which leaves its outcome in a global variable.
fn analysed(directory: &Path, seed: u64) -> (PathBuf, Program) {
    let path = directory.join(format!("native-{}-{seed}-alone.c", std::process::id()));
    let text = format!(
        "{}{}unsigned long outcome;\nint main(void) {{\n  outcome = p_run();\n#ifdef FORBIDDEN\n  if (outcome == FORBIDDEN) abort();\n#endif\n}}\n",
        generator::header(),
        generator::program(seed, "p_")
    );
    std::fs::write(&path, text).expect("the target directory can be written");
    let program = read_with(&path, &[]).unwrap_or_else(|e| panic!("{e}")).program;
    (path, program)
}

/// `check` finds an outcome, and a deadlock, if and only if some interleaving has it.
fn compare_with_check(path: &Path, seed: u64, outcomes: &BTreeSet<u64>) -> Result<(), String> {
    let Some(&chosen) = outcomes.iter().nth(seed as usize % outcomes.len().max(1)) else { return Ok(()) };
    let program =
        read_with(path, &[format!("-DFORBIDDEN={chosen}ul").into()]).unwrap_or_else(|e| panic!("{e}")).program;
    for (assertions, deadlocks) in [(true, false), (false, true)] {
        let properties = Properties { assertions, deadlocks, ..Properties::NONE };
        let exploring = Options { properties, ..Options::new(Model::Sc) };
        let explored = count(&program, &exploring, &Watch::default()).unwrap().verdict;
        let checking = check::Options { properties, max_states: Some(MOST_STATES), ..check::Options::default() };
        let checked = check::check(&program, &checking, &Default::default()).map_err(|e| e.to_string())?;
        if checked.outcome == Outcome::Unknown(Reason::StateLimit) {
            return Ok(());
        }
        let what = |verdict: &Verdict| {
            let found = verdict.violations.first().map(|violation| violation.message.clone());
            format!("{} ({})", verdict.outcome.name(), found.unwrap_or_default())
        };
        // Where every execution fails, `explore` has no complete one to speak of.
        if (checked.outcome == Outcome::Violated) != (explored.outcome == Outcome::Violated) {
            let asked = if assertions { "assertions" } else { "deadlocks" };
            return Err(format!("{asked}: check {}, explore {}", what(&checked), what(&explored)));
        }
    }
    Ok(())
}

fn global(program: &Program, name: &str) -> Address {
    let global = program.globals.iter().find(|global| global.name == name).expect("it is defined");
    Address::of_memory(global.pointer, 8)
}

#[test]
fn random_programs_do_natively_what_they_can_do() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let seeds: Vec<u64> = seeds(trials(2 * BATCH as u64)).collect();
    let (mut compared, mut hung, mut failures) = (0, 0, Vec::new());
    for seeds in seeds.chunks(BATCH) {
        for (&seed, native) in seeds.iter().zip(native(&directory, seeds, BEFORE_HUNG[0])) {
            let (path, program) = analysed(&directory, seed);
            let again = || self::native(&directory, &[seed], BEFORE_HUNG[1])[0].hung;
            match compare(&path, seed, &program, &native, again) {
                Ok(true) => compared += 1,
                Ok(false) => {}
                Err(message) => {
                    failures.push(format!("seed {seed}, {}: {message}", path.display()));
                    continue;
                }
            }
            hung += native.hung as u32;
            std::fs::remove_file(&path).expect("it was just written");
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(compared * 2 > seeds.len(), "{compared} of {}", seeds.len());
    eprintln!("{compared} programs compared, {hung} of them hang");
}

/// Whether the executions were all visited; an error if the native runs did something else.
fn compare(
    path: &Path,
    seed: u64,
    program: &Program,
    native: &Native,
    hangs_again: impl FnOnce() -> bool,
) -> Result<bool, String> {
    let outcome = global(program, "outcome");
    let mut outcomes = BTreeSet::new();
    let options =
        Options { properties: Properties::NONE, max_executions: Some(MOST_EXECUTIONS), ..Options::new(Model::Rc11) };
    let all = explore(program, &options, &Watch::default(), |execution| {
        outcomes.insert(execution.value(outcome) as u64);
    })
    .unwrap();
    match all.verdict.outcome {
        Outcome::Unknown(Reason::ExecutionLimit) => return Ok(false),
        // Every execution is cut off: natively none may end either.
        Outcome::Unknown(_) if all.complete == 0 => {}
        Outcome::Unknown(reason) => return Err(format!("unknown: {reason}")),
        Outcome::Holds | Outcome::Violated => {}
    }
    if let Some(other) = native.outcomes.difference(&outcomes).next() {
        return Err(format!("natively {other}, which is none of {outcomes:?}"));
    }
    compare_with_check(path, seed, &outcomes)?;
    let found = count(program, &Options::new(Model::Rc11), &Watch::default()).unwrap().verdict;
    let kind = found.violations.first().map(|violation| violation.kind);
    match kind {
        None if native.hung && hangs_again() => Err("hangs natively, and explore finds no deadlock".to_owned()),
        None | Some(FindingKind::Deadlock) => Ok(true),
        Some(kind) => Err(format!("{}: {}", kind.name(), found.violations[0].message)),
    }
}
