//! Temporary files belong to the user alone, work anywhere, and do not stay.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{Ran, Sandbox};

const FAILING: &str = "#include <assert.h>\nint main(void) { assert(0); }\n";

/// A sandbox with a program in C that fails, and a directory in it for temporary files.
fn sandbox(test: &str, temporary: &str) -> (Sandbox, PathBuf) {
    let sandbox = Sandbox::new(test, &[("a.c", FAILING)]);
    let temporary = sandbox.path(temporary);
    fs::create_dir(&temporary).unwrap();
    (sandbox, temporary)
}

fn explore(sandbox: &Sandbox, temporary: &Path) -> Command {
    let mut command = sandbox.command(&["explore", "a.c"]);
    command.env("TMPDIR", temporary).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(mut command: Command) -> Ran {
    Ran::from(command.output().unwrap())
}

fn is_empty(directory: &Path) -> bool {
    fs::read_dir(directory).unwrap().next().is_none()
}

/// An executable that stands in for clang.
fn script(sandbox: &Sandbox, text: &str) -> PathBuf {
    let path = sandbox.path("clang.sh");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn a_temporary_directory_may_have_any_name() {
    for (i, name) in ["with space", "a:b,c=d", "-n", "quo\"te'$x"].into_iter().enumerate() {
        let (sandbox, temporary) = sandbox(&format!("temporary-name-{i}"), name);
        let ran = run(explore(&sandbox, &temporary));
        assert_eq!(ran.status, Some(1), "{name}: {}", ran.stderr);
        assert!(is_empty(&temporary), "{name}");
    }
}

#[test]
fn a_temporary_directory_that_cannot_be_used_is_named_with_a_way_out() {
    let (sandbox, temporary) = sandbox("temporary-unusable", "t");
    let said = |temporary: &Path| {
        let ran = run(explore(&sandbox, temporary));
        assert_eq!(ran.status, Some(2), "{}", ran.stdout);
        ran.stderr
    };
    let missing = said(&temporary.join("none"));
    assert!(missing.contains("t/none") && missing.contains("set TMPDIR"), "{missing}");
    fs::set_permissions(&temporary, fs::Permissions::from_mode(0o777)).unwrap();
    let open = said(&temporary);
    assert!(open.contains("can be changed by everybody") && open.contains("set TMPDIR"), "{open}");
    assert!(is_empty(&temporary));
}

/// A limit on the size of files stands in for a full disk.
#[test]
fn a_full_disk_is_told_with_a_way_out() {
    let (sandbox, temporary) = sandbox("temporary-full", "t");
    let mut command = Command::new("sh");
    // Without the signal, a write that goes beyond the limit fails.
    command.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\" 2>&1 | cat", "sh", env!("CARGO_BIN_EXE_fencepost")]);
    command.args(["explore", "a.c"]).current_dir(sandbox.path(".")).env("TMPDIR", &temporary);
    let ran = run(command);
    assert!(ran.stdout.contains("set TMPDIR to a directory with free space"), "{}", ran.stdout);
    assert!(is_empty(&temporary));
}

/// A header that another user managed to put beside ours does not replace a header of the system.
#[test]
fn no_header_of_the_system_is_replaced() {
    let (sandbox, temporary) = sandbox("temporary-header", "t");
    let clang = script(
        &sandbox,
        "last=; for a in \"$@\"; do [ -f \"$last/fencepost.h\" ] && echo '#define assert(x)' > \"$last/assert.h\"; last=$a; done
         for c in clang clang-22 clang-21 clang-20 clang-19 clang-18 clang-17 clang-16 clang-15; do
           command -v $c >/dev/null && exec $c \"$@\"
         done",
    );
    let mut command = explore(&sandbox, &temporary);
    command.env("FENCEPOST_CLANG", clang);
    let ran = run(command);
    assert_eq!(ran.status, Some(1), "{}{}", ran.stdout, ran.stderr);
}

/// If the process is ended while clang is at work, its files do not stay: not after a signal, and after SIGKILL only
/// until the next run.
#[test]
fn nothing_stays_after_a_signal() {
    for signal in ["INT", "TERM", "HUP", "KILL"] {
        let (sandbox, temporary) = sandbox(&format!("temporary-{signal}"), "t");
        let mut command = explore(&sandbox, &temporary);
        command.env("FENCEPOST_CLANG", script(&sandbox, "exec sleep 10"));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while is_empty(&temporary) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let process = child.id().to_string();
        let kill = || Command::new("kill").args(["-s", signal, &process]).status().unwrap();
        assert!(kill().success());
        if signal == "KILL" {
            assert!(!child.wait().unwrap().success());
            assert!(!is_empty(&temporary));
            assert_eq!(run(explore(&sandbox, &temporary)).status, Some(1));
        } else {
            // A second signal ends the process at once.
            std::thread::sleep(Duration::from_millis(50));
            kill();
            assert_eq!(child.wait().unwrap().code(), Some(3), "{signal}");
        }
        assert!(is_empty(&temporary), "{signal}");
    }
}

/// A `#line` directive can name any file. Only what clang has read is shown.
#[test]
fn a_file_that_the_compiler_did_not_read_is_not_shown() {
    let named = |name: &str| format!("#include <assert.h>\n#include \"b.h\"\n#line 1 \"{name}\"\n{}", &FAILING[20..]);
    let files = [("secret.txt", "the first line of a secret\n"), ("b.h", "/* the first line of a header */\n")];
    let sandbox = Sandbox::new("line-directive", &files);
    for (name, shown) in [("secret.txt", false), ("/etc/passwd", false), ("b.h", true), ("a.c", true)] {
        fs::write(sandbox.path("a.c"), named(name)).unwrap();
        for format in ["text", "json", "sarif"] {
            let ran = sandbox.run(&["explore", "a.c", "--format", format]);
            assert_eq!(ran.status, Some(1), "{}", ran.stderr);
            assert!(!ran.stdout.contains("secret\n") && !ran.stdout.contains("of a secret"), "{}", ran.stdout);
            assert!(!ran.stdout.contains("root:"), "{}", ran.stdout);
            if format == "text" {
                let line = if name == "b.h" { "first line of a header" } else { "#include <assert.h>" };
                assert_eq!(ran.stdout.contains(line), shown, "{name}: {}", ran.stdout);
            }
        }
    }
}

/// LLVM IR can name any file too. What lies near it is shown.
#[test]
fn llvm_ir_shows_no_file_from_elsewhere() {
    let ir = |directory: &str, name: &str| {
        format!(
            "define i32 @main() !dbg !3 {{\n  call void @abort(), !dbg !4\n  unreachable\n}}\ndeclare void @abort()\n\
             !1 = !DIFile(filename: \"{name}\", directory: \"{directory}\")\n\
             !3 = distinct !DISubprogram(name: \"main\", scope: !1, file: !1, line: 1)\n\
             !4 = !DILocation(line: 1, column: 1, scope: !3)\n"
        )
    };
    let elsewhere = Sandbox::new("ir-elsewhere", &[("b.c", "elsewhere\n")]);
    let sandbox = Sandbox::new("ir", &[("b.c", "nearby\n")]);
    let outside = elsewhere.path(".").display().to_string();
    for (directory, shown) in [(sandbox.path(".").display().to_string(), true), (outside.clone(), false)] {
        let name = if shown { "b.c".to_owned() } else { format!("{outside}/b.c") };
        fs::write(sandbox.path("a.ll"), ir(&directory, &name)).unwrap();
        let ran = sandbox.run(&["explore", "a.ll"]);
        assert_eq!(ran.status, Some(1), "{}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.stdout.contains("nearby"), shown, "{}", ran.stdout);
        assert!(!ran.stdout.contains("elsewhere\n"), "{}", ran.stdout);
    }
}

#[test]
fn codes_in_names_and_sources_do_not_reach_the_terminal() {
    const CODES: &str = "\u{1b}]0;title\u{7}\u{1b}[2J\u{1b}[8mhidden\u{9b}1A\u{202e}";
    let fails = format!("thread t {{ assert(0); /* {CODES} */ }}\n");
    let wrong = format!("thread t {{ x = ; /* {CODES} */ }}\n");
    let c = format!("int main(void) {{ __builtin_trap(); /* {CODES} */ }}\n");
    let ir = "define i32 @main() {\n  call void @\"\\1B]0;title\\07\"()\n  ret i32 0\n}\ndeclare void @\"\\1B]0;title\\07\"()\n";
    let name = |end: &str| format!("{CODES}{end}");
    let files = [(name("a.fp"), &*fails), (name("b.fp"), &wrong), (name("c.c"), &c), (name("d.ll"), ir)];
    let borrowed: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, *text)).collect();
    let sandbox = Sandbox::new("codes", &borrowed);
    let missing = name("none.fp");
    for file in files.iter().map(|(name, _)| name).chain([&missing]) {
        for command in ["check", "explore", "prove", "export"] {
            for colour in ["always", "never"] {
                let ran = sandbox.run(&["--color", colour, command, file]);
                let said = ran.stdout + &ran.stderr;
                for code in ["\u{1b}]", "\u{7}", "\u{1b}[2J", "\u{1b}[8m", "\u{9b}", "\u{202e}"] {
                    assert!(!said.contains(code), "{command} {colour}: {said:?}");
                }
                assert!(colour == "always" || !said.contains('\u{1b}'), "{command}: {said:?}");
            }
        }
    }
}

/// Colours are harmless, but they are ours: a name that has some could look like another line of the report.
#[test]
fn names_have_no_colours() {
    let name = r#"\1B[32mholds\1B[0m"#;
    let ir = format!(
        "@\"{name}\" = global i32 0\n\
         define i32 @\"f{name}\"() {{\n  store atomic i32 1, ptr @\"{name}\" seq_cst, align 4\n  call void @abort()\n  ret i32 0\n}}\n\
         define i32 @main() {{\n  %1 = call i32 @\"f{name}\"()\n  call void @\"g{name}\"()\n  ret i32 0\n}}\n\
         declare void @abort()\ndeclare void @\"g{name}\"()\n"
    );
    let sandbox = Sandbox::new("colours", &[("a.ll", &ir)]);
    for command in ["check", "explore"] {
        let ran = sandbox.run(&["--color", "always", command, "a.ll"]);
        assert_eq!(ran.status, Some(1), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("\u{241b}[32mholds"), "{}", ran.stdout);
        assert!(!ran.stdout.contains("\u{1b}[32m"), "{}", ran.stdout);
    }
}
