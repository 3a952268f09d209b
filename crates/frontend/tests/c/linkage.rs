//! Programs of several files mean what they mean natively, or are none.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fastrand::Rng;
use fencepost_budget::Budget;
use fencepost_frontend::{Error, Settings, Unit, read_program};
use fencepost_program::{Failure, Program};
use fencepost_testing::{seeds, trials};

use crate::runner::{Ending, Run};

const NAMES: usize = 3;

/// What a file says about a variable and a function of the same number.
#[derive(Clone, Copy)]
enum Kind {
    Absent,
    Declared,
    Strong,
    /// C only: not initialised, and `-fcommon`.
    Tentative,
    Weak,
    /// Null if nothing defines it.
    WeakReference,
    Static,
    /// C++ only.
    Inline,
    /// Another name for a function that the file has for itself.
    Alias,
}

fn kind(rng: &mut Rng, is_cpp: bool, is_function: bool) -> Kind {
    loop {
        let kind = match rng.u8(..14) {
            0 => Kind::Absent,
            1..6 => Kind::Declared,
            6 => Kind::Strong,
            7 => Kind::Tentative,
            8 | 9 => Kind::Weak,
            10 => Kind::WeakReference,
            11 => Kind::Static,
            12 => Kind::Inline,
            _ => Kind::Alias,
        };
        match kind {
            Kind::Tentative if is_cpp || is_function => {}
            Kind::Inline if !is_cpp => {}
            Kind::Alias if !is_function => {}
            kind => return kind,
        }
    }
}

/// A variable, and how its value is found; every file that knows it changes it.
fn variable(out: &mut String, body: &mut String, file: usize, n: usize, kind: Kind) {
    let value = 10 * file + n + 1;
    let text = match kind {
        Kind::Absent | Kind::Alias => return,
        Kind::Declared => format!("extern int v{n};"),
        Kind::Strong => format!("int v{n} = {value};"),
        Kind::Tentative => format!("int v{n};"),
        Kind::Weak => format!("__attribute__((weak)) int v{n} = {value};"),
        Kind::WeakReference => format!("extern int v{n} __attribute__((weak));"),
        Kind::Static => format!("static int v{n} = {value};"),
        Kind::Inline => format!("inline int v{n} = {value};"),
    };
    writeln!(out, "{text}").unwrap();
    let guard = if matches!(kind, Kind::WeakReference) { format!("if (!&v{n}) add(7); else ") } else { String::new() };
    writeln!(body, "  {guard}{{ add(v{n}); v{n} += {}; }}", file + 1).unwrap();
}

fn function(out: &mut String, body: &mut String, file: usize, n: usize, kind: Kind) {
    let code = format!("{{ static int calls = {}; return calls += {}; }}", 100 * file, n + 1);
    let text = match kind {
        Kind::Absent | Kind::Tentative => return,
        Kind::Declared => format!("int f{n}(void);"),
        Kind::Strong => format!("int f{n}(void) {code}"),
        Kind::Weak => format!("__attribute__((weak)) int f{n}(void) {code}"),
        Kind::WeakReference => format!("int f{n}(void) __attribute__((weak));"),
        Kind::Static => format!("static int f{n}(void) {code}"),
        Kind::Inline => format!("inline int f{n}(void) {code}"),
        Kind::Alias => format!(
            "int own{file}_{n}(void) {code}\n\
             int f{n}(void) __attribute__((weak, alias(\"own{file}_{n}\")));\n"
        ),
    };
    writeln!(out, "{text}").unwrap();
    let guard = if matches!(kind, Kind::WeakReference) { format!("if (!f{n}) add(9); else ") } else { String::new() };
    writeln!(body, "  {guard}add(f{n}());").unwrap();
    if matches!(kind, Kind::Alias) {
        writeln!(body, "  add(own{file}_{n}());").unwrap();
    }
}

/// The names and texts of the files of a program.
fn files(seed: u64) -> Vec<(String, String)> {
    let mut rng = Rng::with_seed(seed);
    let count = rng.usize(2..=4);
    let mut files = Vec::new();
    let mut main = "long result;\nvoid add(int n) { result = result * 31 % 1000003 + n; }\n".to_owned();
    let mut calls = String::new();
    for file in 0..count {
        let is_cpp = rng.u8(..3) == 0;
        let (mut out, mut body) = ("void add(int);\n".to_owned(), String::new());
        for n in 0..NAMES {
            variable(&mut out, &mut body, file, n, kind(&mut rng, is_cpp, false));
            function(&mut out, &mut body, file, n, kind(&mut rng, is_cpp, true));
        }
        writeln!(out, "void run{file}(void) {{\n{body}}}").unwrap();
        if rng.bool() {
            // Before `main`, in the order of the files or by priority.
            let priority = ["", "(200)", "(150)"][rng.usize(..3)];
            let constructor = format!("__attribute__((constructor{priority}))");
            writeln!(out, "{constructor} static void begin(void) {{ add({file}); run{file}(); }}").unwrap();
        }
        let out = if is_cpp { format!("extern \"C\" {{\n{out}}}\n") } else { out };
        files.push((format!("file {file}.{}", if is_cpp { "cc" } else { "c" }), out));
        writeln!(main, "void run{file}(void);").unwrap();
        writeln!(calls, "  run{file}();").unwrap();
    }
    write!(main, "#ifndef __FENCEPOST__\n#include <stdio.h>\n#endif\nint main(void) {{\n{calls}{calls}").unwrap();
    main += "#ifndef __FENCEPOST__\n  printf(\"%ld\\n\", result);\n#endif\n  return 0;\n}\n";
    // Constructors may run before `main.c` has its say.
    files.insert(rng.usize(..=files.len()), ("main.c".to_owned(), main));
    files
}

/// The result, or nothing if the files are no program.
fn native(paths: &[PathBuf]) -> Option<i64> {
    let binary = paths[0].with_file_name("native");
    let clang = std::env::var("FENCEPOST_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let mut command = Command::new(clang);
    command.args(["-O0", "-w", "-fcommon", "-o"]).arg(&binary).args(paths).arg("-lstdc++");
    let output = command.output().expect("clang runs");
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("multiple definition") || said.contains("undefined reference"), "{said}");
        return None;
    }
    let output = Command::new(&binary).output().expect("the program runs");
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).expect("a number").trim().parse().expect("a number"))
}

fn together(paths: &[PathBuf], argument: &str) -> Result<Program, Error> {
    let unit = |path: &PathBuf| Unit { path: path.clone(), directory: None, arguments: vec![argument.into()] };
    let units: Vec<Unit> = paths.iter().map(unit).collect();
    read_program(&units, Settings::default(), &Budget::default()).map(|input| input.program)
}

fn ours(paths: &[PathBuf]) -> Option<i64> {
    let program = match together(paths, "-fcommon") {
        Ok(program) => program,
        Err(error) => {
            assert!(error.to_string().contains("is defined twice"), "{error}");
            return None;
        }
    };
    let (run, ending) = Run::of(&program);
    match ending {
        Ending::Ended => Some(run.global("result", 8)),
        Ending::Failed(Failure::Unsupported { construct }, _) => {
            let construct = &program.constructs[construct as usize];
            let what = ["without a definition", "whose code is not known"];
            assert!(what.iter().any(|what| construct.contains(what)), "{construct}");
            None
        }
        other => panic!("{other:?}"),
    }
}

fn written(directory: &Path, files: &[(impl AsRef<str>, impl AsRef<str>)]) -> Vec<PathBuf> {
    fs::create_dir_all(directory).expect("the target directory can be written");
    let write = |(name, text): &(_, _)| {
        let path = directory.join(AsRef::<str>::as_ref(name));
        fs::write(&path, AsRef::<str>::as_ref(text)).expect("the target directory can be written");
        path
    };
    files.iter().map(write).collect()
}

fn directory(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("linkage-{}-{name}", std::process::id()))
}

#[test]
fn files_are_linked_as_a_linker_links_them() {
    let (mut linked, mut refused) = (0, 0);
    for seed in seeds(trials(25)) {
        let directory = directory(&seed.to_string());
        let paths = written(&directory, &files(seed));
        let (native, ours) = (native(&paths), ours(&paths));
        assert_eq!(native, ours, "seed {seed} in {}", directory.display());
        if native.is_some() {
            linked += 1
        } else {
            refused += 1
        }
        fs::remove_dir_all(&directory).expect("it was just made");
    }
    assert!(linked > 0 && refused > 0, "{linked} programs, {refused} others");
}

fn result(name: &str, files: &[(&str, &str)]) -> i64 {
    let directory = directory(name);
    let program = together(&written(&directory, files), "-fcommon").unwrap_or_else(|error| panic!("{error}"));
    let (run, ending) = Run::of(&program);
    assert_eq!(ending, Ending::Ended, "{:?}", program.constructs);
    fs::remove_dir_all(&directory).expect("it was just made");
    run.global("result", 8)
}

fn refusal(name: &str, files: &[(&str, &str)]) -> String {
    let directory = directory(name);
    let error = together(&written(&directory, files), "-DX").expect_err("no program").to_string();
    fs::remove_dir_all(&directory).expect("it was just made");
    error
}

#[test]
fn what_is_inline_in_cpp_is_one_object() {
    let header = "
        struct Base { virtual ~Base() {} virtual int number() { return 1; } };
        struct Once { int n; Once(); };
        inline Once once;
        template <class T> struct Holder { static inline int count = 5; };
        inline int *local() { static int n = 20; return &n; }
        int other();
        extern thread_local int own;
        extern int constructed;";
    let one = "#include \"h.h\"\nint constructed; Once::Once() : n(++constructed) {}\nthread_local int own = 3;\n\
               int other() { own++; Holder<int>::count++; ++*local(); Base b; Base *p = &b; return p->number(); }";
    let two = "#include \"h.h\"\nlong result;\n\
               int main() { int o = other(); result = *local() * 10000 + Holder<int>::count * 1000 + own * 100 + \
               constructed * 10 + once.n * o; }";
    let [one, two] = [one, two].map(|text| text.replace("#include \"h.h\"", header));
    // 21 calls of `local`, 6 of the template's, 4 of this thread's, and one object that was constructed once.
    assert_eq!(result("inline", &[("one.cc", &one), ("two.cc", &two)]), 210_000 + 6000 + 400 + 10 + 1);
}

#[test]
fn a_definition_of_the_program_replaces_that_of_the_library() {
    let own = "#include <stddef.h>\nint calls; static char pool[256]; static size_t used;\n\
               void *malloc(size_t n) { calls++; void *p = pool + used; used += (n + 15) & ~15ul; return p; }\n\
               void free(void *p) { calls += 100; }\nint pthread_mutex_lock(void *m) { calls += 1000; return 0; }";
    let main = "#include <stdlib.h>\n#include <string.h>\n#include <pthread.h>\nlong result; extern int calls;\n\
                pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
                int main(void) { char *p = malloc(3); strcpy(p, \"ab\"); free(p); pthread_mutex_lock(&m);\n\
                pthread_mutex_lock(&m); result = calls * 10 + (p[1] == 'b'); return 0; }";
    assert_eq!(result("own", &[("own.c", own), ("main.c", main)]), 21011);
}

#[test]
fn a_static_function_with_the_name_of_a_primitive_is_called() {
    let text = "long result; static void abort(void) { result++; } static int exit(int n) { return n + 1; }\n\
                int main(void) { abort(); result += exit(40); return 0; }";
    assert_eq!(result("primitives", &[("a.c", text)]), 42);
}

#[test]
fn the_largest_tentative_definition_is_the_variable() {
    let small = "int v;\nlong result;\nvoid set(void);\nint main(void) { set(); result = v; return 0; }";
    let large = "int v[3];\nvoid set(void) { v[0] = 6; v[2] = 1; }";
    assert_eq!(result("common", &[("small.c", small), ("large.c", large)]), 6);
}

#[test]
fn a_name_that_is_defined_twice_is_told_with_both_places() {
    let error = refusal("twice", &[("a.c", "int f(void) { return 1; }\n"), ("b.c", "\nint f;\nint main(void) { }\n")]);
    assert!(error.contains("`f` is defined twice") && error.contains("a.c:1") && error.contains("b.c:2"), "{error}");
    let error = refusal("mains", &[("a.c", "int main(void) {}\nint x;"), ("b.c", "int main(void) {}\nint x;")]);
    assert!(error.contains("a program has one `main`"), "{error}");
    let error = refusal("tls", &[("a.c", "_Thread_local int t;"), ("b.c", "extern int t; int main(void) { t = 1; }")]);
    assert!(error.contains("thread-local"), "{error}");
    let error = refusal("none", &[("a.c", "int x;"), ("b.c", "int y;")]);
    assert!(error.contains("no function `main` in any of"), "{error}");
}

#[test]
fn calls_with_other_parameters_than_the_definition_are_refused_where_they_are_reached() {
    let files = [("a.c", "int f(int a, int b) { return a + b; }"), ("b.c", "int f(); int main(void) { return f(1); }")];
    let directory = directory("parameters");
    let program = together(&written(&directory, &files), "-w").expect("a program");
    let (_, ending) = Run::of(&program);
    assert!(matches!(ending, Ending::Failed(Failure::Unsupported { .. }, _)), "{ending:?}");
    fs::remove_dir_all(&directory).expect("it was just made");
}
