//! Which arguments of a compilation say what the code means. Others say what to write, how to optimise, or what to
//! warn about, or only gcc knows them.

use std::ffi::OsString;
use std::path::Path;

/// What clang gets, and what it would not know.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Flags {
    pub kept: Vec<OsString>,
    pub unknown: Vec<String>,
}

/// Followed by a word that belongs to them, and dropped with it.
const WITH_VALUE: [&str; 10] =
    ["-include-pch", "-o", "-MF", "-MT", "-MQ", "-L", "-l", "--serialize-diagnostics", "-Xlinker", "-dumpbase"];

/// Dropped.
const DROPPED: [&str; 22] = [
    "-c",
    "-S",
    "-E",
    "-pipe",
    "-save-temps",
    "-fsyntax-only",
    "-emit-llvm",
    "-flto",
    "-fno-lto",
    "-ffat-lto-objects",
    "-fno-fat-lto-objects",
    "--coverage",
    "-coverage",
    "-ftest-coverage",
    "-mtune=native",
    "-march=native",
    "-mcpu=native",
    "-shared",
    "-static",
    "-rdynamic",
    "-no-pie",
    "-pie",
];

/// Dropped, whatever follows in the same word.
const DROPPED_PREFIXES: [&str; 21] = [
    "-M",
    "-W",
    "-O",
    "-g",
    "-L",
    "-l",
    "-fsanitize",
    "-fno-sanitize",
    "-flto=",
    "-fprofile",
    "-fno-profile",
    "-fdiagnostics",
    "-fno-diagnostics",
    "-fcolor-diagnostics",
    "-fno-color-diagnostics",
    "-fstack-protector",
    "-fstack-clash",
    "-fcf-protection",
    "-D_FORTIFY_SOURCE",
    "-save-temps=",
    "-mtune=",
];

/// What gcc knows and clang does not.
const OF_GCC: [&str; 37] = [
    "-fanalyzer",
    "-fcallgraph-info",
    "-fconcepts",
    "-fconserve-stack",
    "-fcoroutines",
    "-fdeps-",
    "-fdump-",
    "-fgcse",
    "-fimplicit-constexpr",
    "-fipa-",
    "-fmodule-mapper",
    "-fmodules-ts",
    "-fno-allow-store-data-races",
    "-fno-canonical-system-headers",
    "-fno-code-hoisting",
    "-fno-gcse",
    "-fno-guess-branch-probability",
    "-fno-ipa-",
    "-fno-reorder-",
    "-fno-store-merging",
    "-fno-tree-",
    "-fno-var-tracking",
    "-fno-weak",
    "-fplugin",
    "-freorder-",
    "-fsched",
    "-fno-sched",
    "-ftree-",
    "-fvar-tracking",
    "-fzero-call-used-regs=",
    "-mfunction-return=",
    "-mindirect-branch",
    "-mno-fp-ret-in-387",
    "-mpreferred-stack-boundary=",
    "-mrecord-mcount",
    "-mskip-rax-setup",
    "--param",
];

/// Programs that start the compiler.
const LAUNCHERS: [&str; 6] = ["ccache", "sccache", "distcc", "icecc", "gomacc", "env"];

/// Takes the command that compiled a file apart.
pub fn flags(command: &[String], file: &str) -> Flags {
    let base = |word: &str| Path::new(word).file_name().map(|name| name.to_string_lossy().into_owned());
    let is_launcher = |word: &&String| base(word).is_some_and(|name| LAUNCHERS.contains(&&*name));
    let mut words = command.iter().skip_while(is_launcher).peekable();
    let compiler = words.next().and_then(|word| base(word)).unwrap_or_default();
    let mut flags = Flags::default();
    // To these compilers, a `.c` file is C++.
    if compiler.contains("++") && Path::new(file).extension().is_some_and(|extension| extension == "c") {
        flags.kept.extend(["-x".into(), "c++".into()]);
    }
    while let Some(word) = words.next() {
        // A header that was compiled before was compiled with other flags than ours. It is included as text, too.
        if word == "-Xclang" && words.peek().is_some_and(|next| *next == "-include-pch") {
            words.by_ref().take(3).for_each(drop);
        } else if WITH_VALUE.contains(&&**word) {
            words.next();
        } else if let Some(known) = OF_GCC.iter().find(|known| word.starts_with(**known)) {
            flags.unknown.push(word.clone());
            if word == known && *known == "--param" {
                words.next();
            }
        } else if word != file && word != "--" && !is_dropped(word) {
            flags.kept.push(word.into());
            // The value of a flag is no flag, and may be the name of the file.
            if ["-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-x", "-imacros", "-isysroot"]
                .contains(&&**word)
            {
                flags.kept.extend(words.next().map(OsString::from));
            }
        }
    }
    flags
}

fn is_dropped(word: &str) -> bool {
    // `-Wp,-DX` is for the preprocessor.
    let preprocessor = word.starts_with("-Wp,") && !word.starts_with("-Wp,-M") && !word.contains("_FORTIFY_SOURCE");
    DROPPED.contains(&word) || (!preprocessor && DROPPED_PREFIXES.iter().any(|prefix| word.starts_with(prefix)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(command: &str) -> String {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let flags = flags(&words, "a.c");
        let kept: Vec<_> = flags.kept.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        format!("{} | {}", kept.join(" "), flags.unknown.join(" "))
    }

    #[test]
    fn what_the_code_means_is_kept() {
        let command = "/usr/bin/ccache gcc -DX=1 -D Y -Iinc -I a.c -isystem /s -std=gnu11 -include x.h -fno-exceptions \
                       -Wp,-DZ -mcx16 -pthread";
        let expected = "-DX=1 -D Y -Iinc -I a.c -isystem /s -std=gnu11 -include x.h -fno-exceptions -Wp,-DZ -mcx16 \
                        -pthread | ";
        assert_eq!(kept(command), expected);
    }

    #[test]
    fn what_is_written_optimised_and_warned_about_is_dropped() {
        let command = "cc -O2 -g3 -Wall -Werror=all -MD -MT x -MF y -c a.c -o a.o -fsanitize=thread -flto=auto \
                       -march=native -Wp,-MMD,x.d -D_FORTIFY_SOURCE=2 -fprofile-arcs -Xclang -include-pch -Xclang p.pch";
        assert_eq!(kept(command), " | ");
        assert_eq!(kept("gcc -fno-tree-sra --param max=1 --param=x -c a.c"), " | -fno-tree-sra --param --param=x");
    }

    #[test]
    fn a_compiler_of_cpp_compiles_cpp() {
        assert_eq!(kept("clang++-19 -c a.c"), "-x c++ | ");
        assert_eq!(kept("gcc -c a.c"), " | ");
    }
}
