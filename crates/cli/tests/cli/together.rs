//! Programs of several files: `--together`, and `-p` with a compilation database.

use std::fs;

use crate::support::{Ran, Sandbox};

const QUEUE_H: &str = "#ifdef __cplusplus\nextern \"C\" {\n#endif\nvoid put(int); int get(void);\n\
                       #ifdef __cplusplus\n}\n#endif\n";
/// The publication is relaxed, so the payload races.
const QUEUE_C: &str = "#include \"queue.h\"\n#ifndef ORDER\n#error no order\n#endif\nstatic atomic_int full;\n\
                       static int payload;\nvoid put(int v) {\n  payload = v;\n  \
                       atomic_store_explicit(&full, 1, ORDER);\n}\nint get(void) {\n  \
                       while (!atomic_load_explicit(&full, memory_order_acquire));\n  return payload;\n}\n";
const MAIN_CC: &str = "#include \"queue.h\"\n#include <cassert>\n#include <pthread.h>\n\
                       static void *producer(void *) { put(42); return nullptr; }\nint main() {\n  pthread_t t;\n  \
                       pthread_create(&t, nullptr, producer, nullptr);\n  assert(get() == 42);\n  \
                       return pthread_join(t, nullptr);\n}\n";

/// `atomic_int` is C's, so only the C file says it.
fn sandbox(name: &str) -> Sandbox {
    let queue = format!("#include <stdatomic.h>\n{QUEUE_C}");
    Sandbox::new(name, &[("queue.h", QUEUE_H), ("queue.c", &queue), ("main.cc", MAIN_CC)])
}

fn fails(ran: &Ran, words: &[&str]) {
    assert_eq!(ran.status, Some(2), "{}{}", ran.stdout, ran.stderr);
    for word in words {
        assert!(ran.stderr.contains(word), "{word}: {}", ran.stderr);
    }
}

#[test]
fn files_together_are_one_program() {
    let sandbox = sandbox("together");
    for command in ["check", "explore"] {
        let ran = sandbox.run(&[command, "--together", "queue.c", "main.cc", "--", "-DORDER=memory_order_relaxed"]);
        assert_eq!(ran.status, Some(1), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.starts_with("violated: queue.c + main.cc has a data race"), "{}", ran.stdout);
        // Each line is quoted from its own file.
        assert!(ran.stdout.contains("queue.c:9") && ran.stdout.contains("main.cc:7"), "{}", ran.stdout);
        assert!(ran.stdout.contains("payload = v;") && ran.stdout.contains("return payload;"), "{}", ran.stdout);
    }
    for command in ["check", "explore", "prove"] {
        let ran = sandbox.run(&[command, "main.cc", "queue.c", "--together", "--", "-DORDER=memory_order_release"]);
        assert_eq!(ran.status, Some(0), "{}{}", ran.stdout, ran.stderr);
    }
    let ran = sandbox.run(&["export", "--promela", "--together", "main.cc", "queue.c", "--", "-DORDER=5"]);
    assert!(ran.stderr.contains("Promela is written for"), "{}", ran.stderr);
}

#[test]
fn every_format_names_the_file_of_each_line() {
    let sandbox = sandbox("together-formats");
    let run = |format| {
        let arguments = ["check", "--together", "--format", format, "queue.c", "main.cc", "--", "-DORDER=0"];
        let ran = sandbox.run(&arguments);
        assert_eq!(ran.status, Some(1), "{}", ran.stderr);
        ran.stdout
    };
    let json = run("json");
    assert!(json.contains("\"file\":\"queue.c + main.cc\""), "{json}");
    assert!(json.contains("\"file\":\"queue.c\"") && json.contains("\"file\":\"main.cc\""), "{json}");
    let sarif = run("sarif");
    assert!(sarif.contains("\"uri\": \"queue.c\"") || sarif.contains("\"uri\":\"queue.c\""), "{sarif}");
}

#[test]
fn what_is_no_program_together_is_told() {
    let sandbox = sandbox("together-errors");
    let order = ["--", "-DORDER=5"];
    let run = |arguments: &[&str]| sandbox.run(&[&["check", "--together"], arguments, &order[..]].concat());
    fs::copy(sandbox.path("main.cc"), sandbox.path("other.cc")).unwrap();
    fails(&run(&["main.cc", "other.cc", "queue.c"]), &["`main` is defined twice", "main.cc:5", "other.cc:5"]);
    fails(&run(&["queue.c", "queue.c"]), &["queue.c is given twice"]);
    fails(&run(&["queue.c"]), &["no function `main`"]);
    fails(&run(&["queue.c", "nowhere.c"]), &["nowhere.c"]);
    fails(&run(&["queue.c", "a.litmus"]), &["--together links C, C++ and LLVM IR", "a.litmus"]);
    fails(&run(&["-", "queue.c"]), &["--together links"]);
    // One of several files does not compile.
    fs::write(sandbox.path("wrong.c"), "int f( { }").unwrap();
    fails(&run(&["main.cc", "queue.c", "wrong.c"]), &["wrong.c"]);
}

/// A build directory with a database, in a directory with a space.
fn build(sandbox: &Sandbox, entries: &str) {
    let root = sandbox.path("my project");
    fs::create_dir_all(root.join("build")).unwrap();
    fs::create_dir_all(root.join("src")).unwrap();
    for file in ["queue.h", "queue.c", "main.cc"] {
        fs::copy(sandbox.path(file), root.join("src").join(file)).unwrap();
    }
    let text = entries.replace("ROOT", &root.display().to_string()).replace("FLAGS", FLAGS);
    fs::write(root.join("build/compile_commands.json"), text).unwrap();
}

const ENTRIES: &str = r#"[
  { "directory": "ROOT/build", "file": "ROOT/src/queue.c", "output": "CMakeFiles/relaxed.dir/queue.c.o",
    "command": "cc -I../src \"-DORDER=memory_order_relaxed\" FLAGS -o x.o -c 'ROOT/src/queue.c'" },
  { "directory": "ROOT/build", "file": "../src/queue.c",
    "arguments": ["cc", "-I../src", "-DORDER=memory_order_release",
                  "-o", "CMakeFiles/released.dir/queue.c.o", "-c", "../src/queue.c"] },
  { "directory": "ROOT/build", "file": "../src/main.cc",
    "command": "ccache c++ -I ../src -std=c++17 -o CMakeFiles/app.dir/main.cc.o -c ../src/main.cc" }
]"#;
/// They say nothing about what the code means, and clang does not know all of them.
const FLAGS: &str = "-O3 -Werror -fsanitize=thread -MD -MF x.d -march=native -fno-tree-sra";

#[test]
fn a_database_says_how_files_are_compiled() {
    let sandbox = sandbox("database");
    build(&sandbox, ENTRIES);
    let run = |arguments: &[&str]| sandbox.run(&[&["check", "-p", "my project/build"], arguments].concat());
    let relaxed = run(&["--target", "relaxed", "--target", "app"]);
    assert_eq!(relaxed.status, Some(1), "{}{}", relaxed.stdout, relaxed.stderr);
    assert!(relaxed.stdout.starts_with("violated: relaxed + app (2 files) has a data race"), "{}", relaxed.stdout);
    assert!(relaxed.stdout.contains("my project/src/queue.c:9"), "{}", relaxed.stdout);
    assert!(relaxed.stderr.contains("note: left out what only gcc knows: -fno-tree-sra"), "{}", relaxed.stderr);
    let released = run(&["--target", "released", "--target", "app"]);
    assert_eq!(released.status, Some(0), "{}{}", released.stdout, released.stderr);
    // A file that is compiled for several targets: the first, and a note.
    let named = run(&["my project/src/main.cc", "my project/src/queue.c"]);
    assert_eq!(named.status, Some(1), "{}{}", named.stdout, named.stderr);
    assert!(named.stderr.contains("compiled more than once: taken as for the target relaxed"), "{}", named.stderr);
    let all = run(&[]);
    assert!(all.stdout.starts_with("violated: my project/build (2 files)"), "{}{}", all.stdout, all.stderr);
    // Arguments after `--` come last.
    let last = run(&["--target", "relaxed", "--target", "app", "--", "-UORDER", "-DORDER=memory_order_release"]);
    assert_eq!(last.status, Some(0), "{}{}", last.stdout, last.stderr);
}

#[test]
fn what_is_wrong_with_a_database_is_told() {
    let sandbox = sandbox("database-errors");
    build(&sandbox, ENTRIES);
    let run = |arguments: &[&str]| sandbox.run(&[&["explore", "-p", "my project/build"], arguments].concat());
    fails(&run(&["--target", "nothing"]), &["has no target nothing", "app, relaxed, released"]);
    fails(&run(&["--target", "relaxed"]), &["no function `main`", "`--target app`"]);
    fs::write(sandbox.path("new.c"), "int main(void) {}").unwrap();
    fails(&run(&["new.c"]), &["does not say how new.c is compiled"]);
    fails(&sandbox.run(&["check", "-p", "nowhere"]), &["nowhere", "CMAKE_EXPORT_COMPILE_COMMANDS"]);
    fails(&sandbox.run(&["check", "--target", "app", "main.cc"]), &["--build"]);
    for (text, words) in [
        ("{}", "it is not an array"),
        ("[", "is not a compilation database"),
        ("[{\"directory\": \"/\"}]", "entry 1: it has no `file`"),
        ("[{\"file\": \"a.c\"}]", "neither `arguments` nor `command`"),
        ("[]", "compiles no C or C++ file"),
        ("[{\"file\": \"a.c\", \"directory\": \"gone\", \"command\": \"cc a.c\"}]", "which is not there"),
    ] {
        build(&sandbox, text);
        fails(&run(&[]), &[words]);
    }
}

#[test]
fn several_mains_of_a_database_are_told_with_what_to_do() {
    let sandbox = sandbox("database-mains");
    let second = ENTRIES.replace("../src/main.cc", "../src/test.cc").replace("app.dir", "test.dir");
    let both = format!("{}, {}", ENTRIES.trim_end().trim_end_matches(']'), second.trim_start().trim_start_matches('['));
    build(&sandbox, &both);
    let root = sandbox.path("my project/src");
    fs::copy(root.join("main.cc"), root.join("test.cc")).unwrap();
    let run = |arguments: &[&str]| sandbox.run(&[&["check", "-p", "my project/build"], arguments].concat());
    fails(&run(&[]), &["`main` is defined twice", "my project/src/main.cc:5", "--target app", "released, test"]);
    let chosen = run(&["--target", "test", "--target", "released"]);
    assert_eq!(chosen.status, Some(0), "{}{}", chosen.stdout, chosen.stderr);
}

#[test]
fn preprocessed_files_and_ir_without_its_source_are_read() {
    let text = "#include <stdatomic.h>\nint x; int main(void) { x = 1; return 0; }";
    let preprocessed = "# 1 \"gone.c\"\nextern int x;\n# 7 \"gone.c\"\nint main(void) {\n  x = 1;\n  return x; }\n";
    let ir = "define void @racer(ptr %p) {\n  store i32 2, ptr @x\n  ret void\n}\n@x = global i32 0\n";
    let files = [("a.c", text), ("gone.i", preprocessed), ("x.ll", ir), ("empty.ii", "class A {}; int y;\n")];
    let sandbox = Sandbox::new("preprocessed", &files);
    let ran = sandbox.run(&["check", "--together", "gone.i", "x.ll", "empty.ii"]);
    assert_eq!(ran.status, Some(0), "{}{}", ran.stdout, ran.stderr);
    let missing = sandbox.run(&["check", "gone.i"]);
    assert_eq!(missing.status, Some(2), "{}{}", missing.stdout, missing.stderr);
    assert!(missing.stdout.contains("gone.c:8") && missing.stdout.contains("--together"), "{}", missing.stdout);
    fs::write(sandbox.path("b.bc"), b"BC\xc0\xde").unwrap();
    let bitcode = sandbox.command(&["check", "b.bc"]).env("PATH", "").output().unwrap();
    assert_eq!(bitcode.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&bitcode.stderr).contains("llvm-dis"));
}
