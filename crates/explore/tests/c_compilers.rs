//! LLVM IR of several versions of clang, and of rustc, has the same executions.

use std::path::{Path, PathBuf};
use std::process::Command;

use fencepost_explore::{Exploration, Options, Watch, count};
use fencepost_frontend::read_with;
use fencepost_models::Model;
use fencepost_story::{FindingKind, Outcome};
use fencepost_testing::programs;

fn explored(ir: &Path) -> Exploration {
    let program = read_with(ir, &[]).unwrap_or_else(|e| panic!("{e}")).program;
    std::fs::remove_file(ir).expect("it was just written");
    count(&program, &Options::new(Model::Rc11), &Watch::default()).unwrap()
}

fn output(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.ll", std::process::id()))
}

#[test]
fn every_clang_that_is_installed_gives_the_same_executions() {
    let is_there = |clang: &String| Command::new(clang).arg("--version").output().is_ok_and(|o| o.status.success());
    let compilers: Vec<String> = (15..=22).map(|version| format!("clang-{version}")).filter(is_there).collect();
    if compilers.len() < 2 {
        eprintln!("skipped: there are not two versions of clang to compare, only {compilers:?}");
        return;
    }
    for name in ["spinlock.c", "seqlock.c", "msqueue.c", "mcslock.c", "chaselev.c", "rcu.c", "library/language.c"] {
        let mut all = Vec::new();
        for clang in &compilers {
            let ir = output(&format!("{clang}-{}", name.replace(['.', '/'], "-")));
            let flags = ["-S", "-emit-llvm", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-w", "-o"];
            let done = Command::new(clang).args(flags).arg(&ir).arg(programs().join("c").join(name)).status();
            assert!(done.is_ok_and(|status| status.success()), "{clang} compiles {name}");
            let found = explored(&ir);
            assert_eq!(found.verdict.outcome, Outcome::Holds, "{clang} {name}");
            all.push((found.complete, found.blocked));
        }
        assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{name} by {compilers:?}: {all:?}");
    }
}

#[test]
fn a_kernel_in_rust_is_explored_however_it_was_optimised() {
    let source = programs().join("c/rust/spinlock.rs");
    let text = std::fs::read_to_string(&source).expect("the program");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    // Without optimisation, what a CAS returns goes through memory, and no round of the spin loop is like the one
    // before.
    for level in ["1", "2", "3"] {
        for broken in [false, true] {
            let ir = output(&format!("rust-{level}-{broken}"));
            let mut command = Command::new(&rustc);
            command.args(["--edition", "2024", "--crate-type", "bin", "--emit=llvm-ir", "-g", "-Awarnings"]);
            command.args(["-Cpanic=abort", "-Ccodegen-units=1", &format!("-Copt-level={level}")]);
            command.args(broken.then_some("--cfg=relaxed")).arg("-o").arg(&ir).arg(&source);
            assert!(command.status().is_ok_and(|status| status.success()), "rustc compiles {}", source.display());
            let found = explored(&ir);
            if !broken {
                assert_eq!(found.verdict.outcome, Outcome::Holds, "at level {level}: {:?}", found.verdict.violations);
                // Each order in which the threads count themselves, with each in which they get the lock.
                assert_eq!((found.complete, found.blocked), (4, 4), "at level {level}");
                continue;
            }
            assert_eq!(found.verdict.outcome, Outcome::Violated, "at level {level}");
            let violation = &found.verdict.violations[0];
            assert_eq!(violation.kind, FindingKind::DataRace, "at level {level}");
            for access in &violation.accesses {
                let line = text.lines().nth(access.span.line as usize - 1).unwrap_or("");
                assert!(line.ends_with("// race"), "at level {level}: {line}");
            }
        }
    }
}
