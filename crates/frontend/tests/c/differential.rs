//! Random programs compute the same natively and here.

use std::path::{Path, PathBuf};
use std::process::Command;

use fencepost_frontend::read;
use fencepost_testing::{seeds, trials};

use crate::generator;
use crate::operations::NAMES;
use crate::runner::{Ending, Run};

/// Programs that are compiled into one binary and one module: starting clang takes longer than anything else.
const BATCH: usize = 20;

/// Each program in a namespace of its own: every name that it defines gets a suffix.
fn batch(seeds: &[u64]) -> String {
    let mut text = String::new();
    for (i, &seed) in seeds.iter().enumerate() {
        for name in NAMES {
            text += &format!("#define {name} {name}_{i}\n");
        }
        for f in 0..8 {
            text += &format!("#define f{f} f{f}_{i}\n#define g{f} g{f}_{i}\n");
        }
        let program = generator::program(seed);
        // Types are the same in all of them.
        let once = i == 0;
        for line in program.lines() {
            let ty = line.starts_with("typedef") || line.starts_with("struct ") || line.starts_with("union ");
            if once || !ty {
                text += line;
                text.push('\n');
            }
        }
        for name in NAMES {
            text += &format!("#undef {name}\n");
        }
        for f in 0..8 {
            text += &format!("#undef f{f}\n#undef g{f}\n");
        }
    }
    text += "#ifndef __FENCEPOST__\n#include <stdio.h>\n#endif\nint main(void) {\n";
    for i in 0..seeds.len() {
        text += &format!("  main_{i}();\n");
    }
    text += "#ifndef __FENCEPOST__\n";
    for i in 0..seeds.len() {
        text += &format!("  printf(\"%ld\\n\", (long)result_{i});\n");
    }
    text += "#endif\n  return 0;\n}\n";
    text
}

/// The numbers that the program prints when it is run.
pub fn native(path: &Path) -> Vec<i64> {
    let binary = path.with_extension("out");
    let clang = std::env::var("FENCEPOST_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    // Optimised, so that undefined behaviour of the generator's would show.
    let status =
        Command::new(clang).args(["-O1", "-w", "-o"]).arg(&binary).arg(path).arg("-lm").status().expect("clang runs");
    assert!(status.success(), "clang compiles {}", path.display());
    let output = Command::new(&binary).output().expect("the program runs");
    assert!(output.status.success(), "{} ends well", path.display());
    std::fs::remove_file(&binary).expect("it was just made");
    let text = String::from_utf8(output.stdout).expect("numbers");
    text.lines().map(|line| line.parse().expect("a number")).collect()
}

#[test]
fn random_programs_compute_what_they_compute_natively() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let seeds: Vec<u64> = seeds(trials(10 * BATCH as u64)).collect();
    for seeds in seeds.chunks(BATCH) {
        let path = directory.join(format!("fuzz-{}-{}.c", std::process::id(), seeds[0]));
        std::fs::write(&path, batch(seeds)).expect("the target directory can be written");
        let expected = native(&path);
        let program = read(&path).unwrap_or_else(|e| panic!("{e}")).program;
        let (run, ending) = Run::of(&program);
        assert_eq!(ending, Ending::Ended, "{}: {:?}", path.display(), program.constructs);
        for (i, (&seed, &expected)) in seeds.iter().zip(&expected).enumerate() {
            assert_eq!(run.global(&format!("result_{i}"), 8), expected, "seed {seed} in {}", path.display());
        }
        std::fs::remove_file(&path).expect("it was just written");
    }
}
