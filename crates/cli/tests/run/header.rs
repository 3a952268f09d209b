//! `fencepost.h` is one file: what it declares compiles and means the same in an ordinary build, with `fencepost cc`,
//! and for the commands that read C.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fencepost_wire::HEADER;

use crate::support::{clang, directory, fencepost, text};

/// Each function in each form: as a statement, with its result in each kind of variable, in conditions and in
/// arguments, on objects of each size.
const FORMS: &str = "
  fencepost_wait(&byte, 200, memory_order_relaxed);
  fencepost_wait_not(&byte, 0, memory_order_acquire);
  (void)fencepost_wait(&half, -2, memory_order_seq_cst);
  int v = fencepost_wait(&word, -7, memory_order_acquire);
  assert(v == -7);
  int w = fencepost_wait_not(&word, 3, memory_order_acquire);
  assert(w == -7);
  uint64_t bits = fencepost_wait_not(&word, 0, memory_order_relaxed);
  assert(bits == 0xfffffff9u);
  assert(fencepost_wait(&word, v, memory_order_acquire) == 0xfffffff9u);
  assert(fencepost_wait(&byte, 200, memory_order_acquire) == 200);
  assert((short)fencepost_wait_not(&half, 5, memory_order_acquire) == -2);
  assert(fencepost_wait(&half, -2, memory_order_acquire) == 0xfffe);
  long big = (long)fencepost_wait(&wide, -9, memory_order_seq_cst);
  assert(big == -9);
  if (fencepost_wait_not(&wide, 1, memory_order_acquire) != (uint64_t)-9) assert(0);
  int *found = (int *)fencepost_wait_not(&pointer, 0, memory_order_acquire);
  assert(found == &target);
  assert((int *)fencepost_wait(&pointer, &target, memory_order_acquire) == &target);
  fencepost_bcas(&byte, 200, 255, memory_order_release);
  fencepost_bcas(&half, -2, 9, memory_order_acq_rel);
  fencepost_bcas(&word, v, v + 1, memory_order_seq_cst);
  fencepost_bcas(&wide, -9, 1L << 40, memory_order_acquire);
  fencepost_bcas(&pointer, &target, 0, memory_order_relaxed);
  assert(fencepost_wait_not(&byte, 0, memory_order_relaxed) == 255);
  assert(fencepost_wait_not(&half, 0, memory_order_relaxed) == 9);
  assert((int)fencepost_wait_not(&word, 0, memory_order_relaxed) == -6);
  assert(fencepost_wait_not(&wide, 0, memory_order_relaxed) == 1L << 40);
  fencepost_wait(&pointer, 0, memory_order_relaxed);
  fencepost_wait(&constant, 4, memory_order_relaxed);
  int chosen = fencepost_choose(2, 5);
  assert(2 <= chosen && chosen <= 5);
  assert(fencepost_choose(-1, -1) == -1);
  fencepost_assume(chosen > 0);
  fencepost_assume(1);
";

/// All that the header declares for users.
fn names() -> Vec<&'static str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut names: Vec<&str> = HEADER.split(|c| !is_name(c)).filter(|word| word.starts_with("fencepost_")).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[test]
fn the_forms_have_every_name() {
    assert_eq!(names().len(), 5, "{:?}", names());
    for name in names() {
        assert!(FORMS.contains(&format!("{name}(")), "{name}");
    }
}

fn source(name: &str, text: &str) -> PathBuf {
    let path = directory("header").join(name);
    fs::write(&path, text).unwrap();
    path
}

/// The forms in both languages.
fn sources() -> [PathBuf; 2] {
    let c = "#include <fencepost.h>\n#include <assert.h>\n#include <stdatomic.h>\nstatic int target;\n\
             static _Atomic unsigned char byte = 200;\nstatic _Atomic short half = -2;\nstatic _Atomic int word = -7;\n\
             static _Atomic long wide = -9;\nstatic int *_Atomic pointer = &target;\n\
             static const _Atomic int constant = 4;\n";
    let cpp = "#include <fencepost.h>\n#include <atomic>\n#include <cassert>\nusing namespace std;\nstatic int target;\n\
               static atomic<unsigned char> byte_{200};\n#define byte byte_\nstatic atomic<short> half{-2};\n\
               static atomic<int> word{-7};\nstatic atomic<long> wide{-9};\nstatic atomic<int *> pointer{&target};\n\
               static const atomic<int> constant{4};\n";
    let whole = |begin: &str| format!("{begin}int main(void) {{{FORMS}  return 0;\n}}\n");
    [source("forms.c", &whole(c)), source("forms.cc", &whole(cpp))]
}

fn is_cpp(source: &Path) -> bool {
    source.extension().is_some_and(|extension| extension == "cc")
}

fn succeeds(output: &Output, what: &str) {
    assert!(output.status.success(), "{what}: {}", text(output));
}

#[test]
fn every_form_compiles_and_runs_in_an_ordinary_build() {
    fs::write(directory("header").join("fencepost.h"), HEADER).unwrap();
    for source in sources() {
        let (compiler, standard) = if is_cpp(&source) { ("g++", "-std=c++20") } else { ("gcc", "-std=gnu11") };
        let program = source.with_extension(format!("{compiler}.out"));
        let options = [standard, "-O1", "-Wall", "-Wextra", "-Werror", "-I"];
        let mut build = Command::new(compiler);
        build.args(options).arg(directory("header")).arg(&source).arg("-o").arg(&program);
        succeeds(&build.output().unwrap(), compiler);
        succeeds(&Command::new(&program).output().unwrap(), compiler);
    }
}

#[test]
fn every_form_compiles_and_runs_instrumented() {
    for compiler in ["gcc"].into_iter().chain(clang()) {
        for source in sources() {
            let program = source.with_extension(format!("{compiler}.instrumented"));
            let (command, standard) = if is_cpp(&source) { ("c++", "-std=c++20") } else { ("cc", "-std=gnu11") };
            let mut build = fencepost();
            build.env("FENCEPOST_CC", compiler).args([command, standard, "-O1", "-Wall", "-Wextra", "-Werror"]);
            succeeds(&build.arg(&source).arg("-o").arg(&program).output().unwrap(), compiler);
            succeeds(&Command::new(&program).output().unwrap(), compiler);
        }
    }
}

#[test]
fn every_form_is_read_by_the_commands_that_read_c() {
    for source in sources() {
        let standard = if is_cpp(&source) { "-std=c++20" } else { "-std=gnu11" };
        for command in ["check", "explore", "prove"] {
            let output = fencepost().arg(command).arg(&source).args(["--", standard]).output().unwrap();
            succeeds(&output, &format!("{command} {}", source.display()));
        }
    }
}

#[test]
fn what_a_wait_reads_reaches_the_program() {
    // Two values can end the wait, and an assertion about each of them fails in some execution.
    let program = |assertion: &str| {
        format!(
            "#include <fencepost.h>\n#include <assert.h>\n#include <stdatomic.h>\n#include <pthread.h>\n\
             static _Atomic int x;\n\
             static void *writer(void *unused) {{\n  atomic_store(&x, 1);\n  atomic_store(&x, 2);\n  return unused;\n}}\n\
             int main(void) {{\n  pthread_t thread;\n  pthread_create(&thread, 0, writer, 0);\n\
             int r = fencepost_wait_not(&x, 0, memory_order_acquire);\n  assert({assertion});\n\
             pthread_join(thread, 0);\n  return 0;\n}}\n"
        )
    };
    for (assertion, status) in [("r == 1", 1), ("r == 2", 1), ("r == 1 || r == 2", 0), ("r != 0", 0)] {
        let path = source(&format!("reads-{}.c", assertion.replace([' ', '=', '|', '!'], "")), &program(assertion));
        for command in ["check", "explore"] {
            let output = fencepost().arg(command).arg(&path).output().unwrap();
            assert_eq!(output.status.code(), Some(status), "{command}: {assertion}: {}", text(&output));
        }
        // A proof may fail, but not where the assertion does.
        let output = fencepost().arg("prove").arg(&path).output().unwrap();
        assert!(status == 0 || output.status.code() != Some(0), "prove: {assertion}: {}", text(&output));
    }
}

#[test]
fn an_object_of_another_size_is_refused_by_both() {
    let path = source(
        "size.c",
        "#include <fencepost.h>\nstatic struct { long a, b; } x;\nint main(void) {\n  fencepost_wait(&x, 0, 0);\n}\n",
    );
    for command in ["cc", "check"] {
        let output = fencepost().arg(command).arg(&path).output().unwrap();
        assert!(!output.status.success() && text(&output).contains("size.c:4"), "{command}: {}", text(&output));
    }
}
