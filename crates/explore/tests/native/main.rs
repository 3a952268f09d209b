//! Random C and C++ programs do natively only what `explore` says that they can do, and `check` agrees with `explore`.

mod cxx;
mod generator;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use fencepost_budget::Budget;
use fencepost_check as check;
use fencepost_explore::{Options, Watch, count, explore};
use fencepost_frontend::{Compiler, Settings, parse_compiled};
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

/// A language of random programs.
struct Language {
    extension: &'static str,
    header: fn() -> &'static str,
    program: fn(u64, &str) -> String,
    /// What makes its functions those of C.
    external: &'static str,
    options: &'static [&'static str],
}

const C: Language =
    Language { extension: "c", header: generator::header, program: generator::program, external: "", options: &[] };
const CXX: Language = Language {
    extension: "cc",
    header: cxx::header,
    program: cxx::program,
    external: "extern \"C\" ",
    options: &["--driver-mode=g++", "-std=c++17"],
};

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

/// The programs of some seeds in one file.
fn programs(language: &Language, seeds: &[u64]) -> String {
    let mut text = (language.header)().to_owned();
    for (i, &seed) in seeds.iter().enumerate() {
        text += &(language.program)(seed, &format!("p{i}_"));
    }
    text
}

fn native(language: &Language, directory: &Path, seeds: &[u64], microseconds: u32) -> Vec<Native> {
    let name = format!("native-{}-{}.{}", std::process::id(), seeds[0], language.extension);
    let path = directory.join(name);
    let text = programs(language, seeds) + &native_main(seeds.len(), microseconds);
    std::fs::write(&path, text).expect("the target directory can be written");
    let binary = path.with_extension("out");
    let clang = std::env::var("FENCEPOST_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let mut command = Command::new(clang);
    command.args(language.options).args(["-O1", "-fno-builtin", "-w", "-pthread", "-o"]).args([&binary, &path]);
    command.arg("-latomic");
    assert!(command.status().expect("clang runs").success(), "clang compiles {}", path.display());
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

/// The LLVM IR of some programs, each with a main function of its own, which leaves the outcome in a global variable.
struct Compiled {
    path: PathBuf,
    ir: String,
}

/// An outcome that no program has.
const NO_OUTCOME: u64 = 7_777_777_777_777_000_000;

impl Compiled {
    fn new(language: &Language, directory: &Path, seeds: &[u64]) -> Compiled {
        let mut text = programs(language, seeds);
        let external = language.external;
        for i in 0..seeds.len() {
            let forbidden = NO_OUTCOME + i as u64;
            write!(
                text,
                "unsigned long outcome{i};\nunsigned long forbidden{i} = {forbidden}u;\n\
                 {external}int main{i}(void) {{\n  outcome{i} = p{i}_run();\n  \
                 if (outcome{i} == forbidden{i}) abort();\n  return 0;\n}}\n"
            )
            .expect("a string");
        }
        let name = format!("analysed-{}-{}.{}", std::process::id(), seeds[0], language.extension);
        let path = directory.join(name);
        std::fs::write(&path, text).expect("the target directory can be written");
        let options: Vec<OsString> = language.options.iter().map(OsString::from).collect();
        let compiler = Compiler::new().expect("clang is installed");
        let output = compiler.command(&options).arg(&path).args(["-o", "-"]).output().expect("clang runs");
        assert!(output.status.success(), "clang compiles {}", path.display());
        Compiled { path, ir: String::from_utf8(output.stdout).expect("LLVM IR") }
    }

    /// One of the programs, which aborts if it comes to a forbidden outcome.
    fn program(&self, i: usize, forbidden: Option<u64>) -> Program {
        let mut ir = self.ir.replace(&format!("@main{i}("), "@main(");
        if let Some(outcome) = forbidden {
            ir = ir.replace(&(NO_OUTCOME + i as u64).to_string(), &(outcome as i64).to_string());
        }
        let input = parse_compiled(&self.path, &ir, Settings::default(), &Budget::default());
        input.unwrap_or_else(|e| panic!("{e}")).program
    }
}

/// `check` finds an outcome, and a deadlock, if and only if some interleaving has it.
fn compare_with_check(program: &Program) -> Result<(), String> {
    for (assertions, deadlocks) in [(true, false), (false, true)] {
        let properties = Properties { assertions, deadlocks, ..Properties::NONE };
        let exploring = Options { properties, ..Options::new(Model::Sc) };
        let explored = count(program, &exploring, &Watch::default()).unwrap().verdict;
        let checking = check::Options { properties, max_states: Some(MOST_STATES), ..check::Options::default() };
        let checked = check::check(program, &checking, &Default::default()).map_err(|e| e.to_string())?;
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
    compare_all(&C, trials(2 * BATCH as u64));
}

#[test]
fn random_cxx_programs_do_natively_what_they_can_do() {
    compare_all(&CXX, trials(2 * BATCH as u64));
}

fn compare_all(language: &Language, trials: u64) {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let seeds: Vec<u64> = seeds(trials).collect();
    let (mut compared, mut hung, mut failures) = (0, 0, Vec::new());
    for seeds in seeds.chunks(BATCH) {
        let compiled = Compiled::new(language, &directory, seeds);
        let mut failed = false;
        for (i, native) in native(language, &directory, seeds, BEFORE_HUNG[0]).iter().enumerate() {
            let seed = seeds[i];
            let again = || self::native(language, &directory, &[seed], BEFORE_HUNG[1])[0].hung;
            match compare(&compiled, i, seed, native, again) {
                Ok(true) => compared += 1,
                Ok(false) => {}
                Err(message) => {
                    failures.push(format!("seed {seed}, main{i} in {}: {message}", compiled.path.display()));
                    failed = true;
                }
            }
            hung += native.hung as u32;
        }
        if !failed {
            std::fs::remove_file(&compiled.path).expect("it was just written");
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(compared * 2 > seeds.len(), "{compared} of {}", seeds.len());
    eprintln!("{compared} programs compared, {hung} of them hang");
}

/// Whether the executions were all visited; an error if the native runs did something else.
fn compare(
    compiled: &Compiled,
    i: usize,
    seed: u64,
    native: &Native,
    hangs_again: impl FnOnce() -> bool,
) -> Result<bool, String> {
    let program = &compiled.program(i, None);
    let outcome = global(program, &format!("outcome{i}"));
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
    if let Some(&chosen) = outcomes.iter().nth(seed as usize % outcomes.len().max(1)) {
        compare_with_check(&compiled.program(i, Some(chosen)))?;
    }
    let found = count(program, &Options::new(Model::Rc11), &Watch::default()).unwrap().verdict;
    let kind = found.violations.first().map(|violation| violation.kind);
    match kind {
        None if native.hung && hangs_again() => Err("hangs natively, and explore finds no deadlock".to_owned()),
        None | Some(FindingKind::Deadlock) => Ok(true),
        Some(kind) => Err(format!("{}: {}", kind.name(), found.violations[0].message)),
    }
}
