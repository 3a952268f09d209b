//! `fencepost cc` stands in for the compiler.

use std::fs;
use std::process::Command;

use crate::support::{clang, directory, fencepost, text};

const RACY: &str = r#"
#include <pthread.h>
int counter;
static void *worker(void *unused) { counter++; return unused; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 7;
}
"#;

/// Two racing accesses at the very same moment can miss each other in shadow memory.
const ONE_AT_A_TIME: &str = "schedule=random";

fn compilers() -> impl Iterator<Item = &'static str> {
    ["gcc"].into_iter().chain(clang())
}

#[test]
fn compiling_and_linking_work_at_once_and_apart() {
    for compiler in compilers() {
        let here = directory(&format!("cc-{compiler}"));
        fs::write(here.join("racy.c"), RACY).unwrap();
        let cc = |arguments: &[&str]| {
            let output =
                fencepost().env("FENCEPOST_CC", compiler).current_dir(&here).arg("cc").args(arguments).output();
            let output = output.unwrap();
            assert!(output.status.success(), "{arguments:?}: {}", text(&output));
            output
        };
        cc(&["racy.c", "-o", "at-once"]);
        cc(&["-c", "racy.c", "-o", "racy.o"]);
        cc(&["racy.o", "-o", "apart"]);
        fs::write(here.join("response"), "racy.o\n-o 'by response'").unwrap();
        cc(&["@response"]);
        cc(&["-S", "racy.c", "-o", "racy.s"]);
        cc(&["racy.s", "-o", "from-assembler"]);
        cc(&["-no-pie", "racy.c", "-o", "fixed"]);
        for program in ["at-once", "apart", "by response", "from-assembler", "fixed"] {
            let output = Command::new(here.join(program)).env("FENCEPOST_OPTIONS", ONE_AT_A_TIME).output().unwrap();
            assert_eq!(output.status.code(), Some(66), "{program}: {}", text(&output));
            assert!(text(&output).contains("racy.c:4"), "{program}: {}", text(&output));
        }
    }
}

#[test]
fn what_makes_no_program_is_passed_on() {
    for compiler in compilers() {
        let here = directory(&format!("cc-text-{compiler}"));
        fs::write(here.join("a.c"), "#include \"a.h\"\nint two = A;\n").unwrap();
        fs::write(here.join("a.h"), "#define A 2\n").unwrap();
        let output = |program: &str, arguments: &[&str]| {
            let mut command = if program == "ours" { fencepost() } else { Command::new(compiler) };
            command.env("FENCEPOST_CC", compiler).current_dir(&here);
            if program == "ours" {
                command.arg("cc");
            }
            let output = command.args(arguments).output().unwrap();
            (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
        };
        for arguments in
            [&["-M", "a.c"][..], &["-MM", "a.c"], &["--version"], &["-dumpmachine"], &["-fsyntax-only", "a.c"]]
        {
            assert_eq!(output("ours", arguments), output("theirs", arguments), "{compiler} {arguments:?}");
        }
        let (status, preprocessed) = output("ours", &["-E", "a.c"]);
        assert_eq!(status, Some(0));
        assert!(preprocessed.contains("int two = 2;"), "{preprocessed}");
        assert_eq!(output("ours", &["-c", "missing.c"]).0, output("theirs", &["-c", "missing.c"]).0);
    }
}

#[test]
fn shared_libraries_use_the_runtime_of_the_program() {
    let here = directory("cc-shared");
    fs::write(here.join("library.c"), "int counter;\nvoid count(void) { counter++; }\n").unwrap();
    let main = r#"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static void (*count)(void);
static void *worker(void *unused) { count(); return unused; }
int main(void) {
  void *library = dlopen("./library.so", RTLD_NOW);
  if (!library) { puts(dlerror()); return 1; }
  count = (void (*)(void))dlsym(library, "count");
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"#;
    fs::write(here.join("main.c"), main).unwrap();
    for compiler in compilers() {
        for arguments in [&["-fPIC", "-shared", "library.c", "-o", "library.so"][..], &["main.c", "-o", "main"]] {
            let output =
                fencepost().env("FENCEPOST_CC", compiler).current_dir(&here).arg("cc").args(arguments).output();
            assert!(output.as_ref().unwrap().status.success(), "{}", text(&output.unwrap()));
        }
        let output = Command::new(here.join("main"))
            .env("FENCEPOST_OPTIONS", ONE_AT_A_TIME)
            .current_dir(&here)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(66), "{compiler}: {}", text(&output));
        assert!(text(&output).contains("library.c:2"), "{compiler}: {}", text(&output));
    }
}

#[test]
fn a_static_program_is_refused_with_the_reason() {
    let here = directory("cc-static");
    fs::write(here.join("a.c"), "int main(void) { return 0; }\n").unwrap();
    for compiler in compilers() {
        let output = fencepost()
            .env("FENCEPOST_CC", compiler)
            .current_dir(&here)
            .args(["cc", "-static", "a.c"])
            .output()
            .unwrap();
        assert!(!output.status.success());
        assert!(text(&output).contains("leave out -static"), "{}", text(&output));
    }
}

#[test]
fn a_compiler_that_is_not_there_is_named() {
    let output = fencepost().env("FENCEPOST_CC", "no-such-gcc").args(["cc", "a.c"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("no-such-gcc was not found"), "{}", text(&output));
}
